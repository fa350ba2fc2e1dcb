"""`python spec/matrix/run.py --values N --seed S`: proves all pairs of languages on N values, for every part."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
    importlib.import_module("spec.matrix.parts").main()
