//! Every case of the vectors of record files, with all checks that follow from it (`spec/vectors/README.md`).

use samewire_pack::records::{RecordError, RecordReader, RecordReaderOptions, RecordWriter};
use samewire_pack::{Any, Codec, Error, Limits, Pack, Unpack};
use samewire_peers::notation_struct;
use samewire_peers::pack::notation::{self, Notation, Value};
use samewire_peers::pack::vectors::{of_part, root, Vector};
use serde_json::json;
use std::collections::BTreeMap;
use std::fs;
use std::io::{Cursor, Read};

/// `WIDER` of the vectors: reads `Book` by resolution.
mod wider {
    use super::{notation_struct, Pack};

    #[derive(Pack)]
    pub struct Book {
        year: i64,
        author: Option<String>,
        name: String,
    }

    notation_struct!(Book { year = "year", author = "author", name = "name" });
}

#[derive(Pack)]
struct Book {
    name: String,
    year: i32,
}

#[derive(Pack)]
struct Film {
    name: String,
    year: i32,
}

#[derive(Pack)]
struct Node {
    name: String,
    kids: Vec<Node>,
}

notation_struct!(Book { name = "name", year = "year" });
notation_struct!(Film { name = "name", year = "year" });
notation_struct!(Node { name = "name", kids = "kids" });

trait Packable: Notation + for<'a> Unpack<'a> {}

impl<T: Notation + for<'a> Unpack<'a>> Packable for T {}

/// A file that comes in two pieces: no reader may depend on where it is cut.
struct Pieces<'a>(&'a [u8], &'a [u8]);

impl Read for Pieces<'_> {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        let piece = if self.0.is_empty() { &mut self.1 } else { &mut self.0 };
        piece.read(into)
    }
}

fn pack_error(error: RecordError) -> Error {
    match error {
        RecordError::Pack(error) => error,
        RecordError::File(error) => panic!("{error}"),
    }
}

/// The notations of all records before the first error, and that error.
fn read<T: Packable>(source: impl Read, growing: bool, limits: Limits) -> (Vec<Value>, Option<Error>) {
    let options = RecordReaderOptions::new().growing(growing);
    let mut reader = match options.read_from(source, Codec::<T>::new().limits(limits)) {
        Ok(reader) => reader,
        Err(error) => return (Vec::new(), Some(pack_error(error))),
    };
    let mut found = Vec::new();
    let error = loop {
        match reader.next() {
            Some(Ok(record)) => found.push(notation::write(&record)),
            Some(Err(error)) => break Some(pack_error(error)),
            None => break None,
        }
    };
    (found, error)
}

fn values<T: Packable>(notations: &[Value]) -> Vec<T> {
    notations.iter().map(|notation| notation::read(notation).unwrap_or_else(|unfit| panic!("{}", unfit.0))).collect()
}

fn array<'v>(case: &'v Vector, name: &str) -> &'v [Value] {
    case.field(name).as_array().unwrap_or_else(|| panic!("{case}: no list {name:?}"))
}

