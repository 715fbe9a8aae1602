"""The web client is built when that is needed; where it cannot be, one line says so."""

from pathlib import Path

import pytest

from local import web_client
from local.errors import RoomError
from local.web_client import DIST, built
from tests.local.test_setup import program

MAKEFILE = "web-client:\n\t@{}\n"


def test_the_folder_of_what_was_built(tmp_path: Path) -> None:
    (tmp_path / "Makefile").write_text(MAKEFILE.format("touch made"))
    assert built(tmp_path) == tmp_path / DIST
    assert (tmp_path / "made").exists()


def test_one_line_says_what_is_wrong(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    words = ("building", "error during build:", "main.tsx(3,1): error TS2304: no such name", "more")
    said = "; ".join([*(f"echo '{word}'" for word in words), "exit 2"])
    (tmp_path / "Makefile").write_text(MAKEFILE.format(said))
    with pytest.raises(RoomError) as refused:
        built(tmp_path)
    assert str(refused.value) == (
        "the web client was not built: main.tsx(3,1): error TS2304: no such name"
        " (all of it: .build/web.log)"
    )
    assert capfd.readouterr().out == ""


@pytest.mark.parametrize(("missing", "says"), [("npm", "Node 20"), ("make", "needs make")])
def test_without_its_tools_it_says_which(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, missing: str, says: str
) -> None:
    for name in {"npm", "make"} - {missing}:
        program(tmp_path / name, "exit 0")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(RoomError, match=says):
        built(tmp_path)


def test_it_does_not_wait_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web_client, "BUILD_SECONDS", 0.2)
    (tmp_path / "Makefile").write_text(MAKEFILE.format("exec sleep 5"))
    with pytest.raises(RoomError, match="took more than"):
        built(tmp_path)
