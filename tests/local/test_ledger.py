"""Whether anybody misses an event: the ledgers of the soak."""

import json
import time
from typing import Any

from cardroom.stored import HandRecord
from local.gallery import PER_HAND, LobbyWatch, Spectator
from local.ledger import Chronicle, Ledger
from local.rehearsal import BEGIN, Rehearsal
from local.table_view import TableView
from poker_engine import views
from poker_engine.codec import dump_events, dump_table
from poker_engine.events import Event, HandEnded
from poker_engine.evolve import open_table
from poker_engine.stakes import PHP_STAKES, table_settings
from tests.local.fake_room import lobby, state
from tests.local.test_table_view import wire


def ledger_of(chronicle: Chronicle, player: str = "ann", seq: int = 10) -> tuple[Ledger, TableView]:
    """A seated player who has asked for a snapshot."""
    ledger = Ledger(player, chronicle)
    view = TableView("t1", player, witness=ledger)
    view.load(seq, state(), 0)
    return ledger, view


def push(before: int, *events: dict[str, Any], seq: int | None = None) -> dict[str, Any]:
    public = [one for one in events if one["e"] not in ("planned", "prepared")]
    seq = before + len(public) if seq is None else seq
    return {"seq": seq, "before": before, "now": 0, "events": list(events)}


def out(seat: int) -> dict[str, Any]:
    return {"e": "sat_out", "seat": seat, "at": 1}


def test_each_seq_is_reached_by_the_push_that_follows() -> None:
    ledger, view = ledger_of(Chronicle())
    view.push(push(10, out(1), out(2)))
    view.push(push(12, {"e": "planned", "seat": 0, "plan": "leave"}))
    # It comes first and is kept until the one before it is there.
    view.push(push(13, out(0)))
    view.push(push(12, {"e": "sat_in", "seat": 1, "status": "active"}))
    assert (view.seq, ledger.reached["t1"]) == (14, 14)
    assert ledger.pushed_events == 4
    assert ledger.chronicle.findings == []


def test_a_snapshot_that_was_asked_for_counts_as_such() -> None:
    ledger, view = ledger_of(Chronicle())
    view.load(17, state(), 0)
    view.push(push(17, out(1)))
    assert (ledger.asked_events, ledger.pushed_events) == (7, 1)
    assert ledger.chronicle.findings == []


def test_a_seat_takes_no_snapshot_that_it_did_not_ask_for() -> None:
    ledger, view = ledger_of(Chronicle())
    assert not view.load(17, state(), 0, asked=False)
    assert view.seq == 10
    # Should a view take it all the same, the ledger tells.
    ledger.loaded(view, 17, asked=False)
    assert ledger.chronicle.findings == [
        "ann at t1: from 10 to 17 by a snapshot it did not ask for"
    ]


def test_who_looks_on_takes_what_comes() -> None:
    ledger, view = ledger_of(Chronicle(), "eve")
    assert view.load(17, state(), 0, asked=False)
    assert view.load(30, state(), 0, asked=False)
    assert ledger.asked_events == 0
    assert ledger.chronicle.findings == []


def test_a_push_that_leaves_something_out_is_found() -> None:
    ledger, view = ledger_of(Chronicle())
    ledger.pushed(view, push(11, out(1)))
    ledger.pushed(view, push(12, out(2), seq=15))
    assert ledger.chronicle.findings == [
        "ann at t1: from 11 to 12 by a push, but it was at 10",
        "ann at t1: from 12 to 15 by 1 events",
    ]


def test_who_is_told_something_else_is_found() -> None:
    chronicle = Chronicle()
    (_, ann), (_, ben) = ledger_of(chronicle), ledger_of(chronicle, "ben")
    ann.push(push(10, out(1)))
    ben.push(push(10, out(2)))
    assert len(chronicle.findings) == 1
    assert chronicle.findings[0].startswith('ben: t1 11 was {"at":1,"e":"sat_out","seat":2}')


def test_findings_are_bounded() -> None:
    chronicle = Chronicle()
    for _ in range(1_000):
        chronicle.find("again")
    assert len(chronicle.findings) == 100


