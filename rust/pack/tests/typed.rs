//! Codecs of derived types.

use samewire_pack::{
    Any, BigInt, Bytes, BytesRef, Code, Codec, Date, Decimal, Duration, Limits, Map, Pack, Profile, Scratch, Time,
    Timestamp, Unpack, Uuid,
};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fmt::Debug;
use std::rc::Rc;
use std::sync::Arc;

/// Encodes in every profile, decodes, and checks every strict prefix and one byte more.
fn round_trip<T: Pack + for<'x> Unpack<'x> + PartialEq + Debug>(schema: &str, value: &T) -> Vec<u8> {
    for profile in [Profile::Fast, Profile::Compact] {
        for digest in [false, true] {
            let codec = Codec::<T>::new().profile(profile).digest(digest);
            assert_eq!(codec.schema().text(), schema);
            let bytes = codec.encode(value).unwrap();
            assert_eq!(&codec.decode(&bytes).unwrap(), value);
            assert_eq!(&codec.resolve(schema).unwrap().decode(&bytes).unwrap(), value);
            for cut in 0..bytes.len() {
                let error = codec.decode(&bytes[..cut]).unwrap_err();
                assert_eq!((error.code, error.at), (Code::Truncated, Some(cut)), "{error}");
            }
            let mut more = bytes.clone();
            more.push(0);
            let error = codec.decode(&more).unwrap_err();
            assert_eq!((error.code, error.at), (Code::Trailing, Some(bytes.len())), "{error}");
            let chunks = codec.encode_chunks(value, 3).unwrap();
            assert!(chunks.iter().all(|chunk| !chunk.is_empty() && chunk.len() <= 3));
            assert_eq!(chunks.len(), bytes.len());
            assert_eq!(chunks.iter().collect::<Vec<_>>().concat(), bytes);
        }
    }
    Codec::<T>::new().encode(value).unwrap()
}

#[derive(Pack, PartialEq, Debug, Clone)]
struct Node {
    name: String,
    kids: Vec<Node>,
    next: Option<Box<Node>>,
}

#[derive(Pack, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Clone, Copy)]
enum Color {
    Red,
    #[pack(name = "blue green")]
    BlueGreen,
    Green,
}

#[derive(Pack, PartialEq, Debug, Clone)]
struct Circle {
    r: f64,
}

#[derive(Pack, PartialEq, Debug, Clone)]
enum Shape {
    Square { side: i32, names: Vec<String> },
    Nothing,
    Circle(Circle),
}

#[derive(Pack, PartialEq, Debug, Clone)]
struct Meters(f64);

#[derive(Pack, PartialEq, Debug)]
struct All {
    flag: bool,
    maybe: Option<bool>,
    a: i8,
    b: u64,
    c: f32,
    d: Meters,
    big: BigInt,
    dec: Decimal,
    bytes: Bytes,
    id: Uuid,
    date: Date,
    time: Time,
    at: Timestamp,
    took: Duration,
    color: Color,
    shapes: Vec<Shape>,
    set: BTreeSet<String>,
    map: Map<Color, Option<String>>,
    pair: (bool, String),
    #[pack(name = "type")]
    r#type: Any,
}

fn all() -> All {
    All {
        flag: true,
        maybe: Some(false),
        a: -1,
        b: u64::MAX,
        c: 1.5,
        d: Meters(-0.0),
        big: "123456789012345678901234567890".parse().unwrap(),
        dec: Decimal::new(100, 2),
        bytes: Bytes(vec![1, 2]),
        id: Uuid([7; 16]),
        date: Date::from_days(-1).unwrap(),
        time: Time::from_nanos(5).unwrap(),
        at: Timestamp::new(-1, 500_000_000).unwrap(),
        took: Duration::new(3, 1).unwrap(),
        color: Color::Green,
        shapes: vec![
            Shape::Nothing,
            Shape::Square { side: 3, names: vec!["ab".into(), "ab".into()] },
            Shape::Circle(Circle { r: 2.0 }),
        ],
        set: ["z", "\u{ffff}", "\u{10000}"].map(String::from).into(),
        map: vec![(Color::Red, None), (Color::BlueGreen, Some("日本".into()))].try_into().unwrap(),
        pair: (true, "é".into()),
        r#type: Any::Map(vec![
            (Any::Int(5), Any::List(vec![Any::Null, Any::Bool(true), Any::F64(0.5)])),
            (Any::Int(-5), Any::Map(vec![(Any::String("ab".into()), Any::I32s(vec![-5; 20]))])),
        ]),
    }
}

