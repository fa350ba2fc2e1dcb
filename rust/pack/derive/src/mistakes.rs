//! What the macro says of mistakes, as its users read it.

use crate::golden;
use std::path::Path;

fn said(source: &str) -> String {
    let input = syn::parse_str(source).expect("Rust");
    super::expand(&input).expect_err("a mistake").to_string()
}

#[test]
fn error_texts_are_those_of_the_file() {
    let texts = [
        ("derive: an unknown attribute", said("struct Book { #[pack(rename = \"a\")] id: i32 }")),
        ("derive: another attribute", said("struct Book { #[pack(flatten)] id: i32 }")),
        ("derive: a name that is no text", said("struct Book { #[pack(name = 5)] id: i32 }")),
        ("derive: a fallback on a field", said("struct Book { #[pack(fallback)] id: i32 }")),
        ("derive: a struct that is skipped", said("#[pack(skip)] struct Book { id: i32 }")),
        ("derive: a field without a name that is skipped", said("struct Price(#[pack(skip)] i32);")),
        ("derive: a value of a variant that is skipped", said("enum Value { Int(#[pack(skip)] i32) }")),
        ("derive: a skipped field with a name", said("struct Book { #[pack(skip, name = \"a\")] id: i32 }")),
        ("derive: a spelling on a field", said("struct Book { #[pack(rename_all = \"camelCase\")] id: i32 }")),
        ("derive: an unknown spelling", said("#[pack(rename_all = \"CamelCase\")] struct Book { id: i32 }")),
        ("derive: a Result", said("struct Answer { of: Vec<Result<i32, String>> }")),
        ("derive: a Result in a variant", said("enum Answer { Of(std::result::Result<i32, String>), None }")),
        ("derive: an option in an option", said("struct Answer { of: Option<Box<Option<i32>>> }")),
        ("derive: a unit", said("struct Answer { of: (i32, ()) }")),
        ("derive: a PhantomData", said("struct Answer<T> { of: PhantomData<T> }")),
        ("derive: a cell", said("struct Answer { of: Arc<Mutex<i32>> }")),
        ("derive: a linked list", said("struct Answer { of: Option<LinkedList<i32>> }")),
        ("derive: an atomic", said("struct Hits { count: AtomicU64 }")),
        ("derive: a shared String", said("struct Answer { of: Arc<String> }")),
        ("derive: a shared list", said("enum Answer { Of(Rc<Vec<i32>>), None }")),
        ("derive: a shared number", said("struct Answer { of: Vec<Arc<u64>> }")),
        ("derive: a set of floats", said("struct Answer { of: BTreeSet<f64> }")),
        ("derive: a map from tuples", said("struct Answer { of: HashMap<(i32, i32), String> }")),
        ("derive: a slice that is read", said("struct Answer<'a> { of: &'a [i32] }")),
        ("derive: a text that is borrowed mutably", said("struct Answer<'a> { of: &'a mut str }")),
        ("derive: a field that has another's name", said("struct Book { id: i32, #[pack(name = \"id\")] key: i32 }")),
        (
            "derive: a field that has another's alias",
            said("struct Book { #[pack(alias = \"key\")] id: i32, key: i32 }"),
        ),
        ("derive: fields of one spelling", said("#[pack(rename_all = \"camelCase\")] struct A { a_b: i32, aB: i32 }")),
        ("derive: a variant that has another's name", said("enum Mood { Calm, #[pack(name = \"Calm\")] Tense }")),
        ("derive: a member that has another's name", said("enum A { B { x: i32 }, #[pack(name = \"B\")] C }")),
        ("derive: an empty name", said("struct Book { #[pack(name = \"\")] id: i32 }")),
        ("derive: a fallback with fields", said("enum Shape { Dot { x: i32 }, #[pack(fallback)] Other { y: i32 } }")),
        ("derive: a function", said("struct Answer(fn() -> i32);")),
        ("derive: a trait object", said("struct Answer { of: Box<dyn Error> }")),
        ("derive: a Cow that lives for ever", said("struct Book { names: Vec<Cow<'static, str>> }")),
        ("derive: a reference that lives for ever", said("enum Value { Text(&'static str), None }")),
        ("derive: two fallbacks", said("enum Mood { #[pack(fallback)] Calm, #[pack(fallback)] Tense }")),
        ("derive: a struct of two unnamed fields", said("struct Book(i32, String);")),
        ("derive: a variant of two unnamed fields", said("enum Shape { Dot { x: i32 }, Line(i32, i32) }")),
        ("derive: a converter of a field without a name", said("struct Price(#[pack(with = AsText)] Money);")),
        ("derive: an enum without variants", said("enum Never {}")),
        ("derive: a union of Rust's", said("union Bits { a: u32, b: f32 }")),
    ];
    let borrowed = ["#[pack(encode_only)] struct A { of: &'static str }", "struct B<'a> { of: Cow<'a, str> }"];
    for source in borrowed.into_iter().chain(["struct C { #[pack(skip)] of: &'static str, x: i32 }"]) {
        super::expand(&syn::parse_str(source).expect("Rust")).expect("a type that is read, or only written");
    }
    golden::check(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/error_texts.txt"), true, &texts);
}
