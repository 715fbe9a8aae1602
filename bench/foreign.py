"""Readers of hand histories that are not ours, and what they make of a hand that we wrote: PHH by
pokerkit, Open Hand History by ohh-pydantic, PokerStars text by pokerkit and hhp.

Each must come to the hand's stacks, pots and winners; of a void hand to the stacks it began with
and no winners. pokerkit plays by rules of its own: where they are known to leave ours, the hand
itself says so, and a `Verdict` names it.
"""

import json
import subprocess
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr
from decimal import Decimal
from enum import StrEnum
from io import StringIO
from pathlib import Path
from typing import Any, Final

from open_hh_models.models import OpenHandHistory
from pokerkit import HandHistory
from pokerkit.notation import PokerStarsParser

from bench.hand_files import PROJECT
from bench.referee import with_remainders_added_up
from cli.finished import Finished
from cli.formats import ohh, phh, pokerstars
from poker_engine.events import Acted, BoardDealt, Posted, Returned
from poker_engine.stakes import Game
from poker_engine.state import Do, Post, Pot, Street

CENTS: Final = 100
MOST_BETS: Final = 4
HHP: Final = Path(__file__).with_name("hhp_reader.cjs")
WORKSPACE: Final = PROJECT / "web/package.json"
"""Where npm puts hhp."""


class Differs(ValueError):
    """A reader comes to something else, and nothing explains it."""


class Verdict(StrEnum):
    SAME = "same"
    REMAINDERS_ADDED_UP = "remainders added up"
    """pokerkit splits pots with the same winners as one; RULES 5.3 splits each."""
    SHORT_BIG_BLIND = "short big blind"
    """It takes a short big blind for the price (RULES 2.4)."""
    HALF_BETS = "half bets"
    """Fixed-limit: it has no rule for what follows an all-in of less than a bet (RULES 3.4)."""
    UNCAPPED = "more than four bets"
    """Fixed-limit: it knows no table where two who are left may raise on (RULES 3.4)."""
    POSTS = "antes or dead posts"
    """Its parser of PokerStars text has no pattern for antes whatever their words, and one post a
    player, which it takes for a live one."""
    IDLE = "void before all had acted"
    """Its parser of the text knows nobody who neither posted nor acted."""
    VOID = "void"
    """Open Hand History has no means to say it: somebody wins each of its pots."""


def cents(text: str) -> int:
    """An amount as pokerkit is told to read it: in the smallest there are."""
    amount = Decimal(text) * CENTS
    if amount != int(amount):
        raise Differs(f"{text} is no amount")
    return int(amount)


# What pokerkit's rules leave out, told from the hand and not from what pokerkit says of it


def big_blind_is_short(hand: Finished) -> bool:
    posted = [one.amount for one in posts(hand) if one.post is Post.BIG_BLIND]
    return posted != [hand.stakes.big_blind]


def has_half_bets(hand: Finished) -> bool:
    if hand.stakes.game is not Game.FIXED_LIMIT:
        return False
    price, bet = hand.stakes.big_blind, hand.stakes.small_bet
    for step in hand.steps:
        match step:
            case Acted(do=Do.BET | Do.RAISE, to=to):
                if to - price != bet:
                    return True
                price = to
            case BoardDealt(street=street):
                price = 0
                bet = hand.stakes.big_bet if street > Street.FLOP else hand.stakes.small_bet
            case _:
                pass
    return False


def goes_past_the_cap(hand: Finished) -> bool:
    """A bet and more than three raises in one round; before the flop the big blind is the bet."""
    if hand.stakes.game is not Game.FIXED_LIMIT:
        return False
    bets = 1
    for step in hand.steps:
        match step:
            case Acted(do=Do.BET | Do.RAISE):
                bets += 1
                if bets > MOST_BETS:
                    return True
            case BoardDealt():
                bets = 0
            case _:
                pass
    return False


def somebody_was_idle(hand: Finished) -> bool:
    """Which is only so where a hand was void."""
    did = {step.seat for step in hand.steps if isinstance(step, Posted | Acted)}
    return any(one.seat not in did for one in hand.players)


def posts(hand: Finished) -> list[Posted]:
    return [step for step in hand.steps if isinstance(step, Posted)]


# pokerkit


def pokerkit_of_phh(hand: Finished) -> Verdict:
    """Raises Differs."""
    history = HandHistory.loads(phh.dump(hand), parse_value=cents)
    history.parse_value = cents
    if history.finishing_stacks != [one.final for one in hand.players]:
        raise Differs(f"{name_of(hand)}: other stacks are written")
    won = won_by_seat(hand)
    if hand.void is None and history.winnings != [won[one.seat] for one in hand.players]:
        raise Differs(f"{name_of(hand)}: other winnings are written")
    return _judged(hand, _played(history, hand))


