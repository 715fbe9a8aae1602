"""Bots as users of a local room, and their access tokens, from the stack's own Cognito user pool.

An operator makes them; people sign up and in by themselves, see `local.user_pool`.

The tokens are what a deployed room gets: signed by the pool's key, for the pool's client.
"""

from __future__ import annotations

import secrets
from typing import Any

from local.errors import RoomError
from local.stack import Deployed
from local.welcome import welcome


class Users:
    """Makes users in the pool of a room; for each one token after another."""

    def __init__(self, room: Deployed) -> None:
        self._room = room
        self._pool: Any = room.client("cognito-idp")
        self._pool_id = room.outputs["UserPoolId"]
        self._client_id = room.outputs["UserPoolClientId"]
        self._passwords: dict[str, str] = {}

    def token(self, name: str) -> str:
        """An access token of the user, who is made at the first call.

        Names may be reused: the same name is the same user (`sub`) as long as the room runs.
        """
        if name not in self._passwords:
            password = f"Aa1!{secrets.token_urlsafe(18)}"
            # The pool may ask for an address; no mail is ever sent from here.
            address = f"{name}@players.invalid"
            # Made by another process of this room, maybe: the new password is as good.
            try:
                self._pool.admin_create_user(
                    UserPoolId=self._pool_id,
                    Username=name,
                    UserAttributes=[
                        {"Name": "email", "Value": address},
                        {"Name": "email_verified", "Value": "true"},
                    ],
                    MessageAction="SUPPRESS",
                )
            except self._pool.exceptions.UsernameExistsException:
                pass
            except self._pool.exceptions.UserLambdaValidationException as error:
                raise RoomError(f"{name}: {error.response['Error']['Message']}") from error
            self._pool.admin_set_user_password(
                UserPoolId=self._pool_id, Username=name, Password=password, Permanent=True
            )
            welcome(self._room, name)
            self._passwords[name] = password
        answer = self._pool.admin_initiate_auth(
            UserPoolId=self._pool_id,
            ClientId=self._client_id,
            AuthFlow="ADMIN_USER_PASSWORD_AUTH",
            AuthParameters={"USERNAME": name, "PASSWORD": self._passwords[name]},
        )
        token: str = answer["AuthenticationResult"]["AccessToken"]
        return token
