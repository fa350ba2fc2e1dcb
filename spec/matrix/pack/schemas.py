"""`python spec/matrix/pack/schemas.py --out FILE`: writes the schemas that every language needs native types for."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[3]))
    importlib.import_module("spec.matrix.pack.catalogue").main()
