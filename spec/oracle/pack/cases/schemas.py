"""Schema texts: canonical forms, digests, and texts that are refused."""

from __future__ import annotations

from spec.oracle.pack.cases.table import Topic
from spec.oracle.pack.schema import KEYS

TOPIC = Topic("schemas", "pack.md#2-schema-text")


def same(name: str, text: str, digest: str | None = None) -> None:
    TOPIC.schema(name, text, text, digest)


same("bool", "bool")
same("i64", "i64")
same("any", "any")
same("an option", "option<string>")
same("all generics", "map<string, list<set<option<i32>>>>".replace("set<option<i32>>", "set<i32>"))
same("a tuple", "tuple<i8, string, list<f64>>")
same("an enum", "enum Suit { clubs, diamonds, hearts, spades }")
same("a struct", "struct Book { id: string, name: string, author: string, year: i32 }")
same("a struct in use twice", "tuple<struct P { x: i32 }, P, list<P>>")
same("a recursive struct", "struct Node { name: string, kids: list<Node> }")
same("a union", "union { struct A { n: i8 }, struct B {} }")
same("a reference", "list<ref<struct Node { next: option<ref<Node>> }>>")
same("names that are keywords", 'struct "list" { "struct": i8, "option": enum "enum" { "bool", "i8" } }')
same("names that need quotes", 'struct "two words" { "": i8 }'.replace('""', '"-"'))
same("names beyond ASCII", 'struct "Stra\xdfe" { "\u4e2d\u6587": i8, "\U0001f600": i8 }')
same("escapes in names", 'struct "a\\"b\\\\c\\u0000\\u001f" { "\\u000a": i8, "\x7f": i8 }')
same("names with a digit or an underscore", 'struct _a1 { _: i8, a_b: i8, "1a": i8, A: i8, a: i8 }')
same("a name of 255 units", "struct " + "n" * 255 + " { x: i8 }")
same("a name of 255 units beyond ASCII", 'struct "' + "\u4e2d" * 253 + '\U0001f600" { x: i8 }')
same("64 deep", "list<" * 64 + "i8" + ">" * 64)
TOPIC.schema(
    "64 deep once members are in order",
    "union { struct B { c: struct C { x: i8 } }, struct A { c: " + "list<" * 61 + "C" + ">" * 61 + " } }",
    "union { struct A { c: " + "list<" * 61 + "struct C { x: i8 }" + ">" * 61 + " }, struct B { c: C } }",
)
same(
    "an empty struct 64 deep",
    "struct A { b: " + "list<" * 61 + "union { struct B {} }" + ">" * 61 + " }",
)
same("a tuple of 255", "tuple<" + ", ".join(["i8"] * 255) + ">")
same("an empty struct named again in a union", "tuple<union { struct E {} }, union { E, struct F {} }>")

TOPIC.schema("no white space", "map<string,list<struct P{x:i32,y:i32}>>", "map<string, list<struct P { x: i32, y: i32 }>>")
TOPIC.schema("much white space", " \t\r\n map < string ,\n\tbool > \n", "map<string, bool>")
TOPIC.schema("an empty struct with a space", "union{struct E{ }}", "union { struct E {} }")
TOPIC.schema("symbols in another order", "enum E { b, a, C, A }", "enum E { A, C, a, b }")
TOPIC.schema(
    "symbols by UTF-16 units", 'enum E { "\uffff", "\U0001f600", "\xe9", z }', 'enum E { z, "\xe9", "\U0001f600", "\uffff" }'
)
TOPIC.schema("a symbol before its prefix's like", "enum E { ab, a, b }", "enum E { a, ab, b }")
TOPIC.schema(
    "members in another order",
    "union { struct B { n: i8 }, struct A { n: i8 } }",
    "union { struct A { n: i8 }, struct B { n: i8 } }",
)
TOPIC.schema(
    "members in another order, definitions move",
    "union { struct B { n: i8 }, struct A { b: B } }",
    "union { struct A { b: struct B { n: i8 } }, B }",
)
TOPIC.schema(
    "a name before its definition",
    "union { B, struct A { b: struct B { n: i8 } } }",
    "union { struct A { b: struct B { n: i8 } }, B }",
)
TOPIC.schema("a name before its definition in a tuple", "tuple<P, struct P { x: i8 }>", "tuple<struct P { x: i8 }, P>")
TOPIC.schema(
    "comments",
    '// books\nstruct B { # the first\n  a: i32, // a \u20ac "\n  b: list<// of\r\n i8 #\n> }//',
    "struct B { a: i32, b: list<i8> }",
)
TOPIC.schema(
    "a comma behind the last",
    "struct B { a: enum E { x, y, }, b: union { struct C {}, }, }",
    "struct B { a: enum E { x, y }, b: union { struct C {} } }",
)
TOPIC.schema(
    "options by a question mark",
    "struct B { a: i32?, b: list<B ?> , c: set<i8>? }",
    "struct B { a: option<i32>, b: list<option<B>>, c: option<set<i8>> }",
)
TOPIC.schema("a question mark behind all", "i32?", "option<i32>")
TOPIC.schema(
    "fields and symbols that are keywords",
    "struct Event { timestamp: timestamp, list: list<i8>, enum: enum E { struct, any } }",
    'struct Event { "timestamp": timestamp, "list": list<i8>, "enum": enum E { "any", "struct" } }',
)
TOPIC.schema("quotes that are not needed", 'struct "P" { "x": i8 }', "struct P { x: i8 }")
TOPIC.schema("a quoted name of a type", 'tuple<struct "list" { x: i8 }, "list">', 'tuple<struct "list" { x: i8 }, "list">')
TOPIC.schema("enums named again", "map<enum E { b, a }, E>", "map<enum E { a, b }, E>")

