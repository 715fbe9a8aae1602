"""How figures of load are reckoned, and that what must not be is an exit code."""

import argparse
import asyncio
import json
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import cast

import pytest
from websockets.asyncio.server import ServerConnection, serve
from websockets.typing import Subprotocol

from bench import load, page, room, top
from bench.faults import Round, summary
from bench.faults import main as faults
from bench.judging import Fate, Judged
from bench.load import Block, Gallery, Storm, ms, settled, trend
from bench.processes import Moment, Taken, children, environments, process
from cli.main import main
from local.client import PROTOCOL, Timing
from local.figures import Figures
from local.log_tail import Line
from local.seats import Bots
from local.stack import Room
from tests.local.emf import metric_line


def test_times_are_told_by_their_percentiles() -> None:
    assert ms([float(one) for one in range(1, 101)]) == ("100", "51", "96", "100")
    assert ms([]) == ("0", "-", "-", "-")


def test_growth_is_that_of_the_straight_line_that_fits_best() -> None:
    assert trend([(0.0, 50.0), (0.5, 51.0), (1.0, 52.0)]) == pytest.approx(2.0)
    assert trend([(0.0, 50.0), (1.0, 90.0)]) == 0.0
    assert trend([(1.0, 50.0)] * 3) == 0.0
    assert settled(range(10)) == range(2, 10)


def test_a_spectator_is_shown_what_an_action_led_to() -> None:
    gallery = Gallery({0: [], 1: []})
    gallery.note(0, '{"type":"snapshot","table":"t","seq":7,"state":{"seq":3}}', 10.5)
    gallery.note(1, '{"type":"snapshot","table":"t","seq":7}', 10.7)
    gallery.note(1, '{"type":"snapshot","table":"t","seq":9}', 11.0)
    gallery.note(1, '{"type":"events","table":"t","seq":7}', 11.0)
    assert gallery.snapshots == 3
    # Nobody's action led to the last one.
    assert gallery.latencies({7: 10.0}) == pytest.approx([500.0, 700.0])
    gallery.forget()
    assert gallery.snapshots == 0


