"""What was answered to a player's last commands."""

import json

import pytest

from cardroom.damage import UNREADABLE
from cardroom.results import KEEP_MS, Results, digest


def test_the_last_four_are_remembered() -> None:
    results = Results()
    for number in range(5):
        results = results.with_answer("ana", f"m{number}", 10 + number, 0)
    assert results.find("ana", "m0") is None
    assert [results.find("ana", f"m{number}") for number in range(1, 5)] == [11, 12, 13, 14]
    assert results.find("ben", "m1") is None


def test_who_left_is_remembered_for_ten_minutes() -> None:
    results = Results().with_answer("ana", "m", 7, 0).kept(["ana"], 0)
    assert results.kept(["ana"], 10 * KEEP_MS) == results
    left = results.kept([], 1000)
    assert left.kept([], 1000 + KEEP_MS - 1).find("ana", "m") == 7
    assert left.kept([], 1000 + KEEP_MS).find("ana", "m") is None
    assert left.kept(["ana"], 2000) == results


SEATS = (None, "ana", "dia", "ben")


@pytest.mark.parametrize("schema", [1, 2])
def test_they_are_kept_as_text(schema: int) -> None:
    results = Results().with_answer("ana", "m", 7, 5).with_answer("ana", "n", 12345, 5)
    results = results.with_answer("ben", "m", 8, 5).with_answer("cem", "m", 9, 5)
    # Dia has asked for nothing yet, cem has left.
    results = results.kept(["ana", "ben", "dia"], 5)
    text = results.dump(SEATS, schema)
    assert Results.load(text, SEATS) == results
    assert Results.load(Results().dump(SEATS, schema), SEATS) == Results()
    assert Results.load("{}", SEATS) == Results()


def test_who_is_seated_is_not_named() -> None:
    results = Results().with_answer("ana", "m", 7, 5).with_answer("cem", "m", 9, 5)
    results = results.kept(["ana"], 5)
    m = digest("m")
    told = {"cem": [5 + KEEP_MS, f"{m}9"]}
    assert json.loads(results.dump(SEATS, 1)) == {"ana": [0, f"{m}7"], **told}
    assert json.loads(results.dump(SEATS, 2)) == [["", f"{m}7", "", ""], told]


def test_one_who_left_and_has_a_seat_again_keeps_his_time_until_the_next_write() -> None:
    results = Results().with_answer("ana", "m", 7, 5)
    assert Results.load(results.dump(SEATS, 2), SEATS) == results


A = digest("a") + "1"


@pytest.mark.parametrize(
    "text",
    [
        "", "[", '{"ana": 1}', '{"ana": [0, "xxxxxxxx"]}',
        "[]", "[[]]", "[[],{}]", '[["","",""],{}]', '[["","","","",""],{}]', '[["","","",""]]',
        '[["","xxxxxxxx","",""],{}]', '[["",null,"",""],{}]', '[["",0,"",""],{}]',
        f'[["{A}","","",""],{{}}]', f'[["","{A}","",""],{{"ana":[0,"{A}"]}}]',
        '[["","","",""],{"cem":["x",""]}]', '[["","","",""],[]]', '["",{}]', '[7,{}]',
    ],
)  # fmt: skip
def test_a_damaged_text_is_told(text: str) -> None:
    with pytest.raises(UNREADABLE):
        Results.load(text, SEATS)


def test_ids_have_different_digests_of_eight_characters() -> None:
    digests = {digest(f"m{number}") for number in range(10_000)}
    assert len(digests) == 10_000
    assert {len(one) for one in digests} == {8}
    assert not any(" " in one for one in digests)


@pytest.mark.parametrize("seq", ["-5", "", "x", "1.5", "99999999999999999999", str(2**53 + 1)])
def test_an_answer_that_names_no_seq_is_damaged(seq: str) -> None:
    answer = f"{digest('m1')}{seq}"
    for text in (
        f'[["{answer}"],{{}}]',
        f'[[""],{{"ben":[1,"{answer}"]}}]',
        f'{{"ana":[0,"{answer}"]}}',
    ):
        with pytest.raises(UNREADABLE):
            Results.load(text, ["ana"])
