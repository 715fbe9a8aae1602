"""Who signs up, as the user pool tells it: before it makes a user, and when he has confirmed."""

from typing import Final, Protocol

from cardroom.names import TAKEN, Claim, fault_of
from cardroom.ports import Clock, Signals

TRIES: Final = 5
PAUSE_MS: Final = 25
WHO: Final = "player"
WHY: Final = "signed up"
SIGN_UP: Final = "PreSignUp_SignUp"
BY_OPERATOR: Final = "PreSignUp_AdminCreateUser"
CONFIRMED: Final = "PostConfirmation_ConfirmSignUp"
NEW_PASSWORD: Final = "PostConfirmation_ConfirmForgotPassword"


class SignUpRefused(Exception):
    """The pool tells the client this text: a stable code, a colon, and a sentence without its full
    stop, which the pool adds.
    """


class Register(Protocol):
    def pend(self, name: str, now: int) -> Claim: ...

    def claim(self, name: str, now: int) -> Claim: ...

    def confirm(self, name: str, now: int, who: str, why: str) -> Claim: ...


class SignUp:
    def __init__(self, register: Register, clock: Clock, signals: Signals) -> None:
        self._register = register
        self._clock = clock
        self._signals = signals

    def take(self, trigger: str, name: str, *, email: bool) -> None:
        """What the pool's trigger of this source is about; `email`: whether an address was given.
        Raises SignUpRefused.
        """
        try:
            refusal = self._refusal(trigger, name, email)
        except Exception as fault:
            self._signals.count("InternalError")
            self._signals.fault("signup", fault, trigger=_known(trigger))
            refusal = BUSY
        code = refusal.partition(":")[0] or "ok"
        self._signals.count("SignUpRefused" if refusal else "SignUpAccepted")
        self._signals.note("sign-up", trigger=_known(trigger), code=code)
        if refusal:
            raise SignUpRefused(refusal)

    def _refusal(self, trigger: str, name: str, email: bool) -> str:
        if trigger == NEW_PASSWORD:
            return ""
        if trigger == CONFIRMED:
            return self._claimed(trigger, name)
        fault = fault_of(name)
        if fault is not None:
            return f"{fault.code}: {fault.sentence}"
        if trigger == SIGN_UP and not email:
            return "email_missing: an e-mail address is needed, to confirm it"
        if trigger not in (SIGN_UP, BY_OPERATOR):
            return "not_allowed: nobody signs up so"
        return self._claimed(trigger, name)

    def _claimed(self, trigger: str, name: str) -> str:
        for attempt in range(1, TRIES + 1):
            now = self._clock.now()
            if trigger == CONFIRMED:
                claim = self._register.confirm(name, now, WHO, WHY)
            elif trigger == SIGN_UP:
                claim = self._register.pend(name, now)
            else:
                claim = self._register.claim(name, now)
            if claim is not Claim.BUSY:
                return "" if claim is Claim.HELD else f"{TAKEN.code}: {TAKEN.sentence}"
            self._clock.pause(PAUSE_MS * attempt)
        return BUSY


def _known(trigger: str) -> str:
    """For the log: one that nobody knows might be anything."""
    return trigger if trigger in (SIGN_UP, BY_OPERATOR, CONFIRMED, NEW_PASSWORD) else "unknown"


BUSY: Final = "busy: this did not work now, try again"
