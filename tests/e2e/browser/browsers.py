"""Browsers as the tests drive them: those of this machine, each time with a new profile, and
without anything that they do on their own account.
"""

from typing import Final

from playwright.async_api import Browser, Playwright

from local.browser import CHROMIUM, program

FLAGS: Final = (
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--no-first-run",
    # Its own sandbox needs what a container may not have. It shows our page alone.
    "--no-sandbox",
    # No name leads anywhere.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
)


async def chromium(playwright: Playwright) -> Browser:
    return await playwright.chromium.launch(
        executable_path=program(CHROMIUM), args=list(FLAGS), chromium_sandbox=False
    )
