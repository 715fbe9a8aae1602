"""`cardroom players`: players and their money, on AWS or of the room that runs here."""

import argparse
import getpass
import re
import sys
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Final

from cardroom.accounts import DynamoAccounts
from cardroom.auth import PLAYER
from cardroom.aws import ApiCloser
from cardroom.bank import Bank, Booked, Declined, Order
from cardroom.connections import DynamoViews
from cardroom.limits import Limit, Limits
from cardroom.money import Player, Standing, Wallet
from cardroom.personal import DynamoPersonal
from cardroom.ports import Closer, Delivery
from cardroom.systemclock import SystemClock
from cardroom.takings import DynamoTakings
from cli.archived import archive_of
from cli.personal import erase, export
from cli.printable import printable
from cli.progress import Progress
from cli.report_options import Counts, add_period, period, written
from cli.served import Failed, Unusable, served
from cli.statements import report, statement
from cli.tables import CURRENCIES, action, outputs_of, store
from local.money import parsed

REFERENCE: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:/ -]{0,63}", re.ASCII)
MOST_TEXT: Final = 120


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    creates = action(actions, "create", "make a player, without money yet")
    shows = action(actions, "show", "standing, wallets and seats")
    deposits = action(actions, "deposit", "book money that came in")
    withdraws = action(actions, "withdraw", "book money that goes out")
    states = action(actions, "statement", "his ledger, and his results by day, table and stake")
    limits = action(actions, "limits", "the limits that he has set himself, and what is left")
    suspends = action(actions, "suspend", "no buy-ins, no deposits; his connections are closed")
    closes = action(actions, "close", "for ever; he is suspended, his wallets and seats empty")
    exports = action(actions, "export", "all that the room keeps of him, as JSON, for him")
    erases = action(actions, "erase", "what can be done without, of a closed account, for ever")
    named = (creates, shows, deposits, withdraws, states, limits, suspends, closes)
    for one in (*named, exports, erases):
        one.add_argument("name", help="the player's user name")
    for one in (deposits, withdraws):
        one.add_argument("amount", help="12 or 12.50")
        one.add_argument("currency", help=" or ".join(CURRENCIES))
        one.add_argument(
            "--reference", required=True, metavar="R", help="what it is called outside; booked once"
        )
    for one in (creates, deposits, withdraws, suspends, closes, erases):
        told = "; the player reads it in his statement" if one in (deposits, withdraws) else ""
        one.add_argument("--why", required=True, help=f"is kept with it{told}")
        one.add_argument("--who", help="is kept with it (your name on this machine)")
    states.add_argument("--currency", help="of this one only")
    add_period(states)
    exports.add_argument("--out", metavar="F", type=Path, help="into this file, not the terminal")
    suspends.add_argument("--lift", action="store_true", help="end a suspension")


def run(args: argparse.Namespace) -> int:
    """0; 1 where it could not be done, 2 where what was asked for makes no sense."""
    return served(args, _told, "what is kept of him")


def _told(args: argparse.Namespace) -> int:
    name = name_of(args.name)
    tables = store(args)
    if args.action == "statement":
        takings = DynamoTakings.beside(tables).with_archive(archive_of(args))
        return _state(args, name, takings, Counts(tables))
    if args.action == "export":
        personal = DynamoPersonal.beside(tables)
        export(args, _known(personal, name), personal)
        return 0
    accounts = DynamoAccounts.beside(tables)
    for line in _done(args, name, accounts):
        print(line)
    return 0


def _done(args: argparse.Namespace, name: str, accounts: DynamoAccounts) -> list[str]:
    """What it says. Raises Unusable or Failed."""
    bank = Bank(accounts, SystemClock())
    match args.action:
        case "create":
            player = _granted(bank.create(name, order_of(args)))
            return [f"{player.name} is a player"]
        case "show":
            return shown(_known(accounts, name), accounts.seats(name))
        case "limits":
            player = _known(accounts, name)
            return limited(player, accounts.limits(name), SystemClock().now())
        case "deposit" | "withdraw":
            amount, currency = amount_of(args.amount), currency_of(args.currency)
            book = bank.deposit if args.action == "deposit" else bank.withdraw
            reference = reference_of(args.reference)
            return [booked(_booked(book(name, currency, amount, reference, order_of(args))))]
        case "suspend":
            if args.lift:
                return shown(_granted(bank.lift(name, order_of(args))), [])
            suspended = _granted(bank.suspend(name, order_of(args)))
            views = DynamoViews(accounts.name, client=accounts._client)
            return [*shown(suspended, []), put_out(name, views, closer(args))]
        case "erase":
            personal = DynamoPersonal.beside(accounts)
            return erase(_known(accounts, name), order_of(args), personal)
        case _:
            return shown(_granted(bank.close(name, order_of(args))), [])


def _state(args: argparse.Namespace, name: str, takings: DynamoTakings, counts: Counts) -> int:
    """Writes it. Raises Unusable or Failed."""
    asked = period(args)
    currency = None if args.currency is None else currency_of(args.currency)
    _known(takings, name)
    with Progress(sys.stderr) as progress:
        told = statement(
            takings,
            name,
            asked,
            SystemClock().now(),
            currency=currency,
            progress=progress,
            total=counts.of(sys.stderr),
        )
    return written(report(told), args, told.amiss)


def _known(accounts: DynamoAccounts, name: str) -> Player:
    player = accounts.player(name)
    if player is None:
        raise Failed(f"there is no player {name}")
    return player


def _granted(answer: Player | Declined) -> Player:
    if isinstance(answer, Declined):
        raise Failed(answer.sentence)
    return answer


