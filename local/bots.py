"""Bots: varied poker out of the choices that the server sends, and nothing else.

A bot never works out what is allowed. It rates its cards, and picks one of the offered choices by
its style and its seeded dice; the same seed plays the same hands.
"""

import asyncio
import contextlib
import random
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final

from local.client import Client, Refused, RequestError, Unanswered
from local.table_view import Json, TableView
from poker_engine.cards import DECK, card, rank, suit
from poker_engine.evaluator import evaluate

ROLLOUTS: Final = 24
"""Random run-outs that rate a hand after the flop."""
BUSY_TRIES: Final = 5
"""Times an action is sent while the table is busy."""
IN_LINE_SECONDS: Final = (8.0, 40.0)
"""How long a bot stays on a waiting list."""
NO_SEAT_SECONDS: Final = 0.3
"""Between two tries to find a seat."""
TOO_LATE: Final = ("stale_turn", "no_hand", "leaving", "not_seated")
"""What an action is refused with that came too late."""
GONE_ON: Final = frozenset(
    {*TOO_LATE, "price_changed", "your_turn", "nothing_to_prepare", "nothing_to_call", "busy"}
)
"""What is refused that was said beforehand, where the game went on meanwhile."""
NO_SEAT: Final = frozenset(
    {"seat_taken", "seat_reserved", "already_seated", "all_full", "table_closing", "busy"}
)
"""What a bot may well be refused that looks for a seat."""


@dataclass(frozen=True, slots=True)
class Choices:
    """What the seat whose turn it is may do, as the server sends it; amounts in minor units.

    `min_to` and `max_to` are None where nothing can be bet or raised.
    """

    hand: int
    number: int
    to_call: int
    call_to: int
    check: bool
    min_to: int | None
    max_to: int | None
    verb: str | None
    step: int

    @classmethod
    def of(cls, turn: Json) -> "Choices":
        """From the `turn` of a snapshot or push."""
        return cls(
            hand=turn["hand"],
            number=turn["number"],
            to_call=turn["to_call"],
            call_to=turn["call_to"],
            check=turn["check"],
            min_to=turn["min_to"],
            max_to=turn["max_to"],
            verb=turn["verb"],
            step=turn["step"],
        )


@dataclass(frozen=True, slots=True)
class Choice:
    """An action to send; `to` only with bet and raise."""

    do: str
    to: int | None = None

    def fields(self) -> dict[str, Any]:
        return {"do": self.do} if self.to is None else {"do": self.do, "to": self.to}


@dataclass(frozen=True, slots=True)
class Style:
    """How somebody plays, each from 0 to 1."""

    name: str
    loose: float
    """How little it takes to put chips in."""
    bold: float
    """How often chances to bet or raise are taken, with good cards and without."""
    shove: float
    """How often a bet or raise is the whole stack."""
    sleepy: float = 0.0
    """How often a turn is let go by."""


STYLES: Final = (
    Style("rock", loose=0.25, bold=0.35, shove=0.02),
    Style("shark", loose=0.45, bold=0.65, shove=0.05),
    Style("station", loose=0.85, bold=0.12, shove=0.01),
    Style("gambler", loose=0.75, bold=0.60, shove=0.20),
    Style("maniac", loose=0.90, bold=0.85, shove=0.30),
    Style("regular", loose=0.50, bold=0.45, shove=0.03),
)


def style_of(number: int, sleepy: float = 0.0) -> Style:
    """The styles in turn."""
    return replace(STYLES[number % len(STYLES)], sleepy=sleepy)


def rate(hole: Sequence[int], board: Sequence[int], dice: random.Random) -> float:
    """How good the cards are, from 0 to 1: a simple count pre-flop, random run-outs against one
    hand after it.
    """
    if not hole:
        return 0.0
    if not board:
        return _rate_preflop(hole)
    known = {*hole, *board}
    rest = [one for one in DECK if one not in known]
    need = 5 - len(board)
    won = 0.0
    for _ in range(ROLLOUTS):
        drawn = dice.sample(rest, need + 2)
        full = (*board, *drawn[2:])
        mine, other = evaluate((*hole, *full)), evaluate((*drawn[:2], *full))
        won += 1.0 if mine > other else 0.5 if mine == other else 0.0
    return won / ROLLOUTS