async def test_spectators_come_watch_and_go(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[list[str]] = []

    async def serve_one(socket: ServerConnection) -> None:
        assert socket.request is not None
        asked.append(socket.request.headers.get_all("Sec-WebSocket-Protocol"))
        message = json.loads(await socket.recv())
        await socket.send(json.dumps({"type": "ok", "id": message["id"]}))
        snapshot = {"type": "snapshot", "table": message["table"], "seq": 7}
        await socket.send(json.dumps(snapshot, separators=(",", ":")))
        await socket.wait_closed()

    offered = [Subprotocol(PROTOCOL)]
    async with serve(serve_one, "127.0.0.1", 0, subprotocols=offered) as server:
        port = server.sockets[0].getsockname()[1]
        gallery, shown = Gallery(), asyncio.Event()

        def note(place: int, text: str, now: float) -> None:
            Gallery.note(gallery, place, text, now)
            if gallery.snapshots == 2:
                shown.set()

        monkeypatch.setattr(gallery, "note", note)
        await gallery.come(f"ws://127.0.0.1:{port}", ["one", "two"])
        await asyncio.wait_for(shown.wait(), 20)
        await gallery.go()
    assert sorted(protocols[0] for protocols in asked) == [
        f"{PROTOCOL}, bearer.one",
        f"{PROTOCOL}, bearer.two",
    ]
    assert [seq for seen in gallery.seen.values() for seq, _ in seen] == [7, 7]


async def test_a_phase_is_a_row_of_what_was_measured_in_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Emulator:
        pid = 1

    class Calm:
        emulator = Emulator()

        def check(self) -> None:
            """Nobody has ended."""

    watch = room.Stopwatch()
    hear = watch.ear(load.TABLE, 0)
    tables = load.Tables(cast(Room, Calm()), cast(Bots, Calm()), watch, 0.0)
    monkeypatch.setattr(Moment, "now", lambda pid: Moment(time.monotonic(), 0, 0, 0, 0, 0, 0))

    async def act() -> str:
        watch.sent[load.TABLE, 7] = time.monotonic()
        hear('{"type":"events","seq":7}')
        return "done"

    assert await tables.during("before", act()) == "done"
    assert await tables.during("after", asyncio.sleep(0, "quiet")) == "quiet"
    assert [(row[0], row[1]) for row in tables.rows] == [("before", "1"), ("after", "0")]


async def test_who_is_refused_comes_again(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: Counter[str] = Counter()

    async def open_one(address: str, token: str) -> str:
        asked[token] += 1
        if token == "never" or (token == "late" and asked[token] < 3):
            raise TimeoutError
        return token

    monkeypatch.setattr(load, "TIMING", Timing(backoff=0.0))
    monkeypatch.setattr(load, "open_one", open_one)
    storm = Storm()
    await storm.blow("ws://room", ["a", "late", "never"])
    assert len(storm.opened) == 2
    assert sorted(map(str, storm.sockets)) == ["a", "late"]
    assert storm.refused == {"TimeoutError": 2 + load.TRIES}
    assert storm.never == 1


def test_cores_are_those_that_were_busy_between_two_moments() -> None:
    first = Moment(10.0, 5.0, 20.0, 1.0, 0, 0, 0)
    last = Moment(20.0, 14.0, 25.0, 3.0, 0, 0, 0)
    assert Taken.between(first, last) == Taken(0.9, 0.5, 0.2)


def _stat(proc: Path, pid: int, parent: int, state: str = "S", environ: bytes = b"") -> None:
    folder = proc / str(pid)
    folder.mkdir(parents=True)
    fields = ["0"] * 40
    fields[0:2] = [state, str(parent)]
    fields[11:15] = ["100", "50", "300", "0"]
    fields[21] = "10"
    (folder / "stat").write_text(f"{pid} (a (b) c) {' '.join(fields)}")
    (folder / "environ").write_bytes(environ)


def test_functions_are_the_emulators_living_children(tmp_path: Path) -> None:
    named = b"HOME=/\0AWS_LAMBDA_FUNCTION_NAME=cardroom-CommandFunction-1E3F\0"
    _stat(tmp_path, 7, 1)
    _stat(tmp_path, 8, 7, environ=named)
    _stat(tmp_path, 9, 7, state="Z", environ=named)
    _stat(tmp_path, 10, 7)
    _stat(tmp_path, 11, 8, environ=named)
    (tmp_path / "self").mkdir()
    assert environments(7, tmp_path) == {8: "command"}
    assert {one.pid for one in children(7, tmp_path)} == {8, 10}
    found = process(7, tmp_path)
    assert found is not None
    assert (found.cpu, found.reaped) == (1.5, 3.0)
    assert process(12, tmp_path) is None
    # Those that have ended count as well.
    assert Moment.now(7, tmp_path).functions == pytest.approx(2 * 1.5 + 3.0)


def test_the_operator_sees_what_is_wrong_first() -> None:
    figures = Figures(0)
    counted = [("SlowedDown", 4), ("Busy", 1), ("StuckHands", 2), ("CommandTime", 1500)]
    now = time.time_ns() // 1_000_000
    figures.feed([Line("command", now, metric_line("command", *counted))], now)
    assert top.said(figures) == [
        "StuckHands 2",
        "commands are slow: p99 1500 ms",
        "Busy 1 (if it lasts)",
        "SlowedDown 4",
    ]
    assert top.said(Figures(0)) == []


@contextmanager
def _no_room() -> Iterator[None]:
    yield None


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    monkeypatch.setattr(Room, "start", _no_room)
    return monkeypatch


@pytest.mark.parametrize(("wrong", "status"), [((), 0), (("3 were never let in",), 1)])
def test_what_must_not_be_is_1(
    wrong: tuple[str, ...],
    status: int,
    quick: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    async def storm(running: object, seconds: float) -> Block:
        return Block("storm", ("what", "ms"), [("before", "12")], wrong, ["all is said"])

    file = tmp_path / "load.md"
    file.write_text(f"{page.BEGIN_LOAD.format('storm')}\nold\n{page.END}\nrest\n")
    quick.setattr(page, "LOAD", file)
    quick.setitem(load.CROWDED, "storm", storm)
    quick.setattr(page.write_load, "__defaults__", (file,))
    assert main(["bench", "--load", "storm", "--write"]) == status
    out = capsys.readouterr().out
    assert "storm\nwhat    ms\nbefore  12\nall is said\n" in out
    assert out.endswith("".join(f"storm: {one}\n" for one in wrong))
    text = file.read_text()
    assert "| before | 12 |\n\nAll is said.\n\nOn " in text
    assert " at its end.\n<!-- end -->\nrest\n" in text
    assert "old" not in text


def test_a_room_in_which_nothing_is_measured_is_1(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    taken = Taken(0.0, 0.0, 0.0)
    nothing = room.Measured(1.0, [], 0, 0, taken, Moment(0, 0, 0, 0, 0, 0, 0), [])
    monkeypatch.setattr(room, "measure", lambda tables, seconds: {1: nothing})
    assert main(["bench", "--load", "tables", "--tables", "1"]) == 1
    assert capsys.readouterr().err == "cardroom: tables: nothing was measured\n"


def test_latency_over_its_budget_is_1(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    taken, moment = Taken(0.5, 0.25, 0.125), Moment(0, 0, 0, 0, 2**20, 2**20, 3)
    slow = room.Measured(2.0, [31.0] * 10, 10, 60, taken, moment, ["Busy 1"])
    monkeypatch.setattr(room, "measure", lambda tables, seconds: {1: slow, 100: slow})
    args = argparse.Namespace(load=["tables"], tables=None, seconds=1.0, write=False)
    assert load.run(args) == 1
    out = capsys.readouterr().out
    assert "0.50 + 0.25 + 0.12" in out
    assert "tables: action to every client, 1 table of 6: p95 is 31, over 30\n" in out


def test_rounds_are_told_in_one_line_each_and_added_up() -> None:
    judged = [Judged(Fate.ENDED, 2_000), Judged(Fate.VOID, 61_000)]
    one = Round(1, 2.5, judged=judged, hands=9, back=16, bots=16, cut_off=3, seconds=70.2)
    one.killed.update(command=4, broadcast=2)
    assert one.line() == (
        "round 1: restarted in 2.5 s; 6 processes of 2 functions killed; 2 hands struck: 1 ended, "
        "1 void, the last after 61.0 s; 9 hands in all, 3 answers cut off; 16 of 16 bots play on; "
        "0 findings; 70 s"
    )
    assert summary([one, one], 2).endswith("18 hands in all; 0 findings: OK")
    assert summary([one], 2).endswith("FAILED")
    one.findings.append("a chip is missing")
    assert summary([one, one], 2).endswith("2 findings: FAILED")


@pytest.mark.parametrize("times", ["0", "1001"])
def test_no_round_is_2(times: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert faults(["--times", times]) == 2
    assert "1 to 1000 times" in capsys.readouterr().err
