"""Where a user's name and password come from."""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

logger = logging.getLogger("samewire.redis.credentials")

#: A password, or a user's name and a password.
Credentials = tuple[str] | tuple[str, str]


class CredentialProvider:
    """Asked for credentials whenever a connection is made. Subclasses return them."""

    def get_credentials(self) -> Credentials:
        """A password, or a user's name and a password, as a tuple."""
        raise NotImplementedError(
            f"{type(self).__name__} lacks get_credentials: return a password, or a user's name and a password"
        )

    async def get_credentials_async(self) -> Credentials:
        """Returns the credentials for asyncio. A subclass whose `get_credentials` blocks should override it."""
        logger.warning("%s does not override get_credentials_async: get_credentials is called", type(self).__name__)
        return self.get_credentials()


class StreamingCredentialProvider(CredentialProvider, ABC):
    """A provider that has new credentials from time to time, and tells so."""

    @abstractmethod
    def on_next(self, callback: Callable[[Any], Any]) -> None:
        """Calls `callback` with each new token."""

    @abstractmethod
    def on_error(self, callback: Callable[[Exception], Any]) -> None:
        """Calls `callback` with each error."""

    @abstractmethod
    def is_streaming(self) -> bool:
        """Whether new credentials will come."""


class UsernamePasswordCredentialProvider(CredentialProvider):
    """A name and a password that never change."""

    def __init__(self, username: str | None = None, password: str | None = None) -> None:
        self.username = username or ""
        self.password = password or ""

    def get_credentials(self) -> Credentials:
        return (self.username, self.password) if self.username else (self.password,)

    async def get_credentials_async(self) -> Credentials:
        return self.get_credentials()
