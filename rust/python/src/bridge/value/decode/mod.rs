//! Values of a message as Python objects (`spec/bridge.md` section 4).

mod any;
mod bulk;
mod pending;
mod reference;

pub use pending::Pending;

use crate::bridge::session::Session;
use crate::core::fault::{raise, set, Fault};
use crate::core::ffi;
use crate::core::object::number::{make_float, make_i64, widen};
use crate::core::object::owned::Owned;
use crate::core::object::text::{from_latin1, from_utf16};
use pyo3::prelude::*;
use samewire_bridge::{own, peer, Budget, ClassInfo, Kind, Passed, Reader, Reference, Scalar, Sequence, Text};
use samewire_core::{Code, Error};

/// Reads values of one message. A fault is either in the message, then `reader` has the error, or was raised by Python.
pub struct Decoder<'a, 'm, 'py> {
    pub py: Python<'py>,
    pub session: &'a Session,
    pub reader: Reader<'m>,
    pub budget: Budget,
    /// Memory that the blobs behind the message will fill.
    pub pending: Vec<Pending>,
    /// The next value is the receiver of a call from the gateway: it is the exported object itself, not the program's
    /// view of it.
    pub receiver: bool,
}

impl<'a, 'm, 'py> Decoder<'a, 'm, 'py> {
    #[inline]
    pub fn new(py: Python<'py>, session: &'a Session, message: &'m [u8], at: usize) -> Self {
        let state = &session.state;
        let budget = Budget::new(&state.limits, state.blob_bytes);
        Decoder { py, session, reader: Reader::new(message, at), budget, pending: Vec::new(), receiver: false }
    }

    /// Reads a value of a kind.
    ///
    /// # Safety
    /// The GIL must be held.
    #[inline]
    pub unsafe fn value(&mut self, kind: &Kind) -> Result<Owned, Fault> {
        // SAFETY: the GIL is held, as this function asks.
        unsafe {
            match kind {
                Kind::Scalar(Scalar::I32) => make_i64(i64::from(self.reader.i32()?)),
                Kind::Object => self.reference(),
                Kind::Option(of) => match self.reader.bool()? {
                    true => self.value(of),
                    false => Ok(Owned::borrow(ffi::Py_None())),
                },
                Kind::String => self.text(),
                Kind::Any => self.any(),
                _ => self.other(kind),
            }
        }
    }

    unsafe fn other(&mut self, kind: &Kind) -> Result<Owned, Fault> {
        // SAFETY: callers hold the GIL, for which this function is unsafe.
        unsafe {
            match kind {
                Kind::Void | Kind::Null => Ok(Owned::borrow(ffi::Py_None())),
                Kind::Scalar(of) => self.scalar(*of),
                Kind::String => self.text(),
                Kind::Bytes => self.bytes(),
                Kind::List(of) | Kind::Array(of) => self.row(*of),
                Kind::Strings => {
                    let count = self.budget.elements(&mut self.reader)?;
                    self.list(count, |decoder| decoder.text())
                }
                Kind::Option(of) => match self.reader.bool()? {
                    true => self.value(of),
                    false => Ok(Owned::borrow(ffi::Py_None())),
                },
                Kind::Object => self.reference(),
                Kind::ObjectOf(_) => {
                    let at = self.reader.at();
                    let number = own(&mut self.reader)?;
                    self.resolve(at, Reference::Receiver(number))
                }
                Kind::Peer(_) => {
                    let at = self.reader.at();
                    let (number, class) = peer(&mut self.reader)?;
                    self.resolve(at, Reference::Sender { number, class })
                }
                Kind::Any => self.any(),
                Kind::Sequence(of) => {
                    let at = self.reader.at();
                    self.container(at, *of)
                }
                Kind::Map => {
                    let at = self.reader.at();
                    self.map(at)
                }
                Kind::Class => {
                    let info = ClassInfo::read(&mut self.reader, &mut self.budget)?;
                    let info = super::class_info::ClassInfo::of(self.py, info).map_err(set)?;
                    Ok(Owned::steal(info.into_ptr())?)
                }
                // The message's bytes, which are decoded when all blobs have arrived.
                Kind::Pack(_) => self.bytes(),
                Kind::Result => {
                    let at = self.reader.at();
                    Err(self.reader.malformed(at, "a result of a batch where no batch is"))
                }
            }
        }
    }

