"""A table at play, for tests that read as sentences.

    game = given(stacks=[25, 1000, 25], holes={0: "AsAh"}, board="2c3c4c5c6c")  # 5/10
    game.play("s2 raises 20, s0 calls, s1 folds")
    assert game.hand.price == 20

`given` opens a table, seats everybody and deals a hand at once; `opened` gives an empty table on
which players sit, leave and wait (`sit`, `next_hand`, `fold_out` ...). Seats count from 0. In
`given` s0 is the first left of the button, as in the worked cases, and the player in s3 is "p3".

Every step proves two laws on the way: the events alone give the same table, and no chip is made
or lost.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from poker_engine.buyin import Left
from poker_engine.cards import DECK, parse_cards
from poker_engine.chips import chips_on_table
from poker_engine.clock import Due, due
from poker_engine.commands import (
    Act,
    AutoTopUp,
    Close,
    Command,
    Deal,
    Expire,
    Freeze,
    Leave,
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
from poker_engine.decide import advance
from poker_engine.errors import Rejected
from poker_engine.events import (
    Acted,
    Event,
    Opened,
    Posted,
    PotWon,
    Returned,
    Seated,
    SeatEmptied,
    Shown,
    ToppedUp,
)
from poker_engine.evolve import evolve, open_table
from poker_engine.legal import Options, options
from poker_engine.replay import replay
from poker_engine.stakes import Settings, Stakes, no_limit, table_settings
from poker_engine.state import Do, Hand, Post, Seat, Standing, Table
from poker_engine.upkeep import refills

NOON = 1_764_000_000_000
"""When tests begin: a whole second."""
SECOND = 1_000
MINUTE = 60 * SECOND

STAKES = no_limit("PHP", 5, rake="none")
"""5/10 without rake, as most worked cases are played."""

_VERBS = {
    "folds": Do.FOLD,
    "checks": Do.CHECK,
    "calls": Do.CALL,
    "bets": Do.BET,
    "raises": Do.RAISE,
}


def deck_for(
    dealt: Sequence[int], holes: Mapping[int, str] | None = None, board: str = ""
) -> tuple[int, ...]:
    """A whole deck that deals these hole cards (by seat) and this board, filled up by the others.

    `dealt` are the seats in dealing order, from the left of the button.
    """
    wanted = {seat: parse_cards(cards) for seat, cards in (holes or {}).items()}
    on_board = parse_cards(board)
    named = {card for cards in (*wanted.values(), on_board) for card in cards}
    spare = iter([card for card in DECK if card not in named])
    unknown = {seat: (next(spare), next(spare)) for seat in dealt if seat not in wanted}
    pairs = [(wanted | unknown)[seat] for seat in dealt]
    front = [pair[0] for pair in pairs] + [pair[1] for pair in pairs] + list(on_board)
    return (*front, *spare)


class Game:
    """A table, its time and its decks. `last` are the events of the last command, `log` all."""

    def __init__(self, settings: Settings, now: int = NOON) -> None:
        self.table: Table = open_table(settings)
        self.now = now
        self.log: list[Event] = [Opened(settings)]
        self.last: tuple[Event, ...] = ()
        self._decks: dict[str, tuple[int, ...]] = {}
        self._owed = 0

    # --- commands -------------------------------------------------------------------------------

    def tries(self, command: Command, deck: tuple[int, ...] | None = None) -> Rejected | None:
        """Decide a command now; None if it was accepted."""
        hand = self.table.hand
        if deck is None and hand is not None:
            deck = self._decks.get(hand.deck)
        outcome = advance(self.table, command, self.now, deck)
        if isinstance(outcome, Rejected):
            return outcome
        table = self.table
        for event in outcome.events:
            table = evolve(table, event)
            match event:
                case Seated() | ToppedUp():
                    self._owed += event.chips
                case SeatEmptied():
                    self._owed -= event.chips
                case PotWon():
                    self._owed -= event.rake
                case _:
                    pass
        assert table == outcome.table, "the events do not give the table back"
        self.table = table
        self.last = outcome.events
        self.log += outcome.events
        self._no_chip_is_made_or_lost()
        return None

    def do(self, command: Command, deck: tuple[int, ...] | None = None) -> tuple[Event, ...]:
        """Decide a command that has to be accepted; its events."""
        refusal = self.tries(command, deck)
        assert refusal is None, f"{command} was refused: {refusal}"
        return self.last

    def refuses(self, command: Command) -> Rejected:
        """Decide a command that has to be refused; the refusal."""
        before = self.table
        refusal = self.tries(command)
        assert refusal is not None, f"{command} was accepted: {self.last}"
        assert self.table is before
        return refusal

    def sit(
        self,
        player: str,
        seat: int,
        chips: int = 1000,
        *,
        post: bool = False,
        left: tuple[Left, ...] = (),
    ) -> None:
        self.do(Sit(player, seat, chips, post, left))

    def sit_out(self, player: str, when: When = When.NOW) -> None:
        self.do(SitOut(player, when))

    def sit_in(self, player: str, *, post: bool = False) -> None:
        self.do(SitIn(player, post))

    def leave(self, player: str, when: When = When.NOW) -> None:
        self.do(Leave(player, when))

    def top_up(self, player: str, chips: int) -> None:
        self.do(TopUp(player, chips))

    def auto_top_up(self, player: str, to: int) -> None:
        self.do(AutoTopUp(player, to))

    def refill(self) -> None:
        """Top up whoever buys by himself, as the room does before a hand; everybody has money."""
        for _, player, chips in refills(self.table):
            self.top_up(player, chips)

    def show(self, player: str, *cards: int) -> None:
        self.do(Show(player, cards or (0, 1)))

    def void(self) -> None:
        self.do(Void("fault"))

    def close(self) -> None:
        self.do(Close())

    def freeze(self) -> None:
        self.do(Freeze())

    def thaw(self) -> None:
        self.do(Thaw())

    # --- time -----------------------------------------------------------------------------------

    def wait(self, ms: int) -> None:
        """Time passes; what falls due then is not decided yet (`settle_due`)."""
        self.now += ms

    def settle_due(self, draw: int = 0) -> None:
        """Decide whatever is due now, as the room does before a command."""
        while (what := due(self.table, self.now)) is not None:
            if what is Due.EXPIRE:
                self.do(Expire())
            else:
                self.start(draw)

    def expire(self) -> tuple[Event, ...]:
        """The time of the running turn runs out."""
        turn = self.hand.turn
        assert turn is not None, "it is nobody's turn"
        self.now = max(self.now, turn.expires)
        return self.do(Expire())

    # --- hands ----------------------------------------------------------------------------------

    def start(
        self, draw: int = 0, *, holes: Mapping[int, str] | None = None, board: str = ""
    ) -> tuple[Event, ...]:
        """Decide `Start` now. Where the button is drawn the draw-th player gets it."""
        command = Start(f"deck {len(self._decks)}", draw)
        # The order of dealing is known only after the layout: decide once for it, then for good.
        trial = advance(self.table, command, self.now, DECK)
        deck = DECK
        if not isinstance(trial, Rejected) and trial.table.hand is not None:
            deck = deck_for(trial.table.hand.dealt, holes, board)
        self._decks[command.deck] = deck
        return self.do(command, deck)

    def next_hand(
        self, draw: int = 0, *, holes: Mapping[int, str] | None = None, board: str = ""
    ) -> tuple[Event, ...]:
        """The pause passes and the next hand begins (or does not: fewer than two can play)."""
        at = self.table.next_hand_at
        assert at is not None, "no hand is due"
        self.now = max(self.now, at)
        return self.start(draw, holes=holes, board=board)

    def deal(
        self,
        *,
        button: int,
        small_blind: int | None,
        big_blind: int | None,
        dealt: Sequence[int],
        posts: Sequence[tuple[int, Post, int]],
        holes: Mapping[int, str] | None = None,
        board: str = "",
    ) -> tuple[Event, ...]:
        """Begin a hand with a layout of the test's own: `dealt` in dealing order, posts in full."""
        name = f"deck {len(self._decks)}"
        self._decks[name] = deck_for(dealt, holes, board)
        command = Deal(name, button, small_blind, big_blind, tuple(dealt), tuple(posts))
        return self.do(command, self._decks[name])

    def fold_out(self) -> None:
        """Everybody whose turn it is folds, until the hand is over."""
        while (may := self.may) is not None:
            self.acts(may.seat, Do.FOLD)

    def check_down(self) -> None:
        """Everybody whose turn it is checks or calls, until the hand is over."""
        while (may := self.may) is not None:
            self.acts(may.seat, Do.CHECK if may.check else Do.CALL)

    def next_hands(self, number: int, draw: int = 0) -> None:
        """So many hands, each folded out."""
        for _ in range(number):
            self.next_hand(draw)
            self.fold_out()

    def play_until(self, done: Callable[[], bool], at_most: int = 20) -> None:
        """Hands are folded out until one has begun of which this is true."""
        for _ in range(at_most):
            self.fold_out()
            self.next_hand()
            if done():
                return
        raise AssertionError(f"not in {at_most} hands")

    # --- acting ---------------------------------------------------------------------------------

    def play(self, script: str) -> None:
        """Actions in words: "s2 raises 40, s0 calls, s1 is all-in". Amounts are street totals."""
        for words in filter(None, (part.split() for part in script.split(","))):
            seat = int(words[0].removeprefix("s"))
            if words[1:] == ["is", "all-in"]:
                self.all_in(seat)
            else:
                self.acts(seat, _VERBS[words[1]], int(words[2]) if len(words) > 2 else 0)

    def acts(self, seat: int, do: Do, to: int = 0) -> tuple[Event, ...]:
        return self.do(self.act(seat, do, to))

    def all_in(self, seat: int) -> None:
        """He puts in all that he has: a call where the price takes it all, else a bet or raise."""
        may = self.options(seat)
        most = self.hand.bets[seat] + self.hand.behind[seat]
        if may.price >= most:
            self.acts(seat, Do.CALL)
        else:
            self.acts(seat, may.verb, most)

    def refuses_act(self, seat: int, do: Do, to: int = 0) -> Rejected:
        return self.refuses(self.act(seat, do, to))

    def act(self, seat: int, do: Do, to: int = 0) -> Act:
        """The command of an action on the running turn, whoever's it is."""
        turn = self.hand.turn
        return Act(self.seat(seat).player, self.hand.number, turn.number if turn else 0, do, to)

    # --- looking --------------------------------------------------------------------------------

    @property
    def hand(self) -> Hand:
        """The running hand, or the one just over."""
        assert self.table.hand is not None, "no hand was ever dealt"
        return self.table.hand

    @property
    def may(self) -> Options | None:
        """What the seat whose turn it is may do."""
        return options(self.table)

    def options(self, seat: int) -> Options:
        """The same, and it has to be this seat's turn."""
        may = self.may
        assert may is not None, "it is nobody's turn"
        assert may.seat == seat, f"it is s{may.seat}'s turn, not s{seat}'s"
        return may

    @property
    def turn_of(self) -> int | None:
        """The seat whose turn it is."""
        return None if self.may is None else self.may.seat

    @property
    def deck(self) -> tuple[int, ...]:
        """The deck of the running hand, or of the one just over."""
        return self._decks[self.hand.deck]

    def seat(self, number: int) -> Seat:
        seat = self.table.seats[number]
        assert seat is not None, f"nobody sits in s{number}"
        return seat

    def standing(self, number: int) -> Standing:
        return self.seat(number).standing

    def owes(self, number: int) -> tuple[bool, bool]:
        """Whether the seat owes a small blind, and a big one."""
        standing = self.standing(number)
        return standing.owes_small, standing.owes_big

    def is_empty(self, number: int) -> bool:
        return self.table.seats[number] is None

    @property
    def stacks(self) -> list[int]:
        """Stacks of all seats; of a running hand those before it. Empty seats count 0."""
        return [0 if seat is None else seat.stack for seat in self.table.seats]

    @property
    def blinds(self) -> tuple[int, int | None, int | None]:
        """Button, small blind and big blind of the running hand."""
        return self.hand.button, self.hand.small_blind, self.hand.big_blind

    @property
    def pots(self) -> list[int]:
        """Settled pots from the main one on, rake included."""
        return [pot.amount for pot in self.hand.pots]

    @property
    def rake(self) -> int:
        """Taken of the settled hand."""
        return sum(pot.rake for pot in self.hand.pots)

    @property
    def posts(self) -> list[tuple[int, Post, int]]:
        """(seat, kind, amount) posted by the last command."""
        return [(one.seat, one.post, one.amount) for one in self.of(Posted)]

    @property
    def acted(self) -> list[tuple[int, Do]]:
        """(seat, action) of the last command, automatic ones included."""
        return [(one.seat, one.do) for one in self.of(Acted)]

    @property
    def returned(self) -> list[tuple[int, int]]:
        """(seat, amount) of uncalled parts that went back with the last command."""
        return [(one.seat, one.amount) for one in self.of(Returned)]

    @property
    def shown(self) -> list[int]:
        """Seats in the order in which the last command turned their cards up."""
        return [one.seat for one in self.of(Shown)]

    @property
    def left(self) -> list[SeatEmptied]:
        """Seats that the last command emptied."""
        return self.of(SeatEmptied)

    def of[Kind](self, kind: type[Kind]) -> list[Kind]:
        """Events of this kind among those of the last command."""
        return [event for event in self.last if isinstance(event, kind)]

    def replayed(self) -> Table:
        """The table that the record alone gives."""
        return replay(self.log)

    # --- laws -----------------------------------------------------------------------------------

    def _no_chip_is_made_or_lost(self) -> None:
        table, hand = self.table, self.table.running
        if hand is None:
            assert chips_on_table(table) == self._owed
            return
        in_play = sum(hand.behind) + sum(hand.totals) + hand.dead
        assert in_play == sum(self.seat(number).stack for number in hand.dealt)
        assert all(chips >= 0 for chips in (*hand.behind, *hand.totals, *hand.bets))


