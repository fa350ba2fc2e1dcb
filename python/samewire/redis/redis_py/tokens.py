"""Tokens of identity providers, as redis-py's `redis.auth` has them: what a provider of credentials is written against."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import Any


class RequestTokenErr(Exception):
    """An identity provider gave no token."""


class TokenRenewalErr(Exception):
    """A token could not be renewed."""


class InvalidTokenSchemaErr(Exception):
    """A token lacks fields."""

    def __init__(self, missing_fields: Iterable[str] = ()) -> None:
        super().__init__(f"Unexpected token schema. Following fields are missing: {', '.join(missing_fields)}")


class TokenInterface(ABC):
    """A token with a time at which it expires. Times are milliseconds since 1970."""

    @abstractmethod
    def is_expired(self) -> bool:
        """Whether its time is over."""

    @abstractmethod
    def ttl(self) -> float:
        """Milliseconds that are left; -1 if it never expires."""

    @abstractmethod
    def try_get(self, key: str) -> Any:
        """A claim, or None."""

    @abstractmethod
    def get_value(self) -> str:
        """The token as it is sent."""

    @abstractmethod
    def get_expires_at_ms(self) -> float:
        """When it expires; -1 for never."""

    @abstractmethod
    def get_received_at_ms(self) -> float:
        """When it came."""


class TokenResponse:
    """A token that an identity provider gave."""

    def __init__(self, token: TokenInterface) -> None:
        self._token = token

    def get_token(self) -> TokenInterface:
        """The token."""
        return self._token

    def get_ttl_ms(self) -> float:
        """Milliseconds that the token lives, from when it came."""
        return self._token.get_expires_at_ms() - self._token.get_received_at_ms()


class SimpleToken(TokenInterface):
    """A token whose parts are given."""

    def __init__(self, value: str, expires_at_ms: float, received_at_ms: float, claims: Mapping[str, Any]) -> None:
        self.value = value
        self.expires_at = expires_at_ms
        self.received_at = received_at_ms
        self.claims = claims

    def is_expired(self) -> bool:
        return self.expires_at != -1 and self.ttl() <= 0

    def ttl(self) -> float:
        return -1 if self.expires_at == -1 else self.expires_at - time.time() * 1000

    def try_get(self, key: str) -> Any:
        return self.claims.get(key)

    def get_value(self) -> str:
        return self.value

    def get_expires_at_ms(self) -> float:
        return self.expires_at

    def get_received_at_ms(self) -> float:
        return self.received_at


class IdentityProviderInterface(ABC):
    """Gives tokens."""

    @abstractmethod
    def request_token(self, force_refresh: bool = False) -> TokenInterface:
        """A token. Raises RequestTokenErr if there is none."""


class IdentityProviderConfigInterface(ABC):
    """Makes an identity provider."""

    @abstractmethod
    def get_provider(self) -> IdentityProviderInterface:
        """The provider."""
