//! The rows of a table, as one message or as one each.

use super::super::field::Field;
use super::arrays::{OwnedArray, OwnedSchema};
use super::gather::Gather;
use super::refused::Refused;
use super::runs::{push, Run};
use super::source::Source;
use super::values::Values;
use super::writing::{write_list, write_row};
use crate::schema::{Schema, Type};
use crate::wire::{Message, Writer};
use alloc::vec::Vec;
use samewire_core::path::Segment;
use samewire_core::{Code, Error, Limits};

/// Where the fields of a schema's rows stand in a table: its columns have been compared with the schema's types.
pub struct RowSource {
    source: Source,
    /// The struct of a row.
    row: usize,
    /// Whether a message is a list of rows, and not one row.
    list: bool,
}

impl RowSource {
    /// The columns of a table for a schema whose messages are a list of a struct, or that struct.
    ///
    /// # Errors
    /// `schema_mismatch` for a column that is missing, or that no field is named after; `type_mismatch` for one of a
    /// type that does not hold the field's; `unsupported` for another schema.
    pub fn new(schema: &Schema, rows: &OwnedSchema) -> Result<Self, Error> {
        let (row, list) = match schema.ty(schema.root()) {
            Type::List(item) => (*item, true),
            _ => (schema.root(), false),
        };
        // All that has no Arrow type is refused: what contains itself has no end here.
        let _: Field = if list { Field::of_list(schema)? } else { Field::of_row(schema)? };
        let Type::Struct(row) = *schema.ty(row) else {
            return Err(Error::new(Code::Misuse, "expected the schema of a struct, or of a list of one"));
        };
        let source = Source::of_struct(schema, row, rows.view());
        let source = source.map_err(|refused| refused.error(list.then_some(Segment::Elements)))?;
        Ok(RowSource { source, row, list })
    }
}

/// How many times `limits.items` the rows and elements of one batch may be, if each row is a message.
const BATCH: u64 = 8;

/// Rows that were taken from arrays and are not written yet. The arrays lend their texts and bytes.
pub struct Rows<'a> {
    schema: &'a Schema,
    source: &'a RowSource,
    fields: Values<'a>,
    /// The number of the first row, as errors name it.
    first: usize,
    /// How many rows were taken, and how many written.
    len: usize,
    written: usize,
    /// The elements that a message may still have.
    items: u64,
}

impl<'a> Rows<'a> {
    /// No rows. Errors name the first one by this number.
    pub fn new(schema: &'a Schema, source: &'a RowSource, limits: &Limits, first: usize) -> Self {
        let fields = Values::of_struct(schema, source.row, &source.source);
        Rows { schema, source, fields, first, len: 0, written: 0, items: limits.items }
    }

    /// Takes the rows of an array, which are of the type that the source was made for.
    ///
    /// # Errors
    /// `type_mismatch` for a value that its field does not hold, and a null where the field is not optional;
    /// `bad_utf8`; `limit_items` for more elements than a message may have, or, where each row is a message, 8 times
    /// as many in one array; `malformed` for an array that is visibly broken. All name the row. What was taken is then
    /// of no more use.
    pub fn extend(&mut self, array: &'a OwnedArray) -> Result<(), Error> {
        let base = self.first + self.len;
        self.take(array).map_err(|refused| {
            let row = refused.at().map(|at| base + at);
            if self.source.list {
                return refused.error(Some(row.map_or(Segment::Elements, Segment::Index)));
            }
            let error = refused.error(None);
            match row {
                Some(row) => numbered(error, row),
                None => error,
            }
        })
    }

    fn take(&mut self, array: &'a OwnedArray) -> Result<(), Refused> {
        let array = array.view()?;
        let mut gather = Gather { schema: self.schema, items: self.items, batch: !self.source.list };
        if gather.batch {
            // Each row is a message of its own, but rows without buffers cost their maker nothing, however many they
            // are.
            gather.items = self.items.saturating_mul(BATCH);
        }
        gather.take(array.len())?;
        if let Some(bits) = array.validity()? {
            if let Some(at) = (0..array.len()).find(|&i| !bits.is_set(i)) {
                return Err(Refused::value("expected a row, got a null: drop it", at));
            }
        }
        let mut runs: Vec<Run> = Vec::new();
        push(&mut runs, 0, array.len());
        if let (Values::Struct(parts), false) = (&mut self.fields, runs.is_empty()) {
            gather.fields(self.source.row, &self.source.source, array, &runs, parts)?;
        }
        if self.source.list {
            self.items = gather.items;
        }
        self.len += array.len();
        Ok(())
    }

    /// How many rows are still to be written.
    pub fn len(&self) -> usize {
        self.len - self.written
    }

    /// Whether none is.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Appends the message of the list of all rows: the bytes that equal values of native types are written to.
    ///
    /// # Errors
    /// As [`Codec::encode`](crate::Codec::encode): `limit_size`, `limit_items`. `out` is then unchanged.
    pub fn write_list(mut self, writer: &mut Writer, message: &Message, out: &mut Vec<u8>) -> Result<(), Error> {
        write_list(writer, self.schema, message, self.len, &mut self.fields, out)
    }

    /// Appends the message of the next row. There must be one.
    ///
    /// # Errors
    /// As [`write_list`](Self::write_list). The rows are then of no more use.
    pub fn write_next(&mut self, writer: &mut Writer, message: &Message, out: &mut Vec<u8>) -> Result<(), Error> {
        let row = self.first + self.written;
        self.written += 1;
        write_row(writer, self.schema, message, &mut self.fields, out).map_err(|error| numbered(error, row))
    }
}

fn numbered(error: Error, row: usize) -> Error {
    let Error { code, at, path, text } = error;
    Error { code, at, path, text: format!("row {row}: {text}").into() }
}
