"""Days in text: numbers with `-` or `/` between, or the name of a month in English.

A pattern describes the notation of a day: `-` or `/` between year, month and day; or letters, as `e B Y` for `5 June
1998` and `b d, Y` for `Jun 05, 1998`: `b` the first letters of a month's name, `B` all, `m` May, which both write; `d`
a day of two digits, `e` without a zero, `2` from the tenth on, which both write.
"""

from __future__ import annotations

import datetime as dt
from typing import Final

_MONTHS: Final = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
SHORT: Final = tuple(month[:3] for month in _MONTHS)
#: Letters of a pattern that say less than others, and those that say more.
_EITHER: Final = {"m": "bB", "2": "de"}
#: Part of a regular expression, with the groups that `pattern_of` and `day_of` read.
EXPRESSION: Final = (
    r"(?:(?P<year>\d{4})(?P<sign>[-/])(?P<month>\d{2})(?P=sign)(?P<day>\d{2})"
    r"|(?P<word>[A-Z][a-z]{2,8}) (?P<day1>\d{1,2})(?P<comma>,?) (?P<year1>\d{4})"
    r"|(?P<day2>\d{1,2}) (?P<word2>[A-Z][a-z]{2,8}) (?P<year2>\d{4}))"
)


def pattern_of(found: dict[str, str]) -> str:
    """The pattern of a day; empty without one."""
    if found["sign"]:
        return found["sign"]
    word, day = found["word"] or found["word2"], found["day1"] or found["day2"]
    if not word:
        return ""
    month = "m" if word == "May" else "b" if len(word) == 3 else "B"
    digits = "e" if len(day) == 1 else "d" if day[0] == "0" else "2"
    return f"{month} {digits}{found['comma']} Y" if found["word"] else f"{digits} {month} Y"


def day_of(found: dict[str, str]) -> dt.date:
    """Raises ValueError for the 30th of February, and for what is not a month."""
    word = found["word"] or found["word2"]
    month = (SHORT if word in SHORT else _MONTHS).index(word) + 1 if word else int(found["month"])
    return dt.date(
        int(found["year"] or found["year1"] or found["year2"]), month, int(found["day"] or found["day1"] or found["day2"])
    )


def common_pattern(one: str, other: str) -> str | None:
    """The common pattern of both, if there is one."""
    letters = []
    for here, there in zip(one, other, strict=False):
        if here == there or here in _EITHER.get(there, ""):
            letters.append(here)
        elif there in _EITHER.get(here, ""):
            letters.append(there)
        else:
            return None
    return "".join(letters) if len(one) == len(other) else None


def write_day(day: dt.date, pattern: str) -> str:
    """The text of a day."""
    if pattern in ("-", "/"):
        return f"{day.year:04}{pattern}{day.month:02}{pattern}{day.day:02}"
    month, number = _MONTHS[day.month - 1], str(day.day)
    written = {"b": month[:3], "B": month, "m": month, "d": number.zfill(2), "e": number, "2": number, "Y": f"{day.year:04}"}
    return "".join(written.get(letter, letter) for letter in pattern)
