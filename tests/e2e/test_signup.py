"""A person signs up, confirms, signs in by a password, and sits down; and holds to his limits."""

import asyncio
import re
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from cardroom.bank import BankCode, Booked, Declined
from cardroom.limits import Limit, Limits
from cardroom.names import NameCode
from cli.main import main
from local.client import Client, RequestError
from local.cognito import Users
from local.errors import RoomError
from local.newcomers import welcome_new
from local.passwords import made_up
from local.sign_up import mailed_code, newcomer
from local.stack import Room
from local.tables import LocalTables, open_tables
from local.user_pool import Refused, UserPool
from local.welcome import GIFT, ORDER, bank_of
from poker_engine.stakes import PHP_STAKES, table_settings
from tests.e2e.conftest import Stage
from tests.e2e.processes import Command
from tests.e2e.watching import sit

pytestmark = pytest.mark.e2e

SETTINGS = table_settings(PHP_STAKES[0], 2, pause_ms=60_000)
DAY_MS = 86_400_000


def _code(sign_up: Any, *words: str) -> str:
    """The code that it is refused with; "" where it is not."""
    try:
        sign_up(*words)
    except Refused as refused:
        return refused.code
    return ""


def test_a_person_types_a_password_once_and_sits_down(room: Room, tmp_path: Path) -> None:
    """By the commands alone, each typed on a terminal of its own."""
    open_tables(LocalTables(room), [("typed", SETTINGS)])
    password = made_up()
    where = ("--address", room.websocket_url)
    with Command("signup", "Teresa", *where, state=tmp_path, live=False) as signup:
        signup.until("New password")
        signup.type(password)
        signup.until("Once more")
        signup.type(password)
        signup.until("Teresa is a player: .venv/bin/cardroom join --name Teresa")
        assert signup.ends(30) == 0
        assert password not in signup.text
    words = ("join", *where, "--name", "Teresa", "--table", "typed", "--chips", "100")
    with Command(*words, state=tmp_path, live=False) as join:
        join.until("Password: ")
        join.type(password)
        join.until("You sit at typed")
        stored = LocalTables(room).load("typed")
        assert stored is not None
        assert stored.table.seat_of("Teresa") is not None
        join.type("leave")
        assert join.ends(30) == 0
        assert password not in join.text
    with Command("token", "Teresa", *where, state=tmp_path, live=False) as token:
        token.until("Password: ")
        token.type(made_up())
        assert token.ends(30) == 1
        assert "cardroom: name or password is wrong" in token.text


def test_nobody_is_in_before_he_has_confirmed(
    room: Room, capsys: pytest.CaptureFixture[str]
) -> None:
    """The code is shown by a command; on this machine he has play money then."""
    pool, password = UserPool.of(room), made_up()
    pool.sign_up("Ursula", password, "ursula@example.com")
    with pytest.raises(Refused) as refused:
        pool.sign_in("Ursula", password)
    assert refused.value.code == "UserNotConfirmedException"
    assert bank_of(room).deposit("Ursula", "PHP", 1, "r", ORDER) == Declined(
        BankCode.UNKNOWN_PLAYER, "there is no player Ursula"
    )
    assert _code(pool.confirm, "Ursula", "000000") == "CodeMismatchException"
    welcome_new(room, set())
    where = ("--address", room.websocket_url)
    assert main(["mail", "Ursula", *where]) == 0
    code = re.search(
        r"^The code for Ursula is ([0-9]{6})\.$", capsys.readouterr().out, re.MULTILINE
    )
    assert code is not None
    pool.confirm("Ursula", code[1])
    assert pool.sign_in("Ursula", password).count(".") == 2
    welcomed: set[str] = set()
    welcome_new(room, welcomed)
    assert "Ursula" in welcomed
    assert isinstance(bank_of(room).deposit("Ursula", "PHP", 1, "r", ORDER), Booked)
    assert LocalTables(room).wallet("Ursula", "PHP").balance == GIFT + 1
    assert main(["mail", "Nobody", *where]) == 1
    assert "nobody has signed up as 'Nobody'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("ab", NameCode.LENGTH),
        ("Vv", NameCode.LENGTH),
        ("a b c", NameCode.CHARACTERS),
        ("adm1n", NameCode.RESERVED),
        ("a..b", NameCode.SEPARATORS),
    ],
)
def test_a_name_that_nobody_may_have_is_refused(room: Room, name: str, code: str) -> None:
    pool = UserPool.of(room)
    assert _code(pool.sign_up, name, made_up(), "x@example.com") == code
    with pytest.raises(RoomError, match=code):
        Users(room).token(name)


def test_an_address_is_needed(room: Room) -> None:
    pool: Any = room.client("cognito-idp")
    client_id = room.outputs["UserPoolClientId"]
    with pytest.raises(pool.exceptions.UserLambdaValidationException, match="email_missing: "):
        pool.sign_up(ClientId=client_id, Username="Waldo", Password=made_up())


