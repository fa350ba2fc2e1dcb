"""Recognises keys of objects that are data, not names of fields: identifiers, dates, languages."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from .forms import form_of

#: From this number on, keys of one family are data.
CODES: Final = 4
NUMBERED: Final = 8
#: Hexadecimal identifiers have a digit and a letter in so many places; e-mail addresses, URLs and paths.
_IDENTIFIER: Final = re.compile(
    r"(?=[a-f]*[0-9])(?=[0-9]*[a-f])[0-9a-f]{12,}|[^\s@]+@[^\s@]+\.[a-z]+|[a-z][a-z+.-]*://\S+|/\S*", re.ASCII
)
#: ISO 639-1.
_LANGUAGES: Final = frozenset(
    "aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo es "
    "et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj "
    "kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv "
    "ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti "
    "tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu".split()
)
_TAG: Final = re.compile(r"([a-z]{2})(?:[-_](?:[A-Z]{2}|[A-Z][a-z]{3}|[0-9]{3}))*")
#: Countries and currencies (ISO 3166, ISO 4217).
_CODE: Final = re.compile(r"[A-Z]{2,3}")
_DIGITS: Final = re.compile(r"[0-9]+")


def are_data(keys: Collection[str]) -> bool:
    """Whether each key is a number, a date, a UUID or another identifier, or all are languages, countries or currencies."""
    return all(map(_is_datum, keys)) or (len(keys) >= CODES and (all(map(_is_language, keys)) or all(map(_CODE.fullmatch, keys))))


def are_numbered(keys: Collection[str]) -> bool:
    """Whether the keys differ only in digits: `user_17`, `user_4`."""
    return len(keys) >= NUMBERED and len({_DIGITS.sub("0", key) for key in keys}) == 1


def _is_datum(key: str) -> bool:
    return (key.isascii() and key.isdigit()) or form_of(key) is not None or _IDENTIFIER.fullmatch(key) is not None


def _is_language(key: str) -> bool:
    tag = _TAG.fullmatch(key)
    return tag is not None and tag[1] in _LANGUAGES
