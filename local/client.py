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

from local.table_view import Json, Outcome, TableView

PROTOCOL: Final = "cardroom.v1"
VERSION: Final = 1
REFUSED: Final = (401, 403)
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
    dropped: int = 0
    gaps: int = 0
    syncs: int = 0
    silences: int = 0
    resent: int = 0
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
    ) -> None:
        """`player` is the id under which the room seats this client. `record` sees every text
        received.
        """
        self.address = address
        self.player = player
        self.counts = Counts()
        self.views: dict[str, TableView] = {}
        self.refused: Refused | None = None
        self._token = token
        self._timing = timing
        self._record = record
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

    async def drop(self) -> None:
        """Break the connection without a word, as a bad network does; the client comes back by
        itself.
        """
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
                    if reply["type"] == "error":
                        raise RequestError(reply)
                    await self._load(self.views.get(fields.get("table", "")), reply)
                    return reply
        finally:
            self._pending.pop(message["id"], None)
            if pending.reply.done() and not pending.reply.cancelled():
                pending.reply.exception()
        raise Unanswered(f"{route} was not answered")

    async def watch(self, table: str) -> TableView:
        """Subscribe to a table and have its snapshot."""
        view = self.views.setdefault(table, TableView(table, self.player))
        await self.request("watch", table=table)
        return view

    async def unwatch(self, table: str) -> None:
        self.views.pop(table, None)
        await self.request("unwatch", table=table)

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
        while not self._closing:
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
                self._start(self._resume(table))
            if old is not None:
                self._start(self._retire(old))
            await reading
        finally:
            reading.cancel()
            if self._socket is socket:
                self._socket = None
            await self._notify()

    async def _resume(self, table: str) -> None:
        with contextlib.suppress(RequestError, Unanswered, Refused):
            await self.watch(table)

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
                with contextlib.suppress(RequestError, Unanswered, Refused):
                    await self.request("ping")

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
        if "now" in message:
            self._offset_ms = int(message["now"]) - time.time_ns() // 1_000_000
        if kind in ("ok", "error"):
            self.counts.faults += message.get("code") == "internal"
            pending = self._pending.get(message.get("id"))
            if pending is not None and not pending.reply.done():
                pending.reply.set_result(message)
            return
        view = self.views.get(message.get("table", ""))
        if view is None:
            return
        self.counts.pushes += 1
        if kind == "snapshot":
            view.load(int(message["seq"]), message["state"], int(message["now"]))
        elif kind == "events":
            outcome = view.push(message)
            if outcome is Outcome.DROPPED:
                self.counts.dropped += 1
            elif outcome is Outcome.GAP:
                self.counts.gaps += 1
                self._start(self._close_gap(view))
            elif view.stale:
                self._start(self._resume(view.table))
        await self._notify()

    async def _load(self, view: TableView | None, reply: Json) -> None:
        if view is None:
            return
        snapshot = reply.get("snapshot")
        now = self.now()
        if snapshot is None:
            view.heard = max(view.heard, now)
        else:
            now = int(snapshot.get("now", now))
            self._offset_ms = now - time.time_ns() // 1_000_000
            view.load(int(snapshot.get("seq", reply["seq"])), snapshot.get("state", snapshot), now)
        await self._notify()

    async def _close_gap(self, view: TableView) -> None:
        with contextlib.suppress(RequestError, Unanswered, Refused):
            while view.behind and view.table not in self._syncing:
                await self.sync(view.table)

    async def _question_silence(self) -> None:
        timing = self._timing
        while True:
            await asyncio.sleep(timing.watch)
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
                    self._start(self._ask_again(view.table))

    async def _ask_again(self, table: str) -> None:
        with contextlib.suppress(RequestError, Unanswered, Refused):
            await self.sync(table)

    async def _notify(self) -> None:
        async with self._changed:
            self._changes += 1
            self._changed.notify_all()
