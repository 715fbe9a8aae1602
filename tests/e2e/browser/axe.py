"""axe's own look at a page: what keeps people from using it."""

from typing import Any, Final

from playwright.async_api import Page

from tests.web import WEB

SCRIPT: Final = WEB / "node_modules/axe-core/axe.min.js"
GRAVE: Final = ("serious", "critical")
RUN: Final = """async () => {
    const told = await axe.run(document, { resultTypes: ["violations"] });
    const words = ({ target, failureSummary }) => `${target}: ${failureSummary}`;
    return told.violations.map((one) =>
        ({ id: one.id, impact: one.impact, nodes: one.nodes.map(words) }));
}"""


async def faults(page: Page) -> list[str]:
    """Serious and critical ones, of the page as it is now."""
    await page.evaluate(SCRIPT.read_text())
    found: list[dict[str, Any]] = await page.evaluate(RUN)
    return [
        f"{one['id']} ({one['impact']}): {'; '.join(one['nodes'])}"
        for one in found
        if one["impact"] in GRAVE
    ]
