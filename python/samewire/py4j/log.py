"""Py4J's loggers. They are silent unless a program adds a handler."""

from __future__ import annotations

import logging


class NullHandler(logging.Handler):
    """Drops what it gets."""

    def emit(self, record: logging.LogRecord) -> None:
        """Does nothing."""


null_handler = NullHandler()
logging.getLogger("py4j").addHandler(null_handler)

#: The logger of `java_gateway`.
logger = logging.getLogger("py4j.java_gateway")

#: The logger of `clientserver`.
pinned_logger = logging.getLogger("py4j.clientserver")


def deprecated(name: str, last_version: str, use_instead: str = "", level: int = logging.DEBUG, raise_exc: bool = False) -> None:
    """Logs that a name is deprecated; raises DeprecationWarning if asked to."""
    message = f"{name} is deprecated and will be removed in version {last_version}"
    if use_instead:
        message += f". Use {use_instead} instead."
    logger.log(level, message)
    if raise_exc:
        raise DeprecationWarning(message)
