"""A law: what a player has limited himself to, or an operator has forbidden, is kept."""

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Final

from cardroom import keys
from cardroom.limits import Limits
from cardroom.spans import DAY_MS
from tests.simulation.dynamo import Written
from tests.simulation.expressions import Item
from tests.simulation.record import SKEW_MS, Record, since

BUYS: Final = ("buy_in", "top_up")


@dataclass
class Purses:
    """Limits, and what each wallet has seen of a day."""

    record: Record
    limits: dict[str, list[tuple[int, Limits]]] = field(default_factory=lambda: defaultdict(list))
    """By player: since when (ms) they were so."""
    balances: dict[tuple[str, str], list[tuple[int, int]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    """By player and currency: since when (ms) it was so much."""
    suspended: set[tuple[str, str]] = field(default_factory=set)
    _lost: dict[tuple[str, str], tuple[int, int]] = field(default_factory=dict)
    """By player and currency: a day, and what was lost on it."""
    _deposited: dict[tuple[str, str], tuple[int, int]] = field(default_factory=dict)

    def limited(self, written: Written) -> None:
        item, player = written.new, keys.player(written.key[0])
        if item is None:
            self.record.fail(f"{player}'s limits are gone")
        found = Limits.load(player, int(item["version"]["N"]), item["limits"]["S"])
        self.limits[player].append((self.record.now, found))

    def wallet(self, owner: tuple[str, str], item: Item) -> None:
        self.balances[owner].append((self.record.now, int(item["balance"]["N"])))
        if "suspended" in item:
            self.suspended.add(owner)
        else:
            self.suspended.discard(owner)

    def entry(self, owner: tuple[str, str], kind: str, amount: int, at: int) -> None:
        """A new entry of the ledger; `at` is its own moment."""
        if kind == "deposit":
            deposited = self._day(self._deposited, owner, at) + amount
            self._deposited[owner] = (at // DAY_MS, deposited)
            self._within("deposit", owner, deposited, at)
        elif kind != "withdrawal":
            lost = max(0, self._day(self._lost, owner, at) - amount)
            self._lost[owner] = (at // DAY_MS, lost)
            if kind in BUYS:
                self._within("loss", owner, lost, at)
                if owner in self.suspended:
                    self.record.fail(f"{owner[0]} buys chips while he is suspended")
                self.record.counts["bought"] += 1

    def _day(
        self, kept: dict[tuple[str, str], tuple[int, int]], owner: tuple[str, str], at: int
    ) -> int:
        day, amount = kept.get(owner, (0, 0))
        return amount if at // DAY_MS == day else 0

    def _within(self, what: str, owner: tuple[str, str], amount: int, at: int) -> None:
        player, currency = owner
        if not self.limits[player]:
            return
        now, limits = self.record.now, self.limits[player][-1][1]
        limit = (limits.losses if what == "loss" else limits.deposits).get(currency)
        most = None if limit is None else limit.on(at).value
        if most is not None and amount > most:
            self.record.fail(f"{player}'s limit of a day's {what} is {most}, and it is {amount}")
        if now + SKEW_MS < limits.excluded_until:
            self.record.fail(f"{player} brings money though he has excluded himself")

    def held(self, owner: tuple[str, str], moment: int) -> set[int]:
        """The balances that a wallet has had since this moment."""
        return set(since(self.balances[owner], moment, 0))

    def were(self, player: str, moment: int) -> list[Limits]:
        """The limits that he has had since this moment."""
        return since(self.limits[player], moment, Limits(player))
