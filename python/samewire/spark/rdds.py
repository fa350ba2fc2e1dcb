"""One RDD with a serializer of its own, beside a context that pickles."""

from __future__ import annotations

from typing import Any

from . import required
from .serializer import PackSerializer


def packed(rdd: Any, *types: Any) -> Any:
    """Returns an RDD of the same values that stores and sends them as `PackSerializer(*types)` writes them.

    What is computed from it has the serializer of its context again, unless that is `packed` too. Raises as
    `PackSerializer` does; a job whose values are wrong fails with the error's code and path in its text.
    """
    serializer = required.module("pyspark.serializers").AutoBatchedSerializer(PackSerializer(*types))
    return rdd._reserialize(serializer)
