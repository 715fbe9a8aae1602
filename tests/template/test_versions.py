"""A function's alias is led to a new version when something of the function has changed, and then
only. What is built here has the project's own Makefiles and template, and hardly any code.
"""

import os
import re
import shutil
import subprocess
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Self

import pytest

from tests.template.parsed import ROOT, resources, template
from tests.template.transformed import of_type, transformed

FUNCTIONS = resources("AWS::Serverless::Function")
ENGINE = {
    name
    for name, function in FUNCTIONS.items()
    if {"Ref": "EngineLayer"} in function["Properties"].get("Layers", [])
}
AUTHORIZER = {"AuthorizerFunction"}
OTHERS = set(FUNCTIONS) - AUTHORIZER


def _folder(function: str) -> str:
    return function.removesuffix("Function").lower()


def _wheel(folder: Path, name: str, version: str) -> None:
    """The least that pip installs."""
    info = f"{name}-{version}.dist-info"
    with zipfile.ZipFile(folder / f"{name}-{version}-py3-none-any.whl", "w") as wheel:
        wheel.writestr(f"{name}.py", f"VERSION = {version!r}\n")
        wheel.writestr(
            f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
        )
        wheel.writestr(
            f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        wheel.writestr(f"{info}/RECORD", "")


class Tree:
    """A project like this one, with a line of code where there are thousands."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.wheels = root / "wheels"
        self.engine = root / "layers/engine/poker_engine/__init__.py"
        self.room = root / "functions/cardroom/__init__.py"
        self.command = root / "functions/command/app.py"
        self.packages = root / "requirements/functions.txt"
        self.token_library = root / "requirements/authorizer.txt"

    def write(self) -> Self:
        lines = {
            self.engine: "RULES = 1",
            self.room: "ROOM = 1",
            self.packages: "alpha==1.0",
            self.token_library: "beta==1.0",
        }
        handlers = [self.root / f"functions/{_folder(name)}/app.py" for name in FUNCTIONS]
        for path, line in (lines | dict.fromkeys(handlers, "HANDLER = 1")).items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"{line}\n")
        for name in ("functions/Makefile", "functions/slim.py", "layers/engine/Makefile"):
            shutil.copyfile(ROOT / name, self.root / name)
        self.wheels.mkdir()
        for wheel in ("alpha", "beta"):
            for version in ("1.0", "2.0"):
                _wheel(self.wheels, wheel, version)
        return self

    def build(self, artifacts: Path, settings: str = "") -> Path:
        environment = {
            **os.environ,
            "PATH": f"{ROOT / '.venv/bin'}{os.pathsep}{os.environ['PATH']}",
            "CARDROOM_TARGET": "host",
            "CARDROOM_SETTINGS": settings,
            "PIP_NO_INDEX": "1",
            "PIP_FIND_LINKS": str(self.wheels),
        }
        for variable in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS"):
            environment.pop(variable, None)
        for name in (*FUNCTIONS, "EngineLayer"):
            folder = "layers/engine" if name == "EngineLayer" else "functions"
            (artifacts / name).mkdir(parents=True)
            subprocess.run(
                ["make", "-s", "-C", str(self.root / folder), f"build-{name}"],
                env={**environment, "ARTIFACTS_DIR": str(artifacts / name)},
                check=True,
                capture_output=True,
            )
        return artifacts


def _versions(transformed_resources: Mapping[str, Any]) -> dict[str, str]:
    """Each function's version: the logical id that its alias leads to."""
    found = {}
    for alias in of_type(transformed_resources, "AWS::Lambda::Alias").values():
        assert alias["Properties"]["Name"] == "live"
        version, attribute = alias["Properties"]["FunctionVersion"]["Fn::GetAtt"]
        assert attribute == "Version"
        found[alias["Properties"]["FunctionName"]["Ref"]] = version
    return found


type Change = Callable[[Tree], str | None]
"""What is done before the second build; the settings to build it with, where others."""


def _one_byte_of(name: str) -> Change:
    def change(tree: Tree) -> None:
        file: Path = getattr(tree, name)
        file.write_text(file.read_text().replace("1", "2"))

    return change


CHANGES: dict[str, tuple[Change, set[str]]] = {
    "nothing": (lambda _: None, set()),
    "the date of a file": (lambda tree: os.utime(tree.engine, (1, 1)), set()),
    "the engine": (_one_byte_of("engine"), ENGINE),
    "the room": (_one_byte_of("room"), set(FUNCTIONS)),
    "a handler": (_one_byte_of("command"), {"CommandFunction"}),
    "packages": (_one_byte_of("packages"), OTHERS),
    "the token library": (_one_byte_of("token_library"), AUTHORIZER),
    "parameters": (lambda _: "others", AUTHORIZER),
}


@pytest.fixture(scope="module")
def changed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, set[str]]:
    """The functions that have another version after each change."""
    built = tmp_path_factory.mktemp("built")
    first = Tree(tmp_path_factory.mktemp("tree")).write()
    folders = [first.build(built / "0", "some")]
    for number, (change, _) in enumerate(CHANGES.values(), 1):
        tree = Tree(shutil.copytree(first.root, built.parent / f"tree-{number}"))
        settings = change(tree)
        folders.append(tree.build(built / str(number), settings or "some"))
    before, *later = [_versions(one) for one in transformed(artifacts=folders)]
    return {
        name: {function for function in FUNCTIONS if before[function] != after[function]}
        for name, after in zip(CHANGES, later, strict=True)
    }


