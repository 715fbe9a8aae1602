"""Hands as text in the manner of PokerStars, which trackers read; written only. A void hand ends as
a cancelled one does there: what each had put in is returned to him, `Hand cancelled`, and a pot of
nothing.

Money carries `$`, the one sign that all of them take for money, whatever the currency: its code
stands in the first line. In fixed-limit that line has the two bets, else the blinds. A dead post is
written as the small blind that it stands for. A name keeps letters, digits, inner blanks and
`_.-`; whatever else is in it, which such a text would be misread by, becomes `_`.
"""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, tzinfo
from typing import Final
from zlib import crc32

from cardroom.days import moment
from cli.finished import Finished, Player
from cli.formats.amounts import plain
from poker_engine.cards import text
from poker_engine.evaluator import describe
from poker_engine.events import Acted, BoardDealt, Mucked, Posted, PotWon, Returned, Shown
from poker_engine.stakes import Game
from poker_engine.state import Do, Post, Street

POSTS: Final = {
    Post.ANTE: "the ante",
    Post.SMALL_BLIND: "small blind",
    Post.BIG_BLIND: "big blind",
    Post.LIVE: "big blind",
    Post.DEAD: "small blind",
}
FOLDED: Final = {
    Street.PREFLOP: "before Flop",
    Street.FLOP: "on the Flop",
    Street.TURN: "on the Turn",
    Street.RIVER: "on the River",
}
ABBREVIATIONS: Final = {
    "UTC": "+00", "GMT": "+00", "WET": "+00", "WEST": "+01", "BST": "+01", "CET": "+01",
    "CEST": "+02", "EET": "+02", "EEST": "+03", "MSK": "+03", "AST": "-04", "ADT": "-03",
    "EST": "-05", "EDT": "-04", "CST": "-06", "CDT": "-05", "MST": "-07", "MDT": "-06",
    "PST": "-08", "PDT": "-07",
}  # fmt: skip
"""What trackers know of zones, and what each is to them."""
FULL_BOARD: Final = 5


def dump(hand: Finished, zone: tzinfo = UTC) -> str:
    """The hand's lines, without an empty one after them."""
    plainly = hand.with_names(_names(hand))
    return "".join(f"{line}\n" for line in _Writer(plainly, zone).lines())


def number_of(hand: Finished) -> str:
    """Digits that no other hand of a room is likely to have: of the table's name, then its own."""
    return f"{crc32(hand.table.encode())}{hand.number:09d}"


def _names(hand: Finished) -> dict[str, str]:
    """By their own: what each player is called here, all of them different."""
    names: dict[str, str] = {}
    for one in hand.players:
        wanted = _name(one.name)
        called, copies = wanted, 1
        while called in names.values():
            copies += 1
            called = f"{wanted}-{copies}"
        names[one.name] = called
    return names


def _name(name: str) -> str:
    kept = "".join(one if one.isalnum() or one in "_.- " else "_" for one in name)
    return re.sub(r" +", " ", kept).strip() or "_"


