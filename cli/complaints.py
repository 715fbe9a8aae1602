"""`cardroom hands disputes` and `settle`: what players say was wrong with hands."""

import argparse
import getpass
import sys

from cardroom.days import Zone
from cardroom.disputes import Dispute
from cardroom.systemclock import SystemClock
from cli.desk import Desk, print_hand
from cli.hand_report import disputed
from cli.players import name_of, text_of
from cli.printable import printable
from cli.served import Failed, Unusable, served
from poker_engine.views import EVERYTHING


def run(args: argparse.Namespace) -> int:
    """0; 1 where it cannot be done, or something is damaged; 2 where what was asked for makes no
    sense.
    """
    return served(args, _disputes if args.action == "disputes" else _settle)


def _disputes(args: argparse.Namespace) -> int:
    zone = Zone(args.zone)
    try:
        info = zone.info
    except ValueError as error:
        raise Unusable(str(error)) from error
    room = Desk(args)
    found = list(room.histories.disputes())
    told = [one for one in found if isinstance(one, Dispute) and (args.all or not one.closed)]
    damaged = [one for one in found if isinstance(one, str)]
    if args.records and told:
        room.look(args, f"{len(told)} disputed hands")
    for one in sorted(told, key=lambda one: (one.at, one.player)):
        print(*disputed(one, info), sep="\n")
        if args.records:
            try:
                print_hand(room, one.table, one.hand, EVERYTHING, zone)
            except Failed as error:
                print(error)
            print()
    if not told:
        print("nothing was ever disputed" if args.all else "nothing is disputed")
    for key in damaged:
        print(f"cardroom: {printable(key, 200)} cannot be read", file=sys.stderr)
    return 1 if damaged else 0


def _settle(args: argparse.Namespace) -> int:
    room = Desk(args)
    table, number = room.hand(args.hand)
    player, word = name_of(args.player), text_of("--word", args.word)
    who = text_of("--who", getpass.getuser() if args.who is None else args.who)
    found = room.histories.disputes_of(table, number, [player])
    dispute = next((one for one in found if one.player == player), None)
    if dispute is None:
        raise Failed(f"{player} disputes no hand {printable(table)}/{number}")
    if not room.histories.settle(dispute, who, word, SystemClock().now()):
        raise Failed("it was closed before")
    print(f"closed: hand {printable(table)}/{number}, disputed by {player}")
    return 0
