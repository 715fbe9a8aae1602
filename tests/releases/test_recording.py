"""Recording a release: the verb itself."""

import json
import tarfile
import tomllib
from pathlib import Path

import pytest

from tests.releases import __main__ as recording
from tests.simulation.release import CODE, ROOT, SOURCES


def test_a_record_is_whole_and_only_the_last_one_has_the_code(tmp_path: Path) -> None:
    recording.record(tmp_path / "0.1.0")
    recording.record(tmp_path / "0.2.0")
    assert [path.parent.name for path in tmp_path.glob(f"*/{CODE}")] == ["0.2.0"]
    for folder in tmp_path.iterdir():
        assert json.loads((folder / "release.json").read_text()) == recording.NUMBERS
        assert set(json.loads((folder / "items.json").read_text())) > {"flop", "closing"}
    with tarfile.open(tmp_path / "0.2.0" / CODE) as archive:
        names = archive.getnames()
    assert all(name.startswith(SOURCES) for name in names)
    assert "functions/command/app.py" in names
    assert not any("__pycache__" in name for name in names)


def test_the_same_code_gives_the_same_bytes() -> None:
    assert recording.packed() == recording.packed()


def test_a_version_is_recorded_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(recording, "RECORDED", tmp_path)
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    monkeypatch.setattr("sys.argv", ["releases"])
    assert recording.main() == 0
    assert capsys.readouterr().out == f"release {version} is recorded\n"
    assert recording.main() == 1
    assert "raise the version first" in capsys.readouterr().err
    monkeypatch.setattr("sys.argv", ["releases", "--again"])
    assert recording.main() == 0
    numbers = {**recording.NUMBERS, "write_schema": recording.NUMBERS["write_schema"] + 1}
    monkeypatch.setattr(recording, "NUMBERS", numbers)
    assert recording.main() == 1
    assert "writes something else" in capsys.readouterr().err
