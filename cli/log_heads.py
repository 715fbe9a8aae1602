"""The seals that a stack's functions have logged, straight from CloudWatch Logs.

Each line with a seal is asked for, page by page, and nothing else of the logs; there are no more of
them in memory than `MOST`.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from cardroom.proof import RECORDED, Heads
from cli.served import Failed

GROUPS: Final = ("CommandLogs", "ClockLogs", "SweepLogs", "FloorLogs")
"""Log groups of the functions that end hands, by their logical names."""
MOST: Final = 2_000_000
"""Lines for one audit: some hundred bytes each in memory."""
PAGE: Final = 10_000
"""Lines in one answer, as many as CloudWatch gives."""


def add_logged(
    heads: Heads,
    logs: Any,
    resources: Mapping[str, str],
    *,
    table: str | None = None,
    since: int | None = None,
) -> int:
    """How many seals were found and added; `logs` is boto3's client, `since` in ms.

    Raises Failed where the stack has no such logs, or more lines than `MOST`.
    """
    found = 0
    for name in GROUPS:
        if name not in resources:
            raise Failed(f"the stack has no {name}: deploy this version first")
        for line in _lines(logs, resources[name], table, since):
            found += heads.add(line)
            if found > MOST:
                raise Failed(f"more than {MOST} seals are logged: say --table or --since")
    return found


def _lines(logs: Any, group: str, table: str | None, since: int | None) -> Iterator[str]:
    asked: dict[str, Any] = {
        "logGroupName": group,
        "filterPattern": pattern(table),
        "limit": PAGE,
    }
    if since is not None:
        asked["startTime"] = since
    while True:
        answer = logs.filter_log_events(**asked)
        for event in answer.get("events", []):
            yield event["message"]
        # A page may be empty while there are more.
        if not answer.get("nextToken"):
            return
        asked["nextToken"] = answer["nextToken"]


def pattern(table: str | None) -> str:
    """Of the lines that tell a seal. A table's id has no sign that means anything in it."""
    of_table = "" if table is None else f' && $.table = "{table}"'
    return f'{{ $.message = "{RECORDED}"{of_table} }}'
