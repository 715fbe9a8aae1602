"""An asyncio client of the room's WebSocket protocol: one connection, any number of tables.

It does what a real client has to do. Requests are answered by id, and asked again with the same id
when the answer does not come; pushes are folded in order, and a gap is closed by `sync`; silence
is questioned; a lost connection is opened anew with growing pauses, and before a connection gets
too old it is exchanged for a new one.
"""

import asyncio
import contextlib
import json
import random
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Final, Self

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus, InvalidURI
from websockets.typing import Subprotocol

from local.lobby_view import LobbyView, Offer
from local.table_view import Json, Outcome, TableView, Witness

PROTOCOL: Final = "cardroom.v1"
VERSION: Final = 1
REFUSED: Final = (401, 403)
SITTING: Final = ("sit", "quickseat")
SLOW_DOWN: Final = "slow_down"
"""Refused before it was read: to be sent again, after a while."""
FIRST_TRIES: Final = 5
"""To connect, before a client that never was connected gives up."""

type Token = Callable[[], Awaitable[str | None]]
"""Gives an access token that is still good; None connects as a guest."""


class Refused(Exception):
    """The room did not let this player in."""


class Unanswered(Exception):
    """The room did not answer a request, however often it was asked."""


class RequestError(Exception):
    """The room refused a request. `code` is stable, the text is one sentence."""

    def __init__(self, reply: Json) -> None:
        super().__init__(str(reply.get("message", "")))
        self.code = str(reply.get("code", ""))
        self.facts: Json = reply.get("facts") or {}


@dataclass(frozen=True)
class Timing:
    """All of a client's patience, in seconds."""

    reply: float = 5.0
    """Then the same message is sent again."""
    tries: int = 4
    handshake: float = 10.0
    silence_next: float = 5.0
    silence_deadline: float = 2.0
    silence_lobby: float = 6.0
    watch: float = 0.25
    """Between two looks at the silence."""
    ping: float = 240.0
    backoff: float = 0.2
    backoff_most: float = 15.0
    rotate: tuple[float, float] = (90 * 60.0, 115 * 60.0)


@dataclass
class Counts:
    """What a client went through."""

    connects: int = 0
    pushes: int = 0
    lobbies: int = 0
    """Times that the lobby came unasked."""
    dropped: int = 0
    gaps: int = 0
    syncs: int = 0
    silences: int = 0
    resent: int = 0
    slowed: int = 0
    """Requests that the room wanted to be asked later."""
    faults: int = 0
    """Answers of a failing server: its own word for it, or what is no part of the protocol."""


@dataclass
class _Pending:
    message: Json
    reply: asyncio.Future[Json] = field(default_factory=asyncio.Future)