bad = TOPIC.bad_schema
bad("nothing", "", "malformed", 0)
bad("white space alone", "  ", "malformed", 2)
bad("a type that is not there", "list<", "malformed", 5)
bad("a bracket that is not closed", "list<i8", "malformed", 7)
bad("a bracket too many", "list<i8>>", "malformed", 8)
bad("a second type", "i8 i16", "malformed", 3)
bad("a repeated field before what is no token", "struct S { a: i8, a$: i8 }", "malformed", 18)
bad("a repeated symbol before what is no token", "enum E { a, a$ }", "malformed", 12)
bad("a repeated member before what is no token", "union { struct A {}, A$ }", "malformed", 21)
bad("a second definition before what is no token", "tuple<enum A { a }, enum A$ { b }>", "malformed", 25)
bad("two members that are no structs", "union { i8, i16 }", "malformed", 8)
bad("an unknown name", "int32", "malformed", 0)
bad("an unknown name inside", "map<string, Foo>", "malformed", 12)
bad("an unknown name behind others", 'struct "\xe9" { a: i8, b: list<Foo> }', "malformed", 29)
bad("the first of two unknown names", "tuple<i8, Foo, Bar>", "malformed", 10)
bad("upper-case types", "tuple<i8, I8>", "malformed", 10)
bad("a character that is no token", "list<$>", "malformed", 5)
bad("a digit", "tuple<i8, 8>", "malformed", 10)
bad("round brackets", "list(i8)", "malformed", 4)
bad("no comma", "map<string bool>", "malformed", 11)
bad("a comma too many", "tuple<i8, >", "malformed", 10)
bad("a leading comma", "tuple<, i8>", "malformed", 6)
bad("an empty tuple", "tuple<>", "malformed", 6)
bad("a list of two", "list<i8, i8>", "malformed", 7)
bad("a map of one", "map<string>", "malformed", 10)
bad("a map of three", "map<string, i8, i8>", "malformed", 14)
bad("256 in a tuple", "tuple<" + "i8," * 255 + "i8>", "malformed", 6 + 3 * 255)
bad("an enum without symbols", "enum E { }", "malformed", 9)
bad("a union without members", "union { }", "malformed", 8)
bad("an enum without a name", "enum { a }", "malformed", 5)
bad("a struct without a name", "struct { a: i8 }", "malformed", 7)
bad("a struct named by a keyword", "struct list { a: i8 }", "malformed", 7)
bad("a field called by a bracket", "struct S { <: i8 }", "malformed", 11)
bad("an enum named by a keyword", "enum any { a }", "malformed", 5)
bad("a field without a type", "struct S { a }", "malformed", 13)
bad("a field without a colon", "struct S { a i8 }", "malformed", 13)
bad("fields without a comma", "struct S { a: i8 b: i8 }", "malformed", 17)
bad("two commas after the last field", "struct S { a: i8,, }", "malformed", 17)
bad("a comma alone", "struct S { , }", "malformed", 11)
bad("a comma behind the last of a tuple", "tuple<i8, i8, >", "malformed", 14)
bad("two question marks", "list<i8??>", "malformed", 8)
bad("an option with a question mark", "list<option<i8>?>", "malformed", 5)
bad("any with a question mark", "list<any?>", "malformed", 5)
bad("a key with a question mark", "set<i8?>", "malformed", 4)
bad("a member with a question mark", "union { struct A {}? }", "malformed", 8)
bad("a question mark alone", "?", "malformed", 0)
bad("one slash", "list<i8> /", "malformed", 9)
bad("a comment that hides a bracket", "list<i8 // >", "malformed", 12)
bad("a struct that ends early", "struct S { a: i8", "malformed", 16)
bad("a struct without braces", "struct S", "malformed", 8)
bad("a quoted name that ends early", 'struct "S { a: i8 }', "malformed", 19)
bad("an empty name", 'struct "" { a: i8 }', "malformed", 7)
bad("a name of 256 units", "struct " + "n" * 256 + " { a: i8 }", "malformed", 7)
bad("a name of 256 units by surrogates", 'struct "' + "\U0001f600" * 128 + '" { a: i8 }', "malformed", 7)
bad("an escape that is none", 'struct "a\\n" { a: i8 }', "malformed", 7)
bad("an escape of a letter", 'struct "\\u0041" { a: i8 }', "malformed", 7)
bad("an escape in upper case", 'struct "\\u001F" { a: i8 }', "malformed", 7)
bad("an escape cut", 'struct "\\u00" { a: i8 }', "malformed", 7)
bad("a raw control in a name", 'struct "a\nb" { a: i8 }', "malformed", 7)
bad("a form feed is no white space", "list<\x0ci8>", "malformed", 5)
bad("a no-break space is no white space", "list<\xa0i8>", "malformed", 5)
bad("a name defined twice", "tuple<struct S { a: i8 }, struct S { a: i8 }>", "malformed", 33)
bad("a name for a struct and an enum", "tuple<struct S { a: i8 }, enum S { a }>", "malformed", 31)
bad("a name defined within itself", "struct S { a: struct S { a: i8 } }", "malformed", 21)
bad("a field twice", "struct S { a: i8, b: i8, a: i8 }", "malformed", 25)
bad("a field twice, once in quotes", 'struct S { a: i8, "a": i8 }', "malformed", 18)
bad("a symbol twice", "enum E { a, b, a }", "malformed", 15)
bad("a member twice", "union { struct A { n: i8 }, A }", "malformed", 28)
bad("an option of an option", "option<option<i8>>", "malformed", 7)
bad("an option of any", "list<option<any>>", "malformed", 12)
bad("a set of floats", "set<f64>", "malformed", 4)
bad("a set of lists", "set<list<i8>>", "malformed", 4)
bad("a set of any", "set<any>", "malformed", 4)
bad("a set of bytes", "set<bytes>", "malformed", 4)
bad("a set of decimals", "set<decimal>", "malformed", 4)
bad("a set of options", "set<option<i8>>", "malformed", 4)
bad("a map by structs", "map<struct K { a: i8 }, i8>", "malformed", 4)
bad("a map by a struct named before", "struct S { a: i8, m: option<map<S, i8>> }", "malformed", 32)
bad("a map by floats", "list<map<f32, i8>>", "malformed", 9)
bad("a union of a scalar", "union { struct A { n: i8 }, i8 }", "malformed", 28)
bad("a union of an enum", "union { enum E { a } }", "malformed", 8)
bad("a union of an enum named before", "tuple<enum E { a }, union { E }>", "malformed", 28)
bad("a union in a union", "union { union { struct A {} } }", "malformed", 8)
bad("a reference to a scalar", "ref<i8>", "malformed", 4)
bad("a reference to a union", "ref<union { struct A {} }>", "malformed", 4)
bad("a reference to a list", "ref<list<i8>>", "malformed", 4)
bad("an empty struct", "struct S {}", "malformed", 0)
bad("a list of empty structs", "list<struct S {}>", "malformed", 5)
bad("an empty struct named outside its union", "tuple<union { struct E {} }, list<E>>", "malformed", 34)
bad("a reference to an empty struct", "ref<struct S {}>", "malformed", 4)
bad("65 deep", "list<" * 65 + "i8" + ">" * 65, "limit_depth", 65 * 5 - 1)
bad("10,000 deep", "list<" * 10_000, "limit_depth", 65 * 5 - 1)
bad("65 deep by structs", "".join(f"struct S{i:02} {{ f: " for i in range(65)), "limit_depth", 64 * 16 + 11)
bad(
    "65 deep once members are in order",
    "union { struct B { c: struct C { x: i8 } }, struct A { c: " + "list<" * 62 + "C" + ">" * 62 + " } }",
    "limit_depth",
    0,
)
bad(
    "an enum 65 deep once members are in order",
    "union { struct B { c: enum C { x } }, struct A { c: " + "list<" * 62 + "C" + ">" * 62 + " } }",
    "limit_depth",
    0,
)
bad(
    "an empty struct 65 deep once members are in order",
    "union { struct B { c: union { struct C {} } }, struct A { c: " + "list<" * 61 + "union { C }" + ">" * 61 + " } }",
    "limit_depth",
    0,
)
bad("an enum 65 deep", "list<" * 64 + "enum E { a }", "limit_depth", 64 * 5 + 7)
bad("a union 65 deep", "list<" * 64 + "union { struct E {} }", "limit_depth", 64 * 5 + 6)
bad("an empty struct 65 deep", "list<" * 63 + "union { struct E {} }", "limit_depth", 63 * 5 + 17)
bad("a vertical tab is no white space", "list<\x0bi8>", "malformed", 5)
bad("a byte order mark", "\ufeffi8", "malformed", 0)
bad("a letter beyond ASCII without quotes", "struct \xe9 { a: i8 }", "malformed", 7)
bad("a scalar in quotes is a name", 'list<"i8">', "malformed", 5)
bad("an escape of a space", 'struct "a\\u0020" { a: i8 }', "malformed", 7)
bad("an escape of a solidus", 'struct "a\\/b" { a: i8 }', "malformed", 7)
bad("a text that ends after a backslash", 'struct "a\\', "malformed", 10)
bad("a text that ends inside an escape", 'struct "a\\u00', "malformed", 13)
bad("an escape that is none in a name that ends early", 'struct "a\\n', "malformed", 11)
bad("a raw control in a name that ends early", 'struct "a\nb', "malformed", 11)
bad("a name of 256 units that ends early", 'struct "' + "n" * 256, "malformed", 264)
bad("a name of 256 units before what is no token", "tuple<" + "n" * 256 + "$", "malformed", 6)
bad("an unknown name before a type that is not allowed", "tuple<Foo, set<f64>>", "malformed", 6)
bad("an unknown name after a type that is not allowed", "tuple<set<f64>, Foo>", "malformed", 10)
bad("a repeated field after a type that is not allowed", "struct S { a: set<f64>, a: i8 }", "malformed", 24)
bad("a struct defined twice in a union", "union { struct A { n: i8 }, struct A { n: i8 } }", "malformed", 35)
bad("a member named and then defined", "union { A, struct A { n: i8 } }", "malformed", 11)
bad("a member named and then defined with a fault", "union { A, struct A { n: $ } }", "malformed", 25)
bad("an enum twice in a union", "tuple<enum E { a }, union { E, E }>", "malformed", 31)
bad("an enum defined and named in a union", "union { enum E { a }, E }", "malformed", 8)
for inner in ("list<i8>", "ref<struct A { n: i8 }>", "bool"):
    bad(f"a union of {inner.partition('<')[0]}", f"union {{ {inner} }}", "malformed", 8)
