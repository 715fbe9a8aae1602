"""A law: who has asked to be told is told: of a table from his seat, and of the lobby."""

import json
from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any, Final

from cardroom import keys
from cardroom.attendance import away
from cardroom.connections import SHARDS
from cardroom.damage import UNREADABLE
from cardroom.listing import Row, row_of
from cardroom.lobby import SLOT_MS
from cardroom.ports import Viewer
from cardroom.shape import whole
from tests.simulation.dynamo import Written
from tests.simulation.expressions import Item
from tests.simulation.record import SKEW_MS, Call, Record, since

SEATING: Final = frozenset({"sit", "quickseat"})
ASKING: Final = SEATING | {"watch", "lobby"}
LOBBY_MS: Final = 5_000
STRIKE: Final = (
    "throttled",
    "timeout",
    "killed",
    "slow call",
    "queue",
    "post",
    "release",
)
"""How the names of those faults begin that may keep the lobby's next push back."""
GIVES_UP: Final = ("records given up", "batch delayed by 30 s")
"""After which records of the stream may be lost: given up, or too old."""
QUIET_MS: Final = 5_000
"""In calm a change has been told to all in less."""

type Json = dict[str, Any]


@dataclass
class Asked:
    """What a connection has asked of a table, or of the lobby (""): the last call that said yes,
    and until when (ms) another one may have undone it.
    """

    call: Call | None = None
    reply: Json = field(default_factory=dict)
    unsure: int = -1

    @property
    def sure(self) -> Call | None:
        return self.call if self.call is not None and self.call.begun > self.unsure else None


