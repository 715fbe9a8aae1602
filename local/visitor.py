"""A person at a terminal: looks at the lobby and at tables, and sends what he types."""

import asyncio
import signal
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from cardroom.spans import DAY_MS, MINUTE_MS
from cli.printable import printable
from local.client import Client, Refused, RequestError, Unanswered
from local.errors import RoomError
from local.lobby_screen import LobbyScreen, account_told, limits_told
from local.lobby_view import EVERYTHING, Offer, filter_of, stake_name
from local.money import shown
from local.page import Page
from local.refusals import sentence, utc
from local.table_screen import News, Screen
from local.table_view import Json, TableView
from local.terminal import Terminal
from local.wishes import HELP, LOBBY_HELP, Refusal, Wish, of_lobby, understood

PROMPT: Final = "> "
USUAL: Final = 40
"""Big blinds that one sits down with who says nothing else."""
LEAVE_SECONDS: Final = 2.0
LOST_SECONDS: Final = 20.0
"""Without a connection; then the room is taken for stopped."""
LOOK_SECONDS: Final = 0.5
"""Between two looks at the connection."""
REDRAW_SECONDS: Final = 1.0
WELCOME: Final = "Sit down by: sit TABLE SEAT, or: quick STAKE. Type help for the commands."
UNHEARD: Final = "The room did not answer: try again."
STOPPED: Final = "The room does not answer any more: it was stopped, or has lost you."
LEFT_BEHIND: Final = "The room did not answer: your seat is yours until the clock takes it."
GONE: Final = {
    "removed": "The clock removed you",
    "sat_out": "You sat out for too long",
    "closed": "The table closed",
}


def usual_chips(stakes: Json) -> int:
    """What one buys in for who says nothing, of a table's settings or row."""
    least, most = int(stakes["minimum"]), stakes["maximum"]
    usual = max(least, USUAL * int(stakes["big_blind"]))
    return usual if most is None else min(usual, int(most))


async def sit(client: Client, view: TableView, seat: int | None, buy_in: int | None) -> None:
    """Sit down, unless the player has a seat here already. Raises RoomError, and Refusal for a seat
    that the table does not have.
    """
    if view.mine is not None:
        return
    last = len(view.seats) - 1
    if seat is not None and not 0 <= seat <= last:
        raise Refusal(f"{view.table} has no seat {seat}: seats are 0 to {last}.")
    free = [number for number, one in enumerate(view.seats) if one is None]
    if not free:
        raise RoomError("this table is full: choose another")
    for number in free if seat is None else [seat]:
        fields = {"seat": number, "chips": buy_in or usual_chips(view.settings), "post": True}
        try:
            await client.request("sit", table=view.table, **fields)
        except RequestError as error:
            if error.code == "seat_taken" and number != free[-1] and seat is None:
                continue
            raise RoomError(sentence(error, str(view.settings["currency"]), "sit")) from error
        return


@dataclass
class Reminder:
    """Tells how long somebody has been here, as often as he wants to hear it. In milliseconds."""

    began: int
    told: int = 0

    def due(self, minutes: int | None, now: int) -> str | None:
        """The reminder, when its time has come."""
        if not minutes or now - max(self.began, self.told) < minutes * MINUTE_MS:
            return None
        self.told = now
        return f"You have been here for {(now - self.began) // MINUTE_MS} minutes."


