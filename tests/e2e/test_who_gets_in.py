"""Who is let in, and how one who says too much is put out, over real connections."""

import asyncio
import json
import secrets
import statistics
import time
from typing import Any

import pytest

from cardroom.budget import FLOOD, Rate
from cardroom.models import BanItem, written
from cli.main import main
from local.client import Client
from local.cognito import Users
from local.seats import Bots
from local.stack import Room
from local.tables import LocalTables, open_tables
from local.web_server import WebServer
from poker_engine.stakes import PHP_STAKES, table_settings
from tests.e2e.conftest import Stage
from tests.e2e.raw import flood, opened, said, status

pytestmark = pytest.mark.e2e

PROTOCOL = "cardroom.v1"
SLOWER = 10
"""So many times as long may an answer take while somebody floods."""


def _bearer(token: str) -> str:
    return f"bearer.{token}"


def _of_another_client(room: Room, name: str) -> dict[str, str]:
    """Tokens of a user of the room's pool, for another client of it."""
    pool: Any = room.client("cognito-idp")
    pool_id, password = room.outputs["UserPoolId"], f"Aa1!{secrets.token_urlsafe(18)}"
    client = pool.create_user_pool_client(
        UserPoolId=pool_id,
        ClientName="another",
        ExplicitAuthFlows=["ALLOW_ADMIN_USER_PASSWORD_AUTH", "ALLOW_REFRESH_TOKEN_AUTH"],
    )["UserPoolClient"]["ClientId"]
    pool.admin_set_user_password(
        UserPoolId=pool_id, Username=name, Password=password, Permanent=True
    )
    tokens: dict[str, str] = pool.admin_initiate_auth(
        UserPoolId=pool_id,
        ClientId=client,
        AuthFlow="ADMIN_USER_PASSWORD_AUTH",
        AuthParameters={"USERNAME": name, "PASSWORD": password},
    )["AuthenticationResult"]
    return tokens


def test_each_refusal_has_its_status(room: Room, stage: Stage) -> None:
    token = Users(room).token("doorman")
    head, claims, signature = token.split(".")
    others = _of_another_client(room, "doorman")
    offers = {
        "good": ((PROTOCOL, _bearer(token)), 101),
        "guest": ((PROTOCOL,), 101),
        "nothing": ((), 401),
        "another protocol": (("chat",), 403),
        "no protocol": ((_bearer(token),), 403),
        "forged": ((PROTOCOL, _bearer(f"{head}.{claims}.{signature[:-6]}AAAAAA")), 403),
        "no token": ((PROTOCOL, _bearer("x.y.z")), 403),
        "wrong client": ((PROTOCOL, _bearer(others["AccessToken"])), 403),
        "wrong use": ((PROTOCOL, _bearer(others["IdToken"])), 403),
    }

    async def ask() -> dict[str, int]:
        return {why: await status(room, *offered) for why, (offered, _) in offers.items()}

    assert stage.start(ask()).result(60) == {why: code for why, (_, code) in offers.items()}


def test_of_browsers_only_those_at_the_rooms_own_page(
    room: Room, stage: Stage, web: WebServer
) -> None:
    """Guests too; and apps that name the address which they connect to."""
    offers = [(PROTOCOL,), (PROTOCOL, _bearer(Users(room).token("reader")))]
    origins = {
        **dict.fromkeys([*web.origins, room.endpoint], 101),
        "http://127.0.0.1:9": 403,
        "http://example.com": 403,
        web.origins[0].replace("http:", "https:"): 403,
        "null": 403,
    }

    async def ask() -> dict[str, set[int]]:
        return {
            origin: {await status(room, *offered, origin=origin) for offered in offers}
            for origin in origins
        }

    told = stage.start(ask()).result(60)
    assert told == {origin: {code} for origin, code in origins.items()}


