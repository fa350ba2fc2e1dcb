"""Methods on hashes that are written by hand."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

from samewire.redis.commands.choices import HashDataPersistOptions
from samewire.redis.commands.executes import Executes
from samewire.redis.commands.values import expiry, flat
from samewire.redis.exceptions import DataError
from samewire.redis.typing import AbsExpiryT, AnyKeyT, EncodableT, ExpiryT, FieldT, KeyT


def pairs(
    command: str,
    key: FieldT | None,
    value: EncodableT | None,
    mapping: Mapping[AnyKeyT, EncodableT] | None,
    items: list[EncodableT] | None,
) -> list[Any]:
    """Fields and values: those of `items`, then `key` and `value`, then `mapping`. Raises DataError if there are none."""
    found: list[Any] = []
    if items:
        found += items
    if key is not None:
        found += (key, value)
    if mapping:
        found += flat(mapping)
    if not found:
        raise DataError(f"{command} needs a field and its value: give key and value, mapping or items")
    return found


def hset(
    self: Executes,
    name: KeyT,
    key: FieldT | None = None,
    value: EncodableT | None = None,
    mapping: Mapping[AnyKeyT, EncodableT] | None = None,
    items: list[EncodableT] | None = None,
) -> Any:
    """Sets fields of a hash, and returns how many are new (HSET).

    mapping: fields and their values; items: a list in which each field is followed by its value.
    """
    if mapping is None and items is None and key is not None:
        return self.execute_command("HSET", name, key, value)
    if mapping and key is None and items is None:
        return self.execute_command("HSET", name, *[part for pair in mapping.items() for part in pair])
    return self.execute_command("HSET", name, *pairs("HSET", key, value, mapping, items))


def hsetex(
    self: Executes,
    name: KeyT,
    key: FieldT | None = None,
    value: EncodableT | None = None,
    mapping: Mapping[AnyKeyT, EncodableT] | None = None,
    items: list[EncodableT] | None = None,
    ex: ExpiryT | None = None,
    px: ExpiryT | None = None,
    exat: AbsExpiryT | None = None,
    pxat: AbsExpiryT | None = None,
    data_persist_option: HashDataPersistOptions | None = None,
    keepttl: bool = False,
) -> Any:
    """Sets fields of a hash and their expiration, optionally only if none or all of them exist (HSETEX)."""
    found = pairs("HSETEX", key, value, mapping, items)
    if len(found) % 2:
        raise DataError(f"HSETEX needs a value for each field: items has {len(items or ())} entries, an odd number")
    pieces: list[Any] = ["HSETEX", name, *expiry(ex, px, exat, pxat, "KEEPTTL" if keepttl else None)]
    if data_persist_option is not None:
        pieces.append(data_persist_option.value)
    return self.execute_command(*pieces, "FIELDS", len(found) // 2, *found)


def hgetdel(self: Executes, name: KeyT, *keys: FieldT) -> Any:
    """Returns the values of fields of a hash and deletes them (HGETDEL)."""
    if not keys:
        raise DataError("HGETDEL needs at least one field: keys is empty")
    return self.execute_command("HGETDEL", name, "FIELDS", len(keys), *keys)


def hgetex(
    self: Executes,
    name: KeyT,
    *keys: FieldT,
    ex: ExpiryT | None = None,
    px: ExpiryT | None = None,
    exat: AbsExpiryT | None = None,
    pxat: AbsExpiryT | None = None,
    persist: bool = False,
) -> Any:
    """Returns the values of fields of a hash and sets their expiration (HGETEX)."""
    if not keys:
        raise DataError("HGETEX needs at least one field: keys is empty")
    expires = expiry(ex, px, exat, pxat, "PERSIST" if persist else None)
    return self.execute_command("HGETEX", name, *expires, "FIELDS", len(keys), *keys)


def hmset(self: Executes, name: KeyT, mapping: Mapping[AnyKeyT, EncodableT]) -> Any:
    """Sets fields of a hash (HMSET, which HSET replaces)."""
    warnings.warn("HMSET is deprecated since Redis 4.0: use hset(name, mapping=...)", DeprecationWarning, stacklevel=2)
    if not mapping:
        raise DataError("HMSET needs at least one field: mapping is empty")
    return self.execute_command("HMSET", name, *flat(mapping))
