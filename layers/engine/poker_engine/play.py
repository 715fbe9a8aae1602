"""How a hand goes on by itself (RULES 3 to 6).

Automatic actions, streets, run-out, showdown, payment.
"""

from poker_engine.betting import betting_over, next_to_act
from poker_engine.blinds import Layout, missed, posts
from poker_engine.clock import SECOND, expires_at
from poker_engine.course import Course
from poker_engine.events import (
    Acted,
    BankClosed,
    BankOpened,
    BoardDealt,
    HandEnded,
    HandStarted,
    Mucked,
    Posted,
    PotWon,
    Returned,
    Shown,
    TurnBegan,
)
from poker_engine.legal import to_call
from poker_engine.pots import Layer, layers, shares, uncalled
from poker_engine.rake import SCHEDULES, per_pot
from poker_engine.showdown import board_cards, hole_cards, showing_order, value
from poker_engine.stakes import PLAYED_RULES
from poker_engine.state import Cause, Do, Exit, Hand, Post, PreDo, Street
from poker_engine.upkeep import after_hand


def begin(course: Course, deck: str, layout: Layout) -> None:
    """Start the hand of this layout: blinds in, cards dealt, first turn given (RULES 2.1, 3.9)."""
    table = course.table
    to_post = posts(table, layout)
    missed_small, missed_big = missed(table, layout)
    start(
        course,
        HandStarted(
            number=table.hands + 1,
            deck=deck,
            at=course.now,
            button=layout.button,
            small_blind=layout.small_blind,
            big_blind=layout.big_blind,
            dealt=layout.dealt,
            fresh=layout.fresh,
            missed_small=missed_small,
            missed_big=missed_big,
            rules=PLAYED_RULES,
        ),
        to_post,
    )


def start(course: Course, started: HandStarted, to_post: list[tuple[int, Post, int]]) -> None:
    """Start a hand with these posts; one larger than the stack is posted all-in (RULES 2.4)."""
    course.add(started)
    for seat, post, amount in to_post:
        paid = min(amount, course.hand.behind[seat])
        if paid:
            course.add(Posted(seat, post, paid))
    # The blinds' nominal seats order the betting even where one of them was not posted.
    after = started.big_blind
    if after is None:
        after = started.small_blind if started.small_blind is not None else started.button
    proceed(course, after)


def act(course: Course, seat: int, do: Do, to: int, cause: Cause) -> None:
    """An action that was found legal, and all that follows from it."""
    close_bank(course)
    hand = course.hand
    course.add(Acted(seat, do, to, to - hand.bets[seat], cause))
    proceed(course, seat)


def act_automatically(course: Course, seat: int, cause: Cause) -> None:
    """Check where it is free, else fold (RULES 4.1, 4.3)."""
    close_bank(course)
    hand = course.hand
    do = Do.FOLD if to_call(hand, seat) else Do.CHECK
    course.add(Acted(seat, do, hand.bets[seat], 0, cause))


def proceed(course: Course, after: int) -> None:
    """From the last action (or post) at seat `after` to the next turn, or to the hand's end."""
    while True:
        hand = course.hand
        if hand.live.bit_count() == 1:
            _settle(course, showdown=False)
            return
        seat = next_to_act(hand, after)
        if seat is not None:
            exit_ = course.seat(seat).exit
            if exit_ is not None:
                cause = Cause.REMOVED if exit_ is Exit.REMOVED else Cause.LEAVING
                act_automatically(course, seat, cause)
            elif not hand.pre or not _act_as_prepared(course, seat):
                _give_turn(course, seat, hand.turns + 1)
                return
            after = seat
        elif hand.street is Street.RIVER:
            _settle(course, showdown=True)
            return
        else:
            if betting_over(hand):
                _open_hands(course)
            _deal_street(course)
            after = hand.button


def _give_turn(course: Course, seat: int, number: int) -> None:
    settings = course.table.settings
    deadline = course.now + settings.clock_ms
    course.add(TurnBegan(number, seat, deadline, expires_at(deadline, settings.grace_ms)))


