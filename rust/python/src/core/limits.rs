//! `samewire.Limits` as Rust's.

use crate::core::fault::raise;
use pyo3::prelude::*;
use samewire_core::{Code, Error, Limits};

/// The limits that a caller gave; the defaults for None. Raises SamewireError `misuse` for what is not a `Limits`.
pub fn limits(given: Option<&Bound<'_, PyAny>>) -> PyResult<Limits> {
    let Some(limits) = given else { return Ok(Limits::DEFAULT) };
    let class = limits.py().import("samewire.limits")?.getattr("Limits")?;
    if !limits.is_instance(&class)? {
        return Err(raise(Error::new(Code::Misuse, format!("limits={}: expected a samewire.Limits", limits.repr()?))));
    }
    Ok(Limits {
        depth: limits.getattr("depth")?.extract()?,
        frame_bytes: limits.getattr("frame_bytes")?.extract()?,
        text_bytes: limits.getattr("text_bytes")?.extract()?,
        items: limits.getattr("items")?.extract()?,
        cells: limits.getattr("cells")?.extract()?,
        buffered_bytes: limits.getattr("buffered_bytes")?.extract()?,
    })
}
