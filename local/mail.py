"""`cardroom mail NAME`: the code that the room on this machine has mailed to somebody who signs up,
or sets a new password, at its page: no mail leaves the machine.
"""

import argparse
import sys

from botocore.exceptions import BotoCoreError, ClientError

from cli.printable import printable
from local.errors import RoomError
from local.running import find
from local.sign_up import mailed_code
from local.stack import Deployed


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", help="as it was signed up")
    parser.add_argument("--address", help="WebSocket address, as `make play` prints it")


def run(args: argparse.Namespace) -> int:
    """0; 1 where no room runs here, or nobody of this name has signed up."""
    try:
        room = find(args.address)
        code = mailed_code(room, _address(room, args.name))
    except RoomError as error:
        print(f"cardroom: {error}", file=sys.stderr)
        return 1
    print(f"The code for {args.name} is {code}.")
    return 0


def _address(room: Deployed, name: str) -> str:
    """His email address. Raises RoomError."""
    pool, users = room.outputs["UserPoolId"], room.client("cognito-idp")
    try:
        user = users.admin_get_user(UserPoolId=pool, Username=name)
    except (ClientError, BotoCoreError) as error:
        raise RoomError(f"nobody has signed up as {printable(name)!r}") from error
    return next(str(one["Value"]) for one in user["UserAttributes"] if one["Name"] == "email")
