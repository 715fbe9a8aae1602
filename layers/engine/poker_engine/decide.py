"""The one way in: a command, decided on a table at a moment, gives events or a refusal.

`decide` is pure: time and cards are arguments, nothing is changed, a refusal has no effect.
"""

from collections.abc import Callable, Sequence
from typing import Any

from poker_engine.blinds import buys_in_time, lay_out
from poker_engine.buyin import check_buy_in, check_top_up
from poker_engine.clock import sit_out_ends
from poker_engine.commands import (
    Act,
    AutoTopUp,
    Close,
    Command,
    Deal,
    Expire,
    Freeze,
    Leave,
    PreAct,
    Show,
    Sit,
    SitIn,
    SitOut,
    Start,
    Thaw,
    TopUp,
    Void,
    When,
)
from poker_engine.course import Course, DeckNeeded
from poker_engine.errors import Code, Rejected
from poker_engine.events import (
    Closing,
    Event,
    Frozen,
    Going,
    HandStarted,
    HandVoided,
    Paused,
    Planned,
    Prepared,
    RefillSet,
    SatIn,
    SatOut,
    Seated,
    Shown,
    Thawed,
    ToppedUp,
)
from poker_engine.frozen import dataclass
from poker_engine.legal import Options, options_of, to_call
from poker_engine.play import act, act_automatically, begin, in_hand, open_bank, proceed, start
from poker_engine.showdown import hole_cards
from poker_engine.state import Cause, Do, Exit, Hand, Plan, PreDo, Status, Table
from poker_engine.upkeep import (
    after_hand,
    close,
    empty,
    play_top_up,
    schedule_if_ready,
    sit_out_the_broke,
)

REMOVAL = 2
"""Counting rounds running at which the clock removes a player (RULES 4.2)."""


@dataclass(frozen=True, slots=True)
class Advance:
    """What a command did: the events, and the table with them."""

    table: Table
    events: tuple[Event, ...]


def decide(
    table: Table, command: Command, now: int, deck: Sequence[int] | None = None
) -> tuple[Event, ...] | Rejected:
    """The events of a command at `now` (ms), or why it is refused.

    `deck` holds the 52 cards of the running hand, or of the one that the command begins; without
    it a command that deals or shows cards is refused with DECK_NEEDED.
    """
    outcome = advance(table, command, now, deck)
    return outcome if isinstance(outcome, Rejected) else outcome.events


def advance(
    table: Table, command: Command, now: int, deck: Sequence[int] | None = None
) -> Advance | Rejected:
    """`decide` and `evolve` in one."""
    course = Course(table, now, deck)
    try:
        refusal = _DECISIONS[type(command)](course, command)
    except DeckNeeded:
        return Rejected(Code.DECK_NEEDED, "the deck has to be loaded first")
    if refusal is not None:
        return refusal
    return Advance(course.table, tuple(course.events))


def _seat_of(course: Course, player: str) -> int | Rejected:
    """The player's seat, if he has one and is not on his way out."""
    number = course.table.seat_of(player)
    if number is None:
        return Rejected(Code.NOT_SEATED, "you have no seat at this table")
    if course.seat(number).exit is not None:
        return Rejected(Code.LEAVING, "you are leaving: that cannot be taken back")
    return number


def _sit(course: Course, command: Sit) -> Rejected | None:
    table = course.table
    if table.closing or table.closed:
        return Rejected(Code.TABLE_CLOSING, "this table takes no more players")
    if table.frozen:
        return Rejected(Code.TABLE_FROZEN, "this table is frozen: nobody sits down for now")
    if not 0 <= command.seat < len(table.seats):
        last = len(table.seats) - 1
        return Rejected(Code.NO_SUCH_SEAT, f"seats are 0 to {last}", {"last": last})
    if table.seat_of(command.player) is not None:
        return Rejected(Code.ALREADY_SEATED, "you have a seat at this table")
    if table.seats[command.seat] is not None:
        return Rejected(Code.SEAT_TAKEN, "this seat is taken: choose a free one")
    refusal = check_buy_in(table.settings, command.chips, command.left, course.now)
    if refusal is not None:
        return refusal
    debts_lapsed = table.running is not None and table.running.fresh
    owes_small = not debts_lapsed and any(
        one.player == command.player and one.until > course.now for one in table.absent
    )
    course.add(Seated(command.seat, command.player, command.chips, command.post, owes_small))
    schedule_if_ready(course)
    return None


