"""Players for the search for collusion: each with a style, a few with a partner and an agreement.

Their hands are played by a dealer of their own, several times as fast as the engine: no-limit with
100 big blinds a player in each hand, so one pot, three raises a street, bets of part of the pot. A
hand comes out as records of a room do when they are read (`Finished`), with every card.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from random import Random
from typing import Final

from cli.finished import Finished, Player, Step
from poker_engine.cards import rank, suit
from poker_engine.evaluator import BEST, evaluate
from poker_engine.events import Acted, BoardDealt, Posted, PotWon, Returned
from poker_engine.stakes import no_limit
from poker_engine.state import BOARD_CARDS, Cause, Do, Post, Street

BLIND: Final = 1000
STACK: Final = 100 * BLIND
STAKES: Final = no_limit("PHP", BLIND // 2)
SEATS: Final = 6
RAISES: Final = 3
PLAYERS: Final = 200
SESSION: Final = 40
"""Hands that a table plays before others sit down."""
TOGETHER: Final = 0.8
"""How often two who know each other sit at the same table."""


class Deal(StrEnum):
    """What two have agreed on."""

    DUMP = "now and then the one puts in much with anything, and then folds, or calls when behind"
    DRIP = "the one gives chips in small pots: bets, and folds to any raise of the other"
    SOFT = "the two never bet into each other when nobody else is left"
    SQUEEZE = "the one raises after the other, whoever is between; alone, they stop"
    SIGNAL = "each knows the other's hand, and the worse one gets out of the way"


@dataclass(slots=True)
class Bot:
    name: str
    loose: float
    """0 to 1: with how weak a hand he stays in."""
    wild: float
    """0 to 1: how often he bets and raises."""
    heedful: float
    """0 to 1: how much he heeds who it is that bets."""
    deal: Deal | None = None
    partner: "Bot | None" = None
    gives: bool = False
    """Of the two the one who loses chips to the other."""
    friend: "Bot | None" = None
    """Somebody whom he sits with, and plays against as against anybody."""


def crowd(dice: Random, deals: Sequence[Deal] = tuple(Deal), friends: int = 12) -> list[Bot]:
    """`PLAYERS` of them in random order, a pair for each deal, and pairs of friends; of these some
    are alike, some a strong and a weak one, some two wild ones.
    """
    bots = [
        Bot(f"p{number:03d}", dice.betavariate(3, 4), dice.betavariate(3, 4), dice.random())
        for number in range(PLAYERS)
    ]
    places = list(range(PLAYERS))
    dice.shuffle(places)
    for deal in deals:
        one, other = bots[places.pop()], bots[places.pop()]
        one.deal = other.deal = deal
        one.partner, other.partner = other, one
        one.gives = True
    for number in range(friends):
        one, other = bots[places.pop()], bots[places.pop()]
        one.friend, other.friend = other, one
        if number % 3 == 1:
            one.loose, one.wild, other.loose, other.wild = 0.95, 0.1, 0.25, 0.6
        elif number % 3 == 2:
            one.loose = one.wild = other.loose = other.wild = 0.9
    return bots


def planted(bots: Sequence[Bot]) -> set[tuple[str, str]]:
    return {
        (one.name, one.partner.name)
        for one in bots
        if one.partner is not None and one.name < one.partner.name
    }


def played(seed: int, hands: int) -> tuple[list[Bot], Iterator[Finished]]:
    """The bots of this seed, and their hands as they are played."""
    dice = Random(f"collusion {seed}")
    bots = crowd(dice)
    return bots, _hands(dice, bots, hands)


def _hands(dice: Random, bots: Sequence[Bot], hands: int) -> Iterator[Finished]:
    number = 0
    tables = 0
    while number < hands:
        for seated in _tables(dice, bots):
            tables += 1
            for one in range(SESSION):
                number += 1
                yield _Hand(dice, seated, one % SEATS, f"t-{tables}", one + 1).play()
                if number == hands:
                    return


def _tables(dice: Random, bots: Sequence[Bot]) -> Iterator[list[Bot]]:
    """All sit down, as far as tables are full; two who know each other mostly side by side."""
    groups: list[list[Bot]] = []
    taken: set[str] = set()
    for bot in dice.sample(list(bots), len(bots)):
        known = bot.partner or bot.friend
        if bot.name in taken:
            continue
        group = [bot]
        if known is not None and known.name not in taken and dice.random() < TOGETHER:
            group.append(known)
        taken |= {one.name for one in group}
        groups.append(group)
    groups.sort(key=len, reverse=True)
    tables: list[list[Bot]] = [[] for _ in range(len(bots) // SEATS)]
    for number, group in enumerate(groups):
        for shift in range(len(tables)):
            table = tables[(number + shift) % len(tables)]
            if len(table) + len(group) <= SEATS:
                table += group
                break
    for table in tables:
        dice.shuffle(table)
        yield table


class _Hand:
    def __init__(
        self, dice: Random, seated: Sequence[Bot], button: int, table: str, number: int
    ) -> None:
        self._dice = dice
        self._bots = seated
        self._table, self._number, self._button = table, number, button
        count = len(seated)
        self._order = [(button + place) % count for place in range(1, count + 1)]
        cards = dice.sample(range(52), 2 * count + 5)
        self._hole = [(cards[2 * seat], cards[2 * seat + 1]) for seat in range(count)]
        self._deck_board = tuple(cards[2 * count :])
        self._board: tuple[int, ...] = ()
        self._stacks = [STACK] * count
        self._totals = [0] * count
        self._bets = [0] * count
        self._live = list(self._order)
        self._steps: list[Step] = []
        self._strengths: dict[int, float] = {}
        self._raiser: int | None = None
        self._raises = 0
        self._street = Street.PREFLOP

    def play(self) -> Finished:
        small, big = self._order[0], self._order[1]
        for seat, post, amount in (
            (small, Post.SMALL_BLIND, BLIND // 2),
            (big, Post.BIG_BLIND, BLIND),
        ):
            self._put(seat, amount)
            self._steps.append(Posted(seat, post, amount))
        self._round([*self._order[2:], small, big])
        for street in (Street.FLOP, Street.TURN, Street.RIVER):
            if len(self._live) == 1:
                break
            self._street = street
            cards = self._deck_board[BOARD_CARDS[street - 1] : BOARD_CARDS[street]]
            self._board += cards
            self._steps.append(BoardDealt(street, cards))
            self._bets = [0] * len(self._bets)
            self._strengths, self._raiser, self._raises = {}, None, 0
            if all(self._stacks[seat] for seat in self._live):
                self._round(list(self._live))
        return self._settled(small, big)

    def _put(self, seat: int, amount: int) -> None:
        self._stacks[seat] -= amount
        self._totals[seat] += amount
        self._bets[seat] += amount

    def _round(self, to_act: list[int]) -> None:
        while to_act and len(self._live) > 1:
            seat = to_act.pop(0)
            price = max(self._bets)
            do, to = self._decide(seat, price)
            paid = 0 if do in (Do.FOLD, Do.CHECK) else to - self._bets[seat]
            self._put(seat, paid)
            self._steps.append(Acted(seat, do, self._bets[seat], paid, Cause.OWN))
            if do is Do.FOLD:
                self._live.remove(seat)
            elif do in (Do.BET, Do.RAISE):
                self._raiser = seat
                self._raises += 1
                place = self._live.index(seat)
                others = self._live[place + 1 :] + self._live[:place]
                to_act = [one for one in others if self._stacks[one]]

    # What a bot does

    def _decide(self, seat: int, price: int) -> tuple[Do, int]:
        bot, owed = self._bots[seat], price - self._bets[seat]
        wish = self._wish(seat, bot, owed)
        if wish == "raise" and (self._raises >= RAISES or self._stacks[seat] <= owed):
            wish = "call"
        if wish == "fold" and not owed:
            wish = "call"
        if wish == "raise":
            pot = sum(self._totals) + owed
            more = int(pot * (0.5 + 0.5 * self._dice.random())) // 100 * 100
            to = min(price + max(more, BLIND), self._bets[seat] + self._stacks[seat])
            return (Do.RAISE if price else Do.BET), to
        if wish == "fold":
            return Do.FOLD, 0
        return (Do.CALL, price) if owed else (Do.CHECK, 0)

    def _wish(self, seat: int, bot: Bot, owed: int) -> str:
        partner = bot.partner
        if partner is not None:
            other = next((one for one in self._live if self._bots[one] is partner), None)
            if other is not None:
                wish = self._agreed(seat, bot, other, owed)
                if wish is not None:
                    return wish
        return self._honest(seat, bot, owed)

    def _agreed(self, seat: int, bot: Bot, other: int, owed: int) -> str | None:
        """None where the agreement says nothing. Nobody keeps to it always."""
        dice = self._dice
        alone, from_him = len(self._live) == 2, self._raiser == other
        match bot.deal:
            case Deal.DUMP if self._number % 11:
                return None  # Only now and then, so that it looks like bad luck.
            case Deal.DUMP if bot.gives:
                if self._street is Street.PREFLOP:
                    return "raise" if self._raises < 2 else "call"
                if not alone:
                    return None
                if from_him and self._street > Street.FLOP:
                    # He knows what the other has.
                    return "call" if self._strength(seat) < self._strength(other) else "fold"
                return "call" if owed else "raise"
            case Deal.DUMP:
                return "raise" if from_him else None
            case Deal.DRIP if bot.gives:
                if self._street is Street.PREFLOP and from_him and dice.random() < 0.5:
                    return "call"
                if alone and self._street and dice.random() < 0.8:
                    return "fold" if from_him else "raise"
                return None
            case Deal.DRIP:
                return "raise" if alone and from_him and dice.random() < 0.8 else None
            case Deal.SOFT:
                if alone and dice.random() < 0.85:
                    return "call" if not owed or self._strength(seat) > 0.45 else "fold"
                return None
            case Deal.SQUEEZE:
                if alone and dice.random() < 0.7:
                    return "fold" if owed and self._strength(seat) < 0.6 else "call"
                if not alone and from_him and dice.random() < 0.4:
                    return "raise"
                return None
            case Deal.SIGNAL:
                if not (alone or from_him) or dice.random() < 0.2:
                    return None
                worse = self._strength(seat) < self._strength(other)
                if owed and worse:
                    return "fold"
                return "call" if alone else None
            case _:
                return None

    def _honest(self, seat: int, bot: Bot, owed: int) -> str:
        dice = self._dice
        strength = self._strength(seat) + dice.gauss(0, 0.06)
        many = 0.03 * (len(self._live) - 2)
        if self._raiser is not None and self._raiser != seat:
            # Of who bets much, it means less; and who folds much is bluffed more.
            raiser = self._bots[self._raiser]
            strength += bot.heedful * 0.25 * (raiser.wild - 0.43)
        bluff = 0.10 * bot.wild
        if len(self._live) == 2:
            other = self._bots[self._live[0] if self._live[1] == seat else self._live[1]]
            bluff += bot.heedful * 0.08 * (0.43 - other.loose)
        if not owed or (self._street is Street.PREFLOP and self._raises == 0):
            if strength > 0.72 - 0.30 * bot.wild + many or dice.random() < bluff:
                return "raise"
            if not owed or strength > 0.58 - 0.3 * bot.loose:
                return "call"
            return "fold"
        dear = 0.12 * self._raises + 0.2 * owed / (sum(self._totals) + owed)
        if strength > 0.80 - 0.22 * bot.wild + dear or dice.random() < bluff / 2:
            return "raise"
        return "call" if strength > 0.48 - 0.26 * bot.loose + dear else "fold"

    def _strength(self, seat: int) -> float:
        """0 to 1: about how often it beats another hand."""
        known = self._strengths.get(seat)
        if known is None:
            first, second = self._hole[seat]
            known = _later(first, second, self._board) if self._board else _first(first, second)
            self._strengths[seat] = known
        return known

    # What comes of it

    def _settled(self, small: int, big: int) -> Finished:
        *_, second, highest = sorted(self._totals)
        steps, totals = self._steps, list(self._totals)
        if highest > second:
            seat = totals.index(highest)
            steps.append(Returned(seat, highest - second))
            totals[seat] = second
        pot = sum(totals)
        rake = min(pot // 20, 5 * BLIND) if self._board else 0
        scores = self._scores()
        best = max(scores.values())
        winners = [seat for seat, score in scores.items() if score == best]
        share, rest = divmod(pot - rake, len(winners))
        shares = tuple(
            (seat, share + (rest if place == 0 else 0)) for place, seat in enumerate(winners)
        )
        steps.append(PotWon(0, pot, rake, tuple(self._live), shares))
        won = dict(shares)
        return Finished(
            table=self._table,
            number=self._number,
            stakes=STAKES,
            seats=SEATS,
            button=self._button,
            small_blind=small,
            big_blind=big,
            players=tuple(
                Player(
                    seat,
                    self._bots[seat].name,
                    STACK,
                    STACK - totals[seat] + won.get(seat, 0),
                    self._hole[seat],
                )
                for seat in self._order
            ),
            steps=tuple(steps),
        )

    def _scores(self) -> dict[int, int]:
        if len(self._live) == 1:
            return {self._live[0]: 1}
        return {seat: evaluate(self._hole[seat] + self._deck_board) for seat in self._live}


def _first(one: int, other: int) -> float:
    high, low = max(rank(one), rank(other)), min(rank(one), rank(other))
    if high == low:
        return 0.5 + high / 26
    return 0.02 + high / 24 + low / 40 + 0.05 * (suit(one) == suit(other)) - 0.01 * (high - low)


_SCORES: Final = (1, 1278, 2600, 3500, 4138, 4996, BEST + 1)
_VALUES: Final = (0.05, 0.38, 0.52, 0.66, 0.82, 0.92, 1.0)


def _later(one: int, other: int, board: tuple[int, ...]) -> float:
    score = evaluate((one, other, *board))
    for place in range(len(_SCORES) - 1):
        low, high = _SCORES[place], _SCORES[place + 1]
        if score < high:
            share = (score - low) / (high - low)
            return _VALUES[place] + share * (_VALUES[place + 1] - _VALUES[place])
    return 1.0
