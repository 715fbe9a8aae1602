"""What a soak says of the hands it played, as other programs read them."""

from dataclasses import replace

import pytest

from bench import foreign
from cli.finished import Finished, finished_record
from local.room_cases import Export, read_elsewhere
from tests.cli.recorded import case_records, voided


@pytest.fixture(scope="module")
def hands() -> list[Finished]:
    return [finished_record(record) for record in case_records(12)]


def test_each_reader_is_counted(hands: list[Finished]) -> None:
    found = Export()
    read_elsewhere(hands, found)
    assert found.findings == []
    assert len(found.read) == 4
    assert {counts.total() for counts in found.read.values()} == {len(hands)}
    assert found.read["text by hhp"] == {"same": len(hands)}
    assert found.told == dict.fromkeys(("PHH", "text", "Open Hand History"), len(hands))
    assert found.by_nobody == 0


def test_a_void_hand_is_read_in_each_format_that_can_say_it() -> None:
    found = Export()
    read_elsewhere([finished_record(voided(record, 1)) for record in case_records(4)], found)
    assert found.findings == []
    assert found.told == {"PHH": 4, "text": 4, "Open Hand History": 0}
    assert found.by_nobody == 0


def test_a_difference_is_a_finding(hands: list[Finished]) -> None:
    first, *others = hands[0].players
    wrong = replace(hands[0], players=(replace(first, final=first.final + 100), *others))
    found = Export()
    read_elsewhere([wrong], found)
    assert len(found.findings) >= 2
    assert found.read["Open Hand History by ohh-pydantic"] == {"differ": 1}
    assert found.by_nobody == 3


def test_without_node_the_others_read_all_the_same(
    hands: list[Finished], monkeypatch: pytest.MonkeyPatch
) -> None:
    def nothing(hands: object) -> list[foreign.Verdict]:
        raise FileNotFoundError("node")

    monkeypatch.setattr(foreign, "hhp", nothing)
    found = Export()
    read_elsewhere(hands, found)
    assert found.findings == []
    assert found.read["text by hhp"] == {"not read: make web-ready brings hhp": len(hands)}
