"""One seed, one history: a room among faults, and how it ends when all is calm again."""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any, Final

from cardroom import keys
from cardroom.accounts import DynamoAccounts
from cardroom.bank import Bank, Order
from cardroom.store import DynamoTables
from cardroom.systemclock import SystemClock
from cardroom.tables import open_table
from poker_engine.stakes import PHP_STAKES, Settings, fixed_limit, no_limit, table_settings
from poker_engine.views import snapshot
from tests.simulation.client import Client
from tests.simulation.cloud import START, TABLE, Cloud, simulated
from tests.simulation.faults import RATES, Faults
from tests.simulation.laws import Broken, Laws
from tests.simulation.scheduler import Endless

MONEY: Final = 50_000_00
CALM_MS: Final = 80_000
"""After the last fault: a sweep, and time for what is late."""
SETTLE_MS: Final = 10_000
"""For the last question of every client."""
MINUTE: Final = 60_000
PLAYERS: Final = ("ana", "ben", "cyd", "dov", "eve")
ORDER: Final = Order("simulation", "to play with")


@dataclass
class Ended:
    """What a history came to. `violation` is None where all laws held."""

    seed: int
    violation: str | None
    fired: Counter[str]
    counts: Counter[str]
    faults: list[str]
    digest: str
    """Of all writes: the same seed gives the same."""
    refusals: Counter[str] = field(default_factory=Counter)


def tables_of(seed: int) -> list[tuple[str, Settings, int]]:
    """Id, settings and number of players."""
    stakes = (PHP_STAKES[seed % 6], no_limit("USD", 100), fixed_limit("USD", 600))
    several = []
    for number, one in enumerate(stakes):
        seats = (2, 6, 9)[(seed + number) % 3]
        settings = replace(table_settings(one, seats), sit_out_ms=60_000)
        several.append((f"t{number}", settings, min(seats + 1, len(PLAYERS))))
    return several


def run(seed: int, minutes: float = 2.0, without: Iterable[str] = ()) -> Ended:
    """Play it, without some kinds of faults. A broken law ends it at once."""
    faults = Faults(seed, {**RATES, **dict.fromkeys(without, 0.0)})
    cloud = Cloud(seed, faults)
    laws = Laws(cloud)
    digest = hashlib.blake2b(digest_size=12)
    cloud.written.append(lambda written: digest.update(repr((cloud.now, written)).encode()))
    clients: list[Client] = []
    violation = None
    with simulated(cloud):
        try:
            _play(seed, minutes, cloud, laws, clients)
        except Exception as broken:
            if not isinstance(broken, Broken | Endless):
                raise
            violation = f"after {(cloud.now - START) / 1000:.1f} s: {broken}"
    counts = laws.counts + Counter({"steps": cloud.scheduler.steps})
    refusals: Counter[str] = Counter()
    for client in clients:
        refusals.update(client.refusals)
    return Ended(
        seed,
        violation,
        faults.fired,
        counts + cloud.notes.counts + cloud.invocations,
        cloud.notes.faults,
        digest.hexdigest(),
        refusals,
    )


