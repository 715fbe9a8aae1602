"""The audit: where all the money is, counted one by one and added up for each currency.

Wallets + tables + rake = deposits - withdrawals. That is not only added up: each wallet is held
against its ledger, what it counts of a day included, and each table's chips in and out against the
ledger and its rake.

A room that runs moves while it is counted. What does not agree is read again, and is a finding only
if it still disagrees after the whole room was counted anew and nothing of it moved meanwhile.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import reduce
from typing import Protocol

from cardroom.money import Entry, Kind, Turnover, Wallet
from cardroom.ports import Clock

PATIENCE_MS = 10_000
PAUSE_MS = 200


@dataclass(frozen=True, slots=True)
class TableCount:
    """A table's chips. `players` are those with a seat or chips that are leaving."""

    table_id: str
    currency: str
    version: int
    chips_in: int
    chips_out: int
    seated: int
    """Stacks, top-ups and pots."""
    leaving: int
    players: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Rake:
    table_id: str
    hand: int
    amount: int
    currency: str


@dataclass(slots=True)
class Count:
    """What was read."""

    wallets: dict[tuple[str, str], Wallet] = field(default_factory=dict)
    entries: dict[tuple[str, str], Entry] = field(default_factory=dict)
    tables: dict[str, TableCount] = field(default_factory=dict)
    rake: dict[tuple[str, int], Rake] = field(default_factory=dict)
    damaged: dict[str, tuple[str, str]] = field(default_factory=dict)
    """By key of the item: whose it is, a player's or a table's, the other being empty."""

    def replace_player(self, name: str, anew: "Count") -> None:
        self.wallets = {key: one for key, one in self.wallets.items() if key[0] != name}
        self.entries = {key: one for key, one in self.entries.items() if key[0] != name}
        self._mend(anew, (name, ""))

    def replace_table(self, table_id: str, anew: "Count") -> None:
        self.tables.pop(table_id, None)
        self.rake = {key: one for key, one in self.rake.items() if key[0] != table_id}
        self._mend(anew, ("", table_id))

    def _mend(self, anew: "Count", whose: tuple[str, str]) -> None:
        self.damaged = {key: one for key, one in self.damaged.items() if one != whose}
        self.wallets |= anew.wallets
        self.entries |= anew.entries
        self.tables |= anew.tables
        self.rake |= anew.rake
        self.damaged |= anew.damaged


@dataclass(frozen=True, slots=True)
class Finding:
    """What does not agree: one sentence, and what has to be read again to be sure.

    `state` is how far wallet and table had come: with it, the same finding again means that
    nothing moved.
    """

    sentence: str
    players: frozenset[str] = frozenset()
    tables: frozenset[str] = frozenset()
    state: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Sums:
    """Of one currency, in minor units."""

    currency: str
    wallets: int = 0
    seated: int = 0
    leaving: int = 0
    rake: int = 0
    deposits: int = 0
    withdrawals: int = 0

    @property
    def difference(self) -> int:
        """0, or money was made or lost."""
        inside = self.wallets + self.seated + self.leaving + self.rake
        return inside - (self.deposits - self.withdrawals)


@dataclass(frozen=True, slots=True)
class Report:
    """`moving` are findings that could not be told from a room in motion."""

    sums: tuple[Sums, ...]
    findings: tuple[Finding, ...]
    moving: tuple[Finding, ...]
    players: int
    tables: int
    entries: int
    reread: int
    """Players and tables that were read again."""

    @property
    def balanced(self) -> bool:
        clean = not self.findings and not self.moving
        return clean and all(not one.difference for one in self.sums)


class Room(Protocol):
    """All that holds money. Consistent reads, but not all of one moment."""

    def everything(self) -> Count: ...

    def of_player(self, name: str) -> Count:
        """His wallets and ledger."""
        ...

    def of_table(self, table_id: str) -> Count:
        """The table and its rake."""
        ...


def audit(room: Room, clock: Clock, patience_ms: int = PATIENCE_MS) -> Report:
    """Count until all agrees, or what does not is certain, or patience is over."""
    count = room.everything()
    began, reread = clock.now(), 0
    certain: set[Finding] = set()
    while moving := [one for one in check(count) if one not in certain]:
        if clock.now() - began >= patience_ms:
            break
        clock.pause(PAUSE_MS)
        reread += _read_again(room, count, moving)
        again = [one for one in check(count) if one not in certain]
        if again and set(again) <= set(moving):
            count = room.everything()
            certain |= set(again) & set(check(count))
    return Report(
        sums=sums(count),
        findings=tuple(one for one in check(count) if one in certain),
        moving=tuple(moving),
        players=len({player for player, _ in count.wallets}),
        tables=len(count.tables),
        entries=len(count.entries),
        reread=reread,
    )


def _read_again(room: Room, count: Count, findings: Iterable[Finding]) -> int:
    players = {name for one in findings for name in one.players}
    tables = {name for one in findings for name in one.tables}
    for name in tables:
        anew = room.of_table(name)
        count.replace_table(name, anew)
        players |= {name for one in anew.tables.values() for name in one.players}
    for name in players:
        count.replace_player(name, room.of_player(name))
    return len(players) + len(tables)


def sums(count: Count) -> tuple[Sums, ...]:
    """Of each currency that anything is in."""
    currencies = {wallet.currency for wallet in count.wallets.values()}
    currencies |= {entry.currency for entry in count.entries.values()}
    currencies |= {table.currency for table in count.tables.values()}
    currencies |= {rake.currency for rake in count.rake.values()}
    return tuple(_sum(count, currency) for currency in sorted(currencies))


