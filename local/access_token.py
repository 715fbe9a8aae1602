"""`cardroom token NAME`: an access token of a player of the room on this machine, for a client that
somebody writes.
"""

import argparse
import sys

from botocore.exceptions import BotoCoreError, ClientError

from local.cognito import Users
from local.errors import RoomError
from local.join import NAME
from local.money import printable
from local.running import bots_at, find


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", help="user name; made if there is none yet")
    parser.add_argument("--address", help="WebSocket address, as `make play` prints it")


def run(args: argparse.Namespace) -> int:
    """0; 1 where no room gives one, 2 on a bad name. The token alone goes to the output."""
    if NAME.fullmatch(args.name) is None:
        print(f"cardroom: {printable(args.name)!r} is no name", file=sys.stderr)
        return 2
    try:
        room = find(args.address)
        if args.name.casefold() in bots_at(room.endpoint):
            print(f"cardroom: {args.name} is a bot of this room", file=sys.stderr)
            return 2
        print(Users(room).token(args.name))
    except RoomError as error:
        print(f"cardroom: {error}", file=sys.stderr)
        return 1
    except (BotoCoreError, ClientError) as error:
        print(f"cardroom: no token: {printable(str(error), 200)}", file=sys.stderr)
        return 1
    return 0
