"""Whole sessions at a table, played by choices that Hypothesis makes (or a seed).

A session is driven by bytes: each says what comes next, and where they end nobody does anything
more and the clock finishes the hand. So a failing session shrinks to few choices.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from hypothesis import strategies as st

from poker_engine.cards import DECK
from poker_engine.clock import Due, due, wake_at
from poker_engine.commands import (
    Act,
    AutoTopUp,
    Close,
    Command,
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
from poker_engine.decide import Advance, advance
from poker_engine.errors import Rejected
from poker_engine.events import Event, HandStarted, Opened
from poker_engine.evolve import open_table
from poker_engine.legal import Options, options
from poker_engine.stakes import Ante, Settings, Stakes, fixed_limit, no_limit, table_settings
from poker_engine.state import Do, Hand, PreDo, Table
from poker_engine.upkeep import refills

NOON = 1_764_000_000_000

_NO_LIMIT = no_limit("PHP", 500)
_FIXED = fixed_limit("USD", 300)
STAKES: tuple[Stakes, ...] = (
    _NO_LIMIT,
    _FIXED,
    no_limit("USD", 1, rake="none"),
    replace(_FIXED, small_blind=12, big_blind=25, small_bet=25, big_bet=50),
    replace(_NO_LIMIT, ante=200),
    replace(_NO_LIMIT, ante=1000, ante_by=Ante.BIG_BLIND),
    replace(_FIXED, ante=50),
)
"""Every game, rake schedule and ante, one with odd bets, one of single units."""

DEPTHS = (0.3, 1, 2, 3.5, 6, 10, 15, 40)
"""Stacks in big blinds: short ones give all-ins, incomplete raises, side pots."""

PAUSES = (1, 900, 900, 900, 3_000, 16_500)
"""Milliseconds between commands; the last is longer than a turn."""


@dataclass(frozen=True)
class Step:
    """One command, what it met, and what came of it."""

    before: Table
    command: Command
    now: int
    deck: tuple[int, ...] | None
    outcome: Advance | Rejected
    auto: bool = False
    """A top-up that the room makes by itself in the write that begins the hand (RULES 10.1)."""

    @property
    def table(self) -> Table:
        return self.before if isinstance(self.outcome, Rejected) else self.outcome.table

    @property
    def events(self) -> tuple[Event, ...]:
        return () if isinstance(self.outcome, Rejected) else self.outcome.events


@dataclass
class Session:
    """A table's life so far: `steps` in order. `played(data)` gives it again."""

    data: bytes
    settings: Settings = field(repr=False)
    table: Table = field(repr=False)
    now: int = field(default=NOON, repr=False)
    steps: list[Step] = field(default_factory=list, repr=False)
    decks: dict[str, tuple[int, ...]] = field(default_factory=dict, repr=False)

    @property
    def events(self) -> list[Event]:
        """The whole record, from the opening on."""
        return [Opened(self.settings), *(event for step in self.steps for event in step.events)]

    @property
    def deck(self) -> tuple[int, ...] | None:
        hand = self.table.hand
        return self.decks[hand.deck] if hand is not None else None

    def decide(
        self, command: Command, deck: tuple[int, ...] | None = None, *, auto: bool = False
    ) -> Step:
        deck = deck if deck is not None else self.deck
        outcome = advance(self.table, command, self.now, deck)
        step = Step(self.table, command, self.now, deck, outcome, auto)
        self.table = step.table
        self.steps.append(step)
        return step

    def hands(self) -> Iterator[list[Event]]:
        """The events of each hand that began, from its start to just before the next one's."""
        current: list[Event] | None = None
        for event in self.events:
            if isinstance(event, HandStarted):
                if current is not None:
                    yield current
                current = []
            if current is not None:
                current.append(event)
        if current is not None:
            yield current


