//! Values of a batch are those of `decode`, and its message is that of `encode`.

use crate::rows::{rows, Point, Row, Shape, Side};
use arrow_array::cast::AsArray;
use arrow_array::types::{
    Date32Type, Decimal128Type, DurationMicrosecondType, Float32Type, Float64Type, Int16Type, Int32Type, Int64Type,
    Int8Type, Time64MicrosecondType, TimestampMicrosecondType, TimestampNanosecondType, UInt16Type, UInt32Type,
    UInt64Type, UInt8Type,
};
use arrow_array::{Array, ArrayRef, ArrowPrimitiveType, RecordBatch, StructArray};
use samewire_pack::table::{TableOptions, TimeUnit};
use samewire_pack::{Codec, Decimal, Duration, Profile, Timestamp};

fn column<'b>(batch: &'b RecordBatch, name: &str) -> &'b ArrayRef {
    batch.column_by_name(name).unwrap_or_else(|| panic!("a column {name}"))
}

fn numbers<P: ArrowPrimitiveType>(array: &ArrayRef) -> Vec<Option<P::Native>> {
    array.as_primitive::<P>().iter().collect()
}

fn texts(array: &ArrayRef) -> Vec<Option<String>> {
    match array.as_string_opt::<i32>() {
        Some(texts) => texts.iter().map(|text| text.map(Into::into)).collect(),
        None => array.as_string_view().iter().map(|text| text.map(Into::into)).collect(),
    }
}

fn sides(array: &ArrayRef) -> Vec<Option<Side>> {
    let array = array.as_dictionary::<Int32Type>();
    let symbols = texts(array.values());
    let named = |symbol: &str| match symbol {
        "Buy" => Side::Buy,
        "Hold" => Side::Hold,
        "Sell" => Side::Sell,
        other => panic!("{other}"),
    };
    array.keys().iter().map(|key| key.map(|key| named(symbols[key as usize].as_ref().unwrap()))).collect()
}

fn points(array: &StructArray) -> Vec<Option<Point>> {
    let (x, label) = (array.column_by_name("x").unwrap(), array.column_by_name("label").unwrap());
    let (x, label) = (numbers::<Float64Type>(x), texts(label));
    let point = |i: usize| Point { x: x[i].unwrap_or_default(), label: label[i].clone() };
    (0..array.len()).map(|i| array.is_valid(i).then(|| point(i))).collect()
}

fn lists(array: &ArrayRef) -> Vec<Option<Vec<Point>>> {
    let list = |items: ArrayRef| points(items.as_struct()).into_iter().map(Option::unwrap).collect();
    array.as_list::<i32>().iter().map(|items| items.map(list)).collect()
}

/// A null of a union is a null of its first member.
fn shapes(array: &ArrayRef) -> Vec<Option<Shape>> {
    let array = array.as_union();
    let (circles, squares) = (array.child(0).as_struct(), array.child(1).as_struct());
    let shape = |i: usize| {
        let at = array.value_offset(i);
        match array.type_id(i) {
            0 => circles
                .is_valid(at)
                .then(|| Shape::Circle { r: circles.column(0).as_primitive::<Float64Type>().value(at) }),
            _ => Some(Shape::Square {
                side: squares.column(0).as_primitive::<Int32Type>().value(at),
                note: texts(squares.column(1))[at].clone(),
            }),
        }
    };
    (0..array.len()).map(shape).collect()
}

fn micros(at: Timestamp) -> i64 {
    at.seconds() * 1_000_000 + i64::from(at.nanos() / 1000)
}

fn duration_micros(took: Duration) -> i64 {
    (took.total_nanos() / 1000) as i64
}

fn scaled(exact: &Decimal) -> i128 {
    i128::try_from(&exact.unscaled).unwrap() * 10i128.pow((18 - exact.scale) as u32)
}