def test_messages_are_taken_to_the_letter(room: Room, stage: Stage) -> None:
    ping = {"route": "ping", "id": "m-1", "v": 1}
    messages: list[tuple[str, str | None, str | None]] = [
        (json.dumps(ping), "m-1", None),
        (json.dumps({**ping, "more": 1}), "m-1", "bad_message"),
        (json.dumps({**ping, "id": 1}), None, "bad_message"),
        (json.dumps({**ping, "v": 9}), "m-1", "upgrade_required"),
        (json.dumps({**ping, "route": "steal"}), "m-1", "unknown_route"),
        (json.dumps({**ping, "more": [[[1]]]}), None, "too_deep"),
        (json.dumps({**ping, "more": "x" * 2048}), None, "too_large"),
        ("no JSON", None, "bad_message"),
    ]

    async def ask() -> list[dict[str, Any]]:
        async with await opened(room, PROTOCOL) as socket:
            return [await said(socket, text) for text, _, _ in messages]

    replies = stage.start(ask()).result(60)
    assert [(reply["id"], reply.get("code")) for reply in replies] == [
        (message_id, code) for _, message_id, code in messages
    ]


def test_who_is_banned_is_let_in_when_the_ban_is_over(room: Room, stage: Stage) -> None:
    offered = (PROTOCOL, _bearer(Users(room).token("banned")))
    client: Any = room.client("dynamodb")
    codes = []
    for seconds in (60, -1):
        until = time.time_ns() // 1_000_000 + seconds * 1_000
        ban = BanItem("BAN#banned", "BAN", until=until, ttl=until // 1000 + 60)
        client.put_item(TableName=room.outputs["TableName"], Item=written(ban))
        codes.append(stage.start(status(room, *offered)).result(60))
    assert codes == [429, 101]


def test_suspending_a_player_closes_all_his_connections(
    room: Room, stage: Stage, capsys: pytest.CaptureFixture[str]
) -> None:
    async def play() -> None:
        async with Bots(room, seed="suspended", gate=stage.gate) as bots:
            laptop, phone = await bots.connect("sus"), await bots.connect("sus")
            other = await bots.connect("sus-2")
            for client in (laptop, phone, other):
                await client.request("ping")
            words = ["players", "suspend", "sus", "--why", "a complaint"]
            assert await asyncio.to_thread(main, [*words, "--address", room.websocket_url]) == 0
            # Their clients come back by themselves.
            for client in (laptop, phone):
                await client.until(lambda c=client: c.counts.connects == 2, 20)  # type: ignore[misc]
                await client.request("ping")
            assert other.counts.connects == 1

    stage.start(play()).result(60)
    assert "  2 connections closed\n" in capsys.readouterr().out


def test_a_flooder_is_put_out_and_slows_nobody(room: Room, stage: Stage) -> None:
    open_tables(LocalTables(room), [("calm", table_settings(PHP_STAKES[0], 2))])
    offered = (PROTOCOL, _bearer(Users(room).token("flooder")))

    async def times(client: Client, flooding: "asyncio.Future[Any] | None") -> list[float]:
        """How long answers take, in seconds: of twenty, or for as long as the flood lasts."""
        found: list[float] = []
        while len(found) < 20 if flooding is None else not flooding.done():
            began = time.perf_counter()
            await client.request("sync", table="calm", seq=0)
            found.append(time.perf_counter() - began)
            # Within his own budget.
            await asyncio.sleep(0.1)
        return found

    async def play() -> None:
        async with Bots(room, seed="calm", gate=stage.gate) as bots:
            calm = await bots.connect("calm-a")
            await calm.watch("calm")
            await times(calm, None)  # until all is warm
            quiet = await times(calm, None)
            flooding = asyncio.ensure_future(flood(await opened(room, *offered)))
            loud = await times(calm, flooding)
            answers = flooding.result()
            assert calm.counts.slowed == calm.counts.resent == 0
            assert calm.counts.connects == 1
        assert len(loud) >= 2
        assert statistics.median(loud) < SLOWER * statistics.median(quiet) + 0.05
        codes = [answer.get("code") for answer in answers]
        assert codes[: Rate().burst] == [None] * Rate().burst
        assert codes.count("slow_down") >= FLOOD - 1
        assert set(codes) == {None, "slow_down"}
        # One connection's messages are answered in order, so each by its own id.
        assert [answer["id"] for answer in answers] == [f"f-{n}" for n in range(len(answers))]
        assert await status(room, *offered) == 429

    stage.start(play()).result(120)