class Visitor:
    """`at` is the table on the screen, None the lobby. Who comes for `one_table` goes when he has
    left it; others go back to the lobby.
    """

    def __init__(
        self,
        client: Client,
        terminal: Terminal,
        *,
        at: TableView | None = None,
        one_table: bool = False,
        chips: int | None = None,
        patience: float = LOST_SECONDS,
    ) -> None:
        """`chips` are what he sits down with where he does not say."""
        self._client = client
        self._terminal = terminal
        self._at = at
        self._one_table = one_table
        self._chips = chips
        self._patience = patience
        self._screen = Screen(colour=terminal.colour)
        self._lobby = LobbyScreen()
        self._filter = EVERYTHING
        self._news: dict[str, News] = {}
        self._seats: set[str] = set()
        self._said: set[str] = set()
        self._reminder = Reminder(client.now())
        self._over = asyncio.Event()
        self._lost = False
        self._going: asyncio.Task[None] | None = None
        self._farewell = "You left the table." if one_table else "You left the room."

    async def play(self) -> tuple[int, str]:
        """Until the player goes, his input ends, or the room is lost. Returns the exit code and the
        last word.
        """
        works = [self._show_changes(), self._obey(self._terminal.lines()), self._watch_connection()]
        if self._terminal.live:
            works.append(self._tick())
        tasks = [asyncio.create_task(work) for work in works]
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, self._over.set)
        try:
            self._welcome()
            ended = asyncio.ensure_future(self._over.wait())
            done, _ = await asyncio.wait([ended, *tasks], return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
            await self._leave_all()
        finally:
            for number in (signal.SIGINT, signal.SIGTERM):
                loop.remove_signal_handler(number)
            tasks += [self._going] if self._going is not None else []
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        return int(self._lost), self._farewell

    def _welcome(self) -> None:
        if self._at is None:
            if not self._terminal.live:
                self._terminal.draw(self._lobby_page(self._client.now(), []))
            self._terminal.say(WELCOME)
            return
        tables = ", ".join(view.table for view in self._own_views())
        still = "" if self._one_table else "still "
        self._terminal.say(f"You {still}sit at {tables}. Type help for the commands.")

    # Going

    async def _leave_all(self) -> None:
        """Who goes without a word leaves his seats behind him, not a silent player."""
        views = self._own_views()
        if not views or self._lost:
            return
        try:
            async with asyncio.timeout(LEAVE_SECONDS):
                for view in views:
                    await self._client.request("leave", table=view.table, when="now")
        except (RequestError, Unanswered, Refused, TimeoutError):
            self._lost = True
            self._farewell = LEFT_BEHIND
            return
        with suppress(TimeoutError):
            await self._client.until(lambda: not self._own_views(), LEAVE_SECONDS)
        if self._own_views():
            self._farewell = "You leave the table as soon as the hand is over."
        else:
            self._farewell = self._parting(views[-1]) or self._farewell

    def _own_views(self) -> list[TableView]:
        """The tables where the player has a seat."""
        return [view for view in self._client.views.values() if view.mine is not None]

    def _parting(self, view: TableView) -> str | None:
        """How the player lost his seat there."""
        for event in reversed(view.log):
            if event["e"] == "seat_emptied" and event["player"] == view.player:
                why = GONE.get(event["exit"], "You left")
                return f"{why}, with {shown(event['chips'], self._currency(view))}."
        return None

    async def _watch_connection(self) -> None:
        """Ends the play when the room is out of reach for too long, or lets him in no more."""
        loop = asyncio.get_running_loop()
        seen = loop.time()
        while self._client.refused is None and loop.time() - seen < self._patience:
            if self._client.connected:
                seen = loop.time()
            self._remind()
            await asyncio.sleep(min(LOOK_SECONDS, self._patience / 4))
        self._lost = True
        self._farewell = STOPPED
        self._over.set()

    def _remind(self) -> None:
        limits = self._client.account.get("limits", {})
        minutes = (limits.get("reminder_minutes") or {}).get("value")
        told = self._reminder.due(minutes, self._client.now())
        if told is not None:
            self._terminal.say(told)

    # Showing

    async def _show_changes(self) -> None:
        async for _ in self._client.changes():
            for view in list(self._client.views.values()):
                if view.mine is not None:
                    self._seats.add(view.table)
                elif view.table in self._seats:
                    self._seats.discard(view.table)
                    await self._lost_seat(view)
            self._show()

    async def _lost_seat(self, view: TableView) -> None:
        parting = self._parting(view) or "You left the table."
        self._farewell = parting
        if view is not self._at:
            self._terminal.say(f"{view.table}: {parting}")
            return
        self._show()
        if self._one_table:
            self._over.set()
            return
        self._terminal.say(parting)
        self._going = asyncio.create_task(self._retire())

    async def _retire(self) -> None:
        with suppress(RequestError, Unanswered, Refused):
            await self._go_home()
            await self._client.request("account")

    async def _tick(self) -> None:
        while True:
            self._show()
            await asyncio.sleep(REDRAW_SECONDS)

    def _show(self) -> None:
        view, now, width = self._at, self._client.now(), self._terminal.width
        if not self._terminal.live:
            self._show_plain(view, now)
        elif view is None:
            self._terminal.draw(self._lobby_page(now, ["", *self._foot(now)]), PROMPT)
        else:
            page = self._screen.page(view, now, width, self._foot(now))
            self._terminal.draw(page, PROMPT)

    def _lobby_page(self, now: int, foot: list[str]) -> Page:
        return self._lobby.page(
            self._client.lobby,
            now,
            self._terminal.width,
            shows=self._filter,
            balances=self._client.account.get("balances", ()),
            foot=foot,
        )

    def _show_plain(self, view: TableView | None, now: int) -> None:
        """What is new, each once."""
        for line in self._calls(now, seconds=False):
            self._say_once(line)
        if view is None:
            return
        for line in self._news.setdefault(view.table, News(self._screen)).lines(view):
            self._terminal.say(line)
        turn = view.turn
        if turn is not None and turn["seat"] == view.mine:
            moment = f"{view.table} {turn['hand']} {turn['number']}"
            if moment not in self._said:
                self._said.add(moment)
                self._terminal.draw(self._screen.page(view, now))

    def _say_once(self, line: str) -> None:
        if line not in self._said:
            self._said.add(line)
            self._terminal.say(line)

    def _foot(self, now: int) -> list[str]:
        """What is to be known besides the screen."""
        foot = self._calls(now, seconds=True)
        others = [view.table for view in self._own_views() if view is not self._at]
        if others:
            foot.append(f"You {'also ' if self._at else ''}sit at {', '.join(others)}.")
        if self._at is None and self._client.lines:
            stakes = ", ".join(map(self._client.lobby.named, sorted(self._client.lines)))
            foot.append(f"You wait for a seat at {stakes}.")
        if not self._client.connected:
            foot.append("Connecting again ...")
        return foot

    def _calls(self, now: int, *, seconds: bool) -> list[str]:
        """What the player has to do elsewhere, before its time is over."""

        def left(until: int) -> str:
            return f" ({max(0, until - now + 999) // 1000} s)" if seconds else ""

        lines = []
        for offer in self._offers(now):
            kept = left(offer.until)
            lines.append(f"A seat at {printable(offer.table or '')} is yours{kept}: type take.")
        for view in self._own_views():
            turn = view.turn
            if view is not self._at and turn is not None and turn["seat"] == view.mine:
                clock = left(turn["deadline"])
                lines.append(f"Your turn at {view.table}{clock}: type watch {view.table}.")
        return lines

    def _offers(self, now: int) -> list[Offer]:
        """Seats that are offered, the most pressing first."""
        offers = [one for one in self._client.offers.values() if one.table and one.until > now]
        return sorted(offers, key=lambda one: one.until)

    def _currency(self, view: TableView) -> str:
        return str(view.settings.get("currency", ""))

    # Obeying

    async def _obey(self, lines: AsyncIterator[str]) -> None:
        async for line in lines:
            await self._do(line)
            if self._over.is_set():
                return
            self._show()
        self._over.set()

    async def _do(self, line: str) -> None:
        view, lobby = self._at, self._client.lobby
        try:
            wish = of_lobby(line, lobby) if view is None else understood(line, view, lobby)
            said = await self._carry_out(wish)
        except (Refusal, ValueError) as refusal:
            said = str(refusal)
        except RoomError as refusal:
            said = str(refusal)[:1].upper() + str(refusal)[1:].removesuffix(".") + "."
        except (Unanswered, Refused):
            said = UNHEARD
        # Without an answer the last one goes from the screen.
        if said or self._terminal.live:
            self._terminal.say(said)

    async def _carry_out(self, wish: Wish) -> str:
        """Do it, and say what there is to say."""
        client, fields = self._client, wish.fields
        match wish.route:
            case "help":
                return HELP if self._at is not None else LOBBY_HELP
            case "quit":
                self._over.set()
                return ""
            case "list":
                if not self._terminal.live:
                    self._terminal.draw(self._lobby_page(client.now(), []))
                return ""
            case "filter":
                self._filter = filter_of(fields["words"], client.lobby)
                return ""
            case "home":
                await self._go_home()
                return ""
            case "look":
                await self._look(fields["table"])
                return ""
            case "seat":
                await self._sit(fields["table"], fields["seat"], fields["chips"])
                return f"You sit at {fields['table']}."
            case "quick":
                return await self._quick_seat(fields["structure"], fields["chips"])
            case "take":
                return await self._take(fields["chips"])
            case "wait" | "unwait":
                return await self._line_up(wish.route, fields["structure"])
            case "account":
                await client.request("account")
                return account_told(client.account)
            case "exclude":
                days, until = fields["days"], client.now() + fields["days"] * DAY_MS
                if not fields["sure"]:
                    return (
                        f"You take no seat and deposit nothing until {utc(until)}, and that cannot "
                        f"be taken back. If you want it type: exclude {days} days yes."
                    )
                return await self._set_limits({"exclude_until": until})
            case "limits":
                return await self._set_limits(fields)
            case "dispute":
                return await self._dispute(fields)
            case "leave" if self._at is None or self._at.mine is None:
                await self._go_home()
                return ""
            case _:
                return await self._ask_table(wish)

    async def _ask_table(self, wish: Wish) -> str:
        view = self._at
        if view is None:
            return ""
        try:
            await self._client.request(wish.route, table=view.table, **wish.fields)
        except RequestError as error:
            do = str(wish.fields.get("do", ""))
            return sentence(error, self._currency(view), wish.route, do)
        return "Done."

    async def _go_home(self) -> None:
        """To the lobby; where there is a seat the table goes on."""
        if self._one_table and not self._own_views():
            self._over.set()
            return
        self._one_table = False
        old, self._at = self._at, None
        await self._client.enter_lobby()
        await self._look_away(old)
        if not self._terminal.live:
            self._terminal.draw(self._lobby_page(self._client.now(), []))

    async def _look(self, table: str) -> None:
        """Put this table on the screen."""
        try:
            await self._show_table(await self._client.watch(table))
        except RequestError as error:
            raise RoomError(sentence(error, "", "watch")) from error

    async def _show_table(self, view: TableView) -> None:
        old, self._at = self._at, view
        if old is None:
            await self._client.look_at_lobby()
        elif old is not view:
            await self._look_away(old)

    async def _look_away(self, view: TableView | None) -> None:
        if view is not None and view.mine is None:
            await self._client.unwatch(view.table)

    async def _sit(self, table: str, seat: int | None, buy_in: int | None) -> None:
        await self._look(table)
        view = self._client.views[table]
        await sit(self._client, view, seat, buy_in or self._chips)
        await self._client.request("account")

    async def _quick_seat(self, structure: str, buy_in: int | None) -> str:
        rows = (row for row in self._client.lobby.tables if row["structure"] == structure)
        row = next(rows, None)
        if row is None:
            raise RoomError("no table of this stake is open")
        chips = buy_in or self._chips or usual_chips(row)
        try:
            view = await self._client.quick_seat(structure, chips, post=True)
        except RequestError as error:
            told = sentence(error, str(row["currency"]), "sit")
            if error.code == "buy_in_fixed" and "amount" in error.facts:
                amount = shown(int(error.facts["amount"]))
                told += f" Type: quick {stake_name(row)} {amount}."
            raise RoomError(told) from error
        await self._show_table(view)
        await self._client.request("account")
        return f"You sit at {view.table}."

    async def _take(self, buy_in: int | None) -> str:
        offers = self._offers(self._client.now())
        if not offers:
            return "No seat is offered to you now."
        offer = offers[0]
        await self._sit(str(offer.table), None, buy_in)
        # Also where he sits already, and nothing was asked.
        self._client.offers.pop(offer.structure, None)
        self._client.lines.discard(offer.structure)
        return f"You sit at {offer.table}."

    async def _line_up(self, route: str, structure: str) -> str:
        stake = self._client.lobby.named(structure)
        try:
            if route == "unwait":
                await self._client.leave_line(structure)
                return f"You wait at {stake} no more."
            offer = await self._client.wait_in_line(structure)
        except RequestError as error:
            raise RoomError(sentence(error, "", route)) from error
        if offer.table or (self._at is None and self._terminal.live):
            return ""  # the foot of the screen says it
        return f"You wait for a seat at {stake}: it is offered to you here."

    async def _dispute(self, fields: Json) -> str:
        try:
            await self._client.request("dispute", **fields)
        except RequestError as error:
            raise RoomError(sentence(error, "", "dispute")) from error
        hand = f"hand {fields['hand']} of {fields['table']}"
        return f"Support will look at {hand}: in the browser its answer stands with the hand."

    async def _set_limits(self, fields: Json) -> str:
        try:
            reply = await self._client.request("limits", **fields)
            await self._client.request("account")
        except RequestError as error:
            raise RoomError(sentence(error, str(fields.get("currency", "")), "limits")) from error
        return limits_told(reply["limits"], fields)
