"""Records of hands as a room keeps them, without a room: from sessions that seeds play."""

from collections.abc import Iterator
from dataclasses import replace

from cardroom.stored import HandRecord
from cli.cases import Case, deck_of
from cli.replay import replay_case, table_of
from poker_engine.codec import dump_events, dump_table, load_events
from poker_engine.events import (
    Event,
    HandEnded,
    HandStarted,
    HandVoided,
    Mucked,
    PotWon,
    Shown,
    TurnBegan,
)
from poker_engine.replay import replay
from poker_engine.stakes import RULES_VERSION, Game
from poker_engine.state import Table
from tests.engine.strategies import NOON, Session, played, seeded
from tests.hands.make_seeded import played as play

TABLE = "t-1"


def records(session: Session, table_id: str = TABLE) -> Iterator[HandRecord]:
    """Of all its hands, the void ones too, with what was shown after them."""
    opening: Table | None = None
    log: list[Event] = []
    over = False
    for step in session.steps:
        for place, event in enumerate(step.events):
            if isinstance(event, HandStarted):
                if opening is not None:
                    yield _record(session, table_id, opening, log)
                opening = replay(step.events[:place], step.before) if place else step.before
                log, over = [], False
            if opening is not None and (not over or isinstance(event, Shown | Mucked)):
                log.append(event)
            over |= isinstance(event, HandEnded | HandVoided)
    if opening is not None:
        yield _record(session, table_id, opening, log)


def recorded(case: Case, schedule: str, table_id: str = TABLE, number: int = 1) -> HandRecord:
    """What a room with this rake would keep of the case's hand."""
    table = table_of(case)
    stakes = replace(table.settings.stakes, rake=schedule, currency=schedule.upper())
    table = replace(table, hands=number - 1, settings=replace(table.settings, stakes=stakes))
    events = replay_case(case, table).events
    pots = [event for event in events if isinstance(event, PotWon)]
    return HandRecord(
        table_id=table_id,
        number=number,
        opening=dump_table(table),
        events=dump_events(events),
        deck=deck_of(case),
        started=NOON,
        ended=NOON,
        currency=stakes.currency,
        schedule=schedule,
        rake=sum(pot.rake for pot in pots),
        pots="[]",
        rules=RULES_VERSION,
        voided=False,
    )


def case_records(count: int) -> Iterator[HandRecord]:
    """Of hands by seed, with what a table comes to now and then: late posts, dead buttons."""
    for number in range(1, count + 1):
        game = Game.NO_LIMIT if number % 2 else Game.FIXED_LIMIT
        case = play(f"{game} course {number}", game)
        yield recorded(case, ("php", "usd")[number // 2 % 2], "t-cases", number)


def _record(session: Session, table_id: str, opening: Table, log: list[Event]) -> HandRecord:
    started = log[0]
    assert isinstance(started, HandStarted)
    ended = next(event for event in log if isinstance(event, HandEnded | HandVoided))
    stakes = session.settings.stakes
    return HandRecord(
        table_id=table_id,
        number=started.number,
        opening=dump_table(opening),
        events=dump_events(log),
        deck=session.decks[started.deck],
        started=started.at,
        ended=ended.at,
        currency=stakes.currency,
        schedule=stakes.rake,
        rake=sum(event.rake for event in log if isinstance(event, PotWon)),
        pots="[]",
        rules=RULES_VERSION,
        voided=isinstance(ended, HandVoided),
    )


def voided(record: HandRecord, turn: int) -> HandRecord:
    """The same hand, void while this turn of it ran, from 1 on. Raises IndexError."""
    events = load_events(record.events)
    ends = [at for at, event in enumerate(events, start=1) if isinstance(event, TurnBegan)]
    kept = (*events[: ends[turn - 1]], HandVoided(record.number, record.ended, "a fault"))
    return replace(record, events=dump_events(kept), rake=0, voided=True)


def seeded_records(seeds: range, length: int = 600) -> Iterator[HandRecord]:
    """Hands of many tables, each of its own seed: every game, antes, rake, side pots, voids."""
    for seed in seeds:
        yield from records(played(seeded(seed, length)), f"t-{seed}")
