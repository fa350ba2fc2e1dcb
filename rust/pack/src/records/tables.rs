//! Record files as `RecordBatch`es, and back (`spec/tables.md` section 4).

use super::block::{BlockKind, Messages};
use super::block_input::BlockInput;
use super::record_error::RecordError;
use super::writer::RecordWriter;
use crate::pack::Pack;
use crate::schema::Schema;
use crate::table::arrow::{taken, BatchType};
use crate::table::from_arrow::{RowSource, Rows};
use crate::table::{finish, read_row, Column, Field, TableOptions};
use crate::wire::{Message, Writer};
use alloc::boxed::Box;
use alloc::format;
use alloc::sync::Arc;
use alloc::vec::Vec;
use arrow_array::{RecordBatch, RecordBatchIterator, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use samewire_core::{Code, Error, Limits};
use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;

/// Elements of one Arrow column.
const MOST_ROWS: usize = i32::MAX as usize;

/// How a record file is read as tables.
#[derive(Clone, Debug)]
pub struct RecordTablesOptions {
    columns: TableOptions,
    rows: usize,
    limits: Limits,
}

impl Default for RecordTablesOptions {
    fn default() -> Self {
        RecordTablesOptions { columns: TableOptions::default(), rows: 65_536, limits: Limits::DEFAULT }
    }
}

impl RecordTablesOptions {
    /// Tables of 65,536 rows, times in microseconds, plain strings, default limits.
    pub fn new() -> Self {
        Self::default()
    }

    /// What columns look like.
    #[must_use]
    pub fn columns(mut self, columns: TableOptions) -> Self {
        self.columns = columns;
        self
    }

    /// How many rows a table has, from 1 to 2^31 - 1; the last may have fewer.
    #[must_use]
    pub fn rows(mut self, rows: usize) -> Self {
        self.rows = rows;
        self
    }

    /// Sets the limits: `buffered_bytes` bounds a block, the others each record.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Opens a file and reads its schema.
    ///
    /// # Errors
    /// `unsupported` with the path of a type that has no Arrow type, `misuse` for an impossible number of rows; those of a
    /// broken file, with its offset; what the file fails with.
    pub fn open(&self, path: impl AsRef<Path>) -> Result<RecordTables<File>, RecordError> {
        self.read_from(File::open(path)?)
    }

    /// As [`open`](Self::open), of anything that gives bytes: a pipe, memory. It needs no buffer of its own.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn read_from<R: Read>(&self, source: R) -> Result<RecordTables<R>, RecordError> {
        if !(1..=MOST_ROWS).contains(&self.rows) {
            let text = format!("rows({}): expected a number from 1 to {MOST_ROWS}", self.rows);
            return Err(Error::new(Code::Misuse, text).into());
        }
        let mut input = BlockInput::new(source, &self.limits);
        let (schema, head) = input.schema()?;
        let made = BatchType::new(Field::of_row(&schema)?, self.columns)?;
        Ok(RecordTables {
            input,
            schema,
            head,
            column: Column::of(made.field()),
            made,
            rows: self.rows,
            limits: self.limits,
            number: 0,
            messages: Messages::default(),
            failed: None,
            ended: false,
        })
    }
}

/// Reads the records of a file as Arrow columns, without an object for each, in the types of the file's schema. Holds the rows
/// of one batch and one block.
///
/// It is an iterator of batches. The error of a record says its number, and costs its batch: iteration goes on behind the
/// record. All other errors end the iteration, behind the batch of the records before them.
pub struct RecordTables<R> {
    input: BlockInput<R>,
    schema: Schema,
    /// Where the schema's block ends.
    head: u64,
    made: BatchType,
    rows: usize,
    limits: Limits,
    /// The number of the next record.
    number: u64,
    messages: Messages,
    column: Column,
    /// What comes behind the batch that was just returned.
    failed: Option<RecordError>,
    ended: bool,
}

impl RecordTables<File> {
    /// As [`RecordTablesOptions::open`], with other defaults left.
    ///
    /// # Errors
    /// As [`RecordTablesOptions::open`].
    pub fn open(path: impl AsRef<Path>, columns: &TableOptions) -> Result<Self, RecordError> {
        RecordTablesOptions::new().columns(*columns).open(path)
    }
}