    unsafe fn scalar(&mut self, of: Scalar) -> Result<Owned, Fault> {
        // SAFETY: callers hold the GIL, for which this function is unsafe.
        unsafe {
            match of {
                Scalar::Bool => Ok(Owned::borrow(if self.reader.bool()? { ffi::Py_True() } else { ffi::Py_False() })),
                Scalar::I8 => make_i64(i64::from(self.reader.i8()?)),
                Scalar::I16 => make_i64(i64::from(self.reader.i16()?)),
                Scalar::I32 => make_i64(i64::from(self.reader.i32()?)),
                Scalar::I64 => make_i64(self.reader.i64()?),
                Scalar::F32 => make_float(widen(self.reader.f32()?)),
                Scalar::F64 => make_float(self.reader.f64()?),
                Scalar::Char => Owned::steal(ffi::PyUnicode_FromOrdinal(i32::from(self.reader.u16()?))),
            }
        }
    }

    /// Reads a string. Lone surrogates are kept.
    ///
    /// # Safety
    /// The GIL must be held.
    #[inline]
    pub unsafe fn text(&mut self) -> Result<Owned, Fault> {
        // SAFETY: the GIL is held, as this function asks.
        unsafe { make_text(self.reader.text()?) }
    }

    /// Gives up values of which one could not be read. If a limit of this side or a Python exception is the cause, that
    /// is set in the interpreter, and the session goes on. If the message itself is wrong, no exception is set:
    /// `reader` has the error.
    ///
    /// at: where the first of these values began.
    #[cold]
    pub fn refuse(&mut self, at: usize, kinds: &[Kind]) -> Fault {
        // SAFETY: `self.py` proves that the GIL is held.
        let raised = unsafe { !ffi::PyErr_Occurred().is_null() };
        let error = match (raised, self.reader.error().code) {
            (true, _) => PyErr::fetch(self.py),
            (false, Code::LimitItems | Code::LimitDepth) => raise(self.beyond()),
            (false, _) => return Fault,
        };
        let wrong = self.reader.clone();
        if self.skip(at, kinds).is_err() {
            if !raised {
                self.reader = wrong;
            }
            return Fault;
        }
        set(error)
    }

    /// The error for a value beyond a limit of this side.
    fn beyond(&self) -> Error {
        let limits = &self.session.state.limits;
        let Error { code, at, .. } = self.reader.error();
        let text = match code {
            Code::LimitDepth => {
                format!(
                    "the value has containers nested deeper than limits.depth, {}: take it by reference, or raise the limit on \
                     both sides: limits=Limits(depth=...)",
                    limits.depth
                )
            }
            _ => {
                format!(
                    "the value has more elements than limits.items, {}, or takes more than limits.cells, {} (an element 2, an \
                     entry of a map 6): take it in parts, or raise the limits on both sides: limits=Limits(items=..., cells=...)",
                    limits.items, limits.cells
                )
            }
        };
        Error::new(code, text).at(at.unwrap_or(0))
    }

    /// Skips values that are discarded. Their blobs are still expected; objects that had not been read are released.
    fn skip(&mut self, at: usize, kinds: &[Kind]) -> Result<(), Fault> {
        let (unread, session) = (self.reader.at(), self.session);
        let mut received = |at: usize, number: u64| {
            if at >= unread {
                session.count_received();
                session.state.release(number, 1);
            }
        };
        let mut passed = Passed { blobs: 0, received: &mut received };
        let mut budget = self.budget.lifted();
        self.reader.back(at);
        for kind in kinds {
            samewire_bridge::skip(&mut self.reader, kind, &mut budget, &mut passed)?;
        }
        if passed.blobs > 0 {
            self.pending.push(Pending::unwanted(passed.blobs as usize));
        }
        self.reader.finish()
    }

