"""How many tables an account bears at its default quotas, on paper: what a table of the counted
hands uses in a second, against what there is.

Quotas are AWS's defaults as of prices.AS_OF and, where they are the room's own, the template's.
"""

from dataclasses import dataclass
from typing import Any, Final

from bench.people import Played
from bench.prices import billed_ms, memory_mb
from cardroom import keys
from tests.template.parsed import resources, template


@dataclass(frozen=True, slots=True)
class Limit:
    """A quota, and what one table uses of it in the same unit."""

    name: str
    quota: float
    used: float
    whose: str
    """AWS's default, or a parameter of the template."""
    seen: bool = True
    """Read in AWS's documentation; else as remembered."""

    @property
    def tables(self) -> float:
        return self.quota / self.used if self.used else float("inf")


API_REQUESTS: Final = 10_000
"""A second, all APIs of an account and region; posts to connections count too."""
NEW_CONNECTIONS: Final = 500
LAMBDA_CONCURRENCY: Final = 1_000
"""An account that is new has less, often 10: ask for it first."""
TABLE_UNITS: Final = 40_000
PARTITION_WRITES: Final = 1_000
EXPRESS_STARTS: Final = 6_000
QUEUE_POLLERS: Final = "MaximumConcurrency"


def limits(played: Played) -> list[Limit]:
    """The tightest first."""
    counts = played.counts
    seconds = counts.ms / 1000 * played.tables
    memory = memory_mb()

    def a_second(units: float) -> float:
        return units / seconds

    def busy(function: str) -> float:
        """Instances of a function that one table keeps busy, on average."""
        runs = [one for one in counts.invocations if one.function == function]
        return a_second(sum(billed_ms(one, memory[function]) for one in runs) / 1000)

    requests = counts.messages_in + counts.pushes + counts.snapshots
    clients = played.seats + played.spectators
    parameters = template()["Parameters"]

    def default(name: str) -> float:
        return float(parameters[name]["Default"])

    everybody = sum(busy(name) for name in memory)
    found = [
        Limit("API requests a second", API_REQUESTS, a_second(requests), "AWS"),
        Limit(
            "messages a second of one route (act)",
            default("RequestsPerSecond"),
            a_second(len(counts.of("act"))),
            "RequestsPerSecond",
        ),
        Limit(
            "new connections a second", NEW_CONNECTIONS, clients / (102.5 * 60), "AWS"
        ),
        Limit("concurrent functions", LAMBDA_CONCURRENCY, everybody, "AWS"),
        Limit(
            "concurrent command", default("CommandConcurrency"), busy("command"),
            "CommandConcurrency",
        ),
        Limit("concurrent clock", default("ClockConcurrency"), busy("clock"), "ClockConcurrency"),
        Limit(
            "concurrent broadcast", default("BroadcastConcurrency"), busy("broadcast"),
            "BroadcastConcurrency",
        ),
        Limit("pollers of the spectators' queue", _pollers(), busy("fanout"), "the template"),
        Limit("write units a second, the table", TABLE_UNITS, a_second(counts.write_units), "AWS"),
        Limit("read units a second, the table", TABLE_UNITS, a_second(counts.read_units), "AWS"),
        Limit(
            "write units a second, the wake index",
            PARTITION_WRITES * len(keys.LANES),
            a_second(counts.writes["index wake"]),
            "AWS, a partition for each lane",
        ),
        Limit(
            "write units a second, the lobby's rows",
            PARTITION_WRITES,
            a_second(counts.writes["LISTED"]),
            "AWS, one partition",
        ),
        Limit(
            "clock executions started a second",
            EXPRESS_STARTS,
            a_second(counts.executions),
            "AWS",
            seen=False,
        ),
    ]  # fmt: skip
    return sorted(found, key=lambda one: one.tables)


def _pollers() -> float:
    function: dict[str, Any] = resources("AWS::Serverless::Function")["FanoutFunction"]
    events = function["Properties"]["Events"]
    return float(events["Snapshots"]["Properties"]["ScalingConfig"][QUEUE_POLLERS])
