"""The authorizer's verifier, with the pool's key set cached for an hour."""

from functools import cache

import jwt

from cardroom.auth import Verifier
from cardroom.environment import AuthorizerEnvironment, read


@cache
def verifier() -> Verifier:
    environment = read(AuthorizerEnvironment)
    keys = jwt.PyJWKClient(environment.jwks_url, lifespan=3600, timeout=3)
    return Verifier(
        keys,
        environment.issuer,
        environment.client_id,
        environment.guests == "true",
        frozenset(environment.origins.split()),
    )
