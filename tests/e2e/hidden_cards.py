"""Which cards a recipient may have been sent, by the room's own records, and what he was sent."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from cardroom.stored import HandRecord
from poker_engine.cards import text
from poker_engine.codec import load_events, load_table
from poker_engine.events import BoardDealt, HandStarted, Shown
from tests.e2e.watching import Received

CARDS: Final = re.compile(r"(?:[2-9TJQKA][cdhs])+")


@dataclass
class _Hand:
    begins: int
    """`seq` of its first event."""
    public: dict[str, int]
    """Each card that was turned up, and the `seq` with which it was."""
    own: dict[str, set[str]]
    """Hole cards by player."""


class Truth:
    """What was dealt and turned up at a table, hand by hand."""

    def __init__(self, records: list[HandRecord]) -> None:
        self._hands = [_read(record) for record in records]

    @property
    def last(self) -> int:
        """`seq` from which on no record tells anything."""
        return self._hands[-1].begins

    def allowed(self, player: str, before: int, seq: int) -> tuple[set[str], set[str]]:
        """Turned-up cards, and the player's own, of the hands that a message about (before, seq]
        tells.
        """
        public: set[str] = set()
        own: set[str] = set()
        for number, hand in enumerate(self._hands):
            following = self._hands[number + 1 : number + 2]
            over = following[0].begins if following else hand.begins + 10_000
            if hand.begins <= seq and over > before:
                public |= {card for card, at in hand.public.items() if at <= seq}
                own |= hand.own.get(player, set())
        return public, own


def _read(record: HandRecord) -> _Hand:
    opening = load_table(record.opening)
    events = load_events(record.events)
    public: dict[str, int] = {}
    own: dict[str, set[str]] = {}
    begins = opening.seq + 1
    for seq, event in enumerate(events, opening.seq + 1):
        if isinstance(event, HandStarted):
            begins = seq
            count = len(event.dealt)
            for place, number in enumerate(event.dealt):
                seat = opening.seats[number]
                assert seat is not None
                cards = (record.deck[place], record.deck[count + place])
                own[seat.player] = {text(card) for card in cards}
        if isinstance(event, BoardDealt | Shown):
            for card in event.cards:
                public.setdefault(text(card), seq)
    return _Hand(begins, public, own)


@dataclass
class Found:
    leaked: list[str] = field(default_factory=list)
    own: int = 0
    public: int = 0


def leaks(truth: Truth, received: Received) -> Found:
    """Goes through every string of every text that a connection got."""
    found = Found()
    for raw in received.texts:
        message = json.loads(raw)
        seq, before = _span(message)
        if seq is not None and seq >= truth.last:
            continue
        cards = {card for string in _strings(message) for card in _cards(string)}
        if seq is None:
            found.leaked += [f"{card} in {raw}" for card in cards]
            continue
        public, own = truth.allowed(received.player, before, seq)
        found.public += len(cards & public)
        found.own += len(cards & (own - public))
        found.leaked += [f"{card} in {raw}" for card in cards - public - own]
    return found


def _span(message: dict[str, Any]) -> tuple[int | None, int]:
    """The `seq` that a message tells of, and the one before what it tells."""
    snapshot = message.get("snapshot") or message
    seq = snapshot.get("seq")
    if seq is None:
        return None, 0
    return int(seq), int(message.get("before", seq))


def _strings(part: Any) -> Iterator[str]:
    if isinstance(part, str):
        yield part
    elif isinstance(part, dict):
        for name, value in part.items():
            yield name
            yield from _strings(value)
    elif isinstance(part, list):
        for value in part:
            yield from _strings(value)


def _cards(string: str) -> list[str]:
    """The cards, if the string is one or several."""
    if CARDS.fullmatch(string) is None:
        return []
    return [string[place : place + 2] for place in range(0, len(string), 2)]
