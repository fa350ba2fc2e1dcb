"""Names of redis-py's parsers, which settings may give as `parser_class`. Every one means the native parser."""

from __future__ import annotations

from typing import ClassVar

from ..rules.error_replies import CLASSES, TEXTS, error_of
from ..session.encoder import Encoder

__all__ = ["BaseParser", "DefaultParser", "Encoder", "_HiredisParser", "_RESP2Parser", "_RESP3Parser"]


class BaseParser:
    """What stands for the native parser where a class is asked for."""

    #: The first word of an error reply, and what it is raised as; for `ERR` by the text that follows.
    EXCEPTION_CLASSES: ClassVar[dict[str, type[Exception] | dict[str, type[Exception]]]] = {"ERR": TEXTS, **CLASSES}

    def __init__(self, socket_read_size: int = 65536) -> None:
        self.socket_read_size = socket_read_size

    @classmethod
    def parse_error(cls, response: str) -> Exception:
        """The exception of an error reply."""
        return error_of(response)


class _RESP2Parser(BaseParser):
    """RESP2 is a connection's `protocol=2`."""


class _RESP3Parser(BaseParser):
    """RESP3 is a connection's `protocol=3`."""


class _HiredisParser(BaseParser):
    """hiredis is not used."""


DefaultParser = _RESP3Parser