def _booked(answer: Booked | Declined) -> Booked:
    if isinstance(answer, Declined):
        raise Failed(answer.sentence)
    return answer


def name_of(text: str) -> str:
    """Raises Unusable."""
    if PLAYER.fullmatch(text) is None:
        raise Unusable(f"{printable(text)!r} is no user name: 1 to 36 of A-Z a-z 0-9 _ . -")
    return text


def amount_of(text: str) -> int:
    """Minor units, exactly. Raises Unusable."""
    try:
        amount = parsed(text)
    except ValueError as error:
        raise Unusable(str(error).rstrip(".")) from error
    if not amount:
        raise Unusable("the amount is more than 0")
    return amount


def currency_of(text: str) -> str:
    """Raises Unusable."""
    if text.upper() not in CURRENCIES:
        raise Unusable(f"{printable(text)!r} is no currency: {' or '.join(CURRENCIES)}")
    return text.upper()


def reference_of(text: str) -> str:
    """Raises Unusable."""
    if REFERENCE.fullmatch(text) is None:
        raise Unusable(
            f"{printable(text)!r} is no reference: 1 to 64 letters, digits, blanks and _ . : / -"
        )
    return text


def order_of(args: argparse.Namespace) -> Order:
    """Raises Unusable."""
    return Order(text_of("--who", args.who or _me()), text_of("--why", args.why))


def text_of(what: str, text: str) -> str:
    """One line of plain text. Raises Unusable."""
    text = text.strip()
    if not text or len(text) > MOST_TEXT or not text.isprintable():
        raise Unusable(f"{what} is one line of 1 to {MOST_TEXT} characters")
    return text


def _me() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return "operator"


def put_out(name: str, views: DynamoViews, closer: Closer) -> str:
    """Close all his connections, and say so. Raises Failed."""
    found = views.connections_of(name)
    outcomes = [(connection, closer.close(connection)) for connection in found]
    for connection, outcome in outcomes:
        if outcome is Delivery.GONE:
            # Ended without a word: nobody else will come to forget it.
            views.disconnect(connection)
    ended = [outcome for _, outcome in outcomes].count(Delivery.DONE)
    failed = [outcome for _, outcome in outcomes].count(Delivery.FAILED)
    if failed:
        raise Failed(f"{name} is suspended, but {failed} of his connections did not close: again")
    return f"  {ended} connections closed"


def closer(args: argparse.Namespace) -> Closer:
    """Of the stack or the local room that was named. Raises Failed or RoomError."""
    if args.stack is not None:
        outputs: Mapping[str, str] = outputs_of(args.stack)
        make = None
    else:
        from local.running import find
        from local.stack import client

        outputs = find(args.address).outputs
        make = partial(client, service="apigatewaymanagementapi")
    if "CallbackUrl" not in outputs:
        raise Failed("he is suspended, but still connected: the stack has no output CallbackUrl")
    return ApiCloser(outputs["CallbackUrl"], make)


def shown(player: Player, seats: list[str]) -> list[str]:
    """Standing, wallets, and where he has chips."""
    lines = [
        f"{player.name}: {player.standing} since {when(player.at)}"
        f" ({printable(player.who, MOST_TEXT)}: {printable(player.why, MOST_TEXT)})"
    ]
    lines += [
        f"  {exact(wallet.balance):>16} {printable(wallet.currency)}, {wallet.entries} entries"
        for wallet in player.wallets
    ]
    if seats:
        lines.append(f"  chips at {', '.join(seats)}")
    if player.standing is Standing.CLOSED:
        lines = lines[:1]
    return lines


def limited(player: Player, limits: Limits, now: int) -> list[str]:
    """Each limit in force, its change if one is under way, and what is used of a day's."""
    lines = [f"{player.name}: what he has set himself; days end at 00:00 UTC"]
    wallets = {wallet.currency: wallet for wallet in player.wallets}
    for currency in sorted(wallets.keys() | limits.deposits.keys() | limits.losses.keys()):
        today = (wallets.get(currency) or Wallet(player.name, currency)).turnover.on(now)
        money = (
            ("deposits", limits.deposits.get(currency, Limit()), today.deposited, "came in"),
            ("losses", limits.losses.get(currency, Limit()), today.lost, "lost"),
        )
        lines += [
            f"  {printable(currency)} {what} of a day: {_limit(limit, now, exact)};"
            f" {exact(used)} {verb} today"
            for what, limit, used, verb in money
        ]
    lines.append(f"  reminder: {_limit(limits.reminder, now, lambda value: f'{value} minutes')}")
    until = when(limits.excluded_until) if now < limits.excluded_until else "no"
    return [*lines, f"  excluded until: {until}"]


def _limit(limit: Limit, now: int, written: Callable[[int], str]) -> str:
    held = limit.on(now)
    text = "none" if held.value is None else written(held.value)
    if held.at is None:
        return text
    return f"{text}, from {when(held.at)} {'none' if held.next is None else written(held.next)}"


def booked(done: Booked) -> str:
    """One line."""
    entry = done.entry
    already = " had been booked already" if done.repeated else ""
    return (
        f"{entry.player}: {entry.kind} {entry.reference} of {exact(abs(entry.amount))} "
        f"{entry.currency}{already}, balance after it {exact(entry.balance)}"
    )


def when(at: int) -> str:
    """A moment (ms), in UTC."""
    return datetime.fromtimestamp(at // 1000, UTC).strftime("%Y-%m-%d %H:%M:%S")


def exact(amount: int, *, sign: bool = False) -> str:
    """Minor units with their two decimals, always."""
    before = "-" if amount < 0 else "+" if sign else ""
    return f"{before}{abs(amount) // 100}.{abs(amount) % 100:02}"
