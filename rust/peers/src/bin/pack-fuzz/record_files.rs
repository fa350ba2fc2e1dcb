//! Record files: blocks of damaged bodies with right checksums, and damaged files.

use crate::mutate::damaged;
use samewire_pack::frame::write_frame;
use samewire_pack::records::{
    write_block, write_records, BlockKind, Compression, RecordError, RecordReader, RecordReaderOptions,
    RecordWriterOptions, MAGIC,
};
use samewire_pack::{Code, Codec, Error, Limits, Pack};
use samewire_peers::pack::hex;
use samewire_peers::random::Random;
use std::fmt;
use std::io::{Cursor, Read};

/// What a reader may hold of a file: a block, and what it expands to.
pub const LIMITS: Limits = Limits { buffered_bytes: 4096, frame_bytes: 4000, ..Limits::DEFAULT };
/// More files hold nothing new.
const LONGEST: usize = 2000;

#[derive(Pack, Clone, PartialEq, Debug)]
struct Book {
    name: String,
    year: i32,
}

/// A file, and the lengths of the pieces in which it comes, in turn.
pub struct RecordFileInput {
    pub data: Vec<u8>,
    pieces: Vec<usize>,
}

impl fmt::Display for RecordFileInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "record file in pieces of {:?}: {}", self.pieces, hex::text(&self.data))
    }
}

/// Makes a file.
pub fn next(random: &mut Random) -> RecordFileInput {
    let mut data = MAGIC.to_vec();
    block(BlockKind::Schema, Codec::<Book>::new().schema().text().as_bytes(), &mut data);
    for _ in 0..random.below(5) {
        add(random, &mut data);
    }
    if random.once_in(3) {
        data = damaged(&data, &data, random);
    }
    data.truncate(LONGEST);
    RecordFileInput { data, pieces: (0..1 + random.below(4)).map(|_| 1 + random.below(60)).collect() }
}

fn block(kind: BlockKind, body: &[u8], data: &mut Vec<u8>) {
    // Bodies are short: no block is refused.
    let _ = write_block(kind, body, data);
}

/// Adds a block, whose body may be damaged, and whose kind may be that of another.
fn add(random: &mut Random, data: &mut Vec<u8>) {
    let start = data.len();
    let mut frames = Vec::new();
    let count = 1 + random.below(12);
    for number in 0..count {
        let book = Book { name: "x".repeat(random.below(9)), year: number as i32 };
        let message = Codec::new().encode(&book).unwrap_or_default();
        let message = if random.once_in(20) { damaged(&message, &frames, random) } else { message };
        let _ = write_frame(&message, &mut frames);
    }
    let packing = if random.once_in(2) { Compression::Zstd } else { Compression::None };
    let _ = write_records(count as u32, &frames, packing, data);
    let index = [&[1, start as u8 & 0x7f, count as u8][..], &(data.len() as u64).to_le_bytes()].concat();
    match random.below(6) {
        0 | 1 => block(BlockKind::Index, &index, data),
        2 => {
            let body = data[start + 2..data.len() - 4].to_vec();
            data.truncate(start);
            let kind = *random.pick(&[BlockKind::Records, BlockKind::Zstd, BlockKind::Index]);
            block(kind, &damaged(&body, &index, random), data);
        }
        _ => {}
    }
}

/// A file in pieces.
struct Pieces<'a> {
    rest: &'a [u8],
    lengths: std::iter::Cycle<std::slice::Iter<'a, usize>>,
}

impl Read for Pieces<'_> {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        let length = self.lengths.next().copied().unwrap_or(1).min(into.len());
        self.rest.read(&mut into[..length])
    }
}

/// What one pass over a file gave: records and the errors of records, and the error that ended it.
#[derive(PartialEq, Debug)]
struct Pass {
    records: Vec<Result<Book, Error>>,
    end: Option<Error>,
}

