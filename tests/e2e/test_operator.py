"""`cardroom tables` on the local room: a table opens, and closes under those who sit there."""

import asyncio

import pytest

from cli.main import main
from local.client import Client
from local.seats import Bots
from local.stack import Room
from local.tables import LocalTables
from tests.e2e.conftest import Stage
from tests.e2e.watching import sit

pytestmark = pytest.mark.e2e


@pytest.mark.rule("2.8")
def test_a_table_opens_and_closes(
    room: Room, stage: Stage, capsys: pytest.CaptureFixture[str]
) -> None:
    where = ("--address", room.websocket_url)
    assert main(["tables", "open", "desk", "nl", "PHP", "5", "--seats", "2", *where]) == 0
    assert capsys.readouterr().out == "desk is open: no-limit 5/10 PHP\n"
    for action in ("show", "freeze", "show", "thaw", "list"):
        named = () if action == "list" else ("desk",)
        assert main(["tables", action, *named, *where]) == 0
        assert "desk" in capsys.readouterr().out
    assert main(["tables", "show", "nowhere", *where]) == 1
    assert "nowhere" in capsys.readouterr().err
    stage.start(_closed_while_seated(room, stage.gate, where)).result(60)
    assert capsys.readouterr().out.endswith("desk is closed\n")
    assert main(["tables", "list", *where]) == 0
    assert "desk " not in capsys.readouterr().out
    stored = LocalTables(room).load("desk")
    assert stored is not None
    assert stored.chips_in == stored.chips_out == 10_000


async def _closed_while_seated(room: Room, gate: asyncio.Semaphore, where: tuple[str, str]) -> None:
    async with Bots(room, seed="desk", gate=gate) as bots:
        player, guest = await bots.connect("desk-a"), await bots.connect("guest", guest=True)
        assert "desk" in await _listed(guest)
        await sit(player, "desk", 0, 10_000)
        view = player.views["desk"]
        assert view.mine == 0
        assert await asyncio.to_thread(main, ["tables", "close", "desk", *where]) == 0
        await player.until(lambda: view.mine is None, 20)
        assert "desk" not in await _listed(guest)
        assert (await guest.watch("desk")).seq == view.seq


async def _listed(guest: Client) -> list[str]:
    return [row["table"] for row in (await guest.request("lobby"))["lobby"]["tables"]]