def _sum(count: Count, currency: str) -> Sums:
    entries = [one for one in count.entries.values() if one.currency == currency]
    tables = [one for one in count.tables.values() if one.currency == currency]
    return Sums(
        currency=currency,
        wallets=sum(one.balance for one in count.wallets.values() if one.currency == currency),
        seated=sum(one.seated for one in tables),
        leaving=sum(one.leaving for one in tables),
        rake=sum(one.amount for one in count.rake.values() if one.currency == currency),
        deposits=sum(one.amount for one in entries if one.kind is Kind.DEPOSIT),
        withdrawals=-sum(one.amount for one in entries if one.kind is Kind.WITHDRAWAL),
    )


def check(count: Count) -> list[Finding]:
    """What does not agree, with nothing said yet about whether it moved."""
    found = [
        Finding(
            f"{key} cannot be read",
            frozenset({player} - {""}),
            frozenset({table} - {""}),
        )
        for key, (player, table) in count.damaged.items()
    ]
    ledgers: dict[tuple[str, str], list[Entry]] = defaultdict(list)
    at_table: dict[str, list[Entry]] = defaultdict(list)
    raked: dict[str, list[Rake]] = defaultdict(list)
    for entry in count.entries.values():
        ledgers[entry.player, entry.currency].append(entry)
        if entry.table or entry.kind not in (Kind.DEPOSIT, Kind.WITHDRAWAL):
            at_table[entry.table].append(entry)
    for rake in count.rake.values():
        raked[rake.table_id].append(rake)
    for key in sorted(count.wallets.keys() | ledgers.keys()):
        found += _check_wallet(*key, count.wallets.get(key), ledgers[key])
    for table_id in sorted(count.tables.keys() | at_table.keys() | raked.keys()):
        entries, rakes = at_table[table_id], raked[table_id]
        found += _check_table(table_id, count.tables.get(table_id), entries, rakes)
    return found


def _check_wallet(
    player: str, currency: str, wallet: Wallet | None, ledger: list[Entry]
) -> list[Finding]:
    held = wallet or Wallet(player, currency)
    state = (held.entries, held.balance, len(ledger))
    tables = frozenset(entry.table for entry in ledger if entry.number > held.entries)

    def finding(sentence: str) -> list[Finding]:
        name = f"wallet {player} {currency}"
        return [Finding(f"{name}: {sentence}", frozenset({player}), tables - {""}, state)]

    ordered = sorted(ledger, key=lambda entry: entry.number)
    numbers = [entry.number for entry in ordered]
    total = sum(entry.amount for entry in ordered)
    if total != held.balance:
        return finding(f"holds {held.balance}, its ledger adds up to {total}")
    if numbers != list(range(1, held.entries + 1)):
        return finding(f"made of {held.entries} entries, its ledger has {len(numbers)}")
    balance = 0
    for entry in ordered:
        balance += entry.amount
        if entry.balance != balance:
            return finding(f"entry {entry.number} says {entry.balance} after it, not {balance}")
        if balance < 0 or (entry.amount > 0) != (entry.kind in (Kind.DEPOSIT, Kind.PAY_OUT)):
            return finding(f"entry {entry.number} is a {entry.kind} of {entry.amount}")
    return _check_turnover(held, ordered, finding)


def _check_turnover(
    wallet: Wallet, ledger: list[Entry], finding: Callable[[str], list[Finding]]
) -> list[Finding]:
    """What a day's limits are held against: a wallet has it from its next entry on."""
    found, counted = wallet.turnover, reduce(Turnover.after, ledger, Turnover())
    if found in (counted, Turnover()):
        return []
    return finding(
        f"counts {found.deposited} deposited and {found.lost} lost on day {found.day}, its ledger "
        f"{counted.deposited} and {counted.lost} on day {counted.day}"
    )


def _check_table(
    table_id: str, table: TableCount | None, entries: list[Entry], rakes: list[Rake]
) -> list[Finding]:
    players = frozenset(entry.player for entry in entries)
    if table is None:
        sentence = f"table {table_id or '(none)'}: there is none, but {len(entries)} ledger entries"
        sentence += f" and {len(rakes)} of rake name it"
        return [Finding(sentence, players, frozenset({table_id} - {""}), (len(entries),))]
    state = (table.version, len(entries), len(rakes))
    found: list[Finding] = []

    def finding(sentence: str) -> None:
        whose = players | set(table.players)
        found.append(Finding(f"table {table_id}: {sentence}", whose, frozenset({table_id}), state))

    chips = table.seated + table.leaving
    if chips != table.chips_in - table.chips_out:
        finding(f"{chips} chips, but {table.chips_in} came and {table.chips_out} went")
    bought = -sum(one.amount for one in entries if one.kind in (Kind.BUY_IN, Kind.TOP_UP))
    paid = sum(one.amount for one in entries if one.kind is Kind.PAY_OUT)
    rake = sum(one.amount for one in rakes)
    if bought != table.chips_in:
        finding(f"{table.chips_in} chips came in, the ledger has {bought}")
    if paid + rake != table.chips_out:
        finding(f"{table.chips_out} chips went, the ledger has {paid} and rake {rake}")
    others = {one.currency for one in entries} | {one.currency for one in rakes}
    for currency in sorted(others - {table.currency}):
        finding(f"plays for {table.currency}, but there is {currency} in its books")
    return found