def test_of_two_names_that_look_alike_one_is_given_away(room: Room) -> None:
    pool = UserPool.of(room)
    for race in range(4):
        pair = (f"Xenia{race}l", f"XEN1A{race}I")
        with ThreadPoolExecutor(2) as threads:
            codes = list(
                threads.map(lambda name: _code(pool.sign_up, name, made_up(), "x@x.org"), pair)
            )
        assert sorted(codes) == ["", "name_taken"]
    newcomer(room, "Yolanda")
    for other in ("YOLANDA", "yo1anda", "Y0landa", "yo.landa"):
        assert _code(pool.sign_up, other, made_up(), "x@x.org") == NameCode.TAKEN
        with pytest.raises(RoomError, match=NameCode.TAKEN):
            Users(room).token(other)
    assert main(["players", "create", "Y0landa", "--why", "x", "--address", room.websocket_url])


async def _keeps_to_his_limits(room: Room, password: str) -> list[str]:
    """What his requests were refused with, in order; texts of the protocol are what is asked."""
    pool = UserPool.of(room)

    async def token() -> str:
        return await asyncio.to_thread(pool.sign_in, "Zita", password)

    codes = []
    async with Client(room.websocket_url, token, "Zita") as zita:

        async def refused(route: str, **fields: Any) -> None:
            try:
                await zita.request(route, **fields)
            except RequestError as error:
                codes.append(error.code)

        least, until = SETTINGS.minimum, time.time_ns() // 1_000_000 + DAY_MS
        shown = await zita.request("limits", currency="PHP", loss_day=least, deposit_day=GIFT + 5)
        (php, _) = shown["limits"]["currencies"]
        assert (php["currency"], php["deposited"], php["lost"]) == ("PHP", GIFT, 0)
        await refused("sit", table="limits", seat=0, chips=least + 1)
        await sit(zita, "limits", 0, least)
        await refused("topup", table="limits", chips=1)
        await refused("autotopup", table="limits", to=least + 1)
        raised = await zita.request("limits", currency="PHP", loss_day=None)
        assert raised["limits"]["currencies"][0]["loss_day"]["value"] == least
        await zita.request("limits", exclude_until=until)
        await refused("topup", table="limits", chips=1)
        await refused("limits", exclude_until=None)
        await zita.request("leave", table="limits", when="now")
        await refused("wait", structure=SETTINGS.stakes.structure)
        ping = await zita.request("ping")
        assert "reminder" not in ping
    return codes


def test_a_player_holds_to_what_he_has_set_himself(
    room: Room, stage: Stage, capsys: pytest.CaptureFixture[str]
) -> None:
    open_tables(LocalTables(room), [("limits", SETTINGS)])
    password = newcomer(room, "Zita")
    codes = stage.start(_keeps_to_his_limits(room, password)).result(60)
    assert codes == ["loss_limit", "loss_limit", "loss_limit", "excluded", "excluded", "excluded"]
    where = ("--address", room.websocket_url)
    capsys.readouterr()
    assert main(["players", "limits", "Zita", *where]) == 0
    assert "excluded until: 20" in capsys.readouterr().out
    for amount, code in (("0.01", 1), ("0.06", 1)):
        deposit = ("deposit", "Zita", amount, "PHP", "--reference", amount, "--why", "x", *where)
        assert main(["players", *deposit]) == code
    assert "has excluded himself" in capsys.readouterr().err
    withdraw = ("withdraw", "Zita", str(GIFT // 100), "PHP", "--reference", "w", "--why", "x")
    assert main(["players", *withdraw, *where]) == 0
    capsys.readouterr()
    main(["audit", *where])
    # Of other tables here the chips were put there by hand; of his money nothing is amiss.
    assert "Zita" not in capsys.readouterr().out


def test_two_deposits_at_once_with_room_for_one(room: Room) -> None:
    newcomer(room, "Quirin")
    tables, bank = LocalTables(room), bank_of(room)
    for race in range(10):
        version = tables.limits("Quirin").version + 1
        used = tables.wallet("Quirin", "PHP").turnover.deposited
        # As if raised a day ago.
        limits = Limits("Quirin", {"PHP": Limit(used + 700)}, version=version)
        assert tables.put_limits(limits)

        def book(reference: str) -> Booked | Declined:
            return bank.deposit("Quirin", "PHP", 500, reference, ORDER)

        with ThreadPoolExecutor(2) as threads:
            answers = list(threads.map(book, (f"{race}-a", f"{race}-b")))
        codes = [one.code for one in answers if isinstance(one, Declined)]
        assert codes == [BankCode.DEPOSIT_LIMIT]
        assert tables.wallet("Quirin", "PHP").turnover.deposited == used + 500


def test_no_address_password_or_token_is_logged(room: Room) -> None:
    pool, password = UserPool.of(room), made_up()
    address = "odd.address@example.com"
    assert _code(pool.sign_up, "Ottilie", password, address) == ""
    pool.confirm("Ottilie", mailed_code(room, address))
    token = pool.sign_in("Ottilie", password)
    lines = "\n".join(f"{group} {message}" for group, message in room.log_lines())
    assert "/aws/lambda/cardroom-signup" in lines
    assert '"message":"sign-up"' in lines
    for secret in (address, password, token, token.split(".")[2], "@example.com", "@players"):
        assert secret not in lines
