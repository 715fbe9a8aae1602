"""The template as a linter of security sees it (cfripper): every finding is mended, or explained
here.

    python local/template_security.py [template.yaml]

It looks at policies, principals, buckets, topics, queues and keys. It knows plain CloudFormation
only, so the template is first translated as SAM would. Run by the environment of SAM.
"""

import logging
import os
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

ROOT = Path(__file__).resolve().parent.parent

PARAMETERS: Final = {
    "AlarmEmail": "operator@example.com",
    "WebDomain": "play.example.com",
    "WebCertificate": "arn:aws:acm:us-east-1:123456789012:certificate/a",
}
"""So that all is there that may be there; the others at their defaults."""


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """What a rule has against a resource."""

    rule: str
    resource: str
    said: str = ""


EXPLAINED: Final[Mapping[tuple[str, str], str]] = {
    ("S3ObjectVersioningRule", "WebBucket"): (
        "holds nothing but what a build of the repository makes again, and older files for a week"
    ),
    ("S3LifecycleConfigurationRule", "WebBucket"): (
        "files of older builds are deleted by the upload, which knows what is still referred to"
    ),
    ("WildcardResourceRule", "TurnClockRole"): (
        "deliveries of logs have no resource of their own: AWS asks for the star"
    ),
}
"""By rule and resource: why it stays as it is."""


def judged(
    findings: Iterable[Finding], explained: Mapping[tuple[str, str], str]
) -> tuple[list[Finding], list[tuple[str, str]]]:
    """Findings that nobody has explained, and explanations of what is not found any more."""
    found = set(findings)
    open_ones = sorted(one for one in found if (one.rule, one.resource) not in explained)
    gone = set(explained) - {(one.rule, one.resource) for one in found}
    return open_ones, sorted(gone)


def translated(path: Path) -> dict[str, Any]:
    """As plain CloudFormation. Of code only that there is some."""
    from samtranslator.translator.transform import transform
    from samtranslator.yaml_helper import yaml_parse

    class NoPolicies:
        """Of AWS's own managed policies the template uses none."""

        def load(self) -> dict[str, str]:
            return {}

    template = yaml_parse(path.read_text())
    template["Globals"]["Function"].pop("CodeUri", None)
    for resource in template["Resources"].values():
        properties = resource.get("Properties", {})
        match resource["Type"]:
            case "AWS::Serverless::Function":
                properties["CodeUri"] = "s3://code/code"
            case "AWS::Serverless::LayerVersion":
                properties["ContentUri"] = "s3://code/code"
            case "AWS::Serverless::StateMachine":
                properties["DefinitionUri"] = "s3://code/code"
    # The translator asks botocore for the partition.
    os.environ.setdefault("AWS_DEFAULT_REGION", "us-east-1")
    plain: dict[str, Any] = transform(template, {}, NoPolicies())
    return plain


def findings(template: Mapping[str, Any]) -> list[Finding]:
    """Of every rule of cfripper's, with all conditional resources there. Raises what a rule does
    that cannot read the template.
    """
    import pycfmodel
    from cfripper.config.config import Config
    from cfripper.config.pluggy.utils import get_all_rules
    from cfripper.rule_processor import RuleProcessor

    # It says of each type that it has no model of; what it knows it says as findings.
    logging.disable(logging.WARNING)
    rules = get_all_rules()
    config = Config(rules=rules.keys())
    processor = RuleProcessor(*(rules[name](config) for name in config.rules))
    result = processor.process_cf_template(
        pycfmodel.parse(template).resolve(extra_params=PARAMETERS), config
    )
    for fault in result.exceptions:
        raise fault
    return [
        Finding(one.rule, resource, one.reason)
        for one in result.failures
        for resource in one.resource_ids or ("the template",)
    ]


def main(arguments: list[str]) -> int:
    """0 where all that is found is explained; 1 with a line for each that is not."""
    path = Path(arguments[0]) if arguments else ROOT / "template.yaml"
    found = findings(translated(path))
    unexplained, gone = judged(found, EXPLAINED)
    for one in unexplained:
        print(f"{path.name}: {one.resource}: {one.said} ({one.rule})")
    for rule, resource in gone:
        print(f"{path.name}: {resource}: {rule} is explained, but not found any more")
    if not unexplained and not gone:
        print(f"{path.name}: no finding of security, {len(EXPLAINED)} explained")
    return 1 if unexplained or gone else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
