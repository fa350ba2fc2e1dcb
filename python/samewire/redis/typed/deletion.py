"""What a function of an update returns to delete the value."""

from __future__ import annotations

from enum import Enum
from typing import Final


class Deletion(Enum):
    """Has one member, so that type checkers tell it from values."""

    DELETE = "DELETE"

    def __repr__(self) -> str:
        return "samewire.redis.DELETE"


#: Deletes the value, as the result of the function of `update`. None does not: it is what a forgotten `return` gives.
DELETE: Final = Deletion.DELETE
