"""The cells of random values of the matrix's random schemas, as the oracle's writer and reader count them independently."""

from __future__ import annotations

import random

from spec.matrix.pack.random_schemas import random_schemas
from spec.matrix.pack.values import Heights, ValueMaker
from spec.oracle.pack.cases.table import Topic
from spec.oracle.pack.encode import encode_measured
from spec.oracle.pack.parse import parse

TOPIC = Topic("cells_of_random_values", "pack.md#8-types")
EACH = 3
TRIES = 200
SHORTEST, LONGEST = 8, 300

for number, schema in enumerate(random_schemas()):
    t = parse(schema)
    rng = random.Random(number)
    maker = ValueMaker(rng)
    found = 0
    for _ in range(TRIES if Heights().of(t) is not None else 0):
        if found == EACH:
            break
        profile = rng.choice(["compact", "fast"])
        value = maker.value(t)
        data, uses = encode_measured(t, value, profile)
        if SHORTEST <= len(data) <= LONGEST and uses.cells >= 8:
            found += 1
            TOPIC.canonical(f"schema {number}, value {found}", schema, value, profile, cells=uses.cells)
