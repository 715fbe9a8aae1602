"""A small room on loopback that answers by script, so that a client can be shown every fault of a
network.
"""

import asyncio
import json
from collections import deque
from collections.abc import Callable
from typing import Any, Self

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.datastructures import Headers
from websockets.http11 import Request, Response
from websockets.typing import Subprotocol

type Json = dict[str, Any]
type Fault = Callable[["FakeRoom", ServerConnection, Json], bool]
"""Sees a message before it is answered; True where it has dealt with it."""


def state(**changes: Any) -> Json:
    """A table for two between hands; `changes` replace parts of it."""
    seats = [
        {
            "seat": number,
            "player": player,
            "stack": 10_000,
            "bet": 0,
            "status": "active",
            "in_hand": False,
            "folded": False,
            "all_in": False,
            "exit": None,
            "topup": 0,
            "plan": None,
            "pre": None,
            "refill": 0,
        }
        for number, player in enumerate(("ann", "ben", "cid"))
    ]
    base: Json = {
        "settings": {
            "game": "nl",
            "currency": "PHP",
            "small_blind": 50,
            "big_blind": 100,
            "seats": 3,
            "minimum": 1_000,
            "maximum": 10_000,
        },
        "seats": seats,
        "hand": None,
        "turn": None,
        "next_hand_at": None,
        "button": 0,
        "log": [],
    }
    return base | changes


STRUCTURE = "nl-PHP-50-100"
"""Of the table above: P0.50/1."""


def stake(**changes: Any) -> Json:
    """The stake of the table above in the lobby."""
    base: Json = {
        "structure": STRUCTURE,
        "game": "nl",
        "currency": "PHP",
        "small_blind": 50,
        "big_blind": 100,
        "small_bet": 0,
        "big_bet": 0,
        "tables": 1,
        "taken": 2,
        "seats": 3,
        "waiting": 0,
    }
    return base | changes


def row(**changes: Any) -> Json:
    """A table in the lobby, its middle seat free."""
    base = {name: part for name, part in stake().items() if name not in ("tables", "waiting")}
    base |= {
        "table": "t1",
        "active": 2,
        "waiting": 1,
        "players": ["ann", None, "cid"],
        "average_pot": 1_250,
        "flop_permille": 354,
        "hands_hour": 85,
        "acting_ms": 3_210,
        "state": "open",
        "minimum": 1_000,
        "maximum": 10_000,
        "delay_s": 0,
        "time_bank_ms": 0,
        "watching": 4,
    }
    return base | changes


def lobby(*rows: Json, stakes: list[Json] | None = None, now: int = 1_000_000) -> Json:
    """All of the lobby, in one part."""
    return {
        "now": now,
        "part": 1,
        "parts": 1,
        "stakes": [stake()] if stakes is None else stakes,
        "tables": list(rows) or [row()],
    }


