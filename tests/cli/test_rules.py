"""`cardroom rules`: every numbered rule with the tests that name it."""

from pathlib import Path

import pytest

from cli.main import main
from cli.rules import CASES, RULES, namings

ALL = ", ".join(f'"{name}"' for name in (*RULES, *CASES))


@pytest.fixture
def tests(tmp_path: Path) -> Path:
    folder = tmp_path / "tests"
    folder.mkdir()
    return folder


def test_the_rules_are_those_of_the_sections() -> None:
    counts = {"1": 5, "2": 8, "3": 9, "4": 5, "5": 4, "6": 3, "8": 3, "10": 4}
    numbered = [f"{section}.{n}" for section, last in counts.items() for n in range(1, last + 1)]
    assert sorted(RULES) == sorted([*numbered, "7", "8", "9"])
    assert list(CASES) == [f"case {number}" for number in range(1, 12)]


def test_marks_are_found_wherever_they_stand(tests: Path) -> None:
    (tests / "test_marks.py").write_text(
        """
import pytest

pytestmark = [pytest.mark.slow, pytest.mark.rule("1.1")]

@pytest.mark.rule("2.1", "2.2")
def test_plain(): ...

@pytest.mark.parametrize("n", [1, pytest.param(2, marks=pytest.mark.rule("case 8"))])
async def test_parameter(n): ...

@pytest.mark.rule("3.1")
class TestClass:
    @pytest.mark.rule("3.2")
    def test_inside(self): ...
    def helper(self): ...

@pytest.mark.rule("9")
def helper(): ...
"""
    )
    found = [(naming.test, naming.rule) for naming in namings(tests)]
    assert found == [
        ("test_plain", "1.1"),
        ("test_plain", "2.1"),
        ("test_plain", "2.2"),
        ("test_parameter", "1.1"),
        ("test_parameter", "case 8"),
        ("TestClass::test_inside", "1.1"),
        ("TestClass::test_inside", "3.1"),
        ("TestClass::test_inside", "3.2"),
    ]
    assert next(namings(tests)).where == "tests/test_marks.py:7"


def test_all_named_is_0(tests: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tests / "test_all.py").write_text(
        f"import pytest\n@pytest.mark.rule({ALL})\ndef test_all(): ...\n"
    )
    assert main(["rules", "--tests", str(tests)]) == 0
    out = capsys.readouterr().out
    assert "3.3       no-limit: incomplete all-ins" in out
    assert "    tests/test_all.py:3 test_all" in out
    assert out.endswith("55 of 55 rules and cases have a test that names them\n")


@pytest.mark.parametrize("missing", ["2.8", "3.9", "4.5", "5.1", "6.3", "9", "case 11"])
def test_a_rule_without_a_test_is_1(
    missing: str, tests: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    named = ALL.replace(f'"{missing}"', '"1.1"')
    (tests / "test_all.py").write_text(
        f"import pytest\n@pytest.mark.rule({named})\ndef test_all(): ...\n"
    )
    assert main(["rules", "--tests", str(tests)]) == 1
    assert capsys.readouterr().out.endswith(f"without a test: {missing}\n")


@pytest.mark.parametrize("free", ["1.4", "7", "8", "8.3"])
def test_other_sections_may_lack_one(free: str, tests: Path) -> None:
    named = ALL.replace(f'"{free}"', '"1.1"')
    (tests / "test_all.py").write_text(
        f"import pytest\n@pytest.mark.rule({named})\ndef test_all(): ...\n"
    )
    assert main(["rules", "--tests", str(tests)]) == 0


@pytest.mark.parametrize(
    ("argument", "said"), [('"3.10"', "'3.10', which is no rule"), ("NUMBER", "no plain text")]
)
def test_a_name_that_is_no_rule_is_1(
    argument: str, said: str, tests: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tests / "test_all.py").write_text(
        f"import pytest\n@pytest.mark.rule({ALL}, {argument})\ndef test_all(): ...\n"
    )
    assert main(["rules", "--tests", str(tests)]) == 1
    assert f"tests/test_all.py:3 test_all names {said}\n" in capsys.readouterr().out
