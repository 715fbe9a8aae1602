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

type Json = Any
type Rewrite = Callable[[list[Json]], list[Json]]


class Damaged(ValueError):
    """The text is not what the codec writes."""


@dataclass(frozen=True, slots=True)
class Step:
    """From one schema to the next, and back: a table, and a list of events, as JSON.

    Each function is pure. The way back loses nothing of what a release can produce while the older
    schema is still the one that is written.
    """

    table: Rewrite
    events: Rewrite
    table_back: Rewrite
    events_back: Rewrite


STEPS: Final[tuple[Step, ...]] = ()
"""The first one leads from schema 1 to 2, and so on; none is ever changed or taken away."""
SCHEMA: Final = 1 + len(STEPS)
"""The newest that is read."""
WRITE_SCHEMA: Final = 1
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


def _through(text: str, rewrites: list[Rewrite]) -> str:
    if not rewrites:
        return text
    try:
        value = json.loads(text)
        for rewrite in rewrites:
            value = rewrite(value)
    except (ValueError, TypeError, LookupError, AttributeError) as fault:
        raise Damaged("this cannot be brought to another schema") from fault
    return json.dumps(value, separators=(",", ":"))
