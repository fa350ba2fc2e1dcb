"""Messages of version 1, as the release that froze it wrote them: always readable, and written so until version 2.

`version_1.json` was made once, by `spec/oracle/pack/keep.py`.
"""

from __future__ import annotations

import json
from pathlib import Path

from spec.oracle.pack.cases.table import Topic

TOPIC = Topic("version_1", "pack.md#5-message")

for case in json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8")):
    TOPIC.canonical(case["name"], case["schema"], case["value"], case["profile"], case["named"], kept=case["hex"])
