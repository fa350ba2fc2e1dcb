//! Columns of derived types (`spec/columns.md`): what is written comes back, whatever the types, and also from another schema.

use samewire_pack::{
    Any, BigInt, Bytes, Code, Codec, Date, Decimal, Duration, Limits, Map, Pack, Profile, Scratch, Time, Timestamp,
    Uuid,
};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

const ROWS: usize = if cfg!(miri) { 140 } else { 160 };

#[derive(Pack, Clone, Debug, PartialEq)]
struct Point {
    x: i8,
    y: Option<u16>,
}

#[derive(Pack, Clone, Debug, PartialEq)]
enum Suit {
    Clubs,
    Hearts,
    Spades,
}

#[derive(Pack, Clone, Debug, PartialEq)]
enum Shape {
    Dot(Point),
    Line { points: Vec<Point> },
    Nothing,
}

#[derive(Pack, Clone, Debug, PartialEq, Default)]
struct Tree {
    name: String,
    kids: Vec<Tree>,
    next: Option<Box<Tree>>,
}

#[derive(Pack, Clone, Debug, PartialEq)]
struct Meters(f64);

#[derive(Pack, Clone, Debug, PartialEq)]
struct Row {
    id: i64,
    on: bool,
    at: Timestamp,
    name: String,
    tags: Vec<String>,
    price: f64,
    maybe: Option<f64>,
    perhaps: Option<bool>,
    suit: Suit,
    point: Option<Point>,
    boxed: Box<Point>,
    key: Uuid,
    raw: Bytes,
    by_name: BTreeMap<String, i32>,
    hashed: HashMap<u16, bool>,
    pairs: Map<Suit2, Point>,
    numbers: BTreeSet<u8>,
    pair: (f32, Date),
    big: BigInt,
    decimal: Decimal,
    open: Any,
    shape: Shape,
    took: Duration,
    clock: Time,
    tree: Tree,
    shared: Rc<Tree>,
    meters: Meters,
    grid: Vec<Vec<i32>>,
    lines: Vec<Point>,
    nested: Option<Vec<Option<Point>>>,
}

#[derive(Pack, Clone, Debug, PartialEq)]
enum Suit2 {
    Diamonds,
    Trumps,
}

fn row(i: usize, shared: &Rc<Tree>) -> Row {
    let n = i as i64;
    let point = Point { x: (i % 100) as i8, y: (i % 3 == 0).then_some(i as u16) };
    let tree = Tree { name: format!("tree {}", i % 2), kids: vec![Tree::default(); i % 3], next: None };
    Row {
        id: 1_000_000_000_000 + 3 * n,
        on: i % 3 == 0,
        at: Timestamp::new(1_700_000_000 + n, (i % 1000) as u32 * 1_000_000).unwrap(),
        name: ["al", "bö", "日本語"].get(i % 4).map_or_else(|| format!("x{i}"), |name| (*name).into()),
        tags: (0..i % 4).map(|j| format!("tag {j}")).collect(),
        price: (i * 37 % 1000) as f64 / 100.0,
        maybe: (i % 2 == 0).then(|| (n as f64 + 0.5).sqrt()),
        perhaps: [None, Some(false), Some(true)][i % 3],
        suit: [Suit::Clubs, Suit::Hearts, Suit::Spades][i % 3].clone(),
        point: (i % 5 == 0).then(|| point.clone()),
        boxed: Box::new(point.clone()),
        key: Uuid([i as u8; 16]),
        raw: Bytes(vec![7; i % 3]),
        by_name: (0..i % 3).map(|j| (format!("k{j}"), n as i32)).collect(),
        hashed: (0..i % 3).map(|j| (j as u16, j % 2 == 0)).collect(),
        pairs: Map::try_from(vec![(Suit2::Trumps, point.clone()), (Suit2::Diamonds, point.clone())]).unwrap(),
        numbers: (0..(i % 4) as u8).collect(),
        pair: (n as f32 / 3.0, Date::from_days(20_000 + n as i32).unwrap()),
        big: BigInt::from(i128::from(n) << 64),
        decimal: Decimal::new(i128::from(n), 2),
        open: [Any::Null, Any::Int(n), Any::String("any".into())][i % 3].clone(),
        shape: [Shape::Dot(point.clone()), Shape::Line { points: vec![point.clone(); i % 70] }, Shape::Nothing][i % 3]
            .clone(),
        took: Duration::new(-n, 5_000).unwrap(),
        clock: Time::from_nanos(i as u64 * 1_000_000_000).unwrap(),
        tree,
        shared: if i % 2 == 0 { shared.clone() } else { Rc::new(Tree::default()) },
        meters: Meters(n as f64),
        grid: (0..i % 3).map(|j| vec![n as i32; j]).collect(),
        lines: vec![point.clone(); i % 3],
        nested: (i % 4 == 0).then(|| vec![None, Some(point)]),
    }
}

