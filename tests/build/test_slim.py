"""What the build takes out of botocore is never asked for."""

import gzip
import json
import shutil
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import Any

import botocore.session
import pytest
from botocore import xform_name
from botocore.awsrequest import AWSPreparedRequest, AWSResponse
from botocore.compat import HTTPHeaders

from slim import slim, undocumented

DATA = Path(botocore.__file__).parent / "data"
SERVICES = ("apigatewaymanagementapi", "dynamodb", "s3", "sqs", "stepfunctions")


class Raw(BytesIO):
    """The body of an answer, as botocore reads it."""

    def stream(self, *_: object, **__: object) -> Any:
        yield self.read()


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Botocore's data, slim; of services that are not called there is one."""
    folder = tmp_path_factory.mktemp("botocore") / "data"
    folder.mkdir()
    for path in DATA.iterdir():
        if path.name in (*SERVICES, "acm"):
            shutil.copytree(path, folder / path.name)
        elif path.is_file():
            shutil.copyfile(path, folder / path.name)
    slim(folder, SERVICES)
    return folder


def _client(service: str, folder: Path | None) -> Any:
    session = botocore.session.Session()
    if folder is not None:
        loader = session.get_component("data_loader")
        loader.search_paths[:] = [str(folder)]
    return session.create_client(
        service, region_name="ap-southeast-1", aws_access_key_id="a", aws_secret_access_key="b"
    )


@pytest.mark.parametrize("service", SERVICES)
def test_a_client_of_it_is_the_same(service: str, data: Path) -> None:
    """Operations, their shapes, where it is called, and what its errors are."""
    slimmed, whole = _client(service, data), _client(service, None)
    assert slimmed.meta.endpoint_url == whole.meta.endpoint_url
    ours, theirs = slimmed.meta.service_model, whole.meta.service_model
    assert ours.operation_names == theirs.operation_names
    assert ours.metadata == theirs.metadata
    assert set(ours.shape_names) == set(theirs.shape_names)
    assert vars(slimmed.exceptions).keys() == vars(whole.exceptions).keys()


@pytest.mark.parametrize("service", SERVICES)
def test_its_operations_are_asked_for_as_before(service: str, data: Path) -> None:
    """Each that needs nothing to be said, or a bucket: signed, and sent to the same address."""
    sent: list[tuple[str, str]] = []

    def answer(request: AWSPreparedRequest, **_: object) -> AWSResponse:
        sent.append((str(request.method), str(request.url)))
        return AWSResponse(request.url, 200, HTTPHeaders(), Raw(b""))

    for folder in (data, None):
        client = _client(service, folder)
        client.meta.events.register("before-send", answer)
        for name in client.meta.service_model.operation_names:
            shape = client.meta.service_model.operation_model(name).input_shape
            needed = set(shape.required_members if shape is not None else ())
            # Directory buckets are S3 Express, of which the room has none.
            if needed <= {"Bucket"} and "Directory" not in name:
                with suppress(Exception):
                    getattr(client, xform_name(name))(**dict.fromkeys(needed, "hands"))
    assert sent[: len(sent) // 2] == sent[len(sent) // 2 :]
    assert sent or service == "apigatewaymanagementapi"


@pytest.mark.parametrize("service", SERVICES)
def test_nothing_but_documentation_is_missing_in_its_model(service: str, data: Path) -> None:
    (model,) = (data / service).glob("*/service-2.json")
    source = DATA / service / model.parent.name / f"{model.name}.gz"
    whole = json.loads(gzip.decompress(source.read_bytes()))

    def without(value: Any) -> Any:
        if isinstance(value, dict):
            return {
                key: without(inner)
                for key, inner in value.items()
                if not (key == "documentation" and isinstance(inner, str) and inner)
            }
        return [without(inner) for inner in value] if isinstance(value, list) else value

    told = {name: {"documentation": ""} for name in whole.get("clientContextParams", {})}
    wanted = without(whole)
    for name, parameter in told.items():
        wanted["clientContextParams"][name] |= parameter
    assert json.loads(model.read_text()) == wanted


def test_a_member_may_be_called_documentation() -> None:
    member = {"shape": "Text", "documentation": "Its text."}
    shape = {"type": "structure", "members": {"documentation": member}, "documentation": "x"}
    model = {"metadata": {}, "operations": {}, "shapes": {"Page": shape}, "documentation": "y"}
    assert undocumented(model) == {
        "metadata": {},
        "operations": {},
        "shapes": {
            "Page": {"type": "structure", "members": {"documentation": {"shape": "Text"}}},
        },
    }


def test_what_is_not_called_leaves_nothing(data: Path) -> None:
    assert {path.name for path in data.iterdir() if path.is_dir()} == set(SERVICES)
    assert not list(data.rglob("*.gz"))
    endpoints = json.loads((data / "endpoints.json").read_text())
    known = {name for partition in endpoints["partitions"] for name in partition["services"]}
    assert known <= {"dynamodb", "execute-api", "s3", "sqs", "states"}
    assert {"dynamodb", "s3", "sqs", "states"} <= known
    size = sum(path.stat().st_size for path in data.rglob("*") if path.is_file())
    assert size < 750_000


def test_every_partition_stays(data: Path) -> None:
    """The room may be in any: China's too."""
    names = [
        [partition["partition"] for partition in json.loads(path.read_text())["partitions"]]
        for path in (data / "endpoints.json", DATA / "endpoints.json")
    ]
    assert names[0] == names[1]


def test_a_service_without_a_model_fails_the_build(data: Path) -> None:
    with pytest.raises(FileNotFoundError):
        slim(data, ["nothing"])