/// Compares every value of a batch with what was decoded.
pub fn assert_is(batch: &RecordBatch, rows: &[Row]) {
    assert_eq!(batch.num_rows(), rows.len());
    macro_rules! same {
        ($($name:literal: $got:expr, |$row:ident| $expected:expr;)*) => {$(
            let expected: Vec<_> = rows.iter().map(|$row| $expected).collect();
            assert_eq!($got(column(batch, $name)), expected, $name);
        )*};
    }
    same! {
        "open": |array: &ArrayRef| array.as_boolean().iter().collect::<Vec<_>>(), |row| Some(row.open);
        "tiny": numbers::<Int8Type>, |row| Some(row.tiny);
        "short": numbers::<Int16Type>, |row| Some(row.short);
        "int": numbers::<Int32Type>, |row| Some(row.int);
        "long": numbers::<Int64Type>, |row| Some(row.long);
        "byte": numbers::<UInt8Type>, |row| Some(row.byte);
        "word": numbers::<UInt16Type>, |row| Some(row.word);
        "count": numbers::<UInt32Type>, |row| Some(row.count);
        "total": numbers::<UInt64Type>, |row| Some(row.total);
        "single": numbers::<Float32Type>, |row| Some(row.single);
        "double": numbers::<Float64Type>, |row| Some(row.double);
        "big": numbers::<Decimal128Type>, |row| Some(i128::try_from(&row.big).unwrap());
        "exact": numbers::<Decimal128Type>, |row| Some(scaled(&row.exact));
        "name": texts, |row| Some(row.name.clone());
        "raw": |array: &ArrayRef| array.as_binary::<i32>().iter().map(|raw| raw.map(<[u8]>::to_vec)).collect::<Vec<_>>(),
            |row| Some(row.raw.0.clone());
        "id": |array: &ArrayRef| array.as_fixed_size_binary().iter().map(|id| id.map(<[u8]>::to_vec)).collect::<Vec<_>>(),
            |row| Some(row.id.0.to_vec());
        "day": numbers::<Date32Type>, |row| Some(row.day.days());
        "tick": numbers::<Time64MicrosecondType>, |row| Some((row.tick.nanos() / 1000) as i64);
        "at": numbers::<TimestampMicrosecondType>, |row| Some(micros(row.at));
        "took": numbers::<DurationMicrosecondType>, |row| Some(duration_micros(row.took));
        "side": sides, |row| Some(row.side.clone());
        "points": lists, |row| Some(row.points.clone());
        "tags": |array: &ArrayRef| array.as_list::<i32>().iter().map(|tags| texts(&tags.unwrap())).collect::<Vec<_>>(),
            |row| row.tags.iter().cloned().map(Some).collect::<Vec<_>>();
        "counts": |array: &ArrayRef| array.as_map().iter().map(|counts| {
                let counts = counts.unwrap();
                texts(counts.column(0)).into_iter().zip(numbers::<Int32Type>(counts.column(1))).collect::<Vec<_>>()
            }).collect::<Vec<_>>(),
            |row| row.counts.clone().into_entries().into_iter().map(|(key, n)| (Some(key), n)).collect::<Vec<_>>();
        "pair": |array: &ArrayRef| {
                let pair = array.as_struct();
                numbers::<Float32Type>(pair.column(0)).into_iter().zip(texts(pair.column(1))).collect::<Vec<_>>()
            },
            |row| (Some(row.pair.0), Some(row.pair.1.clone()));
        "inner": |array: &ArrayRef| points(array.as_struct()), |row| Some(row.inner.clone());
        "shape": shapes, |row| Some(row.shape.clone());
        "maybe_open": |array: &ArrayRef| array.as_boolean().iter().collect::<Vec<_>>(), |row| row.maybe_open;
        "maybe_long": numbers::<Int64Type>, |row| row.maybe_long;
        "maybe_name": texts, |row| row.maybe_name.clone();
        "maybe_at": numbers::<TimestampMicrosecondType>, |row| row.maybe_at.map(micros);
        "maybe_side": sides, |row| row.maybe_side.clone();
        "maybe_points": lists, |row| row.maybe_points.clone();
        "maybe_inner": |array: &ArrayRef| points(array.as_struct()), |row| row.maybe_inner.clone();
        "maybe_shape": shapes, |row| row.maybe_shape.clone();
    }
}

#[test]
fn values_are_those_of_decode() {
    for profile in [Profile::Compact, Profile::Fast] {
        for views in [false, true] {
            for count in [0, 1, 3, 90] {
                let codec = Codec::<Vec<Row>>::new().profile(profile);
                let data = codec.encode(&rows(count)).unwrap();
                let options = TableOptions { views, ..TableOptions::default() };
                let batch = codec.table(&data, &options).unwrap();
                assert_eq!(batch.schema(), codec.table_schema(&options).unwrap());
                for array in batch.columns() {
                    array.to_data().validate_full().unwrap();
                }
                assert_is(&batch, &codec.decode(&data).unwrap());
                assert_eq!(codec.encode_table([&batch]).unwrap(), data);
            }
        }
    }
}