    unsafe fn container(&mut self, at: usize, of: Sequence) -> Result<Owned, Fault> {
        self.budget.enter(&mut self.reader, at)?;
        let count = self.budget.elements(&mut self.reader)?;
        // SAFETY: the GIL is held; a tuple is not seen by anybody before all its items are set.
        let made = unsafe {
            match of {
                Sequence::List => self.list(count, |decoder| decoder.any())?,
                Sequence::Tuple => {
                    let tuple = Owned::steal(ffi::PyTuple_New(count as isize))?;
                    for index in 0..count {
                        ffi::PyTuple_SET_ITEM(tuple.as_ptr(), index as isize, self.any()?.give());
                    }
                    tuple
                }
                Sequence::Set => {
                    let set = Owned::steal(ffi::PySet_New(std::ptr::null_mut()))?;
                    for _ in 0..count {
                        let item = self.hashable()?;
                        if ffi::PySet_Add(set.as_ptr(), item.as_ptr()) < 0 {
                            return Err(Fault);
                        }
                    }
                    set
                }
            }
        };
        self.budget.leave();
        Ok(made)
    }

    unsafe fn map(&mut self, at: usize) -> Result<Owned, Fault> {
        self.budget.enter(&mut self.reader, at)?;
        let count = self.budget.entries(&mut self.reader)?;
        // SAFETY: callers hold the GIL, for which this function is unsafe.
        let made = unsafe {
            let dict = Owned::steal(ffi::PyDict_New())?;
            for _ in 0..count {
                let (key, value) = (self.hashable()?, self.any()?);
                if ffi::PyDict_SetItem(dict.as_ptr(), key.as_ptr(), value.as_ptr()) < 0 {
                    return Err(Fault);
                }
            }
            dict
        };
        self.budget.leave();
        Ok(made)
    }

    unsafe fn list(&mut self, count: usize, item: impl Fn(&mut Self) -> Result<Owned, Fault>) -> Result<Owned, Fault> {
        // SAFETY: the GIL is held. The list is known to the collector, which shows it to nobody but `gc.get_objects`; places without an
        // item are null.
        unsafe {
            let list = Owned::steal(ffi::PyList_New(count as isize))?;
            for index in 0..count {
                ffi::PyList_SET_ITEM(list.as_ptr(), index as isize, item(self)?.give());
            }
            Ok(list)
        }
    }

    /// Reads a pack message in an `any` by the program's hook.
    fn read_message(&mut self, schema: &str, payload: &[u8]) -> Result<Owned, Fault> {
        // SAFETY: the GIL is held; pointer and length are a slice's.
        unsafe {
            let made = ffi::PyBytes_FromStringAndSize(payload.as_ptr().cast(), payload.len() as isize);
            self.session.read_message(self.py, schema, Owned::steal(made)?, None)
        }
    }
}

/// Makes a `str` of a string.
///
/// # Safety
/// The GIL must be held.
#[inline]
pub unsafe fn make_text(text: Text<'_>) -> Result<Owned, Fault> {
    // SAFETY: the GIL is held; the second is for well-formed text only.
    unsafe {
        match text {
            Text::Latin1(units) => from_latin1(units),
            Text::Utf16(units) if is_well_formed(units) => from_utf16(units),
            Text::Utf16(units) => surrogates(units),
        }
    }
}

fn is_well_formed(units: &[u8]) -> bool {
    let unit = |bytes: &[u8]| u16::from_le_bytes([bytes[0], bytes[1]]);
    !units.chunks_exact(2).any(|bytes| unit(bytes) & 0xf800 == 0xd800)
        || char::decode_utf16(units.chunks_exact(2).map(unit)).all(|character| character.is_ok())
}

/// Makes a `str` with lone surrogates.
#[cold]
unsafe fn surrogates(units: &[u8]) -> Result<Owned, Fault> {
    let mut order = -1;
    // SAFETY: pointer and length are a slice's; the order says little-endian.
    unsafe {
        let errors = c"surrogatepass".as_ptr();
        let bytes = units.as_ptr().cast();
        Owned::steal(ffi::PyUnicode_DecodeUTF16(bytes, units.len() as isize, errors, &mut order))
    }
}
