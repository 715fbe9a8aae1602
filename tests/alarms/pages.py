"""The pages of docs/runbooks, and the commands that they name."""

import argparse
import re
import shlex
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any, Final

from cli.main import SUBCOMMANDS
from tests.template.parsed import ROOT

FOLDER: Final = ROOT / "docs/runbooks"
INDEX: Final = "README"
CARDROOM: Final = ".venv/bin/cardroom"
PATTERN: Final = "--filter-pattern"


def text_of(page: str) -> str:
    return (FOLDER / f"{page}.md").read_text()


def pages() -> list[str]:
    """All but their index."""
    return sorted({path.stem for path in FOLDER.glob("*.md")} - {INDEX})


def page_of(description: str) -> str:
    """The page that an alarm's description names."""
    (page,) = re.findall(r" Runbook: docs/runbooks/([\w-]+)\.md$", description)
    assert isinstance(page, str)
    return page


def commands(page: str) -> list[list[str]]:
    """All that is to be typed, word by word: the lines of blocks, and what stands in a sentence."""
    return [words for line in _lines(text_of(page)) for words in _typed(line)]


def cardroom(page: str) -> list[list[str]]:
    """Words of the project's own command, without its name."""
    return [words[1:] for words in commands(page) if words[0] == CARDROOM]


def tails(page: str) -> list[tuple[str, str]]:
    """The logs that the page looks into: each function, and the pattern of lines, if it has one."""
    found: list[tuple[str, str]] = []
    for words in commands(page):
        match words:
            case ["aws", "logs", "tail", group, *options]:
                pattern = options[options.index(PATTERN) + 1] if PATTERN in options else ""
                found.append((group.removeprefix("/aws/lambda/cardroom-"), pattern))
    return found


def matches(pattern: str, line: Mapping[str, Any]) -> bool:
    """Whether CloudWatch Logs finds this line by the pattern: one comparison of one field."""
    if not pattern:
        return True
    compared = re.fullmatch(r'\{ \$\.(\w+) (=|>) ("[^"]*"|\d+) \}', pattern)
    assert compared is not None, pattern
    name, sign, value = compared.groups()
    if sign == ">":
        return name in line and float(line[name]) > float(value)
    return line.get(name) == value.strip('"')


def _lines(text: str) -> Iterator[str]:
    # A block within a list is indented by six.
    yield from re.findall(r"^(?: {4}| {6})(?! |[-*] )(\S.*)$", text, re.MULTILINE)
    yield from (one for one in re.findall(r"`([^`\n]+)`", text) if one.startswith(CARDROOM))


def _typed(line: str) -> list[list[str]]:
    """What is typed in a line: `NAME=$(command)` types the command."""
    inner = re.fullmatch(r"\w+=\$\((.*)\)", line)
    words = shlex.split(inner[1] if inner else line)
    return [words[: words.index(">")] if ">" in words else words]


def parsed(words: list[str]) -> argparse.Namespace:
    """As `cardroom` would understand it; it leaves by SystemExit where it does not."""
    parser = argparse.ArgumentParser()
    import_module(SUBCOMMANDS[words[0]][0]).add_arguments(parser)
    return parser.parse_args(words[1:])
