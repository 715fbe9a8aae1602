"""Every metric, once: what is counted, the page of metrics, dashboard, alarms and `cardroom top` go
by it.

None is told apart by player, table, hand or connection: those are without number, and a metric is
paid for by each value of its dimensions. The log has them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

NAMESPACE: Final = "Cardroom"
ROOM: Final = "room"
"""The dimension that all have: the stack's name, so that two rooms of an account stay apart."""


class Unit(StrEnum):
    """As CloudWatch names them."""

    COUNT = "Count"
    SECONDS = "Seconds"
    MILLISECONDS = "Milliseconds"
    MINOR = "None"
    """Minor units of money, which CloudWatch has no name for."""


class Health(StrEnum):
    FAULT = "fault"
    """0 while all is well."""
    LASTING = "fault where it lasts"
    PASSING = "no fault now and then"
    DONE = "what is done"
    SPEED = "how fast"


class By(StrEnum):
    """What a metric may be told apart by, beside the room."""

    CODE = "code"
    """What a command was answered: one of the stable codes."""
    CURRENCY = "currency"
    NOTICED_BY = "noticed_by"
    """Whose turn it was to see that a moment had passed: clock, command or sweep."""


@dataclass(frozen=True, slots=True)
class Metric:
    meaning: str
    health: Health
    functions: tuple[str, ...]
    """Those that count it; `any` but the authorizer, which counts nothing."""
    unit: Unit = Unit.COUNT
    by: By | None = None
    total: bool = True
    """Whether it is also kept of all values of `by` together."""
    every_minute: bool = False
    """Told by each sweep, also where it is 0: that it is missing means that no sweep runs."""
    every_run: bool = False
    """Told by each run of the archive's function, likewise."""

    @property
    def dimension_sets(self) -> tuple[tuple[str, ...], ...]:
        if self.by is None:
            return ((ROOM,),)
        apart = (ROOM, str(self.by))
        return ((ROOM,), apart) if self.total else (apart,)


ANY: Final = ("any",)
_DEALERS: Final = ("command", "clock", "sweep", "floor")
_PUSHERS: Final = ("broadcast", "fanout", "floor")

