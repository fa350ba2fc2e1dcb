"""Elements that contain others, attributes, and everything without a count (redis.md section 2)."""

from __future__ import annotations

from spec.oracle.redis.topic import Topic

TOPIC = Topic("aggregates", "redis.md#2-elements")
ONE = {"integer": "1"}
TWO = {"integer": "2"}
A = {"bulk": b"a".hex()}
OK = {"simple": b"OK".hex()}

TOPIC.reply("array, empty", b"*0\r\n", {"array": []})
TOPIC.reply("array", b"*2\r\n:1\r\n$1\r\na\r\n", {"array": [ONE, A]})
TOPIC.reply("array of nulls", b"*3\r\n_\r\n_\r\n_\r\n", {"array": [None] * 3})
TOPIC.reply("array of nulls of RESP2", b"*3\r\n$-1\r\n*-1\r\n_\r\n", {"array": [None] * 3})
TOPIC.reply("array of 100 texts", b"*100\r\n" + b"$3\r\nabc\r\n" * 100, {"array": [{"bulk": b"abc".hex()}] * 100})
TOPIC.reply("array with an error inside", b"*3\r\n:1\r\n-ERR x\r\n:2\r\n", {"array": [ONE, {"error": b"ERR x".hex()}, TWO]})
TOPIC.reply("array, its count with a plus", b"*+1\r\n:1\r\n", {"array": [ONE]})
TOPIC.reply("arrays in arrays", b"*2\r\n*1\r\n*0\r\n*1\r\n:1\r\n", {"array": [{"array": [{"array": []}]}, {"array": [ONE]}]})
TOPIC.reply("set", b"~2\r\n:1\r\n:2\r\n", {"set": [ONE, TWO]})
TOPIC.reply("set with an element twice", b"~2\r\n:1\r\n:1\r\n", {"set": [ONE, ONE]})
TOPIC.reply("set, empty", b"~0\r\n", {"set": []})
TOPIC.reply("map", b"%2\r\n$1\r\na\r\n:1\r\n:2\r\n_\r\n", {"map": [[A, ONE], [TWO, None]]})
TOPIC.reply("map, empty", b"%0\r\n", {"map": []})
TOPIC.reply("map with a key twice", b"%2\r\n:1\r\n:1\r\n:1\r\n:2\r\n", {"map": [[ONE, ONE], [ONE, TWO]]})
TOPIC.reply("map with an array as a key", b"%1\r\n*1\r\n:1\r\n:2\r\n", {"map": [[{"array": [ONE]}, TWO]]})
TOPIC.reply("map of maps", b"%1\r\n:1\r\n%1\r\n:2\r\n%0\r\n", {"map": [[ONE, {"map": [[TWO, {"map": []}]]}]]})
TOPIC.reply("push", b">2\r\n$1\r\na\r\n:1\r\n", {"push": [A, ONE]})
TOPIC.reply("push, empty", b">0\r\n", {"push": []})
TOPIC.reply("all kinds", b"*8\r\n+OK\r\n:1\r\n,1\r\n#t\r\n_\r\n(1\r\n~1\r\n:1\r\n%1\r\n:1\r\n=5\r\ntxt:a\r\n", {
    "array": [OK, ONE, {"double": "3ff0000000000000"}, True, None, {"big": "1"}, {"set": [ONE]},
              {"map": [[ONE, {"verbatim": [b"txt".hex(), b"a".hex()]}]]}]
})  # fmt: skip

TOPIC.reply("attribute", b"|1\r\n+ttl\r\n:3600\r\n:1\r\n", ONE)
TOPIC.reply("attribute, empty", b"|0\r\n:1\r\n", ONE)
TOPIC.reply("attributes, two", b"|1\r\n:1\r\n:2\r\n|0\r\n+OK\r\n", OK)
TOPIC.reply("attribute of an attribute's value", b"|1\r\n:1\r\n|0\r\n:2\r\n+OK\r\n", OK)
TOPIC.reply("attribute of an element", b"*2\r\n:1\r\n|1\r\n+k\r\n+v\r\n:2\r\n", {"array": [ONE, TWO]})
TOPIC.reply("attribute of a key and a value", b"%1\r\n|0\r\n:1\r\n|0\r\n:2\r\n", {"map": [[ONE, TWO]]})
TOPIC.reply("attribute of a push", b"|0\r\n>1\r\n:1\r\n", {"push": [ONE]})
TOPIC.reply("attribute without a count", b"|?\r\n+k\r\n+v\r\n.\r\n:1\r\n", ONE)
TOPIC.reply("attribute in an array without a count", b"*?\r\n|0\r\n:1\r\n.\r\n", {"array": [ONE]})

