"""`cardroom hands void`: the operator ends a hand that hangs (RULES 9)."""

import argparse

from cardroom.dealer import Dealer
from cardroom.errors import Refused
from cardroom.shuffle import SystemRandomness
from cardroom.store import DynamoTables
from cardroom.systemclock import SystemClock
from cli.players import text_of
from cli.printable import printable
from cli.served import Failed, served
from cli.tables import Silent, store


def run(args: argparse.Namespace) -> int:
    """0; 1 where it cannot be done, 2 where what was asked for makes no sense."""
    return served(args, _voided)


def _voided(args: argparse.Namespace) -> int:
    print(void(store(args), args.table, args.hand, text_of("--why", args.why)))
    return 0


def void(tables: DynamoTables, table_id: str, hand: int, why: str) -> str:
    """Void this hand and say so. Raises Failed where it does not run."""
    dealer = Dealer(tables, SystemClock(), SystemRandomness(), Silent())
    applied = dealer.void(table_id, why, hand)
    refusal = applied if isinstance(applied, Refused) else applied.refusal
    if refusal is not None:
        raise Failed(f"{printable(table_id)}: {refusal.sentence}")
    return f"hand {hand} of {table_id} is void: every chip is where it came from"
