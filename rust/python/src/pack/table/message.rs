//! Tables, and those of one message.

use super::{capsule, stream};
use crate::core::fault::raise;
use crate::core::frame::lent;
use crate::pack::plan::Plan;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use samewire_pack::table::{read_list, Column, Field, TableOptions, TimeUnit};
use samewire_pack::wire::header;
use samewire_pack::{Code, Error};
use std::sync::Arc;

/// Rows as Arrow columns: pyarrow, pandas, polars, DuckDB and others take it as it is.
///
/// It holds the columns; its consumers share them.
#[pyclass(frozen, module = "samewire._native")]
pub struct Table {
    pub(super) field: Arc<Field>,
    pub(super) options: TableOptions,
    pub(super) batches: Vec<Arc<Column>>,
}

#[pymethods]
impl Table {
    /// A capsule of an `ArrowArrayStream`. It has the table's own types; `requested_schema` is ignored.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let _ = requested_schema;
        let mut batches = self.batches.clone().into_iter();
        let next = Box::new(move || Ok(batches.next()));
        capsule::stream(py, stream::open(Arc::clone(&self.field), self.options, next))
    }

    /// A capsule of an `ArrowSchema`: a struct of the columns.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        capsule::schema(py, &self.field, &self.options)
    }

    /// The names of the columns, in order.
    #[getter]
    fn column_names(&self) -> Vec<&str> {
        self.field.children.iter().map(|field| field.name.as_str()).collect()
    }

    /// The number of rows.
    fn __len__(&self) -> usize {
        self.batches.iter().map(|column| column.len()).sum()
    }

    fn __repr__(&self) -> String {
        format!("<Table of {} rows: {}>", self.__len__(), self.column_names().join(", "))
    }
}

/// The options of a table: `time_unit` is "us" or "ns", `strings` "utf8" or "view".
pub fn options(unit: &str, strings: &str, truncate: bool) -> PyResult<TableOptions> {
    let views = match strings {
        "utf8" => false,
        "view" => true,
        _ => {
            let text = format!("strings={strings:?}: expected \"utf8\" or \"view\"");
            return Err(raise(Error::new(Code::Misuse, text)));
        }
    };
    let unit = match unit {
        "us" => TimeUnit::Micros,
        "ns" => TimeUnit::Nanos,
        _ => {
            let text = format!("time_unit={unit:?}: expected \"us\" or \"ns\"");
            return Err(raise(Error::new(Code::Misuse, text)));
        }
    };
    Ok(TableOptions { unit, truncate, views })
}

/// The table of one message of a list of structs.
pub fn table_of(plan: &Plan, data: &Bound<'_, PyAny>, unit: &str, strings: &str) -> PyResult<Table> {
    if plan.read_only {
        let text = "a decoder made by resolve() reads objects only: use the codec of the writer's schema";
        return Err(raise(Error::new(Code::Misuse, text)));
    }
    let options = options(unit, strings, plan.truncate_times)?;
    let field = Arc::new(Field::of_list(&plan.named).map_err(raise)?);
    let read = |data: &[u8]| {
        if plan.digest_required && header::lacks_digest(data) && data.len() <= plan.limits.frame_bytes {
            return Err(header::without_digest());
        }
        read_list(&plan.named, plan.named.cells(), data, &plan.limits, &options, &field)
    };
    let column = match data.cast::<PyBytes>() {
        Ok(bytes) => read(bytes.as_bytes()),
        Err(_) => match lent(data) {
            Ok(copy) => read(&copy),
            Err(error) if error.is_instance_of::<PyTypeError>(data.py()) => {
                let class = data.get_type().name()?;
                let text = format!("table() takes bytes, or what lends its memory as bytearray does, not {class}");
                return Err(PyTypeError::new_err(text));
            }
            Err(error) => return Err(error),
        },
    };
    let column = column.map_err(raise)?;
    Ok(Table { field, options, batches: vec![Arc::new(column)] })
}
