//! Messages of tables, and tables of messages, by the structs of the Arrow C data interface.

use samewire_pack::table::c_data::{array_of, schema_of};
use samewire_pack::table::from_arrow::{OwnedArray, OwnedSchema, RowSource, Rows};
use samewire_pack::table::{read_list, Field, TableOptions};
use samewire_pack::wire::{Message, Writer};
use samewire_pack::{Bytes, Codec, Limits, Map, Pack, Profile, Timestamp, Uuid};
use std::collections::BTreeSet;
use std::sync::Arc;

#[derive(Pack, Clone)]
enum Shape {
    Circle { r: f64 },
    Square { side: i32, note: Option<String> },
}

#[derive(Pack, Clone)]
struct Point {
    x: f64,
    label: Option<String>,
}

#[derive(Pack, Clone)]
struct Row {
    number: i64,
    small: Option<u8>,
    open: bool,
    sure: Option<bool>,
    name: String,
    raw: Bytes,
    id: Uuid,
    at: Option<Timestamp>,
    points: Vec<Point>,
    tags: BTreeSet<String>,
    counts: Map<String, i32>,
    pair: (f32, String),
    shape: Shape,
}

fn row(i: i64) -> Row {
    let name = ["short", "a text that is longer than twelve", "日本語のテキスト"][i as usize % 3];
    let square = Shape::Square { side: i as i32, note: (i % 5 == 0).then(|| "n".into()) };
    Row {
        number: i * 1_000_003,
        small: (i % 3 > 0).then_some(i as u8),
        open: i % 2 == 0,
        sure: (i % 4 > 0).then_some(i % 3 == 0),
        name: format!("{name}{}", i / 2),
        raw: Bytes(vec![i as u8; i as usize % 5]),
        id: Uuid([i as u8; 16]),
        at: if i % 7 > 0 { Timestamp::new(i, 1000 * i as u32) } else { None },
        points: vec![Point { x: i as f64 / 4.0, label: (i % 3 == 0).then(|| name.into()) }; i as usize % 3],
        tags: (0..i % 4).map(|tag| format!("tag {tag}")).collect(),
        counts: Map::try_from(vec![("b".to_string(), 1), ("a".to_string(), i as i32)]).unwrap(),
        pair: (i as f32, "p".into()),
        shape: if i % 2 == 0 { Shape::Circle { r: 0.5 } } else { square },
    }
}

#[test]
fn a_table_is_encoded_as_its_rows_are() {
    for profile in [Profile::Compact, Profile::Fast] {
        for views in [false, true] {
            for count in [0, 3, 90] {
                let rows: Vec<Row> = (0..count).map(row).collect();
                let codec = Codec::<Vec<Row>>::new().profile(profile);
                let data = codec.encode(&rows).unwrap();
                let (schema, options) = (codec.schema(), TableOptions { views, ..TableOptions::default() });
                let field = Field::of_list(schema).unwrap();
                let column = read_list(schema, schema.cells(), &data, &Limits::DEFAULT, &options, &field).unwrap();
                // SAFETY: both were made just now, and are released by their owners alone.
                let (types, array) = unsafe {
                    let array = array_of(&Arc::new(column), &field);
                    (OwnedSchema::new(schema_of(&field, &options)), OwnedArray::new(array))
                };
                let source = RowSource::new(schema, &types).unwrap();
                let mut taken = Rows::new(schema, &source, &Limits::DEFAULT, 0);
                taken.extend(&array).unwrap();
                assert_eq!(taken.len(), rows.len());
                let message = Message {
                    dedup_slots: schema.dedup_slots(),
                    profile,
                    check: Some(schema.digest()),
                    ..Message::default()
                };
                let mut out = Vec::new();
                taken.write_list(&mut Writer::new(), &message, &mut out).unwrap();
                assert_eq!(out, data);
            }
        }
    }
}