def _top_up(course: Course, command: TopUp) -> Rejected | None:
    number = _seat_of(course, command.player)
    if isinstance(number, Rejected):
        return number
    table, seat = course.table, course.seat(number)
    hand = table.running
    playing = hand is not None and in_hand(hand, number)
    have = seat.topup + (hand.behind[number] if hand is not None and playing else seat.stack)
    refusal = check_top_up(table.settings, have, command.chips, broke=seat.stack == 0)
    if refusal is not None:
        return refusal
    course.add(ToppedUp(number, command.chips))
    if not playing:
        play_top_up(course, number)
        schedule_if_ready(course)
    return None


def _auto_top_up(course: Course, command: AutoTopUp) -> Rejected | None:
    number = _seat_of(course, command.player)
    if isinstance(number, Rejected):
        return number
    minimum, maximum = course.table.settings.minimum, course.table.settings.maximum
    if command.to and command.to < minimum:
        return Rejected(
            Code.BUY_IN_TOO_SMALL,
            f"an automatic top-up is to {minimum} at least, or to 0 for none",
            {"minimum": minimum},
        )
    if maximum is not None and command.to > maximum:
        return Rejected(
            Code.BUY_IN_TOO_LARGE,
            f"an automatic top-up is to {maximum} at most",
            {"maximum": maximum},
        )
    seat = course.seat(number)
    if command.to == seat.refill:
        return None
    counted_on = buys_in_time(seat)
    course.add(RefillSet(number, command.to))
    if counted_on and not command.to:
        course.add(SatOut(number, course.now))
    return None


def _sit_out(course: Course, command: SitOut) -> Rejected | None:
    number = _seat_of(course, command.player)
    if isinstance(number, Rejected):
        return number
    seat = course.seat(number)
    if command.when is When.NOW:
        if seat.standing.status is not Status.OUT:
            course.add(SatOut(number, course.now))
    else:
        _plan(course, number, Plan.SIT_OUT if command.when is When.BIG_BLIND else None)
    return None


def _plan(course: Course, number: int, plan: Plan | None) -> None:
    if course.seat(number).plan is not plan:
        course.add(Planned(number, plan))


def _sit_in(course: Course, command: SitIn) -> Rejected | None:
    number = _seat_of(course, command.player)
    if isinstance(number, Rejected):
        return number
    seat = course.seat(number)
    if seat.stack == 0:
        least = course.table.settings.minimum - seat.topup
        return Rejected(Code.NO_CHIPS, f"buy at least {least} chips to play on", {"minimum": least})
    standing = seat.standing
    status = Status.ACTIVE
    if standing.owes_small or standing.owes_big:
        status = Status.POSTING if command.post else Status.WAITING
    if standing.status in (Status.ACTIVE, status):
        return None
    course.add(SatIn(number, status))
    schedule_if_ready(course)
    return None


def _leave(course: Course, command: Leave) -> Rejected | None:
    number = _seat_of(course, command.player)
    if isinstance(number, Rejected):
        return number
    if command.when is not When.NOW:
        _plan(course, number, Plan.LEAVE if command.when is When.BIG_BLIND else None)
        return None
    hand = course.table.running
    if hand is None or not in_hand(hand, number):
        empty(course, number, Exit.LEFT)
        return None
    course.add(Going(number, Exit.LEFT))
    if hand.turn is not None and hand.turn.seat == number:
        act_automatically(course, number, Cause.LEAVING)
        proceed(course, number)
    return None


