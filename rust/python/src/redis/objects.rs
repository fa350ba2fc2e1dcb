//! Python objects from the elements of a reply.

use crate::core::fault::Fault;
use crate::core::ffi;
use crate::core::object::owned::Owned;
use crate::core::object::text::from_latin1;
use pyo3::prelude::*;
use samewire_redis::{Aggregate, Build, Chunks};
use std::ffi::CStr;
use std::ptr;

/// What texts become.
#[derive(Clone, Copy)]
pub enum Texts<'a> {
    /// `bytes`
    Bytes,
    /// `str`, from UTF-8, strictly.
    Utf8,
    /// `str`, by a codec and an error handler of Python's.
    Codec { encoding: &'a CStr, errors: &'a CStr },
}

/// What sets become.
#[derive(Clone, Copy, PartialEq)]
pub enum Sets {
    /// `list`
    Never,
    /// `set`, whose elements must be hashable.
    Always,
    /// `set` if the reply is one and its elements are hashable, else `list`: elements of a set within a reply may be maps.
    Outermost,
}

/// Classes and choices of a reader; borrowed for one reply.
pub struct Objects<'a> {
    pub texts: Texts<'a>,
    /// Called with the text of an error; what it returns takes the error's place.
    pub reply_error: *mut ffi::PyObject,
    /// A subclass of `list`.
    pub push: *mut ffi::PyObject,
    pub sets: Sets,
    /// Aggregates that are open.
    pub depth: usize,
    /// What was raised while an element was made: the first of them. The reply is then read to its end, so that the
    /// stream stays whole, and given up.
    pub raised: Option<Owned>,
}

/// An aggregate whose elements are still to come. The collector, and so the user's code, does not see it before it is
/// complete.
pub enum Open {
    /// A `list` of that many places, filled in turn.
    Places {
        list: Owned,
        next: isize,
        push: bool,
    },
    /// A `list` that grows.
    Growing {
        list: Owned,
        push: bool,
    },
    Set(Owned),
    /// A `dict` and the key that waits for its value.
    Map {
        dict: Owned,
        key: Option<Owned>,
    },
    /// An attribute: dropped.
    Dropped,
}

impl Objects<'_> {
    fn text(&mut self, text: &[u8]) -> Result<Owned, Fault> {
        // SAFETY: readers run under the GIL; pointers and lengths are a slice's, the names of a codec end with a zero.
        let made = unsafe {
            match self.texts {
                Texts::Bytes => Owned::steal(ffi::PyBytes_FromStringAndSize(text.as_ptr().cast(), text.len() as isize)),
                Texts::Utf8 if text.is_ascii() => from_latin1(text),
                Texts::Utf8 => {
                    Owned::steal(ffi::PyUnicode_DecodeUTF8(text.as_ptr().cast(), text.len() as isize, ptr::null()))
                }
                Texts::Codec { encoding, errors } => {
                    let (from, length) = (text.as_ptr().cast(), text.len() as isize);
                    Owned::steal(ffi::PyUnicode_Decode(from, length, encoding.as_ptr(), errors.as_ptr()))
                }
            }
        };
        made.or_else(|Fault| self.instead())
    }

    /// Keeps what was raised, if it is the first, and returns None in the element's place.
    #[cold]
    fn instead(&mut self) -> Result<Owned, Fault> {
        Python::attach(|py| {
            let raised = PyErr::fetch(py).into_value(py);
            // SAFETY: the reference is handed over; the GIL is held.
            let raised = unsafe { Owned::steal(raised.into_ptr()) }?;
            self.raised.get_or_insert(raised);
            // SAFETY: the reference is handed over; the GIL is held.
            Ok(unsafe { Owned::borrow(ffi::Py_None()) })
        })
    }

    fn list(&self, entries: Option<usize>, push: bool) -> Result<Open, Fault> {
        // SAFETY: under the GIL; a list is taken from the collector until it is complete.
        unsafe {
            let list = Owned::steal(ffi::PyList_New(entries.unwrap_or(0) as isize))?;
            ffi::PyObject_GC_UnTrack(list.as_ptr().cast());
            Ok(match entries {
                Some(_) => Open::Places { list, next: 0, push },
                None => Open::Growing { list, push },
            })
        }
    }
}

