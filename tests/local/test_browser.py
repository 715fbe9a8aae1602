"""Finding browsers for the tests, and installing them where that is one command."""

import os
from pathlib import Path

import pytest

from local import browser
from local.browser import CHROMIUM, FIREFOX, NoBrowser, found, install, main, program
from tests.local.test_setup import program as script

APT = """\
echo "$@" >> "$(dirname "$0")/asked"
case "$*" in *install*) printf '#!/bin/sh\\n' > "$(dirname "$0")/chromium"; \
chmod +x "$(dirname "$0")/chromium";; esac
"""


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A PATH with nothing of this machine on it but the shell's own tools."""
    monkeypatch.setattr(browser, "ROOT", tmp_path)
    for kind in (CHROMIUM, FIREFOX):
        monkeypatch.delenv(kind.variable, raising=False)
    folder = tmp_path / "bin"
    folder.mkdir()
    for tool in ("dirname", "chmod", "sh"):
        (folder / tool).symlink_to(f"/bin/{tool}")
    monkeypatch.setenv("PATH", str(folder))
    return folder


@pytest.fixture
def root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)


@pytest.mark.parametrize("name", ["chromium", "google-chrome"])
def test_what_is_on_the_path_is_taken(path: Path, name: str) -> None:
    script(path / name, "exit 0")
    assert found(CHROMIUM) == program(CHROMIUM) == path / name


def test_another_one_may_be_named(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script(path / "chromium", "exit 0")
    named = script(path / "mine", "exit 0")
    monkeypatch.setenv("CARDROOM_CHROMIUM", str(named))
    assert found(CHROMIUM) == named
    monkeypatch.setenv("CARDROOM_CHROMIUM", str(path / "nowhere"))
    assert found(CHROMIUM) is None


@pytest.mark.usefixtures("path")
def test_where_there_is_none_a_line_names_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(NoBrowser, match="need Chromium: install it"):
        program(CHROMIUM)
    assert main() == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1


@pytest.mark.usefixtures("root")
def test_root_has_it_installed_once(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script(path / "firefox-esr", "exit 0")
    script(path / "apt-get", APT)
    assert main() == 0
    asked = (path / "asked").read_text().splitlines()
    assert asked == ["--quiet update", "--quiet install --yes --no-install-recommends chromium"]
    assert capsys.readouterr().out.count("\n") == 1
    assert main() == 0
    assert (path / "asked").read_text().splitlines() == asked
    assert (tmp_path / ".build/browsers.log").exists()


@pytest.mark.usefixtures("root")
def test_an_installation_that_fails_is_one_line(path: Path, tmp_path: Path) -> None:
    script(path / "apt-get", "echo no; exit 100")
    with pytest.raises(NoBrowser, match="apt-get update failed") as refused:
        install([CHROMIUM, FIREFOX], tmp_path)
    assert "\n" not in str(refused.value)
    assert (tmp_path / ".build/browsers.log").read_text() == "no\n"
