"""What each function reads from its environment, as a typed record read at its first use."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, fields


class IncompleteEnvironmentError(Exception):
    """A variable that the function needs is missing or empty."""


@dataclass(frozen=True, slots=True)
class AuthorizerEnvironment:
    issuer: str
    client_id: str
    jwks_url: str
    guests: str
    """`true` where the operator lets guests watch."""
    origins: str
    """Of pages that may connect, with spaces between; a word that is no origin where there are
    none.
    """


@dataclass(frozen=True, slots=True)
class TableEnvironment:
    """connect, disconnect."""

    table_name: str


@dataclass(frozen=True, slots=True)
class CommandEnvironment:
    table_name: str
    callback_url: str
    floor_queue_url: str


@dataclass(frozen=True, slots=True)
class BroadcastEnvironment:
    table_name: str
    callback_url: str
    turn_clock_arn: str
    fanout_queue_url: str
    floor_queue_url: str


@dataclass(frozen=True, slots=True)
class ClockEnvironment:
    table_name: str
    turn_clock_arn: str


@dataclass(frozen=True, slots=True)
class SweepEnvironment:
    table_name: str
    turn_clock_arn: str
    floor_queue_url: str


@dataclass(frozen=True, slots=True)
class FloorEnvironment:
    table_name: str
    callback_url: str
    floor_queue_url: str


@dataclass(frozen=True, slots=True)
class FanoutEnvironment:
    table_name: str
    callback_url: str
    fanout_queue_url: str


def names[Record](record: type[Record]) -> tuple[str, ...]:
    """The variables that this record is read from."""
    return tuple(field.name.upper() for field in fields(record))  # type: ignore[arg-type]


def read[Record](record: type[Record], source: Mapping[str, str] | None = None) -> Record:
    """Raises IncompleteEnvironmentError naming what is missing."""
    found = os.environ if source is None else source
    missing = [name for name in names(record) if not found.get(name)]
    if missing:
        raise IncompleteEnvironmentError(f"missing in the environment: {', '.join(missing)}")
    return record(*(found[name] for name in names(record)))
