"""`cardroom rules`: each numbered rule of play with the tests that name it.

A test names rules with `@pytest.mark.rule("3.3")`, also on a class, on a parameter or for a whole
module as `pytestmark`. The tests are read, not run.
"""

import argparse
import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

TESTS: Final = Path(__file__).parents[1] / "tests"

RULES: Final = {
    "1.1": "2 to 10 seats; a hand needs two active players",
    "1.2": "least buy-in",
    "1.3": "greatest buy-in",
    "1.4": "the returning player's buy-in",
    "1.5": "table stakes and top-ups",
    "2.1": "the button moves, the two players to its left post",
    "2.2": "two active players",
    "2.3": "the button by a draw",
    "2.4": "a blind larger than the stack",
    "2.5": "a new player waits or posts",
    "2.6": "sitting out, missed blinds and debts",
    "2.7": "leaving in mid-hand",
    "2.8": "a closing table",
    "3.1": "order of betting, the big blind's option",
    "3.2": "no-limit: minimum bet, least raise, no cap",
    "3.3": "no-limit: incomplete all-ins and reopened betting",
    "3.4": "fixed-limit: sizes, cap, half bets",
    "3.5": "a raise needs somebody to match it; turns with nothing to decide",
    "3.6": "the uncalled part",
    "3.7": "the run-out",
    "3.8": "a fold is always allowed",
    "3.9": "antes",
    "4.1": "15 seconds a turn, and what expiry does",
    "4.2": "removal after two counting rounds",
    "4.3": "a removed player's hand",
    "4.4": "a disconnected player",
    "4.5": "the stored deadline and its grace",
    "5.1": "best five of seven",
    "5.2": "main and side pots",
    "5.3": "split pots and their remainder",
    "5.4": "what is shown at the showdown",
    "6.1": "when rake is taken",
    "6.2": "rake on the total, shared among the pots",
    "6.3": "what a hand's record states",
    "7": "watching: nobody gets what depends on cards that he may not see",
    "8": "every turn carries what the controls need",
    "8.1": "the bet button",
    "8.2": "the bet box",
    "8.3": "the slider",
    "9": "a void hand",
    "10.1": "automatic top-ups",
    "10.2": "a frozen table",
    "10.3": "pre-actions",
    "10.4": "the time bank",
}
"""Number: what it is about. Sections 7 and 9 have no numbers within, 8 begins without one."""

CASES: Final = tuple(f"case {number}" for number in range(1, 12))
"""The cases worked out at the end of the rules."""

NEEDED: Final = ("2.", "3.", "4.", "5.", "6.", "9", "10.", "case ")
"""Beginnings of the names that must have a test."""


@dataclass(frozen=True, slots=True)
class Naming:
    """A test that names a rule: `rule` is None where the mark's argument is no plain text."""

    rule: str | None
    file: Path
    line: int
    test: str

    @property
    def where(self) -> str:
        return f"{self.file}:{self.line}"


def namings(folder: Path) -> Iterator[Naming]:
    """All that the tests of a folder name, in order. Raises SyntaxError for a broken file."""
    for file in sorted(folder.rglob("test_*.py")):
        module = ast.parse(file.read_text(encoding="utf-8"), filename=str(file))
        yield from _in_module(module, file.relative_to(folder.parent))


def _in_module(module: ast.Module, file: Path) -> Iterator[Naming]:
    shared: list[ast.Call] = []
    for statement in module.body:
        if isinstance(statement, ast.Assign) and any(
            isinstance(target, ast.Name) and target.id == "pytestmark"
            for target in statement.targets
        ):
            shared += _marks([statement.value])
    for statement in module.body:
        if isinstance(statement, ast.ClassDef):
            marks = [*shared, *_marks(statement.decorator_list)]
            for inner in statement.body:
                yield from _in_function(inner, file, marks, f"{statement.name}::")
        else:
            yield from _in_function(statement, file, shared, "")


def _in_function(
    statement: ast.stmt, file: Path, shared: list[ast.Call], prefix: str
) -> Iterator[Naming]:
    if not isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
        return
    if not statement.name.startswith("test"):
        return
    for mark in [*shared, *_marks(statement.decorator_list)]:
        for argument in mark.args:
            plain = isinstance(argument, ast.Constant) and isinstance(argument.value, str)
            rule = str(argument.value) if plain and isinstance(argument, ast.Constant) else None
            yield Naming(rule, file, statement.lineno, prefix + statement.name)


def _marks(nodes: Iterable[ast.expr]) -> list[ast.Call]:
    """Every call of `pytest.mark.rule` within these expressions."""
    return [
        call
        for node in nodes
        for call in ast.walk(node)
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "pytest.mark.rule"
    ]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--tests", type=Path, default=TESTS, help="folder of the tests")


def run(args: argparse.Namespace) -> int:
    """1 where a rule that needs a test has none, or where a test names what is no rule."""
    known: dict[str, list[Naming]] = {name: [] for name in (*RULES, *CASES)}
    unknown: list[Naming] = []
    for naming in namings(args.tests):
        if naming.rule in known:
            known[naming.rule].append(naming)
        else:
            unknown.append(naming)
    for name, tests in known.items():
        about = f"  {RULES[name]}" if name in RULES else ""
        print(f"{name:8}{about}".rstrip())
        for test in dict.fromkeys((one.where, one.test) for one in tests):
            print(f"    {test[0]} {test[1]}")
    missing = [name for name, tests in known.items() if not tests and name.startswith(NEEDED)]
    for naming in unknown:
        named = "no plain text" if naming.rule is None else f"{naming.rule!r}, which is no rule"
        print(f"{naming.where} {naming.test} names {named}")
    print()
    tested = sum(bool(tests) for tests in known.values())
    print(f"{tested} of {len(known)} rules and cases have a test that names them")
    if missing:
        print(f"without a test: {', '.join(missing)}")
    return 1 if missing or unknown else 0
