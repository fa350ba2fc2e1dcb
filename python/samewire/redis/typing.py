"""Types of arguments, under redis-py's names."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    # What texts of replies are: str or bytes. `Redis` alone, as programs for redis-py write it, is Client[Any].
    Text = TypeVar("Text", default=Any)
else:
    from typing import TypeVar

    Text = TypeVar("Text")

Number = int | float
DecodedT = str | int | float
EncodedT = bytes | bytearray | memoryview
EncodableT = EncodedT | DecodedT
AbsExpiryT = int | datetime
ExpiryT = int | timedelta
ZScoreBoundT = float | str | bytes
BitfieldOffsetT = int | str
KeyT = bytes | str | memoryview
FieldT = EncodableT
ChannelT = KeyT
PatternT = KeyT
GroupT = KeyT
ConsumerT = KeyT
StreamIdT = int | bytes | str
ScriptTextT = KeyT
TimeoutSecT = int | float | bytes | str
AnyKeyT = Any
KeysT = KeyT | Iterable[KeyT]
AnyFieldT = Any
AnyChannelT = Any
PubSubHandler = Callable[[dict[str, Any]], None]
ResponseT = Any

#: What a program's own function makes of a score.
Cast = TypeVar("Cast")

#: What makes a value of a score's float.
ScoreCast = Callable[[Any], Any] | type
