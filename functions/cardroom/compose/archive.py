"""What moves old records of hands."""

from functools import cache

from cardroom.archivist import Archivist
from cardroom.aws import archive
from cardroom.environment import ArchiveEnvironment, read
from cardroom.models import prime
from cardroom.recorded import DynamoRecords
from cardroom.signals import PowertoolsSignals, signals
from cardroom.systemclock import SystemClock


@cache
def archivist() -> tuple[Archivist, PowertoolsSignals]:
    environment, log = read(ArchiveEnvironment), signals("archive")
    name = environment.table_name
    records = DynamoRecords(name, prime(name).connection.client)
    return Archivist(records, archive(environment.hands_bucket), SystemClock(), log), log
