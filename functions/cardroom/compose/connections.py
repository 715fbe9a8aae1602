"""connect and disconnect: the connections, and where they are logged."""

from functools import cache

from cardroom.bans import DynamoBans
from cardroom.connections import DynamoViews
from cardroom.entrance import Entrance
from cardroom.environment import TableEnvironment, read
from cardroom.signals import PowertoolsSignals, signals
from cardroom.systemclock import SystemClock


@cache
def entrance() -> tuple[Entrance, PowertoolsSignals]:
    views, log = connections()
    return Entrance(views, DynamoBans(views.name, log), SystemClock(), log), log


@cache
def connections() -> tuple[DynamoViews, PowertoolsSignals]:
    log = signals("connections")
    return DynamoViews(read(TableEnvironment).table_name, signals=log), log
