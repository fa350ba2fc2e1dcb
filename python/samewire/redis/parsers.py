"""Names of redis-py's parsers, which settings may give as `parser_class`. Every one means the native parser."""

from __future__ import annotations

from .encoder import Encoder

__all__ = ["BaseParser", "DefaultParser", "Encoder", "_HiredisParser", "_RESP2Parser", "_RESP3Parser"]


class BaseParser:
    """What stands for the native parser where a class is asked for."""


class _RESP2Parser(BaseParser):
    """RESP2 is a connection's `protocol=2`."""


class _RESP3Parser(BaseParser):
    """RESP3 is a connection's `protocol=3`."""


class _HiredisParser(BaseParser):
    """hiredis is not used."""


DefaultParser = _RESP3Parser
