"""Firefox as it is installed, driven by WebDriver BiDi, the W3C's own protocol for it.

    async with firefox() as page:
        await page.go(address)
        await page.click("button", "Sign in")

Only what the tests need. Playwright drives a Firefox of its own making, which is no browser that
anybody has.
"""

import asyncio
import contextlib
import json
import re
import shutil
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

from websockets.asyncio.client import ClientConnection, connect

from local.browser import FIREFOX, program

LISTENS: Final = re.compile(r"WebDriver BiDi listening on (ws://\S+)")
START_SECONDS: Final = 40
LOOK_SECONDS: Final = 0.1
ENTER: Final = "\ue007"
RIGHT: Final = "\ue014"
PREFERENCES: Final = {
    # It asks for nothing of its own: no updates, no lists, no studies, no connection tests.
    "app.normandy.enabled": False,
    "app.update.auto": False,
    "app.update.disabledForTesting": True,
    "browser.contentblocking.report.lockwise.enabled": False,
    "browser.newtabpage.enabled": False,
    "browser.safebrowsing.downloads.enabled": False,
    "browser.safebrowsing.malware.enabled": False,
    "browser.safebrowsing.phishing.enabled": False,
    "browser.safebrowsing.update.enabled": False,
    "browser.search.update": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.homepage": "about:blank",
    "browser.startup.page": 0,
    "datareporting.policy.dataSubmissionEnabled": False,
    "dom.push.connection.enabled": False,
    "extensions.getAddons.cache.enabled": False,
    "extensions.systemAddon.update.enabled": False,
    "extensions.update.enabled": False,
    "geo.provider.testing": True,
    "intl.accept_languages": "en-PH, en",
    "media.gmp-manager.updateEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "network.dns.disabled": True,
    "network.prefetch-next": False,
    "services.settings.server": "http://127.0.0.1:9/",
    "toolkit.telemetry.reportingpolicy.firstRun": False,
    "toolkit.telemetry.unified": False,
}
FIND: Final = """(role, pattern) => {
    const kinds = { button: "button", heading: "h1, h2, h3", region: "section", textbox: "input" };
    const labels = (e) => [...(e.labels ?? [])].map((label) => label.textContent);
    const names = (e) => [e.ariaLabel ?? "", e.textContent, ...labels(e)];
    const named = (e) => names(e).some((name) => new RegExp(pattern).test(name.trim()));
    const usable = (e) => e.checkVisibility() && !e.disabled && e.ariaDisabled !== "true";
    return [...document.querySelectorAll(kinds[role])].find((e) => usable(e) && named(e));
}"""
"""The first of this role that is shown and may be used, and has such a name."""


class Failed(Exception):
    """What the browser refused, or what never came."""


