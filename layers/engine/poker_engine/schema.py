"""Schemas of the codec's texts: which are read, which one is written, and the steps between them.

A release reads every schema from 1 to SCHEMA and writes WRITE_SCHEMA. Inside it all texts are of
SCHEMA: what is stored in an older one is raised when it is read, and lowered again when it is
written for as long as WRITE_SCHEMA is the older. Most changes need none of this: what only appends
fields with defaults keeps the number (docs/decisions/8, 10).
"""

import json
from collections.abc import Callable
from typing import Any, Final

from poker_engine.frozen import dataclass
from poker_engine.terse import plain, terse

type Json = Any
type Rewrite = Callable[[list[Json]], list[Json]]


class Damaged(ValueError):
    """The text is not what the codec writes."""


@dataclass(frozen=True, slots=True)
class Step:
    """From one schema to the next, and back: a table, and a list of events, as JSON. None where
    the two have it alike.

    Each function is pure. The way back loses nothing of what a release can produce while the older
    schema is still the one that is written.
    """

    table: Rewrite | None = None
    events: Rewrite | None = None
    table_back: Rewrite | None = None
    events_back: Rewrite | None = None


def _each(rewrite: Rewrite) -> Rewrite:
    """Of a list of events every one."""

    def rewrite_all(events: list[Json]) -> list[Json]:
        # What else could be gone through would come out as a list, and as sound.
        if type(events) is not list:
            raise TypeError("not a list of events")
        return [rewrite(event) for event in events]

    return rewrite_all


STEPS: Final = (
    # 2: a hand's log is shorter. A table is as it was.
    Step(events=_each(terse), events_back=_each(plain)),
)
"""The first one leads from schema 1 to 2, and so on; none is ever changed or taken away."""
SCHEMA: Final = 1 + len(STEPS)
"""The newest that is read."""
WRITE_SCHEMA: Final = 2
"""Raised only when whatever reads the texts can read it: not by the release that adds the step."""


def raised_table(text: str, schema: int) -> str:
    """A stored table's text as one of SCHEMA. Raises Damaged."""
    return _through(text, [step.table for step in STEPS[schema - 1 :]])


def raised_events(text: str, schema: int) -> str:
    """A stored list of events as one of SCHEMA. Raises Damaged."""
    return _through(text, [step.events for step in STEPS[schema - 1 :]])


def lowered_table(text: str) -> str:
    """A table's text as it is stored. Raises Damaged."""
    return _through(text, [step.table_back for step in reversed(STEPS[WRITE_SCHEMA - 1 :])])


def lowered_events(text: str) -> str:
    """A list of events as it is stored. Raises Damaged."""
    return _through(text, [step.events_back for step in reversed(STEPS[WRITE_SCHEMA - 1 :])])


def _through(text: str, rewrites: list[Rewrite | None]) -> str:
    needed = [rewrite for rewrite in rewrites if rewrite is not None]
    if not needed:
        return text
    try:
        value = json.loads(text)
        for rewrite in needed:
            value = rewrite(value)
    except (ValueError, TypeError, LookupError, AttributeError) as fault:
        raise Damaged("this cannot be brought to another schema") from fault
    return json.dumps(value, separators=(",", ":"))
