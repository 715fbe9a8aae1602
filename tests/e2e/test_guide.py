"""Whoever has only docs/deploy.md ends at a table: its walk, command by command.

On a room of its own. Each is typed on a terminal as the page has it; what it asks for is answered.
"""

import os
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from local.passwords import made_up
from local.running import RoomFile
from local.sign_up import newcomer
from local.stack import Room
from local.tables import LocalTables
from tests.e2e.processes import Command
from tests.template.parsed import ROOT

pytestmark = pytest.mark.e2e

PAGE = (ROOT / "docs/deploy.md").read_text()
WALK = PAGE.partition("\n## Walk it here first\n")[2].partition("\n## ")[0]
LINES = re.findall(r"^    \.venv/bin/cardroom (.*)$", WALK, re.MULTILINE)
SAYS = {
    "tables open": "desk is open: no-limit 5/10 PHP",
    "signup": "dora is a player",
    "players deposit": "1000",
    "tables list": "desk",
    "audit": ": balanced",
    "redrive": "tables are told anew",
    "tables freeze": "is frozen",
    "backup": "items are in room.backup",
    "restore": "every table is frozen",
    "tables thaw": "is thawed",
    "tables drain": "nobody is seated there, and everybody is paid",
    "tables reopen": " is open in place of desk: no-limit 5/10 PHP",
}
"""What each says in the end."""


@pytest.fixture
def own_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Room]:
    """What `make play` starts, without its page; found as that is found."""
    monkeypatch.setenv("CARDROOM_STATE", str(tmp_path))
    monkeypatch.chdir(ROOT)
    with Room.start() as room:
        RoomFile(room.endpoint, os.getpid(), room.websocket_url).write()
        yield room


def _run(line: str, state: Path, password: str) -> str:
    """A command to its end. Backups go to the test's own folder."""
    words = [str(state / word) if word == "room.backup" else word for word in shlex.split(line)]
    with Command(*words, state=state, live=False) as command:
        if words[0] == "signup":
            for asked in ("New password", "Once more"):
                command.until(asked)
                command.type(password)
        code = command.ends(180)
        text = command.text.replace(f"{state}{os.sep}", "")
    assert code == 0, (line, text)
    return text


def _end_the_hand(joined: list[Command]) -> None:
    """Whoever has to act folds: else each of them has his fifteen seconds."""
    for person in joined:
        person.type("fold")


def test_the_walk_leads_to_a_table_at_which_people_play(own_room: Room, tmp_path: Path) -> None:
    password, anns = made_up(), newcomer(own_room, "Ann")
    tables = LocalTables(own_room)
    joined: list[Command] = []
    try:
        for line in LINES:
            if line.startswith("join"):
                for words, secret in ((line, password), ("join --name Ann --table desk", anns)):
                    person = Command(*shlex.split(words), state=tmp_path, live=False)
                    joined.append(person)
                    person.until("Password: ")
                    person.type(secret)
                    person.until("You sit at desk")
                joined[0].until("Hand 1", 60)
                continue
            said = _run(line, tmp_path, password)
            name = next(name for name in SAYS if line.startswith(name))
            assert SAYS[name] in said, (line, said)
            if line == "tables freeze --all":
                _end_the_hand(joined)
                frozen = tables.load("desk")
                assert frozen is not None
                following = f"Hand {frozen.table.hands + 1}"
            if line == "tables thaw --all":
                # They came back by themselves, and the next hand is dealt to them.
                joined[0].until(following, 90)
                _end_the_hand(joined)
    finally:
        for person in joined:
            person.close()
    stored = tables.load("desk")
    assert stored is not None
    assert stored.table.closed
    assert stored.chips == 0
    # While it was full another one had opened by itself, and was drained with it.
    assert tables.listed() == ["desk-3"]


def test_every_command_of_the_walk_is_told_by_what_it_says() -> None:
    spoken = [line for line in LINES if not line.startswith("join")]
    assert [line for line in spoken if not line.startswith(tuple(SAYS))] == []