class Choices:
    """Numbers out of bytes; zeros when they are used up."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def __bool__(self) -> bool:
        return self._at < len(self._data)

    def below(self, limit: int) -> int:
        """0 up to limit - 1."""
        value = 0
        for byte in self._data[self._at : self._at + (1 if limit <= 256 else 4)]:
            value = value << 8 | byte
        self._at += 1 if limit <= 256 else 4
        return value % limit

    def of[Item](self, items: Sequence[Item]) -> Item:
        return items[self.below(len(items))]


def shuffled(seed: int) -> tuple[int, ...]:
    deck = list(DECK)
    Random(seed).shuffle(deck)
    return tuple(deck)


def played(data: bytes) -> Session:
    """The session of these choices; at its end no hand runs."""
    choices = Choices(data)
    stakes = choices.of(STAKES)
    seats = 2 + choices.below(9)
    settings = replace(
        table_settings(stakes, seats),
        minimum=1,
        maximum=choices.of((None, 100 * stakes.big_blind)),
        uncapped_heads_up=choices.below(2) == 1,
        muck_losers=choices.below(2) == 1,
        time_bank_ms=choices.of((0, 0, 1_500, 20_000)),
    )
    session = Session(data, settings, open_table(settings))
    for seat in range(max(2, seats - choices.below(3))):
        session.decide(Sit(f"p{seat}", seat, int(choices.of(DEPTHS) * stakes.big_blind)))
    while choices and not session.table.closed:
        session.now += choices.of(PAUSES)
        _settle_due(session, choices)
        if session.table.closed:
            break
        may = options(session.table)
        if may is not None and (kind := choices.below(12)):
            if kind <= 3:
                session.decide(_pre_action(session, choices))
            else:
                session.decide(_action(session.table, may, choices))
        elif may is None and session.table.next_hand_at is not None and choices.below(4):
            session.now = max(session.now, session.table.next_hand_at)
            _settle_due(session, choices)
        else:
            session.decide(_other(session, choices))
    finish(session)
    return session


def finish(session: Session) -> None:
    """Nobody does anything more: time alone ends the running hand."""
    while session.table.running is not None:
        at = wake_at(session.table)
        assert at is not None, "a hand runs and nothing will ever be due"
        session.now = max(session.now, at)
        session.decide(Expire())


def _settle_due(session: Session, choices: Choices) -> None:
    while (what := due(session.table, session.now)) is not None:
        if what is Due.EXPIRE:
            session.decide(Expire())
        else:
            for _, player, chips in refills(session.table):
                session.decide(TopUp(player, chips), auto=True)
            name = f"deck-{len(session.decks)}"
            session.decks[name] = shuffled(choices.below(1 << 32))
            session.decide(Start(name, choices.below(2520)), session.decks[name])


def _action(table: Table, may: Options, choices: Choices) -> Act:
    """Something that the seat whose turn it is may do; calls and raises more often than folds."""
    do, to = Do.CHECK if may.check else Do.CALL, 0
    kind = choices.below(8)
    if kind == 0:
        do = Do.FOLD
    elif kind >= 5 and may.min_to is not None and may.max_to is not None:
        do = may.verb
        to = choices.of((may.min_to, may.min_to, may.max_to, 0))
        to = to or may.min_to + choices.below(may.max_to - may.min_to + 1)
    return act(table, may.seat, do, to)


def _pre_action(session: Session, choices: Choices) -> PreAct:
    """For one of the next, now and then at a price that is not the present one."""
    hand = session.table.hand
    assert hand is not None
    assert hand.turn is not None
    place = hand.dealt.index(hand.turn.seat) + 1 + choices.below(3)
    occupant = session.table.seats[hand.dealt[place % len(hand.dealt)]]
    player = "nobody" if occupant is None else occupant.player
    price = hand.price + (choices.below(6) == 0)
    kinds = (PreDo.CHECK_FOLD, PreDo.CHECK_FOLD, *PreDo, *PreDo, None)
    return PreAct(player, hand.number, price, choices.of(kinds))


def act(table: Table, seat: int, do: Do, to: int = 0) -> Act:
    """The command of an action on the running turn."""
    hand, occupant = table.hand, table.seats[seat]
    assert hand is not None
    assert hand.turn is not None
    assert occupant is not None
    return Act(occupant.player, hand.number, hand.turn.number, do, to)


def _other(session: Session, choices: Choices) -> Command:
    """Coming, going, and what goes wrong; much of it is refused."""
    seats = session.settings.seats
    big_blind = session.settings.stakes.big_blind
    player = f"p{choices.below(seats + 2)}"
    if session.table.frozen and choices.below(2) == 0:
        return Thaw()
    hand = session.table.hand
    number, turn = (hand.number, hand.turns) if hand is not None else (1, 1)
    commands: tuple[Command, ...] = (
        Sit(player, choices.below(seats), int(choices.of(DEPTHS) * big_blind), post=True),
        Sit(player, choices.below(seats), 40 * big_blind),
        SitIn(player, post=choices.below(2) == 1),
        SitIn(player, post=True),
        TopUp(player, choices.of((1, big_blind, 30 * big_blind))),
        SitOut(player, choices.of(tuple(When))),
        Leave(player, choices.of((When.NOW, When.BIG_BLIND))),
        Show(player, choices.of(((0,), (1,), (0, 1)))),
        Act(player, number, turn, choices.of(tuple(Do)), choices.of((0, big_blind, 1 << 30))),
        Void("fault") if choices.below(2) == 0 else Show(player),
        Close() if choices.below(12) == 0 else Show(_unseen(session.table) or player),
        AutoTopUp(player, choices.of((0, 10 * big_blind, 40 * big_blind, 100 * big_blind))),
        Freeze() if choices.below(4) == 0 else AutoTopUp(player, 30 * big_blind),
    )
    return choices.of(commands)


def _unseen(table: Table) -> str | None:
    """Who won the last hand without showing it, and still sits there."""
    hand = table.hand
    if hand is None or not hand.over or hand.live.bit_count() != 1:
        return None
    seat = table.seats[hand.live.bit_length() - 1]
    return None if seat is None else seat.player


def seeded(seed: int, length: int = 300) -> bytes:
    return Random(seed).randbytes(length)


def sessions(length: int = 300) -> st.SearchStrategy[Session]:
    """Played sessions: short ones, and long ones by seed."""
    data = st.binary(max_size=length) | st.integers(0, 2**32 - 1).map(
        lambda seed: seeded(seed, length)
    )
    return data.map(played)


def running(session: Session) -> Iterator[tuple[Step, Hand]]:
    """Steps after which a hand runs or has just ended, with it."""
    for step in session.steps:
        if step.table.hand is not None and step.events:
            yield step, step.table.hand
