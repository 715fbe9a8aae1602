"""An operator on simulated time, who does by the command line's own code what operators do.

What he has begun he ends: what is frozen is thawed, who is suspended may play again.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from cardroom import keys
from cardroom.accounts import DynamoAccounts
from cardroom.aws import ApiCloser
from cardroom.bank import Bank, BankCode, Booked, Declined, Order
from cardroom.connections import DynamoViews
from cardroom.errors import WalletError
from cardroom.money import Player
from cardroom.store import DynamoTables
from cardroom.systemclock import SystemClock
from cardroom.trouble import passes
from cli.players import put_out
from cli.served import Failed
from cli.tables import closed, frozen, opened, thawed
from cli.voiding import void
from poker_engine.state import Hand, Table
from tests.simulation.cloud import ENVIRONMENT, TABLE, Cloud
from tests.simulation.laws import Laws
from tests.simulation.plans import Opening, Plan
from tests.simulation.scheduler import Killed

ORDER: Final = Order("simulation", "to play with")
TICK_MS: Final = 5_000
AGAIN_MS: Final = 2_000


@dataclass
class Operator:
    cloud: Cloud
    laws: Laws
    plan: Plan
    seed: int
    _opened: int = 0
    _deposits: int = 0
    _frozen: set[str] = field(default_factory=set)
    _suspended: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._dice = Random(f"operator/{self.seed}")
        self._store = DynamoTables(TABLE)
        accounts = DynamoAccounts.beside(self._store)
        self._bank = Bank(accounts, SystemClock())
        self._views = DynamoViews(TABLE, client=self._store._client)
        self._closer = ApiCloser(ENVIRONMENT["CALLBACK_URL"])

    def open_the_room(self) -> None:
        """Tables, players and their money, before anything can go wrong."""
        for opening in self.plan.openings:
            opened(self._store, opening.table, opening.settings, most=opening.most)
        for habits in self.plan.players:
            self._bank.create(habits.player, ORDER)
        for (player, currency), amount in self.plan.money.items():
            self._bank.deposit(player, currency, amount, f"first {currency}", ORDER)

    def start(self) -> None:
        self.cloud.scheduler.after(TICK_MS, self._tick)

    def _tick(self) -> None:
        faults = self.cloud.faults
        if faults.calm:
            return
        self.cloud.scheduler.after(TICK_MS, self._tick)
        table = self._dice.choice(sorted(self.laws.tables))
        player = self._dice.choice(self.plan.players).player
        if faults.strikes("table frozen") and table not in self._frozen:
            self._frozen.add(table)
            self._freeze(table)
        if faults.strikes("table closed"):
            self._close(table)
        if faults.strikes("hand voided"):
            self._void(table)
        if faults.strikes("deck lost"):
            self._lose_deck(table)
        if faults.strikes("player suspended") and player not in self._suspended:
            self._suspended.add(player)
            self._do(lambda: self._suspend(player), then=lambda: self._lift(player))
        if self._dice.random() < 0.05:
            self._deposit(player)

    def _void(self, name: str) -> None:
        hand = self._struck(name)
        if hand is not None:
            self._do(lambda: void(self._store, name, hand.number, ORDER.why))

    def _lose_deck(self, name: str) -> None:
        hand = self._struck(name)
        if hand is not None:
            self.cloud.lose(keys.secret(name), hand.deck)

    def _struck(self, name: str) -> Hand | None:
        """The hand that runs, which may be void from now on."""
        hand = self._table(name).running
        if hand is not None:
            self.laws.referee.voidable.add((name, hand.number))
        return hand

    def _later(self, do: Callable[[], None], most: int = 30_000) -> None:
        self.cloud.scheduler.after(self._dice.randint(3_000, most), do)

    def _freeze(self, name: str) -> None:
        self._do(
            lambda: frozen(self._store, name),
            lambda: self._table(name).frozen or self._table(name).closing,
            # Longer than one may sit out.
            lambda: self._later(lambda: self._thaw(name), 80_000),
        )

    def _thaw(self, name: str) -> None:
        self._frozen.discard(name)
        self._do(
            lambda: thawed(self._store, name),
            lambda: not self._table(name).frozen or self._table(name).closing,
        )

    def _close(self, name: str) -> None:
        self._do(
            lambda: closed(self._store, name),
            lambda: self._table(name).closing,
            lambda: self._later(lambda: self._open(name)),
        )

    def _table(self, name: str) -> Table:
        return self.laws.tables[name].table

    def _lift(self, player: str) -> None:
        def lift() -> None:
            self._suspended.discard(player)
            self._do(lambda: _granted(self._bank.lift(player, ORDER)))

        self._later(lift)

    def _suspend(self, player: str) -> None:
        _granted(self._bank.suspend(player, ORDER))
        put_out(player, self._views, self._closer)

    def _open(self, like: str) -> None:
        """Another one in place of a table that was closed."""
        self._opened += 1
        name, settings = f"n{self._opened}", self.laws.tables[like].table.settings
        self._do(lambda: opened(self._store, name, settings, most=2))

    def _deposit(self, player: str) -> None:
        self._deposits += 1
        opening: Opening = self._dice.choice(self.plan.openings)
        currency, amount = opening.settings.stakes.currency, 2 * opening.settings.minimum
        reference = f"more {self._deposits}"
        twice = self.cloud.faults.strikes("deposit doubled")
        for _ in range(2 if twice else 1):
            self._do(
                lambda: _granted(self._bank.deposit(player, currency, amount, reference, ORDER))
            )

    def _do(
        self,
        work: Callable[[], object],
        is_so: Callable[[], bool] = lambda: True,
        then: Callable[[], None] = lambda: None,
    ) -> None:
        """In a process of its own; again until it is done, and is so."""

        def done(outcome: Any) -> None:
            trouble = isinstance(outcome, Killed | WalletError | Again) or (
                isinstance(outcome, Exception) and passes(outcome)
            )
            if isinstance(outcome, BaseException) and not (trouble or isinstance(outcome, Failed)):
                self.laws.fail(f"the operator meets {type(outcome).__name__}: {outcome}")
            if trouble or not is_so():
                self.cloud.scheduler.after(AGAIN_MS, lambda: self._do(work, is_so, then))
            else:
                then()

        self.cloud.scheduler.start(work, done)


class Again(Exception):
    """It was not done, and is worth another try."""


def _granted(answer: Player | Booked | Declined) -> None:
    if isinstance(answer, Declined) and answer.code is BankCode.BUSY:
        raise Again(answer.sentence)