def pokerkit_of_text(hand: Finished) -> Verdict:
    """Raises Differs."""
    if {Post.ANTE, Post.DEAD} & {one.post for one in posts(hand)}:
        return Verdict.POSTS
    if somebody_was_idle(hand):
        return Verdict.IDLE
    plain = hand.with_names({one.name: f"p{one.seat}" for one in hand.players})
    with _quietly():
        try:
            (history,) = PokerStarsParser()(
                as_no_limit(pokerstars.dump(plain)), parse_value=cents, error_status=True
            )
        except ValueError:
            return _judged(plain, None)
    return _judged(plain, _played(history, plain))


def won_by_seat(hand: Finished) -> Counter[int]:
    won: Counter[int] = Counter()
    for pot in hand.pots:
        for seat, chips in pot.shares:
            won[seat] += chips
    return won


def _played(history: Any, hand: Finished) -> dict[str, int] | None:
    """Its stacks by player; None where it refuses the hand, or does not end it."""
    if hand.void is not None:
        return _stopped(history, hand)
    history.rake = given_rake(hand)
    with _quietly():
        try:
            state = tuple(history)[-1]
        except ValueError:
            return None
    if state.status:
        return None
    return dict(zip(history.players, map(int, state.stacks), strict=True))


def _stopped(history: Any, hand: Finished) -> dict[str, int] | None:
    """Its stacks by player when all that there is of a void hand is done, with what the hand says
    that each had put in by then; None where it refuses the hand.
    """
    behind: list[int] = []
    with _quietly():
        try:
            for state, action in history.state_actions:
                if action is not None:
                    behind = list(map(int, state.stacks))
        except ValueError:
            return None
    put_in = {one.name: chips for one, chips in zip(hand.players, _put_in(hand), strict=True)}
    return {name: chips + put_in[name] for name, chips in zip(history.players, behind, strict=True)}


def _put_in(hand: Finished) -> list[int]:
    """By each player, less what came back to him."""
    chips: Counter[int] = Counter()
    for step in hand.steps:
        match step:
            case Posted(seat=seat, amount=amount) | Acted(seat=seat, paid=amount):
                chips[seat] += amount
            case Returned(seat, amount):
                chips[seat] -= amount
            case _:
                pass
    return [chips[one.seat] for one in hand.players]


@contextmanager
def _quietly() -> Iterator[None]:
    """It finds a fold where a check is free unwise, and prints what it cannot parse."""
    with warnings.catch_warnings(), redirect_stderr(StringIO()):
        warnings.simplefilter("ignore")
        yield


def given_rake(hand: Finished) -> Callable[[int, Any], tuple[int, int]]:
    """The hand's rake, pot by pot, for a reader that asks how much of each it is.

    Pots that it has added up bear what theirs bore; of a hand that nobody contests it knows only
    the part that is not the winner's own last bet.
    """
    known: dict[int, int] = {}
    pots = hand.pots
    for first in range(len(pots)):
        for last in range(first, len(pots)):
            several = pots[first : last + 1]
            known[sum(pot.amount for pot in several)] = sum(pot.rake for pot in several)

    def rake(amount: int, state: Any = None) -> tuple[int, int]:
        whole = hand.rake if len(hand.live) == 1 else known.get(amount, 0)
        taken = min(whole, amount)
        return taken, amount - taken

    return rake


def _judged(hand: Finished, stacks: dict[str, int] | None) -> Verdict:
    """None are the stacks of a hand that was refused. Raises Differs where nothing explains it."""
    if stacks == {one.name: one.final for one in hand.players}:
        return Verdict.SAME
    if stacks is not None and stacks == _added_up(hand):
        return Verdict.REMAINDERS_ADDED_UP
    if big_blind_is_short(hand):
        return Verdict.SHORT_BIG_BLIND
    if has_half_bets(hand):
        return Verdict.HALF_BETS
    if goes_past_the_cap(hand):
        return Verdict.UNCAPPED
    raise Differs(f"{name_of(hand)}: pokerkit has the stacks {stacks}")


def _added_up(hand: Finished) -> dict[str, int]:
    """The stacks if pots that the same players split were one."""
    by_seat = [0] * hand.seats
    for one in hand.players:
        by_seat[one.seat] = one.final
    order = {one.seat: place for place, one in enumerate(hand.players)}
    pots = [
        Pot(
            pot.amount - pot.rake,
            0,
            pot.contenders,
            tuple(sorted(pot.shares, key=lambda share: order[share[0]])),
        )
        for pot in hand.pots
    ]
    added_up = with_remainders_added_up(by_seat, pots)
    return {one.name: added_up[one.seat] for one in hand.players}


# ohh-pydantic