@pytest.mark.slow
@pytest.mark.xdist_group("versions")  # One process builds for all of them.
@pytest.mark.parametrize("change", CHANGES)
def test_a_change_makes_new_versions_of_what_it_is_part_of(
    change: str, changed: dict[str, set[str]]
) -> None:
    _, wanted = CHANGES[change]
    assert changed[change] == wanted


def test_the_engine_is_part_of_those_that_decide_or_show() -> None:
    """And the packages of all but the authorizer: else the tests above would prove nothing."""
    assert {"CommandFunction", "ClockFunction", "BroadcastFunction", "SweepFunction"} <= ENGINE
    assert ENGINE < OTHERS


def _named(value: Any) -> set[str]:
    """Parameters, conditions and resources that a value names."""
    if isinstance(value, str):
        return set()
    if isinstance(value, dict):
        found = {one for one in (value.get("Ref"), value.get("Condition")) if isinstance(one, str)}
        if "Fn::If" in value:
            found.add(value["Fn::If"][0])
        if "Fn::Sub" in value:
            text = value["Fn::Sub"]
            found |= set(re.findall(r"\$\{(\w+)\}", text if isinstance(text, str) else text[0]))
        return found.union(*(_named(one) for one in value.values()))
    return set().union(*(_named(one) for one in value)) if isinstance(value, list) else set()


UNVERSIONED = ("AutoPublish", "DeploymentPreference", "Events", "Policies", "Reserved")
"""Properties that are no part of a version."""
OF_THE_PLACE = {"LocalEndpoint", "Architecture"}
"""Parameters that change with the code, or with the whole stack."""


def _parameters_of(function: str) -> set[str]:
    properties = FUNCTIONS[function]["Properties"]
    names = _named(
        {name: one for name, one in properties.items() if not name.startswith(UNVERSIONED)}
    )
    for _ in template()["Conditions"]:
        for name in names & set(template()["Conditions"]):
            names |= _named(template()["Conditions"][name])
    return names & set(template()["Parameters"]) - OF_THE_PLACE


def test_who_reads_parameters_has_their_fingerprint_in_his_code() -> None:
    """SAM compares the template before parameters are put in: it would not see another value."""
    makefile = (ROOT / "functions/Makefile").read_text()
    targets = re.findall(r"^build-(\w+):.*\n((?:\t.*\n)+)", makefile, re.MULTILINE)
    stamped = {name for name, recipe in targets if "$(write_settings)" in recipe}
    assert {name for name, _ in targets} == set(FUNCTIONS)
    assert stamped == {name for name in FUNCTIONS if _parameters_of(name)}
    assert "GuestsMayWatch" in _parameters_of("AuthorizerFunction")


def test_a_number_that_is_no_part_of_a_version_is_a_parameter() -> None:
    """Written into the template it would ask Lambda for a version where nothing has changed, which
    it refuses.
    """
    for function in FUNCTIONS.values():
        assert "Fn::If" in function["Properties"]["ReservedConcurrentExecutions"]
        assert "Tags" not in function["Properties"]
