"""The page of threats names tests that there are."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
NAMED = sorted(
    set(re.findall(r"`(tests/[\w/.]+\.py)(?:::(\w+))?`", (ROOT / "docs/threats.md").read_text()))
)


def test_the_page_names_tests() -> None:
    assert len(NAMED) > 30


@pytest.mark.parametrize(("file", "name"), NAMED, ids=lambda one: one.rpartition("/")[2])
def test_what_is_named_is_there(file: str, name: str) -> None:
    path = ROOT / file
    assert path.is_file()
    functions = {
        node.name
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    tests = {one for one in functions if one.startswith("test_")}
    assert name in tests if name else tests
