//! Record files beyond the vectors: blocks, appending, growing, files that fail, compression.

use proptest::prelude::*;
use samewire_pack::records::{
    write_block, BlockKind, BlockScanner, RecordError, RecordFile, RecordReader, RecordReaderOptions, RecordWriter,
    RecordWriterOptions, MAGIC,
};
use samewire_pack::{Code, Codec, Limits, Pack, Profile};
use std::io::{self, Cursor, Read, Seek, SeekFrom, Write};

#[derive(Pack, Clone, PartialEq, Debug)]
struct Book {
    name: String,
    year: i32,
}

mod newer {
    #[derive(samewire_pack::Pack, Clone, PartialEq, Debug)]
    pub struct Book {
        pub year: i64,
        pub author: Option<String>,
        pub name: String,
    }
}

fn books(count: i32) -> Vec<Book> {
    (0..count).map(|year| Book { name: format!("book {}", year % 7), year }).collect()
}

fn file(books: &[Book], options: &RecordWriterOptions) -> Vec<u8> {
    let mut writer = options.write_to(Vec::new(), Codec::new()).unwrap();
    writer.write_many(books).unwrap();
    writer.close().unwrap()
}

fn small_blocks() -> RecordWriterOptions {
    RecordWriterOptions::new().block_bytes(40)
}

fn read(file: &[u8]) -> Result<Vec<Book>, RecordError> {
    RecordReader::new(file, Codec::<Book>::new())?.collect()
}

fn of_pack<T>(answer: Result<T, RecordError>) -> (Code, Option<usize>, String) {
    match answer.err().expect("an error") {
        RecordError::Pack(error) => (error.code, error.at, error.text.into_owned()),
        RecordError::File(error) => panic!("{error}"),
    }
}

/// Gives one byte a call, and an interruption before each.
struct Slow<'a>(&'a [u8], bool);

impl Read for Slow<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.1 = !self.1;
        if self.1 {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let one = into.len().min(1);
        self.0.read(&mut into[..one])
    }
}

/// A disk that is full after so many bytes.
struct Full {
    file: Cursor<Vec<u8>>,
    left: usize,
}

impl Read for Full {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.file.read(into)
    }
}

