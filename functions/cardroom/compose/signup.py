"""The user pool's triggers."""

from functools import cache

from cardroom.environment import TableEnvironment, read
from cardroom.models import prime
from cardroom.register import DynamoRegister
from cardroom.signals import PowertoolsSignals, signals
from cardroom.signup import SignUp
from cardroom.systemclock import SystemClock


@cache
def sign_up() -> tuple[SignUp, PowertoolsSignals]:
    name, log = read(TableEnvironment).table_name, signals("signup")
    register = DynamoRegister(name, prime(name).connection.client)
    return SignUp(register, SystemClock(), log), log
