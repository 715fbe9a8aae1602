"""The stream's consumer."""

from functools import cache

from cardroom.attendance import Attendance
from cardroom.aws import ApiPush, SqsQueue, StepTimers
from cardroom.broadcast import Broadcast
from cardroom.connections import DynamoViews
from cardroom.decks import Decks
from cardroom.environment import BroadcastEnvironment, read
from cardroom.redrive import Redrive
from cardroom.signals import PowertoolsSignals, signals
from cardroom.store import DynamoTables
from cardroom.systemclock import SystemClock


@cache
def broadcast() -> tuple[Broadcast, Attendance, PowertoolsSignals]:
    environment, log = read(BroadcastEnvironment), signals("broadcast")
    name = environment.table_name
    tables, views = DynamoTables(name, log), DynamoViews(name, signals=log)
    push, clock = ApiPush(environment.callback_url), SystemClock()
    use_case = Broadcast(
        views,
        tables,
        Decks(tables),
        push,
        SqsQueue(environment.fanout_queue_url),
        SqsQueue(environment.floor_queue_url),
        StepTimers(environment.turn_clock_arn),
        clock,
        log,
    )
    return use_case, Attendance(tables, views, push, clock, log), log


@cache
def redrive() -> Redrive:
    use_case, _, log = broadcast()
    return Redrive(DynamoTables(read(BroadcastEnvironment).table_name, log), use_case, log)