def _act(course: Course, command: Act) -> Rejected | None:
    table = course.table
    number = _seat_of(course, command.player)
    if isinstance(number, Rejected):
        return number
    hand = table.running
    if hand is None or hand.turn is None:
        return Rejected(Code.NO_HAND, "no hand is running")
    turn = hand.turn
    if command.hand != hand.number or command.turn != turn.number:
        return Rejected(
            Code.STALE_TURN,
            "the game has gone on: this was for another turn",
            {"hand": hand.number, "turn": turn.number},
        )
    if turn.seat != number:
        return Rejected(Code.NOT_YOUR_TURN, f"it is seat {turn.seat}'s turn", {"seat": turn.seat})
    if course.now >= turn.expires:
        return Rejected(Code.STALE_TURN, "your time for this turn is over")
    do, to = command.do, hand.bets[number]
    if do is Do.BET or do is Do.RAISE:
        refusal = _check_raise(options_of(table.settings, hand, number), do, command.to)
        if refusal is not None:
            return refusal
        to = command.to
    elif do is not Do.FOLD:
        owed = to_call(hand, number)
        if do is Do.CHECK and owed:
            return Rejected(
                Code.CANNOT_CHECK,
                f"there are {owed} to call: call, fold or raise",
                {"to_call": owed},
            )
        if do is Do.CALL and not owed:
            return Rejected(Code.NOTHING_TO_CALL, "there is nothing to call: check or bet")
        to += owed
    act(course, number, do, to, Cause.OWN)
    return None


def _pre_act(course: Course, command: PreAct) -> Rejected | None:
    number = _seat_of(course, command.player)
    if isinstance(number, Rejected):
        return number
    hand = course.table.running
    if hand is None:
        return Rejected(Code.NO_HAND, "no hand is running")
    if command.hand != hand.number:
        return Rejected(
            Code.STALE_TURN,
            "the game has gone on: this was for another hand",
            {"hand": hand.number},
        )
    do = command.do
    if do is not None:
        refusal = _check_prepared(hand, number, do, command.price)
        if refusal is not None:
            return refusal
    if do is not next((known for seat, known, _ in hand.pre if seat == number), None):
        course.add(Prepared(number, do, hand.price))
    return None


def _check_prepared(hand: Hand, number: int, do: PreDo, price: int) -> Rejected | None:
    if hand.turn is not None and hand.turn.seat == number:
        return Rejected(Code.YOUR_TURN, "it is your turn: act on it", {"turn": hand.turn.number})
    if not hand.live >> number & 1 or not hand.behind[number]:
        return Rejected(Code.NOTHING_TO_PREPARE, "you have no more turns in this hand")
    if price != hand.price:
        return Rejected(
            Code.PRICE_CHANGED,
            f"the price is {hand.price} now: choose again",
            {"price": hand.price},
        )
    if do is PreDo.CALL and not to_call(hand, number):
        return Rejected(Code.NOTHING_TO_CALL, "there is nothing to call")
    return None


def _check_raise(may: Options, do: Do, to: int) -> Rejected | None:
    if may.min_to is None or may.max_to is None or do is not may.verb:
        return _no_raise(do, may.verb if may.min_to is not None else None)
    bounds = {"min_to": may.min_to, "max_to": may.max_to}
    if to < may.min_to:
        return Rejected(Code.AMOUNT_TOO_SMALL, f"the least {do} is to {may.min_to}", bounds)
    if to > may.max_to:
        return Rejected(Code.AMOUNT_TOO_LARGE, f"the largest {do} is to {may.max_to}", bounds)
    return None


def _no_raise(do: Do, verb: Do | None) -> Rejected:
    code = Code.CANNOT_BET if do is Do.BET else Code.CANNOT_RAISE
    if verb is None:
        return Rejected(code, f"a {do} is not open to you now")
    return Rejected(code, f"you cannot {do} now, but you may {verb}")


def _show(course: Course, command: Show) -> Rejected | None:
    number = course.table.seat_of(command.player)
    if number is None:
        return Rejected(Code.NOT_SEATED, "you have no seat at this table")
    hand = course.table.hand
    known = dict(hand.shown).get(number, ()) if hand is not None else ()
    if (
        hand is None
        or not hand.over
        or hand.voided
        or not (hand.live | hand.mucked) >> number & 1
        or len(known) == 2
    ):
        return Rejected(Code.NOTHING_TO_SHOW, "after a hand that you won unseen you may show it")
    hole = hole_cards(hand, course.deck, number)
    cards = tuple(hole[i] for i in sorted(set(command.cards)) if i in (0, 1))
    cards = tuple(card for card in cards if card not in known)
    if not cards:
        return Rejected(Code.NOTHING_TO_SHOW, "name card 0, card 1 or both")
    course.add(Shown(number, cards))
    return None


