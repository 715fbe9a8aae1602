"""The spectators' fan-out."""

from functools import cache

from cardroom.aws import ApiPush, SqsQueue
from cardroom.connections import DynamoViews
from cardroom.environment import FanoutEnvironment, read
from cardroom.fanout import Fanout
from cardroom.signals import PowertoolsSignals, signals
from cardroom.systemclock import SystemClock


@cache
def fanout() -> tuple[Fanout, PowertoolsSignals]:
    environment, log = read(FanoutEnvironment), signals("fanout")
    views = DynamoViews(environment.table_name, signals=log)
    push, queue = ApiPush(environment.callback_url), SqsQueue(environment.fanout_queue_url)
    return Fanout(views, push, queue, SystemClock(), log), log
