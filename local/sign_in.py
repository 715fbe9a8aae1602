"""Signing in as a person does, by name and password, for commands that connect."""

import asyncio
import random
from typing import Final

from cardroom.auth import PLAYER
from cardroom.names import NameCode
from cli.printable import printable
from local.client import Token
from local.errors import RoomError
from local.passwords import new_password, password_of
from local.running import NoToken, bots_at
from local.sign_up import newcomer
from local.stack import Deployed
from local.user_pool import Refused, UserPool

TRIES: Final = 5
"""To find a name that nobody has."""


def checked(name: str) -> str:
    """The name, if anybody can be called so. Raises ValueError."""
    if PLAYER.fullmatch(name) is None:
        raise ValueError(f"{printable(name)!r} is no name")
    return name


def access_token(room: Deployed, name: str) -> str:
    """Of a person of this name, who is asked for his password where nothing else knows it. Raises
    ValueError for a bot's name, RoomError where he is not let in.
    """
    return _Person(room, name).sign_in()


def person(room: Deployed, name: str) -> Token:
    """Gives an access token of this person each time that a connection is opened; his password is
    asked for once, and at once. Raises as `access_token`.
    """
    return _Person(room, name).token


def somebody_new(room: Deployed) -> Token:
    """As `person`, a new player of a room on this machine, under a name that is made up."""
    if not room.endpoint:
        raise RoomError("say with --name whom to sign in")
    for _ in range(TRIES):
        name = f"player-{random.SystemRandom().randrange(10_000):04}"
        try:
            password = newcomer(room, name)
        except Refused as error:
            if error.code not in (NameCode.TAKEN, "UsernameExistsException"):
                raise
        else:
            return _Person(room, name, password).token
    raise RoomError("no name was free: say one with --name, after cardroom signup")


class _Person:
    def __init__(self, room: Deployed, name: str, password: str = "") -> None:
        if name.casefold() in bots_at(room.endpoint):
            raise ValueError(f"{name} is a bot of this room: take another name.")
        self._pool = UserPool.of(room)
        self._name = name
        self._password = password or password_of(name, room.endpoint)
        self._was_in = False

    def sign_in(self) -> str:
        token = self._pool.sign_in(self._name, self._password, self._lasting)
        self._was_in = True
        return token

    def _lasting(self) -> str:
        """In place of the password that an operator gave, which serves once."""
        self._password = new_password()
        return self._password

    async def token(self) -> str:
        try:
            return await asyncio.to_thread(self.sign_in)
        except Refused as error:
            # Who was in comes back when the room does.
            if self._was_in or error.code == "no_answer":
                raise NoToken(str(error)) from error
            raise
