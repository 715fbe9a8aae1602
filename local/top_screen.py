"""`cardroom top` as text for a terminal of 80 columns or fewer: what is wrong comes first."""

from datetime import UTC, datetime
from typing import Final

from cardroom.metrics import METRICS
from cli.printable import printable
from local.figures import Figures, Told, Values
from local.money import shown
from local.page import WIDTH, Page

SLOW_MS: Final = {"CommandTime": 1_000, "ActionToBroadcast": 2_000}
"""What takes longer wakes somebody: as the alarms have it."""
RED: Final = "31;1"
YELLOW: Final = "33"
GREEN: Final = "32"
LABEL: Final = 9
NOTHING: Final = "-"
CODES: Final = 4
"""Refusals that are named."""


class TopScreen:
    def __init__(self, *, colour: bool) -> None:
        self._colour = colour

    def page(self, figures: Figures, name: str, width: int = WIDTH) -> Page:
        """All figures of the room of this name."""
        minutes = max(1, round(figures.span_ms / 60_000))
        time = clock_time(figures.now)
        heading = f"{name} at {time} UTC, the last {minutes} minute{'s' * (minutes > 1)}"
        return Page([heading, "", *self._wrong(figures), "", *self._rows(figures)], top=True)

    def _wrong(self, figures: Figures) -> list[str]:
        faults, warnings = figures.faults(), figures.warnings()
        lines = [
            self._in(RED, f"! {name} {times}: {meaning(name)}") for name, times in faults.items()
        ]
        lines += [self._in(RED, f"! {line}") for line in slow(figures)]
        lines += [
            self._in(YELLOW, f"? {name} {times}: {meaning(name)}")
            for name, times in warnings.items()
        ]
        lines += [f"  {fault_line(one)}" for one in figures.told()]
        return lines or [self._in(GREEN, "All is well.")]

    def _rows(self, figures: Figures) -> list[str]:
        return [
            _row("room", _room(figures)),
            _row("hands", _hands(figures)),
            _row("commands", _commands(figures)),
            _row("", times(figures.values("CommandTime"))),
            _row("refused", _refused(figures)),
            _row("writes", _writes(figures)),
            _row("clock", _clock(figures)),
            _row("pushes", _pushes(figures)),
            _row("", times(figures.values("ActionToBroadcast"))),
            _row("watching", _watching(figures)),
            _row("doors", _doors(figures)),
            _row("queues", _queues(figures)),
        ]

    def _in(self, colour: str, text: str) -> str:
        return f"\x1b[{colour}m{text}\x1b[0m" if self._colour else text


def slow(figures: Figures) -> list[str]:
    """What takes too long."""
    found = []
    for name, what in (("CommandTime", "commands"), ("ActionToBroadcast", "pushes")):
        slowest = figures.values(name).percentile(99)
        if slowest is not None and slowest > SLOW_MS[name]:
            found.append(f"{what} are slow: p99 {slowest} ms")
    return found


def meaning(name: str) -> str:
    if name in METRICS:
        return METRICS[name].meaning
    if name == "dead letters":
        return "messages that were given up"
    return "invocations that ended without an answer"


def fault_line(told: Told) -> str:
    about = f" {printable(told.about, 48)}" if told.about else ""
    what = f"{printable(told.where)}: {printable(told.kind)}"
    return f"{clock_time(told.at)} {what}{about} ({printable(told.place)})"


def clock_time(at: int) -> str:
    return datetime.fromtimestamp(at // 1000, UTC).strftime("%H:%M:%S")


def times(values: Values) -> str:
    """Percentiles of milliseconds."""
    if not values:
        return NOTHING
    told = " ".join(f"p{percent} {values.percentile(percent)}" for percent in (50, 95, 99))
    return f"{told}, slowest {round(values.most)} ms"


def _row(label: str, text: str) -> str:
    return f"{label:<{LABEL}} {text}"


def _named(several: dict[str, int], most: int = 99) -> str:
    told = [f"{printable(name)} {times}" for name, times in several.items()]
    return ", ".join([*told[:most], *(["..."] if len(told) > most else [])])


def _room(figures: Figures) -> str:
    seated = figures.latest("SeatedPlayers")
    if seated is None:
        return "no sweep has counted it yet"
    slowest = figures.latest("SlowestTable")
    told = f"{seated} seated, {figures.latest('ActivePlayers')} of them play"
    told += f", {figures.latest('OpenTables')} tables open"
    if line := figures.values("Waiting").most:
        told += f", {round(line)} in the longest line"
    if slowest is not None and figures.slowest:
        told += f"; slowest {printable(figures.slowest)}: {slowest / 1000:.1f} s an action"
    return told


def _hands(figures: Figures) -> str:
    told = [f"{figures.hourly(figures.total('Hands'))} an hour"]
    for currency, rake in figures.apart("Rake").items():
        told.append(
            f"rake {shown(rake, currency)} ({shown(figures.hourly(rake), currency)} an hour)"
        )
    return ", ".join(told)


def _commands(figures: Figures) -> str:
    done = figures.per_minute("Accepted") + figures.per_minute("Rejected")
    return f"{done} a minute, {figures.total('Rejected')} refused"


def _refused(figures: Figures) -> str:
    return _named(figures.apart("Rejected"), CODES) or NOTHING


def _writes(figures: Figures) -> str:
    names = {"Conflict": "conflicts", "Retries": "retries", "Ambiguous": "ambiguous"}
    return _named({told: figures.total(name) for name, told in names.items()})


def _clock(figures: Figures) -> str:
    told = []
    for noticed in figures.apart("ClockLateness"):
        values = figures.values("ClockLateness", noticed)
        late = f"p95 {values.percentile(95)}, most {round(values.most)} ms"
        told.append(f"{printable(noticed)} {len(values)} ({late})")
    return "noticed by " + ", ".join(told) if told else NOTHING


def _pushes(figures: Figures) -> str:
    sizes = figures.values("PushesSent")
    told = f"{figures.per_minute('PushesSent')} a minute, {_average(sizes)} a change"
    return f"{told}; {figures.total('PushFailed')} failed, {figures.total('ConnectionGone')} gone"


def _watching(figures: Figures) -> str:
    sizes = figures.values("SnapshotsSent")
    told = f"{figures.per_minute('SnapshotsSent')} snapshots a minute, fan-out {_average(sizes)}"
    return f"{told}, most {round(sizes.most)}; {figures.total('SnapshotDropped')} dropped"


def _doors(figures: Figures) -> str:
    names = {
        "SlowedDown": "slowed down",
        "FlooderClosed": "put out",
        "ConnectionRefused": "kept out",
        "SignUpRefused": "names refused",
    }
    return _named({told: figures.total(name) for name, told in names.items()})


def _queues(figures: Figures) -> str:
    return _named(figures.queues) or NOTHING


def _average(sizes: Values) -> str:
    return f"{sizes.total / len(sizes):.1f}" if sizes else NOTHING