def _play(seed: int, minutes: float, cloud: Cloud, laws: Laws, clients: list[Client]) -> None:
    store = DynamoTables(TABLE)
    bank = Bank(DynamoAccounts(TABLE, store._client), SystemClock())

    def joins(player: str, table: str, *, stays: bool = True) -> None:
        clients.append(Client(cloud, laws, player, (table,), len(clients) + 1, stays=stays))

    for name, settings, players in tables_of(seed):
        if not open_table(store, name, settings, cloud.now):
            raise ValueError(f"{name} is there already")
        for number in range(players):
            player = PLAYERS[number]
            bank.create(player, ORDER)
            currency = settings.stakes.currency
            bank.deposit(player, currency, MONEY, f"{name}-{number}", ORDER)
            joins(player, name)
            if cloud.faults.strikes("client on two devices"):
                joins(player, name, stays=False)
        joins("", name)
    cloud.heard = lambda connection, data: _owner(clients, connection).hear(data)
    cloud.closed = lambda connection: _owner(clients, connection).lost(connection)
    for client in clients:
        cloud.scheduler.after(seed % 7 + 10 * client.seed, client.start)
    cloud.sweep_forever()
    cloud.roll_forever()
    ends = START + round(minutes * MINUTE)
    cloud.scheduler.run(ends, laws.look)
    cloud.faults.calm = True
    begun = laws.counts["hands"]
    for client in clients:
        client.stays = False
    cloud.scheduler.run(ends + CALM_MS, laws.look)
    if laws.counts["hands ended"] + laws.counts["hands voided"] < begun:
        raise Broken("a hand neither ended nor was voided")
    for client in clients:
        client.quiet = True
        for table in client.tables:
            client.sync(table)
    cloud.scheduler.run(ends + CALM_MS + SETTLE_MS, laws.look)
    _compare(cloud, laws, clients)


def _owner(clients: list[Client], connection: str) -> Client:
    return clients[int(connection.split(".")[1]) - 1]


PARTS: Final = ("seats", "button", "hands", "next_hand_at", "turn")
"""Of a snapshot: what pushes keep up to date."""


def _known(state: dict[str, Any]) -> dict[str, Any]:
    known: dict[str, Any] = json.loads(json.dumps({part: state.get(part) for part in PARTS}))
    return known


def _compare(cloud: Cloud, laws: Laws, clients: list[Client]) -> None:
    """In the end all is paid, and everybody knows what is stored."""
    for name, stored in laws.tables.items():
        if stored.leaving:
            raise Broken(f"{name}: somebody has not been paid")
    for client in clients:
        if not client.connection:
            raise Broken(f"{client.name} did not come back")
        for name, view in client.views.items():
            stored = laws.tables[name]
            if view.seq != stored.table.seq:
                continue  # It plays on: a push is on its way.
            laws.counts["views compared"] += 1
            seat = stored.table.seat_of(client.player) if client.player else None
            wanted = _known(snapshot(stored.table, seat, None, cloud.now)["state"])
            known = _known(view.state)
            for part in PARTS:
                if known[part] != wanted[part]:
                    how = _differs(known[part], wanted[part])
                    raise Broken(f"{client.name} has other {part} of {name}: {how}")
    _connections(cloud, laws)
    damaged = sum(number for what, number in cloud.notes.counts.items() if "Damaged" in what)
    if damaged > cloud.faults.fired["poison record"]:
        raise Broken(f"what one function wrote another cannot read: {cloud.notes.faults[:3]}")


def _differs(known: Any, wanted: Any) -> str:
    """Where two values part."""
    if isinstance(known, dict) and isinstance(wanted, dict):
        names = [name for name in wanted | known if known.get(name, "") != wanted.get(name, "")]
        return ", ".join(
            f"{name} {_differs(known.get(name, 'nothing'), wanted.get(name, 'nothing'))}"
            for name in names
        )
    if isinstance(known, list) and isinstance(wanted, list) and len(known) == len(wanted):
        several = [(n, a, b) for n, (a, b) in enumerate(zip(known, wanted, strict=True)) if a != b]
        return ", ".join(f"{number}: {_differs(one, other)}" for number, one, other in several)
    return f"{known} is not {wanted}"


def _connections(cloud: Cloud, laws: Laws) -> None:
    """Who watches from a seat has one; everybody who plays and is connected is pushed to."""
    for name, stored in laws.tables.items():
        seated: dict[str, Any] = {
            item["sk"]["S"].removeprefix(keys.VIEW): item["player"]["S"]
            for item in cloud.dynamo.partition(keys.seats(name))
            if item["sk"]["S"].startswith(keys.VIEW)
        }
        for connection, player in seated.items():
            if connection in cloud.connections and stored.table.seat_of(player) is None:
                raise Broken(f"{connection} watches {name} from a seat that is not his")
