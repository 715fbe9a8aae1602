"""The ports `Push`, `Closer`, `Timers`, `Queue` and `Archive` on AWS, by clients that share one
session.
"""

import json
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import Any

from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

from cardroom.archive import S3Archive
from cardroom.models import session
from cardroom.ports import Delivery
from cardroom.systemclock import timestamp

POSTS_AT_ONCE = 24
"""Threads and connections of one function; callbacks share one quota of the whole account."""
_GONE = frozenset({"GoneException", "410"})


def client(service: str, *, endpoint: str | None = None, read_seconds: float = 2.0) -> Any:
    """A client with short timeouts: a function is paid for while it waits."""
    config = Config(
        connect_timeout=1,
        read_timeout=read_seconds,
        max_pool_connections=POSTS_AT_ONCE,
        retries={"total_max_attempts": 2, "mode": "standard"},
        parameter_validation=False,
    )
    return session().create_client(service, endpoint_url=endpoint, config=config)


def archive(bucket: str) -> S3Archive:
    """The archive for a function, which may not list it; its client is made when it is asked."""
    return S3Archive(lambda: client("s3"), bucket, lists=False)


class ApiPush:
    """Posts through the API's callback endpoint."""

    def __init__(self, callback_url: str) -> None:
        self._client = client("apigatewaymanagementapi", endpoint=callback_url, read_seconds=1.0)
        self._threads = ThreadPoolExecutor(POSTS_AT_ONCE)

    def post(self, posts: Iterable[tuple[str, bytes]]) -> list[tuple[str, Delivery]]:
        return list(self._threads.map(self._one, posts))

    def _one(self, post: tuple[str, bytes]) -> tuple[str, Delivery]:
        connection, data = post
        try:
            self._client.post_to_connection(ConnectionId=connection, Data=data)
        except (ClientError, BotoCoreError) as error:
            return connection, _undelivered(error)
        return connection, Delivery.DONE


class ApiCloser:
    """Ends connections through the API's callback endpoint."""

    def __init__(self, callback_url: str, make: Callable[[str], Any] | None = None) -> None:
        """`make` builds the client for the endpoint, where it is not to be a function's own."""
        self._url = callback_url
        self._make = make

    @cached_property
    def _client(self) -> Any:
        """Made when there is somebody to put out: most functions never do."""
        if self._make is not None:
            return self._make(self._url)
        return client("apigatewaymanagementapi", endpoint=self._url)

    def close(self, connection: str) -> Delivery:
        try:
            self._client.delete_connection(ConnectionId=connection)
        except (ClientError, BotoCoreError) as error:
            return _undelivered(error)
        return Delivery.DONE


def _undelivered(error: ClientError | BotoCoreError) -> Delivery:
    if isinstance(error, ClientError) and error.response["Error"]["Code"] in _GONE:
        return Delivery.GONE
    return Delivery.FAILED


class StepTimers:
    """Starts executions of the turn clock."""

    def __init__(self, machine_arn: str) -> None:
        self._machine = machine_arn

    @cached_property
    def _client(self) -> Any:
        """Made when the first one is started: most invocations start none."""
        return client("stepfunctions")

    def start(self, name: str, table_id: str, hand: int, wait: int) -> None:
        try:
            self._client.start_execution(
                stateMachineArn=self._machine,
                name=name,
                input=json.dumps({"table": table_id, "hand": hand, "wait": timestamp(wait)}),
            )
        except ClientError as error:
            if error.response["Error"]["Code"] != "ExecutionAlreadyExists":
                raise


class SqsQueue:
    def __init__(self, url: str) -> None:
        self._url = url

    @cached_property
    def _client(self) -> Any:
        """Made when there is somebody to watch."""
        return client("sqs")

    def send(self, body: str, delay: int = 0) -> None:
        self._client.send_message(QueueUrl=self._url, MessageBody=body, DelaySeconds=delay)
