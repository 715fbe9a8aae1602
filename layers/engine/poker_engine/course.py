"""The course of one decision: the events so far, and the table as they leave it."""

from collections.abc import Sequence

from poker_engine.events import Event
from poker_engine.evolve import apply, draft
from poker_engine.state import Hand, Seat, Table


class DeckNeeded(Exception):
    """A card is to be dealt or shown and there is no deck; `decide` turns it into a value."""


class Course:
    """Grows by `add`, which changes `table` and `hand` in place: read anew what you need after it.

    `now` is in milliseconds; `deck` are the running (or the new) hand's 52 cards.
    """

    __slots__ = ("_deck", "events", "now", "table")

    def __init__(self, table: Table, now: int, deck: Sequence[int] | None) -> None:
        self.table = draft(table)
        self.now = now
        self._deck = deck
        self.events: list[Event] = []

    def add(self, event: Event) -> None:
        apply(self.table, event)
        self.events.append(event)

    @property
    def deck(self) -> Sequence[int]:
        if self._deck is None:
            raise DeckNeeded
        return self._deck

    @property
    def hand(self) -> Hand:
        hand = self.table.hand
        if hand is None:
            raise ValueError("there is no hand")
        return hand

    def seat(self, number: int) -> Seat:
        seat = self.table.seats[number]
        if seat is None:
            raise ValueError(f"nobody sits in seat {number}")
        return seat