@dataclass
class Subscriptions:
    record: Record
    asked: dict[tuple[str, str], Asked] = field(default_factory=dict)
    """By connection and table; the lobby is ""."""
    heard: dict[tuple[str, str], tuple[int, int]] = field(default_factory=dict)
    """By connection and table: when it was posted to last, and which seq; the lobby is ""."""
    calm_at: int | None = None
    _struck: int = 0
    """When a fault struck last that may keep the lobby waiting."""
    _strikes: int = 0
    _came: dict[tuple[str, str], int] = field(default_factory=dict)
    """By table and connection that watches from a seat: since when (ms)."""
    _views: dict[str, dict[str, int]] = field(default_factory=lambda: defaultdict(dict))
    """By connection and partition in which it is to be told: since when (ms)."""
    _left: dict[tuple[str, str], int] = field(default_factory=dict)
    """By connection and partition: until when it was (ms)."""
    _here: dict[str, list[tuple[int, frozenset[str]]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    """By table: since when (ms) these players watched it from a seat."""
    _attended: dict[str, int] = field(default_factory=dict)
    """By table: when somebody began or ceased to watch from a seat last."""

    def begun(self, call: Call) -> None:
        """A function takes up a client's message."""
        if call.leaves:
            self._of(call, call.about).unsure = self.record.now

    def ended(self, call: Call, reply: Json | None) -> None:
        """It has done with it; None where it answers nothing."""
        if not call.leaves and call.route not in ASKING:
            return
        name = (reply or {}).get("table", "-") if call.route == "quickseat" else call.about
        asked = self._of(call, name)
        if reply is None or call.leaves:
            asked.unsure = self.record.now
        elif reply["type"] == "ok" and (asked.call is None or asked.call.begun < call.begun):
            asked.call, asked.reply = call, reply

    def _of(self, call: Call, name: str) -> Asked:
        return self.asked.setdefault((call.connection, name), Asked())

    def posted(self, connection: str, message: Json) -> None:
        self._is_there(connection, message)
        if message["type"] in ("events", "presence"):
            author = self.record.cloud.author
            began = self.record.now if author is None else author.began
            came = {one["seat"] for one in message.get("events", ()) if one["e"] == "seated"}
            self.absent(message["table"], message, began, came)
        name = "" if message["type"] == "lobby" else message.get("table") or "-"
        seq = message.get("seq", 0)
        _, before = self.heard.get((connection, name), (0, 0))
        self.heard[connection, name] = (self.record.now, max(before, seq))

    def _is_there(self, connection: str, message: Json) -> None:
        """Who is told was among those to be told, at some moment since the function began."""
        author, name = self.record.cloud.author, message.get("table") or ""
        if author is None or message["type"] == "offer":
            return  # An offer is told to all of a player's connections.
        places = [keys.seats(name), keys.crowd(name, keys.shard_of(connection, SHARDS))]
        if message["type"] == "lobby":
            places = [keys.LOBBY_WATCH]
        elif message["type"] != "snapshot":
            del places[1]
        if not any(
            place in self._views[connection]
            or self._left.get((connection, place), -1) >= author.began
            for place in places
        ):
            about = f"{name or 'the lobby'}, which it does not watch"
            self.record.fail(f"{connection} is sent {message['type']} of {about}")

    def forgotten(self, connection: str, name: str | None, moment: int) -> None:
        """Nothing is left of a connection that has ended, or of what it watched of this table, but
        what came after that moment: its own last call may still run. "" is the lobby.
        """
        self.record.counts["connections forgotten"] += 1
        for place, came in self._views[connection].items():
            of_lobby = place == keys.LOBBY_WATCH
            about = "" if of_lobby else keys.table_id(place)
            if came < moment and name in (None, about):
                self.record.fail(f"{connection} is gone, and still told of {about or 'the lobby'}")

    def absent(self, name: str, message: Json, began: int, came: Collection[int]) -> None:
        """Who is shown as away was so at some moment since then, but for those who just came."""
        past, found = self.record.pasts[name], message["away"]
        seq = message.get("seq")
        tables = past.tables.get(seq, []) if seq is not None else past.stored_since(began)
        if not found and self.record.tables[name].table.settings.delay_s:
            return  # Of a delayed table a leaver is told no more.
        self.record.counts["presence compared"] += 1
        for table in tables:
            for here in since(self._here[name], began, frozenset()):
                wanted = [
                    number
                    for number, seat in enumerate(table.seats)
                    if seat is not None and seat.player not in here and number not in came
                ]
                if found == wanted:
                    return
        self.record.fail(f"{found} of {name} are shown as away, and were not")

    def written(self, written: Written) -> None:
        """Of a partition of those who are to be told."""
        pk, sk = written.key
        if not sk.startswith(keys.VIEW):
            return
        connection = sk.removeprefix(keys.VIEW)
        if written.new is None:
            self._left[connection, pk] = self.record.now
            self._views[connection].pop(pk, None)
        else:
            # Once more is no news: who ends it now finds it.
            self._views[connection][pk] = self.record.now
        if not pk.startswith("SEATED#"):
            return
        name = keys.table_id(pk)
        self._attended[name] = self.record.now
        if written.new is None:
            self._came.pop((name, sk), None)
        else:
            self._came[name, sk] = self.record.now
        self.changed(name)

    def changed(self, name: str) -> None:
        """Somebody begins or ceases to watch this table from a seat; or he does for the room, which
        knows nobody whose view it cannot read.
        """
        here = frozenset(viewer.player for viewer in self._seated(name))
        self._here[name].append((self.record.now, here))

    # As time passes

    def look(self) -> None:
        """Once a second: nobody waits for the lobby, unless by a fault."""
        cloud, now = self.record.cloud, self.record.now
        strikes = sum(
            count for kind, count in cloud.faults.fired.items() if kind.startswith(STRIKE)
        )
        if strikes != self._strikes:
            self._strikes, self._struck = strikes, now
        for (connection, name), asked in self.asked.items():
            if name or connection not in cloud.connections:
                continue
            call = asked.sure
            if call is None or call.ended is None:
                continue
            last = max(call.ended, self.heard.get((connection, ""), (0, 0))[0])
            late = now - last
            if late <= LOBBY_MS + 2 * SKEW_MS or self._struck > last - 2 * SLOT_MS:
                continue
            self.record.fail(f"{connection} has not heard of the lobby for {late} ms")

    # In the end

    def in_the_end(self, live: dict[str, str]) -> None:
        """After some calm. `live` are the connections that are open, and whose."""
        for name, stored in self.record.tables.items():
            seated = self._seated(name)
            self._reached(name, seated, live)
            self._parted(name, live)
            if self._told(name):
                self._dead(name, seated, live)
                here = [one for one in seated if one.connection in live]
                wanted, found = away(stored.table, here), away(stored.table, seated)
                if wanted != found:
                    self.record.fail(f"{name}: {found} are away for the room, and {wanted} are")

    def _seated(self, name: str) -> list[Viewer]:
        items = self.record.cloud.dynamo.partition(keys.seats(name))
        found = (_viewer(item) for item in items if item["sk"]["S"].startswith(keys.VIEW))
        return [viewer for viewer in found if viewer is not None]

    def _told(self, name: str) -> bool:
        """Whether its seats were all pushed to in calm, long enough ago."""
        calm, told = self.calm_at, self.record.pasts[name].told_at
        return calm is not None and calm + QUIET_MS < told < self.record.now - QUIET_MS

    def told(self, name: str, connection: str) -> bool:
        """Whether a push of this table has come to this connection's seat in calm."""
        at, _ = self.heard.get((connection, name), (0, 0))
        return self._told(name) and at >= self.record.pasts[name].told_at

    def away_of(self, name: str, connection: str) -> list[int] | None:
        """Who is away, where this connection should have been told by now."""
        attended, told = self._attended.get(name, 0), self.record.pasts[name].told_at
        if self.calm_at is None or not (
            self.calm_at + QUIET_MS < max(attended, told) < self.record.now - QUIET_MS
        ):
            return None
        seated = self._seated(name)
        if all(viewer.connection != connection for viewer in seated):
            return None  # A late message of its client may have undone what it asked for.
        return away(self.record.tables[name].table, seated)

    def _reached(self, name: str, seated: list[Viewer], live: dict[str, str]) -> None:
        """Who watches from his seat is among those who do, and was told the last news."""
        record, past = self.record, self.record.pasts[name]
        table = record.tables[name].table
        known = {viewer.connection for viewer in seated}
        for (connection, about), asked in self.asked.items():
            player = live.get(connection)
            if about != name or not player or table.seat_of(player) is None:
                continue
            if not self._from_seat(asked, *past.sat[player]):
                continue
            record.counts["seats that watch"] += 1
            if connection not in known:
                record.fail(f"{connection} watches {name} from its seat, and is not known to")
            told, since = self._told(name), self._came.get((name, keys.view(connection)), 0)
            if told and max(since, asked.call.ended or 0) < past.told_at:  # type: ignore[union-attr]
                _, seq = self.heard.get((connection, name), (0, 0))
                if seq < table.seq:
                    record.fail(
                        f"{connection} was told {name} up to {seq}, which is at {table.seq}"
                    )

    def _parted(self, name: str, live: dict[str, str]) -> None:
        """Who has lost his seat in calm was told so on each connection that watched from it."""
        record, past = self.record, self.record.pasts[name]
        for (connection, about), asked in self.asked.items():
            player, call = live.get(connection), asked.sure
            gone = past.gone_at.get(player or "", 0)
            lately = (self.calm_at or 0) + QUIET_MS < gone < record.now - QUIET_MS
            if about != name or not player or not lately or call is None:
                continue
            sat, seq = past.sat[player]
            if sat > gone or (call.ended or gone) >= gone or not self._from_seat(asked, sat, seq):
                continue
            if self.heard.get((connection, name), (0, 0))[1] < past.gone[player]:
                record.fail(f"{connection} was not told that its seat at {name} is gone")

    def _from_seat(self, asked: Asked, sat: int, seq: int) -> bool:
        """Whether the last call that subscribed it has seen the seat that he has now."""
        call = asked.sure
        if call is None:
            return False
        if call.route in SEATING and asked.reply.get("seq", -1) >= seq:
            return True
        return sat < call.begun

    def _dead(self, name: str, seated: list[Viewer], live: dict[str, str]) -> None:
        """A push has found out who is gone."""
        told = self.record.pasts[name].told_at
        for viewer in seated:
            came = self._came.get((name, keys.view(viewer.connection)), 0)
            if viewer.connection not in live and came < told:
                self.record.fail(f"{viewer.connection} is gone, and still pushed to at {name}")

    def rows(self) -> None:
        """The lobby shows the tables as they are. Where the stream may have given up what changed a
        table's row, that is shown with the next change.
        """
        late, calm = self.record.now - QUIET_MS, self.calm_at or 0
        given_up = any(self.record.cloud.faults.fired[kind] for kind in GIVES_UP)
        items = {one["sk"]["S"]: one for one in self.record.cloud.dynamo.partition(keys.LISTED)}
        for name, stored in self.record.tables.items():
            if stored.table.closed:
                if name in items:
                    self.record.fail(f"{name} is closed, and listed")
                continue
            if name not in items:
                self.record.fail(f"{name} is open, and not listed")
            listed = self.record.pasts[name].listed_at
            if listed >= late or (given_up and listed <= calm + QUIET_MS):
                continue
            self.record.counts["rows compared"] += 1
            row = row_of(name, stored.table, stored.pace)
            if how := differing(items[name]["row"]["S"], row):
                self.record.fail(f"{name} is listed otherwise: {how}")


def _viewer(item: Item) -> Viewer | None:
    """None where something in it cannot be read."""
    try:
        whole(item["ttl"])
        connection = item["sk"]["S"].removeprefix(keys.VIEW)
        return Viewer(connection, item["player"]["S"], whole(item["seq"]))
    except UNREADABLE:
        return None


def differing(shown: str, row: Row) -> Json:
    """Parts of a listed row that are not as in this one: what is listed, and what should be."""
    listed, wanted = json.loads(shown), json.loads(row.dump())
    return {
        part: (listed.get(part), value)
        for part, value in wanted.items()
        if listed.get(part) != value
    }
