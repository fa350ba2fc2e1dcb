"""zstd for blocks of records, by the first available module; none is a dependency."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

#: Modules that have Python 3.14's interface.
_STANDARD = ("compression.zstd", "backports.zstd")
_MISSING = "needs Python 3.14, or the package zstandard or backports.zstd (pip install zstandard)"


@dataclass(frozen=True, slots=True)
class Zstd:
    """compress: at level 3, zstd's own default. expand: one frame whose content is `size` bytes, else ValueError."""

    compress: Callable[[bytes], bytes]
    expand: Callable[[bytes, int], bytes]


@cache
def zstd() -> Zstd | None:
    """Returns this Python's zstd, or None if there is none."""
    for name in _STANDARD:
        try:
            module = importlib.import_module(name)
        except ImportError:
            continue
        return Zstd(module.compress, partial(_expand, module))
    try:
        zstandard = importlib.import_module("zstandard")
    except ImportError:
        return None
    return Zstd(
        zstandard.ZstdCompressor().compress,
        partial(_expand_zstandard, zstandard),
    )


def missing() -> str:
    """The text of the error if there is none."""
    return _MISSING


def _expand(module: Any, data: bytes, size: int) -> bytes:
    decompressor = module.ZstdDecompressor()
    try:
        # Reading one byte more than expected detects a longer frame without expanding all of it.
        content: bytes = decompressor.decompress(data, max_length=size + 1)
    except module.ZstdError as error:
        raise ValueError(str(error)) from None
    if len(content) != size or not decompressor.eof or decompressor.unused_data:
        raise ValueError(f"not one frame of {size} bytes")
    return content


def _expand_zstandard(module: Any, data: bytes, size: int) -> bytes:
    try:
        # If the frame states another size, it is not expanded: nothing is allocated for a false claim.
        if module.frame_content_size(data) != size:
            raise ValueError(f"not a frame that says it holds {size} bytes")
        content: bytes = module.ZstdDecompressor().decompress(data, max_output_size=size, allow_extra_data=False)
    except module.ZstdError as error:
        raise ValueError(str(error)) from None
    if len(content) != size:
        raise ValueError(f"not one frame of {size} bytes")
    return content