def played() -> tuple[Chronicle, list[HandRecord]]:
    """Two hands that a seat was told of, and their records."""
    settings = table_settings(PHP_STAKES[0], 3, time_bank_ms=5_000)
    chronicle = Chronicle()
    view = TableView("t1", "bot-1", witness=Ledger("bot-1", chronicle))
    before = open_table(settings)
    view.load(before.seq, wire(views.snapshot(before, None, None, BEGIN))["state"], BEGIN)
    records: list[HandRecord] = []
    opening, events = before, list[Event]()
    for step in Rehearsal(settings, seed=3, sleepy=0.2, prepares=0.2).steps(2):
        deck = step.deck if views.needs_deck(step.table, 1) else None
        view.push(wire(views.push(step.table, step.events, 1, deck, before.seq, step.at)))
        if before.running is None and step.table.running is not None:
            opening, events = before, []
        events += step.events
        if any(isinstance(event, HandEnded) for event in step.events):
            texts = dump_table(opening), dump_events(events)
            records.append(record(*texts, number=step.table.hands))
        before = step.table
    return chronicle, records


def record(opening: str, events: str, number: int) -> HandRecord:
    return HandRecord("t1", number, opening, events, (), 0, 0, "PHP", "php", 0, "[]", 1, False)


def test_what_was_told_is_what_is_recorded() -> None:
    chronicle, records = played()
    assert len(records) == 2
    assert chronicle.compare(records) > 20
    assert chronicle.findings == []


def test_what_was_told_otherwise_than_it_is_recorded_is_found() -> None:
    chronicle, records = played()
    told = chronicle.told["t1"]
    seq = next(seq for seq, text in told.items() if '"acted"' in text)
    told[seq] = told[seq].replace('"cause":"own"', '"cause":"leaving"').replace("expired", "own")
    chronicle.compare(records)
    assert len(chronicle.findings) == 1
    assert chronicle.findings[0].startswith(f"t1 {seq}: ")


# --- those who look on ---------------------------------------------------------------------------


def shot(seq: int, number: int, *, over: bool = False, next_hand_at: int | None = None) -> str:
    hand = {"number": number, "over": over}
    seen = state(hand=hand, next_hand_at=next_hand_at)
    return json.dumps({"type": "snapshot", "table": "t1", "seq": seq, "now": 1, "state": seen})


def test_six_snapshots_of_a_hand_are_allowed_and_a_seventh_is_found() -> None:
    spectator = Spectator("t1")
    for seq in range(5):
        spectator(shot(seq, 1))
    spectator(shot(5, 1, over=True, next_hand_at=9))
    assert (spectator.most, spectator.findings()) == (PER_HAND, [])
    spectator(shot(5, 1, over=True, next_hand_at=9))
    assert (spectator.most, spectator.repeated) == (PER_HAND, 1)
    spectator(shot(6, 1, over=True, next_hand_at=9))
    assert spectator.findings() == ["t1: 7 snapshots of hand 1 to a spectator"]


def test_what_happens_while_no_hand_is_coming_belongs_to_none() -> None:
    spectator = Spectator("t1")
    for seq in range(5):
        spectator(shot(seq, 1))
    for seq in range(5, 20):
        spectator(shot(seq, 1, over=True))
    spectator(shot(20, 1, over=True, next_hand_at=9))
    spectator(shot(21, 2))
    assert {number: len(seqs) for number, seqs in spectator.hands.items()} == {1: 6, 2: 1}


def test_the_lobby_is_as_old_as_it_was_before_the_next_one_came() -> None:
    watch = LobbyWatch()
    now = time.time_ns() // 1_000_000
    watch(json.dumps({"type": "ok", "id": "1", "lobby": lobby(now=now - 4_000)}))
    assert watch.look() >= 4_000
    watch(json.dumps({"type": "lobby", **lobby(now=now - 100)}))
    assert watch.pushes == 2
    assert 4_000 <= watch.oldest_ms < 6_000
    assert watch.look() < 2_000
