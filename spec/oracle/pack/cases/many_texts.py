"""Many texts: references of one, two and more bytes, and dedup slots that are disabled."""

from __future__ import annotations

from spec.oracle.pack.cases.table import Topic

TOPIC = Topic("many_texts", "pack.md#6-text")
LIST = "list<string>"
PAIR = "struct Pair { left: list<string>, right: list<string> }"


def names(count: int, letter: str = "n") -> list[str]:
    """Returns distinct texts of three to five characters."""
    return [f"{letter}{i:02}" for i in range(count)]


def kept_enabled(count: int) -> list[str]:
    """Returns distinct texts, and after every hundred of them a repeated one: the dedup slot stays enabled."""
    texts = names(count)
    return [text for i in range(0, count, 100) for text in (*texts[i : i + 100], texts[i])]


TOPIC.both("references 0, 95, 96 and 97", LIST, [*names(98), "n00", "n95", "n96", "n97"])
TOPIC.canonical("references around 351 and 352", LIST, [*kept_enabled(354), "n95", "n96", "n350", "n351", "n352", "n353"])
TOPIC.canonical("references around 8,287 and 8,288", LIST, [*kept_enabled(8290), "n8286", "n8287", "n8288", "n8289", "n00"])

TOPIC.canonical("127 misses leave a site open", LIST, [*names(127), "n00", "n126"])
TOPIC.canonical("128 misses close a site", LIST, [*names(128), "n00", "n127"])
TOPIC.canonical("a find sets the misses to 0", LIST, [*names(127), "n05", *names(127, "m"), "n05", "m126", "n126"])
TOPIC.canonical("a site closes after a find too", LIST, [*names(127), "n05", *names(128, "m"), "n05", "m05"])
TOPIC.canonical("texts that are not numbered are no misses", LIST, [*names(127), *("abcde"), "", "x" * 96, "n00"])
TOPIC.canonical(
    "a closed site records nothing, an open site finds what it recorded before",
    PAIR,
    {"left": [*names(128), "late", "n00"], "right": ["n00", "n127", "late", "late"]},
)
TOPIC.canonical(
    "numbers go on at a closed site",
    PAIR,
    {"left": [*names(130), "late"], "right": ["fresh", "fresh", "n129", "n129"]},
)
TOPIC.canonical(
    "each site counts its own misses",
    PAIR,
    {"left": names(100), "right": [*names(100, "m"), "n00", "m00", "n99", "m99"]},
)
TOPIC.canonical(
    "a struct named twice is one site",
    "struct Two { a: struct Box { texts: list<string> }, b: Box }",
    {"a": {"texts": names(100)}, "b": {"texts": [*names(28, "m"), "n00", "m00"]}},
)
TOPIC.canonical(
    "keys and values are two sites",
    "map<string, string>",
    [[f"k{i:03}", f"v{i % 7}"] for i in range(140)] + [["v1", "k000"]],
)
TOPIC.canonical("wide texts close a site", LIST, [*[chr(0x4E00 + i) * 2 for i in range(128)], "\u4e00\u4e00", "n00"])
TOPIC.canonical(
    "an any is one site, keys too",
    "any",
    {
        "list": [
            {"map": [[{"string": f"key{i}"}, {"string": f"value{i}"}] for i in range(64)]},
            {"string": "key0"},
            {"string": "value63"},
        ]
    },
)
TOPIC.canonical(
    "an any with 127 misses",
    "any",
    {"list": [*[{"string": name} for name in names(127)], {"string": "n00"}, {"string": "n126"}]},
)
TOPIC.canonical("the same list again in fast", LIST, [*names(128), "n00", "n127"], "fast")

TOPIC.rejected(
    "a reference to number 96 of 96",
    LIST,
    "85 c001" + "".join(name[1:].encode().hex() for name in names(96)) + "61" + "02" * 96 + "e000",
    "malformed",
    292,
    "$[96]",
)
TOPIC.accepted(
    "texts looked up at a site that our writers would have closed",
    LIST,
    "85 8002" + "".join(f"{i:02x}{i:02x}" for i in range(128)) + "8201" + "02" * 128 + "80" + "e01f",
    [*[chr(i) * 2 for i in range(128)], "\x00\x00", "\x7f\x7f"],
)