impl<R: Read> RecordTables<R> {
    /// As [`RecordTablesOptions::read_from`], with other defaults left.
    ///
    /// # Errors
    /// As [`RecordTablesOptions::open`].
    pub fn new(source: R, columns: &TableOptions) -> Result<Self, RecordError> {
        RecordTablesOptions::new().columns(*columns).read_from(source)
    }

    /// Returns the schema that the records were written with.
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// Returns the Arrow schema of the batches.
    pub fn table_schema(&self) -> SchemaRef {
        Arc::clone(self.made.schema())
    }

    /// Returns the batches as what Parquet's writer, DataFusion and streams of the C interface take. An error is an
    /// [`ArrowError::ExternalError`] of a [`RecordError`].
    pub fn into_reader(self) -> impl RecordBatchReader {
        let schema = self.table_schema();
        RecordBatchIterator::new(self.map(|batch| batch.map_err(ArrowError::from)), schema)
    }

    /// Makes the messages of the next block of records the next ones. Returns false at the end of the file.
    fn next_block(&mut self) -> Result<bool, RecordError> {
        while let Some(block) = self.input.next()? {
            if block.kind() == BlockKind::Index {
                block.index(self.head)?;
                continue;
            }
            self.messages = block.messages(&self.limits)?;
            return Ok(true);
        }
        self.input.scanner.end()?;
        Ok(false)
    }

    /// Appends records until the batch is full or the file ends.
    fn gather(&mut self) -> Result<(), RecordError> {
        while !self.ended && self.column.len() < self.rows {
            let Some(message) = self.messages.next() else {
                match self.next_block() {
                    Ok(more) => self.ended = !more,
                    Err(error) => {
                        self.ended = true;
                        self.failed = Some(error);
                    }
                }
                continue;
            };
            let (schema, number) = (&self.schema, self.number);
            self.number += 1;
            let options = self.made.options();
            if let Err(mut error) = read_row(schema, schema.cells(), message, &self.limits, options, &mut self.column) {
                self.column = Column::of(self.made.field());
                error.text = format!("record {number}: {}", error.text).into();
                return Err(error.into());
            }
        }
        Ok(())
    }

    fn batch(&mut self) -> Result<RecordBatch, RecordError> {
        let mut column = core::mem::replace(&mut self.column, Column::of(self.made.field()));
        finish(&mut column, &self.limits, self.made.options())?;
        Ok(self.made.batch(column)?)
    }
}

impl<R: Read> Iterator for RecordTables<R> {
    type Item = Result<RecordBatch, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Err(error) = self.gather() {
            return Some(Err(error));
        }
        if !self.column.is_empty() {
            return Some(self.batch());
        }
        self.failed.take().map(Err)
    }
}

impl<R> core::fmt::Debug for RecordTables<R> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("RecordTables")
            .field("schema", &self.schema.text())
            .field("next_record", &self.number)
            .finish_non_exhaustive()
    }
}

impl From<RecordError> for ArrowError {
    fn from(error: RecordError) -> Self {
        ArrowError::ExternalError(Box::new(error))
    }
}

/// Records of tables, by feature `arrow`.
impl<T: Pack, W: Write> RecordWriter<T, W> {
    /// Adds the rows of a batch, a record each, without an object for each. Its columns are named as the fields, in any order.
    ///
    /// # Errors
    /// As [`write`](Self::write); `schema_mismatch` and `type_mismatch` as [`Codec::encode_table`](crate::Codec::encode_table),
    /// with the row's number; `limit_items` for more than 8 times `limits.items` rows and elements. Rows are added when all
    /// of them are encoded: those that cannot be leave the file as it was.
    pub fn write_table(&mut self, batch: &RecordBatch) -> Result<(), RecordError> {
        self.check_open()?;
        let (mut messages, mut ends) = (Vec::new(), Vec::new());
        {
            let schema = self.schema();
            let message = Message { dedup_slots: schema.dedup_slots(), ..*self.message() };
            let (types, array) = taken(batch)?;
            let source = RowSource::new(schema, &types)?;
            let mut rows = Rows::new(schema, &source, &message.limits, 0);
            rows.extend(&array)?;
            let mut writer = Writer::new();
            while !rows.is_empty() {
                rows.write_next(&mut writer, &message, &mut messages)?;
                ends.push(messages.len());
            }
        }
        let mut start = 0;
        for end in ends {
            self.write_message(&messages[start..end])?;
            start = end;
        }
        Ok(())
    }
}
