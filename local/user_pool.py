"""The user pool of a room as everybody may use it: to sign up, to confirm, and to sign in.

It is the same on AWS and on the local room. Nothing here needs any right of an operator.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final, Self

from botocore.exceptions import BotoCoreError, ClientError

from local.errors import RoomError
from local.srp import BadChallenge, Handshake
from local.stack import Deployed

TRIGGERS: Final = ("PreSignUp failed with error ", "PostConfirmation failed with error ")


class Refused(RoomError):
    """The pool says no; the text is one sentence without its full stop. `code` is the room's own
    where it was its function that refused, else the pool's.
    """

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


@dataclass(frozen=True)
class UserPool:
    client: Any
    pool_id: str
    client_id: str

    @classmethod
    def of(cls, room: Deployed) -> Self:
        outputs = room.outputs
        client = room.client("cognito-idp")
        return cls(client, outputs["UserPoolId"], outputs["UserPoolClientId"])

    def sign_up(self, name: str, password: str, email: str) -> None:
        """A code goes to the address. Raises Refused."""
        with _told():
            self.client.sign_up(
                ClientId=self.client_id,
                Username=name,
                Password=password,
                UserAttributes=[{"Name": "email", "Value": email}],
            )

    def confirm(self, name: str, code: str) -> None:
        """With the code that came. Raises Refused."""
        with _told():
            self.client.confirm_sign_up(
                ClientId=self.client_id, Username=name, ConfirmationCode=code
            )

    def sign_in(
        self, name: str, password: str, new_password: Callable[[], str] | None = None
    ) -> str:
        """An access token, for an hour. The password is proved, not sent.

        `new_password` is asked for a lasting one in place of one that an operator gave. Raises
        Refused.
        """
        handshake = Handshake()
        with _told():
            begun = self.client.initiate_auth(
                ClientId=self.client_id,
                AuthFlow="USER_SRP_AUTH",
                AuthParameters={"USERNAME": name, "SRP_A": handshake.public},
            )
            proof = handshake.answer(self.pool_id, password, begun["ChallengeParameters"])
            answer = self._respond("PASSWORD_VERIFIER", proof, begun.get("Session"))
            if answer.get("ChallengeName") == "NEW_PASSWORD_REQUIRED":
                if new_password is None:
                    raise Refused("temporary_password", "this password has to be replaced first")
                lasting = {"USERNAME": proof["USERNAME"], "NEW_PASSWORD": new_password()}
                answer = self._respond("NEW_PASSWORD_REQUIRED", lasting, answer.get("Session"))
        if "AuthenticationResult" not in answer:
            raise Refused("not_supported", f"the pool asks for {answer.get('ChallengeName')}")
        token: str = answer["AuthenticationResult"]["AccessToken"]
        return token

    def _respond(self, name: str, responses: dict[str, str], session: str | None) -> Any:
        more = {} if session is None else {"Session": session}
        return self.client.respond_to_auth_challenge(
            ClientId=self.client_id, ChallengeName=name, ChallengeResponses=responses, **more
        )


@contextmanager
def _told() -> Iterator[None]:
    """Tells what the pool refuses in a sentence for people."""
    try:
        yield
    except ClientError as error:
        raise _refusal(error) from None
    except BadChallenge as error:
        raise Refused("bad_challenge", str(error)) from None
    except BotoCoreError as error:
        raise Refused("no_answer", "the user pool does not answer: is the room running?") from error


def _refusal(error: ClientError) -> Refused:
    code = str(error.response["Error"]["Code"])
    text = str(error.response["Error"].get("Message", "")).rstrip(".")
    for start in TRIGGERS:
        if text.startswith(start):
            ours, _, sentence = text.removeprefix(start).partition(": ")
            return Refused(ours, sentence or ours)
    return Refused(code, _SENTENCES.get(code, text or code))


_SENTENCES: Final = {
    "NotAuthorizedException": "name or password is wrong",
    "UserNotFoundException": "name or password is wrong",
    "UsernameExistsException": "this name is taken",
    "UserNotConfirmedException": "this player has not confirmed yet: cardroom signup NAME --code",
    "CodeMismatchException": "this is not the code that was sent",
    "ExpiredCodeException": "this code is too old: ask for another",
}
