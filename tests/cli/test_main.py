"""The command line: its subcommands, and that each loads what it needs and no more."""

import argparse
import subprocess
import sys
from importlib import import_module

import pytest

from bench.hand_files import OWN
from cli import replay
from cli.main import INTERRUPTED, SUBCOMMANDS, main

HEAVY = ("boto3", "botocore", "pokerkit", "pydantic", "pynamodb", "treys", "websockets", "local")


def test_every_subcommand_has_what_main_calls() -> None:
    for module, _ in SUBCOMMANDS.values():
        found = import_module(module)
        found.add_arguments(argparse.ArgumentParser())
        assert callable(found.run)


def test_help_lists_every_subcommand(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["--help"])
    assert left.value.code == 0
    out = capsys.readouterr().out
    for name, (_, summary) in SUBCOMMANDS.items():
        assert name in out
        assert summary in out


@pytest.mark.parametrize("words", [[], ["nonsense"], ["replay"], ["--nonsense"]])
def test_a_wrong_command_line_is_2(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(words)
    assert left.value.code == 2
    assert capsys.readouterr().err.startswith("usage: cardroom")


def test_replay_loads_neither_the_room_nor_aws() -> None:
    code = (
        "import sys\n"
        "from cli.main import main\n"
        "code = main(sys.argv[1:])\n"
        f"print(sorted(set(sys.modules) & set({HEAVY})))\n"
        "sys.exit(code)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "replay", str(OWN / "worked.jsonl")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "[]"


def test_ctrl_c_ends_without_a_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(args: argparse.Namespace) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(replay, "run", interrupted)
    assert main(["replay", "file"]) == INTERRUPTED


def test_a_reader_that_went_away_is_no_traceback() -> None:
    # `rules` writes more than a pipe's reader takes here, which reads one line and goes.
    writer = subprocess.Popen(
        [sys.executable, "-c", "from cli.main import main; raise SystemExit(main(['rules']))"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert writer.stdout is not None
    assert writer.stderr is not None
    writer.stdout.close()
    assert writer.stderr.read() == b""
    writer.stderr.close()
    assert writer.wait() == 1
