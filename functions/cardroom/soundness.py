"""Whether a table that was read can be played on; if not it is damaged, and nothing is decided.

The codec refuses what it cannot read. This refuses what the engine would stumble over in mid-hand:
a number that is text, a seat or a card that does not exist, chips that came from nowhere.
"""

import json
from collections.abc import Iterable
from typing import Any, Final

from cardroom.money import Leaving
from cardroom.pace import Pace
from cardroom.shape import holds
from cardroom.stored import HandRecord, Stored
from poker_engine.cards import DECK
from poker_engine.codec import Damaged, load_events, load_table
from poker_engine.events import Event
from poker_engine.rake import SCHEDULES
from poker_engine.schema import SCHEMA
from poker_engine.stakes import MAX_SEATS, MIN_SEATS, RULES_VERSION
from poker_engine.state import BOARD_CARDS, Hand, Table

SEATS: Final = range(MIN_SEATS, MAX_SEATS + 1)


class UnsoundError(Damaged):
    """What is wrong with it, in a few words that name no value."""


def check_schema(schema: int) -> None:
    """Whether this version of the code can read what was written. Raises UnsoundError."""
    if not 1 <= schema <= SCHEMA:
        raise UnsoundError("of another schema")


def check_stored(stored: Stored) -> None:
    """Raises UnsoundError."""
    check_table(stored.table)
    check_log(stored.log)
    if not holds(stored.leaving, tuple[Leaving, ...]) or not holds(stored.pace, Pace):
        raise UnsoundError("leaving or pace")


def check_chips(stored: Stored) -> None:
    """The audit has more to say of it. Raises UnsoundError."""
    if stored.chips != stored.chips_in - stored.chips_out:
        raise UnsoundError("chips in less chips out are not what is there")


def events_of(log: str) -> tuple[Event, ...]:
    """A hand's log, read. Raises the codec's Damaged."""
    events = load_events(log)
    if not all(holds(event, type(event)) for event in events):
        raise UnsoundError("an event")
    return events


def hand_of(record: HandRecord) -> tuple[Table, tuple[Event, ...]]:
    """How a hand that is over began, and what happened in it. Raises the codec's Damaged."""
    opening = load_table(record.opening)
    check_table(opening)
    return opening, events_of(record.events)


def check_log(log: str) -> None:
    """That more may be written to it. Its events are only read where they are needed: that takes
    longer than all else. Raises UnsoundError.
    """
    events: Any = json.loads(log)
    if type(events) is not list or not all(type(one) is list and one for one in events):
        raise UnsoundError("log")


def check_table(table: Table) -> None:
    """Raises UnsoundError."""
    if not holds(table, Table):
        raise UnsoundError("a field of another type")
    settings, seats = table.settings, table.settings.seats
    if seats not in SEATS or settings.stakes.rake not in SCHEDULES or not settings.stakes.big_blind:
        raise UnsoundError("settings")
    if len(table.seats) != seats:
        raise UnsoundError("seats")
    players = [seat.player for seat in table.seats if seat is not None]
    if len(set(players)) != len(players):
        raise UnsoundError("a player in two seats")
    _check_places((table.button, table.small_blind, table.big_blind), seats)
    if table.hand is not None:
        _check_hand(table.hand, seats)


def _check_hand(hand: Hand, seats: int) -> None:
    if not 1 <= hand.rules <= RULES_VERSION:
        raise UnsoundError("a hand of other rules")
    for each in (hand.before, hand.behind, hand.bets, hand.totals):
        if len(each) != seats:
            raise UnsoundError("a hand of other seats")
    _check_places((hand.button, hand.small_blind, hand.big_blind, hand.aggressor), seats)
    _check_places(hand.positions_before[:3], seats)
    _check_places(hand.dealt, seats)
    _check_places((seat for seat, _ in hand.shown), seats)
    _check_places((seat for seat, _, _ in hand.pre), seats)
    if hand.turn is not None:
        _check_places((hand.turn.seat,), seats)
    for pot in hand.pots:
        _check_places(pot.contenders, seats)
        _check_places((seat for seat, _ in pot.shares), seats)
    if max(hand.live, hand.acted, hand.own, hand.timed, hand.mucked) >> seats:
        raise UnsoundError("a set of seats")
    if len(set(hand.dealt)) != len(hand.dealt) or len(hand.dealt) < MIN_SEATS:
        raise UnsoundError("seats dealt in")
    if hand.live & ~sum(1 << seat for seat in hand.dealt):
        raise UnsoundError("a live seat that was not dealt in")
    cards = [*hand.board, *(card for _, cards in hand.shown for card in cards)]
    if len(hand.board) != BOARD_CARDS[hand.street] or not set(cards) <= _CARDS:
        raise UnsoundError("cards")


def _check_places(places: Iterable[int | None], seats: int) -> None:
    if any(place is not None and place >= seats for place in places):
        raise UnsoundError("a seat that the table does not have")


_CARDS: Final = frozenset(DECK)
