"""One seed, one history: a room among faults, and how it ends when all is calm again."""

import hashlib
import traceback
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final

from tests.simulation.client import Client
from tests.simulation.cloud import EVE, NINE, START, Cloud, simulated
from tests.simulation.ending import at_last, at_rest
from tests.simulation.faults import RATES, Faults
from tests.simulation.laws import Laws
from tests.simulation.operators import Operator
from tests.simulation.plans import plan_of
from tests.simulation.record import Broken
from tests.simulation.release import Release, following
from tests.simulation.scheduler import Endless

CALM_MS: Final = 80_000
"""After the last fault: a sweep, and time for what is late."""
SETTLE_MS: Final = 10_000
"""For the last question of every client."""
MINUTE: Final = 60_000


@dataclass
class Ended:
    """What a history came to. `violation` is None where all laws held."""

    seed: int
    violation: str | None
    fired: Counter[str]
    counts: Counter[str]
    faults: list[str]
    digest: str
    """Of all writes and pushes: the same seed gives the same."""
    refusals: Counter[str] = field(default_factory=Counter)


def run(
    seed: int,
    minutes: float = 2.0,
    without: Iterable[str] = (),
    other: Callable[[], Release] = following,
) -> Ended:
    """Play it, without some kinds of faults; `other` is the release that is deployed beside ours
    where one is. A broken law ends it at once.
    """
    faults = Faults(seed, {**RATES, **dict.fromkeys(without, 0.0)})
    cloud = Cloud(seed, faults, EVE if seed % 4 == 0 else START, other)
    laws = Laws(cloud)
    digest = hashlib.blake2b(digest_size=12)
    cloud.written.append(lambda written: digest.update(repr((cloud.now, written)).encode()))
    cloud.posted.append(lambda to, data: digest.update(repr((cloud.now, to, data)).encode()))
    clients: list[Client] = []
    violation = None
    with simulated(cloud):
        try:
            _play(seed, minutes, cloud, laws, clients)
        except Exception as broken:
            # A client that cannot make sense of what it is sent is a broken law too.
            known = isinstance(broken, Broken | Endless)
            what = str(broken) if known else traceback.format_exc()
            violation = f"after {(cloud.now - cloud.began) / 1000:.1f} s: {what}"
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
    plan = plan_of(seed)
    if len(plan.openings) > NINE:
        cloud.narrow()
    operator = Operator(cloud, laws, plan, seed)
    operator.open_the_room()
    for habits in (*plan.players, *plan.guests):
        clients.append(Client(cloud, laws, habits, len(clients) + 1, seeks=bool(habits.player)))
        if habits.player and cloud.faults.strikes("client on two devices"):
            clients.append(Client(cloud, laws, habits, len(clients) + 1, seeks=False))
    cloud.heard = lambda connection, data: _owner(clients, connection).hear(data)
    cloud.closed = lambda connection: _owner(clients, connection).lost(connection)
    for client in clients:
        cloud.scheduler.after(seed % 7 + 10 * client.number, client.start)
    operator.start()
    cloud.sweep_forever()
    cloud.roll_forever()
    cloud.darken_forever()
    ends = cloud.began + round(minutes * MINUTE)
    cloud.scheduler.run(ends, laws.look)
    cloud.faults.calm = True
    laws.subscriptions.calm_at = cloud.now
    for client in clients:
        # In every other history all go home, so that tables come to rest.
        client.goes, client.seeks = seed % 2 == 0, client.seeks and seed % 2 == 0
    cloud.scheduler.run(ends + CALM_MS, laws.look)
    at_rest(laws, clients)
    for client in clients:
        client.quiet = True
        for table in client.views:
            client.sync(table)
    cloud.scheduler.run(ends + CALM_MS + SETTLE_MS, laws.look)
    at_last(laws, clients)


def _owner(clients: list[Client], connection: str) -> Client:
    return clients[int(connection.split(".")[1]) - 1]
