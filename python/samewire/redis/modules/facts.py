"""What is known of the modules' commands: whether they only read, and where their keys are.

Rows are those of `samewire.redis.commands.facts`, taken from the modules' own tables of commands: servers that have them say
the same in `COMMAND INFO`.
"""

from __future__ import annotations

from typing import Any

from samewire.redis.commands.facts import READONLY, REPEATABLE

READS = READONLY | REPEATABLE

#: One key behind the name.
KEY = ((1, "range", 0, 1, 0),)
#: One key behind a subcommand.
SECOND = ((2, "range", 0, 1, 0),)
#: A key, the number of others, and those.
DESTINATION = ((1, "range", 0, 1, 0), (2, "keynum", 0, 1, 1))

#: Places of keys and names, of those that only read and of the others.
ROWS: tuple[tuple[tuple[Any, ...], str, str], ...] = (
    (
        KEY,
        "JSON.ARRINDEX JSON.ARRLEN JSON.GET JSON.OBJKEYS JSON.OBJLEN JSON.RESP JSON.STRLEN JSON.TYPE"
        " BF.CARD BF.EXISTS BF.INFO BF.MEXISTS BF.SCANDUMP CF.COMPACT CF.COUNT CF.EXISTS CF.INFO CF.MEXISTS CF.SCANDUMP"
        " CMS.INFO CMS.QUERY TOPK.COUNT TOPK.INFO TOPK.LIST TOPK.QUERY"
        " TDIGEST.BYRANK TDIGEST.BYREVRANK TDIGEST.CDF TDIGEST.INFO TDIGEST.MAX TDIGEST.MIN TDIGEST.QUANTILE TDIGEST.RANK"
        " TDIGEST.REVRANK TDIGEST.TRIMMED_MEAN"
        " TS.GET TS.INFO TS.RANGE TS.READ TS.REVRANGE FT.SUGGET FT.SUGLEN",
        "JSON.ARRAPPEND JSON.ARRINSERT JSON.ARRPOP JSON.ARRTRIM JSON.CLEAR JSON.DEL JSON.FORGET JSON.MERGE JSON.NUMINCRBY"
        " JSON.NUMMULTBY JSON.SET JSON.STRAPPEND JSON.TOGGLE"
        " BF.ADD BF.INSERT BF.LOADCHUNK BF.MADD BF.RESERVE CF.ADD CF.ADDNX CF.DEL CF.INSERT CF.INSERTNX CF.LOADCHUNK CF.RESERVE"
        " CMS.INCRBY CMS.INITBYDIM CMS.INITBYPROB TOPK.ADD TOPK.INCRBY TOPK.RESERVE"
        " TDIGEST.ADD TDIGEST.CREATE TDIGEST.RESET"
        " TS.ADD TS.ALTER TS.CREATE TS.DECRBY TS.DEL TS.INCRBY FT.SUGADD FT.SUGDEL",
    ),
    (SECOND, "JSON.DEBUG", ""),
    (((1, "range", -2, 1, 0),), "JSON.MGET", ""),
    (((1, "range", -1, 3, 0),), "", "JSON.MSET TS.MADD"),
    (((1, "range", 1, 1, 0),), "", "TS.CREATERULE TS.DELETERULE"),
    (((1, "keynum", 0, 1, 1),), "TS.NRANGE TS.NREVRANGE", ""),
    (DESTINATION, "", "CMS.MERGE TDIGEST.MERGE"),
    (
        (),
        "FT._LIST FT.AGGREGATE FT.ALIASLIST FT.DICTDUMP FT.EXPLAIN FT.EXPLAINCLI FT.HYBRID FT.INFO FT.PROFILE FT.SEARCH FT.SPELLCHECK"
        " FT.SYNDUMP FT.TAGVALS TS.MGET TS.MRANGE TS.MREVRANGE TS.QUERYINDEX TS.QUERYLABELS",
        "FT.ALIASADD FT.ALIASDEL FT.ALIASUPDATE FT.ALTER FT.CONFIG FT.CREATE FT.CURSOR FT.DICTADD FT.DICTDEL FT.DROP FT.DROPINDEX"
        " FT.SYNUPDATE",
    ),
)

FACTS: dict[str, tuple[int, str, tuple[Any, ...], tuple[str, str]]] = {
    name: (flags, "BLOCK" if name == "TS.READ" else "", places, ("", ""))
    for places, reading, writing in ROWS
    for flags, names in ((READS, reading), (0, writing))
    for name in names.split()
}
