//! Writers count items and cells as readers do: what one refuses under some limits the other refuses.

use samewire_pack::{
    Any, BigInt, Bytes, Code, Codec, Date, Decimal, Duration, Error, Limits, Map, Pack, Profile, Time, Timestamp,
    Unpack, Uuid,
};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::rc::Rc;

#[derive(Pack, Clone, Debug, PartialEq)]
struct Point {
    x: i32,
    y: Option<u16>,
}

#[derive(Pack, Clone, Debug, PartialEq)]
enum Shape {
    Dot(Point),
    Line { points: Vec<Point> },
    Group(Tree),
    Nothing,
}

#[derive(Pack, Clone, Debug, PartialEq, Default)]
struct Tree {
    name: String,
    kids: Vec<Tree>,
    next: Option<Box<Tree>>,
}

#[derive(Pack, Clone, Debug, PartialEq)]
struct Place {
    key: Uuid,
    at: Timestamp,
    point: Option<Point>,
    pair: (i64, Option<(u8, f32)>),
    raw: Bytes,
    tags: Vec<String>,
    counts: BTreeMap<String, Vec<u32>>,
    sets: BTreeSet<i16>,
    price: Decimal,
    took: Duration,
    big: BigInt,
    open: Any,
    shape: Shape,
    shared: Rc<Point>,
    points: HashMap<u8, Point>,
}

fn point(i: usize) -> Point {
    Point { x: i as i32, y: (i % 3 == 0).then_some(i as u16) }
}

fn tree(depth: usize) -> Tree {
    let kids = if depth == 0 { Vec::new() } else { (0..depth).map(tree).collect() };
    Tree { name: format!("tree {depth}"), kids, next: (depth > 1).then(|| Box::new(tree(depth - 2))) }
}

fn any(i: usize) -> Any {
    let decimal = Any::Decimal(Decimal::new(i as i128, 2));
    let list = vec![Any::Null, Any::Int(i as i64), Any::Bytes(Bytes(vec![1; i % 5])), decimal.clone()];
    [
        Any::Map(vec![("a".to_string().into_any(), Any::List(list.clone())), ("b".to_string().into_any(), decimal)]),
        Any::I64s((0..i as i64).collect()),
        Any::F64s(vec![0.5; i % 7]),
        Any::List(list),
        Any::String("text".into()),
    ][i % 5]
        .clone()
}

trait IntoAny {
    fn into_any(self) -> Any;
}

impl IntoAny for String {
    fn into_any(self) -> Any {
        Any::String(self)
    }
}

fn place(i: usize, shared: &Rc<Point>) -> Place {
    Place {
        key: Uuid([i as u8; 16]),
        at: Timestamp::new(i as i64, 5).unwrap(),
        point: (i % 2 == 0).then(|| point(i)),
        pair: (i as i64, (i % 3 == 1).then_some((1, 0.5))),
        raw: Bytes(vec![7; i % 9]),
        tags: vec!["tag".into(); i % 4],
        counts: (0..i % 3).map(|j| (format!("k{j}"), vec![j as u32; j])).collect(),
        sets: (0..i as i16 % 6).collect(),
        price: Decimal::new(i as i128, 3),
        took: Duration::new(1, 2).unwrap(),
        big: BigInt::from(1i128 << 70),
        open: any(i),
        shape: [
            Shape::Dot(point(i)),
            Shape::Line { points: vec![point(1); i % 70] },
            Shape::Group(tree(2)),
            Shape::Nothing,
        ][i % 4]
            .clone(),
        shared: if i % 2 == 0 { shared.clone() } else { Rc::new(point(i)) },
        points: (0..i % 3).map(|j| (j as u8, point(j))).collect(),
    }
}