METRICS: Final[Mapping[str, Metric]] = {
    # Nothing of this kind happens while all is well.
    "InternalError": Metric(
        "a command answered `internal`; a ban or a sign-up that failed by a fault of ours",
        Health.FAULT,
        ("command", "signup"),
    ),
    "OutOfOrder": Metric(
        "a command refused because what is stored is damaged", Health.FAULT, ("command",)
    ),
    "HandlerFailed": Metric("an invocation ended by an error nobody foresaw", Health.FAULT, ANY),
    "ClockFailed": Metric(
        "a wake-up that failed: it is tried again three times, then the sweep comes",
        Health.FAULT,
        ("clock",),
    ),
    "BroadcastFailed": Metric(
        "a write that could not be told: it comes again where that may help",
        Health.FAULT,
        ("broadcast",),
    ),
    "PresenceFailed": Metric(
        "somebody who came or went, which could not be told", Health.FAULT, ("broadcast",)
    ),
    "FanoutFailed": Metric(
        "a snapshot that could not be sent: it comes again where that may help",
        Health.FAULT,
        ("fanout",),
    ),
    "FloorFailed": Metric(
        "an errand that failed: it comes again, at last as a dead letter", Health.FAULT, ("floor",)
    ),
    "LobbyFailed": Metric(
        "a slot of time in which the lobby could not be told", Health.FAULT, ("floor",)
    ),
    "SweepFailed": Metric(
        "a sweep that could not ask the floor or count the room", Health.FAULT, ("sweep",)
    ),
    "StuckTable": Metric(
        "a table on which what is due could not be applied", Health.FAULT, ("sweep",)
    ),
    "StuckHands": Metric(
        "tables whose hand, or the pause before it, had waited for 3 s and more on a moment that "
        "was over: no clock looked after it until the sweep came",
        Health.FAULT,
        ("sweep",),
        every_minute=True,
    ),
    "HandVoided": Metric("a hand that could not go on (RULES 9)", Health.FAULT, ("sweep",)),
    "DeckMissing": Metric(
        "a running hand's deck that is not there", Health.FAULT, ("command", "broadcast")
    ),
    "RecordDamaged": Metric(
        "a record of the stream that cannot be read, passed over", Health.FAULT, ("broadcast",)
    ),
    "ParcelDamaged": Metric(
        "a queued snapshot that cannot be read, passed over", Health.FAULT, ("fanout",)
    ),
    "ErrandDamaged": Metric(
        "an errand that cannot be read or is of a slot far off, passed over",
        Health.FAULT,
        ("floor",),
    ),
    "RingDamaged": Metric("a wake-up that cannot be read", Health.FAULT, ("clock",)),
    "ItemDamaged": Metric(
        "an item of the store that cannot be read: the log names its key", Health.FAULT, ANY
    ),
    "CallerUnknown": Metric(
        "a connection that our authorizer has not let in", Health.FAULT, ("connect",)
    ),
    "ChipDifference": Metric(
        "chips at tables against chips in less chips out: found by the sweep, 25 tables a minute "
        "in turn, or refused before it was written",
        Health.FAULT,
        _DEALERS,
        Unit.MINOR,
        every_minute=True,
    ),
    "BlocksRefused": Metric(
        "blocks of old records that stay in the table, as they are not what was recorded",
        Health.FAULT,
        ("archive",),
        every_run=True,
    ),
    "ArchiveFailed": Metric(
        "a table whose old records could not be moved for trouble with a service",
        Health.FAULT,
        ("archive",),
    ),
    "ArchiveUnread": Metric(
        "an old hand that somebody asked for and the archive did not give",
        Health.FAULT,
        ("command",),
    ),
    # A fault where it lasts for minutes on end.
    "Busy": Metric(
        "a table that lost all its tries, or a service of AWS that had too much to do",
        Health.LASTING,
        _DEALERS,
    ),
    "Overdue": Metric(
        "tables on which something had been due for 3 s and more, payments and seats that sit out "
        "included",
        Health.LASTING,
        ("sweep",),
        every_minute=True,
    ),
    "Unpaid": Metric(
        "empty seats whose chips are not paid yet, as each write and each sweep leaves them",
        Health.LASTING,
        _DEALERS,
    ),
    "ArchiveBehind": Metric(
        "for how long records are 90 days old that are not in the archive, those that were refused "
        "aside",
        Health.LASTING,
        ("archive",),
        Unit.SECONDS,
        every_run=True,
    ),
    # No fault now and then.
    "Conflict": Metric("a write that lost a race", Health.PASSING, _DEALERS),
    "Ambiguous": Metric(
        "a write of which only reading told whether it took place", Health.PASSING, _DEALERS
    ),
    "Retries": Metric(
        "tries beyond the first of a change that needed any", Health.PASSING, _DEALERS
    ),
    "PushFailed": Metric("posts that failed", Health.PASSING, _PUSHERS),
    "ConnectionGone": Metric(
        "posts to connections that had ended unnoticed", Health.PASSING, _PUSHERS
    ),
    "SnapshotDropped": Metric(
        "snapshots that were too old or overtaken", Health.PASSING, ("fanout",)
    ),
    "SlowedDown": Metric(
        "messages beyond a client's budget, as each instance counts it",
        Health.PASSING,
        ("command",),
    ),
    "FlooderClosed": Metric("connections put out for a flood", Health.PASSING, ("command",)),
    "ConnectionRefused": Metric(
        "connections of those who are kept out for a while", Health.PASSING, ("connect",)
    ),
    "ArrivalLost": Metric(
        "a player let in of whom it could not be kept from where he came",
        Health.PASSING,
        ("connect",),
    ),
    # What is done.
    "Accepted": Metric("commands answered `ok`", Health.DONE, ("command",)),
    "Rejected": Metric("commands answered by an error", Health.DONE, ("command",), by=By.CODE),
    "Hands": Metric("hands ended and recorded", Health.DONE, _DEALERS, by=By.CURRENCY),
    "Rake": Metric("rake taken", Health.DONE, _DEALERS, Unit.MINOR, by=By.CURRENCY, total=False),
    "PushesSent": Metric(
        "connections at seats to which one change was sent: together the posts, on average the "
        "fan-out",
        Health.DONE,
        ("broadcast",),
    ),
    "SnapshotsSent": Metric(
        "spectators to whom one snapshot was sent: as above", Health.DONE, ("fanout",)
    ),
    "LobbySent": Metric("watchers of the lobby who were told: as above", Health.DONE, ("floor",)),
    "SeatedPlayers": Metric(
        "seats taken at open tables", Health.DONE, ("sweep",), every_minute=True
    ),
    "ActivePlayers": Metric(
        "of these, those that are dealt in", Health.DONE, ("sweep",), every_minute=True
    ),
    "OpenTables": Metric("tables in the list", Health.DONE, ("sweep",), every_minute=True),
    "Waiting": Metric(
        "players in the line of a stake that the floor looks at, each at least once a minute: at "
        "most, the longest line",
        Health.DONE,
        ("floor",),
    ),
    "SignUpAccepted": Metric("names claimed or confirmed", Health.DONE, ("signup",)),
    "SignUpRefused": Metric("sign-ups refused", Health.DONE, ("signup",)),
    "SeatOffered": Metric("seats offered to those who wait", Health.DONE, ("floor",)),
    "OfferTakenBack": Metric("offers taken back", Health.DONE, ("floor",)),
    "OfferMissed": Metric("offers that nobody took", Health.DONE, ("floor",)),
    "LineClosed": Metric(
        "places in line that ended with the last table of their stake", Health.DONE, ("floor",)
    ),
    # How fast.
    "CommandTime": Metric(
        "from a message to its reply, within the function",
        Health.SPEED,
        ("command",),
        Unit.MILLISECONDS,
    ),
    "ActionToBroadcast": Metric(
        "from when a write was decided to the end of its posts to the seats",
        Health.SPEED,
        ("broadcast",),
        Unit.MILLISECONDS,
    ),
    "ClockLateness": Metric(
        "from a turn's or a pause's end to when that was noticed",
        Health.SPEED,
        ("command", "clock", "sweep"),
        Unit.MILLISECONDS,
        by=By.NOTICED_BY,
    ),
    "SlowestTable": Metric(
        "what an action takes, thinking included, at the slowest table that plays; the sweep's "
        "log names it",
        Health.SPEED,
        ("sweep",),
        Unit.MILLISECONDS,
    ),
}
"""By name."""
