"""`cardroom signup NAME`: become a player of a room, on this machine or on AWS."""

import argparse
import json
import re
import sys
import urllib.request
from typing import Any, Final

from cardroom.names import fault_of
from cli.printable import printable
from local import place
from local.errors import RoomError
from local.passwords import made_up, new_password
from local.stack import Deployed
from local.user_pool import UserPool
from local.welcome import welcome

NOWHERE: Final = "players.invalid"
"""No mail is ever sent there: the local room keeps it."""
NOTICE: Final = (
    "To find people who play together against others, the room keeps for 90 days from which "
    "address you come: as a code, never the address itself."
)
CODE: Final = re.compile(r"\b[0-9]{6}\b")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", help="at the tables, for ever: 3 to 20 letters ...")
    parser.add_argument("--email", help="where the code is sent; on this machine none is needed")
    parser.add_argument("--code", help="the code that was sent, to finish a sign-up")
    place.add_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """0; 1 where the room does not take him, 2 on a name that nobody may have."""
    fault = fault_of(args.name)
    if fault is not None:
        print(f"cardroom: {printable(args.name)!r}: {fault.sentence}", file=sys.stderr)
        return 2
    try:
        room = place.place(args)
        if args.code is None:
            _begin(args, room)
        else:
            UserPool.of(room).confirm(args.name, args.code)
            _greet(room, args.name)
    except RoomError as error:
        print(f"cardroom: {error}", file=sys.stderr)
        return 1
    here = "" if args.stack is None else f" --stack {args.stack}"
    print(f"{args.name} is a player: .venv/bin/cardroom join --name {args.name}{here}")
    return 0


def _begin(args: argparse.Namespace, room: Deployed) -> None:
    """Sign up; confirm by the code, which is read from the local room's mail, or asked for."""
    if args.stack is not None and args.email is None:
        raise RoomError("say with --email where the code shall be sent")
    print(NOTICE)
    password = new_password()
    if args.stack is None:
        sign_up_here(room, args.name, password, args.email)
        return
    pool = UserPool.of(room)
    pool.sign_up(args.name, password, args.email)
    print("A code was sent to you. To give it later: the same command with --code.")
    if not sys.stdin.isatty():
        raise RoomError("there is nobody to ask for the code")
    pool.confirm(args.name, input("Code: ").strip())


def sign_up_here(room: Deployed, name: str, password: str, email: str | None = None) -> None:
    """On a room of this machine, as anybody does it anywhere; and some play money. Raises
    RoomError.
    """
    pool = UserPool.of(room)
    address = email or f"{name}@{NOWHERE}"
    pool.sign_up(name, password, address)
    pool.confirm(name, mailed_code(room, address))
    _greet(room, name)


def newcomer(room: Deployed, name: str) -> str:
    """Sign somebody up here under a password that is made up. Returns that; raises RoomError."""
    password = made_up()
    sign_up_here(room, name, password)
    return password


def mailed_code(room: Deployed, address: str) -> str:
    """The last code that was mailed to this address: the local AWS keeps all mail. Raises
    RoomError.
    """
    with urllib.request.urlopen(f"{room.endpoint}/_ministack/ses/messages", timeout=10) as answer:
        by_account: dict[str, list[dict[str, Any]]] = json.load(answer)["messages"]
    codes = [
        code.group()
        for mails in by_account.values()
        for mail in mails
        if address in mail["To"] and (code := CODE.search(mail["BodyText"])) is not None
    ]
    if not codes:
        raise RoomError("no code was mailed")
    return codes[-1]


def _greet(room: Deployed, name: str) -> None:
    """On this machine everybody has play money."""
    if room.endpoint:
        welcome(room, name)
