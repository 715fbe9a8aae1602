"""The operator's pages name only commands, verbs, outputs and places that exist."""

import argparse
import re
import shlex
from importlib import import_module
from pathlib import Path

import pytest

from cli.main import SUBCOMMANDS
from tests.template.parsed import ROOT, template

PAGES = {name: (ROOT / f"docs/{name}.md").read_text() for name in ("deploy", "upgrade", "restore")}
COMMANDS = [
    (name, line.strip())
    for name, page in PAGES.items()
    for line in re.findall(r"^ +\.venv/bin/cardroom (.*)$", page, re.MULTILINE)
]
WALK = re.search(r"\n## Walk it here first\n(.*?)\n## ", PAGES["deploy"], re.DOTALL)


def understood(line: str) -> argparse.Namespace:
    command, *words = shlex.split(line)
    parser = argparse.ArgumentParser()
    import_module(SUBCOMMANDS[command][0]).add_arguments(parser)
    return parser.parse_args(words)


@pytest.mark.parametrize(("page", "line"), COMMANDS)
def test_commands_are_understood(page: str, line: str) -> None:
    args = understood(line)
    # What is said for AWS names a stack, what is said for this machine names none.
    if page == "upgrade":
        assert args.stack == "cardroom"


def test_what_is_deployed_is_what_the_other_commands_are_about() -> None:
    """`make deploy STAGE=prod` alone would make another stack beside the one that is asked."""
    lines = [
        line
        for page in PAGES.values()
        for line in re.findall(r"^ +make deploy (.*)$", page, re.MULTILINE)
    ]
    stages = [dict(one.split("=", 1) for one in shlex.split(line)) for line in lines]
    played_in = [one for one in stages if one["STAGE"] == "prod"]
    assert len(played_in) >= 5
    assert {one.get("STACK") for one in played_in} == {"cardroom"}
    # Those at which nobody plays are called as their stage is.
    assert {one.get("STACK") for one in stages if one not in played_in} == {None}
    assert "make aws-probe STACK=cardroom-staging" in PAGES["upgrade"]


@pytest.mark.parametrize("page", PAGES)
def test_verbs_and_modules_are_there(page: str) -> None:
    verbs = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert set(re.findall(r"(?:^ +|`)make ([a-z-]+)", PAGES[page], re.MULTILINE)) <= verbs
    for module in re.findall(r"python -P -m ([a-z.]+)", PAGES[page]):
        assert (ROOT / module.replace(".", "/") / "__main__.py").exists()


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    links = re.findall(r"\]\(([^)#]*)(?:#([^)]*))?\)", PAGES[page])
    assert links
    for place, anchor in links:
        if place.startswith("http"):
            continue
        target = ROOT / "docs" / place if place else ROOT / f"docs/{page}.md"
        assert target.exists(), place
        assert not anchor or anchor in _anchors(target), f"{place}#{anchor}"


def _anchors(page: Path) -> set[str]:
    heads = re.findall(r"^#+ (.*)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^a-z0-9 -]", "", head.lower()).replace(" ", "-") for head in heads}


@pytest.mark.parametrize("page", PAGES)
def test_files_that_they_name_are_there(page: str) -> None:
    for name in re.findall(r"`((?:tests|layers|functions|docs)/[^`*]+)`", PAGES[page]):
        assert (ROOT / name).exists(), name


@pytest.mark.parametrize("page", PAGES)
def test_outputs_that_they_ask_for_are_there(page: str) -> None:
    assert set(re.findall(r"OutputKey=='(\w+)'", PAGES[page])) <= set(template()["Outputs"])


def test_the_walk_is_of_this_machine_and_leads_to_a_table() -> None:
    assert WALK is not None
    lines = re.findall(r"^    \.venv/bin/cardroom (.*)$", WALK[1], re.MULTILINE)
    asked = [understood(line) for line in lines]
    assert [getattr(args, "stack", None) for args in asked] == [None] * len(asked)
    order = [line.split()[0] for line in lines]
    assert order.index("tables") < order.index("players") < order.index("join")
    assert order[-1] == "audit"
