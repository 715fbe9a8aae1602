"""Where a password comes from: the environment, the room's own ready players, or a person's
keyboard. Never from a command's words, which every process on a machine may read.
"""

import getpass
import json
import os
import secrets
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

from local.errors import RoomError
from local.running import room_folder

VARIABLE: Final = "CARDROOM_PASSWORD"


def made_up() -> str:
    """A password that nobody guesses and the pool takes."""
    return f"Aa1{secrets.token_hex(6)}"


def password_of(name: str, endpoint: str, prompt: str = "Password: ") -> str:
    """Of this player of the room at this endpoint. Raises RoomError where nobody can be asked."""
    found = os.environ.get(VARIABLE) or ready_players(endpoint).get(name)
    return found or ask(prompt)


def new_password() -> str:
    """For somebody who chooses one: asked for twice. Raises RoomError."""
    found = os.environ.get(VARIABLE)
    if found:
        return found
    chosen = ask("New password (12 or more, with a-z, A-Z and 0-9): ")
    if ask("Once more: ") != chosen:
        raise RoomError("these are two different passwords")
    return chosen


def ask(prompt: str) -> str:
    """From the keyboard, unseen. Raises RoomError where there is none, or nothing is typed."""
    if not sys.stdin.isatty():
        raise RoomError(f"there is nobody to ask for the password: set {VARIABLE}")
    with suppress(EOFError):
        typed = getpass.getpass(prompt)
        if typed:
            return typed
    raise RoomError("no password was given")


def keep_ready_players(endpoint: str, players: dict[str, str]) -> None:
    """The passwords of players that a room of this machine made for whoever comes; of the last room
    alone, and for nobody else on this machine to read.
    """
    path = _path()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    opened = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(opened, "w") as file:
        json.dump({"endpoint": endpoint, "players": players}, file)


def forget_ready_players() -> None:
    _path().unlink(missing_ok=True)


def ready_players(endpoint: str) -> dict[str, str]:
    """Passwords by name; none where the room at this endpoint left none."""
    with suppress(OSError, ValueError, KeyError, TypeError, AttributeError):
        found = json.loads(_path().read_text())
        if found["endpoint"] == endpoint:
            return {str(name): str(password) for name, password in found["players"].items()}
    return {}


def _path() -> Path:
    return room_folder() / "players.json"
