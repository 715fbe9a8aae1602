"""`cardroom token NAME`: an access token of a player, for a client that somebody writes."""

import argparse
import sys

from local import place
from local.errors import RoomError
from local.sign_in import access_token, checked


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", help="whom to sign in; his password is asked for")
    place.add_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """0; 1 where the room gives none, 2 on a bad name. The token alone goes to the output."""
    try:
        print(access_token(place.place(args), checked(args.name)))
    except ValueError as error:
        print(f"cardroom: {error}", file=sys.stderr)
        return 2
    except RoomError as error:
        print(f"cardroom: {error}", file=sys.stderr)
        return 1
    return 0
