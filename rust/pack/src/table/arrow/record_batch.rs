//! A column as a `RecordBatch`, and a `RecordBatch` as what the C data interface hands over.
//!
//! Both sides declare the interface's structs: `#[repr(C)]`, of the same fields.

use super::super::c_data::{array_of, schema_of, ArrowArray, ArrowSchema};
use super::super::column::Column;
use super::super::field::{Field, TableOptions};
use super::super::from_arrow::{OwnedArray, OwnedSchema};
use alloc::format;
use alloc::sync::Arc;
use arrow_array::ffi::{from_ffi_and_data_type, to_ffi, FFI_ArrowArray, FFI_ArrowSchema};
use arrow_array::{Array, RecordBatch, RecordBatchOptions, StructArray};
use arrow_schema::{ArrowError, DataType, FieldRef, SchemaRef};
use core::mem::ManuallyDrop;
use core::ptr::from_ref;
use samewire_core::{Code, Error};

const _: () = assert!(size_of::<ArrowSchema>() == size_of::<FFI_ArrowSchema>());
const _: () = assert!(size_of::<ArrowArray>() == size_of::<FFI_ArrowArray>());

/// The type of the batches of one schema.
#[derive(Debug)]
pub(crate) struct BatchType {
    field: Field,
    options: TableOptions,
    schema: SchemaRef,
}

impl BatchType {
    /// That of rows of this field, [`Field::of_list`]'s or [`Field::of_row`]'s.
    pub(crate) fn new(field: Field, options: TableOptions) -> Result<Self, Error> {
        let mut schema = schema_of(&field, &options);
        // SAFETY: `schema_of`'s struct keeps to the interface, and `from_raw` moves it out: its new owner releases it.
        let schema = unsafe { FFI_ArrowSchema::from_raw((&raw mut schema).cast()) };
        let schema = arrow_schema::Schema::try_from(&schema).map_err(|error| refused(&error))?;
        Ok(BatchType { field, options, schema: Arc::new(schema) })
    }

    pub(crate) fn field(&self) -> &Field {
        &self.field
    }

    pub(crate) fn options(&self) -> &TableOptions {
        &self.options
    }

    pub(crate) fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// The batch of a column of this field that is finished. It shares the column's buffers.
    pub(crate) fn batch(&self, column: Column) -> Result<RecordBatch, Error> {
        let rows = column.len();
        let mut array = array_of(&Arc::new(column), &self.field);
        let rows_type = DataType::Struct(self.schema.fields().clone());
        // SAFETY: `array_of`'s struct keeps to the interface and is of the type of `schema_of`'s; `from_raw` moves it out:
        // its new owner releases it.
        let data = unsafe { from_ffi_and_data_type(FFI_ArrowArray::from_raw((&raw mut array).cast()), rows_type) };
        let made = data.and_then(|data| {
            let (_, columns, _) = StructArray::from(data).into_parts();
            let options = RecordBatchOptions::new().with_row_count(Some(rows));
            RecordBatch::try_new_with_options(Arc::clone(&self.schema), columns, &options)
        });
        made.map_err(|error| refused(&error))
    }
}

/// The type and the rows of a batch, which share its buffers.
pub(crate) fn taken(batch: &RecordBatch) -> Result<(OwnedSchema, OwnedArray), Error> {
    batch.schema_ref().fields().iter().try_for_each(check_field)?;
    let rows = StructArray::from(batch.clone()).into_data();
    let (array, schema) = to_ffi(&rows).map_err(|error| refused(&error))?;
    let (array, schema) = (ManuallyDrop::new(array), ManuallyDrop::new(schema));
    // SAFETY: both keep to the interface, since a batch is of arrays that were checked as they were made; they are moved
    // out: `ManuallyDrop` keeps their first owners from releasing them.
    unsafe {
        let schema = OwnedSchema::new(from_ref(&*schema).cast::<ArrowSchema>().read());
        Ok((schema, OwnedArray::new(from_ref(&*array).cast::<ArrowArray>().read())))
    }
}

/// The interface's texts end at a NUL: handing over one that has it inside panics in Arrow's crates.
fn check_field(field: &FieldRef) -> Result<(), Error> {
    check_text(field.name(), "a column's name")?;
    check_type(field.data_type())
}

fn check_type(ty: &DataType) -> Result<(), Error> {
    match ty {
        DataType::Timestamp(_, Some(zone)) => check_text(zone, "a time zone"),
        DataType::List(item)
        | DataType::LargeList(item)
        | DataType::ListView(item)
        | DataType::LargeListView(item)
        | DataType::FixedSizeList(item, _)
        | DataType::Map(item, _) => check_field(item),
        DataType::Struct(fields) => fields.iter().try_for_each(check_field),
        DataType::Union(members, _) => members.iter().try_for_each(|(_, member)| check_field(member)),
        DataType::Dictionary(indices, values) => check_type(indices).and_then(|()| check_type(values)),
        DataType::RunEndEncoded(ends, values) => check_field(ends).and_then(|()| check_field(values)),
        _ => Ok(()),
    }
}

fn check_text(text: &str, what: &str) -> Result<(), Error> {
    if text.contains('\0') {
        let text =
            format!("expected {what} without a NUL, got {text:?}: rename it, with U+FFFD where the field has a NUL");
        return Err(Error::new(Code::SchemaMismatch, text).path("$"));
    }
    Ok(())
}

#[cold]
fn refused(error: &ArrowError) -> Error {
    Error::new(Code::Unsupported, format!("Arrow's crates refuse the table: {error}")).path("$")
}
