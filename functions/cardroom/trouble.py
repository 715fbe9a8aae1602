"""Trouble with other services, which may pass: what failed of it is worth another try. Content
never is.
"""

from typing import Final

from botocore.exceptions import BotoCoreError, ClientError
from pynamodb.exceptions import PynamoDBException

MAY_PASS: Final = (BotoCoreError, ClientError, PynamoDBException, OSError)
"""Of whatever kind."""
LATER: Final = frozenset(
    {
        "ProvisionedThroughputExceededException",
        "ProvisionedThroughputExceeded",
        "RequestLimitExceeded",
        "ThrottlingException",
        "ThrottlingError",
    }
)
"""Codes of a service that has too much to do."""
UNKNOWN: Final = frozenset(
    {"TransactionInProgressException", "InternalServerError", "ServiceUnavailable"}
)
"""Codes of an open question: it was done, or it was not."""


FINAL: Final = frozenset(
    {
        "ValidationException",
        "InvalidParameterValue",
        "InvalidMessageContents",
        "BatchRequestTooLong",
    }
)
"""Codes of what will never be taken, however often."""


def may_pass(error: BaseException) -> bool:
    """Whether a record of the stream is worth another try for it."""
    response = getattr(error, "response", None) or {}
    return isinstance(error, MAY_PASS) and response.get("Error", {}).get("Code") not in FINAL


def passes(error: BaseException | None) -> bool:
    """Whether it, or what led to it, is trouble that is nobody's fault here: the network, or a
    service that has too much to do. A missing right is not.
    """
    while error is not None:
        if isinstance(error, ClientError):
            response = error.response
            code = response.get("Error", {}).get("Code", "")
            status = response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0)
            return code in LATER | UNKNOWN or status >= 500
        if isinstance(error, BotoCoreError | OSError):
            return True
        error = error.__cause__ or error.__context__ or getattr(error, "cause", None)
    return False
