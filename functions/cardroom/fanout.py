"""Whole public snapshots to the spectators of a table, shard by shard; the newest wins.

It sends the bytes that were queued and reads no table. What is too old, or older than what this
shard has been sent, is dropped: the next snapshot holds it all.
"""

import json
from dataclasses import dataclass

from cardroom.gone import forget_gone
from cardroom.ports import Clock, Push, Signals, Views

STALE_MS = 10_000
REMEMBERED = 512
"""Shards of which a warm function knows the last seq sent."""


@dataclass(frozen=True, slots=True)
class Parcel:
    """One snapshot for one shard; `data` is sent as it is."""

    table_id: str
    shard: int
    seq: int
    at: int
    data: str


def dump_parcel(parcel: Parcel) -> str:
    return json.dumps(
        [parcel.table_id, parcel.shard, parcel.seq, parcel.at, parcel.data], separators=(",", ":")
    )


def load_parcel(text: str) -> Parcel:
    """Raises ValueError if the text is not what `dump_parcel` writes."""
    table_id, shard, seq, at, data = json.loads(text)
    return Parcel(table_id, shard, seq, at, data)


class Fanout:
    def __init__(self, audiences: Views, push: Push, clock: Clock, signals: Signals) -> None:
        self._audiences = audiences
        self._push = push
        self._clock = clock
        self._signals = signals
        self._sent: dict[tuple[str, int], int] = {}

    def deliver(self, parcels: list[tuple[str, str]]) -> list[str]:
        """Message ids and bodies of a batch; returns the ids of those that have to come again."""
        newest: dict[tuple[str, int], tuple[str, Parcel]] = {}
        for message_id, body in parcels:
            try:
                parcel = load_parcel(body)
            except (ValueError, TypeError) as error:
                self._signals.count("ParcelDamaged")
                self._signals.fault("fanout", error)
                continue
            key = (parcel.table_id, parcel.shard)
            if key not in newest or newest[key][1].seq < parcel.seq:
                newest[key] = (message_id, parcel)
        again: list[str] = []
        for message_id, parcel in newest.values():
            try:
                self._deliver(parcel)
            except Exception as error:
                self._signals.count("FanoutFailed")
                self._signals.fault("fanout", error, table=parcel.table_id)
                again.append(message_id)
        return again

    def _deliver(self, parcel: Parcel) -> None:
        key, now = (parcel.table_id, parcel.shard), self._clock.now()
        if now - parcel.at > STALE_MS or self._sent.get(key, -1) >= parcel.seq:
            self._signals.count("SnapshotDropped")
            return
        spectators = self._audiences.spectators(parcel.table_id, parcel.shard, now)
        if not spectators:
            self._audiences.close_shard(parcel.table_id, parcel.shard, now)
            return
        data = parcel.data.encode()
        outcomes = self._push.post([(connection, data) for connection in spectators])
        forget_gone(parcel.table_id, outcomes, self._audiences, self._signals)
        self._signals.count("SnapshotsSent", len(spectators))
        self._remember(key, parcel.seq)

    def _remember(self, key: tuple[str, int], seq: int) -> None:
        while len(self._sent) >= REMEMBERED:
            del self._sent[next(iter(self._sent))]
        self._sent[key] = seq
