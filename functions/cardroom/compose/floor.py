"""The floor."""

from functools import cache

from cardroom.aws import ApiPush, SqsQueue
from cardroom.compose.dealing import dealer
from cardroom.connections import DynamoViews
from cardroom.environment import FloorEnvironment, read
from cardroom.floor import Floor
from cardroom.lines import DynamoLines
from cardroom.lobby import Lobby, Ticks
from cardroom.signals import PowertoolsSignals, signals
from cardroom.stakes import Stakes
from cardroom.supply import Supply
from cardroom.systemclock import SystemClock
from cardroom.watchers import DynamoWatchers


@cache
def floor() -> tuple[Floor, PowertoolsSignals]:
    environment, log = read(FloorEnvironment), signals("floor")
    name, clock = environment.table_name, SystemClock()
    queue = SqsQueue(environment.floor_queue_url)
    push = ApiPush(environment.callback_url)
    watchers = DynamoWatchers(name, log)
    views, lines = DynamoViews(name, signals=log), DynamoLines(name, log)
    deals = dealer(name, log)
    lobby = Lobby(deals.tables, watchers, lines, queue, clock)
    ticks = Ticks(lobby, watchers, views, push, clock, log)
    supply = Supply(deals.tables, deals, log)
    stakes = Stakes(deals.tables, lines, supply, views, push, queue, clock, log)
    return Floor(ticks, stakes, log), log
