//! Python objects as values of a message (`spec/bridge.md` section 4).

mod any;
mod array;
mod container;
pub mod deferred;
mod given;
mod list;
mod positional;
mod result;
mod scalar;
mod typed;

pub use given::{Peer, Value};

use self::given::CALLABLE;
use self::positional::positional;
use crate::bridge::session::code::Code;
use crate::bridge::session::reference::Object;
use crate::bridge::session::Session;
use crate::core::call::call;
use crate::core::fault::{raise, set, Fault};
use crate::core::ffi;
use crate::core::object::buffer::Buffer;
use crate::core::object::owned::Owned;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use samewire_bridge::{flat, Reference};
use samewire_core::{Code as ErrorCode, Error};

/// Bytes from which on a value follows its message as a blob.
const BLOB: usize = 64 * 1024;
/// How often one value may be converted to another before the encoder gives up.
const MOST_CONVERSIONS: usize = 16;

/// Bytes that follow a message, and the object that owns them.
pub enum Blob {
    Bytes(Owned),
    Owned(Vec<u8>),
    Buffer(Buffer),
}

impl Blob {
    pub fn bytes(&self) -> &[u8] {
        match self {
            // SAFETY: a `bytes`, which never changes.
            Blob::Bytes(bytes) => unsafe {
                let length = ffi::PyBytes_Size(bytes.as_ptr()) as usize;
                std::slice::from_raw_parts(ffi::PyBytes_AsString(bytes.as_ptr()).cast(), length)
            },
            Blob::Owned(bytes) => bytes,
            Blob::Buffer(buffer) => buffer.bytes(),
        }
    }
}

/// Objects that a message needs until it has its reply.
#[derive(Default)]
pub struct Attached {
    pub blobs: Vec<Blob>,
    /// Proxies whose references were written, and which the caller may not keep: their release must reach the gateway
    /// after the message.
    kept: Vec<Owned>,
    /// Numbers of the Python objects that were written, each as often as it was written.
    exported: Vec<u64>,
}

impl Attached {
    /// Takes back the exported objects: the gateway will never get the message.
    #[cold]
    pub fn take_back(&mut self, py: Python<'_>, session: &Session) {
        session.exports.take_back(py, self.take_exported());
    }

    /// The objects that were exported for the calls of a batch.
    pub fn exports(numbers: Vec<u64>) -> Attached {
        Attached { exported: numbers, ..Attached::default() }
    }

    /// Whether nothing was kept or exported for the call of a batch, whose values have no blobs.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty() && self.exported.is_empty()
    }

    /// The numbers of Python objects that were written.
    pub fn take_exported(&mut self) -> Vec<u64> {
        std::mem::take(&mut self.exported)
    }

    /// The kept references, after the blobs were sent.
    pub fn references(self, py: Python<'_>) -> Vec<Py<PyAny>> {
        let mut references = Vec::new();
        self.references_into(py, &mut references);
        references
    }

    /// Moves the kept references to another list.
    #[inline]
    pub fn references_into(self, py: Python<'_>, references: &mut Vec<Py<PyAny>>) {
        if !self.kept.is_empty() {
            let kept = self.kept.into_iter();
            // SAFETY: each hands its reference over.
            references.extend(kept.map(|object| unsafe { Bound::from_owned_ptr(py, object.give()) }.unbind()));
        }
    }
}

/// Writes values of one message. Dropping it takes back its exports, unless [`attached`](Encoder::attached) was called.
pub struct Encoder<'a, 'py> {
    pub py: Python<'py>,
    pub session: &'a Session,
    pub out: &'a mut Vec<u8>,
    attached: Attached,
    /// The message is sent later, with others: large values are written inline.
    later: bool,
    /// Keeps the referred objects alive: there may be no other reference to them when the message arrives.
    holds: bool,
    depth: u32,
    conversions: usize,
}

impl<'a, 'py> Encoder<'a, 'py> {
    #[inline]
    pub fn new(py: Python<'py>, session: &'a Session, out: &'a mut Vec<u8>, later: bool) -> Self {
        Encoder { py, session, out, attached: Attached::default(), later, holds: later, depth: 0, conversions: 0 }
    }

    /// Writes an argument in the narrowest kind, and returns the kind's code.
    ///
    /// # Safety
    /// `object` must be alive until the message is sent; the GIL must be held.
    #[inline]
    pub unsafe fn argument(&mut self, object: *mut ffi::PyObject) -> Result<Code, Fault> {
        // SAFETY: `object` is alive until the message is sent; the GIL is held, as this function asks.
        unsafe {
            match self.scalar(object)? {
                Some(code) => Ok(code),
                None => self.other(object),
            }
        }
    }