def _rate_preflop(hole: Sequence[int]) -> float:
    high, low = sorted((rank(one) for one in hole), reverse=True)
    if high == low:
        return 0.55 + 0.45 * high / 12
    score = (high + low) / 24 * 0.7
    if suit(hole[0]) == suit(hole[1]):
        score += 0.08
    if high - low <= 2:
        score += 0.06
    return min(score, 0.8)


class Policy:
    """One bot's mind: a style and its dice."""

    def __init__(self, style: Style, seed: int | str) -> None:
        self.style = style
        self._dice = random.Random(f"policy/{seed}/{style.name}")

    def choose(
        self, choices: Choices, hole: Sequence[int], board: Sequence[int], pot: int
    ) -> Choice | None:
        """One of the choices, or None for a turn that is let go by."""
        style, dice = self.style, self._dice
        if dice.random() < style.sleepy:
            return None
        strength = rate(hole, board, dice) + dice.gauss(0.0, 0.08)
        if choices.verb is not None and choices.min_to is not None and self._wants_more(strength):
            return Choice(choices.verb, self._size(choices, pot))
        if choices.check:
            # A fold where a check is free is allowed (RULES 3.8): now and then somebody does.
            return Choice("fold" if dice.random() < 0.004 else "check")
        price = choices.to_call / (pot + choices.to_call) if choices.to_call else 0.0
        needed = 0.38 + 0.7 * price - 0.36 * style.loose
        return Choice("call" if strength > needed else "fold")

    def _wants_more(self, strength: float) -> bool:
        style = self.style
        good = strength > 0.78 - 0.28 * style.loose
        return self._dice.random() < (0.85 * style.bold if good else 0.14 * style.bold)

    def _size(self, choices: Choices, pot: int) -> int:
        least, most = choices.min_to or 0, choices.max_to or 0
        if most <= least:
            return least
        dice = self._dice
        if dice.random() < self.style.shove:
            return most
        kind = dice.random()
        if kind < 0.35:
            to = least
        elif kind < 0.65:
            # A stop of the slider (RULES 8.3).
            to = least + choices.step * dice.randrange(1, 5)
        else:
            to = choices.call_to + round(dice.uniform(0.4, 1.1) * (pot + choices.to_call))
        return max(least, min(most, to))


class Way(StrEnum):
    """How a bot comes to a seat."""

    CHOOSE = "choose"
    """A free one at its table."""
    QUICK = "quick"
    """At the best table of its stake."""
    WAIT = "wait"
    """By the waiting list of its stake."""


@dataclass(frozen=True, slots=True)
class Habits:
    """What a seated bot does besides playing. Times in seconds, what is done now and then from 0 to
    1.
    """

    think: tuple[float, float] = (0.02, 0.08)
    chips: int | None = None
    """Buy-in; None takes what lies between the table's least and most."""
    stays: bool = True
    """Buys in again after losing all, and sits down again after a removal."""
    silent_from: int | None = None
    """Number of the hand of the table from which on it says nothing more."""
    ways: tuple[Way, ...] = (Way.CHOOSE,)
    """To a seat; one of them each time."""
    prepares: float = 0.0
    """Says on the turn of another what it will do on its own."""
    refills: float = 0.0
    """Between two hands lets its chips be topped up by themselves, or no more."""
    ignores: float = 0.0
    """Lets an offered seat go by."""


@dataclass
class Played:
    """What one bot did."""

    acts: int = 0
    stale: int = 0
    silent: int = 0
    refused: int = 0
    sits: int = 0
    quick: int = 0
    """Of the sits those at the best table of a stake, and those by an offer."""
    offered: int = 0
    waits: int = 0
    prepared: int = 0
    refills: int = 0


