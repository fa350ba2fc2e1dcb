//! Frames: messages in a stream (`spec/pack.md` section 14).

use crate::core::fault::raise;
use crate::core::limits;
use crate::core::object::bytes::copied;
use pyo3::buffer::PyBuffer;
use pyo3::exceptions::{PyBufferError, PyMemoryError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use samewire_core::frame as stream;

/// Cuts a stream, fed in pieces of any size, into messages (spec/pack.md, section 14).
///
/// The limits `frame_bytes` and `buffered_bytes` hold. After an error the scanner is dead and raises the same error
/// again. Iterating returns the whole messages so far; it may be resumed after `feed`. Raises SamewireError `misuse` if
/// made with anything but limits.
#[pyclass(module = "samewire._native")]
pub struct FrameScanner {
    scanner: stream::FrameScanner,
}

impl FrameScanner {
    fn take(&mut self, fed: &[u8]) -> PyResult<()> {
        self.scanner.reserve(fed.len()).map_err(|_| PyMemoryError::new_err(()))?;
        self.scanner.feed(fed).map_err(raise)
    }
}

#[pymethods]
impl FrameScanner {
    #[new]
    #[pyo3(signature = (limits=None))]
    fn new(limits: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        Ok(FrameScanner { scanner: stream::FrameScanner::new(limits::limits(limits)?) })
    }

    /// Takes the next bytes of the stream.
    ///
    /// Raises SamewireError `misuse` after `end`; the scanner is then unchanged.
    fn feed(&mut self, data: &Bound<'_, PyAny>) -> PyResult<()> {
        match data.cast::<PyBytes>() {
            Ok(bytes) => self.take(bytes.as_bytes()),
            Err(_) => self.take(&lent(data)?),
        }
    }

    /// The next whole message, or None if more bytes are needed.
    ///
    /// Raises SamewireError `bad_number`, `malformed` or `limit_size` at the length, counted from the start of the stream.
    fn next<'py>(&mut self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let Some(length) = self.scanner.waiting() else {
            return self.scanner.next().map(|_| None).map_err(raise);
        };
        // The message is removed only if there is memory for it; otherwise it can be taken later.
        let made = PyBytes::new_with(py, length, |to| {
            let message = self.scanner.next().map_err(raise)?;
            to.copy_from_slice(message.unwrap_or_default());
            Ok(())
        });
        made.map(Some)
    }

    /// Declares the end of the stream. Raises SamewireError `truncated` inside a frame, `misuse` while messages are left.
    fn end(&mut self) -> PyResult<()> {
        self.scanner.end().map_err(raise)
    }

    /// The buffered bytes of the incomplete frame.
    #[getter]
    fn buffered(&self) -> usize {
        self.scanner.buffered()
    }

    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    /// Iteration ends when more bytes are needed; it may be resumed after `feed`.
    fn __next__<'py>(&mut self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyBytes>>> {
        self.next(py)
    }
}

/// A message as a frame: its length, then itself. Raises SamewireError `misuse` for one without bytes.
#[pyfunction]
pub fn frame<'py>(message: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
    let mut out = Vec::new();
    stream::write_frame(&lent(message)?, &mut out).map_err(raise)?;
    copied(message.py(), &out)
}

/// A copy of an object's buffer of bytes; `TypeError` for an object without a buffer, or with one of other numbers.
pub fn lent(data: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    let py = data.py();
    let buffer = PyBuffer::<u8>::get(data).map_err(|refused| {
        if refused.is_instance_of::<PyBufferError>(py) {
            PyTypeError::new_err(refused.value(py).to_string())
        } else {
            refused
        }
    })?;
    buffer.to_vec(py)
}
