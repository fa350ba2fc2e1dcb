//! Raises the gateway's exceptions.

use crate::bridge::session::classes::Arrival;
use crate::bridge::session::faults::corrupt;
use crate::bridge::session::hooks::Hook;
use crate::bridge::session::Session;
use crate::bridge::value::decode::{make_text, Decoder};
use crate::bridge::value::error;
use crate::core::call::call;
use crate::core::fault::{set, Fault};
use crate::core::object::owned::Owned;
use pyo3::exceptions::{PyBaseException, PyTypeError};
use pyo3::prelude::*;
use samewire_bridge::{Reference, Text, Throw};

/// Raises the exception of a `throw` message.
#[cold]
pub fn thrown(py: Python<'_>, session: &Session, message: &[u8]) -> Result<Owned, Fault> {
    let mut decoder = Decoder::new(py, session, message, 1);
    let thrown = Throw::read(&mut decoder.reader).and_then(|thrown| {
        decoder.reader.finish()?;
        Ok(thrown)
    });
    let thrown = thrown.map_err(|Fault| corrupt(session, decoder.reader.error()))?;
    // SAFETY: `py` proves that the GIL is held.
    let object = unsafe { decoder.resolve(1, thrown.object) };
    let object = object.map_err(|Fault| match PyErr::take(py) {
        Some(error) => set(error),
        None => corrupt(session, decoder.reader.error()),
    })?;
    // SAFETY: the GIL is held; what arrived as an instance of a class that sessions make is that of `error::make`.
    unsafe {
        let class = match thrown.object {
            Reference::Sender { class, .. } => session.classes.get(py, class),
            _ => None,
        };
        let plain = class.is_some_and(|class| matches!(class.arrival(), Arrival::Error(_)));
        if plain && thrown.code.is_none() && thrown.trace == Text::Latin1(&[]) {
            let message = thrown.message.map(|message| make_text(message)).transpose()?;
            return Err(error::throw(&object, message));
        }
    }
    // SAFETY: a new reference.
    let object = unsafe { Bound::from_owned_ptr(py, object.give()) };
    if matches!(thrown.object, Reference::Receiver(_)) && object.is_instance_of::<PyBaseException>() {
        return Err(set(PyErr::from_value(object)));
    }
    Err(set(exception(py, session, object, &thrown).unwrap_or_else(|error| error)))
}

fn exception(py: Python<'_>, session: &Session, object: Bound<'_, PyAny>, thrown: &Throw<'_>) -> PyResult<PyErr> {
    let text = |text: Text<'_>| -> PyResult<Bound<'_, PyAny>> {
        // SAFETY: the GIL is held; a new reference.
        unsafe {
            match make_text(text) {
                Ok(text) => Ok(Bound::from_owned_ptr(py, text.give())),
                Err(Fault) => Err(PyErr::fetch(py)),
            }
        }
    };
    let code = thrown.code.map_or("", samewire_core::Code::as_str);
    let message = thrown.message.map(text).transpose()?;
    let hook = session.required(py, Hook::OnThrow)?;
    let made = call(&hook, (object, &*thrown.class, code, message, text(thrown.trace)?))?;
    if !made.is_instance_of::<PyBaseException>() {
        return Err(PyTypeError::new_err(format!("on_throw returned {made}: expected an exception")));
    }
    Ok(PyErr::from_value(made))
}
