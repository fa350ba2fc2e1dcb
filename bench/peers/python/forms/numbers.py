"""The 32-bit integer of the reference data, spelt so that Samewire sees its width and every other library sees ``int``."""

from __future__ import annotations

from typing import Annotated

from samewire import pack

Int32 = Annotated[int, pack.I32]
