"""Trouble with other services, for which a record of the stream is worth another try; content
never is.
"""

from typing import Final

from botocore.exceptions import BotoCoreError, ClientError
from pynamodb.exceptions import PynamoDBException

MAY_PASS: Final = (BotoCoreError, ClientError, PynamoDBException, OSError)
