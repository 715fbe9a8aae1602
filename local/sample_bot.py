"""A whole client: takes a quick seat, checks or calls, leaves after some hands or with no chips.

cardroom token ana | python local/sample_bot.py ADDRESS STAKE CHIPS HANDS
"""

import asyncio
import itertools
import json
import sys

from websockets.asyncio.client import connect
from websockets.typing import Subprotocol


async def play(token: str, address: str, stake: str, chips: int, hands: int) -> None:
    offered = [Subprotocol("cardroom.v1"), Subprotocol(f"bearer.{token}")]
    ids, table, seat, seq, turn, acted = itertools.count(1), "", -1, -1, None, None
    happened: set[tuple[str, int | None]] = set()
    async with connect(address, subprotocols=offered) as socket:

        async def say(route: str, **more: object) -> None:
            await socket.send(json.dumps({"route": route, "id": f"b-{next(ids)}", "v": 1, **more}))

        await say("quickseat", structure=stake, chips=chips, post=True)
        while ("seat_emptied", seat) not in happened:
            try:
                told = json.loads(await asyncio.wait_for(socket.recv(), 5 if turn else 240))
            except TimeoutError:
                told = {"type": "error", "message": "the room is silent"}
            kind, events = told.get("type"), []
            if kind == "error" and not table:
                raise SystemExit(told["message"])
            if kind == "error" or (table and told.get("before", seq) != seq < told["seq"]):
                await say("sync", table=table, seq=0)  # All of it: seq 0 is always behind.
                turn = acted = None
            elif kind == "events" and told["before"] == seq:
                seq, turn, events = told["seq"], told["turn"], told["events"]
            elif "snapshot" in told and told["snapshot"]["seq"] >= seq:
                table, seat = told.get("table", table), told.get("seat", seat)
                seq, turn = told["snapshot"]["seq"], told["snapshot"]["state"]["turn"]
            happened = {(event["e"], event.get("seat")) for event in events}
            hands -= ("hand_ended", None) in happened
            if ("sat_out", seat) in happened or (events and hands <= 0 and not turn):
                await say("leave", table=table, when="now")
            if turn and turn["seat"] == seat and turn != acted:
                acted, do = turn, "check" if turn["check"] else "call"
                await say("act", table=table, hand=turn["hand"], turn=turn["number"], do=do)


asyncio.run(play(input(), sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])))
