"""Whole public snapshots to the spectators of a table, shard by shard; the newest wins.

It sends the bytes that were queued and reads no table. What is too old, or older than what this
shard has been sent, is dropped: the next snapshot holds it all. Of a delayed table nothing is sent
before its time; what is due is kept first, for those who come to watch.
"""

import json
from dataclasses import dataclass, replace

from cardroom import keys
from cardroom.damage import UNREADABLE
from cardroom.gone import forget_gone
from cardroom.ports import Clock, Push, Queue, Signals, Views
from cardroom.shape import holds
from cardroom.trouble import may_pass

STALE_MS = 10_000
LONGEST_DELAY = 900
"""Seconds that the queue can keep a message back."""
REMEMBERED = 512
"""Shards of which a warm function knows the last seq sent."""
SHARE = 240
"""Spectators that one function sends to before it asks others to help: each shard that is left then
goes back to the queue by itself. One shard is never split.
"""


@dataclass(frozen=True, slots=True)
class Parcel:
    """One snapshot, of this `hand` or after it; `data` is sent as it is.

    It is due at `at` (ms). `shards` are those with spectators in them; None of a delayed table,
    where they are looked up when it is due.
    """

    table_id: str
    hand: int
    seq: int
    at: int
    shards: tuple[int, ...] | None
    data: str
    version: int = 0
    """Of the table, for the log; 0 where an older release did not say."""


def dump_parcel(parcel: Parcel) -> str:
    shown = (parcel.shards, parcel.data, parcel.version)
    fields = (parcel.table_id, parcel.hand, parcel.seq, parcel.at, *shown)
    return json.dumps(fields, separators=(",", ":"))


def load_parcel(text: str) -> Parcel:
    """Raises one of damage.UNREADABLE if the text is not what `dump_parcel` writes."""
    table_id, hand, seq, at, listed, data, *more = json.loads(text)
    shards, version = None if listed is None else tuple(listed), more[0] if more else 0
    parcel = Parcel(table_id, hand, seq, at, shards, data, version)
    if not holds(parcel, Parcel):
        raise ValueError("not a parcel")
    return parcel


class Fanout:
    def __init__(
        self, audiences: Views, push: Push, queue: Queue, clock: Clock, signals: Signals
    ) -> None:
        self._audiences = audiences
        self._push = push
        self._queue = queue
        self._clock = clock
        self._signals = signals
        self._sent: dict[tuple[str, int], int] = {}

    def deliver(self, parcels: list[tuple[str, str]]) -> list[str]:
        """Message ids and bodies of a batch; returns the ids of those that have to come again."""
        read: list[tuple[str, Parcel]] = []
        for message_id, body in parcels:
            try:
                read.append((message_id, load_parcel(body)))
            except UNREADABLE as error:
                self._signals.count("ParcelDamaged")
                self._signals.fault("fanout", error)
        # Of each hand the newest first, which makes the others too old; but how a hand ended is
        # seen before the next.
        read.sort(key=lambda one: (one[1].hand, -one[1].seq))
        again: list[str] = []
        for message_id, parcel in read:
            try:
                self._deliver(parcel)
            except Exception as error:
                self._signals.count("FanoutFailed")
                self._signals.fault("fanout", error, table=parcel.table_id)
                if may_pass(error):
                    again.append(message_id)
        return again

    def _deliver(self, parcel: Parcel) -> None:
        now = self._clock.now()
        shards = parcel.shards
        if shards is None:
            early = parcel.at - now
            if early > 0:
                # Whoever queued it has another clock, or the delay was too long for the queue.
                self._queue.send(dump_parcel(parcel), delay=min(-(-early // 1000), LONGEST_DELAY))
                return
            if not self._audiences.show(parcel.table_id, parcel.seq, parcel.data):
                self._signals.count("SnapshotDropped")
                return
            shards = self._audiences.audience(parcel.table_id, now).shards
            if not shards:
                return
        fresh = [
            shard for shard in shards if self._sent.get((parcel.table_id, shard), -1) < parcel.seq
        ]
        if now - parcel.at > STALE_MS or not fresh:
            self._signals.count("SnapshotDropped")
            return
        self._send(parcel, fresh, now)

    def _send(self, parcel: Parcel, shards: list[int], now: int) -> None:
        table_id = parcel.table_id
        spectators: list[str] = []
        mine: list[int] = []
        while shards and len(spectators) < SHARE:
            shard = shards.pop(0)
            found = self._audiences.spectators(table_id, shard, now)
            if not found:
                self._audiences.close_shard(table_id, shard, now)
            spectators += found
            mine.append(shard)
        for shard in shards:
            self._queue.send(dump_parcel(replace(parcel, shards=(shard,))))
        data = parcel.data.encode()
        outcomes = self._push.post([(connection, data) for connection in spectators])
        forget_gone(table_id, outcomes, self._audiences, self._signals)
        self._signals.count("SnapshotsSent", len(spectators))
        write = keys.write(table_id, parcel.version) if parcel.version else None
        told = len(spectators)
        self._signals.note("snapshot", table=table_id, seq=parcel.seq, write=write, spectators=told)
        for shard in mine:
            self._remember((table_id, shard), parcel.seq)

    def _remember(self, key: tuple[str, int], seq: int) -> None:
        while len(self._sent) >= REMEMBERED:
            del self._sent[next(iter(self._sent))]
        self._sent[key] = seq