/// The least limit under which `works`.
fn least(works: impl Fn(u64) -> bool) -> u64 {
    let (mut low, mut high) = (1, 1 << 24);
    assert!(works(high));
    while low < high {
        let middle = (low + high) / 2;
        if works(middle) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    low
}

fn cells(cells: u64) -> Limits {
    Limits { cells, ..Limits::DEFAULT }
}

fn items(items: u64) -> Limits {
    Limits { items, ..Limits::DEFAULT }
}

/// Writer and reader take the value under exactly the same limits, in both profiles.
fn agree<T: Pack + for<'x> Unpack<'x>>(value: &T) {
    for profile in [Profile::Compact, Profile::Fast] {
        let codec = |limits| Codec::<T>::new().profile(profile).limits(limits);
        let message = codec(Limits::DEFAULT).encode(value).unwrap();
        assert!(message.len() < 65_536, "what Rust's own types take beside the cells is free in a small message");
        for limits in [cells, items] {
            let read = least(|n| codec(limits(n)).decode(&message).is_ok());
            let written = least(|n| codec(limits(n)).encode(value).is_ok());
            assert_eq!(written, read, "{} in {profile:?}", codec(Limits::DEFAULT).schema().text());
            if read > 1 {
                let refused = codec(limits(read - 1)).encode(value).unwrap_err();
                assert_eq!(refused.code, Code::LimitItems);
            }
        }
    }
}

#[test]
fn values_without_elements() {
    agree(&7i32);
    agree(&true);
    agree(&"text".to_string());
    agree(&Bytes(vec![1; 100]));
    agree(&Decimal::new(5, 2));
    agree(&Some(5u8));
    agree(&None::<Point>);
    agree(&Some(point(3)));
    agree(&(1u8, "x".to_string(), None::<(u8, u8)>));
    agree(&(Date::from_days(3).unwrap(), Time::from_nanos(9).unwrap()));
    agree(&point(1));
    agree(&Shape::Nothing);
    agree(&Rc::new(point(1)));
}

#[test]
fn containers() {
    for n in [0, 1, 2, 15, 16, 64, 300] {
        agree(&(0..n).collect::<Vec<u32>>());
        agree(&vec![0.5f64; n as usize]);
        agree(&(0..n).map(|i| i % 2 == 0).collect::<Vec<bool>>());
        agree(&(0..n).map(|i| format!("text {i}")).collect::<Vec<_>>());
        agree(&(0..n).map(|i| vec![i; i as usize % 4]).collect::<Vec<_>>());
        agree(&(0..n).map(|i| (i % 2 == 0).then(|| vec![i; 3])).collect::<Vec<_>>());
        agree(&(0..n).collect::<BTreeSet<_>>());
        agree(&(0..n).map(|i| i.to_string()).collect::<HashSet<_>>());
        agree(&(0..n).map(|i| (i, i.to_string())).collect::<BTreeMap<_, _>>());
        agree(&(0..n).map(|i| (i.to_string(), Some(i))).collect::<HashMap<_, _>>());
        agree(&Map::try_from((0..n).map(|i| (i, point(i as usize))).collect::<Vec<_>>()).unwrap());
        agree(&(0..n).map(|i| (i, vec![point(1); 2])).collect::<BTreeMap<_, _>>());
        agree(&vec![Bytes(vec![1; 9]); n as usize]);
    }
}

#[test]
fn rows_and_columns() {
    for n in [0, 1, 2, 63, 64, 200] {
        agree(&(0..n).map(point).collect::<Vec<_>>());
        agree(&(0..n).map(|i| (i % 3 > 0).then(|| point(i))).collect::<Vec<_>>());
        agree(&(0..n).map(|i| (i as u8, (i % 3 > 0).then(|| point(i)))).collect::<Vec<_>>());
        agree(&(0..n).map(|i| (i as u8, vec![Some(point(i)); i % 3])).collect::<Vec<_>>());
        agree(
            &(0..n)
                .map(|i| (i as u8, [(i as u8, point(i))].into_iter().collect()))
                .collect::<Vec<(u8, BTreeMap<_, _>)>>(),
        );
        agree(&(0..n).map(|i| (i as u8, (0..i % 5).collect())).collect::<Vec<(u8, BTreeSet<_>)>>());
        agree(&(0..n).map(|i| tree(i % 3)).collect::<Vec<_>>());
        agree(&(0..n).map(|i| (i as u8, tree(i % 3), Some(Box::new(tree(i % 2))))).collect::<Vec<_>>());
        let shared = Rc::new(point(1));
        agree(&(0..n).map(|i| place(i, &shared)).collect::<Vec<_>>());
        agree(&(0..n).map(|i| (i as u16, place(i, &shared))).collect::<BTreeMap<_, _>>());
    }
}

#[test]
fn open_values_unions_and_references() {
    for n in [0, 1, 5, 30, 100] {
        agree(&any(n));
        agree(&Any::List((0..n).map(any).collect()));
        agree(&(0..n).map(any).collect::<Vec<_>>());
        agree(&(0..n).map(|i| (i as u8, any(i))).collect::<Vec<_>>());
        let shared = Rc::new(tree(1));
        agree(&(0..n).map(|i| if i % 2 == 0 { shared.clone() } else { Rc::new(tree(i % 3)) }).collect::<Vec<_>>());
        agree(&(0..n).map(|i| place(i, &Rc::new(point(0))).shape).collect::<Vec<_>>());
    }
    agree(&tree(4));
    agree(&Shape::Group(tree(3)));
}

#[test]
fn the_same_holds_for_encoders_and_chunks() {
    let rows: Vec<_> = (0..100).map(point).collect();
    let codec = |cells_allowed| Codec::<Vec<Point>>::new().limits(cells(cells_allowed));
    let enough = least(|n| codec(n).encode(&rows).is_ok());
    assert!(codec(enough).encode_chunks(&rows, 100).is_ok());
    assert_eq!(codec(enough - 1).encode_chunks(&rows, 100).err().map(|error| error.code), Some(Code::LimitItems));
    let mut encoder = codec(enough).encoder();
    for _ in 0..3 {
        // Every message has the whole budget.
        assert!(encoder.encode(&rows).is_ok());
    }
    let (mut encoder, mut out) = (codec(enough - 1).encoder(), vec![9]);
    assert_eq!(encoder.encode_into(&rows, &mut out).unwrap_err().code, Code::LimitItems);
    assert_eq!(out, [9]);
    assert!(encoder.encode(&rows[1..].to_vec()).is_ok());
}

#[test]
fn a_refusal_says_what_is_exceeded_and_where() {
    #[derive(Pack, Clone)]
    struct Shelf {
        books: Vec<Vec<u32>>,
    }

    let shelves = vec![Shelf { books: vec![vec![1; 10], vec![2; 10]] }; 2];
    let refused = |limits| -> Error {
        Codec::<Vec<Shelf>>::new().limits(limits).encode(&shelves).expect_err("more than the limits allow")
    };
    let error = refused(items(2 + 2 + 10 + 9));
    assert_eq!((error.code, error.path.as_deref()), (Code::LimitItems, Some("$[0].books[1]")));
    assert!(
        error.text.contains("limits.items in one message, of which 9 were left here, got 10 elements more"),
        "{error}"
    );
    assert!(error.text.ends_with("raise limits.items for the writer and for all readers"), "{error}");
    let error = refused(cells(40));
    assert_eq!((error.code, error.path.as_deref()), (Code::LimitItems, Some("$[0].books[1]")));
    assert!(
        error.text.contains("limits.cells in one message, of which 10 were left here, got 13 cells of memory more"),
        "{error}"
    );
}

#[test]
#[cfg_attr(miri, ignore = "too much memory")]
fn what_no_reader_takes_by_default_is_refused_by_default() {
    let rows = vec![(1u32, 2u32, 3u8); 3_000_000];
    for profile in [Profile::Compact, Profile::Fast] {
        let codec = Codec::<Vec<(u32, u32, u8)>>::new().profile(profile);
        // A failed `expect_err` would print the whole message.
        let Err(error) = codec.encode(&rows) else { panic!("18 million cells were written") };
        assert_eq!((error.code, error.path.as_deref()), (Code::LimitItems, Some("$")));
        let raised = codec.limits(cells(1 << 25));
        assert!(raised.encode(&rows).is_ok());
    }
}
