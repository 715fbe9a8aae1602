"""What a probe of a real account is made with: its clients, sockets and pages, and what it has made
there itself, which goes away again.
"""

import secrets
import time
import urllib.request
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, Protocol
from urllib.error import HTTPError

from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin, Subprotocol

from cardroom.auth import BEARER, SUBPROTOCOL
from cardroom.dealer import Dealer
from cardroom.shuffle import SystemRandomness
from cardroom.systemclock import SystemClock
from cardroom.tables import open_table
from cli.place import Place
from cli.tables import Silent
from local.user_pool import UserPool
from poker_engine.stakes import no_limit, table_settings

OPEN_SECONDS: Final = 20


class Refused(Exception):
    """A connection was answered with this status."""

    def __init__(self, status: int) -> None:
        super().__init__(f"status {status}")
        self.status = status


class Closed(Exception):
    """A connection has ended; with this code, where one was said."""

    def __init__(self, code: int | None) -> None:
        super().__init__(f"closed with {code}")
        self.code = code


class Socket(Protocol):
    subprotocol: str | None

    def send(self, text: str) -> None:
        """Raises Closed."""
        ...

    def receive(self, seconds: float) -> str | None:
        """None where nothing comes in this time. Raises Closed."""
        ...

    def close(self) -> None: ...


class RealSocket:
    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection
        self.subprotocol: str | None = connection.subprotocol

    def send(self, text: str) -> None:
        try:
            self._connection.send(text)
        except ConnectionClosed as closed:
            raise Closed(None if closed.rcvd is None else closed.rcvd.code) from closed

    def receive(self, seconds: float) -> str | None:
        try:
            text = self._connection.recv(timeout=seconds)
        except TimeoutError:
            return None
        except ConnectionClosed as closed:
            raise Closed(None if closed.rcvd is None else closed.rcvd.code) from closed
        return text if isinstance(text, str) else text.decode()

    def close(self) -> None:
        self._connection.close()


class World(Protocol):
    """What lies outside of this process, besides AWS's own calls."""

    def socket(self, url: str, protocols: list[str], origin: str | None) -> Socket:
        """Raises Refused."""
        ...

    def page(self, url: str) -> tuple[int, dict[str, str]]:
        """Its status, and its headers in small letters."""
        ...

    def now(self) -> int:
        """In ms."""
        ...

    def pause(self, ms: int) -> None: ...


class RealWorld:
    def socket(self, url: str, protocols: list[str], origin: str | None) -> Socket:
        try:
            connection = connect(
                url,
                subprotocols=[Subprotocol(name) for name in protocols] or None,
                origin=None if origin is None else Origin(origin),
                open_timeout=OPEN_SECONDS,
                # A silent client is one that does not answer for itself either.
                ping_interval=None,
            )
        except InvalidStatus as refused:
            raise Refused(refused.response.status_code) from refused
        return RealSocket(connection)

    def page(self, url: str) -> tuple[int, dict[str, str]]:
        try:
            with urllib.request.urlopen(url, timeout=OPEN_SECONDS) as answer:
                status, headers = answer.status, answer.headers
        except HTTPError as refused:
            status, headers = refused.code, refused.headers
        return status, {name.lower(): value for name, value in headers.items()}

    def now(self) -> int:
        return time.time_ns() // 1_000_000

    def pause(self, ms: int) -> None:
        time.sleep(ms / 1000)


@dataclass
class Account:
    """What it makes is called `probe-...`; `close` takes it away, and says what it could not."""

    room: Place
    world: World
    stack: ExitStack = field(default_factory=ExitStack)
    left: list[str] = field(default_factory=list)
    name: str = field(default_factory=lambda: f"probe-{secrets.token_hex(4)}")

    def client(self, service: str) -> Any:
        return self.room.client(service)

    @cached_property
    def token(self) -> str:
        """Of a user who is made for this, has no money, and is no player of the room."""
        pool = UserPool(
            self.client("cognito-idp"),
            self.room.output("UserPoolId"),
            self.room.output("UserPoolClientId"),
        )
        password = f"Aa1!{secrets.token_urlsafe(18)}"
        self.keep("the user", self._forget_user)
        pool.client.admin_create_user(
            UserPoolId=pool.pool_id,
            Username=self.name,
            UserAttributes=[
                {"Name": "email", "Value": f"{self.name}@players.invalid"},
                {"Name": "email_verified", "Value": "true"},
            ],
            MessageAction="SUPPRESS",
        )
        pool.client.admin_set_user_password(
            UserPoolId=pool.pool_id, Username=self.name, Password=password, Permanent=True
        )
        return pool.sign_in(self.name, password)

    def _forget_user(self) -> None:
        self.client("cognito-idp").admin_delete_user(
            UserPoolId=self.room.output("UserPoolId"), Username=self.name
        )

    @cached_property
    def table(self) -> str:
        """An open table at which nobody sits."""
        settings = table_settings(no_limit("PHP", 500), 2)
        self.keep("the table", lambda: self.dealer.close(self.name))
        open_table(self.room.tables, self.name, settings, self.world.now(), most=1)
        return self.name

    @cached_property
    def dealer(self) -> Dealer:
        return Dealer(self.room.tables, SystemClock(), SystemRandomness(), Silent())

    def socket(self, token: str = "", origin: str | None = None, *, silent: bool = False) -> Socket:
        """Of a guest, or of whose token it is. Raises Refused."""
        protocols = [] if silent else [SUBPROTOCOL, *([f"{BEARER}{token}"] if token else [])]
        socket = self.world.socket(self.room.output("WebSocketUrl"), protocols, origin)
        self.keep("a connection", socket.close)
        return socket

    def keep(self, what: str, undo: Callable[[], object]) -> None:
        """To be undone in the end, whatever happens."""

        def undone() -> None:
            try:
                undo()
            except Exception as error:  # The others are taken away all the same.
                self.left.append(f"{what} {self.name}: {type(error).__name__}")

        self.stack.callback(undone)

    def close(self) -> None:
        self.stack.close()
