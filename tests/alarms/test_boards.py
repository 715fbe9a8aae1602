"""What the dashboards show is there once a hand has been played: series under their very
dimensions, and the fields of log lines that they search.
"""

import re

from cardroom.metrics import METRICS, NAMESPACE
from tests.alarms.cloudwatch import MINUTE
from tests.alarms.watched import Watched
from tests.template.test_dashboards import _lines, _series, _widgets

UNSEEN = {
    *("Waiting", "SeatOffered", "OfferMissed", "OfferTakenBack", "LineClosed"),
    *("SignUpAccepted", "SignUpRefused", "SlowestTable"),
}
"""Of the room manager's board, what one hand of two players does not make."""


def test_the_room_managers_board_has_its_figures(room: Watched) -> None:
    room.minute(room.play_a_hand)
    shown = {
        series
        for line in _lines("RoomDashboard")
        if (series := _series(line)) is not None and series.namespace == NAMESPACE
    }
    absent = {series for series in shown if series not in room.figures.values}
    dollars = {series for series in absent if ("currency", "USD") in series.dimensions}
    assert {series.metric for series in absent - dollars} == UNSEEN
    minute = room.ports.now // MINUTE - 1
    found = {
        series.metric: room.figures.point(series, "Maximum", minute, 1)
        for series in shown
        if METRICS[series.metric].every_minute
    }
    assert found["OpenTables"] == 1
    assert found["SeatedPlayers"] == 1


def test_log_lines_have_what_the_boards_ask_them_for(room: Watched) -> None:
    room.minute(room.play_a_hand)
    commands = [line for line in room.log if line["message"] == "command"]
    assert commands
    for dashboard in ("RoomDashboard", "MachineDashboard"):
        for widget in _widgets(dashboard):
            if widget["type"] != "log":
                continue
            query = widget["properties"]["query"]
            assert 'message = "command"' in query
            (key,) = re.findall(r" by (\w+) ", query)
            asked = {*re.findall(r"ispresent\((\w+)\)", query), "ms", key}
            assert all(asked <= set(line) for line in commands if line.get("table"))
