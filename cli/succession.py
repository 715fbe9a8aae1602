"""Whether this release may follow the one that a stack runs: `make deploy` asks before it begins.

    python -P -m cli.succession --stack cardroom

While it goes out both work on the same tables, and the other may come back. So what this one writes
that one must be able to read, and the other way round (docs/upgrade.md). A stack tells the numbers
of its release in the output `Numbers`; one that has none is of before there were any but 1.
"""

import argparse
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from poker_engine.schema import SCHEMA, WRITE_SCHEMA
from poker_engine.stakes import PLAYED_RULES, RULES_VERSION

NUMBERS: Final = {
    "schema": SCHEMA,
    "write_schema": WRITE_SCHEMA,
    "rules": RULES_VERSION,
    "played_rules": PLAYED_RULES,
}
"""What this release reads and writes."""
_PAIR: Final = re.compile(r"([a-z_]+)=([1-9][0-9]{0,8})", re.ASCII)
PAIRS: Final = (
    ("schema", "write_schema", "writes schema", "reads"),
    ("rules", "played_rules", "begins hands by rules", "knows"),
)


def told(numbers: Mapping[str, int]) -> str:
    """As the output has it."""
    return " ".join(f"{name}={number}" for name, number in numbers.items())


def running(outputs: Mapping[str, str]) -> dict[str, int] | None:
    """The numbers of the release that a stack with these outputs runs; None where it runs none.
    Raises ValueError where they are none that a release has: nothing is guessed of it.
    """
    if "TableName" not in outputs:
        return None
    pairs = outputs.get("Numbers", "").split()
    given = {pair[1]: int(pair[2]) for one in pairs if (pair := _PAIR.fullmatch(one))}
    if len(given) != len(pairs):
        raise ValueError("its output Numbers has not the numbers of a release")
    return {name: given.get(name, 1) for name in NUMBERS}


def objections(theirs: Mapping[str, int], ours: Mapping[str, int] = NUMBERS) -> Iterator[str]:
    """Why the release with `ours` cannot follow the one with `theirs`."""
    for known, used, does, knows in PAIRS:
        if ours[used] > theirs[known]:
            yield (
                f"this release {does} {ours[used]}, and the one that runs {knows} up to"
                f" {theirs[known]}: a release that {knows} {ours[used]} comes first"
            )
        if theirs[used] > ours[known]:
            yield (
                f"the release that runs {does} {theirs[used]}, and this one {knows} up to"
                f" {ours[known]}"
            )


def outputs_of(stacks: Any, stack: str) -> Mapping[str, str]:
    """None of a stack that is not there."""
    from botocore.exceptions import ClientError

    try:
        (found,) = stacks.describe_stacks(StackName=stack)["Stacks"]
    except ClientError as error:
        if "does not exist" in error.response["Error"].get("Message", ""):
            return {}
        raise
    return {one["OutputKey"]: one["OutputValue"] for one in found.get("Outputs", ())}


def main(argv: Sequence[str]) -> int:
    """0 where it may; 1 where it may not, or where that cannot be found out."""
    import boto3
    from botocore.exceptions import BotoCoreError, ClientError

    from cli.tables import take_region

    parser = argparse.ArgumentParser(prog="succession", description="May this release follow?")
    parser.add_argument("--stack", required=True)
    args = parser.parse_args(argv)
    take_region()
    try:
        theirs = running(outputs_of(boto3.client("cloudformation"), args.stack))
    except (BotoCoreError, ClientError, ValueError) as error:
        print(f"cardroom: stack {args.stack}: {error}", file=sys.stderr)
        return 1
    found = [] if theirs is None else list(objections(theirs))
    for one in found:
        print(f"cardroom: {one} (docs/upgrade.md)", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