def _act_as_prepared(course: Course, seat: int) -> bool:
    """Take the seat's pre-action in place of its turn, if it has one (RULES 10.3)."""
    hand = course.hand
    pre = next(
        (do for number, do, price in hand.pre if number == seat and price == hand.price), None
    )
    if pre is None:
        return False
    owed = to_call(hand, seat)
    if pre is PreDo.CALL:
        do = Do.CALL
    else:
        do, owed = Do.CHECK if pre is PreDo.CHECK_FOLD and not owed else Do.FOLD, 0
    course.add(Acted(seat, do, hand.bets[seat] + owed, owed, Cause.OWN))
    return True


def open_bank(course: Course) -> bool:
    """The turn's time is over: it goes on in the time bank, if it is not in it already and more
    than a second would be left (RULES 10.4). It counts from the deadline that was shown.
    """
    turn, settings = course.hand.turn, course.table.settings
    if turn is None or turn.banked or not settings.time_bank_ms:
        return False
    deadline = turn.deadline + course.seat(turn.seat).standing.bank
    if course.now >= deadline - SECOND:
        return False
    course.add(BankOpened(turn.seat, deadline, expires_at(deadline, settings.grace_ms)))
    return True


def close_bank(course: Course) -> None:
    """The turn ends; what it has not used of the time bank is left (RULES 10.4)."""
    turn = course.hand.turn
    if turn is not None and turn.banked:
        course.add(BankClosed(turn.seat, max(0, turn.deadline - course.now)))


def _deal_street(course: Course) -> None:
    street = Street(course.hand.street + 1)
    course.add(BoardDealt(street, board_cards(course.hand, course.deck, street)))


def _return_uncalled(course: Course) -> None:
    part = uncalled(course.hand.totals)
    if part is not None:
        course.add(Returned(*part))


def _open_hands(course: Course) -> None:
    """No more betting: all live hands are turned up before the board runs out (RULES 5.4)."""
    if course.hand.shown:
        return
    _return_uncalled(course)
    for seat in showing_order(course.hand, layers(course.hand)):
        course.add(Shown(seat, hole_cards(course.hand, course.deck, seat)))


def _settle(course: Course, *, showdown: bool) -> None:
    """Uncalled part, showdown, rake and pots, the hand's end (RULES 3.6, 5, 6)."""
    _return_uncalled(course)
    hand = course.hand
    pots = layers(hand)
    values = {}
    if showdown:
        values = {
            seat: value(hand, course.deck, seat) for seat in hand.dealt if hand.live >> seat & 1
        }
        if not hand.shown:
            _turn_up(course, pots, values)
    stakes = course.table.settings.stakes
    amounts = [pot.amount for pot in pots]
    rake = 0
    if hand.voluntary:
        rake = SCHEDULES[stakes.rake].of(sum(amounts), stakes.big_blind)
    parts = per_pot(rake, amounts)
    for index in reversed(range(len(pots))):
        pot = pots[index]
        won = shares(
            pot.amount - parts[index],
            pot.contenders,
            values.__getitem__,
            hand.button,
            len(hand.bets),
        )
        course.add(PotWon(index, pot.amount, parts[index], pot.contenders, won))
    course.add(HandEnded(hand.number, course.now))
    after_hand(course)


def _turn_up(course: Course, pots: tuple[Layer, ...], values: dict[int, int]) -> None:
    """Every hand still in, or, where the table lets losers muck, those that beat what was shown."""
    hand = course.hand
    shown: list[int] = []
    for seat in showing_order(hand, pots):
        if course.table.settings.muck_losers and _beaten(seat, shown, pots, values):
            course.add(Mucked(seat))
        else:
            shown.append(seat)
            course.add(Shown(seat, hole_cards(hand, course.deck, seat)))


def _beaten(seat: int, shown: list[int], pots: tuple[Layer, ...], values: dict[int, int]) -> bool:
    """A hand already shown beats this one in every pot that it plays for."""
    return all(
        any(other in pot.contenders and values[other] > values[seat] for other in shown)
        for pot in pots
        if seat in pot.contenders
    )


def in_hand(hand: Hand | None, seat: int) -> bool:
    """Was dealt into the running hand."""
    return hand is not None and not hand.over and seat in hand.dealt