class Client:
    """Use as `async with Client(address, token, player) as client:`; raises Refused where the room
    says no.
    """

    def __init__(
        self,
        address: str,
        token: Token,
        player: str = "",
        *,
        timing: Timing = Timing(),
        seed: int | str = 0,
        record: Callable[[str], None] | None = None,
        witness: Witness | None = None,
    ) -> None:
        """`player` is the id under which the room seats this client. `record` sees every text
        received, `witness` how its views of tables come to know what they know.
        """
        self.address = address
        self.player = player
        self.counts = Counts()
        self.views: dict[str, TableView] = {}
        self.lobby = LobbyView()
        self.offers: dict[str, Offer] = {}
        """The last of each stake, expired ones too."""
        self.lines: set[str] = set()
        """Stakes for a seat at which the player waits, as far as he knows."""
        self._told_at: dict[str, int] = {}
        """When what is known of a stake's line was so."""
        self.account: Json = {}
        """As the player last asked for it."""
        self.refused: Refused | None = None
        self._token = token
        self._timing = timing
        self._record = record
        self._witness = witness
        self._in_lobby = False
        self._lobby_heard = 0.0
        self._asks_lobby = False
        self._back_at = 0.0
        self._random = random.Random(f"{seed}/{player}")
        self._prefix = f"{self._random.getrandbits(48):012x}{time.time_ns() & 0xFFFFFFFF:08x}"
        self._made = 0
        self._pending: dict[str, _Pending] = {}
        self._socket: ClientConnection | None = None
        self._up = asyncio.Event()
        self._changed = asyncio.Condition()
        self._changes = 0
        self._offset_ms = 0
        self._closing = False
        self._tasks: set[asyncio.Task[None]] = set()
        self._syncing: set[str] = set()

    async def __aenter__(self) -> Self:
        self._start(self._stay_connected())
        self._start(self._question_silence())
        self._start(self._ping())
        self._start(self._rotate())
        await self._up.wait()
        if self.refused is not None:
            await self.close()
            raise self.refused
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connection and forget all that is pending."""
        self._closing = True
        socket, self._socket = self._socket, None
        tasks = [task for task in self._tasks if task is not asyncio.current_task()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if socket is not None:
            await socket.close()
        self._fail(Unanswered("the connection is closed"))

    @property
    def connected(self) -> bool:
        return self._socket is not None

    def now(self) -> int:
        """The server's clock as far as its messages tell, in milliseconds."""
        return time.time_ns() // 1_000_000 + self._offset_ms

    def _hear(self, now: int) -> None:
        """The server's clock, from a message that has just come."""
        self._offset_ms = now - time.time_ns() // 1_000_000

    async def drop(self, seconds: float = 0.0) -> None:
        """Break the connection without a word, as a bad network does; the client comes back by
        itself, after so many seconds.
        """
        self._back_at = asyncio.get_running_loop().time() + seconds
        if self._socket is not None:
            self._socket.transport.abort()

    # Requests

    async def request(self, route: str, **fields: Any) -> Json:
        """Ask and wait for the answer. Raises RequestError for a refusal, Unanswered where none
        comes.

        A request outlives its connection: it is asked again on the next one, under the same id.
        """
        self._made += 1
        message = {"route": route, "id": f"{self._prefix}-{self._made}", "v": VERSION, **fields}
        pending = _Pending(message)
        self._pending[message["id"]] = pending
        try:
            for attempt in range(self._timing.tries):
                if self.refused is not None:
                    raise self.refused
                if attempt:
                    self.counts.resent += 1
                await self._send(self._socket, message)
                with contextlib.suppress(TimeoutError):
                    reply = await asyncio.wait_for(
                        asyncio.shield(pending.reply), self._timing.reply * (attempt + 1)
                    )
                    if reply.get("code") == SLOW_DOWN and attempt + 1 < self._timing.tries:
                        self.counts.slowed += 1
                        pending.reply = asyncio.get_running_loop().create_future()
                        await asyncio.sleep(int(reply["facts"]["retry_ms"]) / 1000)
                        continue
                    if reply["type"] == "error":
                        raise RequestError(reply)
                    if route in SITTING:
                        self._sits({**fields, **reply})
                    await self._load(reply.get("table", fields.get("table", "")), reply)
                    return reply
        finally:
            self._pending.pop(message["id"], None)
            if pending.reply.done() and not pending.reply.cancelled():
                pending.reply.exception()
        raise Unanswered(f"{route} was not answered")

    async def watch(self, table: str) -> TableView:
        """Subscribe to a table and have its snapshot."""
        view = self._view(table)
        try:
            await self.request("watch", table=table)
        except RequestError:
            if view.seq < 0:
                self.views.pop(table, None)
            raise
        return view

    def _view(self, table: str) -> TableView:
        return self.views.setdefault(table, TableView(table, self.player, witness=self._witness))

    async def unwatch(self, table: str) -> None:
        self.views.pop(table, None)
        await self.request("unwatch", table=table)

    async def quick_seat(self, structure: str, chips: int, *, post: bool) -> TableView:
        """Sit down at the best table of a stake."""
        reply = await self.request("quickseat", structure=structure, chips=chips, post=post)
        return self._view(reply["table"])

    async def wait_in_line(self, structure: str) -> Offer:
        """Wait for a seat at a stake; what comes is in `offers`, now and later."""
        await self.request("wait", structure=structure)
        return self.offers[structure]

    def _sits(self, told: Json) -> None:
        """Who sits at a table of a stake waits for no seat at it any more."""
        table = told["table"]
        row = self.lobby.table(table)
        stakes = {one.structure for one in self.offers.values() if one.table == table}
        stakes |= {str(one["structure"]) for one in (told, row or {}) if "structure" in one}
        for structure in stakes:
            self.lines.discard(structure)
            self.offers.pop(structure, None)

    async def leave_line(self, structure: str) -> None:
        self.lines.discard(structure)
        self.offers.pop(structure, None)
        await self.request("unwait", structure=structure)

    async def look_at_lobby(self) -> LobbyView:
        """The lobby as it is now, and no more of it."""
        await self.request("lobby", watch=False)
        self._in_lobby = False
        return self.lobby

    async def enter_lobby(self) -> LobbyView:
        """The lobby as it is now, and kept up to date from here on."""
        self._in_lobby = self._asks_lobby = True
        try:
            await self.request("lobby", watch=True)
        finally:
            self._asks_lobby = False
        return self.lobby

    async def sync(self, table: str) -> None:
        """Ask for what is new at a table; one question at a time."""
        view = self.views.get(table)
        if view is None or table in self._syncing:
            return
        self._syncing.add(table)
        try:
            self.counts.syncs += 1
            await self.request("sync", table=table, seq=max(0, view.seq))
        finally:
            self._syncing.discard(table)

    async def changed(self, seen: int) -> int:
        """Wait until something changed since the count `seen`; returns the new count."""
        async with self._changed:
            await self._changed.wait_for(lambda: self._changes != seen)
            return self._changes

    async def next_change(self, seconds: float) -> None:
        """Wait for a change, but no longer than this."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self.changed(self._changes)

    async def until(self, holds: Callable[[], bool], seconds: float) -> None:
        """Wait until `holds()`, looked at after every change. Raises TimeoutError."""
        async with asyncio.timeout(seconds), self._changed:
            await self._changed.wait_for(holds)

    async def changes(self) -> AsyncIterator[None]:
        """Yields at once and after every change."""
        seen = self._changes
        while True:
            yield
            seen = await self.changed(seen)

    # Connections

    def _start(self, work: Any) -> None:
        task: asyncio.Task[None] = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _open(self) -> ClientConnection:
        token = await self._token()
        offered = [PROTOCOL] if token is None else [PROTOCOL, f"bearer.{token}"]
        socket = await connect(
            self.address,
            subprotocols=[Subprotocol(name) for name in offered],
            open_timeout=self._timing.handshake,
            close_timeout=1,
            ping_interval=None,
            proxy=None,
        )
        self.counts.connects += 1
        return socket

    async def _stay_connected(self) -> None:
        attempt = 0
        loop = asyncio.get_running_loop()
        while not self._closing:
            await asyncio.sleep(max(0.0, self._back_at - loop.time()))
            try:
                socket = await self._open()
            except InvalidStatus as error:
                status = error.response.status_code
                if status in REFUSED:
                    self._refuse(f"the room refused the sign-in ({status})")
                    return
                trouble = f"the room at {self.address} fails ({status})"
            except (InvalidURI, ValueError) as error:
                self._refuse(f"{self.address} is not the address of a room: {error}")
                return
            except (OSError, InvalidHandshake, TimeoutError) as error:
                trouble = f"no room answers at {self.address}: {error}"
            else:
                attempt = 0
                reading = asyncio.ensure_future(self._adopt(socket))
                try:
                    await self._lost(reading)
                finally:
                    reading.cancel()
                continue
            if not self.counts.connects and attempt + 1 >= FIRST_TRIES:
                self._refuse(trouble)
                return
            most = min(self._timing.backoff_most, self._timing.backoff * 2**attempt)
            attempt += 1
            await asyncio.sleep(self._random.uniform(most / 2, most))

    async def _lost(self, reading: asyncio.Future[None]) -> None:
        """Until no connection is left: an exchanged one lives on in its own task."""
        await asyncio.wait([reading])
        while self._socket is not None:
            await self.changed(self._changes)

    async def _adopt(self, socket: ClientConnection) -> None:
        """Make it the client's connection, take up all that hangs on one, and read until it
        ends.
        """
        old, self._socket = self._socket, socket
        reading = asyncio.ensure_future(self._read(socket))
        try:
            for pending in list(self._pending.values()):
                await self._send(socket, pending.message)
            self._up.set()
            await self._notify()
            for table in list(self.views):
                self._start(self._quietly(self.watch, table))
            if self._in_lobby:
                self._start(self._quietly(self.enter_lobby))
            if self.lines:
                # An offer that was made meanwhile was told only once, and a place may be lost.
                self._start(self._quietly(self.request, "account"))
            if old is not None:
                self._start(self._retire(old))
            await reading
        finally:
            reading.cancel()
            if self._socket is socket:
                self._socket = None
            await self._notify()

    async def _quietly(self, ask: Callable[..., Awaitable[object]], *about: str) -> None:
        with contextlib.suppress(RequestError, Unanswered, Refused):
            await ask(*about)

    async def _retire(self, old: ClientConnection) -> None:
        """The new socket first: the old one closes when it has had time to say what was under
        way.
        """
        await asyncio.sleep(1)
        await old.close()

    async def _rotate(self) -> None:
        while True:
            await asyncio.sleep(self._random.uniform(*self._timing.rotate))
            if self._socket is None:
                continue
            with contextlib.suppress(OSError, InvalidHandshake, TimeoutError):
                self._start(self._adopt(await self._open()))

    async def _ping(self) -> None:
        while True:
            await asyncio.sleep(self._timing.ping)
            if self._socket is not None:
                await self._quietly(self.request, "ping")

    async def _send(self, socket: ClientConnection | None, message: Json) -> None:
        if socket is not None:
            with contextlib.suppress(ConnectionClosed):
                await socket.send(json.dumps(message, separators=(",", ":")))

    def _refuse(self, sentence: str) -> None:
        self.refused = Refused(sentence)
        self._fail(self.refused)
        self._up.set()

    def _fail(self, error: Exception) -> None:
        for pending in self._pending.values():
            if not pending.reply.done():
                pending.reply.set_exception(error)

    # Messages

    async def _read(self, socket: ClientConnection) -> None:
        with contextlib.suppress(ConnectionClosed):
            async for text in socket:
                if self._record is not None:
                    self._record(text if isinstance(text, str) else text.decode())
                await self._receive(text)

    async def _receive(self, text: str | bytes) -> None:
        try:
            message = json.loads(text)
            kind = message["type"]
        except (ValueError, KeyError, TypeError):
            self.counts.faults += 1
            return
        if "now" in message and kind != "snapshot":
            self._hear(int(message["now"]))
        if kind in ("ok", "error"):
            self.counts.faults += message.get("code") == "internal"
            pending = self._pending.get(message.get("id"))
            if pending is not None and not pending.reply.done():
                pending.reply.set_result(message)
            return
        if kind == "lobby":
            self.counts.lobbies += self._hear_lobby(message)
            await self._notify()
        elif kind == "offer":
            self._offered(message, int(message["now"]))
            await self._notify()
        else:
            await self._receive_of_table(kind, message)

    def _hear_lobby(self, told: Json) -> bool:
        """Whether it is news."""
        self._lobby_heard = asyncio.get_running_loop().time()
        return self.lobby.load(told)

    def _offered(self, told: Json, now: int) -> None:
        """Whether a seat is on offer at a stake, and whether he waits for one; the newest wins."""
        structure, waiting = str(told["structure"]), bool(told.get("waiting", True))
        if now < self._told_at.get(structure, 0):
            return
        self._told_at[structure] = now
        until = int(told["until"] or 0)
        self.offers[structure] = Offer(structure, told["table"], until, waiting)
        if waiting:
            self.lines.add(structure)
        else:
            self.lines.discard(structure)

    def _in_lines(self, lines: list[Json], now: int) -> None:
        """These are all where he waits."""
        lost = self.lines - {str(line["structure"]) for line in lines}
        gone = ({"structure": one, "table": None, "until": None, "waiting": False} for one in lost)
        for line in (*lines, *gone):
            self._offered(line, now)

    async def _receive_of_table(self, kind: str, message: Json) -> None:
        view = self.views.get(message.get("table", ""))
        if view is None:
            return
        self.counts.pushes += 1
        if kind == "snapshot":
            seq, seated = int(message["seq"]), view.mine is not None
            self._see(view, message, asked=False)
            if seated and seq > view.seq:
                # Sent to a spectator: has the seat been lost unheard?
                self._start(self._quietly(self.sync, view.table))
        elif kind == "events":
            outcome = view.push(message)
            if outcome is Outcome.DROPPED:
                self.counts.dropped += 1
            elif outcome is Outcome.GAP:
                self.counts.gaps += 1
                self._start(self._close_gap(view))
            elif view.stale:
                self._start(self._quietly(self.watch, view.table))
        view.presence(message)
        await self._notify()

    async def _load(self, table: str, reply: Json) -> None:
        lobby, snapshot = reply.get("lobby"), reply.get("snapshot")
        if lobby is not None:
            self._hear(int(lobby["now"]))
            self._hear_lobby(lobby)
        if "waiting" in reply:
            self._offered(reply["waiting"], int(reply["now"]))
        if "account" in reply:
            self.account = reply["account"]
            # A room of an older release does not tell them.
            if "lines" in self.account:
                self._in_lines(self.account["lines"], int(reply["now"]))
        if "table" in reply and snapshot is not None:
            self._view(table)
        view = self.views.get(table)
        if view is not None and snapshot is None:
            view.heard = max(view.heard, self.now())
        elif view is not None and snapshot is not None:
            self._see(view, snapshot, asked=True)
            view.presence(snapshot)
        await self._notify()

    def _see(self, view: TableView, snapshot: Json, *, asked: bool) -> None:
        """Take it over. Of a table that is shown late its `now` is when it was so."""
        now = int(snapshot["now"])
        view.load(int(snapshot["seq"]), snapshot["state"], now, asked=asked)
        if view.mine is None and view.settings.get("delay_s"):
            view.late_ms = max(0, self.now() - now)
        else:
            view.late_ms = 0
            self._hear(now)

    async def _close_gap(self, view: TableView) -> None:
        with contextlib.suppress(RequestError, Unanswered, Refused):
            while view.behind and view.table not in self._syncing:
                await self.sync(view.table)

    async def _question_silence(self) -> None:
        timing = self._timing
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(timing.watch)
            silent = loop.time() - self._lobby_heard >= timing.silence_lobby
            if self._in_lobby and self._socket is not None and silent and not self._asks_lobby:
                self._start(self._quietly(self.enter_lobby))
            now = self.now()
            for view in list(self.views.values()):
                if self._socket is None or view.table in self._syncing or view.seq < 0:
                    continue
                if view.mine is None:
                    continue
                due = view.sync_at(
                    next_ms=round(timing.silence_next * 1000),
                    deadline_ms=round(timing.silence_deadline * 1000),
                )
                if due is not None and now >= due:
                    self.counts.silences += 1
                    self._start(self._quietly(self.sync, view.table))

    async def _notify(self) -> None:
        async with self._changed:
            self._changes += 1
            self._changed.notify_all()
