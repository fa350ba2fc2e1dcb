//! Commands from Python objects: their bytes, appended to a buffer.

use crate::core::fault::{set, Fault};
use crate::core::ffi;
use crate::core::object::owned::Owned;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyByteArray, PyBytes, PyFloat, PyInt, PyMemoryView, PyString, PyTuple};
use samewire_redis::Command;

/// Appends a command made of these objects: str (as UTF-8), bytes, int, float, and what lends its bytes.
///
/// # Safety
/// The GIL must be held; `arguments` are live objects.
///
/// # Errors
/// TypeError or UnicodeEncodeError is set; `out` is then as it was.
pub unsafe fn plain(arguments: &[*mut ffi::PyObject], out: &mut Vec<u8>) -> Result<(), Fault> {
    // SAFETY: the GIL is held; `arguments` are live objects, as this function asks.
    unsafe { with_head(arguments, out, |out| head(b"", arguments.len(), out)) }
}

/// Appends a command whose name may be of several words, like `CONFIG GET`: each becomes an argument of its own.
///
/// # Safety
/// The GIL must be held; the arguments are live objects.
///
/// # Errors
/// DataError or UnicodeEncodeError; `out` is then as it was.
pub unsafe fn command(arguments: &Bound<'_, PyTuple>, out: &mut Vec<u8>) -> PyResult<()> {
    let py = arguments.py();
    let arguments: Vec<_> = arguments.iter_borrowed().map(|argument| argument.as_ptr()).collect();
    let name = arguments.first().map(|&name| {
        // SAFETY: a live object, under the GIL.
        let name = unsafe { Bound::from_borrowed_ptr(py, name) };
        match name.cast::<PyString>() {
            Ok(text) => text.to_str().map(|text| text.as_bytes().to_vec()).unwrap_or_default(),
            Err(_) => name.cast::<PyBytes>().map(|bytes| bytes.as_bytes().to_vec()).unwrap_or_default(),
        }
    });
    // SAFETY: the GIL is held; the arguments are live objects, as this function asks.
    let done = unsafe {
        match name {
            Some(name) if name.contains(&b' ') => {
                with_head(&arguments[1..], out, |out| head(&name, arguments.len() - 1, out))
            }
            _ => plain(&arguments, out),
        }
    };
    done.map_err(|Fault| data_error(py, PyErr::fetch(py)))
}

/// Appends the head of a command: the words of its name, with room announced for so many arguments.
pub fn head(name: &[u8], arguments: usize, out: &mut Vec<u8>) {
    let words = || name.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    let mut command = Command::begin(out, words().count() + arguments);
    words().for_each(|word| command.bytes(word));
}

/// Appends what `head` writes, then each argument.
///
/// # Safety
/// The GIL must be held; `arguments` are live objects.
#[inline]
unsafe fn with_head(
    arguments: &[*mut ffi::PyObject],
    out: &mut Vec<u8>,
    head: impl FnOnce(&mut Vec<u8>),
) -> Result<(), Fault> {
    let before = out.len();
    head(out);
    let mut command = Command::resume(out);
    for &argument in arguments {
        // SAFETY: the caller's arguments are live objects, and the GIL is held.
        if let Err(fault) = unsafe { append(argument, &mut command) } {
            out.truncate(before);
            return Err(fault);
        }
    }
    Ok(())
}

/// `DataError` in place of a TypeError, with its text.
#[cold]
fn data_error(py: Python<'_>, error: PyErr) -> PyErr {
    if !error.is_instance_of::<PyTypeError>(py) {
        return error;
    }
    let class = py.import("samewire.redis.exceptions").and_then(|module| module.getattr("DataError"));
    match class.and_then(|class| class.call1((error.value(py).to_string(),))) {
        Ok(made) => PyErr::from_value(made),
        Err(failed) => failed,
    }
}

/// # Safety
/// The GIL must be held; `argument` is a live object.
#[inline]
unsafe fn append(argument: *mut ffi::PyObject, command: &mut Command<'_>) -> Result<(), Fault> {
    // SAFETY: the GIL is held; `argument` is a live object, as this function asks.
    unsafe {
        if usual(argument, command)? {
            return Ok(());
        }
        Python::attach(|py| rare(&Bound::from_borrowed_ptr(py, argument), command)).map_err(set)
    }
}

