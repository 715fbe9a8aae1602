"""docs/metrics.md: every metric with its meaning, made of `cardroom.metrics`."""

from typing import Final

from cardroom.metrics import METRICS, Health, Metric, Unit

INTRODUCTION: Final = """\
# Metrics

Made of `functions/cardroom/metrics.py` by `make contract`. All are in the namespace `Cardroom`, and
all are kept for the room, whose stack's name is the dimension `room`. Some are also told apart by
one thing more: `code`, one of the [stable codes](errors.md); `currency`; or `noticed_by`, which of
clock, command and sweep saw that a moment had passed. None is told apart by player, table, hand or
connection: [the log](operations.md#what-the-functions-log) has those.

A function writes its metrics as one line of its log (CloudWatch's embedded metric format), whose
`service` says which function it was. "Each minute" is told by every sweep, where it is 0 too: when
such a metric is missing no sweep runs. "At each run" is told likewise by what moves old records to
the archive, each half hour.
"""
TITLES: Final = {
    Health.FAULT: "0 while all is well",
    Health.LASTING: "A fault where it lasts for minutes",
    Health.PASSING: "No fault now and then",
    Health.DONE: "What is done",
    Health.SPEED: "How fast",
}
UNITS: Final = {
    Unit.COUNT: "",
    Unit.SECONDS: "s",
    Unit.MILLISECONDS: "ms",
    Unit.MINOR: "minor units",
}
ANY: Final = ("any",)


def page() -> str:
    parts = [INTRODUCTION]
    for health, title in TITLES.items():
        rows = "".join(_row(name, one) for name, one in METRICS.items() if one.health is health)
        parts.append(
            f"\n## {title}\n\n| metric | what | unit | apart by | counted by |\n"
            f"|---|---|---|---|---|\n{rows}"
        )
    return "".join(parts)


def _row(name: str, metric: Metric) -> str:
    what = metric.meaning
    if metric.every_minute or metric.every_run:
        what += "; each minute" if metric.every_minute else "; at each run"
    by = "" if metric.by is None else f"`{metric.by}`"
    by += "" if metric.total else " only"
    who = "all but the authorizer" if metric.functions == ANY else ", ".join(metric.functions)
    return f"| `{name}` | {what} | {UNITS[metric.unit]} | {by} | {who} |\n"
