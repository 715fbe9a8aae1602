"""One hand in words, and what a player disputes in it, for `cardroom hands`."""

from collections.abc import Iterator
from datetime import tzinfo

from cardroom.days import moment
from cardroom.disputes import Dispute
from cardroom.stored import HandRecord
from cli.finished import Finished
from cli.formats import pokerstars
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


def disputed(one: Dispute, zone: tzinfo) -> Iterator[str]:
    """What he wrote, and what support answered."""
    at = moment(one.at, zone)
    hand = f"{printable(one.table)}/{one.hand}"
    yield (
        f"{at:%Y-%m-%d %H:%M:%S} {at.tzname()}  {hand}  {printable(one.player)} disputes it: "
        f"{printable(one.text, 300)}"
    )
    if one.closed:
        closed = moment(one.closed, zone)
        who, word = printable(one.who, 120), printable(one.word, 300)
        yield f"  closed {closed:%Y-%m-%d %H:%M:%S} {closed.tzname()} by {who}: {word}"