#[test]
fn slices_and_several_batches_are_encoded_as_their_rows() {
    let codec = Codec::<Vec<Row>>::new();
    let all = rows(90);
    for views in [false, true] {
        let options = TableOptions { views, ..TableOptions::default() };
        let batch = codec.table(&codec.encode(&all).unwrap(), &options).unwrap();
        for (start, len) in [(0, 90), (1, 89), (7, 9), (13, 1), (64, 0)] {
            let part = codec.encode_table([&batch.slice(start, len)]).unwrap();
            assert_eq!(part, codec.encode(&all[start..start + len].to_vec()).unwrap(), "{start} {len}");
        }
        let parts = [batch.slice(0, 33), batch.slice(33, 0), batch.slice(33, 57)];
        assert_eq!(codec.encode_table(&parts).unwrap(), codec.encode(&all).unwrap());
    }
    assert_eq!(codec.encode_table([]).unwrap(), codec.encode(&Vec::new()).unwrap());
}

#[test]
fn columns_come_in_any_order() {
    let codec = Codec::<Vec<Row>>::new();
    let data = codec.encode(&rows(20)).unwrap();
    let batch = codec.table(&data, &TableOptions::default()).unwrap();
    let turned: Vec<usize> = (0..batch.num_columns()).rev().collect();
    assert_eq!(codec.encode_table([&batch.project(&turned).unwrap()]).unwrap(), data);
}

#[test]
fn a_batch_outlives_the_message_and_its_columns_the_batch() {
    let codec = Codec::<Vec<Row>>::new();
    let names = {
        let data = codec.encode(&rows(90)).unwrap();
        let batch = codec.table(&data, &TableOptions::default()).unwrap();
        drop(data);
        std::sync::Arc::clone(column(&batch, "name"))
    };
    let got = std::thread::spawn(move || texts(&names)).join().unwrap();
    assert_eq!(got, rows(90).into_iter().map(|row| Some(row.name)).collect::<Vec<_>>());
}

#[test]
fn decimals_take_the_scale_of_their_column() {
    #[derive(samewire_pack::Pack)]
    struct Price {
        exact: Decimal,
    }
    let price = |unscaled, scale| Price { exact: Decimal::new(unscaled, scale) };
    let codec = Codec::<Vec<Price>>::new();
    let prices = vec![price(125i64, 2), price(-3, 0), price(7, -2)];
    let batch = codec.table(&codec.encode(&prices).unwrap(), &TableOptions::default()).unwrap();
    let expected: Vec<_> = prices.iter().map(|price| Some(scaled(&price.exact))).collect();
    assert_eq!(numbers::<Decimal128Type>(batch.column(0)), expected);
    let back = codec.decode(&codec.encode_table([&batch]).unwrap()).unwrap();
    assert!(back.iter().all(|price| price.exact.scale == 18));
    assert_eq!(back.iter().map(|price| Some(scaled(&price.exact))).collect::<Vec<_>>(), expected);
}

#[test]
fn times_are_in_the_unit_of_the_options() {
    let codec = Codec::<Vec<(Timestamp,)>>::new();
    assert_eq!(codec.table_schema(&TableOptions::default()).unwrap_err().code, samewire_pack::Code::Unsupported);

    #[derive(samewire_pack::Pack)]
    struct Instant {
        at: Timestamp,
    }
    let codec = Codec::<Vec<Instant>>::new();
    let data = codec.encode(&vec![Instant { at: Timestamp::new(-1, 999_999_001).unwrap() }]).unwrap();
    let refused = codec.table(&data, &TableOptions::default()).unwrap_err();
    assert_eq!((refused.code, refused.path.as_deref()), (samewire_pack::Code::TypeMismatch, Some("$[0].at")));
    let truncated = TableOptions { truncate: true, ..TableOptions::default() };
    let batch = codec.table(&data, &truncated).unwrap();
    assert_eq!(batch.column(0).as_primitive::<TimestampMicrosecondType>().value(0), -1);
    let batch = codec.table(&data, &TableOptions { unit: TimeUnit::Nanos, ..TableOptions::default() }).unwrap();
    assert_eq!(batch.column(0).as_primitive::<TimestampNanosecondType>().value(0), -999);
    assert_eq!(codec.encode_table([&batch]).unwrap(), data);
}