impl Seek for Full {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.left == 0 {
            return Err(io::ErrorKind::StorageFull.into());
        }
        let length = bytes.len().min(self.left);
        self.left -= length;
        self.file.write(&bytes[..length])
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl RecordFile for Full {
    fn cut(&mut self, size: u64) -> io::Result<()> {
        self.file.cut(size)
    }

    fn sync(&mut self) -> io::Result<()> {
        if self.left == 0 {
            return Err(io::ErrorKind::StorageFull.into());
        }
        Ok(())
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    /// Any records in blocks of any size come back, in any pieces, from any record on, and before any cut.
    #[test]
    fn records_come_back(
        names in prop::collection::vec(("\\PC{0,12}", any::<i32>()), 0..20),
        block_bytes in 1usize..200,
        cut in any::<prop::sample::Index>(),
        from in any::<prop::sample::Index>(),
        fast in any::<bool>(),
    ) {
        let books: Vec<Book> = names.into_iter().map(|(name, year)| Book { name, year }).collect();
        let profile = if fast { Profile::Fast } else { Profile::Compact };
        let options = RecordWriterOptions::new().block_bytes(block_bytes);
        let mut writer = options.write_to(Vec::new(), Codec::new().profile(profile)).unwrap();
        writer.write_many(&books).unwrap();
        prop_assert_eq!(writer.record_count(), books.len() as u64);
        let file = writer.close().unwrap();

        prop_assert_eq!(&read(&file).unwrap(), &books);
        let slow = RecordReader::new(Slow(&file, false), Codec::<Book>::new()).unwrap();
        prop_assert_eq!(&slow.collect::<Result<Vec<_>, _>>().unwrap(), &books);

        let mut reader = RecordReader::new(Cursor::new(&file), Codec::<Book>::new()).unwrap();
        prop_assert_eq!(reader.record_count().unwrap(), books.len() as u64);
        let from = from.index(books.len() + 1);
        reader.seek(from as u64).unwrap();
        prop_assert_eq!(&reader.collect::<Result<Vec<_>, _>>().unwrap(), &books[from..]);

        // What a crash leaves is appended to: every whole block stays, and nothing else.
        let cut = &file[..cut.index(file.len())];
        let kept = RecordReaderOptions::new().growing(true).read_from(cut, Codec::<Book>::new());
        let mut expected: Vec<Book> = kept.map(|kept| kept.map(Result::unwrap).collect()).unwrap_or_default();
        prop_assert_eq!(&expected[..], &books[..expected.len()]);
        let mut writer = RecordWriter::append_to(Cursor::new(cut.to_vec()), Codec::new()).unwrap();
        let last = Book { name: "Misery".into(), year: 1987 };
        writer.write(&last).unwrap();
        expected.push(last);
        prop_assert_eq!(writer.record_count(), expected.len() as u64);
        prop_assert_eq!(read(&writer.close().unwrap().into_inner()).unwrap(), expected);
    }

    /// Whatever the bytes, reading ends, with an offset inside the file or a path inside a message.
    #[test]
    fn changed_bytes_are_errors(at in any::<prop::sample::Index>(), flip in 1u8..) {
        let mut file = file(&books(12), &small_blocks());
        let at = at.index(file.len());
        file[at] ^= flip;
        let (code, offset, _) = of_pack(read(&file));
        prop_assert!(matches!(code, Code::Malformed | Code::Unsupported | Code::LimitSize | Code::Truncated | Code::BadNumber));
        prop_assert!(offset.is_some_and(|offset| offset <= file.len()));
        // Neither does seeking trust what it reads.
        if let Ok(mut reader) = RecordReader::new(Cursor::new(&file), Codec::<Book>::new()) {
            for number in 0..12 {
                if reader.seek(number).is_ok() {
                    let _ = reader.next();
                }
            }
        }
    }
}

#[test]
fn files_on_disk_are_created_replaced_and_appended_to() {
    let path = std::env::temp_dir().join(format!("samewire-{}.records", std::process::id()));
    RecordWriter::append(&path, Codec::<Book>::new()).unwrap().close().unwrap();
    let mut writer = RecordWriter::create(&path, Codec::new()).unwrap();
    writer.write_many(&books(3)).unwrap();
    // Dropping closes.
    drop(writer);
    let mut writer = RecordWriter::append(&path, Codec::new()).unwrap();
    assert_eq!(writer.record_count(), 3);
    writer.write(&books(4)[3]).unwrap();
    writer.close().unwrap();
    let mut reader = RecordReader::open(&path, Codec::<Book>::new()).unwrap();
    assert_eq!(reader.record_count().unwrap(), 4);
    assert_eq!(reader.by_ref().map(Result::unwrap).collect::<Vec<_>>(), books(4));
    assert!(reader.next().is_none());
    std::fs::remove_file(&path).unwrap();
    let error = RecordReader::open(&path, Codec::<Book>::new()).expect_err("an error");
    assert!(matches!(error, RecordError::File(error) if error.kind() == io::ErrorKind::NotFound));
}

#[test]
fn a_first_block_that_seems_not_to_end_is_cut_off_only_if_it_is_that_of_the_writer() {
    let whole = file(&books(3), &RecordWriterOptions::new());
    let mut damaged = whole.clone();
    // A size that the file is too short for: every record would be behind it.
    damaged[9..11].copy_from_slice(&[0xff, 0x7f]);
    let path = std::env::temp_dir().join(format!("samewire-damaged-{}.records", std::process::id()));
    std::fs::write(&path, &damaged).unwrap();
    let (code, at, text) = of_pack(RecordWriter::append(&path, Codec::<Book>::new()));
    assert_eq!((code, at), (Code::Malformed, Some(9)));
    assert!(text.contains("nothing is cut off"), "{text}");
    assert_eq!(std::fs::read(&path).unwrap(), damaged);
    std::fs::remove_file(&path).unwrap();
    let mut writer = RecordWriter::append_to(Cursor::new(whole[..30].to_vec()), Codec::<Book>::new()).unwrap();
    writer.write_many(&books(3)).unwrap();
    assert_eq!(writer.close().unwrap().into_inner(), whole);
}

#[test]
fn an_index_of_blocks_behind_it_is_malformed() {
    let mut file = file(&books(3), &RecordWriterOptions::new());
    let start = file.len() as u64;
    // One block, 2^40 bytes from the start of the file, with one record.
    let body = [&[1, 0x80, 0x80, 0x80, 0x80, 0x80, 0x20, 1][..], &start.to_le_bytes()].concat();
    write_block(BlockKind::Index, &body, &mut file).unwrap();
    let (code, ..) = of_pack(read(&file));
    assert_eq!(code, Code::Malformed);
    // It is not believed when the file is appended to.
    let writer = RecordWriter::append_to(Cursor::new(file), Codec::<Book>::new()).unwrap();
    assert_eq!(writer.record_count(), 3);
    writer.close().unwrap();
}

#[test]
fn a_newer_type_is_resolved() {
    let file = file(&books(2), &small_blocks());
    let mut reader = RecordReader::new(&file[..], Codec::<newer::Book>::new()).unwrap();
    assert_eq!(reader.schema().text(), "struct Book { name: string, year: i32 }");
    let first = reader.next().unwrap().unwrap();
    assert_eq!(first, newer::Book { year: 0, author: None, name: "book 0".into() });
    let error = RecordWriter::append_to(Cursor::new(file), Codec::<newer::Book>::new());
    let (code, _, text) = of_pack(error);
    assert_eq!(code, Code::SchemaMismatch);
    assert!(text.starts_with("records of another type are in the file: $.year:"), "{text}");
}

#[test]
fn reading_goes_on_behind_a_broken_record() {
    let mut body = vec![3];
    let good = Codec::new().encode(&books(1)[0]).unwrap();
    for message in [&good[..], &[0x80], &good[..]] {
        samewire_pack::frame::write_frame(message, &mut body).unwrap();
    }
    let mut file = file(&[], &small_blocks());
    file.truncate(53);
    write_block(BlockKind::Records, &body, &mut file).unwrap();
    let mut reader = RecordReader::new(&file[..], Codec::<Book>::new()).unwrap();
    assert!(reader.next().unwrap().is_ok());
    let error = reader.next().unwrap().unwrap_err();
    assert_eq!(
        error.to_string(),
        "truncated at 1 in $.name: record 1: the message ends too early: read until it is whole"
    );
    assert!(reader.next().unwrap().is_ok());
    assert!(reader.next().is_none());
}

#[test]
fn an_error_of_the_file_ends_iteration_and_is_kept() {
    let mut file = file(&books(12), &small_blocks());
    let end = file.len();
    file[end / 2] ^= 1;
    let mut reader = RecordReader::new(Cursor::new(&file), Codec::<Book>::new()).unwrap();
    let first = reader.by_ref().find_map(Result::err).unwrap();
    assert!(reader.next().is_none());
    assert_eq!(of_pack::<u64>(Err(first)), of_pack(reader.record_count()));
}

#[test]
fn a_growing_file_is_read_as_it_grows() {
    let whole = file(&books(9), &small_blocks());
    let path = std::env::temp_dir().join(format!("samewire-growing-{}.records", std::process::id()));
    let mut out = std::fs::File::create(&path).unwrap();
    out.write_all(&whole[..60]).unwrap();
    let mut reader = RecordReaderOptions::new().growing(true).open(&path, Codec::<Book>::new()).unwrap();
    let mut found: Vec<Book> = Vec::new();
    for byte in &whole[60..] {
        found.extend(reader.by_ref().map(Result::unwrap));
        out.write_all(&[*byte]).unwrap();
    }
    found.extend(reader.by_ref().map(Result::unwrap));
    assert_eq!(found, books(9));
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn a_full_disk_leaves_whole_blocks_and_ends_the_writer() {
    for left in 53..200 {
        let disk = Full { file: Cursor::new(Vec::new()), left };
        let mut disk = disk;
        let mut writer = small_blocks().append_to(&mut disk, Codec::new()).unwrap();
        let error = books(20).iter().find_map(|book| writer.write(book).err()).expect("a full disk");
        assert!(matches!(error, RecordError::File(error) if error.kind() == io::ErrorKind::StorageFull));
        assert_eq!(of_pack(writer.write(&books(1)[0])).0, Code::Closed);
        assert_eq!(of_pack(writer.flush()).0, Code::Closed);
        drop(writer);
        let found = read(disk.file.get_ref()).unwrap();
        assert_eq!(found, books(20)[..found.len()], "{left}");
    }
}

#[test]
fn a_record_that_cannot_be_encoded_leaves_the_file_as_it_was() {
    let limits = Limits { frame_bytes: 100, ..Limits::DEFAULT };
    let mut writer = small_blocks().write_to(Vec::new(), Codec::new().limits(limits)).unwrap();
    writer.write(&books(1)[0]).unwrap();
    let error = of_pack(writer.write(&Book { name: "x".repeat(200), year: 1 }));
    assert_eq!(error.0, Code::LimitSize);
    assert_eq!(writer.record_count(), 1);
    writer.write(&books(2)[1]).unwrap();
    assert_eq!(read(&writer.close().unwrap()).unwrap(), books(2));
}

#[test]
fn a_record_larger_than_a_block_has_one_of_its_own() {
    let large = Book { name: "x".repeat(500), year: 1 };
    let all = [books(1)[0].clone(), large, books(1)[0].clone()];
    let file = file(&all, &small_blocks());
    let mut scanner = BlockScanner::new(&Limits::DEFAULT);
    scanner.feed(&file);
    let mut counts = Vec::new();
    while let Some(block) = scanner.next().unwrap() {
        if block.kind() == BlockKind::Records {
            counts.push(block.record_count().unwrap());
        }
    }
    scanner.end().unwrap();
    assert_eq!(counts, [1, 1, 1]);
}

#[test]
fn impossible_options_are_misuse() {
    for bytes in [0, Limits::DEFAULT.frame_bytes + 1] {
        let answer = RecordWriterOptions::new().block_bytes(bytes).write_to(Vec::new(), Codec::<Book>::new());
        assert_eq!(of_pack(answer).0, Code::Misuse);
    }
    assert_eq!(of_pack(RecordWriterOptions::new().block_bytes(60).write_to(Vec::new(), tight())).0, Code::Misuse);
    let file = file(&books(3), &small_blocks());
    let mut reader = RecordReader::new(Cursor::new(&file), Codec::<Book>::new()).unwrap();
    let (code, _, text) = of_pack(reader.seek(4));
    assert_eq!((code, text.as_str()), (Code::Misuse, "seek(4): the file has 3 records"));
    assert_eq!(reader.count(), 3);
}

#[test]
fn an_index_of_other_blocks_is_not_trusted() {
    let file = file(&books(12), &small_blocks());
    let whole = RecordReader::new(Cursor::new(&file), Codec::<Book>::new()).unwrap().record_count().unwrap();
    assert_eq!(whole, 12);
    let index = |first: u8| {
        let mut file = file.clone();
        let body = [&[1, first, 5][..], &(file.len() as u64).to_le_bytes()].concat();
        write_block(BlockKind::Index, &body, &mut file).unwrap();
        file
    };
    // An index that names a place where no block starts.
    let other = index(HEAD as u8 + 1);
    let mut reader = RecordReader::new(Cursor::new(&other), Codec::<Book>::new()).unwrap();
    assert_eq!(reader.record_count().unwrap(), 5);
    assert_eq!(of_pack(reader.seek(2)).0, Code::Unsupported);
    // An index that names the schema's block, or a place within it, is no index.
    for first in [MAGIC.len() as u8, HEAD as u8 - 1] {
        let other = index(first);
        let mut reader = RecordReader::new(Cursor::new(&other), Codec::<Book>::new()).unwrap();
        assert_eq!(reader.record_count().unwrap(), 12);
        let (code, at, _) = of_pack(read(&other));
        assert_eq!((code, at), (Code::Malformed, Some(file.len() + 2)));
    }
}

/// Where the block of the schema of books ends.
const HEAD: usize = 53;

fn tight() -> Codec<Book> {
    Codec::new().limits(Limits { buffered_bytes: 64, ..Limits::DEFAULT })
}

#[test]
fn a_writer_writes_nothing_that_its_own_limits_refuse() {
    let mut writer = small_blocks().write_to(Vec::new(), tight()).unwrap();
    writer.write_many(&books(120)).unwrap();
    let error = of_pack(writer.write(&Book { name: "x".repeat(70), year: 1 }));
    assert_eq!(error.0, Code::LimitSize);
    assert_eq!(writer.record_count(), 120);
    // An index of forty blocks would be larger than the limit: there is none.
    let file = writer.close().unwrap();
    let mut scanner = BlockScanner::new(&Limits::DEFAULT);
    scanner.feed(&file);
    while let Some(block) = scanner.next().unwrap() {
        assert_ne!(block.kind(), BlockKind::Index);
    }
    let mut reader = RecordReader::new(Cursor::new(&file), tight()).unwrap();
    assert_eq!(reader.record_count().unwrap(), 120);
    reader.seek(119).unwrap();
    assert_eq!(reader.next().unwrap().unwrap().year, 119);
    let mut writer = small_blocks().append_to(Cursor::new(file), tight()).unwrap();
    writer.write(&books(1)[0]).unwrap();
    assert_eq!(writer.record_count(), 121);
    writer.close().unwrap();
    let few = small_blocks().write_to(Vec::new(), tight()).unwrap().close().unwrap();
    assert_eq!(few, self::file(&[], &small_blocks()));
}

/// Gives a file, then fails again and again.
struct Broken<'a>(&'a [u8]);

impl Read for Broken<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match self.0.read(into)? {
            0 => Err(io::ErrorKind::ConnectionReset.into()),
            length => Ok(length),
        }
    }
}