TOPIC.reply("streamed string", b"$?\r\n;4\r\nHell\r\n;5\r\no wor\r\n;1\r\nd\r\n;0\r\n", {"bulk": b"Hello word".hex()})
TOPIC.reply("streamed string, empty", b"$?\r\n;0\r\n", {"bulk": ""})
TOPIC.reply("streamed string in an array", b"*2\r\n$?\r\n;1\r\na\r\n;0\r\n:1\r\n", {"array": [A, ONE]})
TOPIC.reply("array without a count", b"*?\r\n:1\r\n:2\r\n.\r\n", {"array": [ONE, TWO]})
TOPIC.reply("array without a count, empty", b"*?\r\n.\r\n", {"array": []})
TOPIC.reply("arrays without counts, nested", b"*?\r\n*?\r\n:1\r\n.\r\n*0\r\n.\r\n", {"array": [{"array": [ONE]}, {"array": []}]})
TOPIC.reply("set without a count", b"~?\r\n:1\r\n.\r\n", {"set": [ONE]})
TOPIC.reply("map without a count", b"%?\r\n:1\r\n:2\r\n:2\r\n:1\r\n.\r\n", {"map": [[ONE, TWO], [TWO, ONE]]})
TOPIC.reply("push without a count", b">?\r\n+OK\r\n.\r\n", {"push": [OK]})

TOPIC.stream("pipelined replies", b"+OK\r\n:1\r\n*1\r\n:2\r\n$1\r\na\r\n", [OK, ONE, {"array": [TWO]}, A])
TOPIC.stream("a push between replies", b":1\r\n>1\r\n+OK\r\n:2\r\n", [ONE, {"push": [OK]}, TWO])
TOPIC.stream("replies, then a fault", b"+OK\r\n*2\r\n:1\r\n:x\r\n+OK\r\n", [OK], "bad_number", 13)
TOPIC.stream("replies, then a wrong type byte", b":1\r\n:2\r\n?\r\n", [ONE, TWO], "malformed", 8)
TOPIC.stream("replies, then half of one", b":1\r\n*2\r\n:2\r\n", [ONE], "truncated", 12)
TOPIC.stream("an array that lacks an element takes the next reply", b"*2\r\n:1\r\n:2\r\n", [{"array": [ONE, TWO]}])

R = TOPIC.refused
R("array without its elements", b"*2\r\n:1\r\n", "truncated", 8)
R("array with a count of -2", b"*-2\r\n", "bad_number", 0)
R("array with a count of 01", b"*01\r\n:1\r\n", "bad_number", 0)
R("array with an empty count", b"*\r\n", "bad_number", 0)
for kind, name in ((b"~", "set"), (b"%", "map"), (b">", "push"), (b"|", "attribute")):
    R(f"{name} with a count of -1", kind + b"-1\r\n", "malformed", 0)
    R(f"{name} with a count of -2", kind + b"-2\r\n", "bad_number", 0)
    R(f"{name} without its elements", kind + b"1\r\n", "truncated", 4)
R("map without its last value", b"%1\r\n:1\r\n", "truncated", 8)
R("map without a count, with half an entry", b"%?\r\n:1\r\n.\r\n", "malformed", 8)
R("attribute without a count, with half an entry", b"|?\r\n:1\r\n.\r\n:1\r\n", "malformed", 8)
R("attribute alone", b"|1\r\n:1\r\n:2\r\n", "truncated", 12)
R("attribute at the end of an array without a count", b"*?\r\n|0\r\n.\r\n", "malformed", 8)
R("attribute as the last element of an array", b"*1\r\n|0\r\n", "truncated", 8)
R("push in an array", b"*1\r\n>1\r\n:1\r\n", "malformed", 4)
R("push in a push", b">1\r\n>0\r\n", "malformed", 4)
R("push without a count in an array", b"*1\r\n>?\r\n.\r\n", "malformed", 4)
R("push in an attribute", b"|1\r\n>0\r\n:1\r\n:1\r\n", "malformed", 4)
R("end at the top", b".\r\n", "malformed", 0)
R("end in an array with a count", b"*1\r\n.\r\n", "malformed", 4)
R("end with a byte", b"*?\r\n.x\r\n", "malformed", 4)
R("chunk at the top", b";1\r\na\r\n", "malformed", 0)
R("chunk in an array", b"*1\r\n;1\r\na\r\n", "malformed", 4)
R("streamed string with an element inside", b"$?\r\n:1\r\n;0\r\n", "malformed", 4)
R("streamed string with an end", b"$?\r\n.\r\n", "malformed", 4)
R("streamed string, chunk with a length of -1", b"$?\r\n;-1\r\n", "malformed", 4)
R("streamed string, chunk with a length of ?", b"$?\r\n;?\r\n", "malformed", 4)
R("streamed string, chunk with a length of x", b"$?\r\n;x\r\n", "bad_number", 4)
R("streamed string, chunk too short", b"$?\r\n;1\r\nab\r\n;0\r\n", "malformed", 4)
R("streamed string without an end", b"$?\r\n;1\r\na\r\n", "truncated", 11)
R("fault deep inside", b"*2\r\n:1\r\n%1\r\n+k\r\n*1\r\n#x\r\n", "malformed", 20)
R("fault in a second element", b"*2\r\n$1\r\na\r\n$1\r\nab\r\n", "malformed", 11)
