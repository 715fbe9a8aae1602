"""The Secure Remote Password protocol as Cognito speaks it: a password is proved, never sent.

SRP-6a (RFC 5054) over the 3072-bit group of RFC 3526, with a key made by HKDF.
"""

import base64
import hashlib
import hmac
import secrets
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

_PRIME: Final = int(
    "FFFFFFFFFFFFFFFFC90FDAA22168C234C4C6628B80DC1CD129024E088A67CC74020BBEA63B139B22514A08798E3404DD"
    "EF9519B3CD3A431B302B0A6DF25F14374FE1356D6D51C245E485B576625E7EC6F44C42E9A637ED6B0BFF5CB6F406B7ED"
    "EE386BFB5A899FA5AE9F24117C4B1FE649286651ECE45B3DC2007CB8A163BF0598DA48361C55D39A69163FA8FD24CF5F"
    "83655D23DCA3AD961C62F356208552BB9ED529077096966D670C354E4ABC9804F1746C08CA18217C32905E462E36CE3B"
    "E39E772C180E86039B2783A2EC07A28FB5C55DF06F4C52C9DE2BCBF6955817183995497CEA956AE515D2261898FA0510"
    "15728E5A8AAAC42DAD33170D04507A33A85521ABDF1CBA64ECFB850458DBEF0A8AEA71575D060C7DB3970F85A6E1E4C7"
    "ABF5AE8CDB0933D71E8C94E04A25619DCEE3D2261AD2EE6BF12FFA06D98A0864D87602733EC86A64521F2B18177B200C"
    "BBE117577A615D6C770988C0BAD946E208E24FA074E5AB3143DB5BFCE0FD108E4B82D120A93AD2CAFFFFFFFFFFFFFFFF",
    16,
)
_GENERATOR: Final = 2
_INFO: Final = b"Caldera Derived Key\x01"
_KEY_BYTES: Final = 16
_SECRET_BITS: Final = 1024
_WEEKDAYS: Final = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS: Final = (
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"
)  # fmt: skip


class BadChallenge(ValueError):
    """The server's part is none that an honest server sends."""


@dataclass(frozen=True)
class Handshake:
    """One sign-in's secret number, new for each."""

    secret: int = field(default_factory=lambda: secrets.randbits(_SECRET_BITS), repr=False)

    @property
    def public(self) -> str:
        """`SRP_A`: what is sent first."""
        return f"{self._public:x}"

    @property
    def _public(self) -> int:
        return pow(_GENERATOR, self.secret, _PRIME)

    def answer(
        self, pool_id: str, password: str, challenge: dict[str, str], now: datetime | None = None
    ) -> dict[str, str]:
        """What to answer a `PASSWORD_VERIFIER` challenge with. Raises BadChallenge."""
        pool = pool_id.partition("_")[2]
        user, block = challenge["USER_ID_FOR_SRP"], challenge["SECRET_BLOCK"]
        key = self._key(f"{pool}{user}:{password}", challenge["SALT"], int(challenge["SRP_B"], 16))
        at = _written(now or datetime.now(UTC))
        message = pool.encode() + user.encode() + base64.b64decode(block) + at.encode()
        signature = hmac.digest(key, message, "sha256")
        return {
            "USERNAME": user,
            "TIMESTAMP": at,
            "PASSWORD_CLAIM_SECRET_BLOCK": block,
            "PASSWORD_CLAIM_SIGNATURE": base64.b64encode(signature).decode(),
        }

    def _key(self, identity: str, salt: str, theirs: int) -> bytes:
        """The key that both sides come to, if the password is the right one."""
        scrambler = _hashed(_padded(self._public), _padded(theirs))
        if theirs % _PRIME == 0 or scrambler == 0:
            raise BadChallenge("the sign-in was answered with a number that proves nothing")
        multiplier = _hashed(_padded(_PRIME), _padded(_GENERATOR))
        private = _hashed(_padded(int(salt, 16)), hashlib.sha256(identity.encode()).digest())
        base = theirs - multiplier * pow(_GENERATOR, private, _PRIME)
        shared = pow(base, self.secret + scrambler * private, _PRIME)
        extracted = hmac.digest(_padded(scrambler), _padded(shared), "sha256")
        return hmac.digest(extracted, _INFO, "sha256")[:_KEY_BYTES]


def _hashed(*parts: bytes) -> int:
    return int.from_bytes(hashlib.sha256(b"".join(parts)).digest())


def _padded(number: int) -> bytes:
    """Big-endian, with a zero byte in front where the first bit is set: it is no sign."""
    return number.to_bytes(number.bit_length() // 8 + 1)


def _written(at: datetime) -> str:
    """In English whatever the locale, the day without a leading zero."""
    return f"{_WEEKDAYS[at.weekday()]} {_MONTHS[at.month - 1]} {at.day} {at:%H:%M:%S} UTC {at.year}"
