"""The room that runs on this machine, found from another terminal.

`cardroom play` leaves a small file while it runs, which says where; everything else is asked of
the room itself.
"""

import asyncio
import base64
import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final, Self
from urllib.parse import urlsplit

from botocore.exceptions import BotoCoreError, ClientError

from cli.printable import printable
from local.artifacts import ROOT
from local.client import Token
from local.cognito import Users
from local.errors import RoomError
from local.stack import Deployed

STATE: Final = "CARDROOM_STATE"
"""Names another folder than the project's own .room for what a running room leaves."""
LOOPBACK: Final = ("127.0.0.1", "localhost", "::1")
NOT_RUNNING: Final = "no room is running here: start one with make play"


class AlreadyRunning(RoomError):
    """Another `cardroom play` keeps the folder."""


class NoToken(RoomError, ConnectionError):
    """The room gives no access token, most likely because it has stopped."""


@dataclass(frozen=True)
class RoomFile:
    """Where a room runs: the endpoint of its local AWS, the process that started it, the WebSocket
    address, the names that its own bots play under, and where its page is.
    """

    endpoint: str
    pid: int
    address: str = ""
    bots: tuple[str, ...] = ()
    web: str = ""
    """Empty where the room has no page."""

    def write(self) -> None:
        path = room_file()
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_name(f"{path.name}.{os.getpid()}")
        draft.write_text(json.dumps(asdict(self)))
        draft.replace(path)

    def remove(self) -> None:
        """Take the file away, unless another room has taken its place."""
        with suppress(OSError, RoomError):
            if self.read() == self:
                room_file().unlink()

    @classmethod
    def read(cls) -> Self:
        """Raises RoomError where no room is running."""
        try:
            found = json.loads(room_file().read_text())
            return cls(
                endpoint=str(found["endpoint"]),
                pid=int(found["pid"]),
                address=str(found["address"]),
                bots=tuple(str(name) for name in found["bots"]),
                web=str(found["web"]),
            )
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise RoomError(NOT_RUNNING) from error


def room_folder() -> Path:
    """Where a room leaves files: out of version control."""
    return Path(os.environ.get(STATE) or ROOT / ".room")


def room_file() -> Path:
    return room_folder() / "room.json"


@contextmanager
def only_room() -> Iterator[None]:
    """Keeps the folder for one room at a time, from before it starts until it has ended.

    Raises AlreadyRunning, which says where the other one is. What a dead process kept is free.
    """
    folder = room_folder()
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "room.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            where = "it has just begun to start"
            with suppress(RoomError):
                where = RoomFile.read().address
            raise AlreadyRunning(
                f"a room runs here already ({where}): join it, or stop it first with Ctrl-C"
            ) from None
        # Left by a process that could not clean up after itself.
        room_file().unlink(missing_ok=True)
        yield


def bots_at(endpoint: str) -> frozenset[str]:
    """Names, in small letters, of the bots that the room at this endpoint brought itself."""
    with suppress(RoomError):
        file = RoomFile.read()
        if urlsplit(file.endpoint).port == urlsplit(endpoint).port:
            return frozenset(name.casefold() for name in file.bots)
    return frozenset()


def find(address: str | None = None) -> Deployed:
    """The room at a WebSocket address, or the one of `cardroom play`. Raises RoomError."""
    if address is not None:
        return Deployed.at(endpoint_of(address))
    return Deployed.at(RoomFile.read().endpoint)


def endpoint_of(address: str) -> str:
    """The local AWS behind a WebSocket address. Raises RoomError where that is not on this
    machine.
    """
    host = port = None
    with suppress(ValueError):
        parts = urlsplit(address)
        if parts.scheme == "ws":
            host, port = parts.hostname, parts.port
    if host is None or port is None or host not in LOOPBACK:
        raise RoomError(
            f"{printable(address)!r} is not a room on this machine, like ws://127.0.0.1:4566/..."
        )
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def token_of(users: Users, name: str) -> Token:
    """Gives an access token of this user each time that a connection is opened. Raises NoToken."""

    async def token() -> str:
        try:
            return await asyncio.to_thread(users.token, name)
        except (BotoCoreError, ClientError) as error:
            raise NoToken("the room gives no access token: it may have stopped") from error

    return token


def player_of(token: str) -> str:
    """The id under which the room seats the token's owner. Only reads; the room verifies."""
    payload = token.split(".")[1]
    claims = json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
    return str(claims["username"])
