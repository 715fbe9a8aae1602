"""The lobby as text for a terminal of 80 columns or fewer: stakes, then tables."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from cli.printable import printable
from local.lobby_view import EVERYTHING, OPEN, Filter, LobbyView, free_seats, stake_name
from local.money import shown
from local.page import WIDTH, Page, columns
from local.refusals import utc

type Json = dict[str, Any]

STALE_MS: Final = 6_000
"""What is older is said to be old."""
NAME: Final = 32
"""Columns of a table's id at most."""
GAMES: Final = {"nl": "no-limit", "fl": "fixed-limit"}
NOTHING: Final = "-"


@dataclass(frozen=True)
class Column:
    """Of a grid. Where there is too little room those of the highest `rank` go first; 0 stays."""

    title: str
    cell: Callable[[Json], str]
    rank: int = 0
    right: bool = True


def grid(shape: Sequence[Column], rows: Sequence[Json], width: int = WIDTH) -> list[str]:
    """A heading and a line for each row, as many columns as the width has room for."""
    kept = [(one, [one.title, *map(one.cell, rows)]) for one in shape]
    while True:
        widths = [max(map(columns, cells)) for _, cells in kept]
        rank = max(one.rank for one, _ in kept)
        if sum(widths) + 2 * (len(kept) - 1) <= width or not rank:
            break
        kept = [(one, cells) for one, cells in kept if one.rank != rank]
    lines = []
    for number in range(len(rows) + 1):
        cells = (
            _padded(cells[number], wide, right=one.right)
            for (one, cells), wide in zip(kept, widths, strict=True)
        )
        lines.append("  ".join(cells).rstrip())
    return lines


def _padded(text: str, width: int, *, right: bool) -> str:
    pad = " " * (width - columns(text))
    return pad + text if right else text + pad


class LobbyScreen:
    """Draws the lobby for whoever looks at it."""

    def page(
        self,
        lobby: LobbyView,
        now: int,
        width: int = WIDTH,
        *,
        shows: Filter = EVERYTHING,
        balances: Sequence[Json] = (),
        foot: Sequence[str] = (),
    ) -> Page:
        """The whole screen, `foot` at its end. `now` is the server's clock in milliseconds."""
        if lobby.now < 0:
            return Page(["Waiting for the lobby ..."], foot=list(foot))
        stakes = [one for one in lobby.stakes if shows.shows_stake(one)]
        rows = [row for row in lobby.tables if shows.shows_table(row)]
        lines = [self._heading(lobby, now, balances)]
        if words := shows.words(lobby):
            lines.append(f"Only {words}: type filter off to see all.")
        lines += ["", *grid(_stakes(lobby), stakes, width), ""]
        lines += grid(_TABLES, rows, width) if rows else ["No such table is open."]
        return Page(lines, foot=list(foot), top=True)

    def _heading(self, lobby: LobbyView, now: int, balances: Sequence[Json]) -> str:
        players = {player for row in lobby.tables for player in row["players"] if player}
        tables = len(lobby.tables)
        text = f"Lobby: {tables} table{'' if tables == 1 else 's'}, {len(players)} seated"
        if now - lobby.now > STALE_MS:
            text += f", as of {(now - lobby.now) // 1000} s ago"
        if balances:
            text += f"  Balance: {owned(balances)}"
        return text


def owned(balances: Sequence[Json]) -> str:
    """Balances in all currencies, as "P12.50, $3"."""
    return ", ".join(shown(one["balance"], str(one["currency"])) for one in balances)


def account_told(account: Json) -> str:
    """Money and limits, in a few sentences."""
    limits = account["limits"]
    said = [f"You own {owned(account['balances']) or 'nothing'}."]
    for one in limits["currencies"]:
        currency = str(one["currency"])
        for limit, used, what in (
            (one["deposit_day"], one["deposited"], "deposit"),
            (one["loss_day"], one["lost"], "lose"),
        ):
            if (told := _limit(limit, partial(shown, currency=currency))) is not None:
                day = f"{shown(used, currency)} of it today"
                said.append(f"You may {what} {told} of {currency} a day, {day}.")
    if (told := _limit(limits["reminder_minutes"], "{} minutes".format)) is not None:
        said.append(f"You are reminded every {told}.")
    if limits["exclude_until"] is not None:
        said.append(f"You have excluded yourself until {utc(limits['exclude_until'])}.")
    return " ".join(said)