def _expire(course: Course, command: Expire) -> Rejected | None:
    hand = course.table.running
    if hand is not None and hand.turn is not None and course.now >= hand.turn.expires:
        if open_bank(course):
            return None
        number = hand.turn.seat
        act_automatically(course, number, Cause.EXPIRED)
        if course.seat(number).standing.expired >= REMOVAL:
            course.add(Going(number, Exit.REMOVED))
        proceed(course, number)
        return None
    gone = [
        number
        for number in range(len(course.table.seats))
        if (at := sit_out_ends(course.table, number)) is not None and at <= course.now
    ]
    if not gone:
        return Rejected(Code.NOT_DUE, "nothing has expired")
    for number in gone:
        empty(course, number, Exit.SAT_OUT)
    return None


def _start(course: Course, command: Start) -> Rejected | None:
    table = course.table
    if table.running is not None or table.next_hand_at is None or course.now < table.next_hand_at:
        return Rejected(Code.NOT_DUE, "the next hand does not begin yet")
    sit_out_the_broke(course)
    while (layout := lay_out(course.table, command.draw)) is not None:
        # A seat may have planned not to pay this blind: then the blinds are laid out anew.
        plan = course.seat(layout.big_blind).plan
        if plan is None:
            begin(course, command.deck, layout)
            return None
        if plan is Plan.LEAVE:
            empty(course, layout.big_blind, Exit.LEFT)
        else:
            course.add(SatOut(layout.big_blind, course.now))
    course.add(Paused())
    return None


def _deal(course: Course, command: Deal) -> Rejected | None:
    table = course.table
    if table.running is not None:
        return Rejected(Code.NOT_DUE, "a hand is running")
    if len(command.dealt) < 2:
        return Rejected(Code.NOT_ENOUGH_PLAYERS, "a hand needs at least two players")
    started = HandStarted(
        number=table.hands + 1,
        deck=command.deck,
        at=course.now,
        button=command.button,
        small_blind=command.small_blind,
        big_blind=command.big_blind,
        dealt=command.dealt,
        fresh=True,
        missed_small=(),
        missed_big=(),
        rules=command.rules,
    )
    start(course, started, list(command.posts))
    return None


def _void(course: Course, command: Void) -> Rejected | None:
    hand = course.table.running
    if hand is None:
        return Rejected(Code.NO_HAND, "no hand is running")
    course.add(HandVoided(hand.number, course.now, command.reason))
    after_hand(course)
    return None


def _close(course: Course, command: Close) -> Rejected | None:
    if course.table.closing:
        return Rejected(Code.TABLE_CLOSING, "this table is closing already")
    course.add(Closing())
    if course.table.running is None:
        close(course)
    return None


def _freeze(course: Course, command: Freeze) -> Rejected | None:
    if course.table.closing:
        return Rejected(Code.TABLE_CLOSING, "this table is closing already")
    if course.table.frozen:
        return Rejected(Code.TABLE_FROZEN, "this table is frozen already")
    course.add(Frozen())
    return None


def _thaw(course: Course, command: Thaw) -> Rejected | None:
    if course.table.closing:
        return Rejected(Code.TABLE_CLOSING, "this table is closing already")
    if not course.table.frozen:
        return Rejected(Code.NOT_FROZEN, "this table is not frozen")
    course.add(Thawed(course.now))
    schedule_if_ready(course)
    table = course.table
    if table.running is None and table.next_hand_at is None and not table.fresh:
        course.add(Paused())
    return None


_DECISIONS: dict[type, Callable[[Course, Any], Rejected | None]] = {
    Sit: _sit,
    TopUp: _top_up,
    AutoTopUp: _auto_top_up,
    SitOut: _sit_out,
    SitIn: _sit_in,
    Leave: _leave,
    Act: _act,
    PreAct: _pre_act,
    Show: _show,
    Expire: _expire,
    Start: _start,
    Deal: _deal,
    Void: _void,
    Close: _close,
    Freeze: _freeze,
    Thaw: _thaw,
}
