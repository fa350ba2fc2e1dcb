//! Enums whose variants hold one value: each is a struct with one field.

use samewire_pack::{Bytes, Code, Codec, Converter, Date, Error, Pack, Scratch};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::rc::Rc;

#[derive(Pack, Clone, Debug, PartialEq)]
enum Value {
    Nothing,
    Int(i32),
    Text(String),
    Many(Vec<Value>),
    Named(BTreeMap<String, Value>),
    Maybe(Option<Box<str>>),
    Pair((i32, bool)),
}

#[derive(Pack, Clone, Debug, PartialEq)]
struct Point {
    x: i32,
}

struct AsText;

impl Converter<u128> for AsText {
    type Wire = String;
    fn encode(value: &u128) -> Result<String, Error> {
        Ok(value.to_string())
    }
    fn decode(wire: String) -> Result<u128, Error> {
        wire.parse().map_err(|_| Error::new(Code::BadNumber, "expected a number"))
    }
}

#[derive(Pack, Clone, Debug, PartialEq)]
enum Mixed<'a> {
    Point(Point),
    Borrowed(&'a str),
    Cow(#[pack(name = "text")] Cow<'a, str>),
    Day(#[pack(name = "day")] Date),
    Wide(#[pack(with = AsText)] u128),
    #[pack(name = "Pt")]
    Renamed(i64),
}

#[test]
fn a_value_is_the_field_of_a_struct_of_the_variants_name() {
    let codec = Codec::<Value>::new();
    assert_eq!(
        codec.schema().text(),
        "union { struct Int { value: i32 }, struct Many { value: list<union { Int, Many, struct Maybe { value: option<string> }, \
         struct Named { value: map<string, union { Int, Many, Maybe, Named, struct Nothing {}, struct Pair { value: tuple<i32, \
         bool> }, struct Text { value: string } }> }, Nothing, Pair, Text }> }, Maybe, Named, Nothing, Pair, Text }"
    );
    let inner =
        vec![Value::Nothing, Value::Int(-5), Value::Text("é€".into()), Value::Maybe(None), Value::Pair((1, true))];
    let named = BTreeMap::from([
        ("a".to_owned(), Value::Many(inner.clone())),
        ("b".to_owned(), Value::Maybe(Some("x".into()))),
    ]);
    for value in inner.into_iter().chain([Value::Named(named.clone()), Value::Many(vec![Value::Named(named); 100])]) {
        assert_eq!(codec.decode(&codec.encode(&value).unwrap()).unwrap(), value);
    }
}

#[test]
fn structs_stay_what_they_are() {
    let codec = Codec::<Mixed>::new();
    assert_eq!(
        codec.schema().text(),
        "union { struct Borrowed { value: string }, struct Cow { text: string }, struct Day { day: date }, struct Point { x: i32 }, \
         struct Pt { value: i64 }, struct Wide { value: string } }"
    );
    let values = [
        Mixed::Point(Point { x: 3 }),
        Mixed::Borrowed("a"),
        Mixed::Cow("b".into()),
        Mixed::Wide(u128::MAX),
        Mixed::Renamed(9),
    ];
    for value in values {
        let (codec, mut scratch) = (Codec::<Mixed>::new(), Scratch::default());
        let bytes = codec.encode(&value).unwrap();
        assert_eq!(codec.decode_borrowed(&bytes, &mut scratch).unwrap(), value);
    }
}

/// Variants of types that are told from structs by their traits.
#[derive(Pack, Clone, Debug, PartialEq)]
enum Told {
    Path(PathBuf),
    Day(Date),
    Count(NonZeroU32),
    Bits(Bytes),
    Id(Id),
    #[pack(name = "OfKind")]
    Kind(Kind),
    Inner(Flags),
    Shared(Rc<Point>),
    Boxed(Box<Point>),
    Not(Box<Told>),
}

#[derive(Pack, Clone, Debug, PartialEq)]
struct Id(String);

#[derive(Pack, Clone, Debug, PartialEq)]
enum Kind {
    Small,
    Large,
}

#[derive(Pack, Clone, Debug, PartialEq)]
enum Flags {
    Flag(bool),
    Empty,
}

#[test]
fn any_type_stands_in_a_variant() {
    let codec = Codec::<Told>::new();
    assert_eq!(Codec::<Flags>::new().schema().text(), "union { struct Empty {}, struct Flag { value: bool } }");
    for member in [
        "struct Path { value: string }",
        "struct Day { value: date }",
        "struct Count { value: u32 }",
        "struct Bits { value: bytes }",
        "struct Id { value: string }",
        "struct OfKind { value: enum Kind { Large, Small } }",
        "struct Inner { value: union {",
        "struct Shared { value: ref<Point> }",
        "struct Point { x: i32 }",
        "struct Not { value: union {",
    ] {
        assert!(codec.schema().text().contains(member), "{member} in {}", codec.schema().text());
    }
    let values = [
        Told::Path("a/b".into()),
        Told::Day(Date::from_days(1555).unwrap()),
        Told::Count(NonZeroU32::MIN),
        Told::Bits(Bytes(vec![0, 255])),
        Told::Id(Id("x".into())),
        Told::Kind(Kind::Large),
        Told::Inner(Flags::Flag(true)),
        Told::Inner(Flags::Empty),
        Told::Shared(Rc::new(Point { x: 7 })),
        Told::Boxed(Box::new(Point { x: -7 })),
    ];
    let decoder = codec.resolve(codec.schema().text()).unwrap();
    for value in values {
        let value = Told::Not(Box::new(value));
        let bytes = codec.encode(&value).unwrap();
        assert_eq!(codec.decode(&bytes).unwrap(), value);
        assert_eq!(decoder.decode(&bytes).unwrap(), value);
    }
    let deep = (0..100).fold(Told::Count(NonZeroU32::MIN), |value, _| Told::Not(Box::new(value)));
    assert_eq!(codec.encode(&deep).unwrap_err().code, Code::LimitDepth);
}

#[test]
fn a_variant_is_not_called_as_an_enum_in_it() {
    #[derive(Pack)]
    enum Event {
        Kind(Option<Kind>),
        Other,
    }
    let error = Codec::<Event>::try_new().expect_err("a struct and an enum of one name");
    assert_eq!(error.code, Code::Misuse);
    assert!(error.text.contains("are both called \"Kind\""), "{}", error.text);
}

#[test]
fn an_older_schema_is_resolved() {
    #[derive(Pack, Debug, PartialEq)]
    #[pack(name = "Value")]
    enum Older {
        Int(i16),
        Text(String),
    }
    let writer = Codec::<Older>::new();
    let decoder = Codec::<Value>::new().resolve(writer.schema().text()).unwrap();
    assert_eq!(decoder.decode(&writer.encode(&Older::Int(7)).unwrap()).unwrap(), Value::Int(7));
    assert_eq!(decoder.decode(&writer.encode(&Older::Text("t".into())).unwrap()).unwrap(), Value::Text("t".into()));
}

/// A tree as it is usually written: a variant holds the enum itself.
#[derive(Pack, Debug, PartialEq)]
enum Expression {
    Number(f64),
    Negated(Box<Expression>),
    Sum(Vec<Self>),
}

#[derive(Pack, Debug, PartialEq)]
enum Outcome<T, E> {
    Done(T),
    Failed(E),
    Tried { times: u32, last: Box<Outcome<T, E>> },
}

#[test]
fn a_variant_holds_the_enum_itself() {
    let codec = Codec::<Expression>::new();
    assert_eq!(
        codec.schema().text(),
        "union { struct Negated { value: union { Negated, struct Number { value: f64 }, \
         struct Sum { value: list<union { Negated, Number, Sum }> } } }, Number, Sum }"
    );
    let value = Expression::Sum(vec![Expression::Number(1.5), Expression::Negated(Box::new(Expression::Number(2.0)))]);
    assert_eq!(codec.decode(&codec.encode(&value).unwrap()).unwrap(), value);
}

#[test]
fn a_variant_holds_a_type_parameter() {
    let codec = Codec::<Outcome<i32, String>>::new();
    for value in [
        Outcome::Done(1),
        Outcome::Failed("late".into()),
        Outcome::Tried { times: 2, last: Box::new(Outcome::Done(3)) },
    ] {
        assert_eq!(codec.decode(&codec.encode(&value).unwrap()).unwrap(), value);
    }
    assert!(codec.schema().text().contains("struct Done { value: i32 }"), "{}", codec.schema().text());
    // Of a struct, too: two variants may be of one.
    let text = Codec::<Outcome<Point, Point>>::new().schema().text().to_owned();
    assert!(text.contains("struct Done { value: struct Point { x: i32 } }, struct Failed { value: Point }"), "{text}");
}