#[test]
fn every_type_in_one_struct() {
    let schema = "struct All { flag: bool, maybe: option<bool>, a: i8, b: u64, c: f32, d: f64, big: bigint, dec: decimal, \
        \"bytes\": bytes, id: uuid, \"date\": date, \"time\": time, at: timestamp, took: duration, \
        color: enum Color { Green, Red, \"blue green\" }, \
        shapes: list<union { struct Circle { r: f64 }, struct Nothing {}, struct Square { side: i32, names: list<string> } }>, \
        \"set\": set<string>, \"map\": map<Color, option<string>>, pair: tuple<bool, string>, type: any }";
    round_trip(schema, &all());
    let codec = Codec::<All>::new();
    // Set keys are ordered by UTF-16 units: the pair of surrogates comes first.
    let bytes = codec.encode(&all()).unwrap();
    let wide: Vec<u8> = "\u{10000}\u{ffff}".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert!(bytes.windows(wide.len()).any(|window| window == wide));
}

#[test]
fn recursive_structs_share_dedup_slots_and_count_depth() {
    let leaf = |name: &str| Node { name: name.into(), kids: vec![], next: None };
    let tree = Node { name: "root".into(), kids: vec![leaf("ab"), leaf("ab")], next: Some(Box::new(leaf("root"))) };
    let schema = "struct Node { name: string, kids: list<Node>, next: option<Node> }";
    let bytes = round_trip(schema, &tree);
    assert_eq!(&bytes[4..10], b"rootab");

    let mut deep = leaf("x");
    for _ in 1..64 {
        deep = Node { kids: vec![deep], ..leaf("x") };
    }
    round_trip(schema, &deep);
    let codec = Codec::<Node>::new();
    let deeper = Node { kids: vec![deep], ..leaf("x") };
    let error = codec.encode(&deeper).unwrap_err();
    assert_eq!(error.code, Code::LimitDepth);
    assert_eq!(error.path.unwrap(), format!("${}", ".kids[0]".repeat(64)));
    let raised = Codec::<Node>::new().limits(Limits { depth: 65, ..Limits::DEFAULT });
    let error = codec.decode(&raised.encode(&deeper).unwrap()).unwrap_err();
    assert_eq!(error.code, Code::LimitDepth);
    assert_eq!(error.path.unwrap(), format!("${}", ".kids[0]".repeat(64)));
}

#[test]
fn plain_roots() {
    round_trip("bool", &true);
    round_trip("option<bool>", &Some(false));
    round_trip("option<string>", &None::<String>);
    round_trip("list<bool>", &vec![true; 17]);
    round_trip("list<option<bool>>", &vec![Some(true), None, Some(false)]);
    round_trip("list<tuple<bool, option<i32>>>", &vec![(true, Some(-5)), (false, None)]);
    round_trip("map<bool, string>", &Map::try_from(vec![(true, "a".to_owned()), (false, "b".into())]).unwrap());
    round_trip("map<i32, list<f64>>", &(0..40).map(|i| (i, vec![f64::from(i)])).collect::<BTreeMap<_, _>>());
    round_trip("map<string, u16>", &HashMap::from([("a".to_owned(), 1u16), ("b".into(), 2)]));
    round_trip("set<i64>", &(0..40i64).map(|i| i * i - 100).collect::<HashSet<_>>());
    round_trip("set<enum Color { Green, Red, \"blue green\" }>", &BTreeSet::from([Color::Red, Color::BlueGreen]));
    round_trip("list<u8>", &vec![1u8, 2, 3]);
    round_trip("string", &"é".repeat(200));
    round_trip("string", &"日".repeat(200));
    round_trip("any", &Any::List(vec![Any::BigInt(BigInt::from(1i128 << 100)), Any::Uuid(Uuid([1; 16]))]));
}

