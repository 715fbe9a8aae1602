"""What is explained to the linter of security: what is found, and nothing else. `make validate`
runs the linter itself.
"""

import re

import pytest

from local.template_security import EXPLAINED, PARAMETERS, Finding, judged
from tests.template.parsed import ROOT, template

FOUND = [Finding("NoStars", "Role", "a star"), Finding("NoStars", "Topic", "a star")]


def test_what_nobody_has_explained_is_said() -> None:
    assert judged(FOUND, {("NoStars", "Role"): "why"}) == ([FOUND[1]], [])


def test_an_explanation_covers_one_rule_of_one_resource() -> None:
    other = [Finding("NoKeys", "Role")]
    assert judged(other, {("NoStars", "Role"): "why"}) == (other, [("NoStars", "Role")])


def test_an_explanation_of_what_is_not_found_any_more_goes() -> None:
    explained = {("NoStars", "Role"): "why", ("NoStars", "Topic"): "why"}
    assert judged(FOUND, explained) == ([], [])
    assert judged(FOUND[:1], explained) == ([], [("NoStars", "Topic")])


@pytest.mark.parametrize(("rule", "resource"), EXPLAINED)
def test_what_is_explained_is_there_and_on_the_page(rule: str, resource: str) -> None:
    assert EXPLAINED[rule, resource]
    # A machine's role is made by SAM.
    assert resource.removesuffix("Role") in template()["Resources"]
    assert f"`{rule}`" in (ROOT / "docs/security.md").read_text()


def test_the_linter_sees_all_that_may_be_there() -> None:
    """No parameter that it is given has gone, and those that add something are given."""
    parameters = template()["Parameters"]
    assert set(PARAMETERS) <= set(parameters)
    for name, value in PARAMETERS.items():
        assert re.fullmatch(parameters[name]["AllowedPattern"], value)


def test_it_is_part_of_what_must_hold() -> None:
    makefile = (ROOT / "Makefile").read_text()
    validate = makefile.split("\nvalidate:")[1].split("\n\n")[0]
    assert "local/template_security.py" in validate
    assert re.search(r"^checks: .*\bvalidate\b", makefile, re.MULTILINE)
    assert "checks" in makefile.split("\ntest:")[1].split("\n\n")[0]
    wanted = (ROOT / "requirements/sam.in").read_text().splitlines()
    assert "cfripper" in wanted
