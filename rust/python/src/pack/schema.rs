//! Schema texts compared (`spec/pack.md` section 13).

use crate::core::fault::raise;
use pyo3::prelude::*;
use samewire_pack::schema::Schema;

/// Where two schema texts first differ: the path, and what stands there on each side; None if they say the same.
#[pyfunction]
#[pyo3(signature = (here, there, /))]
pub fn difference(here: &str, there: &str) -> PyResult<Option<(String, String, String)>> {
    let here = Schema::parse(here).map_err(raise)?;
    let there = Schema::parse(there).map_err(raise)?;
    Ok(here.difference(&there).map(|found| (found.path, found.here, found.there)))
}