class Bot:
    """Sits down at a table over a client and plays until it is stopped.

    Where its habits say so it moves to other tables of the same stake: `table` is where it is now.
    """

    def __init__(
        self,
        client: Client,
        table: str,
        style: Style,
        seed: int | str,
        habits: Habits = Habits(),
        seat: int | None = None,
    ) -> None:
        self.client = client
        self.table = table
        self.policy = Policy(style, seed)
        self.habits = habits
        self.played = Played()
        self.refusals: list[str] = []
        """Codes of refusals that a bot should never meet."""
        self._dice = random.Random(f"bot/{seed}/{style.name}")
        self._wanted = seat
        self._done: tuple[int, int] = (0, 0)
        self._prepared: tuple[int, int] = (0, 0)
        self._refilled = 0
        self._stake: str | None = None
        self._sat = False

    async def run(self) -> None:
        """Play for ever; ends by being cancelled, or where the room lets nobody sit any more."""
        await self._insist(self.client.watch(self.table))
        async for _ in self.client.changes():
            view = self.client.views.get(self.table)
            if view is None:
                return
            if view.seq < 0 or not self.client.connected:
                continue
            mine = view.mine
            if mine is None:
                if self._sat and not self.habits.stays:
                    return
                await self._find_seat(view)
                continue
            self._sat = True
            turn = view.turn
            if turn is not None and turn["seat"] == mine:
                if (turn["hand"], turn["number"]) > self._done:
                    await self._act(view, turn)
            elif view.running is None:
                await self._between(view, mine)
            elif turn is not None:
                await self._prepare(view, turn)

    async def _find_seat(self, view: TableView) -> None:
        way = self._dice.choice(self.habits.ways) if self._sat else Way.CHOOSE
        try:
            if way is Way.QUICK:
                await self._sit_anywhere(view)
            elif way is Way.WAIT:
                await self._wait_in_line(view)
            else:
                await self._sit(view)
        except RequestError as error:
            self._note(error, NO_SEAT)
            await asyncio.sleep(NO_SEAT_SECONDS)
        except (Unanswered, KeyError):
            # A stake that is in the lobby no more.
            await asyncio.sleep(NO_SEAT_SECONDS)

    async def _sit(self, view: TableView) -> None:
        free = [number for number, seat in enumerate(view.seats) if seat is None]
        if not free:
            await asyncio.sleep(NO_SEAT_SECONDS)
            return
        seat = self._wanted if self._wanted in free else self._dice.choice(free)
        await self._buy_in_with("sit", view, table=view.table, seat=seat)
        await self._insist(self.client.sync(self.table))

    async def _sit_anywhere(self, view: TableView) -> None:
        structure = await self._structure()
        reply = await self._buy_in_with("quickseat", view, structure=structure)
        self.played.quick += 1
        await self._move(reply["table"])

    async def _wait_in_line(self, view: TableView) -> None:
        """Until a seat is offered and taken, or for as long as the bot has patience."""
        structure, client = await self._structure(), self.client
        await client.wait_in_line(structure)
        self.played.waits += 1
        loop = asyncio.get_running_loop()
        ends = loop.time() + self._dice.uniform(*IN_LINE_SECONDS)
        while loop.time() < ends:
            offer = client.offers.pop(structure, None)
            if offer is None or (offer.table is None and offer.waiting):
                await client.next_change(min(1.0, max(0.0, ends - loop.time())))
            elif offer.table is None:
                return
            elif self._dice.random() >= self.habits.ignores:
                client.lines.discard(structure)
                await self._take(offer.table)
                return
        await client.leave_line(structure)

    async def _take(self, table: str) -> None:
        """Sit down where a seat is offered."""
        view = await self.client.watch(table)
        await self._move(table)
        for seat in [number for number, one in enumerate(view.seats) if one is None]:
            try:
                await self._buy_in_with("sit", view, table=table, seat=seat)
            except RequestError as error:
                if error.code != "seat_taken":
                    raise
            else:
                self.played.offered += 1
                return

    async def _move(self, table: str) -> None:
        """Play at this table from here on."""
        if table == self.table:
            return
        old, self.table = self.table, table
        self._wanted = None
        self._done = self._prepared = (0, 0)
        await self._insist(self.client.unwatch(old))

    async def _structure(self) -> str:
        """Of its table's stake, as the lobby calls it. Raises KeyError where it shows none."""
        row = (await self.client.look_at_lobby()).table(self.table)
        if row is not None:
            self._stake = str(row["structure"])
        if self._stake is None:
            raise KeyError(self.table)
        return self._stake

    async def _buy_in_with(self, route: str, view: TableView, **fields: Any) -> Json:
        """A returning player brings what he is told to (RULES 1.4)."""
        fields |= {
            "chips": self.habits.chips or self._buy_in(view),
            "post": self._dice.random() < 0.5,
        }
        try:
            reply = await self.client.request(route, **fields)
        except RequestError as error:
            told = error.facts.get("amount") or error.facts.get("minimum")
            if error.code not in ("buy_in_fixed", "buy_in_too_small") or not told:
                raise
            reply = await self.client.request(route, **{**fields, "chips": told})
        self.played.sits += 1
        self._sat = True
        return reply

    def _buy_in(self, view: TableView) -> int:
        least, most = view.settings["minimum"], view.settings["maximum"]
        return int(self._dice.randint(least, most if most is not None else 4 * least))

    async def _act(self, view: TableView, turn: Json) -> None:
        hand = view.running
        self._done = (turn["hand"], turn["number"])
        if hand is None:
            return
        silent = self.habits.silent_from
        choice = None
        if silent is None or turn["hand"] < silent:
            await asyncio.sleep(self._dice.uniform(*self.habits.think))
            hole = [card(text) for text in view.hole]
            board = [card(text) for text in hand["board"]]
            choice = self.policy.choose(Choices.of(turn), hole, board, hand["pot"])
        if choice is None:
            self.played.silent += 1
            return
        fields = {"hand": turn["hand"], "turn": turn["number"], **choice.fields()}
        for _ in range(BUSY_TRIES):
            try:
                await self.client.request("act", table=self.table, **fields)
                self.played.acts += 1
            except RequestError as error:
                if error.code == "busy":
                    await asyncio.sleep(self._dice.uniform(0.05, 0.2))
                    continue
                if await self._came_too_late(view, error.code):
                    self.played.stale += 1
                else:
                    self._note(error, set())
            except Unanswered:
                pass
            return

    async def _came_too_late(self, view: TableView, code: str) -> bool:
        """Whether the room was right to refuse the bot's action with this code: its time ran out
        while it thought, or it left or was removed.
        """
        try:
            # The table as it is now, whatever has been pushed so far.
            await self.client.watch(self.table)
        except (RequestError, Unanswered):
            return code in TOO_LATE
        mine, now = view.mine, view.turn
        seat = None if mine is None else view.seats[mine]
        match code:
            case "stale_turn" | "no_hand":
                return now is None or (now["hand"], now["number"]) > self._done
            case "leaving":
                return seat is None or seat["exit"] is not None
            case "not_seated":
                return seat is None
        return False

    async def _prepare(self, view: TableView, turn: Json) -> None:
        """Now and then say on the turn of another what it will do on its own."""
        moment, seat, dice = (turn["hand"], turn["number"]), view.own, self._dice
        if not self.habits.prepares or moment <= self._prepared or seat is None:
            return
        self._prepared = moment
        playing = seat["in_hand"] and not seat["all_in"] and seat["exit"] is None
        silent = dice.random() < self.policy.style.sleepy
        if not playing or silent or dice.random() >= self.habits.prepares:
            return
        wishes = ["check_fold", "check_fold", "fold", "none"]
        if turn["price"] > seat["bet"]:
            wishes += ["call", "call"]
        fields = {"hand": turn["hand"], "price": turn["price"], "do": dice.choice(wishes)}
        if await self._ask("preact", GONE_ON, table=self.table, **fields):
            self.played.prepared += 1

    async def _between(self, view: TableView, mine: int) -> None:
        seat = view.seats[mine]
        if seat is None or seat["exit"] is not None:
            return
        least, most = view.settings["minimum"], view.settings["maximum"]
        if view.state["hands"] > self._refilled:
            self._refilled = view.state["hands"]
            if self._dice.random() < self.habits.refills:
                to = self._dice.choice((0, least, (most or 4 * least) // 2, most or 4 * least))
                self.played.refills += await self._ask(
                    "autotopup", {"busy", "leaving", "not_seated"}, table=self.table, to=to
                )
                return
        if seat["stack"] + seat["topup"] == 0 and self.habits.stays:
            if not seat.get("refill"):
                expected = {"busy", "buy_in_too_large", "leaving", "not_seated"}
                await self._ask("topup", expected, table=self.table, chips=least)
                await self._insist(self.client.sync(self.table))
        elif seat["status"] == "out" and seat["stack"] and self.habits.silent_from is None:
            expected = {"busy", "leaving", "no_chips", "not_seated"}
            await self._ask("sitin", expected, table=self.table, post=True)
            await self._insist(self.client.sync(self.table))

    async def _ask(self, route: str, expected: Collection[str], **fields: Any) -> bool:
        """Whether it was done; other refusals than those expected are noted."""
        try:
            await self.client.request(route, **fields)
        except RequestError as error:
            self._note(error, expected)
            return False
        except Unanswered:
            return False
        return True

    def _note(self, error: RequestError, expected: Collection[str]) -> None:
        self.played.refused += 1
        if error.code not in expected:
            self.refusals.append(f"{error.code}: {error}")

    async def _insist(self, asking: Any) -> None:
        with contextlib.suppress(RequestError, Unanswered, Refused):
            await asking
