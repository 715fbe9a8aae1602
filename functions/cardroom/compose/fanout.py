"""The spectators' fan-out."""

from functools import cache

from cardroom.aws import ApiPush
from cardroom.connections import DynamoViews
from cardroom.environment import FanoutEnvironment, read
from cardroom.fanout import Fanout
from cardroom.signals import PowertoolsSignals, signals
from cardroom.systemclock import SystemClock


@cache
def fanout() -> tuple[Fanout, PowertoolsSignals]:
    environment, log = read(FanoutEnvironment), signals("fanout")
    views = DynamoViews(environment.table_name)
    return Fanout(views, ApiPush(environment.callback_url), SystemClock(), log), log
