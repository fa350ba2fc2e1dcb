//! Error texts of the mistakes that are made most: what was expected, what came, where, and what to do.

#[path = "../derive/src/golden.rs"]
mod golden;

use samewire_pack::records::{RecordError, RecordReader, RecordWriter, RecordWriterOptions};
use samewire_pack::schema::Schema;
use samewire_pack::{Codec, Limits, Map, MemorySchemas, Pack, VersionedCodec};
use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::Path;
use std::time::Duration;

#[derive(Pack, Clone, Debug)]
struct Book {
    id: String,
    name: String,
    year: i32,
}

mod other {
    use samewire_pack::Pack;

    #[derive(Pack, Debug)]
    pub struct Book {
        id: i32,
        name: String,
    }

    #[derive(Pack, Debug)]
    pub struct Film {
        name: String,
    }
}

#[derive(Pack, Debug)]
struct Tree {
    name: String,
    kids: Vec<Tree>,
}

#[derive(Pack, Debug)]
struct Both {
    one: Book,
    two: other::Book,
}

type Note = Option<String>;

#[derive(Pack, Debug)]
struct Nested {
    notes: Vec<Option<Note>>,
}

#[derive(Pack, Debug)]
struct Nulls {
    note: Option<samewire_pack::Any>,
}

#[derive(Pack, Debug)]
struct Marker;

#[derive(Pack, Debug)]
struct Marked {
    by_name: BTreeMap<String, (i32, Marker)>,
}

#[derive(Pack, Debug)]
struct Hash {
    hash: [u8; 4],
}

#[derive(Pack, Debug)]
struct Wait {
    wait: Duration,
}

#[derive(Pack, Debug)]
struct Span {
    wait: samewire_pack::Duration,
}

#[derive(Pack, Debug)]
struct Blob {
    hash: samewire_pack::Bytes,
}

fn said<T, E: Display>(answer: Result<T, E>) -> String {
    answer.err().map_or_else(|| panic!("no error"), |error| error.to_string())
}

