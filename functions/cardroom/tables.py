"""Opening a table: for the operator, never for a client."""

import re
from typing import Final

from cardroom.ports import Tables
from cardroom.results import Results
from cardroom.stored import Stored
from poker_engine.evolve import open_table as opened
from poker_engine.stakes import Settings

MOST_TABLES: Final = 10
"""Of a stake, up to which more open by themselves when all are full."""
TABLE_ID = re.compile(r"[a-z0-9][a-z0-9-]{0,31}")


def open_table(
    tables: Tables,
    table_id: str,
    settings: Settings,
    now: int,
    *,
    base: str = "",
    most: int = MOST_TABLES,
) -> bool:
    """Write META, STATE and the place in the list; False if the id is taken. Raises ValueError on a
    bad id. `base` and `most`: see Meta.
    """
    if not TABLE_ID.fullmatch(table_id):
        raise ValueError(
            "a table's id has 1 to 32 of a-z, 0-9 and '-', and does not begin with '-'"
        )
    empty = Stored(
        table_id,
        version=1,
        table=opened(settings),
        log="[]",
        results=Results(),
        chips_in=0,
        chips_out=0,
    )
    return tables.create(empty, now, base=base, most=most)
