//! Schema text: what is read, what is refused and where.

use samewire_pack::schema::{Schema, Type};
use samewire_pack::Code;

fn canonical(text: &str) -> String {
    let schema = Schema::parse(text).unwrap();
    assert_eq!(Schema::parse(schema.text()).unwrap().text(), schema.text());
    schema.text().to_owned()
}

fn refused(text: &str) -> (Code, usize) {
    let error = Schema::parse(text).unwrap_err();
    (error.code, error.at.unwrap())
}

#[test]
fn canonical_form() {
    assert_eq!(canonical("\tmap <string ,\n list<i8> >"), "map<string, list<i8>>");
    assert_eq!(
        canonical("union{struct B{a:A},struct A{x:enum E{z,a,\"i8\"}}}"),
        "union { struct A { x: enum E { a, \"i8\", z } }, struct B { a: A } }"
    );
    assert_eq!(canonical("union { struct \"a b\" {} }"), "union { struct \"a b\" {} }");
    assert_eq!(
        canonical("enum E { \"\\u001f\", \"\u{ffff}\", \"\u{10000}\" }"),
        "enum E { \"\\u001f\", \"\u{10000}\", \"\u{ffff}\" }"
    );
    assert_eq!(
        canonical("union { A, struct B { a: struct A { x: i8 } } }"),
        "union { struct A { x: i8 }, struct B { a: A } }"
    );
}

#[test]
fn errors_have_their_offset() {
    for (text, at) in [
        ("", 0),
        ("list<", 5),
        ("list<i8", 7),
        ("list<i8,", 7),
        ("list i8", 5),
        ("nothing", 0),
        ("struct list { x: i8 }", 7),
        ("struct A { x: i8, x: i8 }", 18),
        ("tuple<struct A { x: i8 }, struct A { x: i8 }>", 33),
        ("enum E { a, a }", 12),
        ("enum E { }", 9),
        ("union { struct A {}, A }", 21),
        ("union { i8 }", 8),
        ("option<option<i8>>", 7),
        ("option<any>", 7),
        ("set<f32>", 4),
        ("map<list<i8>, i8>", 4),
        ("ref<i8>", 4),
        ("list<struct A {}>", 5),
        ("struct A { b: B }", 14),
        ("i8 i8", 3),
        ("struct \"\" { x: i8 }", 7),
        ("struct \"\\u0020\" { x: i8 }", 7),
        ("struct \"a", 9),
        ("é", 0),
    ] {
        assert_eq!(refused(text), (Code::Malformed, at), "{text}");
    }
}

#[test]
fn rejects_schema_text_beyond_its_bounds() {
    let nested = |n: usize| format!("{}i8{}", "list<".repeat(n), ">".repeat(n));
    assert!(Schema::parse(&nested(64)).is_ok());
    assert_eq!(refused(&nested(65)), (Code::LimitDepth, 64 * 5 + 4));
    assert!(Schema::parse(&nested(65)).unwrap_err().text.ends_with(": nest fewer, or use any for the inner types"));
    assert_eq!(refused(&" ".repeat((1 << 20) + 1)), (Code::LimitSize, 0));
    let symbols = |n: usize| {
        let names: Vec<String> = (0..n).map(|i| format!("s{i}")).collect();
        format!("enum E {{ {} }}", names.join(", "))
    };
    assert!(Schema::parse(&symbols(65_535)).is_ok());
    assert_eq!(refused(&symbols(65_536)).0, Code::LimitItems);
    assert!(Schema::parse(&format!("enum {} {{ a }}", "n".repeat(255))).is_ok());
    assert_eq!(refused(&format!("enum {} {{ a }}", "n".repeat(256))), (Code::Malformed, 5));
    let wide: Vec<String> = (0..256).map(|_| "i8".to_owned()).collect();
    assert_eq!(refused(&format!("tuple<{}>", wide.join(","))), (Code::Malformed, 6 + 255 * 3));
}

#[test]
fn rejects_canonical_text_beyond_its_bounds() {
    let symbols: Vec<String> = (0..65_000).map(|i| format!("s{i:014}")).collect();
    let text = |comma: &str| format!("enum E{{{}}}", symbols.join(comma));
    assert!(text(",").len() <= 1 << 20 && text(", ").len() > 1 << 20);
    assert_eq!(refused(&text(",")), (Code::LimitSize, 0));
}

#[test]
fn rejects_definitions_nested_without_bound() {
    // Every member nests forty deep by itself; in canonical order each stands inside the one before it.
    let members: Vec<String> = (0..1000)
        .map(|i| format!("struct S{i:04} {{ x: {}S{:04}{} }}", "list<".repeat(40), i + 1, ">".repeat(40)))
        .rev()
        .collect();
    let text = format!("union {{ struct S1000 {{ x: i8 }}, {} }}", members.join(", "));
    assert_eq!(Schema::parse(&text).unwrap_err().code, Code::LimitDepth);
}

#[test]
fn digest_and_dedup_slots() {
    let schema = Schema::parse("struct A { a: string, b: list<any>, c: option<A>, d: map<string, A> }").unwrap();
    assert_eq!(schema.dedup_slots(), 3);
    assert_eq!(Schema::parse("bool").unwrap().digest(), 0xcd2f_d49b_c6b0_14bd);
    assert!(matches!(schema.ty(schema.root()), Type::Struct(0)));
}

#[test]
fn other_notations_are_answered_with_the_schema_s() {
    for (text, at, remedy) in [
        ("struct A { a: i32; b: i32 }", 17, ": commas are between fields"),
        ("struct A { a: i32[] }", 17, ": a list is list<...>"),
        ("struct A { a: [i32] }", 14, ": a list is list<...>"),
        ("struct A { a: i32 | null }", 18, ": what may be null is option<...>"),
        ("struct A { a: i32 = 5 }", 18, ": schema text has no values"),
        ("/* c */ i32", 0, ": a comment is // or #"),
        ("struct A { gr\u{f6}\u{df}e: i32 }", 13, "is in double quotes"),
        ("struct A { first-name: i32 }", 16, "is in double quotes"),
        ("struct A { 1st: i32 }", 11, "is in double quotes"),
        ("struct A { 'a': i32 }", 11, "is in double quotes"),
        ("struct A { a?: i32 }", 12, "it stands behind the type"),
        ("struct A { a: List<i32> }", 18, "\"List\" takes no <...>: the schema's word is list<...>"),
        ("Option <i32>", 7, "\"Option\" takes no <...>: the schema's word is option"),
        ("list<Page<i32>>", 9, "\"Page\" takes no <...>: only the schema's own types do"),
        ("struct A { a: B } struct B { x: i32 }", 18, "others are written where they occur first"),
        ("struct A { a: u128 }", 14, "the schema's word is bigint"),
        ("struct A { a: char }", 14, "the schema's word is string"),
        ("struct A { a: Bool }", 14, "the schema's word is bool"),
        ("union { struct A { x: i8 }, A<i8> }", 28, "the member \"A\" is repeated"),
    ] {
        let error = Schema::parse(text).unwrap_err();
        assert_eq!((error.code, error.at), (Code::Malformed, Some(at)), "{text}");
        assert!(error.text.contains(remedy), "{text}: {}", error.text);
    }
}