#[test]
fn an_error_of_the_source_ends_iteration() {
    let file = file(&books(12), &small_blocks());
    let reader = RecordReader::new(Broken(&file), Codec::<Book>::new()).unwrap();
    let found: Vec<_> = reader.take(100).collect();
    assert_eq!(found.len(), 13);
    assert!(matches!(found.last(), Some(Err(RecordError::File(_)))));
}

#[test]
fn a_growing_reader_sees_what_an_append_put_in_place_of_an_unfinished_block() {
    let whole = file(&books(6), &small_blocks());
    let path = std::env::temp_dir().join(format!("samewire-replaced-{}.records", std::process::id()));
    let crashed = &whole[..HEAD + 50];
    std::fs::write(&path, crashed).unwrap();
    let mut reader = RecordReaderOptions::new().growing(true).open(&path, Codec::<Book>::new()).unwrap();
    let mut found: Vec<Book> = reader.by_ref().map(Result::unwrap).collect();
    let kept = found.len();
    let mut writer = RecordWriter::append(&path, Codec::new()).unwrap();
    let last = Book { name: "Misery ".repeat(20), year: 1987 };
    writer.write(&last).unwrap();
    writer.close().unwrap();
    found.extend(reader.map(Result::unwrap));
    assert_eq!(found, [&books(6)[..kept], &[last]].concat());

    // What cannot be read again has to be opened again.
    let appended = std::fs::read(&path).unwrap();
    let source = Attempts(vec![crashed, &appended[crashed.len()..]]);
    let mut reader = RecordReaderOptions::new().growing(true).read_from(source, Codec::<Book>::new()).unwrap();
    assert_eq!(reader.by_ref().map(Result::unwrap).count(), kept);
    assert_eq!(of_pack(reader.next().unwrap()).0, Code::Malformed);
    std::fs::remove_file(&path).unwrap();
}

