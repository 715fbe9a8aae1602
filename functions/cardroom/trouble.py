"""Trouble with other services, which may pass: what failed of it is worth another try. Content
never is.
"""

from typing import Final

from botocore.exceptions import BotoCoreError, ClientError
from pynamodb.exceptions import PynamoDBException

MAY_PASS: Final = (BotoCoreError, ClientError, PynamoDBException, OSError)
"""Of whatever kind: for who has nothing else to go by."""
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