def opened(stakes: Stakes = STAKES, seats: int = 6, **changes: Any) -> Game:
    """An empty table with the room's usual settings; `changes` are fields of `Settings`."""
    return Game(replace(table_settings(stakes, seats), **changes))


def given(
    stacks: Sequence[int],
    stakes: Stakes = STAKES,
    *,
    holes: Mapping[int, str] | None = None,
    board: str = "",
    **changes: Any,
) -> Game:
    """A first hand just dealt, one player a stack, without buy-in limits.

    Seat 0 is the first left of the button: s0 small blind, s1 big blind, the last seat the button;
    of two players s0 is the big blind, s1 the button and small blind.
    """
    game = opened(stakes, len(stacks), **{"minimum": 1, "maximum": None} | changes)
    for seat, chips in enumerate(stacks):
        game.sit(f"p{seat}", seat, chips)
    game.next_hand(len(stacks) - 1, holes=holes, board=board)
    return game


def table_of(
    *seats: int, of: int = 6, button: int, stakes: Stakes = STAKES, **changes: Any
) -> Game:
    """Players in these seats, each with the maximum, in their first hand; `button` drew the button.

    The player in seat 3 is called "p3".
    """
    game = opened(stakes, of, **changes)
    for seat in seats:
        game.sit(f"p{seat}", seat, game.table.settings.maximum or 100 * stakes.big_blind)
    game.next_hand(sorted(seats).index(button))
    return game