/// Each attempt to read to the end gives one of these.
struct Attempts<'a>(Vec<&'a [u8]>);

impl Read for Attempts<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match self.0.first_mut() {
            Some(bytes) if !bytes.is_empty() => bytes.read(into),
            Some(_) => {
                self.0.remove(0);
                Ok(0)
            }
            None => Ok(0),
        }
    }
}

#[test]
fn a_damaged_size_is_not_taken_for_an_unfinished_block() {
    let path = std::env::temp_dir().join(format!("samewire-size-{}.records", std::process::id()));
    let index_of = |file: &[u8]| u64::from_le_bytes(file[file.len() - 12..file.len() - 4].try_into().unwrap()) as usize;
    let mut records = file(&books(60), &RecordWriterOptions::new().block_bytes(200));
    // Without its index, as after a crash.
    records.truncate(index_of(&records));
    let mut index = file(&books(200), &small_blocks());
    let start = index_of(&index);
    index.extend_from_within(HEAD..start);
    for (mut damaged, at) in [(records, HEAD), (index, start)] {
        // One more bit in the size of a block that has others behind it.
        damaged[at + 2] |= 0x40;
        let answer = RecordReader::new(&damaged[..], Codec::<Book>::new()).unwrap();
        let error = of_pack(answer.collect::<Result<Vec<_>, _>>());
        assert_eq!((error.0, error.1), (Code::Malformed, Some(at + 1)), "{}", error.2);
        let growing = RecordReaderOptions::new().growing(true).read_from(&damaged[..], Codec::<Book>::new()).unwrap();
        assert_eq!(of_pack(growing.collect::<Result<Vec<_>, _>>()).1, Some(at + 1));
        let mut reader = RecordReader::new(Cursor::new(&damaged), Codec::<Book>::new()).unwrap();
        assert_eq!(of_pack(reader.record_count()).1, Some(at + 1));
        std::fs::write(&path, &damaged).unwrap();
        assert_eq!(of_pack(RecordWriter::append(&path, Codec::<Book>::new())).1, Some(at + 1));
        assert_eq!(std::fs::read(&path).unwrap(), damaged);
    }
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn zeros_of_a_power_cut_are_told_as_such() {
    let whole = file(&books(3), &RecordWriterOptions::new());
    let (code, at, text) = of_pack(read(&[&whole[..], &[0; 4096]].concat()));
    assert_eq!((code, at), (Code::Unsupported, Some(whole.len())));
    assert!(text.contains("power cut") && text.contains(&whole.len().to_string()), "{text}");
    let mut torn = whole.clone();
    torn[HEAD + 20..].fill(0);
    let (code, _, text) = of_pack(read(&torn));
    assert_eq!(code, Code::Malformed);
    assert!(text.contains("power"), "{text}");
}

#[test]
fn a_writer_syncs_what_it_has_and_ends_where_that_fails() {
    let path = std::env::temp_dir().join(format!("samewire-sync-{}.records", std::process::id()));
    let mut writer = RecordWriter::create(&path, Codec::new()).unwrap();
    writer.write_many(&books(3)).unwrap();
    writer.sync().unwrap();
    assert_eq!(read(&std::fs::read(&path).unwrap()).unwrap(), books(3));
    writer.close().unwrap();
    std::fs::remove_file(&path).unwrap();
    let room = self::file(&books(1), &small_blocks()).len();
    for left in HEAD..room {
        let mut disk = Full { file: Cursor::new(Vec::new()), left };
        let mut writer = small_blocks().append_to(&mut disk, Codec::new()).unwrap();
        let synced = writer.write(&books(1)[0]).and_then(|()| writer.sync());
        if synced.is_err() {
            assert_eq!(of_pack(writer.sync()).0, Code::Closed);
        }
    }
}

#[cfg(feature = "zstd")]
mod compressed {
    use super::*;
    use samewire_pack::records::Compression;

    fn packed() -> RecordWriterOptions {
        RecordWriterOptions::new().compression(Compression::Zstd)
    }

    /// Thirty times one book, in blocks that Python's library made, packed by the zstd that it uses.
    const OF_PYTHON: &str = concat!(
        "895357520d0a1a01012773747275637420426f6f6b207b206e616d653a20737472696e672c20796561723a2069333220",
        "7d39f5205f03201ee80228b52ffd6068009d0000600b810643617272696506ec1e010059574b12de2e7aa8040b01351e",
        "5b00000000000000d568459d",
    );

    fn bytes(hex: &str) -> Vec<u8> {
        (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect()
    }

    #[test]
    fn is_smaller_and_reads_the_same() {
        let (plain, small) = (file(&books(500), &RecordWriterOptions::new()), file(&books(500), &packed()));
        assert!(small.len() < plain.len() / 2, "{} {}", small.len(), plain.len());
        assert_eq!(read(&small).unwrap(), books(500));
        let mut reader = RecordReader::new(Cursor::new(&small), Codec::<Book>::new()).unwrap();
        reader.seek(499).unwrap();
        assert_eq!(reader.next().unwrap().unwrap().year, 499);
    }

    #[test]
    fn a_block_that_would_grow_is_not_packed() {
        assert_eq!(file(&books(1), &packed()), file(&books(1), &RecordWriterOptions::new()));
    }

    #[test]
    fn reads_what_python_wrote() {
        let expected = vec![Book { name: "Carrie".into(), year: 1974 }; 30];
        assert_eq!(read(&bytes(OF_PYTHON)).unwrap(), expected);
        assert_eq!(file(&expected, &packed()).len(), bytes(OF_PYTHON).len());
    }

    /// A file of one packed block that announces `size` bytes.
    fn of(size: u8, data: &[u8]) -> Vec<u8> {
        let mut file = file(&[], &packed());
        file.truncate(53);
        let body = [&[1, size][..], data].concat();
        write_block(BlockKind::Zstd, &body, &mut file).unwrap();
        file
    }

    #[test]
    fn data_that_are_not_one_frame_of_the_stated_size_are_malformed() {
        let mut frame = Vec::with_capacity(64);
        zstd_safe::compress(&mut frame, b"abc", 3).unwrap();
        let twice = [&frame[..], &frame[..]].concat();
        let trailing = [&frame[..], b"x"].concat();
        for (size, data) in
            [(4, &frame[..]), (2, &frame), (6, &twice), (3, &trailing), (3, b"abc"), (3, b""), (3, &frame[..8])]
        {
            let (code, at, text) = of_pack(read(&of(size, data)));
            assert_eq!((code, at), (Code::Malformed, Some(55)), "{size} {data:x?}: {text}");
        }
        // This one is a frame, whose content is not frames of records.
        assert_eq!(of_pack(read(&of(3, &frame))).2, "frames that do not end with their block");
    }

    #[test]
    fn a_block_that_expands_beyond_the_limit_is_refused_before() {
        let mut file = file(&[], &packed());
        file.truncate(53);
        let mut bomb = Vec::with_capacity(1 << 16);
        zstd_safe::compress(&mut bomb, &vec![0; 50_000_000], 3).unwrap();
        let body = [&[1, 0x80, 0xe1, 0xeb, 0x17][..], &bomb].concat();
        write_block(BlockKind::Zstd, &body, &mut file).unwrap();
        let codec = Codec::<Book>::new().limits(Limits { buffered_bytes: 49_999_999, ..Limits::DEFAULT });
        let answer: Result<Vec<Book>, _> = RecordReader::new(&file[..], codec).unwrap().collect();
        assert_eq!((of_pack(answer).0), Code::LimitSize);
        assert_eq!(of_pack(read(&file)).0, Code::Malformed);
    }
}

#[cfg(not(feature = "zstd"))]
#[test]
fn compression_without_zstd_is_unsupported() {
    let options = RecordWriterOptions::new().compression(samewire_pack::records::Compression::Zstd);
    assert_eq!(of_pack(options.write_to(Vec::new(), Codec::<Book>::new())).0, Code::Unsupported);
    let mut file = file(&[], &small_blocks());
    file.truncate(53);
    write_block(BlockKind::Zstd, &[1, 3, 0], &mut file).unwrap();
    let (code, at, _) = of_pack(read(&file));
    assert_eq!((code, at), (Code::Unsupported, Some(53)));
}