class FakeRoom:
    """`async with FakeRoom() as room`: one table "t1", whose snapshot is `room.state` at
    `room.seq`, and `room.lobby`.
    """

    def __init__(self) -> None:
        self.seq = 10
        self.now = 1_000_000
        self.state = state()
        self.lobby = lobby()
        self.account: Json = {
            "player": "ann",
            "standing": "active",
            "balances": [{"currency": "PHP", "balance": 123_450}],
            "seats": [],
            "lines": [],
            "limits": {
                "reminder_minutes": {"value": None, "next": None},
                "exclude_until": None,
                "currencies": [],
            },
        }
        self.received: list[Json] = []
        self.tokens: list[list[str]] = []
        self.sockets: list[ServerConnection] = []
        self.faults: deque[Fault] = deque()
        self.refuse_with: int | None = None
        self.refusals = 0
        self._server: Server | None = None

    async def __aenter__(self) -> Self:
        self._server = await serve(
            self._serve,
            "127.0.0.1",
            0,
            subprotocols=[Subprotocol("cardroom.v1")],
            process_request=self._admit,
        )
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()
        await self._server.wait_closed()

    @property
    def address(self) -> str:
        assert self._server is not None
        port = next(iter(self._server.sockets)).getsockname()[1]
        return f"ws://127.0.0.1:{port}/"

    def routes(self) -> list[str]:
        return [message["route"] for message in self.received]

    def of(self, route: str) -> list[Json]:
        return [message for message in self.received if message["route"] == route]

    async def push(
        self, *events: Json, seq: int | None = None, before: int | None = None, **more: Any
    ) -> Json:
        """Push events to every connection, as the next ones unless said otherwise."""
        message = self.next_push(*events, seq=seq, before=before, **more)
        await self.send(message)
        return message

    def next_push(
        self, *events: Json, seq: int | None = None, before: int | None = None, **more: Any
    ) -> Json:
        """The push alone: the room has gone on, but nobody is told."""
        if before is None:
            before = self.seq
        if seq is None:
            seq = before + len(events)
        self.seq = max(self.seq, seq)
        return {
            "type": "events",
            "table": "t1",
            "seq": seq,
            "before": before,
            "now": self.now,
            "events": list(events),
            **more,
        }

    async def send(self, message: Json | str) -> None:
        text = message if isinstance(message, str) else json.dumps(message)
        for socket in list(self.sockets):
            await socket.send(text)

    async def until(self, holds: Callable[[], bool], seconds: float = 5) -> None:
        deadline = asyncio.get_running_loop().time() + seconds
        while not holds():
            if asyncio.get_running_loop().time() > deadline:
                raise TimeoutError
            await asyncio.sleep(0.005)

    def _admit(self, connection: ServerConnection, request: Request) -> Response | None:
        if self.refuse_with is None:
            return None
        self.refusals += 1
        return Response(self.refuse_with, "No", Headers(), b"")

    async def _serve(self, socket: ServerConnection) -> None:
        assert socket.request is not None
        offered = socket.request.headers.get_all("Sec-WebSocket-Protocol")
        self.tokens.append([part.strip() for value in offered for part in value.split(",")])
        self.sockets.append(socket)
        try:
            async for text in socket:
                message = json.loads(text)
                self.received.append(message)
                if self.faults and self.faults[0](self, socket, message):
                    self.faults.popleft()
                    continue
                await socket.send(json.dumps(self._answer(message)))
        finally:
            self.sockets.remove(socket)

    def _answer(self, message: Json) -> Json:
        ok = {"type": "ok", "id": message["id"], "seq": self.seq}
        snapshot = {"seq": self.seq, "now": self.now, "away": [], "state": self.state}
        match message["route"]:
            case "watch":
                return ok | {"snapshot": snapshot}
            case "sync" if message["seq"] != self.seq:
                return ok | {"snapshot": snapshot}
            case "ping":
                return ok | {"now": self.now}
            case "lobby":
                return ok | {"lobby": self.lobby}
            case "account":
                return ok | {"now": self.now, "account": self.account}
            case "limits":
                return ok | {"limits": self.account["limits"]}
            case "quickseat":
                return ok | {"snapshot": snapshot, "table": "t1", "seat": 0}
            case "wait":
                place = {"structure": message["structure"], "place": 1, "length": 1}
                return ok | {"now": self.now, "waiting": place | {"table": None, "until": None}}
            case "sit":
                return {
                    "type": "error",
                    "id": message["id"],
                    "code": "buy_in_too_small",
                    "message": "The buy-in is at least 1000.",
                    "facts": {"minimum": 1000},
                }
            case _:
                return ok


def swallow(route: str) -> Fault:
    """The message reaches the room; its answer gets lost."""
    return lambda room, socket, message: message["route"] == route


def refuse(route: str, code: str, **facts: int) -> Fault:
    """The message is refused with this code."""
    return answer(route, type="error", code=code, message="No.", facts=facts)


def answer(route: str, **reply: Any) -> Fault:
    """The next message of this route gets this answer."""

    def fault(room: FakeRoom, socket: ServerConnection, message: Json) -> bool:
        if message["route"] != route:
            return False
        text = json.dumps({"type": "ok", "id": message["id"], "seq": room.seq} | reply)
        asyncio.get_running_loop().create_task(socket.send(text))
        return True

    return fault


def break_at(route: str) -> Fault:
    """The connection breaks when the message comes."""

    def fault(room: FakeRoom, socket: ServerConnection, message: Json) -> bool:
        if message["route"] != route:
            return False
        socket.transport.abort()
        return True

    return fault


def refuse_at(route: str, code: str, after: Json) -> Fault:
    """The message is refused with this code, by a room whose table is in the state `after`."""

    def fault(room: FakeRoom, socket: ServerConnection, message: Json) -> bool:
        if message["route"] != route:
            return False
        room.state, room.seq = after, room.seq + 1
        refusal = {"type": "error", "id": message["id"], "code": code, "message": "No."}
        asyncio.get_running_loop().create_task(socket.send(json.dumps(refusal)))
        return True

    return fault


def fail_at(route: str) -> Fault:
    """The function behind the route fails: the gateway's own message comes, without the id."""

    def fault(room: FakeRoom, socket: ServerConnection, message: Json) -> bool:
        if message["route"] != route:
            return False
        text = json.dumps(
            {"message": "Internal server error", "connectionId": "c", "requestId": "r"}
        )
        asyncio.get_running_loop().create_task(socket.send(text))
        return True

    return fault