    /// Writes any value that is not a scalar.
    #[inline(never)]
    unsafe fn other(&mut self, object: *mut ffi::PyObject) -> Result<Code, Fault> {
        // SAFETY: the caller's conditions; each cast is behind a check of the class.
        unsafe {
            if let Some(code) = self.container(object)? {
                return Ok(code);
            }
            if is_function(object) {
                self.peer(object)?;
                return Ok(match positional(&Bound::from_borrowed_ptr(self.py, object)) {
                    Some((least, most)) => self.session.codes.named(self.py, &format!("peer {least} {most}")),
                    None => self.session.codes.named(self.py, CALLABLE),
                });
            }
            if let Some(code) = self.array(object)? {
                return Ok(code);
            }
            if let Some(code) = self.typed(object)? {
                return Ok(code);
            }
            let converted = self.convert(object)?;
            let code = self.argument(converted.as_ptr());
            self.conversions = 0;
            self.keep(converted);
            code
        }
    }

    /// Converts a value by the program's hook. `TypeError` if the hook does not know the class either.
    ///
    /// # Safety
    /// `object` must be alive; the GIL must be held.
    unsafe fn convert(&mut self, object: *mut ffi::PyObject) -> Result<Bound<'py, PyAny>, Fault> {
        self.conversions += 1;
        // SAFETY: the object is alive.
        let object = unsafe { Bound::from_borrowed_ptr(self.py, object) };
        if self.conversions <= MOST_CONVERSIONS {
            if let Some(convert) = self.session.hooks.convert(self.py) {
                let converted = call(&convert, (&object,)).map_err(set)?;
                if !converted.is(&object) {
                    return Ok(converted);
                }
            }
        }
        let class = object.get_type().name().map(|name| name.to_string()).unwrap_or_default();
        let text =
            format!("a value of class {class} does not cross to Java: pass a value of another class, or register it");
        Err(set(PyTypeError::new_err(text)))
    }

    /// Writes a reference to an object of this process.
    ///
    /// # Safety
    /// As [`convert`](Encoder::convert).
    pub unsafe fn peer(&mut self, object: *mut ffi::PyObject) -> Result<(), Fault> {
        // SAFETY: the object is alive.
        let object = unsafe { Bound::from_borrowed_ptr(self.py, object) };
        let number = self.session.exports.send(&object)?;
        self.attached.exported.push(number);
        Reference::Sender { number, class: 0 }.write(self.out);
        Ok(())
    }

    /// Writes a reference to an object of the gateway's.
    #[inline]
    fn object(&mut self, object: &Object) -> Result<(), Fault> {
        if !std::ptr::eq(self.session.as_ptr(), object.session()) {
            return Err(self.stranger());
        }
        flat::put_varint(self.out, object.number() << 1);
        if self.holds {
            // SAFETY: the object is alive, and the GIL held.
            self.attached.kept.push(unsafe { Owned::borrow(object.as_ptr()) });
        }
        Ok(())
    }

    #[cold]
    fn stranger(&self) -> Fault {
        let text = "an argument is an object of another session: pass its value, or make it in this one";
        set(raise(Error::new(ErrorCode::Misuse, text)))
    }

    /// Keeps objects that are referred to from now on alive.
    pub fn hold(&mut self) {
        self.holds = true;
    }

    /// Keeps an object alive until the message has its reply.
    pub fn keep(&mut self, object: Bound<'py, PyAny>) {
        // SAFETY: a reference of its own.
        if let Ok(object) = unsafe { Owned::steal(object.into_ptr()) } {
            self.attached.kept.push(object);
        }
    }

    /// Returns the objects that the message needs until it has its reply.
    pub fn attached(mut self) -> Attached {
        std::mem::take(&mut self.attached)
    }

    fn is_large(&self, bytes: usize) -> bool {
        bytes >= BLOB && !self.later
    }

    /// Enters a container.
    fn enter(&mut self) -> Result<(), Fault> {
        self.depth += 1;
        if self.depth > self.session.state.limits.depth {
            let text = "containers nested deeper than limits.depth: pass a reference, or raise the limit on both sides";
            return Err(set(raise(Error::new(ErrorCode::LimitDepth, text))));
        }
        Ok(())
    }

    fn leave(&mut self) {
        self.depth -= 1;
    }
}

impl Drop for Encoder<'_, '_> {
    #[inline]
    fn drop(&mut self) {
        if !self.attached.exported.is_empty() {
            self.attached.take_back(self.py, self.session);
        }
    }
}

extern "C" {
    /// The class of bound methods.
    static mut PyMethod_Type: ffi::PyTypeObject;
}

/// Whether an object is a function, in Python or C, or a bound method: these are always passed by reference.
///
/// # Safety
/// `object` must be alive; the GIL must be held.
unsafe fn is_function(object: *mut ffi::PyObject) -> bool {
    // SAFETY: the object is alive.
    unsafe {
        let class = ffi::Py_TYPE(object);
        class == &raw mut ffi::PyFunction_Type || class == &raw mut PyMethod_Type || ffi::PyCFunction_Check(object) != 0
    }
}
