"""A stack for the command."""

from tests.cli.conftest import tables as tables
