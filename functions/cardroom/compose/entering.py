"""connect: who is let in, and where that is logged."""

from functools import cache

from cardroom.arrivals import DynamoArrivals
from cardroom.bans import DynamoBans
from cardroom.connections import DynamoViews
from cardroom.entrance import Entrance
from cardroom.environment import ConnectEnvironment, read
from cardroom.signals import PowertoolsSignals, signals
from cardroom.systemclock import SystemClock


@cache
def entrance() -> tuple[Entrance, PowertoolsSignals]:
    environment, log = read(ConnectEnvironment), signals("connections")
    name = environment.table_name
    views, bans = DynamoViews(name, signals=log), DynamoBans(name, log)
    arrivals = DynamoArrivals(name, environment.arrival_key)
    return Entrance(views, bans, arrivals, SystemClock(), log), log
