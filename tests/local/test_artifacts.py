"""The built functions: complete by themselves, with bytecode that needs no check, and small."""

import importlib.util
import json
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from local.artifacts import SOURCES, Artifacts, build, content_key

LAYER = "EngineLayer"


@pytest.fixture(scope="module")
def built() -> Artifacts:
    return build()


@pytest.fixture(scope="module")
def functions(built: Artifacts) -> dict[str, dict[str, Any]]:
    resources = built.template()["Resources"]
    return {
        name: resource["Properties"]
        for name, resource in resources.items()
        if resource["Type"] == "AWS::Serverless::Function"
    }


@pytest.fixture(scope="module")
def unpacked(
    built: Artifacts, functions: dict[str, Any], tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """Every artifact in a folder of its name."""
    folder = tmp_path_factory.mktemp("unpacked")
    for name in [*functions, LAYER]:
        with zipfile.ZipFile(built.folder / f"{name}.zip") as archive:
            archive.extractall(folder / name)
    return folder


# Nothing but the standard library, the artifact and the layer: a package that only the machine has
# would be found in the emulator, and missed on AWS.
IMPORT = """
import importlib, json, sys
artifact, layer, handler = sys.argv[1:]
sys.path = [path for path in sys.path if path] + [artifact, layer + "/python"]
module, _, name = handler.rpartition(".")
assert callable(getattr(importlib.import_module(module), name))
print(json.dumps([m.__file__ for m in sys.modules.values() if getattr(m, "__file__", None)]))
"""


def test_there_is_a_handler_for_every_function(functions: dict[str, dict[str, Any]]) -> None:
    handlers = {name: properties["Handler"] for name, properties in functions.items()}
    assert handlers == {
        name: f"{name.removesuffix('Function').lower()}.app.handler" for name in functions
    }


def test_every_artifact_imports_by_itself(
    functions: dict[str, dict[str, Any]], unpacked: Path
) -> None:
    for name, properties in functions.items():
        code = [sys.executable, "-I", "-S", "-B", "-c", IMPORT]
        done = subprocess.run(
            [*code, str(unpacked / name), str(unpacked / LAYER), properties["Handler"]],
            env={},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{name}: {done.stderr}"
        loaded = json.loads(done.stdout)
        assert not [file for file in loaded if "site-packages" in file], name


def test_all_code_has_bytecode_that_is_never_checked(
    functions: dict[str, dict[str, Any]], unpacked: Path
) -> None:
    for name in [*functions, LAYER]:
        sources = list((unpacked / name).rglob("*.py"))
        assert sources
        for source in sources:
            tag = sys.implementation.cache_tag
            compiled = source.parent / "__pycache__" / f"{source.stem}.{tag}.pyc"
            # The second word of a .pyc: 1 is a hash that is not compared with the source's.
            assert compiled.read_bytes()[4:8] == b"\x01\0\0\0", source


def test_the_bytecode_is_of_the_python_that_lambda_runs(built: Artifacts, unpacked: Path) -> None:
    """Of another it would be passed over, and all compiled at each cold start."""
    running = f"python{sys.version_info.major}.{sys.version_info.minor}"
    assert built.template()["Globals"]["Function"]["Runtime"] == running
    compiled = list(unpacked.rglob("*.pyc"))
    assert {path.read_bytes()[:4] for path in compiled} == {importlib.util.MAGIC_NUMBER}


def test_no_source_is_read_when_a_function_starts(
    functions: dict[str, dict[str, Any]], unpacked: Path, tmp_path: Path
) -> None:
    """With sources that cannot be compiled all starts as before, and no bytecode is written."""
    # The others ship what one of these does.
    for name in ("AuthorizerFunction", "CommandFunction"):
        properties = functions[name]
        folder = tmp_path / name
        for part in (name, LAYER):
            shutil.copytree(unpacked / part, folder / part)
        sources = list(folder.rglob("*.py"))
        assert len(sources) > 60
        for source in sources:
            source.write_text("this is no Python\n")
        before = sorted(folder.rglob("*"))
        command = [sys.executable, "-I", "-S", "-c", IMPORT]
        done = subprocess.run(
            [*command, str(folder / name), str(folder / LAYER), properties["Handler"]],
            env={},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{name}: {done.stderr}"
        assert sorted(folder.rglob("*")) == before
        shutil.rmtree(folder)


def test_the_authorizer_ships_no_package_but_the_token_library(unpacked: Path) -> None:
    shipped = {path.name for path in (unpacked / "AuthorizerFunction").iterdir()}
    assert {"authorizer", "cardroom", "jwt", "cryptography"} <= shipped
    assert not shipped & {"botocore", "pydantic", "pynamodb", "aws_lambda_powertools"}


def test_no_function_comes_near_lambda_s_size_limit(
    functions: dict[str, dict[str, Any]], unpacked: Path
) -> None:
    for name in functions:
        size = sum(path.stat().st_size for path in (unpacked / name).rglob("*") if path.is_file())
        # 250 MB unpacked is the limit; what is shipped is loaded at a cold start.
        assert size < 30_000_000, name


def test_tests_and_handlers_of_others_stay_behind(
    functions: dict[str, dict[str, Any]], unpacked: Path
) -> None:
    folders = {properties["Handler"].partition(".")[0] for properties in functions.values()}
    for name, properties in functions.items():
        own = properties["Handler"].partition(".")[0]
        shipped = {path.name for path in (unpacked / name).iterdir()}
        assert shipped & folders == {own}
        assert not list((unpacked / name).rglob("tests"))


class TestContentKey:
    @pytest.fixture
    def sources(self, tmp_path: Path) -> Path:
        for name in SOURCES:
            path = tmp_path / name
            if path.suffix:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text("1")
            else:
                path.mkdir()
                (path / "file").write_text("1")
        return tmp_path

    @pytest.mark.parametrize("name", SOURCES)
    def test_a_change_of_any_source_is_a_new_build(self, sources: Path, name: str) -> None:
        before = content_key(sources)
        changed = sources / name
        (changed / "file" if changed.is_dir() else changed).write_text("2")
        assert content_key(sources) != before

    def test_a_new_name_is_a_new_build(self, sources: Path) -> None:
        before = content_key(sources)
        (sources / "functions" / "file").rename(sources / "functions" / "other")
        assert content_key(sources) != before

    def test_bytecode_and_dates_are_none(self, sources: Path) -> None:
        before = content_key(sources)
        cache = sources / "functions" / "__pycache__"
        cache.mkdir()
        (cache / "file.pyc").write_text("2")
        (sources / "functions" / "file").touch()
        assert content_key(sources) == before
