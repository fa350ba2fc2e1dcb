//! Writes Python's exceptions as throws to the gateway (`spec/bridge.md` section 8).

use crate::bridge::session::hooks::Hook;
use crate::bridge::session::reference::Object;
use crate::bridge::session::Session;
use crate::bridge::value::encode::{Attached, Encoder};
use crate::core::call::call;
use crate::core::fault::Fault;
use pyo3::exceptions::PyRecursionError;
use pyo3::prelude::*;
use pyo3::types::PyString;
use samewire_bridge::{flat, message, Reference};
use samewire_core::Code;

/// The most bytes of the class name in a throw whose texts were too long.
const MOST_NAME: usize = 256;

/// Objects that a throw needs until it is sent.
#[derive(Default)]
pub struct Thrown {
    /// The exception, if it is one of Python's.
    pub attached: Attached,
    /// The Java exception that is thrown back to Java.
    pub carried: Option<Py<PyAny>>,
    /// The name of its class.
    pub class: String,
}

/// Writes the exception that is set in the interpreter.
///
/// refused: the bridge itself raised it, not the program. Only then the gateway gets the exception's code.
pub fn write_throw(py: Python<'_>, session: &Session, out: &mut Vec<u8>, refused: bool) -> Thrown {
    let error = PyErr::fetch(py);
    let start = out.len();
    put_throw(py, session, out, &error, refused).unwrap_or_else(|failed| {
        // The program's hook raised an error itself, as it does if no Python code can run any more (RecursionError).
        out.truncate(start);
        put_unsaid(py, session, out, &error, &failed)
    })
}

/// Writes an exception without the help of Python code.
fn put_unsaid(py: Python<'_>, session: &Session, out: &mut Vec<u8>, error: &PyErr, failed: &PyErr) -> Thrown {
    let start = out.len();
    let class = error.get_type(py).name().map_or_else(|_| "Exception".to_owned(), |name| name.to_string());
    let value = error.value(py);
    let text = match failed.is_instance_of::<PyRecursionError>(py) {
        true => plain_text(value),
        false => format!("{}; and on_raise failed: {failed}", plain_text(value)),
    };
    out.push(message::THROW);
    let mut encoder = Encoder::new(py, session, out, true);
    // SAFETY: the GIL is held, and the exception alive.
    if unsafe { encoder.peer(value.as_ptr()) }.is_err() {
        drop(PyErr::take(py));
        drop(encoder);
        out.truncate(start);
        put_told(out, &class, "", &text);
        return Thrown { class, ..Thrown::default() };
    }
    put_texts(encoder.out, &class, "", &text);
    Thrown { attached: encoder.attached(), carried: None, class }
}

/// The text of an exception whose class may have no method that can still run.
fn plain_text(value: &Bound<'_, PyAny>) -> String {
    value.str().map_or_else(|_| "(its __str__ raised an error)".to_owned(), |text| text.to_string_lossy().into_owned())
}

/// Writes a throw in place of one whose texts are longer than a message may be.
pub fn write_unfit(out: &mut Vec<u8>, class: &str) {
    let most = (0..=MOST_NAME.min(class.len())).rev().find(|&at| class.is_char_boundary(at));
    put_told(out, &class[..most.unwrap_or(0)], "", "the exception's texts do not fit into a message");
}

/// Writes that an object has no such method (`spec/bridge.md` section 5.4). Python code did not raise this, so the
/// throw has neither an object nor a class.
pub fn write_absent(out: &mut Vec<u8>, text: &str) {
    put_told(out, "", Code::Misuse.as_str(), text);
}

/// A throw without an object.
fn put_told(out: &mut Vec<u8>, class: &str, code: &str, text: &str) {
    out.push(message::THROW);
    Reference::Null.write(out);
    put_texts(out, class, code, text);
}

/// Writes the part of a throw behind its object.
fn put_texts(out: &mut Vec<u8>, class: &str, code: &str, text: &str) {
    flat::put_str(out, class);
    flat::put_str(out, code);
    out.push(1);
    flat::put_str(out, text);
    flat::put_str(out, "");
}

/// The result of `on_raise`: the Java exception that the exception wraps; type, message, trace.
type Told<'py> = (Option<Bound<'py, PyAny>>, String, Option<Bound<'py, PyString>>, Bound<'py, PyString>);

fn put_throw(py: Python<'_>, session: &Session, out: &mut Vec<u8>, error: &PyErr, refused: bool) -> PyResult<Thrown> {
    let value = error.value(py);
    if let Some(traceback) = error.traceback(py) {
        value.setattr("__traceback__", traceback)?;
    }
    let hook = session.required(py, Hook::OnRaise)?;
    let told = call(&hook, (value,))?;
    let (object, class, message, trace): Told<'_> = told.extract()?;
    out.push(message::THROW);
    let mut encoder = Encoder::new(py, session, out, true);
    // SAFETY: the GIL is held, and all objects are alive.
    unsafe {
        let proxy = object.as_ref().and_then(|object| Object::of(object.as_ptr()));
        match proxy.filter(|proxy| std::ptr::eq(proxy.session(), session.as_ptr())) {
            Some(proxy) => Reference::Receiver(proxy.number()).write(encoder.out),
            None => encoder.peer(value.as_ptr()).map_err(|Fault| PyErr::fetch(py))?,
        }
        flat::put_str(encoder.out, &class);
        flat::put_str(encoder.out, &if refused { code_of(py, error) } else { String::new() });
        encoder.out.push(u8::from(message.is_some()));
        if let Some(message) = message {
            encoder.text(message.as_ptr());
        }
        encoder.text(trace.as_ptr());
    }
    Ok(Thrown { attached: encoder.attached(), carried: object.map(Bound::unbind), class })
}

/// The code of an error of the bridge's.
fn code_of(py: Python<'_>, error: &PyErr) -> String {
    let code = error.value(py).getattr_opt("code").ok().flatten().and_then(|code| code.extract::<String>().ok());
    code.filter(|code| Code::named(code).is_some()).unwrap_or_default()
}
