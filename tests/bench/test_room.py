"""How latencies are reckoned from what was sent and heard."""

import asyncio
import json
import time
from pathlib import Path
from typing import Any, cast
from xml.etree import ElementTree

import pytest

from bench import page, room
from bench.figures import over
from bench.room import Stopwatch, quantile
from local.client import Client
from local.errors import RoomError


def test_an_action_has_reached_everybody_when_the_last_was_told() -> None:
    watch = Stopwatch()
    watch.sent = {("t", 5): 10.0, ("t", 9): 20.0, ("u", 5): 30.0}
    watch.heard = {
        ("t", 0): [(5, 10.010), (9, 20.020)],
        # Two writes told as one.
        ("t", 1): [(6, 10.030)],
        ("u", 0): [(5, 30.050)],
    }
    # Of the second action at t somebody was told nothing.
    assert watch.latencies() == pytest.approx([30.0, 50.0])


def test_ears_hear_pushes_and_hands_time_actions() -> None:
    class Asked:
        async def request(self, route: str, **fields: Any) -> Any:
            return {"seq": 7}

    watch, client = Stopwatch(), cast(Client, Asked())
    watch.hand(client)
    asyncio.run(client.request("act", table="t"))
    asyncio.run(client.request("sync", table="t"))
    assert list(watch.sent) == [("t", 7)]
    hear = watch.ear("t", 0)
    hear(json.dumps({"type": "snapshot", "seq": 6}))
    hear(json.dumps({"type": "events", "seq": 7}))
    assert [seq for seq, _ in watch.heard["t", 0]] == [7]
    assert len(watch.latencies()) == 1


async def test_the_clock_runs_once_all_hear() -> None:
    watch = Stopwatch()
    hear, late = watch.ear("t", 0), watch.ear("t", 1)
    push = json.dumps({"type": "events", "seq": 7})
    hear(push)
    waiting = asyncio.ensure_future(watch.until_all_hear(1))
    await asyncio.sleep(0)
    assert not waiting.done()
    late(push)
    await asyncio.wait_for(waiting, 5)


def test_what_was_before_is_forgotten() -> None:
    watch = Stopwatch()
    watch.ear("t", 0)(json.dumps({"type": "events", "seq": 7}))
    watch.sent["t", 7] = 1.0
    assert watch.pushes == 1
    watch.forget()
    assert (watch.pushes, watch.sent, watch.latencies()) == (0, {}, [])
    # Its clients are the same.
    assert list(watch.heard) == [("t", 0)]


async def test_of_a_span_all_that_was_sent_in_it_counts_and_nothing_else() -> None:
    """Whenever it is answered: what is on its way as the span begins may have been told already,
    and that of its end is slow rather than quick.
    """
    answers: dict[int, asyncio.Future[dict[str, int]]] = {}

    class Slow:
        async def request(self, route: str, **fields: Any) -> Any:
            return await answers.setdefault(len(answers), asyncio.Future())

    watch, client = Stopwatch(), cast(Client, Slow())
    watch.hand(client)
    hear, asked = watch.ear("t", 0), []
    ends: list[float] = []
    for meanwhile in (watch.forget, lambda: ends.append(time.monotonic()), lambda: None):
        asked.append(asyncio.ensure_future(client.request("act", table="t")))
        await asyncio.sleep(0)
        hear(json.dumps({"type": "events", "seq": len(asked)}))
        meanwhile()
    for number, answer in answers.items():
        answer.set_result({"seq": number + 1})
    await asyncio.gather(*asked)
    hear(json.dumps({"type": "events", "seq": 4}))
    assert list(watch.sent_before(ends[0])) == [("t", 2)]
    assert list(watch.sent) == [("t", 2), ("t", 3)]


async def test_a_room_with_too_much_to_do_is_measured_all_the_same() -> None:
    watch = Stopwatch()
    for number, pushes in enumerate((room.WARM_PUSHES, 3, 19)):
        watch.heard["t", number] = [(seq, 0.0) for seq in range(pushes)]
    behind = "2 of 3 players have heard fewer than 20 pushes in 0 s, one of them 3"
    assert await room.warm(watch, 0.01) == behind
    watch.heard["t", 1].clear()
    assert (await room.warm(watch, 0.01)).endswith("one of them 0")
    everybody = dict(watch.heard)
    del watch.heard["t", 1], watch.heard["t", 2]
    assert await room.warm(watch, 0.01) == ""
    watch.heard |= everybody
    watch.forget()
    with pytest.raises(RoomError, match="no player heard anything for 0 seconds"):
        await room.warm(watch, 0.01)


async def test_it_can_be_waited_for_some_tables_alone() -> None:
    watch = Stopwatch()
    for table in ("heard", "silent"):
        watch.ear(table, 0)
    watch.ear("heard", 0)(json.dumps({"type": "events", "seq": 7}))
    await asyncio.wait_for(watch.until_all_hear(1, ["heard"]), 0.5)
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(watch.until_all_hear(1), 0.01)


def test_quantiles_are_of_what_was_measured() -> None:
    times = [float(one) for one in range(1, 101)]
    assert [quantile(times, share) for share in (0.5, 0.95, 0.99)] == [51, 96, 100]
    with pytest.raises(ValueError, match="nothing was measured"):
        quantile([], 0.5)


def test_budgets_are_of_one_table_and_of_twenty() -> None:
    budgets = {tables: room.BUDGETS_MS.get(tables) for tables in room.TABLES}
    assert budgets == {1: 30, 20: 150, 100: None}
    figures = room.figures({1: [20.0] * 90 + [31.0] * 10, 20: [149.0], 100: [900.0]})
    assert [one.name.partition(": ")[2] for one in over(figures)] == ["p95"]
    assert sum(one.budget is not None for one in figures) == 2


def test_latency_is_drawn_by_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page, "PICTURES", tmp_path)
    page.write_latency({1: [10.0, 12.0]})
    assert list(tmp_path.iterdir()) == []
    page.write_latency({1: [10.0, 12.0], 20: [80.0, 140.0]})
    ElementTree.fromstring((tmp_path / "latency-by-tables.svg").read_text())