#[derive(Pack, PartialEq, Debug, Clone)]
struct Book<'a> {
    id: &'a str,
    name: Cow<'a, str>,
    cover: BytesRef<'a>,
    year: i32,
}

#[test]
fn borrowed_decoding_of_any_text() {
    // One codec for all lifetimes.
    static CODEC: std::sync::LazyLock<Codec<Vec<Book<'static>>>> = std::sync::LazyLock::new(Codec::new);
    let mut scratch = Scratch::new();
    for names in [["Carrie", "Carrie", "x"], ["Böögeyman", "Böögeyman", "ASCII"], ["日本", "日本", "é"]] {
        let books: Vec<_> =
            names.map(|name| Book { id: "1001", name: name.into(), cover: BytesRef(&[1]), year: 1974 }).into();
        let bytes = CODEC.encode(&books).unwrap();
        let back = CODEC.decode_borrowed(&bytes, &mut scratch).unwrap();
        assert_eq!(back, books);
        let range = bytes.as_ptr_range();
        assert!(back.iter().all(|book| range.contains(&book.id.as_ptr()) && range.contains(&book.cover.as_ptr())));
        assert!(matches!(back[0].name, Cow::Borrowed(_)));
        let resolved = CODEC.resolve(CODEC.schema().text()).unwrap();
        assert_eq!(resolved.decode_borrowed(&bytes, &mut scratch).unwrap(), books);
    }
}

#[test]
fn numbers_in_place() {
    let codec = Codec::<Cow<'static, [f64]>>::new();
    let values: Vec<f64> = (0..100).map(f64::from).collect();
    let bytes = codec.encode(&Cow::Borrowed(&values)).unwrap();
    let mut scratch = Scratch::new();
    let back = codec.decode_borrowed(&bytes, &mut scratch).unwrap();
    assert_eq!(back, values);
    assert_eq!(matches!(back, Cow::Borrowed(_)), bytes.as_ptr() as usize % 8 == 0);
    let ints: Cow<'static, [i32]> = (0..100).collect();
    let codec = Codec::<Cow<'static, [i32]>>::new();
    let packed = codec.encode(&ints).unwrap();
    assert_eq!(codec.decode_borrowed(&packed, &mut scratch).unwrap(), ints);
}

#[test]
fn shared_structs_keep_identity() {
    let circle = Rc::new(Circle { r: 1.0 });
    let schema = "list<ref<struct Circle { r: f64 }>>";
    let value = vec![circle.clone(), Rc::new(Circle { r: 1.0 }), circle];
    round_trip(schema, &value);
    let codec = Codec::<Vec<Rc<Circle>>>::new();
    let back = codec.decode(&codec.encode(&value).unwrap()).unwrap();
    assert!(Rc::ptr_eq(&back[0], &back[2]) && !Rc::ptr_eq(&back[0], &back[1]));
    // One struct behind two kinds of pointer: the bytes are right, this type cannot hold them.
    let both = Codec::<(Vec<Rc<Circle>>, Vec<Arc<Circle>>)>::new();
    let bytes = Codec::<(Vec<Rc<Circle>>, Vec<Rc<Circle>>)>::new()
        .encode(&(vec![value[0].clone()], vec![value[0].clone()]))
        .unwrap();
    assert_eq!(both.decode(&bytes).unwrap_err().code, Code::TypeMismatch);
}

