//! Messages of tables.

use super::source::{taken, Batches, Failed};
use crate::core::fault::raise;
use crate::pack::plan::Plan;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use samewire_pack::schema::Schema;
use samewire_pack::table::from_arrow::{OwnedArray, RowSource, Rows};
use samewire_pack::table::Field;
use samewire_pack::wire::{header, Message, Writer};
use samewire_pack::{Code, Error};
use std::sync::Arc;

/// The options of messages.
fn message(plan: &Plan) -> Message {
    Message {
        dedup_slots: plan.schema.dedup_slots(),
        profile: plan.profile,
        digest: (plan.mark.bit == header::DIGEST).then_some(plan.digest),
        check: (plan.mark.bit == header::CHECK).then_some(plan.digest),
        limits: plan.limits,
        ..Message::default()
    }
}

fn check(plan: &Plan, field: fn(&Schema) -> Result<Field, Error>) -> PyResult<()> {
    if plan.read_only {
        let text = "a decoder made by resolve() has nothing to encode by: use the codec";
        return Err(raise(Error::new(Code::Misuse, text)));
    }
    field(&plan.schema).map(drop).map_err(raise)
}

/// The message of a list of all rows of a table.
pub fn encode_table<'py>(plan: &Plan, rows: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
    check(plan, Field::of_list)?;
    let py = rows.py();
    let (schema, mut batches) = taken("encode_table", rows)?;
    let source = RowSource::new(&plan.schema, &schema).map_err(raise)?;
    let (types, message) = (Arc::clone(&plan.schema), message(plan));
    let mut arrays = Vec::new();
    let read = read_all(py, &mut batches, &mut arrays, message.limits.items);
    // Neither reading a stream nor encoding needs Python's objects, and a producer may wait for the GIL.
    let written = py.detach(move || {
        let written = read.map(|()| encoded(&types, &source, &arrays, &message));
        drop((arrays, batches));
        written
    });
    written?.map(|bytes| PyBytes::new(py, &bytes)).map_err(raise)
}

/// Reads the batches of a stream, which may be infinite: a signal stops it between two batches, and so does a batch
/// that exceeds the rows of a message, whose count is then refused. Batches without rows are not kept.
fn read_all(py: Python<'_>, batches: &mut Batches, arrays: &mut Vec<OwnedArray>, most: u64) -> PyResult<()> {
    let mut rows = 0u64;
    while rows <= most {
        py.check_signals()?;
        let more = py.detach(|| -> Result<bool, Failed> {
            let Some(array) = batches.next()? else { return Ok(false) };
            rows = rows.saturating_add(array.rows());
            if array.rows() > 0 {
                arrays.push(array);
            }
            Ok(true)
        });
        if !more.map_err(Failed::error)? {
            break;
        }
    }
    Ok(())
}

fn encoded(types: &Schema, source: &RowSource, arrays: &[OwnedArray], message: &Message) -> Result<Vec<u8>, Error> {
    let mut rows = Rows::new(types, source, &message.limits, 0);
    arrays.iter().try_for_each(|array| rows.extend(array))?;
    let mut out = Vec::new();
    rows.write_list(&mut Writer::new(), message, &mut out)?;
    Ok(out)
}

enum Refusal {
    Producer(Failed),
    Ours(Error),
}

impl Refusal {
    fn error(self) -> PyErr {
        match self {
            Refusal::Producer(failed) => failed.error(),
            Refusal::Ours(error) => raise(error),
        }
    }
}

/// Concatenated messages, and the end of each.
type Messages = (Vec<u8>, Vec<usize>);

/// Messages of the rows of a table, each a struct: those of one batch at a time.
#[pyclass(module = "samewire._native")]
pub struct RowMessages {
    schema: Arc<Schema>,
    source: RowSource,
    message: Message,
    batches: Batches,
    /// How many rows came before.
    rows: usize,
}

impl RowMessages {
    /// Those of a table.
    pub fn of(plan: &Plan, method: &str, rows: &Bound<'_, PyAny>) -> PyResult<Self> {
        check(plan, Field::of_row)?;
        let (schema, batches) = taken(method, rows)?;
        let source = RowSource::new(&plan.schema, &schema).map_err(raise)?;
        Ok(RowMessages { schema: Arc::clone(&plan.schema), source, message: message(plan), batches, rows: 0 })
    }
}

impl Drop for RowMessages {
    /// An exception that ends a loop over these must not be visible to a producer that is written in Python.
    fn drop(&mut self) {
        let batches = std::mem::replace(&mut self.batches, Batches::One(None));
        Python::try_attach(|py| {
            let raised = PyErr::take(py);
            py.detach(|| drop(batches));
            if let Some(error) = raised {
                error.restore(py);
            }
        });
    }
}

#[pymethods]
impl RowMessages {
    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    /// The messages of the next batch.
    fn __next__<'py>(&mut self, py: Python<'py>) -> PyResult<Option<Vec<Bound<'py, PyBytes>>>> {
        let RowMessages { schema, source, message, batches, rows: first } = self;
        let written = py.detach(|| -> Result<Option<Messages>, Refusal> {
            let Some(array) = batches.next().map_err(Refusal::Producer)? else { return Ok(None) };
            let mut rows = Rows::new(schema, source, &message.limits, *first);
            rows.extend(&array).map_err(Refusal::Ours)?;
            let (mut writer, mut out, mut ends) = (Writer::new(), Vec::new(), Vec::new());
            while !rows.is_empty() {
                rows.write_next(&mut writer, message, &mut out).map_err(Refusal::Ours)?;
                ends.push(out.len());
            }
            Ok(Some((out, ends)))
        });
        let Some((out, ends)) = written.map_err(Refusal::error)? else { return Ok(None) };
        self.rows += ends.len();
        let mut start = 0;
        let cut = ends.into_iter().map(|end| PyBytes::new(py, &out[std::mem::replace(&mut start, end)..end]));
        Ok(Some(cut.collect()))
    }
}