/// Appends an argument of the usual classes: bytes, str, int of 64 bits and float themselves. False for any other.
///
/// # Safety
/// The GIL must be held; `argument` is a live object.
#[inline]
unsafe fn usual(argument: *mut ffi::PyObject, command: &mut Command<'_>) -> Result<bool, Fault> {
    // SAFETY: each object is asked for its class before its contents are used, and outlives this call.
    unsafe {
        if ffi::PyBytes_CheckExact(argument) != 0 {
            let from = ffi::PyBytes_AS_STRING(argument).cast::<u8>();
            command.bytes(std::slice::from_raw_parts(from, ffi::Py_SIZE(argument) as usize));
            return Ok(true);
        }
        if ffi::PyUnicode_CheckExact(argument) != 0 {
            command.bytes(utf8(argument)?);
            return Ok(true);
        }
        if ffi::PyLong_CheckExact(argument) != 0 {
            let mut overflow = 0;
            let value = ffi::PyLong_AsLongLongAndOverflow(argument, &mut overflow);
            if overflow == 0 {
                command.integer(value);
            }
            return Ok(overflow == 0);
        }
        if ffi::PyFloat_CheckExact(argument) != 0 {
            let text = Owned::steal(ffi::PyObject_Repr(argument))?;
            command.bytes(utf8(text.as_ptr())?);
            return Ok(true);
        }
        Ok(false)
    }
}

/// # Safety
/// The GIL must be held; `text` is a live str.
#[inline]
unsafe fn utf8<'a>(text: *mut ffi::PyObject) -> Result<&'a [u8], Fault> {
    let mut length = 0;
    // SAFETY: the caller's conditions; a str keeps its bytes.
    unsafe {
        let from = ffi::PyUnicode_AsUTF8AndSize(text, &mut length);
        if from.is_null() {
            return Err(Fault);
        }
        Ok(std::slice::from_raw_parts(from.cast(), length as usize))
    }
}

/// Appends `head` and arguments of the usual classes. False if one is of another class or cannot be encoded; `out` is then
/// as it was.
///
/// # Safety
/// The GIL must be held; `arguments` are live objects.
#[inline]
pub unsafe fn usual_only(arguments: &[*mut ffi::PyObject], out: &mut Vec<u8>, head: impl FnOnce(&mut Vec<u8>)) -> bool {
    let before = out.len();
    head(out);
    let mut command = Command::resume(out);
    for &argument in arguments {
        // SAFETY: the caller's arguments are live objects, and the GIL is held.
        match unsafe { usual(argument, &mut command) } {
            Ok(true) => continue,
            Ok(false) => {}
            // SAFETY: the GIL is held, as this function asks.
            Err(Fault) => unsafe { ffi::PyErr_Clear() },
        }
        out.truncate(before);
        return false;
    }
    true
}

#[cold]
fn rare(argument: &Bound<'_, PyAny>, command: &mut Command<'_>) -> PyResult<()> {
    if argument.is_instance_of::<PyBool>() || argument.is_none() {
        // Written as text they would read back as "True" and "None", which is always a mistake.
        return Err(refused(argument));
    }
    if let Ok(bytes) = argument.cast::<PyBytes>() {
        command.bytes(bytes.as_bytes());
    } else if let Ok(text) = argument.cast::<PyString>() {
        command.bytes(text.to_str()?.as_bytes());
    } else if argument.is_instance_of::<PyInt>() || argument.is_instance_of::<PyFloat>() {
        let class: Bound<'_, PyAny> = if argument.is_instance_of::<PyInt>() {
            argument.py().get_type::<PyInt>().into_any()
        } else {
            argument.py().get_type::<PyFloat>().into_any()
        };
        // The base class's text: an enum of numbers shows its name, and a command needs the number.
        let text = class.call_method1("__repr__", (argument,))?;
        command.bytes(text.cast::<PyString>()?.to_str()?.as_bytes());
    } else if argument.is_instance_of::<PyMemoryView>() || argument.is_instance_of::<PyByteArray>() {
        let bytes = argument.py().get_type::<PyBytes>().call1((argument,))?;
        command.bytes(bytes.cast::<PyBytes>()?.as_bytes());
    } else {
        return Err(refused(argument));
    }
    Ok(())
}

fn refused(argument: &Bound<'_, PyAny>) -> PyErr {
    let class = argument.get_type().name().map(|name| name.to_string()).unwrap_or_default();
    PyTypeError::new_err(format!(
        "a command is made of str, bytes, bytearray, memoryview, int and float, not {class}: convert it first"
    ))
}