mod old {
    use super::*;

    #[derive(Pack, Clone, PartialEq, Debug)]
    pub struct Item {
        pub gone: Vec<Rc<Part>>,
        pub name: String,
        pub count: u8,
        pub part: Rc<Part>,
        pub kind: Kind,
        pub flags: Vec<bool>,
        pub numbers: Vec<i16>,
        pub more: BTreeSet<u16>,
    }

    #[derive(Pack, Clone, PartialEq, Debug)]
    pub struct Part {
        pub long: String,
        pub title: String,
        pub inner: Option<Rc<Part>>,
    }

    #[derive(Pack, Clone, Copy, PartialEq, Debug)]
    pub enum Kind {
        New,
        Old,
        Lost,
    }
}

mod new {
    use super::*;

    #[derive(Pack, Clone, PartialEq, Debug)]
    pub struct Item {
        pub kind: Kind,
        pub part: Rc<Part>,
        pub name: String,
        pub count: Option<i64>,
        #[pack(default)]
        pub extra: u32,
        #[pack(default = "none".to_owned())]
        pub note: String,
        pub maybe: Option<String>,
        pub flags: Vec<Option<bool>>,
        pub numbers: Vec<Option<BigInt>>,
        pub more: BTreeSet<i32>,
        pub far: Box<Option<u8>>,
    }

    #[derive(Pack, Clone, PartialEq, Debug)]
    pub struct Part {
        pub title: String,
        pub long: String,
        pub inner: Option<Rc<Part>>,
    }

    #[derive(Pack, Clone, Copy, PartialEq, Debug)]
    pub enum Kind {
        Old,
        Fresh,
        New,
    }
}

#[test]
fn resolves_another_version_of_a_type() {
    let part = |title: &str, inner| Rc::new(old::Part { long: "é".repeat(100), title: title.into(), inner });
    let inner = part("innér", None);
    let outer = part("outér", Some(inner.clone()));
    let item = old::Item {
        gone: vec![inner.clone(), outer.clone(), outer.clone()],
        name: "innér".into(),
        count: 200,
        part: outer,
        kind: old::Kind::Old,
        flags: vec![true, false],
        numbers: (0..20).collect(),
        more: [1, 5].into(),
    };
    let writer = Codec::<Vec<old::Item>>::new();
    let reader = Codec::<Vec<new::Item>>::new();
    let decoder = reader.resolve(writer.schema().text()).unwrap();
    let bytes = writer.encode(&vec![item.clone(), item.clone()]).unwrap();
    let back = decoder.decode(&bytes).unwrap();
    assert_eq!(back.len(), 2);
    let first = &back[0];
    assert_eq!((first.name.as_str(), first.count, first.extra, first.note.as_str()), ("innér", Some(200), 0, "none"));
    assert_eq!((first.kind, first.maybe.clone(), *first.far), (new::Kind::Old, None, None));
    assert_eq!(first.flags, [Some(true), Some(false)]);
    assert_eq!(first.numbers[19], Some(BigInt::from(19)));
    assert_eq!(first.more, [1, 5].into());
    assert_eq!((first.part.title.as_str(), first.part.long.chars().count()), ("outér", 100));
    assert_eq!(first.part.inner.as_ref().unwrap().title, "innér");
    // What was skipped, read again and read directly is one struct.
    assert!(Rc::ptr_eq(&back[0].part, &back[1].part));

    let lost = writer.encode(&vec![item.clone(), old::Item { kind: old::Kind::Lost, ..item }]).unwrap();
    let error = decoder.decode(&lost).unwrap_err();
    assert_eq!((error.code, error.path.as_deref()), (Code::SchemaMismatch, Some("$[1].kind")));
    assert_eq!(decoder.decode(&lost[..lost.len() - 1]).unwrap_err(), error, "before what is wrong behind it");
    for cut in 0..bytes.len() {
        let error = decoder.decode(&bytes[..cut]).unwrap_err();
        assert_eq!((error.code, error.at), (Code::Truncated, Some(cut)));
    }
    let error = reader.resolve("list<struct Item { name: i8 }>").err().unwrap();
    assert_eq!((error.code, error.path.as_deref()), (Code::SchemaMismatch, Some("$[].kind")));
}

