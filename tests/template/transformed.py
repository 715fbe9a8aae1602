"""The template as CloudFormation gets it: what SAM's transform makes of it, on AWS and in the
emulator alike.

The transform lives in SAM's environment, whose Python is asked.
"""

import json
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.template.parsed import ROOT

_PROGRAM = """
import json, logging, os, sys
from pathlib import Path
from samcli.lib.utils.hash import dir_checksum, file_checksum
from samcli.yamlhelper import yaml_parse
from samtranslator.translator.transform import transform

logging.disable(logging.ERROR)
os.environ["AWS_DEFAULT_REGION"] = "us-east-1"
CODE = {
    "AWS::Serverless::Function": "CodeUri",
    "AWS::Serverless::LayerVersion": "ContentUri",
    "AWS::Serverless::StateMachine": "DefinitionUri",
}

class NoPolicies:
    def load(self):
        return {}

def address(name, artifacts):
    # As `sam package` names what it uploads: by the content.
    folder = Path(artifacts, name) if artifacts else None
    return f"s3://bucket/{dir_checksum(str(folder)) if folder and folder.is_dir() else name}"

def one(source, artifacts, parameters):
    template = yaml_parse(Path(source).read_text())
    template["Globals"]["Function"].pop("CodeUri")
    for name, resource in template["Resources"].items():
        if resource["Type"] in CODE:
            resource["Properties"][CODE[resource["Type"]]] = address(name, artifacts)
    return transform(template, parameters, NoPolicies())

print(json.dumps([one(*asked) for asked in json.load(sys.stdin)]))
"""


def transformed(
    *asked: Mapping[str, str], artifacts: Sequence[Path] = (), source: Path = ROOT / "template.yaml"
) -> list[dict[str, Any]]:
    """The resources for each set of parameters, or for the same ones and each folder of artifacts,
    which holds a folder for each function and layer.
    """
    wanted = [
        (str(source), str(folder) if folder else None, dict(parameters))
        for parameters in (asked or ({},))
        for folder in (artifacts or (None,))
    ]
    done = subprocess.run(
        [str(ROOT / ".venv-sam/bin/python"), "-I", "-c", _PROGRAM],
        input=json.dumps(wanted),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return [template["Resources"] for template in json.loads(done.stdout)]


def of_type(resources: Mapping[str, Any], kind: str) -> dict[str, dict[str, Any]]:
    return {name: one for name, one in resources.items() if one["Type"] == kind}
