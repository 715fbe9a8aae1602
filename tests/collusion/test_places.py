"""Who shares an address or a device, and what that says of two who play together."""

import csv
import io
from datetime import date
from itertools import combinations

import pytest

from cardroom.arrivals import DynamoArrivals
from cardroom.days import Days, Zone
from cardroom.histories import DynamoHistories, Look
from cardroom.models import written
from cardroom.personal import Arrival
from cardroom.spans import DAY_MS
from cardroom.store import DynamoTables, _hand_item
from cardroom.systemclock import SystemClock
from cardroom.tables import open_table
from cli.collusion.measures import Measure, Ranked, What, ranked
from cli.collusion.report import Found, look_where_from, report, why
from cli.collusion.shared import CROWD, MOST, Places, Shared
from cli.collusion.tallies import Pair, Tallies
from cli.finished import finished_record
from cli.main import main
from cli.sheets import Style, write
from poker_engine.stakes import no_limit, table_settings
from tests.cli.conftest import STACK
from tests.cli.recorded import seeded_records
from tests.room.world import TABLE

ANN_BEN = ("ann", "ben")


def at(place: str, *players: str, day: int = 0, device: str = "") -> list[Arrival]:
    return [Arrival(one, day, place.encode().hex(), device.encode().hex()) for one in players]


def shared(*arrivals: list[Arrival]) -> dict[tuple[str, str], Shared]:
    places = Places()
    for some in arrivals:
        for one in some:
            places.add(one)
    return places.shared()


def _points(one: Shared) -> float:
    return one.points


def odd(score: float, places: Shared) -> Ranked:
    """Two whose play comes to this score."""
    measure = Measure(What.SOFT, 0, 0, 1 + score, 1)
    return Ranked(ANN_BEN, Pair(), (measure,), places)


def test_two_alone_at_one_address_are_as_near_as_can_be() -> None:
    assert shared(at("home", "ben", "ann"), at("elsewhere", "cyd")) == {
        ANN_BEN: Shared(addresses=1, fewest=2, nearness=0.5)
    }


def test_days_add_up_and_a_device_is_told_apart() -> None:
    home = [at("home", "ann", "ben", day=day) for day in range(3)]
    phone = at("home", "ann", "ben", day=3, device="phone")
    found = shared(
        *home, phone, at("x", "ann", day=5, device="p"), at("y", "ben", day=5, device="p")
    )
    assert found == {ANN_BEN: Shared(addresses=4, devices=2, fewest=2, nearness=5 / 6)}


def test_who_comes_from_one_place_on_different_days_shares_nothing() -> None:
    assert shared(at("home", "ann", day=1), at("home", "ben", day=2)) == {}


def test_who_comes_again_or_from_two_shared_places_counts_a_day_once() -> None:
    found = shared(at("home", *ANN_BEN, *ANN_BEN), at("work", *ANN_BEN))
    assert found == {ANN_BEN: Shared(addresses=1, fewest=2, nearness=0.5)}


def test_days_among_many_take_nothing_from_days_alone() -> None:
    alone = [at("home", *ANN_BEN, day=day) for day in range(3)]
    cafe = [at("café", *ANN_BEN, *"cdefgh", day=day) for day in range(3, 30)]
    assert shared(*alone, *cafe)[ANN_BEN] == Shared(30, 0, 2, 3 / 4)


@pytest.mark.parametrize("count", [2, 3, CROWD, CROWD + 1, 5_000])
def test_the_more_share_a_place_the_less_it_says_of_two(count: int) -> None:
    players = [f"p{number:04d}" for number in range(count)]
    found = shared(at("café", *players))
    if count > CROWD:
        assert found == {}
        return
    assert set(found) == set(combinations(players, 2))
    assert sum(one.nearness for one in found.values()) == pytest.approx(1 / 2)
    always = shared(*(at("café", *players, day=day) for day in range(90)))
    assert all(one.points < MOST * 2 / (count * (count - 1)) for one in always.values())


