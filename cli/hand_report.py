"""One hand in words, for `cardroom hands show`."""

from collections.abc import Iterator
from datetime import tzinfo

from cardroom.stored import HandRecord
from cli.finished import Finished
from cli.formats import pokerstars
from cli.formats.amounts import moment
from cli.printable import printable


def report(record: HandRecord, hand: Finished, zone: tzinfo) -> Iterator[str]:
    """What the record says of the hand, then the hand itself."""
    yield (
        f"{printable(hand.table)} hand {hand.number}: rules {record.rules}, rake schedule "
        f"{printable(record.schedule)}"
    )
    began, ended = (moment(at, zone) for at in (record.started, record.ended))
    yield f"began {began:%Y-%m-%d %H:%M:%S}, ended {ended:%H:%M:%S} {began.tzname()}"
    yield ""
    yield from (printable(line, 200) for line in pokerstars.dump(hand, zone).splitlines())
