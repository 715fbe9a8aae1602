"""What each function reads from its environment, as a typed record read at its first use."""

import os
from collections.abc import Mapping
from typing import NamedTuple


class IncompleteEnvironmentError(Exception):
    """A variable that the function needs is missing or empty."""


class AuthorizerEnvironment(NamedTuple):
    issuer: str
    client_id: str
    jwks_url: str
    guests: str
    """`true` where the operator lets guests watch."""
    origins: str
    """Of pages that may connect, with spaces between; a word that is no origin where there are
    none.
    """


class TableEnvironment(NamedTuple):
    """disconnect, signup."""

    table_name: str


class ConnectEnvironment(NamedTuple):
    table_name: str
    arrival_key: str
    """What the hashes of addresses and devices depend on."""


class CommandEnvironment(NamedTuple):
    table_name: str
    callback_url: str
    floor_queue_url: str
    hands_bucket: str


class ArchiveEnvironment(NamedTuple):
    table_name: str
    hands_bucket: str


class BroadcastEnvironment(NamedTuple):
    table_name: str
    callback_url: str
    turn_clock_arn: str
    fanout_queue_url: str
    floor_queue_url: str


class ClockEnvironment(NamedTuple):
    table_name: str
    turn_clock_arn: str


class SweepEnvironment(NamedTuple):
    table_name: str
    turn_clock_arn: str
    floor_queue_url: str


class FloorEnvironment(NamedTuple):
    table_name: str
    callback_url: str
    floor_queue_url: str


class FanoutEnvironment(NamedTuple):
    table_name: str
    callback_url: str
    fanout_queue_url: str


def names(record: type[NamedTuple]) -> tuple[str, ...]:
    """The variables that this record is read from."""
    return tuple(name.upper() for name in record._fields)


def read[Record: NamedTuple](
    record: type[Record], source: Mapping[str, str] | None = None
) -> Record:
    """Raises IncompleteEnvironmentError naming what is missing."""
    found = os.environ if source is None else source
    missing = [name for name in names(record) if not found.get(name)]
    if missing:
        raise IncompleteEnvironmentError(f"missing in the environment: {', '.join(missing)}")
    return record._make(found[name] for name in names(record))
