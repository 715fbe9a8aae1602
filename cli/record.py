"""A finished hand's events as a case: the reverse of replaying one."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from cardroom.stored import HandRecord
from cli.cases import HOLE_CARDS, Case, CaseAction, CasePost
from poker_engine.codec import load_events, load_table
from poker_engine.events import (
    Acted,
    BoardDealt,
    Event,
    HandEnded,
    HandStarted,
    HandVoided,
    Posted,
    PotWon,
    Returned,
    Shown,
)
from poker_engine.replay import replay
from poker_engine.stakes import Game, Stakes
from poker_engine.state import Do, Post, Street


class NoCaseError(ValueError):
    """Why a hand's events make no case, in one sentence."""


@dataclass
class _Hand:
    """What the events tell, by the case's seats."""

    seat: dict[int, int]
    stacks: list[int]
    hole: dict[int, tuple[int, ...]]
    posts: list[CasePost] = field(default_factory=list)
    actions: list[CaseAction] = field(default_factory=list)
    board: tuple[int, ...] = ()
    street: Street = Street.PREFLOP
    pots: list[PotWon] = field(default_factory=list)
    over: bool = False

    def take(self, event: Event) -> None:
        match event:
            case Posted(seat, post, amount):
                self.posts.append(CasePost(self.seat[seat], post, amount))
                self.stacks[self.seat[seat]] -= amount
            case Acted(seat, do, to, paid):
                total = 0 if do in (Do.FOLD, Do.CHECK) else to
                self.actions.append(CaseAction(self.street, self.seat[seat], do, total))
                self.stacks[self.seat[seat]] -= paid
            case BoardDealt(street, cards):
                self.street = street
                self.board += cards
            case Returned(seat, amount):
                self.stacks[self.seat[seat]] += amount
            case Shown(seat, cards):
                known = self.hole.get(seat, ())
                self.hole[seat] = known + tuple(one for one in cards if one not in known)
            case PotWon():
                self.pots.append(event)
                for seat, chips in unraked(event, self.seat):
                    self.stacks[self.seat[seat]] += chips
            case HandVoided():
                raise NoCaseError("the hand was void")
            case HandEnded():
                self.over = True
            case _:
                # Comings and goings at the table are no part of the hand.
                pass


def unraked(pot: PotWon, order: Mapping[int, int]) -> Iterator[tuple[int, int]]:
    """(seat, chips) of a pot as if there were no rake: the remainder to the first in `order`."""
    winners = sorted((seat for seat, _ in pot.shares), key=order.__getitem__)
    share, remainder = divmod(pot.amount, len(winners))
    for seat in winners:
        yield seat, share + remainder
        remainder = 0


def case_of(
    name: str,
    stakes: Stakes,
    stacks: Mapping[int, int],
    events: Iterable[Event],
    hole: Mapping[int, tuple[int, ...]],
    *,
    source: str = "",
) -> Case:
    """The case of one hand, from its HandStarted on to its HandEnded; what follows is left alone.

    `stacks` are those before the hand and `hole` the cards that are known besides those shown, both
    by the table's seats. Raises NoCaseError where the hand is void or not over.
    """
    remaining = iter(events)
    started = next((event for event in remaining if isinstance(event, HandStarted)), None)
    if started is None:
        raise NoCaseError("no hand began")
    seat = {number: index for index, number in enumerate(started.dealt)}
    before = tuple(stacks[number] for number in started.dealt)
    hand = _Hand(seat, list(before), dict(hole))
    for event in remaining:
        hand.take(event)
        if hand.over:
            break
    if not hand.over:
        raise NoCaseError("the hand is not over")
    fixed = stakes.game is Game.FIXED_LIMIT
    return Case(
        id=name,
        game=stakes.game,
        button=seat.get(started.button),
        small_blind_seat=_seat(seat, started.small_blind),
        big_blind_seat=_seat(seat, started.big_blind),
        ante=stakes.ante,
        small_blind=stakes.small_blind,
        big_blind=stakes.big_blind,
        small_bet=stakes.small_bet if fixed else 0,
        big_bet=stakes.big_bet if fixed else 0,
        stacks=before,
        posts=tuple(hand.posts),
        hole=tuple(_both(hand.hole.get(number)) for number in started.dealt),
        board=hand.board,
        actions=tuple(hand.actions),
        final_stacks=tuple(hand.stacks),
        source=source,
        tags=tuple(sorted(_tags(hand, started))),
    )


def case_of_record(record: HandRecord) -> Case:
    """The case of a hand that the room recorded, all hole cards known.

    Raises NoCaseError where it is void.
    """
    table = load_table(record.opening) if record.opening else None
    events = load_events(record.events)
    started = next((event for event in events if isinstance(event, HandStarted)), None)
    if table is None or started is None:
        raise NoCaseError("its record does not say how it began")
    table = replay(events[: events.index(started)], table)
    case = case_of(
        f"{record.table_id}/{record.number}",
        table.settings.stakes,
        {number: seat.stack for number, seat in enumerate(table.seats) if seat is not None},
        events,
        {
            seat: (record.deck[place], record.deck[len(started.dealt) + place])
            for place, seat in enumerate(started.dealt)
        },
        source="cardroom",
    )
    return replace(case, rules=record.rules)


def _seat(seats: Mapping[int, int], number: int | None) -> int | None:
    return None if number is None else seats.get(number)


def _both(cards: tuple[int, ...] | None) -> tuple[int, ...] | None:
    return cards if cards is not None and len(cards) == HOLE_CARDS else None


def _tags(hand: _Hand, started: HandStarted) -> set[str]:
    kinds = {one.post for one in hand.posts}
    acted = {one.do for one in hand.actions}
    winners = [len(pot.shares) for pot in hand.pots]
    folded = sum(one.do is Do.FOLD for one in hand.actions)
    facts = {
        "heads_up": len(started.dealt) == 2,
        "dead_button": started.button not in hand.seat,
        "no_small_blind": _seat(hand.seat, started.small_blind) is None,
        "ante": Post.ANTE in kinds,
        "extra_post": bool(kinds & {Post.LIVE, Post.DEAD}),
        "walk": acted <= {Do.FOLD},
        "showdown": folded < len(started.dealt) - 1,
        "side_pots": len(winners) > 1,
        "two_or_more_side_pots": len(winners) > 2,
        "split_pot": any(count > 1 for count in winners),
        "split_three_or_more": any(count > 2 for count in winners),
        "odd_chip": any(pot.amount % count for pot, count in zip(hand.pots, winners, strict=True)),
    }
    return {tag for tag, holds in facts.items() if holds}
