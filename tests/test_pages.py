"""Links of the pages lead somewhere, and there is a way to each page: to each decision too."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = (
    ROOT / "README.md",
    *sorted((ROOT / "docs").rglob("*.md")),
    ROOT / "web/client/README.md",
    ROOT / "web/sdk/README.md",
)
LINK = re.compile(r"\]\((?!https?:)([^)#\s]*)(?:#([^)\s]*))?\)")


def _links(page: Path) -> list[tuple[Path, str]]:
    """What a page links to in the project, each with its anchor or none."""
    text = re.sub(r"```.*?```", "", page.read_text(), flags=re.DOTALL)
    return [
        ((page.parent / path).resolve() if path else page, anchor)
        for path, anchor in LINK.findall(text)
    ]


def _anchors(page: Path) -> set[str]:
    """Of its headings, as they are made of them: in small letters, blanks as dashes, no signs."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", one.lower()).replace(" ", "-") for one in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_what_a_page_links_to_is_there(page: Path) -> None:
    for target, anchor in _links(page):
        assert target.exists(), target
        assert not anchor or anchor in _anchors(target), (target, anchor)


def test_each_page_is_linked_from_another() -> None:
    linked = {target for page in PAGES for target, _ in _links(page) if target != page}
    missing = [page for page in PAGES if page.name != "README.md" and page not in linked]
    assert missing == []
