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


def check(value: str, what: str) -> None:
    """Raises ValueError for a text that CLIENT LIST could not show as one word."""
    if not PRINTABLE.fullmatch(value) or not BRACES.isdisjoint(value):
        raise ValueError(f"{what} must not contain spaces, newlines, non-printable characters, or braces")


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
        if driver_name is None:
            raise ValueError("Driver name must not be None")
        if driver_version is None:
            raise ValueError("Driver version must not be None")
        check(driver_name, "Driver name")
        if not NAME.fullmatch(driver_name):
            raise ValueError(f"Upstream driver name must use a Python package-style name, like 'django-redis': {driver_name!r}")
        check(driver_version, "Driver version")
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
    """The DriverInfo of a connection's keywords; None if nothing is to be told."""
    if driver_info is SENTINEL:
        if lib_name is None and lib_version is None:
            return None
        return DriverInfo(name=lib_name, lib_version=lib_version)
    if driver_info is None or isinstance(driver_info, DriverInfo):
        return driver_info
    raise TypeError("driver_info must be a DriverInfo instance or None")
