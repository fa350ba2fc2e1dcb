//! A writer refuses what a reader with the same limits refuses: nothing is given away that cannot be read back.

use samewire_pack::{Any, Codec, Limits, Pack, Profile, Unpack};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;
use std::sync::Arc;

#[derive(Pack, Clone, Debug, PartialEq)]
struct Point {
    x: i32,
    name: String,
}

#[derive(Pack, Clone, Debug, PartialEq)]
struct Tree {
    name: String,
    kids: Vec<Tree>,
    other: Option<Point>,
}

#[derive(Pack, Clone, Debug, PartialEq)]
struct Circle {
    radius: f64,
}

#[derive(Pack, Clone, Debug, PartialEq)]
enum Shape {
    Circle(Circle),
    Point(Point),
}

#[derive(Pack, Clone, Debug, PartialEq)]
struct All {
    points: Vec<Point>,
    maybe: Vec<Option<Point>>,
    pair: Option<(i8, String)>,
    map: BTreeMap<String, Point>,
    set: BTreeSet<i64>,
    shapes: Vec<Shape>,
    numbers: Vec<f64>,
    lists: Vec<Vec<u16>>,
    shared: Vec<Arc<Circle>>,
}

fn agree<T: Pack + for<'a> Unpack<'a> + PartialEq + Debug>(value: &T) {
    for profile in [Profile::Compact, Profile::Fast] {
        let codec = |cells: u64, items: u64| {
            let limits = Limits { cells, items, ..Limits::DEFAULT };
            Codec::<T>::new().profile(profile).limits(limits)
        };
        let most = Limits::DEFAULT;
        let message = codec(most.cells, most.items).encode(value).unwrap();
        let reads = |cells, items| codec(cells, items).decode(&message).is_ok();
        let writes = |cells, items| codec(cells, items).encode(value).is_ok();
        // The least of each that a reader needs.
        let cells = least(1, 1 << 20, &|cells| reads(cells, most.items));
        let items = least(1, 1 << 20, &|items| reads(most.cells, items));
        assert!(writes(cells, most.items) && writes(most.cells, items), "{cells} cells, {items} items: {value:?}");
        if cells > 1 {
            let refused = codec(cells - 1, most.items).encode(value).unwrap_err();
            assert_eq!(refused.code.to_string(), "limit_items", "{cells} cells: {value:?}");
        }
        assert!(items == 1 || !writes(most.cells, items - 1), "{items} items: {value:?}");
    }
}

/// The least number for which a condition holds that holds for all greater ones.
fn least(from: u64, to: u64, holds: &dyn Fn(u64) -> bool) -> u64 {
    if to - from == 0 {
        return from;
    }
    let middle = from + (to - from) / 2;
    if holds(middle) {
        least(from, middle, holds)
    } else {
        least(middle + 1, to, holds)
    }
}

fn point(i: usize) -> Point {
    Point { x: i as i32, name: format!("p{}", i % 7) }
}

fn all(count: usize) -> All {
    let circle = Arc::new(Circle { radius: 1.0 });
    All {
        points: (0..count).map(point).collect(),
        maybe: (0..count).map(|i| (i % 3 > 0).then(|| point(i))).collect(),
        pair: (count > 1).then(|| (1, "one".into())),
        map: (0..count).map(|i| (format!("k{i}"), point(i))).collect(),
        set: (0..count as i64).collect(),
        shapes: (0..count)
            .map(|i| if i % 2 == 0 { Shape::Circle(Circle { radius: 2.0 }) } else { Shape::Point(point(i)) })
            .collect(),
        numbers: (0..count).map(|i| i as f64).collect(),
        lists: (0..count).map(|i| vec![7; i % 4]).collect(),
        shared: (0..count)
            .map(|i| if i % 2 == 0 { circle.clone() } else { Arc::new(Circle { radius: 3.0 }) })
            .collect(),
    }
}

#[test]
fn writers_and_readers_meet_the_same_limits() {
    // From 64 elements on lists of structs are columns.
    for count in [0, 1, 2, 30, 63, 64, 90] {
        agree(&all(count));
        agree(&vec![all(count)]);
    }
    agree(&(0..70).map(|i| all(i % 3)).collect::<Vec<_>>());
    let leaf = |i| Tree { name: "leaf".into(), kids: vec![], other: (i % 2 == 0).then(|| point(i)) };
    agree(&Tree { name: "root".into(), kids: (0..80).map(leaf).collect(), other: None });
    agree(&5i32);
    agree(&Some("text".to_string()));
    agree(&Some(point(1)));
}

#[test]
fn values_of_any_are_counted_as_they_are_read() {
    agree(&Any::List(vec![
        Any::Int(1),
        Any::String("two".into()),
        Any::Map(vec![(Any::Int(1), Any::List(vec![Any::Null; 5]))]),
        Any::F64s(vec![1.0; 40]),
    ]));
}

#[test]
fn many_small_rows_are_refused_when_they_are_written() {
    let rows: Vec<Point> = (0..3_000_000).map(point).collect();
    for profile in [Profile::Compact, Profile::Fast] {
        let refused = Codec::<Vec<Point>>::new().profile(profile).encode(&rows).err().expect("a refusal");
        assert_eq!((refused.code.to_string().as_str(), refused.path.as_deref()), ("limit_items", Some("$")));
        assert!(refused.to_string().contains("limits.cells"), "{refused}");
    }
}