for inner in ("set<i8>", "map<i8, i8>", "tuple<i8>", "union { struct A {} }", "ref<struct A { n: i8 }>", "struct A { n: i8 }"):
    bad(f"a set of {inner.partition('<')[0].partition(' ')[0]}", f"set<{inner}>", "malformed", 4)
bad("a map by maps", "map<map<i8, i8>, i8>", "malformed", 4)
bad("a map by an option", "map<option<i8>, i8>", "malformed", 4)
bad("a reference to an enum", "ref<enum E { a }>", "malformed", 4)
bad("a reference to a bool", "ref<bool>", "malformed", 4)
bad("a reference to an option", "ref<option<struct S { a: i8 }>>", "malformed", 4)
bad("an option of an option of a struct named before", "tuple<struct S { a: i8 }, option<option<S>>>", "malformed", 33)
same(
    "every key type",
    "tuple<" + ", ".join(f"set<{key}>, map<{key}, i8>" for key in KEYS) + ", set<enum E { a }>, map<E, i8>>",
)

# The last is the 65,537th: definitions, fields, symbols, types, and names with quotes or without count one each.
NAMES = "tuple<" + "A," * 254 + '"A">'
MANY = "tuple<struct A{a:enum E{a,b}}," + f"{NAMES}," * 253 + f"tuple<{NAMES},{NAMES},tuple<" + "A," * 248
bad("65,537 types, fields and symbols", MANY + "A>>>", "limit_items", len(MANY))
