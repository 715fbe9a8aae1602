"""Money to play with on the local room: everybody who signs in has some of each currency."""

from typing import Final

from cardroom.accounts import DynamoAccounts
from cardroom.bank import Bank, BankCode, Declined, Order
from cardroom.systemclock import SystemClock
from local.errors import RoomError
from local.money import SIGNS
from local.stack import Deployed

GIFT: Final = 10_000_000_00
"""Of each currency, in minor units."""
ORDER: Final = Order("local room", "play money")


def bank_of(room: Deployed) -> Bank:
    """The bank of a room on this machine."""
    return Bank(DynamoAccounts(room.outputs["TableName"], room.client("dynamodb")), SystemClock())


def welcome(room: Deployed, name: str, gift: int = GIFT) -> None:
    """Make him a player of the room and give him the money; once, however often he comes."""
    bank = bank_of(room)
    made = bank.create(name, ORDER)
    if isinstance(made, Declined) and made.code is not BankCode.PLAYER_EXISTS:
        raise RoomError(f"{name}: {made.sentence}")
    for currency in SIGNS:
        declined = bank.deposit(name, currency, gift, f"welcome-{currency}", ORDER)
        if isinstance(declined, Declined):
            raise RoomError(declined.sentence)
