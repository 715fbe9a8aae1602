"""Stages: whole, of the template's own parameters, and with what the operator says otherwise."""

import json
import os
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest

from cli.stages import BadParameter, declared, main, overrides, parameters, settings, stages
from tests.template.parsed import ROOT, template

CONFIG = tomllib.loads((ROOT / "samconfig.toml").read_text())
NAMES = ("dev", "staging", "prod")


def _deploy(stage: str) -> dict[str, Any]:
    found: dict[str, Any] = CONFIG[stage]["deploy"]["parameters"]
    return found


def test_there_are_three() -> None:
    assert tuple(stages()) == NAMES


def test_they_differ_in_names_and_parameters_alone() -> None:
    """SAM reads one of them and nothing of another."""
    for stage in NAMES:
        told = dict(_deploy(stage))
        assert told.pop("stack_name") == f"cardroom-{stage}"
        assert told.pop("s3_prefix") == f"cardroom-{stage}"
        assert set(stages()[stage]) == set(stages()["prod"])
        told.pop("parameter_overrides")
        assert told == {
            "resolve_s3": True,
            "capabilities": "CAPABILITY_IAM",
            "confirm_changeset": True,
            "fail_on_empty_changeset": False,
        }


@pytest.mark.parametrize("stage", NAMES)
def test_a_stage_says_what_the_template_understands(stage: str) -> None:
    declared = template()["Parameters"]
    for name, value in stages()[stage].items():
        allowed = [str(one) for one in declared[name].get("AllowedValues", [value])]
        assert value in allowed
        if declared[name]["Type"] == "Number":
            least, most = declared[name].get("MinValue", 0), declared[name].get("MaxValue", 10**9)
            assert least <= int(value) <= most


@pytest.mark.parametrize("stage", NAMES)
def test_a_stage_says_how_much_of_the_account_it_takes(stage: str) -> None:
    """For each function, so that none is forgotten when one is added."""
    declared = {name for name in template()["Parameters"] if name.endswith("Concurrency")}
    assert declared <= set(stages()[stage])


def test_what_is_given_comes_before_what_the_stage_says() -> None:
    found = parameters("prod", ["GuestsMayWatch=false", "WebDomain=a.example", "WebDomain=b.c"])
    assert found["GuestsMayWatch"] == "false"
    assert found["WebDomain"] == "b.c"
    assert found["DeletionProtection"] == "true"


@pytest.mark.parametrize(
    ("stage", "given"),
    [
        ("qa", []),
        *(("prod", [bad]) for bad in ("x", "=x", "a b=x", 'a="x"', "a=\\")),
        # What SAM would leave out in silence.
        ("prod", ["GuestMayWatch=false"]),
        ("prod", ["guestsmaywatch=false"]),
    ],
)
def test_what_is_no_stage_or_no_parameter_is_refused(
    stage: str, given: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(BadParameter):
        parameters(stage, given)
    assert main(["overrides", stage, *given]) == 2
    assert capsys.readouterr().err.startswith("cardroom: ")


def test_the_template_s_parameters_are_known() -> None:
    assert declared() == set(template()["Parameters"])


def test_the_fingerprint_is_of_the_values() -> None:
    one = settings({"A": "1", "B": "2"})
    assert one == settings({"B": "2", "A": "1"})
    assert one != settings({"A": "1", "B": "3"})
    assert one != settings({"A": "1"})


VALUES = {
    "AllowedOrigins": "https://a.example https://b.example:8443",
    "WebDomain": "",
}


def test_sam_reads_the_values_that_were_meant() -> None:
    """By its own code, in its own environment."""
    program = (
        "import json, sys\n"
        "from samcli.cli.types import CfnParameterOverridesType as Type\n"
        "print(json.dumps(Type().convert((sys.argv[1],), None, None)))"
    )
    done = subprocess.run(
        [str(ROOT / ".venv-sam/bin/python"), "-I", "-c", program, overrides(VALUES)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout) == VALUES


def test_make_gives_sam_the_stage_and_both_of_its_answers(tmp_path: Path) -> None:
    """`make deploy`, as it would be run: SAM is a script here that writes down what it is told."""
    told = tmp_path / "told"
    sam = tmp_path / "sam"
    sam.write_text(f'#!/bin/sh\necho "$CARDROOM_SETTINGS|$*" >> {told}\n')
    sam.chmod(0o755)
    subprocess.run(
        [
            "make",
            "-s",
            "-o",
            "budgets",
            "deploy",
            "STAGE=staging",
            "PARAMETERS=GuestsMayWatch=false AllowedOrigins='https://a.example https://b.example'",
            "ARCHITECTURE=x86_64",
            f"SAM={sam}",
            "SET_UP=@true",
            f"BIN={ROOT / '.venv/bin'}",
            "UPLOAD=true",
            "MAY_FOLLOW=true",
            "ARGS=",
        ],
        cwd=ROOT,
        # Nothing of a make that runs this.
        env={
            **{name: value for name, value in os.environ.items() if not name.startswith("M")},
            "PYTHONPATH": str(ROOT),
        },
        check=True,
        capture_output=True,
    )
    build, deploy = told.read_text().splitlines()
    given = ["Architecture=x86_64", "GuestsMayWatch=false"]
    wanted = parameters("staging", [*given, "AllowedOrigins=https://a.example https://b.example"])
    assert build == f"{settings(wanted)}|build --parameter-overrides Architecture=x86_64"
    assert deploy == (
        "|deploy --config-env staging --stack-name cardroom-staging"
        f" --parameter-overrides {overrides(wanted)}"
    )


@pytest.mark.parametrize(
    ("given", "refused"),
    [
        ((), False),
        (("STAGE=prod",), False),
        (("STACK=cardroom", "STAGE=prod"), False),
        (("STACK=cardroom",), True),
    ],
)
def test_a_stack_of_ones_own_name_is_not_deployed_as_dev_by_oversight(
    given: tuple[str, ...], refused: bool
) -> None:
    """As dev it would lose its protection, most of its past, and what is reserved for it."""
    done = subprocess.run(
        ["make", "-n", "deploy", *given],
        cwd=ROOT,
        env={name: value for name, value in os.environ.items() if name[:3] not in ("MAK", "STA")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode != 0) is refused
    assert ("Say which stage" in done.stderr) is refused
