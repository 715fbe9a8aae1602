"""A finished hand as all formats of hand histories tell it: who sat where with what, what was done,
and what came of it. Made of a room's record or of a case; formats only write it down.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from cardroom.stored import HandRecord
from cli.cases import Case
from poker_engine.codec import load_events, load_table
from poker_engine.events import (
    Acted,
    BoardDealt,
    Event,
    HandEnded,
    HandStarted,
    HandVoided,
    Mucked,
    Posted,
    PotWon,
    Returned,
    Shown,
)
from poker_engine.replay import replay
from poker_engine.stakes import Stakes
from poker_engine.state import BOARD_CARDS, Cause, Do, Post, Street
from poker_engine.views import EVERYTHING, Sight, cards_seen

type Step = Posted | Acted | BoardDealt | Returned | Shown | Mucked | PotWon


class NoHandError(ValueError):
    """Why a record or a case tells no hand, in one sentence."""


@dataclass(frozen=True, slots=True)
class Player:
    """`final` is his stack after the hand, rake paid; `hole` None where his cards are not known."""

    seat: int
    name: str
    stack: int
    final: int
    hole: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Finished:
    """Seats count from 0; times are milliseconds since 1970, None where nobody knows them."""

    table: str
    number: int
    stakes: Stakes
    seats: int
    button: int
    """A seat, though maybe nobody's that was dealt in."""
    small_blind: int | None
    big_blind: int | None
    players: tuple[Player, ...]
    """In dealing order: from the left of the button."""
    steps: tuple[Step, ...]
    started: int | None = None
    ended: int | None = None
    void: str | None = None
    """Why the hand was void: every chip went back where it came from (RULES 9)."""
    hero: int | None = None
    """The seat for whose player this is told."""
    unit: int = 100
    """Smallest amounts in one of the currency; 1 where amounts are whole chips."""

    @property
    def pots(self) -> tuple[PotWon, ...]:
        """The main pot first."""
        return tuple(
            sorted(
                (step for step in self.steps if isinstance(step, PotWon)), key=lambda one: one.pot
            )
        )

    @property
    def rake(self) -> int:
        return sum(pot.rake for pot in self.pots)

    @property
    def board(self) -> tuple[int, ...]:
        return tuple(
            card for step in self.steps if isinstance(step, BoardDealt) for card in step.cards
        )

    @property
    def live(self) -> tuple[int, ...]:
        """Seats that did not fold, in dealing order."""
        folded = {one.seat for one in self.steps if isinstance(one, Acted) and one.do is Do.FOLD}
        return tuple(one.seat for one in self.players if one.seat not in folded)

    def player(self, seat: int) -> Player:
        return next(one for one in self.players if one.seat == seat)

    def seat_of(self, name: str) -> int | None:
        """Where this player was dealt in, or None."""
        return next((one.seat for one in self.players if one.name == name), None)

    def with_names(self, names: Mapping[str, str]) -> "Finished":
        """The same with other names."""
        players = (replace(one, name=names[one.name]) for one in self.players)
        return replace(self, players=tuple(players))


def finished_record(record: HandRecord, sight: Sight = EVERYTHING) -> Finished:
    """What a room recorded, with the cards that `sight` leaves in it.

    Raises NoHandError where the record does not say how the hand began, or his hand was asked for
    who was not dealt in.
    """
    if not record.opening:
        raise NoHandError("its record does not say how it began")
    events = load_events(record.events)
    start = next((at for at, one in enumerate(events) if isinstance(one, HandStarted)), None)
    if start is None:
        raise NoHandError("its record does not say how it began")
    started = events[start]
    assert isinstance(started, HandStarted)
    table = replay(events[:start], load_table(record.opening))
    names = {seat: one.player for seat, one in enumerate(table.seats) if one is not None}
    stacks = {seat: one.stack for seat, one in enumerate(table.seats) if one is not None}
    hero = None
    if sight.player is not None:
        hero = next((seat for seat in started.dealt if names[seat] == sight.player), None)
        if hero is None:
            raise NoHandError("he was not dealt in")
    void, ended = _end(events)
    steps = _steps(events)
    hole = cards_seen(started.dealt, steps, record.deck, hero, everything=sight.everything)
    final = stacks if void is not None else _final(stacks, steps)
    return Finished(
        table=record.table_id,
        number=record.number,
        stakes=table.settings.stakes,
        seats=table.settings.seats,
        button=started.button,
        small_blind=started.small_blind,
        big_blind=started.big_blind,
        players=tuple(
            Player(seat, names[seat], stacks[seat], final[seat], hole.get(seat))
            for seat in started.dealt
        ),
        steps=steps,
        started=record.started,
        ended=ended,
        void=void,
        hero=hero,
    )


def _end(events: Iterable[Event]) -> tuple[str | None, int]:
    """Why the hand was void, if it was, and when it ended."""
    for event in events:
        match event:
            case HandEnded():
                return None, event.at
            case HandVoided():
                return event.reason, event.at
            case _:
                pass
    raise NoHandError("the hand is not over")


def _steps(events: Iterable[Event]) -> tuple[Step, ...]:
    kinds = (Posted, Acted, BoardDealt, Returned, Shown, Mucked, PotWon)
    return tuple(event for event in events if isinstance(event, kinds))


def _final(stacks: Mapping[int, int], steps: Iterable[Step]) -> dict[int, int]:
    final = dict(stacks)
    for step in steps:
        match step:
            case Posted(seat, _, amount):
                final[seat] -= amount
            case Acted(seat=seat, paid=paid):
                final[seat] -= paid
            case Returned(seat, amount):
                final[seat] += amount
            case PotWon(shares=shares):
                for seat, chips in shares:
                    final[seat] += chips
            case _:
                pass
    return final


def finished_case(case: Case) -> Finished:
    """A case, whose seats are its own. It tells no pots, only what stacks came of them."""
    bets: dict[int, int] = {}
    left = dict(enumerate(case.stacks))
    steps: list[Step] = []
    for post in case.posts:
        steps.append(Posted(post.seat, post.post, post.amount))
        left[post.seat] -= post.amount
        if post.post in (Post.SMALL_BLIND, Post.BIG_BLIND, Post.LIVE):
            bets[post.seat] = bets.get(post.seat, 0) + post.amount
    street = Street.PREFLOP
    for action in case.actions:
        while street < action.street:
            street = Street(street + 1)
            steps.append(_board(case, street))
            bets.clear()
        paid = max(0, action.to - bets.get(action.seat, 0))
        steps.append(Acted(action.seat, action.do, action.to, paid, Cause.OWN))
        bets[action.seat] = bets.get(action.seat, 0) + paid
    while BOARD_CARDS[street] < len(case.board):
        street = Street(street + 1)
        steps.append(_board(case, street))
    return Finished(
        table=case.id,
        number=0,
        stakes=case.stakes,
        seats=case.table_seats,
        button=case.button_seat,
        small_blind=case.small_blind_seat,
        big_blind=case.big_blind_seat,
        players=tuple(
            Player(
                seat, f"seat {seat}", case.stacks[seat], case.final_stacks[seat], case.hole[seat]
            )
            for seat in case.dealt
        ),
        steps=tuple(steps),
        unit=100 if case.unit == "1/100" else 1,
    )


def _board(case: Case, street: Street) -> BoardDealt:
    return BoardDealt(street, case.board[BOARD_CARDS[street - 1] : BOARD_CARDS[street]])
