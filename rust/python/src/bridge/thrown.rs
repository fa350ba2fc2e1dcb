//! Exceptions of Python's, thrown to the gateway (`spec/bridge.md` section 8).

use super::encode::Encoder;
use super::hooks::Hook;
use super::object::Object;
use super::session::Session;
use crate::core::fault::Fault;
use pyo3::prelude::*;
use pyo3::types::PyString;
use samewire_bridge::{flat, message, Reference};
use samewire_core::Code;

/// Writes the exception that stands in the interpreter; what it returns is carried home.
pub fn write_throw(py: Python<'_>, session: &Session, out: &mut Vec<u8>) -> Option<Py<PyAny>> {
    let error = PyErr::fetch(py);
    let start = out.len();
    put_throw(py, session, out, &error).unwrap_or_else(|failed| {
        // What the program says of its exceptions raises itself: the message says so, without an object.
        out.truncate(start);
        out.push(message::THROW);
        Reference::Null.write(out);
        flat::put_str(out, "builtins.RuntimeError");
        flat::put_str(out, "");
        out.push(1);
        flat::put_str(out, &format!("{error}; and on_raise failed: {failed}"));
        flat::put_str(out, "");
        None
    })
}

/// Writes that an object has no such method (`spec/bridge.md` section 5.4). No Python code raised that: there is neither an
/// exception nor a type of one.
pub fn write_absent(out: &mut Vec<u8>, text: &str) {
    out.push(message::THROW);
    Reference::Null.write(out);
    flat::put_str(out, "");
    flat::put_str(out, Code::Misuse.as_str());
    out.push(1);
    flat::put_str(out, text);
    flat::put_str(out, "");
}

/// What `on_raise` returns: the exception of Java's that an exception stands for; type, message, trace.
type Told<'py> = (Option<Bound<'py, PyAny>>, String, Option<Bound<'py, PyString>>, Bound<'py, PyString>);

fn put_throw(py: Python<'_>, session: &Session, out: &mut Vec<u8>, error: &PyErr) -> PyResult<Option<Py<PyAny>>> {
    let value = error.value(py);
    if let Some(traceback) = error.traceback(py) {
        value.setattr("__traceback__", traceback)?;
    }
    let hook = session.required(py, Hook::OnRaise)?;
    let told = hook.call1((value,))?;
    let (object, class, message, trace): Told<'_> = told.extract()?;
    out.push(message::THROW);
    // SAFETY: the GIL is held, and all objects are alive.
    unsafe {
        let proxy = object.as_ref().and_then(|object| Object::of(object.as_ptr()));
        match proxy.filter(|proxy| std::ptr::eq(proxy.session(), session.as_ptr())) {
            Some(proxy) => Reference::Receiver(proxy.number()).write(out),
            None => {
                let number = session.exports.send(value.as_any()).map_err(|Fault| PyErr::fetch(py))?;
                Reference::Sender { number, class: 0 }.write(out);
            }
        }
        let mut encoder = Encoder::new(py, session, out, true);
        flat::put_str(encoder.out, &class);
        flat::put_str(encoder.out, &code_of(py, error));
        encoder.out.push(u8::from(message.is_some()));
        if let Some(message) = message {
            encoder.text(message.as_ptr());
        }
        encoder.text(trace.as_ptr());
    }
    Ok(object.map(Bound::unbind))
}

/// The attribute `code` of an exception if it names a code: that of samewire's errors, and of others that have one.
fn code_of(py: Python<'_>, error: &PyErr) -> String {
    let code = error.value(py).getattr_opt("code").ok().flatten().and_then(|code| code.extract::<String>().ok());
    code.filter(|code| Code::named(code).is_some()).unwrap_or_default()
}
