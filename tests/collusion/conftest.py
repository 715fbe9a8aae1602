"""A stack for the command."""

from tests.cli.conftest import tables as tables
from tests.room.conftest import aws as aws
from tests.room.conftest import memory as memory
