"""A whole client. cardroom token ana | python local/sample_bot.py ADDRESS STAKE CHIPS HANDS"""

import asyncio
import json
import sys
from uuid import uuid4

from websockets.asyncio.client import connect
from websockets.typing import Subprotocol


async def play(token: str, address: str, stake: str, chips: int, hands: int) -> None:
    offered = [Subprotocol("cardroom.v1"), Subprotocol(f"bearer.{token}")]
    table, seat, seq, turn, acted, hand, last, here = "", -1, -1, None, None, 0, 0, {"status": ""}
    async with connect(address, subprotocols=offered) as socket:

        async def say(route: str, **more: object) -> None:
            await socket.send(json.dumps({"route": route, "id": uuid4().hex, "v": 1, **more}))

        await say("quickseat", structure=stake, chips=chips, post=True)
        while here:
            try:
                told = json.loads(await asyncio.wait_for(socket.recv(), 5 if turn else 30))
            except TimeoutError:
                told = {"type": "error", "message": "the room is silent"}
            if told["type"] == "error" and not table:
                raise SystemExit(told["message"])
            missed = table and told["type"] == "events" and told["before"] != seq < told["seq"]
            if missed or told["type"] == "error":
                await say("sync", table=table, seq=0)  # All of it: seq 0 is always behind.
                turn = acted = None
                continue
            if told["type"] == "events" and told["before"] == seq:
                seq, turn = told["seq"], told["turn"]
                hand = turn["hand"] if turn else hand
            elif "snapshot" in told and told["snapshot"]["seq"] >= seq:
                table, seat = told.get("table", table), told.get("seat", seat)
                seq, state = told["snapshot"]["seq"], told["snapshot"]["state"]
                hand, turn, here = state["hands"], state["turn"], state["seats"][seat] or {}
                last = last or hand + hands
            else:
                continue
            if last and not turn and (hand >= last or here.get("status") == "out"):
                await say("leave", table=table, when="now")
            if turn and turn["seat"] == seat and turn != acted:
                acted, do = turn, "check" if turn["check"] else "call"
                await say("act", table=table, hand=turn["hand"], turn=turn["number"], do=do)


asyncio.run(play(input(), sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])))
