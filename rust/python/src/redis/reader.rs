//! `Reader`: replies from bytes that come in pieces, with the interface of hiredis-py's.

use super::objects::Sets;
use super::replies::{Decoding, Replies, Settings};
use pyo3::exceptions::{PyMemoryError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyBytes};
use samewire_core::Error;

/// Bytes that an idle reader keeps room for, unless `setmaxbuf` says otherwise; as in hiredis.
const IDLE_BYTES: usize = 16 * 1024;

/// Reads replies of RESP2 and RESP3 from bytes that come in pieces of any size; drop-in for `hiredis.Reader`.
///
/// protocolError: called with a text when the bytes are not RESP or exceed a limit; what it returns is raised.
/// replyError: called with the text of an error reply; what it returns takes the reply's place.
/// encoding, errors: how texts are decoded; None leaves them as bytes.
/// notEnoughData: what `gets` returns while no reply is complete.
/// convertSetsToLists: False makes sets of RESP3 `set` objects, whose elements must be hashable.
/// limits: `samewire.Limits`; `depth`, `items`, `cells` and `frame_bytes` hold for each reply.
#[pyclass(module = "samewire._native", subclass, weakref)]
pub struct Reader {
    replies: Replies,
    settings: Settings,
    protocol_error: Py<PyAny>,
    missing: Py<PyAny>,
}

#[pymethods]
impl Reader {
    #[new]
    #[pyo3(signature = (protocolError=None, replyError=None, encoding=None, errors=None, notEnoughData=None,
                        convertSetsToLists=true, limits=None))]
    #[allow(non_snake_case, clippy::too_many_arguments)]
    fn new(
        py: Python<'_>,
        protocolError: Option<Bound<'_, PyAny>>,
        replyError: Option<Bound<'_, PyAny>>,
        encoding: Option<&str>,
        errors: Option<&str>,
        notEnoughData: Option<Py<PyAny>>,
        convertSetsToLists: bool,
        limits: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let classes = py.import("samewire.redis.reader")?;
        let callable = |given: Option<Bound<'_, PyAny>>, name: &str, own: &str| -> PyResult<Py<PyAny>> {
            match given {
                Some(call) if call.is_callable() => Ok(call.unbind()),
                Some(other) => Err(PyTypeError::new_err(format!("{name}={}: expected a callable", other.repr()?))),
                None => Ok(classes.getattr(own)?.unbind()),
            }
        };
        let limits = crate::core::limits::limits(limits)?;
        let mut replies = Replies::new(limits);
        replies.idle = IDLE_BYTES;
        Ok(Reader {
            replies,
            settings: Settings {
                decoding: Decoding::new(py, encoding, errors)?,
                reply_error: callable(replyError, "replyError", "ReplyError")?,
                push: classes.getattr("PushNotification")?.unbind(),
                sets: if convertSetsToLists { Sets::Never } else { Sets::Always },
                limits,
            },
            protocol_error: callable(protocolError, "protocolError", "ProtocolError")?,
            missing: notEnoughData
                .unwrap_or_else(|| pyo3::types::PyBool::new(py, false).to_owned().into_any().unbind()),
        })
    }

    /// Adds bytes: all of `data`, or `len` bytes of it from `off` on.
    #[pyo3(signature = (data, off=0, len=None, /))]
    fn feed(&mut self, data: &Bound<'_, PyAny>, off: usize, len: Option<usize>) -> PyResult<()> {
        if let Ok(bytes) = data.cast::<PyBytes>() {
            return self.take(bytes.as_bytes(), off, len);
        }
        if let Ok(text) = data.cast::<pyo3::types::PyString>() {
            return self.take(text.to_str()?.as_bytes(), off, len);
        }
        let lent = crate::core::frame::lent(data)?;
        self.take(&lent, off, len)
    }

    /// Returns the next reply; `notEnoughData` if it is not complete.
    ///
    /// shouldDecode: False leaves the texts of this reply as bytes.
    ///
    /// Raises what `protocolError` returns if the bytes are not RESP; each later call raises it again. What decoding a
    /// text, hashing a key or `replyError` raises is raised once the reply is complete, and the next call returns the
    /// next reply.
    #[pyo3(signature = (shouldDecode=true, /))]
    #[allow(non_snake_case)]
    fn gets(&mut self, py: Python<'_>, shouldDecode: bool) -> PyResult<Py<PyAny>> {
        match self.replies.next(py, &self.settings, shouldDecode) {
            // SAFETY: the reference is handed over; the GIL is held.
            Ok(Some(message)) => message.made.map(|made| unsafe { Bound::from_owned_ptr(py, made.give()) }.unbind()),
            Ok(None) => Ok(self.missing.clone_ref(py)),
            Err(error) => Err(self.refused(py, &error)),
        }
    }

    /// Bytes that an idle reader keeps room for; None restores the default.
    fn setmaxbuf(&mut self, maxbuf: Option<i64>) -> PyResult<()> {
        self.replies.idle = match maxbuf {
            None => IDLE_BYTES,
            Some(bytes) => usize::try_from(bytes)
                .map_err(|_| PyValueError::new_err("maxbuf must be 0, a number of bytes, or None for the default"))?,
        };
        Ok(())
    }

    /// What `setmaxbuf` set.
    fn getmaxbuf(&self) -> usize {
        self.replies.idle
    }

    /// Bytes fed that no reply was made of yet.
    fn len(&self) -> usize {
        self.replies.left()
    }

    /// Whether there are such bytes.
    fn has_data(&self) -> bool {
        self.replies.left() > 0
    }

    /// Changes how texts are decoded from the next reply on.
    #[pyo3(signature = (encoding=None, errors=None))]
    fn set_encoding(&mut self, py: Python<'_>, encoding: Option<&str>, errors: Option<&str>) -> PyResult<()> {
        self.settings.decoding = Decoding::new(py, encoding, errors)?;
        Ok(())
    }

    fn __traverse__(&self, visit: pyo3::PyVisit<'_>) -> Result<(), pyo3::PyTraverseError> {
        visit.call(&self.protocol_error)?;
        visit.call(&self.settings.reply_error)?;
        visit.call(&self.missing)
    }
}

impl Reader {
    fn take(&mut self, bytes: &[u8], off: usize, len: Option<usize>) -> PyResult<()> {
        let rest = bytes
            .len()
            .checked_sub(off)
            .ok_or_else(|| PyValueError::new_err("off is larger than the length of data"))?;
        let len = len.unwrap_or(rest);
        if len > rest {
            return Err(PyValueError::new_err("len is larger than what data has from off on"));
        }
        if !self.replies.take(&bytes[off..off + len]) {
            return Err(PyMemoryError::new_err(()));
        }
        Ok(())
    }

    fn refused(&self, py: Python<'_>, error: &Error) -> PyErr {
        match self.protocol_error.call1(py, (error.to_string(),)) {
            Ok(raised) => PyErr::from_value(raised.into_bound(py)),
            Err(error) => error,
        }
    }
}
