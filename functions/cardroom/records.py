"""The record of a finished hand."""

import json

from cardroom.ports import Secret
from cardroom.soundness import events_of
from cardroom.stored import HandRecord, Stored
from poker_engine.events import HandEnded, HandVoided
from poker_engine.state import Hand


def record_of(stored: Stored, hand: Hand, secret: Secret | None) -> HandRecord:
    """The record of the hand that `stored` has just ended (RULES 6.3).
     Without its deck, and so without the table as it began, only for a hand that is void because of
    that.
    """
    ended = next(
        event.at for event in events_of(stored.log) if isinstance(event, HandEnded | HandVoided)
    )
    stakes = stored.table.settings.stakes
    pots = [[pot.amount, pot.rake, pot.contenders, pot.shares] for pot in hand.pots]
    return HandRecord(
        table_id=stored.table_id,
        number=hand.number,
        opening="" if secret is None else secret.opening,
        events=stored.log,
        deck=() if secret is None else secret.deck,
        started=hand.started,
        ended=ended,
        currency=stakes.currency,
        schedule=stakes.rake,
        rake=sum(pot.rake for pot in hand.pots),
        pots=json.dumps(pots, separators=(",", ":")),
        rules=hand.rules,
        voided=hand.voided,
    )
