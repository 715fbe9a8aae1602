"""The sample bot goes on, and goes home, whatever does not reach it (docs/protocol.md, sync)."""

import asyncio
import json
import sys
from typing import Any

import pytest
from websockets.asyncio.server import ServerConnection, serve
from websockets.typing import Subprotocol

from tests.e2e.processes import ROOT

type Json = dict[str, Any]

TURN = {"hand": 1, "seat": 0, "number": 1, "check": True, "deadline": 0}
SEATED = [{"seat": 0, "status": "active"}, {"seat": 1, "status": "active"}]


def events(before: int, seq: int, turn: Json | None = None, *names: str) -> Json:
    happened = [{"e": name, "seat": 0} for name in names]
    return {"type": "events", "before": before, "seq": seq, "turn": turn, "events": happened}


def shown(seq: int, hands: int, seats: list[Json | None], **more: Any) -> Json:
    state = {"hands": hands, "turn": None, "seats": seats}
    return {"type": "ok", "seq": seq, "snapshot": {"seq": seq, "state": state}, **more}


SEAT = shown(1, 0, [*SEATED], table="t", seat=0)
OVER, GONE = shown(8, 2, [*SEATED]), shown(10, 2, [None, SEATED[1]])
REFUSED = {"type": "error", "code": "not_seated", "message": "you have no seat here"}
BEGUN = ("quickseat", [SEAT, events(1, 2, TURN)])


@pytest.mark.parametrize(
    "goes_on",
    [
        # The ends of both hands are lost; and then that the seat is empty.
        [
            ("act", [{"type": "ok", "seq": 3}, events(7, 8)]),
            ("sync", [OVER]),
            ("leave", [{"type": "ok", "seq": 9}, events(9, 10)]),
            ("sync", [GONE]),
        ],
        # Nothing is lost: he learns of the empty seat by asking for it once more.
        [
            ("act", [{"type": "ok", "seq": 3}, events(2, 8, {**TURN, "hand": 2, "seat": 1})]),
            ("", [events(8, 9)]),
            ("leave", [{"type": "ok", "seq": 9}, events(9, 10, None, "seat_emptied")]),
            ("leave", [REFUSED]),
            ("sync", [GONE]),
        ],
        # An answer that says nothing of the table, while something is missing, decides nothing.
        [
            ("act", [events(7, 8), {"type": "ok", "seq": 3}]),
            ("sync", [OVER]),
            ("leave", [GONE]),
        ],
    ],
    ids=["lost", "whole", "late answer"],
)
async def test_it_leaves_after_its_hands(goes_on: list[tuple[str, list[Json]]]) -> None:
    asked: list[str] = []

    async def room(socket: ServerConnection) -> None:
        for route, answers in [BEGUN, *goes_on]:
            if route:
                asked.append(json.loads(await socket.recv())["route"])
                assert asked[-1] == route
            for answer in answers:
                await socket.send(json.dumps(answer))
        await socket.wait_closed()

    async with serve(room, "127.0.0.1", 0, subprotocols=[Subprotocol("cardroom.v1")]) as server:
        port = server.sockets[0].getsockname()[1]
        bot = await asyncio.create_subprocess_exec(
            *(sys.executable, str(ROOT / "local/sample_bot.py")),
            *(f"ws://127.0.0.1:{port}", "nl-PHP-500-1000", "10000", "2"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        try:
            said, _ = await asyncio.wait_for(bot.communicate(b"token\n"), 20)
        finally:
            if bot.returncode is None:
                bot.kill()
                await bot.wait()
    assert asked == ["quickseat", *(route for route, _ in goes_on if route)]
    assert (said, bot.returncode) == (b"", 0)