def test_sharing_a_place_counts_no_more_than_odd_play_does() -> None:
    near = Shared(addresses=30, fewest=2, nearness=30 / 31)
    assert odd(0.0, near).score == 0
    assert odd(0.5, near).score == 1.0
    assert odd(5.0, near).score == 5.0 + near.points
    assert odd(5.0, Shared()).score == 5.0
    assert list(why(odd(0.0, near))) == [
        "one place: 30 days from one address, 0 with one device, where 2 came from"
    ]
    assert list(why(odd(0.0, Shared(addresses=9, fewest=5, nearness=0.09)))) == []


def test_a_cafe_of_honest_players_does_not_outrank_those_who_collude() -> None:
    """Thirty guests, six at a time and always the same six; two of them play oddly by chance."""
    guests = [f"g{number:02d}" for number in range(30)]
    cafe = [at("café", *guests[day % 5 :: 5], day=day) for day in range(90)]
    home = [at("home", *ANN_BEN, day=day) for day in range(3)]
    found = shared(*cafe, *home)
    worst = max((one for names, one in found.items() if names != ANN_BEN), key=_points)
    assert (worst.addresses, worst.fewest) == (18, 6)
    by_chance, colluding = odd(2.0, worst), odd(1.5, found[ANN_BEN])
    assert by_chance.play > colluding.play
    assert by_chance.score < colluding.score


def test_the_report_shows_what_two_share_beside_their_play() -> None:
    record = next(one for one in seeded_records(range(1)) if not one.voided)
    first, second, *_ = sorted(one.name for one in finished_record(record).players)
    tallies = Tallies()
    tallies.pairs[first, second].hands = 1
    found = Found(Days(), tallies)
    look_where_from(found, [*at("home", first, second, device="phone"), "CAME#x / y"])
    out = io.StringIO()
    write(report(found, 5), Style.CSV, out)
    (row,) = csv.DictReader(io.StringIO(out.getvalue()))
    assert (row["address"], row["device"], row["play"]) == ("1", "1", "0.0")
    assert row["why"].startswith("one place: 1 days from one address, 1 with one device")
    assert found.amiss == ["CAME#x / y"]
    assert first not in row["why"]
    assert ranked(tallies)[0].shared == Shared()


def test_days_are_those_of_utc_that_the_period_touches() -> None:
    manila = Days(date(1970, 1, 3), date(1970, 1, 3), Zone("Asia/Manila"))
    found = Found(manila)
    arrivals = [one for day in range(5) for one in at("home", *ANN_BEN, day=day)]
    look_where_from(found, arrivals)
    assert set(found.places.days) == {1, 2}
    found = Found(Days(date(1970, 1, 3), date(1970, 1, 3)))
    look_where_from(found, arrivals)
    assert set(found.places.days) == {2}
    found = Found(Days())
    look_where_from(found, arrivals)
    assert set(found.places.days) == {0, 1, 2, 3, 4}


def test_the_command_tells_of_those_who_came_from_one_address(
    tables: DynamoTables, capsys: pytest.CaptureFixture[str]
) -> None:
    assert open_table(tables, "t-0", table_settings(no_limit("PHP", 500)), 0)
    for record in seeded_records(range(1), 100):
        tables._client.put_item(TableName=TABLE, Item=written(_hand_item(record)))
    arrivals, now = DynamoArrivals(TABLE, "a key"), SystemClock().now()
    for player, address in (("p0", "192.0.2.1"), ("p1", "192.0.2.1"), ("p2", "192.0.2.2")):
        for ago in range(3):
            arrivals.note(player, address, "", now - ago * DAY_MS)
    words = ["report", "pairs", "--stack", STACK, "--csv", "--why", "a look"]
    assert main(words) == 0
    found = {row["players"]: row for row in csv.DictReader(io.StringIO(capsys.readouterr().out))}
    assert {names for names, row in found.items() if row["address"] == "3"} == {"p0 p1"}
    assert "192.0.2" not in str(found)
    (look,) = DynamoHistories.beside(tables).looks()
    assert isinstance(look, Look)
    assert look.why == "a look"
    tables._client.put_item(TableName=TABLE, Item={"pk": {"S": "CAME#x"}, "sk": {"S": "y"}})
    assert main(words) == 1
    assert capsys.readouterr().err == "cardroom: CAME#x / y cannot be read: not counted\n"