fn written<T: Packable>(case: &Vector) {
    let data = case.bytes("hex");
    let blocks: Vec<&[Value]> =
        array(case, "blocks").iter().map(|block| block.as_array().unwrap().as_slice()).collect();
    let records: Vec<Value> = blocks.concat();
    let ends: Vec<usize> = array(case, "ends").iter().map(|end| end.as_u64().unwrap() as usize).collect();

    let mut file = Cursor::new(Vec::new());
    let mut writer = RecordWriter::append_to(&mut file, Codec::<T>::new()).unwrap();
    for block in &blocks {
        writer.write_many(&values::<T>(block)).unwrap();
        writer.flush().unwrap();
    }
    if case.flag("indexed") {
        writer.close().unwrap();
    } else {
        // As a crash would: nothing more is written.
        std::mem::forget(writer);
    }
    assert_eq!(file.into_inner(), data, "{case}");

    for cut in 0..=data.len() {
        let (first, second) = data.split_at(cut);
        assert_eq!(read::<T>(Pieces(first, second), false, Limits::DEFAULT), (records.clone(), None), "{case}");
        let whole = ends[1..].iter().filter(|end| **end <= cut).count().min(blocks.len());
        let before = blocks[..whole].concat();
        let (found, error) = read::<T>(first, false, Limits::DEFAULT);
        assert_eq!(found, before, "{case}, cut at {cut}");
        let error = error.map(|error| (error.code.as_str(), error.at, error.path));
        let expected = (!ends.contains(&cut)).then_some(("truncated", Some(cut), None));
        assert_eq!(error, expected, "{case}, cut at {cut}");
        if cut >= ends[0] {
            assert_eq!(read::<T>(first, true, Limits::DEFAULT), (before, None), "{case}, growing at {cut}");
        }
    }

    let mut reader = RecordReader::new(Cursor::new(&data), Codec::<T>::new()).unwrap();
    assert_eq!(reader.record_count().unwrap(), records.len() as u64, "{case}");
    for number in (0..=records.len()).rev() {
        reader.seek(number as u64).unwrap();
        let found: Vec<Value> = reader.by_ref().map(|record| notation::write(&record.unwrap())).collect();
        assert_eq!(found, records[number..], "{case}, from {number}");
    }
}

fn appended<T: Packable>(case: &Vector) {
    let mut writer = RecordWriter::append_to(Cursor::new(case.bytes("before")), Codec::<T>::new()).unwrap();
    writer.write_many(&values::<T>(array(case, "records"))).unwrap();
    assert_eq!(writer.close().unwrap().into_inner(), case.bytes("hex"), "{case}");
}

fn accepted<T: Packable>(case: &Vector) {
    let (found, error) = read::<T>(&case.bytes("hex")[..], false, Limits::DEFAULT);
    assert_eq!((found.as_slice(), error), (array(case, "records"), None), "{case}");
}

fn refused<T: Packable>(case: &Vector) {
    let data = case.bytes("hex");
    for cut in 0..=data.len() {
        let (first, second) = data.split_at(cut);
        let (found, error) = read::<T>(Pieces(first, second), false, case.limits());
        let error = error.unwrap_or_else(|| panic!("{case}: no error"));
        assert_eq!(found, array(case, "records"), "{case}, in pieces at {cut}");
        let named = (error.code.as_str(), error.at, error.path.as_deref());
        assert_eq!(
            named,
            (case.text("error"), case.at(), case.optional("path")),
            "{case}, in pieces at {cut}: {error}"
        );
        assert!(!error.text.is_empty(), "{case}");
    }
}

fn run<T: Packable>(case: &Vector) {
    match case.text("kind") {
        "written" => written::<T>(case),
        "appended" => appended::<T>(case),
        "read" => accepted::<T>(case),
        "refused" => refused::<T>(case),
        kind => panic!("{case}: a case of kind {kind}"),
    }
}

#[test]
fn every_case_of_record_files_holds() {
    let mut executed: BTreeMap<String, usize> = BTreeMap::new();
    for case in of_part("records") {
        match case.text("schema") {
            "i32" => run::<i32>(&case),
            "any" => run::<Any>(&case),
            "list<i32>" => run::<Vec<i32>>(&case),
            "list<f64>" => run::<Vec<f64>>(&case),
            "struct Book { name: string, year: i32 }" => run::<Book>(&case),
            "struct Film { name: string, year: i32 }" => run::<Film>(&case),
            "struct Node { name: string, kids: list<Node> }" => run::<Node>(&case),
            "struct Book { year: i64, author: option<string>, name: string }" => run::<wider::Book>(&case),
            schema => panic!("{case}: no type of {schema}"),
        }
        *executed.entry(case.file.clone()).or_default() += 1;
    }
    let folder = root().join("build/executed");
    fs::create_dir_all(&folder).unwrap();
    let report = json!({"language": "rust", "vectors": executed, "tests": 0});
    fs::write(folder.join("rust-records.json"), format!("{report:#}\n")).unwrap();
}
