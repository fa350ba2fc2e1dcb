//! Messages as `RecordBatch`es, and back.

use super::super::field::{Field, TableOptions};
use super::super::from_arrow::{RowSource, Rows};
use super::super::reading::read_list;
use super::record_batch::{taken, BatchType};
use crate::codec::Codec;
use crate::pack::Pack;
use crate::schema::Schema;
use crate::wire::{header, Message, Writer};
use alloc::format;
use alloc::sync::Arc;
use alloc::vec::Vec;
use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use samewire_core::{Code, Error, Limits};

/// Returns the rows of a message of any schema that is a list of a struct, as [`Codec::table`] does for that of a type: of one
/// that another version of the type wrote, say.
///
/// # Errors
/// As [`Codec::table`].
pub fn read_table(
    schema: &Schema,
    bytes: &[u8],
    limits: &Limits,
    options: &TableOptions,
) -> Result<RecordBatch, Error> {
    let made = BatchType::new(Field::of_list(schema)?, *options)?;
    made.batch(read_list(schema, schema.cells(), bytes, limits, options, made.field())?)
}

/// Tables of messages of a list of a struct, by feature `arrow`.
impl<T: Pack> Codec<T> {
    /// Returns the Arrow schema of [`table`](Self::table)'s batches.
    ///
    /// # Errors
    /// `unsupported` for a type without a table, with the path (`spec/tables.md` section 1).
    pub fn table_schema(&self, options: &TableOptions) -> Result<SchemaRef, Error> {
        Ok(Arc::clone(BatchType::new(Field::of_list(self.schema())?, *options)?.schema()))
    }

    /// Returns the rows of a message of a list of a struct as Arrow columns, without an object for each row. They own their
    /// memory.
    ///
    /// # Errors
    /// As [`decode`](Self::decode); `type_mismatch` for a value that its Arrow type does not hold; `limit_items` for nulls
    /// or plain strings that take too much; `unsupported` for a type without a table.
    pub fn table(&self, bytes: &[u8], options: &TableOptions) -> Result<RecordBatch, Error> {
        let limits = self.limits_used();
        if self.is_digest_required() && header::lacks_digest(bytes) && bytes.len() <= limits.frame_bytes {
            return Err(header::without_digest());
        }
        read_table(self.schema(), bytes, limits, options)
    }

    /// Encodes all rows of batches of one type as one message: the bytes that [`encode`](Self::encode) returns for the same
    /// values. Their columns are named as the fields, in any order; section 3 of `spec/tables.md` has their types.
    ///
    /// # Errors
    /// `schema_mismatch` for a column that is missing or one too many, and for batches of several types; `type_mismatch`
    /// for a column or a value that does not fit; `limit_size`, `limit_items`; `unsupported` for a type without a table.
    pub fn encode_table<'b>(&self, batches: impl IntoIterator<Item = &'b RecordBatch>) -> Result<Vec<u8>, Error> {
        let (schema, limits) = (self.schema(), self.limits_used());
        let field = Field::of_list(schema)?;
        let (mut first, mut owned, mut rows) = (None::<SchemaRef>, Vec::new(), 0);
        for (i, batch) in batches.into_iter().enumerate() {
            let first = first.get_or_insert_with(|| batch.schema());
            check_same(first, batch.schema_ref(), i)?;
            owned.push(taken(batch)?);
            rows += batch.num_rows() as u64;
            if rows > limits.items {
                // They are refused where they are counted.
                break;
            }
        }
        if owned.is_empty() {
            let made = BatchType::new(field, TableOptions::default())?;
            owned.push(taken(&RecordBatch::new_empty(Arc::clone(made.schema())))?);
        }
        let source = RowSource::new(schema, &owned[0].0)?;
        let mut rows = Rows::new(schema, &source, limits, 0);
        owned.iter().try_for_each(|(_, array)| rows.extend(array))?;
        let message = Message { dedup_slots: schema.dedup_slots(), ..*self.message() };
        let mut out = Vec::new();
        rows.write_list(&mut Writer::new(), &message, &mut out)?;
        Ok(out)
    }
}

/// Batch `i` must have the columns of the first.
fn check_same(first: &SchemaRef, other: &SchemaRef, i: usize) -> Result<(), Error> {
    let columns = |schema: &SchemaRef| -> Vec<_> {
        schema.fields().iter().map(|field| (field.name().clone(), field.data_type().clone())).collect()
    };
    if Arc::ptr_eq(first, other) || columns(first) == columns(other) {
        return Ok(());
    }
    let text = format!("expected batches of one type, got another one in batch {i}: select and cast its columns");
    Err(Error::new(Code::SchemaMismatch, text).path("$"))
}