fn rows() -> Vec<Row> {
    let shared = Rc::new(Tree { name: "shared".into(), ..Tree::default() });
    (0..ROWS).map(|i| row(i, &shared)).collect()
}

fn codec<T: Pack>() -> Codec<T> {
    Codec::<T>::new()
}

fn in_rows<T: Pack>(value: &T) -> Vec<u8> {
    Codec::<T>::new().profile(Profile::Fast).encode(value).unwrap()
}

#[test]
fn every_type_comes_back_from_columns() {
    let rows = rows();
    let bytes = codec().encode(&rows).unwrap();
    assert!(bytes.len() < in_rows(&rows).len());
    assert_eq!(Codec::<Vec<Row>>::new().decode(&bytes).unwrap(), rows);
    assert_eq!(codec().encode(&rows).unwrap(), bytes);
    let schema = codec::<Vec<Row>>().schema().text().to_owned();
    assert_eq!(Codec::<Vec<Row>>::new().resolve(&schema).unwrap().decode(&bytes).unwrap(), rows);
}

#[test]
fn prefixes_and_mutants_are_refused_or_read() {
    let bytes = codec().encode(&rows()).unwrap();
    let codec = Codec::<Vec<Row>>::new();
    let resolved = codec.resolve(codec.schema().text()).unwrap();
    for end in (0..bytes.len()).step_by(if cfg!(miri) { 4001 } else { 311 }) {
        let error = codec.decode(&bytes[..end]).unwrap_err();
        assert_eq!((error.code, error.at), (Code::Truncated, Some(end)));
        assert_eq!(resolved.decode(&bytes[..end]).unwrap_err(), error);
    }
    let (mut state, mut refused) = (1u64, 0);
    for _ in 0..if cfg!(miri) { 5 } else { 150 } {
        let mut mutant = bytes.clone();
        for _ in 0..2 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let place = (state >> 33) as usize % mutant.len();
            mutant[place] = (state >> 24) as u8;
        }
        match (codec.decode(&mutant), resolved.decode(&mutant)) {
            (Ok(_), Ok(_)) => {}
            (Err(plain), Err(other)) => {
                assert_eq!((plain.code, plain.at, plain.path), (other.code, other.at, other.path));
                refused += 1;
            }
            (plain, other) => panic!("{:?}, resolved {:?}", plain.err(), other.err()),
        }
    }
    assert!(refused > 1);
}

#[derive(Pack, Debug, PartialEq)]
#[pack(name = "Row")]
struct Fewer {
    tags: Vec<String>,
    #[pack(default = 7)]
    fresh: i16,
    id: BigInt,
    lines: Vec<FewerPoint>,
    more: Option<String>,
    maybe: Option<f64>,
}

#[derive(Pack, Debug, PartialEq)]
#[pack(name = "Point")]
struct FewerPoint {
    x: i32,
}

#[test]
fn a_reader_skips_widens_and_fills_in() {
    let rows = rows();
    let bytes = codec().encode(&rows).unwrap();
    let decoder = Codec::<Vec<Fewer>>::new().resolve(codec::<Vec<Row>>().schema().text()).unwrap();
    for (row, read) in rows.iter().zip(decoder.decode(&bytes).unwrap()) {
        let lines = row.lines.iter().map(|point| FewerPoint { x: point.x.into() }).collect();
        let (tags, id) = (row.tags.clone(), BigInt::from(i128::from(row.id)));
        assert_eq!(read, Fewer { tags, fresh: 7, id, lines, more: None, maybe: row.maybe });
    }
}

