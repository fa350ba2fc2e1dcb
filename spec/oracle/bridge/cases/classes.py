"""Descriptions of classes (bridge.md section 9)."""

from __future__ import annotations

from typing import Any

from spec.oracle.bridge.encode import encode
from spec.oracle.bridge.topic import Topic

TOPIC = Topic("classes", "bridge.md#9-references-and-classes")


def described(**given: Any) -> dict[str, Any]:
    plain: dict[str, Any] = {"number": "1", "name": "a.B", "form": 0, "superclass": "", "supertypes": [], "functional": ""}
    return {"class": plain | {"inner": [], "members": []} | given}


def member(what: int, flags: int, name: str, parameters: list[str], result: str) -> dict[str, Any]:
    return {"what": what, "flags": flags, "name": name, "parameters": parameters, "result": result}


LIST = described(
    number="17",
    name="java.util.ArrayList",
    superclass="java.util.AbstractList",
    supertypes=["java.util.AbstractList", "java.util.AbstractCollection", "java.lang.Object", "java.util.List"],
    members=[
        member(0, 0, "<init>", [], "void"),
        member(0, 0, "<init>", ["int"], "void"),
        member(1, 0, "add", ["java.lang.Object"], "boolean"),
        member(1, 0, "add", ["int", "java.lang.Object"], "void"),
        member(1, 1 | 2, "of", ["java.lang.Object[]"], "java.util.List"),
    ],
)
ENTRY = described(
    number="2147483647",
    name="java.util.Map$Entry",
    form=1,
    inner=[["Sub", "java.util.Map$Entry$Sub"]],
    members=[member(1, 16, "getKey", [], "java.lang.Object"), member(2, 1 | 4, "ZERO", [], "int")],
)
RUNNABLE = described(form=1, name="java.lang.Runnable", functional="run", members=[member(1, 16, "run", [], "void")])

TOPIC.value("none", "class", None)
TOPIC.value("least", "class", described())
TOPIC.value("a class with overloads", "class", LIST)
TOPIC.value("an interface with an inner class and a field", "class", ENTRY)
TOPIC.value("a functional interface", "class", RUNNABLE)
TOPIC.value("names beyond Latin-1", "class", described(name="\u6771\u4eac.\u00c4pfel$\U0001f600"))
for form in range(7):
    TOPIC.value(f"form {form}", "class", described(form=form))
for flags in (1, 2, 4, 8, 16, 31):
    TOPIC.value(f"flags {flags}", "class", described(members=[member(1, flags, "m", ["int", "long[]"], "int[][]")]))
TOPIC.value("200 members", "class", described(members=[member(1, 0, f"m{i}", ["int"] * (i % 5), "void") for i in range(200)]))

LEAST = encode(described(), "class")
HEAD = len(b"\1\1\6a.B")
TOPIC.refused("no bytes", "class", b"", "truncated", 0)
TOPIC.refused("flag 2", "class", b"\2", "malformed", 0)
TOPIC.refused("number 0", "class", b"\1\0" + LEAST[2:], "malformed", 1)
TOPIC.refused("number 2^31", "class", b"\1\x80\x80\x80\x80\x08" + LEAST[2:], "malformed", 1)
TOPIC.refused("name with a lone surrogate", "class", b"\1\1\3\0\xd8" + LEAST[HEAD:], "bad_utf8", 2)
TOPIC.refused("form 7", "class", LEAST[:HEAD] + b"\7" + LEAST[HEAD + 1 :], "malformed", HEAD)
TOPIC.refused("supertypes beyond the items", "class", encode(LIST, "class"), "limit_items", 46, items=3)
TOPIC.refused("more members than bytes", "class", LEAST[:-1] + b"\5\0\0", "truncated", len(LEAST) + 2)
TOPIC.refused("a member of a fourth sort", "class", LEAST[:-1] + b"\1\3\0\0\0\0", "malformed", len(LEAST))
TOPIC.refused("a flag of a member beyond them", "class", LEAST[:-1] + b"\1\1\x20\0\0\0", "malformed", len(LEAST) + 1)
TOPIC.refused("none and a byte", "class", b"\0\0", "trailing", 1)
TOPIC.refused("least and a byte", "class", LEAST + b"\0", "trailing", len(LEAST))
