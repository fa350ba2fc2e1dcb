//! The option `complete` of record readers: a file that was cut off is noticed, also between two blocks.

use samewire_pack::records::{BlockScanner, RecordError, RecordReader, RecordReaderOptions, RecordWriter};
use samewire_pack::{Code, Codec, Error, Limits, Pack};
use std::io::Cursor;

#[derive(Pack, Clone, PartialEq, Debug)]
struct Book {
    name: String,
    year: i32,
}

fn books(count: i32) -> Vec<Book> {
    (0..count).map(|year| Book { name: format!("book {}", year % 7), year }).collect()
}

/// Adds records to a file, two in a block, and closes it.
fn appended(before: &[u8], books: &[Book]) -> Vec<u8> {
    let mut out = RecordWriter::append_to(Cursor::new(before.to_vec()), Codec::new()).unwrap();
    for pair in books.chunks(2) {
        out.write_many(pair).unwrap();
        out.flush().unwrap();
    }
    out.close().unwrap().into_inner()
}

/// Where each block ends, the schema's first.
fn ends(file: &[u8]) -> Vec<usize> {
    let mut scanner = BlockScanner::new(&Limits::default());
    scanner.feed(file);
    core::iter::from_fn(|| scanner.next().unwrap()).map(|block| block.end() as usize).collect()
}

fn pack_error(error: RecordError) -> Error {
    match error {
        RecordError::Pack(error) => error,
        RecordError::File(error) => panic!("{error}"),
    }
}

fn reader(file: &[u8]) -> RecordReader<Book, Cursor<&[u8]>> {
    RecordReaderOptions::new().complete(true).read_from(Cursor::new(file), Codec::new()).unwrap()
}

/// The records before the first error, and the error.
fn read(reader: &mut RecordReader<Book, Cursor<&[u8]>>) -> (Vec<Book>, Option<Error>) {
    let mut books = Vec::new();
    for book in reader {
        match book {
            Ok(book) => books.push(book),
            Err(error) => return (books, Some(pack_error(error))),
        }
    }
    (books, None)
}

#[test]
fn a_whole_file_is_complete() {
    let file = appended(&[], &books(12));
    assert_eq!(read(&mut reader(&file)), (books(12), None));
    assert_eq!(read(&mut reader(&appended(&[], &[]))), (Vec::new(), None));
    assert_eq!(read(&mut reader(&appended(&file, &books(12)))), ([books(12), books(12)].concat(), None));
}

#[test]
fn a_file_cut_at_a_blocks_end_is_truncated_behind_its_records() {
    let file = appended(&[], &books(12));
    let ends = ends(&file);
    for (blocks, &end) in ends[..ends.len() - 1].iter().enumerate() {
        let cut = &file[..end];
        let plain = RecordReader::new(cut, Codec::<Book>::new()).unwrap();
        assert_eq!(plain.collect::<Result<Vec<_>, _>>().unwrap(), books(12)[..2 * blocks]);
        let mut reader = reader(cut);
        let (found, error) = read(&mut reader);
        let error = error.expect("an error");
        assert_eq!(found, books(12)[..2 * blocks]);
        assert_eq!((error.code, error.at, error.path), (Code::Truncated, Some(end), None));
        assert!(error.text.contains("expected an index as the last block"), "{}", error.text);
        // The error was given; the iteration has ended.
        assert!(reader.next().is_none());
    }
}

#[test]
fn a_file_cut_at_any_byte_of_its_last_two_blocks_is_truncated() {
    let file = appended(&[], &books(12));
    let ends = ends(&file);
    let last = ends[ends.len() - 2];
    for cut in ends[ends.len() - 3] + 1..file.len() {
        let (found, error) = read(&mut reader(&file[..cut]));
        let error = error.expect("an error");
        assert_eq!(found, books(12)[..if cut < last { 10 } else { 12 }]);
        assert_eq!((error.code, error.at, error.path), (Code::Truncated, Some(cut), None));
    }
}

#[test]
fn a_file_that_was_appended_to_needs_the_index_at_its_end() {
    let file = appended(&[], &books(12));
    let more = appended(&file, &books(4));
    for end in ends(&more).into_iter().filter(|&end| end > file.len() && end < more.len()) {
        let error = read(&mut reader(&more[..end])).1.expect("an error");
        assert_eq!((error.code, error.at), (Code::Truncated, Some(end)));
    }
}

#[test]
fn seek_does_not_hide_the_error() {
    let file = appended(&[], &books(12));
    let mut cut = reader(&file[..ends(&file)[3]]);
    assert_eq!(cut.record_count().unwrap(), 6);
    cut.seek(5).unwrap();
    let (found, error) = read(&mut cut);
    assert_eq!((found, error.map(|error| error.code)), (books(6)[5..].to_vec(), Some(Code::Truncated)));
    assert_eq!(cut.seek(0).map_err(|error| pack_error(error).code), Err(Code::Truncated));

    let mut whole = reader(&file);
    for from in [12, 5, 0] {
        whole.seek(from).unwrap();
        assert_eq!(read(&mut whole), (books(12)[from as usize..].to_vec(), None));
    }
    let empty = appended(&[], &[]);
    let mut empty = reader(&empty);
    empty.seek(0).unwrap();
    assert_eq!(read(&mut empty), (Vec::new(), None));
}

#[test]
fn a_growing_file_is_not_complete() {
    let both = RecordReaderOptions::new().complete(true).growing(true);
    // Refused before anything is read.
    let error = pack_error(both.read_from(&[][..], Codec::<Book>::new()).expect_err("both options"));
    assert_eq!(error.code, Code::Misuse);
    assert!(error.text.contains("got both"), "{}", error.text);
}
