"""`python spec/oracle/generate.py --out DIR`: writes DIR/MANIFEST.json and DIR/PART/*.json, always the same."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
    importlib.import_module("spec.oracle.vectors").main()