#[test]
fn error_texts_are_those_of_the_file() {
    let books = Codec::<Vec<Book>>::new();
    let shelf = vec![Book { id: "1001".into(), name: "Carrie".into(), year: 1974 }];
    let message = books.encode(&shelf).unwrap();
    let digested = Codec::<Vec<Book>>::new().digest(true).encode(&shelf).unwrap();
    let tight = |limits| Codec::<Vec<Book>>::new().limits(limits);
    let tree = Tree { name: "a".into(), kids: vec![Tree { name: "b".into(), kids: vec![] }] };
    let trees = Codec::<Tree>::new().limits(Limits { depth: 1, ..Limits::DEFAULT });
    let mut writer = RecordWriter::new(Vec::new(), Codec::new()).unwrap();
    writer.write(&shelf[0]).unwrap();
    let records = writer.close().unwrap();
    let read = |bytes: &[u8]| -> Result<Vec<Book>, RecordError> { RecordReader::new(bytes, Codec::new())?.collect() };
    let mut changed = records.clone();
    changed[70] ^= 1;
    let versions = VersionedCodec::of(Codec::<Vec<Book>>::new(), MemorySchemas::default());

    let texts = [
        ("JSON to decode", said(books.decode(b"[{\"id\": \"1001\"}]"))),
        ("gzip to decode", said(books.decode(b"\x1f\x8b\x08\x00\x00\x00\x00\x00"))),
        ("zstd to decode", said(books.decode(b"\x28\xb5\x2f\xfd\x04\x00"))),
        ("XML to decode", said(books.decode(b"<books><book/></books>\n"))),
        ("MessagePack to decode", said(books.decode(b"\x82\xa2id\xa41001\xa4year\xcd\x07\xb6"))),
        ("a value of v8 to decode", said(books.decode(b"\xff\x0fo\"\x02id\"\x041001{\x01"))),
        ("a pickle to decode", said(books.decode(b"\x80\x04K\x01."))),
        ("Java's serialization to decode", said(books.decode(b"\xac\xed\x00\x05t\x00\x01a"))),
        ("a record file to decode", said(books.decode(&records))),
        ("nothing to decode", said(books.decode(b""))),
        ("half a message", said(books.decode(&message[..8]))),
        ("two messages at once", said(books.decode(&[&message[..], &message].concat()))),
        ("a message of another schema", said(Codec::<Vec<other::Film>>::new().decode(&digested))),
        (
            "a message without the digest that is required",
            said(books.decode(&message).and_then(|_| Codec::<Vec<Book>>::new().require_digest(true).decode(&message))),
        ),
        ("bytes of a message that were changed", said(books.decode(&[&message[..3], &[0xff; 12]].concat()))),
        (
            "a message of an unknown schema to a store",
            said(versions.decode(&digested.iter().enumerate().map(|(i, b)| b ^ u8::from(i == 3)).collect::<Vec<_>>())),
        ),
        ("a message without a digest to a store", said(versions.decode(&message))),
        (
            "a field whose type has changed",
            said(books.resolve("list<struct Book { id: i32, name: string, year: i32 }>")),
        ),
        ("a field that the writer lacks", said(books.resolve("list<struct Book { id: string, name: string }>"))),
        ("a type of another name", said(books.resolve("list<struct Film { id: string, name: string, year: i32 }>"))),
        ("Rust's words in a schema", said(Schema::parse("struct Book { id: String, year: i32 }"))),
        ("a schema that is cut off", said(Schema::parse("struct Book { id: string"))),
        ("two types of one name", said(Codec::<Both>::try_new())),
        ("an option in an option", said(Codec::<Nested>::try_new())),
        ("an any in an option", said(Codec::<Nulls>::try_new())),
        ("a struct without fields", said(Codec::<Marked>::try_new())),
        ("a root without fields", said(Codec::<Marker>::try_new())),
        ("a tree that is too deep", said(trees.encode(&tree))),
        ("a message beyond its limit", said(tight(Limits { frame_bytes: 10, ..Limits::DEFAULT }).encode(&shelf))),
        (
            "a message beyond the reader's limit",
            said(tight(Limits { frame_bytes: 10, ..Limits::DEFAULT }).decode(&message)),
        ),
        ("more items than the limit", said(tight(Limits { items: 0, ..Limits::DEFAULT }).decode(&message))),
        ("a repeated key", said(Map::try_from(vec![("a".to_string(), 1), ("a".to_string(), 2)]))),
        (
            "bytes of another length than the array's",
            said(Codec::<Hash>::new().decode(
                &Codec::<Blob>::new().check(false).encode(&Blob { hash: samewire_pack::Bytes(vec![1, 2]) }).unwrap(),
            )),
        ),
        (
            "a negative duration",
            said(
                Codec::<Wait>::new().decode(
                    &Codec::<Span>::new()
                        .check(false)
                        .encode(&Span { wait: samewire_pack::Duration::new(-5, 0).unwrap() })
                        .unwrap(),
                ),
            ),
        ),
        ("a duration that is too long", said(Codec::<Wait>::new().encode(&Wait { wait: Duration::MAX }))),
        ("pieces of no bytes", said(books.encode_chunks(&shelf, 0))),
        ("a record file that is JSON", said(read(b"[{\"id\": \"1001\"}]"))),
        ("a record file that is a message", said(read(&message))),
        ("a record file that is cut off", said(read(&records[..records.len() - 3]))),
        ("a record file that was changed", said(read(&changed))),
        (
            "records of another type to append",
            said(RecordWriter::append_to(std::io::Cursor::new(records.clone()), Codec::<other::Film>::new())),
        ),
        (
            "a record beyond the last",
            said(RecordReader::new(std::io::Cursor::new(records.clone()), Codec::<Book>::new()).unwrap().seek(2)),
        ),
        (
            "blocks of no bytes",
            said(RecordWriterOptions::new().block_bytes(0).write_to(Vec::new(), Codec::<Book>::new())),
        ),
    ];
    golden::check(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/error_texts.txt"), false, &texts);
}