/// Structs that are skipped at first, one within the other, and read from the innermost on.
mod nested {
    use super::*;

    #[derive(Pack)]
    pub struct Inner {
        pub sign: String,
    }
    #[derive(Pack)]
    pub struct Middle {
        pub inner: Rc<Inner>,
        pub sign: String,
        pub other: Rc<Inner>,
    }
    #[derive(Pack)]
    pub struct Outer {
        pub first: Rc<Inner>,
        pub middle: Rc<Middle>,
        pub sign: String,
    }
    #[derive(Pack)]
    #[pack(name = "Item")]
    pub struct Old {
        pub gone: Rc<Outer>,
        pub inner: Rc<Inner>,
        pub other: Rc<Inner>,
        pub middle: Rc<Middle>,
        pub outer: Rc<Outer>,
        pub last: Vec<String>,
    }
    #[derive(Pack)]
    #[pack(name = "Item")]
    pub struct New<'a> {
        pub inner: Rc<Inner>,
        pub other: Rc<Inner>,
        pub middle: Rc<Middle>,
        pub outer: Rc<Outer>,
        pub last: Vec<&'a str>,
    }
    #[derive(Pack)]
    #[pack(name = "Item")]
    pub struct Mixed {
        pub inner: Arc<Inner>,
        pub middle: Rc<Middle>,
    }

    pub fn message(text: &str) -> (Codec<Old>, Vec<u8>) {
        let writer = Codec::<Old>::new();
        let inner = |text: &str| Rc::new(Inner { sign: text.into() });
        let (first, other) = (inner(text), inner(text));
        let middle = Rc::new(Middle { inner: inner(text), sign: text.into(), other: other.clone() });
        let outer = Rc::new(Outer { first, middle: middle.clone(), sign: text.into() });
        // Numbered texts behind them, one of them by its number.
        let last = ["éé", "日日", "éé"].map(String::from).into();
        let item = Old { gone: outer.clone(), inner: middle.inner.clone(), other, middle, outer, last };
        let bytes = writer.encode(&item).unwrap();
        (writer, bytes)
    }
}

#[test]
fn a_struct_within_skipped_ones_is_read_once_and_its_texts_fit_in_the_scratch() {
    let mut scratch = Scratch::new();
    for text in ["é", "日", &"é".repeat(100), &"日本".repeat(40), &"é".repeat(100_000)] {
        let (writer, bytes) = nested::message(text);
        let decoder = Codec::<nested::New>::new().resolve(writer.schema().text()).unwrap();
        let back = decoder.decode_borrowed(&bytes, &mut scratch).unwrap();
        let signs = [&back.inner.sign, &back.other.sign, &back.middle.sign, &back.outer.sign, &back.outer.first.sign];
        assert_eq!(signs, [text; 5]);
        assert!(Rc::ptr_eq(&back.inner, &back.middle.inner) && Rc::ptr_eq(&back.other, &back.middle.other));
        assert!(Rc::ptr_eq(&back.middle, &back.outer.middle));
        assert_eq!(back.last, ["éé", "日日", "éé"]);
    }
}

#[test]
fn a_struct_within_skipped_ones_cannot_be_read_as_another_native_type() {
    let (writer, bytes) = nested::message("é");
    let decoder = Codec::<nested::Mixed>::new().resolve(writer.schema().text()).unwrap();
    let error = decoder.decode(&bytes).err().unwrap();
    assert_eq!((error.code, error.path.as_deref()), (Code::TypeMismatch, Some("$.middle.inner")));
}

