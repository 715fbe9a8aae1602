"""`make setup`: finding a Python, making environments, mending them; and what the pins may hold."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from local import environments
from local.artifacts import ROOT
from local.environments import STAMP, Environment, SetupError, is_ready, make

VERSION = (ROOT / ".python-version").read_text().strip()
TINY = Environment("tiny", ".venv-tiny", "requirements/tiny.txt", ("pip",))


def find_python(path: Path, **extra: str) -> subprocess.CompletedProcess[str]:
    """Runs local/find_python.sh with the programs of one folder, the shell's own, and no pyenv."""
    tools = f"{path}{os.pathsep}/usr/bin{os.pathsep}/bin"
    environment = {"PATH": tools, "PYENV_ROOT": str(path / "no-pyenv"), **extra}
    return subprocess.run(
        [str(ROOT / "local" / "find_python.sh")],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def program(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


# Whatever this machine calls Python stands behind names that fail.
FAILS = 'echo "pyenv: version not found" >&2; exit 127'
ANOTHER_VERSION = "exit 1"


class TestFindPython:
    @pytest.fixture
    def no_python(self, tmp_path: Path) -> Path:
        for name in (f"python{VERSION}", "python3", "python"):
            program(tmp_path / name, FAILS)
        return tmp_path

    def test_none_is_one_line_that_says_what_to_do(self, no_python: Path) -> None:
        done = find_python(no_python)
        assert done.returncode == 1
        assert done.stdout == ""
        assert done.stderr.count("\n") == 1
        assert done.stderr.startswith(f"cardroom: no Python {VERSION} found. Install it")

    def test_a_shim_that_fails_is_passed_over(self, no_python: Path) -> None:
        program(no_python / "python3", f'exec {shutil.which("python")} "$@"')
        done = find_python(no_python)
        assert done.returncode == 0, done.stderr
        assert Path(done.stdout.strip()).is_file()

    def test_another_version_is_not_taken(self, no_python: Path) -> None:
        program(no_python / "python3", ANOTHER_VERSION)
        assert find_python(no_python).returncode == 1

    def test_pyenv_s_versions_are_found_though_none_is_selected(self, no_python: Path) -> None:
        pyenv = no_python / "pyenv"
        program(
            pyenv / "versions" / f"{VERSION}.7" / "bin" / f"python{VERSION}",
            f'exec {shutil.which("python")} "$@"',
        )
        assert find_python(no_python, PYENV_ROOT=str(pyenv)).returncode == 0

    def test_a_python_may_be_named(self, no_python: Path) -> None:
        named = program(no_python / "mine" / "py", f'exec {shutil.which("python")} "$@"')
        assert find_python(no_python, CARDROOM_PYTHON=str(named)).returncode == 0

    def test_an_environment_is_never_the_base_of_another(self) -> None:
        done = find_python(ROOT / ".venv" / "bin")
        assert not done.stdout.startswith(str(ROOT))


def bare_project(folder: Path) -> Path:
    (folder / "requirements").mkdir(parents=True)
    (folder / TINY.requirements).write_text("# nothing\n")
    (folder / ".python-version").write_text(f"{VERSION}\n")
    return folder


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project whose environment was made from nothing."""
    project = bare_project(tmp_path_factory.mktemp("made") / "project")
    assert environments.main(["tiny"], project, (TINY,)) == 0
    return project


@pytest.fixture
def project(made: Path, tmp_path: Path) -> Path:
    """The same at a place of its own: with a stamp as though it had been made there."""
    copy = tmp_path / "project"
    shutil.copytree(made, copy, symlinks=True)
    (copy / TINY.folder / STAMP).write_text(environments.wanted_stamp(copy, TINY))
    (copy / TINY.folder / "kept").touch()
    return copy


def kept(project: Path) -> bool:
    return (project / TINY.folder / "kept").exists()


class TestEnvironments:
    def test_made_from_nothing_it_is_ready(self, made: Path) -> None:
        assert is_ready(made, TINY)
        pip = subprocess.run([made / TINY.folder / "bin" / "pip", "--version"], check=False)
        assert pip.returncode == 0

    def test_nothing_is_said_and_done_where_all_are_ready(
        self, project: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        stamp = (project / TINY.folder / STAMP).stat().st_mtime_ns
        assert environments.main([], project, (TINY,)) == 0
        assert capsys.readouterr().out == ""
        assert (project / TINY.folder / STAMP).stat().st_mtime_ns == stamp

    def test_new_requirements_are_installed_on_top(self, project: Path) -> None:
        (project / TINY.requirements).write_text("# something else\n")
        assert not is_ready(project, TINY)
        make(project, TINY)
        assert is_ready(project, TINY)
        assert kept(project)

    def test_an_interrupted_set_up_is_taken_up_again(self, project: Path) -> None:
        (project / TINY.folder / STAMP).unlink()
        assert not is_ready(project, TINY)
        make(project, TINY)
        assert is_ready(project, TINY)
        assert kept(project)

    def test_a_broken_interpreter_is_replaced(self, project: Path) -> None:
        interpreter = project / TINY.folder / "bin" / "python"
        interpreter.unlink()
        interpreter.symlink_to("/nowhere/python")
        assert not is_ready(project, TINY)
        make(project, TINY)
        assert is_ready(project, TINY)

    def test_a_missing_program_is_brought_back(self, project: Path) -> None:
        (project / TINY.folder / "bin" / "pip").unlink()
        assert not is_ready(project, TINY)
        make(project, TINY)
        assert is_ready(project, TINY)

    def test_a_moved_project_gets_a_new_environment(self, project: Path, tmp_path: Path) -> None:
        moved = tmp_path / "moved"
        project.rename(moved)
        assert not is_ready(moved, TINY)
        make(moved, TINY)
        assert is_ready(moved, TINY)
        assert not kept(moved)

    def test_a_failure_is_one_line_that_names_the_log_and_leaves_no_stamp(
        self, project: Path
    ) -> None:
        (project / TINY.requirements).write_text("./no-such-package\n")
        with pytest.raises(SetupError) as info:
            make(project, TINY)
        line = str(info.value)
        assert "\n" not in line
        assert line.startswith("cardroom: setting up .venv-tiny failed: ERROR: ")
        assert line.endswith("(all of it: .build/setup-tiny.log)")
        assert not is_ready(project, TINY)

    def test_without_a_name_only_what_the_room_needs_is_made(self, project: Path) -> None:
        extra = Environment("extra", ".venv-extra", TINY.requirements, ("pip",), by_name_only=True)
        assert environments.main([], project, (TINY, extra)) == 0
        assert not (project / extra.folder).exists()
        assert environments.main(["extra"], project, (TINY, extra)) == 0
        assert is_ready(project, extra)

    def test_an_unknown_name_is_refused(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert environments.main(["nothing"]) == 2
        assert capsys.readouterr().err == "cardroom: no environment named nothing\n"


PINS = sorted((ROOT / "requirements").glob("*.txt"))


@pytest.mark.parametrize("pins", PINS, ids=lambda path: path.stem)
def test_pins_are_exact_and_name_no_index_and_no_machine(pins: Path) -> None:
    for line in pins.read_text().splitlines():
        assert re.fullmatch(r"[a-z0-9._-]+==[a-z0-9.+!]+|\s*#.*|", line), line
        assert "://" not in line
        assert not re.search(r"(?<![\w.])/", line), line


def versions(name: str) -> dict[str, str]:
    lines = (ROOT / "requirements" / f"{name}.txt").read_text().splitlines()
    return dict(line.split("==") for line in lines if "==" in line and not line.startswith("#"))


@pytest.mark.parametrize("shipped", ["functions", "authorizer"])
def test_tests_run_on_the_versions_that_are_shipped(shipped: str) -> None:
    assert versions(shipped).items() <= versions("dev").items()


@pytest.mark.parametrize(
    "verb",
    [
        "setup",
        "play",
        "test",
        "soak",
        "lint",
        "secrets",
        "audit",
        "validate",
        "build",
        "deploy",
        "bench",
        "rules",
        "clean",
    ],
)
def test_make_alone_lists_every_verb(verb: str) -> None:
    done = subprocess.run(
        ["make", "--no-print-directory"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert re.search(rf"^make {verb} ", done.stdout, re.MULTILINE)


def test_no_module_of_ours_hides_one_that_set_up_needs() -> None:
    """The set-up runs as a script, before anything is installed: its folder may come first."""
    names = {path.stem for path in (ROOT / "local").glob("*.py")}
    assert not names & sys.stdlib_module_names
