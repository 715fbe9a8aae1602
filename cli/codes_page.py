"""docs/errors.md: every code with its meaning, made of `cardroom.codes`."""

from collections.abc import Mapping
from typing import Final

from cardroom import codes
from cardroom.codes import Meaning

INTRODUCTION: Final = """\
# Error codes

Made of `functions/cardroom/codes.py` by `make contract`. A code never changes its meaning. Where
something is refused nothing has changed, unless a row says otherwise. The sentence that comes with
a code is for people, and may change.

## In the room

A reply of the type `error` has one of these as its `code`. Its `facts` are numbers: amounts in
minor units, `until` a moment in milliseconds since 1970, `seat` and `last` seats counted from 0. A
fact that does not apply is missing.

Send again what was refused as `busy` or `slow_down`, and what was not answered, with the same `id`;
nothing else gets better by itself. Do not show what the player did not ask for: that a double click
was refused is no news to him.
"""
SIGN_UP: Final = """
## At sign-up

The user pool's answer is a `UserLambdaValidationException`, whose message holds the code, a colon
and a sentence.
"""
BANK: Final = """
## With the operator

What `cardroom players` is refused. It shows the sentence; programs that use `cardroom.bank` get the
code.
"""
INSIDE: Final = """
## Inside the room

No message of a client leads to these.

| code | what is wrong |
|---|---|
"""


def page() -> str:
    inside = "".join(f"| `{code}` | {wrong} |\n" for code, wrong in codes.INSIDE.items())
    return (
        f"{INTRODUCTION}{_table(codes.SENT)}{SIGN_UP}{_table(codes.SIGN_UP)}"
        f"{BANK}{_table(codes.BANK)}{INSIDE}{inside}"
    )


def _table[C: str](meanings: Mapping[C, Meaning]) -> str:
    rows = "".join(
        f"| `{code}` | {one.wrong} | {one.then} | {_facts(one)} |\n"
        for code, one in meanings.items()
    )
    return f"\n| code | what is wrong | what then | facts |\n|---|---|---|---|\n{rows}"


def _facts(meaning: Meaning) -> str:
    return ", ".join(f"`{fact}`" for fact in meaning.facts)
