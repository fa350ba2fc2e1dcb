//! Rows with a field of each type that a table has.

use samewire_pack::{BigInt, Bytes, Date, Decimal, Duration, Map, Pack, Time, Timestamp, Uuid};
use std::collections::BTreeSet;

#[derive(Pack, Clone, Debug, PartialEq)]
pub enum Side {
    Buy,
    Hold,
    Sell,
}

#[derive(Pack, Clone, Debug, PartialEq)]
pub enum Shape {
    Circle { r: f64 },
    Square { side: i32, note: Option<String> },
}

#[derive(Pack, Clone, Debug, PartialEq)]
pub struct Point {
    pub x: f64,
    pub label: Option<String>,
}

#[derive(Pack, Clone, Debug, PartialEq)]
pub struct Row {
    pub open: bool,
    pub tiny: i8,
    pub short: i16,
    pub int: i32,
    pub long: i64,
    pub byte: u8,
    pub word: u16,
    pub count: u32,
    pub total: u64,
    pub single: f32,
    pub double: f64,
    pub big: BigInt,
    pub exact: Decimal,
    pub name: String,
    pub raw: Bytes,
    pub id: Uuid,
    pub day: Date,
    pub tick: Time,
    pub at: Timestamp,
    pub took: Duration,
    pub side: Side,
    pub points: Vec<Point>,
    pub tags: BTreeSet<String>,
    pub counts: Map<String, Option<i32>>,
    pub pair: (f32, String),
    pub inner: Point,
    pub shape: Shape,
    pub maybe_open: Option<bool>,
    pub maybe_long: Option<i64>,
    pub maybe_name: Option<String>,
    pub maybe_at: Option<Timestamp>,
    pub maybe_side: Option<Side>,
    pub maybe_points: Option<Vec<Point>>,
    pub maybe_inner: Option<Point>,
    pub maybe_shape: Option<Shape>,
}

fn shape(i: i64) -> Shape {
    match i % 2 {
        0 => Shape::Circle { r: i as f64 / 8.0 },
        _ => Shape::Square { side: i as i32, note: (i % 5 == 0).then(|| "n".into()) },
    }
}

/// Row `i`, of times in whole microseconds and decimals of the scale of their column.
pub fn row(i: i64) -> Row {
    let name = ["short", "a text that is longer than twelve", "日本語のテキスト"][i as usize % 3];
    let point = |x: i64| Point { x: x as f64 / 4.0, label: (x % 3 == 0).then(|| name.into()) };
    let side = |i: i64| [Side::Buy, Side::Hold, Side::Sell][i as usize % 3].clone();
    let at = Timestamp::new(i * 1_000_003 - 7, 1000 * i as u32).unwrap();
    Row {
        open: i % 2 == 0,
        tiny: i as i8,
        short: -i as i16,
        int: i as i32 * 70_001,
        long: i64::MAX - i,
        byte: i as u8,
        word: 65_535 - i as u16,
        count: u32::MAX - i as u32,
        total: u64::MAX - i as u64,
        single: i as f32 / 3.0,
        double: i as f64 / 7.0,
        big: BigInt::from(-i128::from(i) << 70),
        exact: Decimal::new((i128::from(i) * 1_001 - 50_000) * 10i128.pow(16), 18),
        name: format!("{name}{}", i / 2),
        raw: Bytes(vec![i as u8; i as usize % 5]),
        id: Uuid([i as u8; 16]),
        day: Date::from_days(i as i32 - 40).unwrap(),
        tick: Time::from_nanos(i as u64 * 1_000_000_007_000 % 86_400_000_000_000).unwrap(),
        at,
        took: Duration::from_total_nanos(i128::from(i - 40) * 1_234_567_000).unwrap(),
        side: side(i),
        points: (0..i % 4).map(point).collect(),
        tags: (0..i % 4).map(|tag| format!("tag {tag}")).collect(),
        counts: Map::try_from(vec![("b".to_string(), None), ("a".to_string(), Some(i as i32))]).unwrap(),
        pair: (i as f32, "p".into()),
        inner: point(i),
        shape: shape(i),
        maybe_open: (i % 4 > 0).then_some(i % 3 == 0),
        maybe_long: (i % 3 > 0).then_some(-i),
        maybe_name: (i % 5 > 0).then(|| name.into()),
        maybe_at: (i % 7 > 0).then_some(at),
        maybe_side: (i % 3 > 0).then(|| side(i + 1)),
        maybe_points: (i % 3 > 0).then(|| (0..i % 3).map(point).collect()),
        maybe_inner: (i % 2 > 0).then(|| point(i)),
        maybe_shape: (i % 3 > 0).then(|| shape(i)),
    }
}

pub fn rows(count: i64) -> Vec<Row> {
    (0..count).map(row).collect()
}
