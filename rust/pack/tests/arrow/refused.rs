//! Batches that do not fit the type.

use arrow_array::builder::Int32Builder;
use arrow_array::{
    ArrayRef, Int32Array, Int64Array, RecordBatch, RunArray, StringArray, StructArray, TimestampMicrosecondArray,
};
use arrow_schema::{DataType, Field, Schema};
use samewire_pack::{Code, Codec, Error, Limits, Pack, Timestamp};
use std::sync::Arc;

#[derive(Pack, Clone)]
struct Order {
    side: Option<String>,
    price: i32,
}

fn batch(columns: Vec<(&str, ArrayRef)>) -> RecordBatch {
    let fields: Vec<_> =
        columns.iter().map(|(name, array)| Field::new(*name, array.data_type().clone(), true)).collect();
    RecordBatch::try_new(Arc::new(Schema::new(fields)), columns.into_iter().map(|(_, array)| array).collect()).unwrap()
}

fn sides() -> ArrayRef {
    Arc::new(StringArray::from(vec![Some("buy"), None]))
}

fn prices() -> ArrayRef {
    Arc::new(Int32Array::from(vec![1, 2]))
}

fn refused(batch: &RecordBatch) -> (Code, String, Error) {
    let error = Codec::<Vec<Order>>::new().encode_table([batch]).unwrap_err();
    (error.code, error.path.clone().unwrap_or_default().to_string(), error)
}

#[test]
fn columns_that_do_not_fit_are_named() {
    let (code, path, _) = refused(&batch(vec![("side", sides())]));
    assert_eq!((code, path.as_str()), (Code::SchemaMismatch, "$[].price"));
    let (code, path, _) = refused(&batch(vec![("side", sides()), ("price", prices()), ("more", prices())]));
    assert_eq!((code, path.as_str()), (Code::SchemaMismatch, "$[].more"));
    let (code, path, _) = refused(&batch(vec![("side", sides()), ("price", sides())]));
    assert_eq!((code, path.as_str()), (Code::TypeMismatch, "$[].price"));
}

#[test]
fn values_that_do_not_fit_are_named() {
    let long: ArrayRef = Arc::new(Int64Array::from(vec![1, 1 << 40]));
    let (code, path, _) = refused(&batch(vec![("side", sides()), ("price", long)]));
    assert_eq!((code, path.as_str()), (Code::TypeMismatch, "$[1].price"));
    let null: ArrayRef = Arc::new(Int32Array::from(vec![Some(1), None]));
    let (code, path, _) = refused(&batch(vec![("side", sides()), ("price", null)]));
    assert_eq!((code, path.as_str()), (Code::TypeMismatch, "$[1].price"));
}

#[test]
fn a_nul_in_a_name_is_refused_and_not_a_panic() {
    let nested: ArrayRef =
        Arc::new(StructArray::from(vec![(Arc::new(Field::new("a\0b", DataType::Int32, true)), prices())]));
    for columns in [vec![("si\0de", sides()), ("price", prices())], vec![("side", nested), ("price", prices())]] {
        let (code, _, error) = refused(&batch(columns));
        assert_eq!(code, Code::SchemaMismatch);
        assert!(error.text.contains("without a NUL"), "{error}");
    }
    let zoned: ArrayRef = Arc::new(TimestampMicrosecondArray::from(vec![1]).with_timezone("U\0TC"));
    #[derive(Pack)]
    struct Instant {
        at: Timestamp,
    }
    let _ = Instant { at: Timestamp::new(0, 0).unwrap() }.at;
    let error = Codec::<Vec<Instant>>::new().encode_table([&batch(vec![("at", zoned)])]).unwrap_err();
    assert_eq!(error.code, Code::SchemaMismatch);
}

#[test]
fn a_field_with_a_nul_has_a_column_without() {
    #[derive(Pack)]
    struct Odd {
        #[pack(name = "a\0b")]
        a: i32,
    }
    let codec = Codec::<Vec<Odd>>::new();
    let data = codec.encode(&vec![Odd { a: 7 }]).unwrap();
    let batch = codec.table(&data, &Default::default()).unwrap();
    assert_eq!(batch.schema().field(0).name(), "a\u{fffd}b");
    assert_eq!(codec.encode_table([&batch]).unwrap(), data);
}

#[test]
fn arrays_without_a_type_are_refused() {
    let (mut ends, values) = (Int32Builder::new(), StringArray::from(vec!["buy"]));
    ends.append_value(2);
    let runs: ArrayRef = Arc::new(RunArray::try_new(&ends.finish(), &values).unwrap());
    let (code, path, _) = refused(&batch(vec![("side", runs), ("price", prices())]));
    assert_eq!((code, path.as_str()), (Code::TypeMismatch, "$[].side"));
}

#[test]
fn batches_are_of_one_type_and_their_rows_are_counted() {
    let one = batch(vec![("side", sides()), ("price", prices())]);
    let long: ArrayRef = Arc::new(Int64Array::from(vec![1, 2]));
    let other = batch(vec![("side", sides()), ("price", long)]);
    let codec = Codec::<Vec<Order>>::new();
    let error = codec.encode_table([&one, &other]).unwrap_err();
    assert_eq!(error.code, Code::SchemaMismatch);
    assert!(error.text.contains("batch 1"), "{error}");
    let few = Codec::<Vec<Order>>::new().limits(Limits { items: 5, ..Limits::DEFAULT });
    // An iterator without an end.
    assert_eq!(few.encode_table(std::iter::repeat(&one)).unwrap_err().code, Code::LimitItems);
}
