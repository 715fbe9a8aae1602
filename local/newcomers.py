"""Who signs up at the page of a room on this machine has play money, as everybody here, as soon as
he has confirmed.
"""

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from typing import Final

from botocore.exceptions import BotoCoreError, ClientError

from local.errors import RoomError
from local.sign_up import NOWHERE
from local.stack import Deployed
from local.welcome import welcome

LOOK_SECONDS: Final = 2.0


async def welcome_newcomers(room: Deployed) -> None:
    """For as long as the room runs."""
    welcomed: set[str] = set()
    while True:
        # Where the room is busy, the next time.
        with suppress(RoomError, BotoCoreError, ClientError):
            await asyncio.to_thread(welcome_new, room, welcomed)
        await asyncio.sleep(LOOK_SECONDS)


def welcome_new(room: Deployed, welcomed: set[str]) -> None:
    """Gives those their money who are not among these, and adds them. Raises RoomError, and
    botocore's errors.
    """
    for name in _confirmed(room):
        if name not in welcomed:
            welcome(room, name)
            welcomed.add(name)


def _confirmed(room: Deployed) -> Iterator[str]:
    """Players with an address of their own: bots, and those whom a command signs up without one,
    are welcomed there.
    """
    users = room.client("cognito-idp").get_paginator("list_users")
    for page in users.paginate(UserPoolId=room.outputs["UserPoolId"]):
        for user in page["Users"]:
            emails = (one["Value"] for one in user["Attributes"] if one["Name"] == "email")
            if user["UserStatus"] == "CONFIRMED" and not next(emails, NOWHERE).endswith(NOWHERE):
                yield str(user["Username"])