fn pass(source: impl Read, growing: bool) -> Result<Pass, String> {
    let options = RecordReaderOptions::new().growing(growing);
    let mut found = Pass { records: Vec::new(), end: None };
    match options.read_from(source, Codec::<Book>::new().limits(LIMITS)) {
        Err(error) => found.end = Some(of_pack(error)?),
        Ok(reader) => {
            for record in reader {
                let record = record.map_err(of_pack);
                match record {
                    Ok(book) => found.records.push(Ok(book)),
                    Err(error) => match error? {
                        error if error.path.is_some() => found.records.push(Err(error)),
                        error => found.end = Some(error),
                    },
                }
            }
        }
    }
    Ok(found)
}

fn of_pack(error: RecordError) -> Result<Error, String> {
    match error {
        RecordError::Pack(error) => Ok(error),
        RecordError::File(error) => Err(format!("memory does not fail: {error}")),
    }
}

/// Checks all that must hold of a file. Returns whether it is whole.
///
/// # Errors
/// What does not hold.
pub fn probe(input: &RecordFileInput) -> Result<bool, String> {
    let data = &input.data[..];
    let whole = pass(data, false)?;
    let pieces = pass(Pieces { rest: data, lengths: input.pieces.iter().cycle() }, false)?;
    // The text of an error may say how much has come.
    let named = |pass: &Pass| pass.end.as_ref().map(|error| (error.code, error.at, error.path.clone()));
    if whole.records != pieces.records || named(&whole) != named(&pieces) {
        return Err(format!("read otherwise in pieces: {whole:?}, {pieces:?}"));
    }
    if let Some(error) = &whole.end {
        let known = matches!(
            error.code,
            Code::Malformed
                | Code::Truncated
                | Code::BadNumber
                | Code::BadUtf8
                | Code::LimitSize
                | Code::LimitDepth
                | Code::LimitItems
                | Code::Unsupported
                | Code::SchemaMismatch
        );
        if !known || (error.at.is_none_or(|at| at > data.len()) && error.code != Code::SchemaMismatch) {
            return Err(format!("an improper error: {error}"));
        }
    }
    sought(data, &whole)?;
    appended(data, &whole)?;
    Ok(whole.end.is_none())
}

/// Every record of a file whose index tells the truth is found by its number.
fn sought(data: &[u8], whole: &Pass) -> Result<(), String> {
    let Ok(mut reader) = RecordReader::new(Cursor::new(data), Codec::<Book>::new().limits(LIMITS)) else {
        return Ok(());
    };
    let Ok(count) = reader.record_count() else { return Ok(()) };
    for number in 0..count.min(20) {
        if reader.seek(number).is_err() {
            // The index lies, or the file ends there: reading says so as well, or the index is not read.
            return Ok(());
        }
        let found = reader.next().map(|record| record.map_err(of_pack));
        let found = match found {
            Some(Ok(book)) => Ok(book),
            Some(Err(error)) => Err(error?),
            None => return Err(format!("no record {number} of {count}")),
        };
        let same = whole.records.contains(&found) || whole.end.is_some() || found.is_err();
        if !same {
            return Err(format!("a record that reading does not find: {found:?}"));
        }
    }
    Ok(())
}

/// What is appended comes behind all records that were there.
fn appended(data: &[u8], whole: &Pass) -> Result<(), String> {
    let last = Book { name: "last".into(), year: -1 };
    let codec = Codec::new().limits(LIMITS);
    let options = RecordWriterOptions::new().block_bytes(LIMITS.frame_bytes);
    let Ok(mut writer) = options.append_to(Cursor::new(data.to_vec()), codec) else { return Ok(()) };
    writer.write(&last).map_err(|error| format!("appending: {error}"))?;
    let file = writer.close().map_err(|error| format!("closing: {error}"))?.into_inner();
    let again = pass(&file[..], false)?;
    let truncated = whole.end.as_ref().is_none_or(|error| error.code == Code::Truncated);
    let mut expected = whole.records.clone();
    expected.push(Ok(last));
    // A file that is broken is appended to if its last index is whole; it stays broken.
    if truncated && (again.records != expected || again.end.is_some()) {
        return Err(format!("appending changed the records: {again:?}"));
    }
    Ok(())
}
