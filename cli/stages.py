"""With which parameters of the template a stage is deployed: those of samconfig.toml, and what the
operator says otherwise.

    python -P -m cli.stages overrides prod GuestsMayWatch=false     for `sam deploy`
    python -P -m cli.stages settings prod GuestsMayWatch=false      their fingerprint, for the build

`make deploy` asks for both. SAM itself would drop the stage's parameters as soon as one is given on
its command line. And its transform does not see that the value of a parameter has changed: the
alias of a function that reads it would stay with the version before. The fingerprint lies in the
code of such functions, which is seen.
"""

import argparse
import hashlib
import re
import sys
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

CONFIG = Path(__file__).parents[1] / "samconfig.toml"
TEMPLATE = Path(__file__).parents[1] / "template.yaml"


class BadParameter(Exception):
    """What was given is no `Name=value`, or there is no such parameter or stage."""


def stages(config: Path = CONFIG) -> dict[str, dict[str, str]]:
    """Each stage's parameters of the template, by their names."""
    read = tomllib.loads(config.read_text())
    return {
        name: pairs(table["deploy"]["parameters"]["parameter_overrides"])
        for name, table in read.items()
        if isinstance(table, dict) and "deploy" in table
    }


def pairs(given: Iterable[str]) -> dict[str, str]:
    """Of `Name=value`; of two values the later. Raises BadParameter."""
    found = {}
    for one in given:
        name, equals, value = one.partition("=")
        # No parameter holds a quote, and what SAM makes of one is its own affair.
        if not equals or not name.isalnum() or set(value) & set('"\\'):
            raise BadParameter(f"not a parameter, as Name=value: {one}")
        found[name] = value
    return found


def parameters(stage: str, given: Iterable[str], config: Path = CONFIG) -> dict[str, str]:
    """The stage's parameters with those that are given in their place. Raises BadParameter."""
    known = stages(config)
    if stage not in known:
        raise BadParameter(f"no stage {stage} in {config.name}: it has {', '.join(known)}")
    found = known[stage] | pairs(given)
    # SAM would leave out what the template has not, and deploy as if nothing had been said.
    for name in sorted(found.keys() - declared()):
        raise BadParameter(f"the template has no parameter {name}")
    return found


def declared(template: Path = TEMPLATE) -> set[str]:
    """The names of the template's parameters."""
    block = re.search(r"^Parameters:\n(.*?)^\w", template.read_text(), re.MULTILINE | re.DOTALL)
    assert block is not None
    return set(re.findall(r"^  (\w+):$", block[1], re.MULTILINE))


def overrides(values: Mapping[str, str]) -> str:
    """As SAM reads them: quoted, for a value may hold spaces."""
    return " ".join(f'{name}="{value}"' for name, value in sorted(values.items()))


def settings(values: Mapping[str, str]) -> str:
    """A fingerprint, the same for the same values."""
    return hashlib.sha256(overrides(values).encode()).hexdigest()[:16]


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="stages", description="A stage's parameters.")
    parser.add_argument("what", choices=("overrides", "settings"))
    parser.add_argument("stage")
    parser.add_argument("given", nargs="*", metavar="Name=value")
    args = parser.parse_args(argv)
    try:
        values = parameters(args.stage, args.given)
    except BadParameter as error:
        print(f"cardroom: {error}", file=sys.stderr)
        return 2
    print(overrides(values) if args.what == "overrides" else settings(values))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
