"""What holds for the tests of all parts."""

from __future__ import annotations

import gc


def pytest_collection_finish() -> None:
    """Takes the modules and the tests themselves out of the collector's sight.

    Many tests collect again and again, and each time would look at a million objects that none of them made.
    """
    gc.collect()
    gc.freeze()