impl<'b> Build<'b> for Objects<'_> {
    type Value = Owned;
    type Open = Open;
    type Error = Fault;

    fn null(&mut self) -> Result<Owned, Fault> {
        // SAFETY: under the GIL.
        Ok(unsafe { Owned::borrow(ffi::Py_None()) })
    }

    fn integer(&mut self, value: i64) -> Result<Owned, Fault> {
        // SAFETY: under the GIL.
        unsafe { Owned::steal(ffi::PyLong_FromLongLong(value)) }
    }

    fn double(&mut self, value: f64) -> Result<Owned, Fault> {
        // SAFETY: under the GIL.
        unsafe { Owned::steal(ffi::PyFloat_FromDouble(value)) }
    }

    fn boolean(&mut self, value: bool) -> Result<Owned, Fault> {
        // SAFETY: under the GIL.
        unsafe { Owned::steal(ffi::PyBool_FromLong(value.into())) }
    }

    fn big_number(&mut self, digits: &'b [u8]) -> Result<Owned, Fault> {
        self.text(digits)
    }

    fn simple(&mut self, text: &'b [u8]) -> Result<Owned, Fault> {
        self.text(text)
    }

    fn error(&mut self, text: &'b [u8]) -> Result<Owned, Fault> {
        // SAFETY: under the GIL; pointer and length are a slice's, and the callable is a live object.
        let made = unsafe {
            let replace = c"replace".as_ptr();
            Owned::steal(ffi::PyUnicode_DecodeUTF8(text.as_ptr().cast(), text.len() as isize, replace))
                .and_then(|text| Owned::steal(ffi::PyObject_CallOneArg(self.reply_error, text.as_ptr())))
        };
        made.or_else(|Fault| self.instead())
    }

    #[inline]
    fn bulk(&mut self, text: &'b [u8]) -> Result<Owned, Fault> {
        self.text(text)
    }

    fn verbatim(&mut self, _: [u8; 3], text: &'b [u8]) -> Result<Owned, Fault> {
        self.text(text)
    }

    fn streamed(&mut self, chunks: Chunks<'b>) -> Result<Owned, Fault> {
        let mut text = crate::core::memory::room(chunks.length());
        chunks.for_each(|chunk| text.extend_from_slice(chunk));
        self.text(&text)
    }

    fn open(&mut self, kind: Aggregate, entries: Option<usize>) -> Result<Open, Fault> {
        let set = match self.sets {
            Sets::Never => false,
            Sets::Always => true,
            Sets::Outermost => self.depth == 0,
        };
        self.depth += 1;
        match kind {
            Aggregate::Attribute => Ok(Open::Dropped),
            Aggregate::Map => {
                // SAFETY: under the GIL; a dict is taken from the collector until it is complete.
                unsafe {
                    let dict = Owned::steal(ffi::PyDict_New())?;
                    ffi::PyObject_GC_UnTrack(dict.as_ptr().cast());
                    Ok(Open::Map { dict, key: None })
                }
            }
            // SAFETY: under the GIL; likewise.
            Aggregate::Set if set => unsafe {
                let set = Owned::steal(ffi::PySet_New(ptr::null_mut()))?;
                ffi::PyObject_GC_UnTrack(set.as_ptr().cast());
                Ok(Open::Set(set))
            },
            Aggregate::Array | Aggregate::Set => self.list(entries, false),
            Aggregate::Push => self.list(entries, true),
        }
    }

    #[inline]
    fn push(&mut self, to: &mut Open, value: Owned) -> Result<(), Fault> {
        // SAFETY: under the GIL; `next` counts to the number of places, which is that of the elements.
        let done = unsafe {
            match to {
                Open::Places { list, next, .. } => {
                    ffi::PyList_SET_ITEM(list.as_ptr(), *next, value.give());
                    *next += 1;
                    return Ok(());
                }
                Open::Growing { list, .. } => ffi::PyList_Append(list.as_ptr(), value.as_ptr()),
                Open::Set(set) => match ffi::PySet_Add(set.as_ptr(), value.as_ptr()) {
                    -1 if self.sets == Sets::Outermost => {
                        *to = listed(set, &value)?;
                        0
                    }
                    done => done,
                },
                Open::Map { dict, key } => match key.take() {
                    None => {
                        *key = Some(value);
                        0
                    }
                    Some(key) => ffi::PyDict_SetItem(dict.as_ptr(), key.as_ptr(), value.as_ptr()),
                },
                Open::Dropped => 0,
            }
        };
        if done < 0 {
            self.instead()?;
        }
        Ok(())
    }

    fn close(&mut self, open: Open) -> Result<Owned, Fault> {
        self.depth -= 1;
        let (value, push) = match open {
            Open::Places { list, push, .. } | Open::Growing { list, push } => (list, push),
            Open::Set(value) | Open::Map { dict: value, .. } => (value, false),
            Open::Dropped => return self.null(),
        };
        // SAFETY: under the GIL; the container is complete, and was taken from the collector when it was made. A dict
        // tracks itself when it is given what the collector has to know.
        unsafe {
            if ffi::PyObject_GC_IsTracked(value.as_ptr()) == 0 {
                ffi::PyObject_GC_Track(value.as_ptr().cast());
            }
            if push {
                return Owned::steal(ffi::PyObject_CallOneArg(self.push, value.as_ptr()));
            }
        }
        Ok(value)
    }

    fn attribute(&mut self, _: Open) -> Result<(), Fault> {
        self.depth -= 1;
        Ok(())
    }
}

/// A list of a set's elements and of one that is not hashable, for which an exception is set.
#[cold]
fn listed(set: &Owned, value: &Owned) -> Result<Open, Fault> {
    // SAFETY: under the GIL; a list is taken from the collector until it is complete.
    unsafe {
        ffi::PyErr_Clear();
        let list = Owned::steal(ffi::PySequence_List(set.as_ptr()))?;
        ffi::PyObject_GC_UnTrack(list.as_ptr().cast());
        match ffi::PyList_Append(list.as_ptr(), value.as_ptr()) {
            0 => Ok(Open::Growing { list, push: false }),
            _ => Err(Fault),
        }
    }
}