class _Writer:
    def __init__(self, hand: Finished, zone: tzinfo) -> None:
        self._hand = hand
        self._zone = zone
        self._name = {one.seat: one.name for one in hand.players}
        self._left = {one.seat: one.stack for one in hand.players}
        self._bets: dict[int, int] = {}
        self._paid: set[int] = set()
        self._folded: dict[int, Street] = {}
        self._street = Street.PREFLOP
        self._board: tuple[int, ...] = ()

    def lines(self) -> Iterator[str]:
        yield from self._head()
        yield from self._posts()
        yield "*** HOLE CARDS ***"
        for one in self._hand.players:
            if one.hole is not None and self._hand.hero in (None, one.seat):
                yield f"Dealt to {one.name} [{_cards(one.hole)}]"
        yield from self._play()
        yield from self._end() if self._hand.void is None else self._cancelled()
        yield "*** SUMMARY ***"
        yield from self._summary()

    def _head(self) -> Iterator[str]:
        hand, stakes = self._hand, self._hand.stakes
        if stakes.game is Game.FIXED_LIMIT:
            game, low, high = "Hold'em Limit", stakes.small_bet, stakes.big_bet
        else:
            game, low, high = "Hold'em No Limit", stakes.small_blind, stakes.big_blind
        money = f"({self._amount(low)}/{self._amount(high)} {stakes.currency})"
        at = moment(hand.started or 0, self._zone)
        when = f"{at:%Y/%m/%d} {at.hour}:{at:%M:%S} {_zone(at)}"
        yield f"PokerStars Hand #{number_of(hand)}:  {game} {money} - {when}"
        yield f"Table '{_name(hand.table)}' {hand.seats}-max Seat #{hand.button + 1} is the button"
        for one in sorted(hand.players, key=lambda one: one.seat):
            yield f"Seat {one.seat + 1}: {one.name} ({self._amount(one.stack)} in chips)"

    def _posts(self) -> Iterator[str]:
        for step in self._hand.steps:
            if isinstance(step, Posted):
                self._pay(step.seat, step.amount)
                if step.post not in (Post.ANTE, Post.DEAD):
                    self._bets[step.seat] = self._bets.get(step.seat, 0) + step.amount
                # Not that he is all-in: not every reader takes such a line for a post.
                amount = self._amount(step.amount)
                yield f"{self._name[step.seat]}: posts {POSTS[step.post]} {amount}"

    def _play(self) -> Iterator[str]:
        for step in self._hand.steps:
            match step:
                case Acted():
                    yield self._act(step)
                case BoardDealt(street, cards):
                    self._street = street
                    self._bets.clear()
                    before = f"[{_cards(self._board)}] " if self._board else ""
                    yield f"*** {street.name} *** {before}[{_cards(cards)}]"
                    self._board += cards
                case Returned(seat, amount):
                    self._left[seat] += amount
                    yield f"Uncalled bet ({self._amount(amount)}) returned to {self._name[seat]}"
                case _:
                    pass

    def _act(self, step: Acted) -> str:
        name = self._name[step.seat]
        before = max(self._bets.values(), default=0)
        if step.do is Do.FOLD:
            self._folded[step.seat] = self._street
            return f"{name}: folds"
        if step.do is Do.CHECK:
            return f"{name}: checks"
        self._pay(step.seat, step.paid)
        self._paid.add(step.seat)
        self._bets[step.seat] = self._bets.get(step.seat, 0) + step.paid
        all_in = "" if self._left[step.seat] else " and is all-in"
        if step.do is Do.CALL:
            return f"{name}: calls {self._amount(step.paid)}{all_in}"
        if step.do is Do.BET:
            return f"{name}: bets {self._amount(step.to)}{all_in}"
        more, to = self._amount(step.to - before), self._amount(step.to)
        return f"{name}: raises {more} to {to}{all_in}"

    def _cancelled(self) -> Iterator[str]:
        """Every chip goes back where it came from (RULES 9)."""
        for one in self._hand.players:
            if put_in := one.stack - self._left[one.seat]:
                yield f"Uncalled bet ({self._amount(put_in)}) returned to {one.name}"
        yield "Hand cancelled"

    def _end(self) -> Iterator[str]:
        """The showdown, and who got what."""
        contested = len(self._hand.live) > 1
        if contested:
            yield "*** SHOW DOWN ***"
            for step in self._hand.steps:
                match step:
                    case Shown(seat, cards) if seat in self._hand.live and len(cards) > 1:
                        yield f"{self._name[seat]}: shows [{_cards(cards)}] ({self._worth(cards)})"
                    case Mucked(seat):
                        yield f"{self._name[seat]}: mucks hand"
                    case _:
                        pass
        for pot in reversed(self._hand.pots):
            for seat, chips in pot.shares:
                yield f"{self._name[seat]} collected {self._amount(chips)} from {self._pot(pot)}"

    def _pot(self, pot: PotWon) -> str:
        if len(self._hand.pots) == 1:
            return "pot"
        return "side pot" if pot.pot else "main pot"

    def _summary(self) -> Iterator[str]:
        hand = self._hand
        total = self._amount(sum(pot.amount for pot in hand.pots))
        amounts = [self._amount(pot.amount) for pot in hand.pots]
        sides, parts = amounts[1:], ""
        if len(sides) == 1:
            parts = f" Main pot {amounts[0]}. Side pot {sides[0]}."
        elif sides:
            each = (f"Side pot-{number} {side}." for number, side in enumerate(sides, start=1))
            parts = f" Main pot {amounts[0]}. {' '.join(each)}"
        yield f"Total pot {total}{parts} | Rake {self._amount(hand.rake)}"
        if self._board:
            yield f"Board [{_cards(self._board)}]"
        for one in sorted(hand.players, key=lambda one: one.seat):
            fate = self._fate(one) if hand.void is None else self._stood(one)
            yield f"Seat {one.seat + 1}: {one.name}{self._position(one.seat)}{fate}"

    def _position(self, seat: int) -> str:
        hand = self._hand
        if seat == hand.button:
            return " (button)"
        if seat == hand.small_blind:
            return " (small blind)"
        return " (big blind)" if seat == hand.big_blind else ""

    def _fate(self, one: Player) -> str:
        hand = self._hand
        won = sum(chips for pot in hand.pots for seat, chips in pot.shares if seat == one.seat)
        if one.seat in self._folded:
            return self._fold(one.seat)
        shown = self._shown(one.seat)
        if len(hand.live) == 1 or not shown:
            return f" collected ({self._amount(won)})" if won else " mucked"
        worth = self._worth(shown)
        if won:
            return f" showed [{_cards(shown)}] and won ({self._amount(won)}) with {worth}"
        return f" showed [{_cards(shown)}] and lost with {worth}"

    def _stood(self, one: Player) -> str:
        """Where a void hand came to nobody."""
        if one.seat in self._folded:
            return self._fold(one.seat)
        shown = self._shown(one.seat)
        # Never his name alone: it may end as another line does.
        return f" showed [{_cards(shown)}]" if shown else " was still in"

    def _fold(self, seat: int) -> str:
        idle = "" if seat in self._paid or seat in self._posters() else " (didn't bet)"
        return f" folded {FOLDED[self._folded[seat]]}{idle}"

    def _posters(self) -> set[int]:
        return {step.seat for step in self._hand.steps if isinstance(step, Posted)}

    def _shown(self, seat: int) -> tuple[int, ...]:
        return next(
            (
                step.cards
                for step in self._hand.steps
                if isinstance(step, Shown) and step.seat == seat and len(step.cards) > 1
            ),
            (),
        )

    def _worth(self, cards: tuple[int, ...]) -> str:
        board = self._hand.board
        return describe((*cards, *board)) if len(board) == FULL_BOARD else "no full board"

    def _pay(self, seat: int, amount: int) -> None:
        self._left[seat] -= amount

    def _amount(self, amount: int) -> str:
        return f"${plain(amount, self._hand.unit)}"


def _zone(at: datetime) -> str:
    """An abbreviation where it means this and nothing else to who reads it; Manila's PST would be
    taken for the Pacific's. Else as UTC+08.
    """
    offset = f"{at:%z}".removesuffix("00")
    name = at.tzname() or ""
    return name if ABBREVIATIONS.get(name) == offset else f"UTC{offset}"


def _cards(cards: tuple[int, ...]) -> str:
    return " ".join(map(text, cards))