class Session:
    """One connection to the browser: commands and their answers, and events."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._last = 0
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self._reading = asyncio.ensure_future(self._read())
        self.events: list[dict[str, Any]] = []

    async def command(self, method: str, **params: Any) -> Any:
        self._last += 1
        answer = asyncio.get_running_loop().create_future()
        self._waiting[self._last] = answer
        await self._socket.send(json.dumps({"id": self._last, "method": method, "params": params}))
        return await asyncio.wait_for(answer, 30)

    async def _read(self) -> None:
        async for text in self._socket:
            message = json.loads(text)
            if message["type"] == "event":
                self.events.append(message)
                continue
            answer = self._waiting.pop(message["id"])
            if message["type"] == "success":
                answer.set_result(message["result"])
            else:
                answer.set_exception(Failed(f"{message['error']}: {message['message']}"))

    async def close(self) -> None:
        self._reading.cancel()
        await asyncio.gather(self._reading, return_exceptions=True)


class Page:
    """A tab, and who sits before it."""

    def __init__(self, session: Session, context: str) -> None:
        self._session = session
        self._context = context

    async def go(self, address: str) -> None:
        await self._session.command(
            "browsingContext.navigate", context=self._context, url=address, wait="complete"
        )

    async def evaluate(self, expression: str) -> Any:
        """The value of an expression, if it is text, a number, a truth or nothing."""
        told = await self._session.command(
            "script.evaluate",
            expression=expression,
            target={"context": self._context},
            awaitPromise=True,
        )
        if told["type"] == "exception":
            raise Failed(told["exceptionDetails"]["text"])
        return told["result"].get("value")

    async def find(
        self, role: str, name: str | re.Pattern[str], seconds: float = 20
    ) -> dict[str, Any]:
        """The first that is shown and has this role, and this name or one of such a form."""
        deadline = asyncio.get_running_loop().time() + seconds
        while asyncio.get_running_loop().time() < deadline:
            node = await self._shown(role, name)
            if node is not None:
                return node
            await asyncio.sleep(LOOK_SECONDS)
        shown = await self.evaluate("document.body.innerText")
        raise Failed(f"no {role} {name!r} came; the page shows: {shown}")

    async def _shown(self, role: str, name: str | re.Pattern[str]) -> dict[str, Any] | None:
        pattern = name.pattern if isinstance(name, re.Pattern) else f"^{re.escape(name)}$"
        told = await self._call(
            FIND, *({"type": "string", "value": one} for one in (role, pattern))
        )
        return told if told["type"] == "node" else None

    async def shows(self, text: str, seconds: float = 20) -> None:
        """Waits for a text that the page shows anywhere."""
        deadline = asyncio.get_running_loop().time() + seconds
        shown = ""
        while asyncio.get_running_loop().time() < deadline:
            shown = str(await self.evaluate("document.body.innerText"))
            if text in shown:
                return
            await asyncio.sleep(LOOK_SECONDS)
        raise Failed(f"{text!r} did not come; the page shows: {shown}")

    @property
    def asked(self) -> set[str]:
        """Every address that it has asked for anything."""
        requests = [
            event["params"]["request"]["url"]
            for event in self._session.events
            if event["method"] == "network.beforeRequestSent"
        ]
        return set(requests)

    @property
    def troubles(self) -> list[str]:
        """What the page complained about."""
        entries = [
            event["params"] for event in self._session.events if event["method"] == "log.entryAdded"
        ]
        return [str(entry["text"]) for entry in entries if entry["level"] in ("error", "warn")]

    @asynccontextmanager
    async def changing(self, expression: str, seconds: float = 20) -> AsyncIterator[None]:
        """What is done within makes the value of this another; waits for that."""
        before = await self.evaluate(expression)
        yield
        deadline = asyncio.get_running_loop().time() + seconds
        while await self.evaluate(expression) == before:
            if asyncio.get_running_loop().time() > deadline:
                raise Failed(f"{expression} stays {before!r}")
            await asyncio.sleep(LOOK_SECONDS)

    async def _call(self, function: str, *arguments: dict[str, Any]) -> dict[str, Any]:
        told = await self._session.command(
            "script.callFunction",
            functionDeclaration=function,
            arguments=list(arguments),
            target={"context": self._context},
            awaitPromise=True,
        )
        if told["type"] == "exception":
            raise Failed(told["exceptionDetails"]["text"])
        result: dict[str, Any] = told["result"]
        return result

    async def click(self, role: str, name: str | re.Pattern[str], seconds: float = 20) -> None:
        """With the mouse, in the middle of it."""
        node = await self.find(role, name, seconds)
        await self._call("e => e.scrollIntoView({ block: 'nearest' })", _reference(node))
        moves = {
            "type": "pointer",
            "id": "mouse",
            "actions": [
                {
                    "type": "pointerMove",
                    "x": 0,
                    "y": 0,
                    "origin": {"type": "element", "element": _reference(node)},
                },
                {"type": "pointerDown", "button": 0},
                {"type": "pointerUp", "button": 0},
            ],
        }
        await self._perform(moves)

    async def type(self, text: str) -> None:
        """Key by key, into what has the focus."""
        keys = [{"type": kind, "value": key} for key in text for kind in ("keyDown", "keyUp")]
        await self._perform({"type": "key", "id": "keys", "actions": keys})

    async def fill(self, role: str, name: str, text: str) -> None:
        """Instead of what stands there."""
        await self.click(role, name)
        await self._call("e => e.select()", _reference(await self.find(role, name)))
        await self.type(text)

    async def _perform(self, source: dict[str, Any]) -> None:
        await self._session.command("input.performActions", context=self._context, actions=[source])


def _reference(node: dict[str, Any]) -> dict[str, str]:
    return {"sharedId": node["sharedId"]}


@asynccontextmanager
async def firefox() -> AsyncIterator[Page]:
    """A window of a Firefox with a new profile."""
    profile = Path(tempfile.mkdtemp(prefix="cardroom-firefox-"))
    lines = [f'user_pref("{name}", {json.dumps(value)});' for name, value in PREFERENCES.items()]
    (profile / "user.js").write_text("\n".join(lines))
    process = await asyncio.create_subprocess_exec(
        *(program(FIREFOX), "--headless", "--no-remote", "--new-instance"),
        *("--width", "1280", "--height", "800"),
        *("--profile", str(profile), "--remote-debugging-port", "0", "about:blank"),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
        # The profile is its whole home: nothing is written beside it.
        env={"HOME": str(profile), "PATH": "/usr/bin:/bin", "MOZ_HEADLESS": "1", "LANG": "C.UTF-8"},
    )
    assert process.stderr is not None
    try:
        address = await asyncio.wait_for(_address(process.stderr), START_SECONDS)
        rest = asyncio.ensure_future(process.stderr.read())
        async with connect(f"{address}/session", proxy=None, max_size=None) as socket:
            session = Session(socket)
            try:
                await session.command("session.new", capabilities={})
                tree = await session.command("browsingContext.getTree")
                events = ["log.entryAdded", "network.beforeRequestSent"]
                await session.command("session.subscribe", events=events)
                yield Page(session, tree["contexts"][0]["context"])
            finally:
                await session.close()
                rest.cancel()
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
        shutil.rmtree(profile, ignore_errors=True)


async def _address(said: asyncio.StreamReader) -> str:
    """Where it listens, which it says when it does."""
    lines: list[str] = []
    async for line in said:
        lines.append(line.decode(errors="replace").strip())
        listens = LISTENS.search(lines[-1])
        if listens is not None:
            return listens[1]
    raise Failed(f"Firefox ended: {lines[-3:]}")