#[test]
fn chains_of_skipped_structs_do_not_exhaust_the_stack() {
    #[derive(Pack)]
    struct Link {
        before: Option<Rc<Link>>,
    }
    #[derive(Pack)]
    struct Old {
        links: Vec<Rc<Link>>,
        last: Rc<Link>,
    }
    mod short {
        #[derive(super::Pack)]
        pub struct Link {
            pub before: Option<std::rc::Rc<Link>>,
        }
        #[derive(super::Pack)]
        #[pack(name = "Old")]
        pub struct New {
            pub last: std::rc::Rc<Link>,
        }
    }
    let mut links = vec![Rc::new(Link { before: None })];
    for i in 0..1000 {
        links.push(Rc::new(Link { before: Some(links[i].clone()) }));
    }
    let writer = Codec::<Old>::new();
    let decoder = Codec::<short::New>::new().resolve(writer.schema().text()).unwrap();
    let few = Old { last: links[60].clone(), links: links[..61].to_vec() };
    let mut length = 0;
    let mut link = Some(decoder.decode(&writer.encode(&few).unwrap()).unwrap().last);
    while let Some(before) = link {
        length += 1;
        link = before.before.clone();
    }
    assert_eq!(length, 61);
    let many = Old { last: links[1000].clone(), links };
    assert_eq!(decoder.decode(&writer.encode(&many).unwrap()).err().unwrap().code, Code::LimitDepth);
}

#[test]
fn errors_of_values_name_their_path() {
    let codec = Codec::<Map<String, Vec<Any>>>::new();
    let floats = Any::Map(vec![(Any::F64(0.5), Any::Null)]);
    let value = Map::try_from(vec![("a".to_owned(), vec![]), ("b".to_owned(), vec![Any::Null, floats])]).unwrap();
    let error = codec.encode(&value).unwrap_err();
    assert_eq!((error.code, error.path.unwrap().as_str()), (Code::TypeMismatch, "$[1].value[1][0].key"));
    let mut out = vec![1];
    assert!(codec.encode_into(&value, &mut out).is_err());
    assert_eq!(out, [1]);
    let small = Codec::<String>::new().limits(Limits { frame_bytes: 3, ..Limits::DEFAULT });
    assert_eq!(small.encode(&"a".to_owned()).unwrap_err().code, Code::LimitSize);
    assert_eq!(small.encode_chunks(&"a".to_owned(), 9).err().unwrap().code, Code::LimitSize);
    assert_eq!(codec.encode_chunks(&Map::default(), 0).err().unwrap().code, Code::Misuse);
}

#[test]
fn encodes_after_an_error() {
    let codec = Codec::<Vec<Any>>::new().limits(Limits { frame_bytes: 1000, ..Limits::DEFAULT });
    let mut encoder = codec.encoder();
    let bad = Any::Map(vec![(Any::F64(0.5), Any::Null)]);
    let mut deep = Any::Null;
    for _ in 0..65 {
        deep = Any::List(vec![deep]);
    }
    let long = Any::List(vec![Any::List(vec![]), Any::Bytes(Bytes(vec![0; 1001])), Any::List(vec![])]);
    let cases = [
        (vec![Any::List(vec![bad.clone()])], Code::TypeMismatch, "$[0][0][0].key".to_owned()),
        (vec![long], Code::LimitSize, "$".to_owned()),
        (vec![Any::Null, deep], Code::LimitDepth, format!("$[1]{}", "[0]".repeat(64))),
        (vec![bad], Code::TypeMismatch, "$[0][0].key".to_owned()),
    ];
    let good = vec![Any::List(vec![Any::String("ab".into())]); 3];
    let bytes = codec.encode(&good).unwrap();
    for (value, code, path) in &cases {
        for error in [codec.encode(value).unwrap_err(), encoder.encode(value).unwrap_err()] {
            assert_eq!((error.code, error.path.as_ref()), (*code, Some(path)));
        }
        assert_eq!(encoder.encode(&good).unwrap(), bytes);
    }
}

