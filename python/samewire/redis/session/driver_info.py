"""What a client tells the server about itself: the library's name and version (CLIENT SETINFO)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import PackageNotFoundError, version

#: An option that was not given, where None means something.
SENTINEL = object()

NAME = re.compile(r"[a-z][a-z0-9_-]*")
PRINTABLE = re.compile(r"[!-~]*")
BRACES = frozenset("()[]{}")


@cache
def library_version() -> str:
    """This library's version, as it is installed."""
    try:
        return version("samewire")
    except PackageNotFoundError:
        return "0"


def check_word(value: str | None, what: str) -> None:
    """Raises ValueError for what CLIENT LIST could not show as one word."""
    if value is None:
        raise ValueError(f"the {what} is None: expected a text")
    if not PRINTABLE.fullmatch(value) or not BRACES.isdisjoint(value):
        raise ValueError(f"the {what} {value!r} must be one word of printable ASCII characters, without brackets")


@dataclass
class DriverInfo:
    """The library's name and version, and the libraries that stand on it. None leaves one out.

    >>> DriverInfo(lib_version="1").add_upstream_driver("django-redis", "5.4.0").formatted_name
    'samewire(django-redis_v5.4.0)'
    """

    name: str | object | None = SENTINEL
    lib_version: str | object | None = SENTINEL
    _upstream: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        if self.name is SENTINEL:
            self.name = "samewire"
        if self.lib_version is SENTINEL:
            self.lib_version = library_version()

    @property
    def upstream_drivers(self) -> list[str]:
        """Each as `name_vversion`, the latest first."""
        return list(self._upstream)

    def add_upstream_driver(self, driver_name: str, driver_version: str) -> DriverInfo:
        """Adds a library that stands on this one, and returns self. Raises ValueError for what is not a package's name."""
        check_word(driver_name, "driver's name")
        check_word(driver_version, "driver's version")
        if not NAME.fullmatch(driver_name):
            raise ValueError(f"the driver's name {driver_name!r} is not a package's: expected one like 'django-redis'")
        self._upstream.insert(0, f"{driver_name}_v{driver_version}")
        return self

    @property
    def formatted_name(self) -> str | None:
        """The name with the libraries above it in parentheses; None if there is no name."""
        if not isinstance(self.name, str) or not self.name:
            return None
        return f"{self.name}({';'.join(self._upstream)})" if self._upstream else self.name


def resolve_driver_info(
    driver_info: DriverInfo | object | None = SENTINEL,
    lib_name: str | object | None = SENTINEL,
    lib_version: str | object | None = SENTINEL,
) -> DriverInfo | None:
    """The DriverInfo of a connection's keywords; None if CLIENT SETINFO is not sent."""
    if driver_info is not SENTINEL:
        if not isinstance(driver_info, DriverInfo | None):
            raise TypeError(f"driver_info is {driver_info!r}: expected a DriverInfo or None")
        return driver_info
    told = (lib_name, lib_version)
    return None if told == (None, None) else DriverInfo(*told)