def ohh_pydantic(hand: Finished) -> Verdict:
    """Raises Differs, and ValueError where it cannot read the hand."""
    if hand.void is not None:
        return Verdict.VOID
    line = ohh.dump(hand)
    read = OpenHandHistory.model_validate_json(json.dumps(json.loads(line)["ohh"]))
    left = {one.id: one.starting_stack * CENTS for one in read.players}
    for each in read.rounds:
        for action in each.actions:
            left[action.player_id] -= (action.amount or 0) * CENTS
    seats = [one.seat for one in hand.players]
    for step in hand.steps:
        if isinstance(step, Returned):
            # The format leaves what nobody called to its reader.
            left[seats.index(step.seat)] += step.amount
    pots = []
    for pot in read.pots:
        wins = {one.player_id: one.win_amount * CENTS for one in pot.player_wins or ()}
        for player, amount in wins.items():
            left[player] += amount
        shares = tuple((seats[player], amount) for player, amount in wins.items())
        pots.append((pot.number, pot.amount * CENTS, (pot.rake or 0) * CENTS, shares))
    if [left[place] for place in range(len(left))] != [one.final for one in hand.players]:
        raise Differs(f"{name_of(hand)}: by Open Hand History the stacks are {left}")
    if pots != [(one.pot, one.amount, one.rake, one.shares) for one in hand.pots]:
        raise Differs(f"{name_of(hand)}: by Open Hand History the pots are {pots}")
    return Verdict.SAME


# hhp


def as_no_limit(text: str) -> str:
    """Neither reader knows the first line of fixed-limit; all that follows is alike."""
    return text.replace("Hold'em Limit", "Hold'em No Limit", 1)


def hhp(hands: Sequence[Finished]) -> list[Verdict | Differs]:
    """What it makes of each. Raises OSError or ValueError where node or hhp is not there."""
    texts = [as_no_limit(pokerstars.dump(hand)) for hand in hands]
    done = subprocess.run(
        ["node", str(HHP), str(WORKSPACE)],
        input=json.dumps(texts),
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    if done.returncode:
        raise ValueError(done.stderr.strip()[-300:])
    return list(map(_by_hhp, hands, json.loads(done.stdout)))


def _by_hhp(hand: Finished, found: dict[str, Any] | None) -> Verdict | Differs:
    try:
        _compare_with_hhp(hand, found)
    except Differs as differs:
        return differs
    except (LookupError, TypeError, ValueError) as error:
        return Differs(f"{name_of(hand)}: hhp finds other players or amounts: {error!r}")
    return Verdict.SAME


def _compare_with_hhp(hand: Finished, found: dict[str, Any] | None) -> None:
    if found is None:
        raise Differs(f"{name_of(hand)}: hhp cannot read it")
    called = {one["seatno"] - 1: one["player"] for one in found["seats"]}
    stacks, won = _reckoned(hand, found)
    expected: Counter[tuple[str, str]] = Counter()
    for pot in hand.pots:
        which = "" if len(hand.pots) == 1 else "side" if pot.pot else "main"
        for seat, chips in pot.shares:
            expected[called[seat], which] += chips
    if [stacks[called[one.seat]] for one in hand.players] != [one.final for one in hand.players]:
        raise Differs(f"{name_of(hand)}: by hhp the stacks are {stacks}")
    if won != expected:
        raise Differs(f"{name_of(hand)}: by hhp they won {won}")
    told = [one for one in found["summary"] if one["type"] == "pot"]
    if len(told) != (len(hand.pots) < 3):
        raise Differs(f"{name_of(hand)}: hhp finds {len(told)} lines of pots")  # It knows two pots.
    for pot in told:
        amounts = (_hundredths(pot["amount"]), _hundredths(pot["rake"]))
        if amounts != (sum(one.amount for one in hand.pots), hand.rake):
            raise Differs(f"{name_of(hand)}: by hhp pot and rake are {amounts}")


def _reckoned(
    hand: Finished, found: dict[str, Any]
) -> tuple[dict[str, int], Counter[tuple[str, str]]]:
    """What each has in the end, and has won of the main pot and of the others, by what was read
    alone, but which posts are dead.
    """
    stacks = {one["player"]: _hundredths(one["chips"]) for one in found["seats"]}
    bets: Counter[str] = Counter()
    for one, post in zip(found["posts"], posts(hand), strict=True):
        stacks[one["player"]] -= _hundredths(one["amount"])
        if post.post not in (Post.ANTE, Post.DEAD):
            bets[one["player"]] += _hundredths(one["amount"])
    won: Counter[tuple[str, str]] = Counter()
    for street in ("preflop", "flop", "turn", "river", "showdown"):
        for one in found[street]:
            name, kind, paid = one["player"], one["type"], 0
            if kind in ("call", "bet"):
                paid = _hundredths(one["amount"])
            elif kind == "raise":
                paid = _hundredths(one["raiseTo"]) - bets[name]
            elif kind in ("collect", "bet-returned"):
                stacks[name] += _hundredths(one["amount"])
                if kind == "collect":
                    won[name, one["pot"] or ""] += _hundredths(one["amount"])
            stacks[name] -= paid
            bets[name] += paid
        bets.clear()
    return stacks, won


def _hundredths(amount: float) -> int:
    return round(amount * CENTS)


def name_of(hand: Finished) -> str:
    return f"{hand.table}/{hand.number}"
