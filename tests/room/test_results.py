"""What was answered to a player's last commands."""

import pytest

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


def test_they_are_kept_as_text() -> None:
    results = Results().with_answer("ana", "m", 7, 5).with_answer("ana", "n", 12345, 5)
    results = results.with_answer("ben", "m", 8, 5).kept(["ana"], 5)
    assert Results.load(results.dump()) == results
    assert Results.load("{}") == Results()


@pytest.mark.parametrize("text", ["", "[", '{"ana": 1}', '{"ana": [0, "xxxxxxxx"]}'])
def test_a_damaged_text_is_told(text: str) -> None:
    with pytest.raises((ValueError, TypeError)):
        Results.load(text)


def test_ids_have_different_digests_of_eight_characters() -> None:
    digests = {digest(f"m{number}") for number in range(10_000)}
    assert len(digests) == 10_000
    assert {len(one) for one in digests} == {8}
    assert not any(" " in one for one in digests)
