"""`cardroom web`: the page of a room on AWS: what its bucket holds."""

import argparse
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from cli.served import Failed
from cli.tables import outputs_of, take_region
from local.errors import RoomError
from local.web_client import built
from local.web_pages import FOREVER, Page, config, pages

KEPT: Final = timedelta(days=7)
"""Of files that no new page names: who has an old one open may still ask for them."""
DELETED_AT_ONCE: Final = 1000
"""As many as S3 takes in one call."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    for name, summary in (
        ("upload", "build the web client and give it to the room's page"),
        ("empty", "take all files away, as before the stack is deleted"),
    ):
        parser = actions.add_parser(name, help=summary, description=summary)
        parser.add_argument("--stack", metavar="NAME", required=True, help="deployed to AWS")
        if name == "upload":
            parser.add_argument(
                "--unless-declined",
                action="store_true",
                help="not where changes of the stack were shown, and nobody said yes",
            )


def run(args: argparse.Namespace) -> int:
    """0, also where the stack has no page; 1 where it could not be done."""
    from botocore.exceptions import BotoCoreError, ClientError

    try:
        if args.action == "upload" and args.unless_declined and declined(args.stack):
            print(f"{args.stack} was not changed, and its page stays as it is")
            return 0
        outputs = outputs_of(args.stack)
        if "WebBucket" not in outputs:
            print(f"{args.stack} has no page for browsers (WebClient=false)")
        elif args.action == "upload":
            upload(outputs)
            print(f"{args.stack} is at {outputs['WebUrl']}")
        else:
            print(f"{emptied(outputs['WebBucket'])} files are taken away")
    except (Failed, RoomError, BotoCoreError, ClientError) as error:
        print(f"cardroom: {error}", file=sys.stderr)
        return 1
    return 0


def declined(stack: str) -> bool:
    """Whether changes of the stack are worked out that nobody has said yes to: the first that is
    carried out takes all others away.
    """
    import boto3

    take_region()
    pages = boto3.client("cloudformation").get_paginator("list_change_sets")
    return any(
        one["Status"] == "CREATE_COMPLETE" and one["ExecutionStatus"] == "AVAILABLE"
        for page in pages.paginate(StackName=stack)
        for one in page["Summaries"]
    )


def upload(outputs: Mapping[str, str]) -> None:
    """Build the client, and put it into the bucket in an order in which every page that is open
    finds what it names. Raises RoomError, or botocore's errors.
    """
    import boto3

    bucket, storage = outputs["WebBucket"], boto3.client("s3")
    region = boto3.session.Session().region_name
    told = config(outputs, region, outputs["WebSocketUrl"])
    new = pages(built(), told)
    for page in new:
        storage.put_object(
            Bucket=bucket,
            Key=page.path,
            Body=page.body,
            ContentType=page.kind,
            CacheControl=page.cached,
        )
    _invalidate(outputs["WebDistribution"], new)
    current = {page.path for page in new}
    before = datetime.now(UTC) - KEPT
    old = [key for key, at in _files(storage, bucket) if key not in current and at < before]
    _delete(storage, bucket, old)


def emptied(bucket: str) -> int:
    """How many files there were."""
    import boto3

    storage = boto3.client("s3")
    keys = [key for key, _ in _files(storage, bucket)]
    _delete(storage, bucket, keys)
    return len(keys)


def _invalidate(distribution: str, new: Sequence[Page]) -> None:
    """What has no hash in its name is asked for anew by CloudFront."""
    import boto3

    changed = ["/", *(f"/{page.path}" for page in new if page.cached != FOREVER)]
    boto3.client("cloudfront").create_invalidation(
        DistributionId=distribution,
        InvalidationBatch={
            "Paths": {"Quantity": len(changed), "Items": changed},
            "CallerReference": f"cardroom-{time.time_ns()}",
        },
    )


def _files(storage: Any, bucket: str) -> Iterator[tuple[str, datetime]]:
    """Key and the moment when it was put there."""
    for found in storage.get_paginator("list_objects_v2").paginate(Bucket=bucket):
        for entry in found.get("Contents", []):
            yield entry["Key"], entry["LastModified"]


def _delete(storage: Any, bucket: str, keys: Sequence[str]) -> None:
    for start in range(0, len(keys), DELETED_AT_ONCE):
        some = [{"Key": key} for key in keys[start : start + DELETED_AT_ONCE]]
        storage.delete_objects(Bucket=bucket, Delete={"Objects": some, "Quiet": True})