#[test]
fn maps_and_tuples_are_columnar_too() {
    let map: BTreeMap<String, (i32, Suit)> = (0..100).map(|i| (format!("k{i:03}"), (i, Suit::Hearts))).collect();
    let bytes = codec().encode(&map).unwrap();
    assert!(bytes.len() < in_rows(&map).len());
    assert_eq!(codec::<BTreeMap<String, (i32, Suit)>>().decode(&bytes).unwrap(), map);
    let wider = Codec::<BTreeMap<String, (i64, Option<Suit>)>>::new();
    let read = wider.resolve(codec::<BTreeMap<String, (i32, Suit)>>().schema().text()).unwrap().decode(&bytes).unwrap();
    assert_eq!(read.len(), 100);
    assert_eq!(read["k007"], (7, Some(Suit::Hearts)));
}

#[test]
fn back_references_need_the_bit_of_the_header() {
    let rows: Vec<(String, String)> = (0..100).map(|i| (format!("name {i}"), format!("name {}", i / 2))).collect();
    let mut bytes = codec().encode(&rows).unwrap();
    assert_eq!(bytes[0] & 4, 4, "REFS");
    bytes[0] &= !4;
    let codec = codec::<Vec<(String, String)>>();
    for error in [codec.decode(&bytes).err(), codec.resolve(codec.schema().text()).unwrap().decode(&bytes).err()] {
        assert_eq!(error.map(|error| error.code), Some(Code::Malformed));
    }
}

#[test]
fn short_lists_stay_rows() {
    let encoded = |count: i32| codec().encode(&(0..count).map(|i| (i, -i)).collect::<Vec<(i32, i32)>>()).unwrap();
    // The count, which carries 2^31 if columns follow.
    assert_eq!(encoded(63)[3], 63);
    assert_eq!(encoded(64)[3..8], [0xc0, 0x80, 0x80, 0x80, 0x08]);
    let trees = codec().encode(&vec![Tree::default(); 300]).unwrap();
    assert_eq!(trees[3..5], [0xac, 0x02]);
}

#[derive(Pack, Debug, PartialEq)]
struct Borrowed<'a> {
    name: &'a str,
    raw: samewire_pack::BytesRef<'a>,
}

#[test]
fn texts_and_bytes_borrow_from_columns() {
    let rows: Vec<Borrowed> =
        (0..100).map(|i| Borrowed { name: ["north", "größe"][i % 2], raw: samewire_pack::BytesRef(b"raw") }).collect();
    let bytes = codec().encode(&rows).unwrap();
    let mut scratch = Scratch::new();
    let read = Codec::<Vec<Borrowed>>::new().decode_borrowed(&bytes, &mut scratch).unwrap();
    assert_eq!(read, rows);
    let within = |place: *const u8| bytes.as_ptr_range().contains(&place);
    assert!(within(read[0].name.as_ptr()) && within(read[0].raw.as_ptr()));
}

#[test]
fn a_long_text_of_a_dictionary_is_not_copied_without_bound() {
    #[derive(Pack)]
    struct Line {
        text: String,
    }
    let text = "long ".repeat(20_000);
    let bytes = codec().encode(&vec![text; 4000].into_iter().map(|text| Line { text }).collect::<Vec<_>>()).unwrap();
    assert!(bytes.len() < 110_000);
    let limits = Limits { cells: 1 << 20, ..Limits::DEFAULT };
    let error = Codec::<Vec<Line>>::new().limits(limits).decode(&bytes).err().unwrap();
    assert_eq!((error.code, error.path.as_deref()), (Code::LimitItems, Some("$[].text")));
}

#[test]
fn errors_of_writing_have_the_path_of_the_column() {
    let deep = (0..9).fold(Tree::default(), |tree, _| Tree { kids: vec![tree], ..Tree::default() });
    let rows: Vec<(i32, Option<Tree>)> = (0..80).map(|i| (i, (i == 70).then(|| deep.clone()))).collect();
    let error = codec().limits(Limits { depth: 4, ..Limits::DEFAULT }).encode(&rows).unwrap_err();
    assert_eq!(error.code, Code::LimitDepth);
    assert_eq!(error.path.as_deref(), Some("$[][1].kids[0].kids[0].kids[0].kids[0]"));
}