#[test]
fn keys_of_maps_in_any_are_strings_and_integers_of_64_bits() {
    let codec = Codec::<Any>::new();
    let beyond = BigInt::from(1i128 << 63);
    let forbidden = [
        Any::Null,
        Any::Bool(true),
        Any::BigInt(beyond),
        Any::F64(1.0),
        Any::Bytes(Bytes::default()),
        Any::List(vec![]),
        Any::Map(vec![]),
        Any::Time(Time::default()),
        Any::U64s(vec![1]),
    ];
    for key in forbidden {
        let map = Any::Map(vec![(Any::Int(1), Any::Null), (key.clone(), Any::Null)]);
        let error = codec.encode(&Any::List(vec![map])).unwrap_err();
        assert_eq!((error.code, error.path.as_deref()), (Code::TypeMismatch, Some("$[0][1].key")), "{key:?}");
    }
    let map = |keys: &[Any]| Any::Map(keys.iter().map(|key| (key.clone(), Any::Null)).collect());
    let integers = [Any::Int(5), Any::Int(i64::MIN), Any::Int(i64::MAX)];
    let texts = [Any::String("5".into()), Any::String(String::new())];
    for keys in [&integers[..], &texts] {
        assert_eq!(codec.decode(&codec.encode(&map(keys)).unwrap()).unwrap(), map(keys));
    }
    for (mut keys, other) in [(integers.to_vec(), &texts[0]), (texts.to_vec(), &integers[0])] {
        let path = format!("$[{}].key", keys.len());
        keys.extend([other.clone(), Any::Null]);
        let error = codec.encode(&map(&keys)).unwrap_err();
        assert_eq!((error.code, error.path.as_deref()), (Code::TypeMismatch, Some(path.as_str())));
        assert!(error.text.contains("write the integers as strings, or use two maps"), "{error}");
    }
    let small = Any::BigInt(BigInt::from(5));
    assert_eq!(codec.encode(&map(std::slice::from_ref(&small))).unwrap(), codec.encode(&map(&integers[..1])).unwrap());
    let error = codec.encode(&map(&[Any::Int(5), small])).unwrap_err();
    assert_eq!((error.code, error.path.as_deref()), (Code::TypeMismatch, Some("$")));
}

#[test]
fn a_digest_can_be_left_out_again() {
    let plain = Codec::<i8>::new().check(false);
    let carried = Codec::<i8>::new().check(false).digest(true);
    assert_eq!(carried.encode(&1).unwrap().len(), plain.encode(&1).unwrap().len() + 8);
    assert_eq!(carried.digest(false).encode(&1).unwrap(), plain.encode(&1).unwrap());
}

#[test]
fn types_without_a_schema() {
    fn misuse<T: Pack>() -> bool {
        Codec::<T>::try_new().is_err_and(|error| error.code == Code::Misuse)
    }
    #[derive(Pack)]
    struct Empty {}
    mod other {
        #[derive(samewire_pack::Pack)]
        pub struct Circle {
            pub r: i8,
        }
    }
    assert!(misuse::<Option<Option<i8>>>());
    assert!(misuse::<Vec<Empty>>());
    assert!(misuse::<(Circle, other::Circle)>());
    assert!(!misuse::<(Circle, Circle)>());
}

#[test]
fn codecs_are_shared_between_threads() {
    let codec = Codec::<Vec<Node>>::new();
    let value = vec![Node { name: "ab".repeat(20), kids: vec![], next: None }; 50];
    let expected = codec.encode(&value).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..50 {
                    assert_eq!(codec.encode(&value).unwrap(), expected);
                    assert_eq!(codec.decode(&expected).unwrap(), value);
                }
            });
        }
    });
}