def limits_told(limits: Json, asked: Json) -> str:
    """What holds now of what was asked for, and what from when on; both as in messages."""
    if "exclude_until" in asked:
        until = utc(limits["exclude_until"])
        return f"You have excluded yourself from now on until {until}: then it ends by itself."
    if "reminder_minutes" in asked:
        held = limits["reminder_minutes"]
        return _held("You are reminded", held, "every {} minutes".format, "of nothing")
    currency = str(asked["currency"])
    row = next(one for one in limits["currencies"] if one["currency"] == currency)
    name, verb = ("loss_day", "lose") if "loss_day" in asked else ("deposit_day", "deposit")
    amount = partial(shown, currency=currency)
    return _held(f"In a day (UTC) you may {verb}", row[name], amount, f"any amount of {currency}")


def _held(begin: str, limit: Json, text: Callable[[int], str], nothing: str) -> str:
    value, following = limit["value"], limit["next"]
    now = nothing if value is None else text(value)
    if following is None:
        return f"{begin} {now} from now on."
    then = nothing if following["value"] is None else text(following["value"])
    return f"{begin} {now} as before, and {then} from {utc(following['at'])} on."


def _limit(limit: Json, text: Callable[[int], str]) -> str | None:
    """The limit, and what it will be; None where there is none and none to come."""
    value, following = limit["value"], limit["next"]
    if value is None and following is None:
        return None
    told = "any amount" if value is None else text(value)
    if following is None:
        return told
    then = "any amount" if following["value"] is None else text(following["value"])
    return f"{told} (from {utc(following['at'])} on {then})"


def ranges(numbers: Sequence[int]) -> str:
    """Ascending numbers, those in a row drawn together: 0-2,5."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][1] == number - 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ",".join(str(low) if low == high else f"{low}-{high}" for low, high in runs)


def _stakes(lobby: LobbyView) -> list[Column]:
    def buy_in(stake: Json) -> str:
        row = next((row for row in lobby.tables if row["structure"] == stake["structure"]), None)
        if row is None:
            return NOTHING
        least, most = shown(row["minimum"], row["currency"]), row["maximum"]
        return f"{least} or more" if most is None else f"{least} to {shown(most)}"

    return [
        Column("stake", stake_name, right=False),
        Column("game", lambda stake: GAMES[stake["game"]], rank=1, right=False),
        Column("buy-in", buy_in, rank=2, right=False),
        Column("tables", lambda stake: str(stake["tables"]), rank=3),
        Column("seated", lambda stake: f"{stake['taken']}/{stake['seats']}"),
        Column("in line", lambda stake: str(stake["waiting"])),
    ]


def _free(row: Json) -> str:
    if row["state"] != OPEN:
        return str(row["state"])
    return ranges(free_seats(row)) or "full"


def _told(value: int | None, text: Callable[[int], str]) -> str:
    """Nothing is known of a table on which nothing was played yet."""
    return NOTHING if value is None else text(value)


_TABLES: Final = (
    Column("table", lambda row: printable(row["table"], NAME), right=False),
    Column("seats", lambda row: f"{row['taken']}/{row['seats']}"),
    Column("waiting", lambda row: str(row["waiting"]), rank=2),
    Column("pot", lambda row: _told(row["average_pot"], lambda pot: shown(pot, row["currency"]))),
    Column("flop", lambda row: _told(row["flop_permille"], lambda seen: f"{seen // 10}%"), rank=3),
    Column("hands/h", lambda row: _told(row["hands_hour"], str), rank=1),
    Column("acts", lambda row: _told(row["acting_ms"], lambda ms: f"{ms / 1000:.1f} s"), rank=4),
    Column("watch", lambda row: str(row["watching"]), rank=5),
    Column("free", _free, right=False),
)
