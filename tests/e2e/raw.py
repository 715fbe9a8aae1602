"""A bare connection, for what no well-behaved client does."""

import asyncio
import contextlib
import json
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.typing import Origin, Subprotocol

from local.stack import Room


async def opened(room: Room, *offered: str, origin: str | None = None) -> ClientConnection:
    """As no browser does, or as the page of this origin in one. Raises InvalidStatus where it is
    refused.
    """
    subprotocols = [Subprotocol(name) for name in offered] or None
    return await connect(
        room.websocket_url,
        subprotocols=subprotocols,
        origin=None if origin is None else Origin(origin),
        proxy=None,
    )


async def status(room: Room, *offered: str, origin: str | None = None) -> int:
    """With which status a connection that offers this is answered; 101 lets in."""
    try:
        await (await opened(room, *offered, origin=origin)).close()
    except InvalidStatus as refused:
        return refused.response.status_code
    return 101


async def said(socket: ClientConnection, text: str) -> dict[str, Any]:
    """The reply to a message as it stands."""
    await socket.send(text)
    reply: dict[str, Any] = json.loads(await asyncio.wait_for(socket.recv(), 20))
    return reply


async def flood(socket: ClientConnection, most: int = 5_000) -> list[dict[str, Any]]:
    """Messages without a pause, until the room closes the connection; the answers to them."""
    answers: list[dict[str, Any]] = []
    # No more under way than a socket holds.
    under_way = asyncio.Semaphore(200)

    async def read() -> None:
        with contextlib.suppress(ConnectionClosed):
            async for text in socket:
                answers.append(json.loads(text))
                under_way.release()

    async def send() -> None:
        with contextlib.suppress(ConnectionClosed):
            for number in range(most):
                await under_way.acquire()
                await socket.send(json.dumps({"route": "ping", "id": f"f-{number}", "v": 1}))

    sending = asyncio.ensure_future(send())
    try:
        await asyncio.wait_for(read(), 60)
    finally:
        sending.cancel()
    return answers
