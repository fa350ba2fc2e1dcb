"""An RDD with its own serializer, in a context that pickles."""

from __future__ import annotations

from typing import Any

from . import required
from .serializer import PackSerializer


def packed(rdd: Any, *types: Any) -> Any:
    """Returns an RDD of the same values that stores and sends them as `PackSerializer(*types)` writes them.

    RDDs that are computed from it use the context's serializer again, unless they are `packed`, too. Raises as
    `PackSerializer` does; a job with invalid values fails with the error's code and path in its text.
    """
    serializer = required.module("pyspark.serializers").AutoBatchedSerializer(PackSerializer(*types))
    return rdd._reserialize(serializer)
