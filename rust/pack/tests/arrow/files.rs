//! Record files as batches, and back.

use crate::rows::{row, rows, Row};
use crate::values::assert_is;
use arrow_array::RecordBatchReader;
use arrow_schema::ArrowError;
use samewire_pack::records::{
    RecordError, RecordReader, RecordTables, RecordTablesOptions, RecordWriter, RecordWriterOptions,
};
use samewire_pack::table::TableOptions;
use samewire_pack::{Code, Codec, Limits};

fn file(count: i64) -> Vec<u8> {
    let options = RecordWriterOptions::new().block_bytes(2000);
    let mut out = options.write_to(Vec::new(), Codec::<Row>::new()).unwrap();
    out.write_many(&rows(count)).unwrap();
    out.close().unwrap()
}

fn pack_error(error: RecordError) -> samewire_pack::Error {
    match error {
        RecordError::Pack(error) => error,
        RecordError::File(error) => panic!("{error}"),
    }
}

#[test]
fn batches_have_the_records_of_the_file() {
    let file = file(90);
    for size in [1, 7, 30, 90, 1000] {
        let tables = RecordTablesOptions::new().rows(size).read_from(&file[..]).unwrap();
        let (mut from, schema) = (0, tables.table_schema());
        for batch in tables {
            let batch = batch.unwrap();
            assert_eq!((batch.schema(), batch.num_rows()), (schema.clone(), size.min(90 - from)));
            assert_is(&batch, &rows(90)[from..from + batch.num_rows()]);
            from += batch.num_rows();
        }
        assert_eq!(from, 90);
    }
    let empty = self::file(0);
    assert_eq!(RecordTables::new(&empty[..], &TableOptions::default()).unwrap().count(), 0);
}

#[test]
fn a_written_table_is_the_file_of_its_rows() {
    let file = file(90);
    let options = RecordWriterOptions::new().block_bytes(2000);
    let mut out = options.write_to(Vec::new(), Codec::<Row>::new()).unwrap();
    for batch in RecordTablesOptions::new().rows(40).read_from(&file[..]).unwrap() {
        out.write_table(&batch.unwrap()).unwrap();
    }
    assert_eq!(out.record_count(), 90);
    assert_eq!(out.close().unwrap(), file);
}

#[test]
fn a_broken_record_costs_its_batch() {
    // Record 3 is a byte too short: a row of less is never whole.
    let mut frames = Vec::new();
    let codec = Codec::<Row>::new().check(false);
    for i in 0..7 {
        let message = codec.encode(&row(i)).unwrap();
        let end = message.len() - usize::from(i == 3);
        samewire_pack::frame::write_frame(&message[..end], &mut frames).unwrap();
    }
    let mut file = RecordWriter::new(Vec::new(), Codec::<Row>::new()).unwrap().close().unwrap();
    samewire_pack::records::write_records(7, &frames, Default::default(), &mut file).unwrap();
    let mut tables = RecordTablesOptions::new().rows(2).read_from(&file[..]).unwrap();
    assert_is(&tables.next().unwrap().unwrap(), &rows(2));
    let error = pack_error(tables.next().unwrap().unwrap_err());
    assert_eq!(error.code, Code::Truncated);
    assert!(error.text.starts_with("record 3: "), "{error}");
    assert_is(&tables.next().unwrap().unwrap(), &rows(7)[4..6]);
    assert_is(&tables.next().unwrap().unwrap(), &rows(7)[6..]);
    assert!(tables.next().is_none() && tables.next().is_none());
}

#[test]
fn a_broken_file_gives_the_rows_before_and_then_the_error_of_the_reader() {
    let whole = file(90);
    for end in (0..whole.len()).step_by(97) {
        let expected: Vec<_> = match RecordReader::new(&whole[..end], Codec::<Row>::new()) {
            Ok(reader) => reader.collect(),
            Err(error) => {
                let other = RecordTables::new(&whole[..end], &TableOptions::default()).unwrap_err();
                assert_eq!(other.to_string(), error.to_string());
                continue;
            }
        };
        let got: Vec<_> = RecordTables::new(&whole[..end], &TableOptions::default()).unwrap().collect();
        let good: Vec<Row> = expected.iter().map_while(|record| record.as_ref().ok().cloned()).collect();
        let failed: Vec<String> =
            expected.iter().filter_map(|record| Some(record.as_ref().err()?.to_string())).collect();
        let rows: usize = got.iter().filter_map(|batch| Some(batch.as_ref().ok()?.num_rows())).sum();
        assert_eq!(rows, good.len());
        if let Some(Ok(batch)) = got.first() {
            assert_is(batch, &good);
        }
        assert_eq!(got.iter().filter_map(|batch| Some(batch.as_ref().err()?.to_string())).collect::<Vec<_>>(), failed);
        assert!(got[..got.len().saturating_sub(1)].iter().all(Result::is_ok));
    }
}

#[test]
fn a_reader_of_batches_says_what_the_file_says() {
    let file = file(90);
    let mut reader = RecordTablesOptions::new().rows(50).read_from(&file[..file.len() - 400]).unwrap().into_reader();
    assert_eq!(reader.schema().field(0).name(), "open");
    let error = reader.find_map(Result::err).unwrap();
    let ArrowError::ExternalError(error) = error else { panic!("{error}") };
    assert!(matches!(error.downcast_ref(), Some(RecordError::Pack(error)) if error.code == Code::Truncated), "{error}");
}

#[test]
fn what_cannot_be_written_leaves_the_file_as_it_was() {
    let codec = Codec::<Vec<Row>>::new();
    let batch = codec.table(&codec.encode(&rows(9)).unwrap(), &TableOptions::default()).unwrap();
    let mut out =
        RecordWriter::new(Vec::new(), Codec::<Row>::new().limits(Limits { cells: 10, ..Limits::DEFAULT })).unwrap();
    let error = pack_error(out.write_table(&batch).unwrap_err());
    assert_eq!(error.code, Code::LimitItems);
    assert!(error.text.starts_with("row 0: "), "{error}");
    assert_eq!(out.record_count(), 0);
}

#[test]
fn misuse_is_told() {
    let file = file(1);
    for rows in [0, 1 << 31] {
        let error = pack_error(RecordTablesOptions::new().rows(rows).read_from(&file[..]).unwrap_err());
        assert_eq!(error.code, Code::Misuse);
    }
    let numbers = RecordWriter::new(Vec::new(), Codec::<i32>::new()).unwrap().close().unwrap();
    let error = pack_error(RecordTables::new(&numbers[..], &TableOptions::default()).unwrap_err());
    assert_eq!(error.code, Code::Unsupported);
}
