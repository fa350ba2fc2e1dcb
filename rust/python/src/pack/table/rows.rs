//! Tables of messages with one row each, as in record files.

use super::message::{options, Table};
use super::{capsule, stream};
use crate::core::fault::raise;
use crate::core::limits::limits as limits_of;
use crate::pack::schema::Schema;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use samewire_pack::table::{finish, read_row, Column, Field, TableOptions};
use samewire_pack::{schema, Error, Limits};
use std::sync::Arc;

/// Gathers rows: `extend` appends messages, `take` returns the rows as a table.
#[pyclass(module = "samewire._native")]
pub struct RowTables {
    schema: Arc<schema::Schema>,
    limits: Limits,
    field: Arc<Field>,
    options: TableOptions,
    column: Column,
}

#[pymethods]
impl RowTables {
    #[new]
    #[pyo3(signature = (schema, limits, time_unit, strings, /))]
    fn new(schema: &Bound<'_, Schema>, limits: &Bound<'_, PyAny>, time_unit: &str, strings: &str) -> PyResult<Self> {
        let schema = Arc::clone(&schema.get().0);
        let field = Arc::new(Field::of_row(&schema).map_err(raise)?);
        let (options, limits) = (options(time_unit, strings, false)?, limits_of(Some(limits))?);
        let column = Column::of(&field);
        Ok(RowTables { schema, limits, field, options, column })
    }

    /// Appends messages, the first of which has that number in its file. An error has the number of its message; the
    /// gathered rows are then dropped.
    #[pyo3(signature = (messages, number, /))]
    fn extend(&mut self, messages: Vec<Bound<'_, PyBytes>>, number: u64) -> PyResult<()> {
        for (message, number) in messages.iter().zip(number..) {
            let cells = self.schema.cells();
            let read = read_row(&self.schema, cells, message.as_bytes(), &self.limits, &self.options, &mut self.column);
            if let Err(Error { code, at, path, text }) = read {
                self.column = Column::of(&self.field);
                return Err(raise(Error { code, at, path, text: format!("record {number}: {text}").into() }));
            }
        }
        Ok(())
    }

    /// The rows so far, as a table.
    fn take(&mut self) -> PyResult<Table> {
        let mut column = std::mem::replace(&mut self.column, Column::of(&self.field));
        finish(&mut column, &self.limits, &self.options).map_err(raise)?;
        Ok(Table { field: Arc::clone(&self.field), options: self.options, batches: vec![Arc::new(column)] })
    }

    fn __len__(&self) -> usize {
        self.column.len()
    }

    /// A capsule of an `ArrowArrayStream` over an iterator of tables from `take`.
    #[pyo3(signature = (tables, /))]
    fn stream<'py>(&self, tables: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let iterator = tables.try_iter().map_err(|_| PyValueError::new_err("expected an iterator of tables"))?;
        let next = batches_of(iterator.into_any().unbind());
        capsule::stream(tables.py(), stream::open(Arc::clone(&self.field), self.options, next))
    }

    /// A capsule of an `ArrowSchema`: a struct of the columns.
    fn schema<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        capsule::schema(py, &self.field, &self.options)
    }
}

/// The batches of a Python iterator of tables.
fn batches_of(tables: Py<PyAny>) -> stream::Next {
    let mut batches = Vec::new().into_iter();
    Box::new(move || loop {
        if let Some(batch) = batches.next() {
            return Ok(Some(batch));
        }
        let more = Python::try_attach(|py| {
            let next = || -> PyResult<_> {
                let Some(table) = tables.bind(py).try_iter()?.next() else { return Ok(None) };
                Ok(Some(table?.cast::<Table>()?.get().batches.clone()))
            };
            next().map_err(|error| match error.value(py).to_string() {
                // A KeyboardInterrupt has no text.
                text if text.is_empty() => error.get_type(py).to_string(),
                text => text,
            })
        });
        match more.ok_or("the interpreter is shutting down")?? {
            Some(more) => batches = more.into_iter(),
            None => return Ok(None),
        }
    })
}
