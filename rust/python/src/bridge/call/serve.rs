//! Serves the gateway's calls of Python objects.

use super::message::{fill, released, send, send_blobs, settle};
use super::recording::Paused;
use super::thrown::{write_absent, write_throw, write_unfit};
use crate::bridge::channel::state::count;
use crate::bridge::channel::Channel;
use crate::bridge::session::faults::corrupt;
use crate::bridge::session::served::Served;
use crate::bridge::session::Session;
use crate::bridge::value::decode::Decoder;
use crate::bridge::value::encode::{Attached, Encoder};
use crate::core::fault::{raise, set, Fault};
use crate::core::ffi;
use crate::core::object::owned::Owned;
use pyo3::prelude::*;
use samewire_bridge::{message, Action, Definition, Kind, Reader};
use samewire_core::{Code, Error};
use std::sync::Arc;

/// Calls nested in one another, for each level of `limits.depth`.
const NESTED: u32 = 16;

/// Runs the call that was received on a channel, and sends its reply.
pub fn serve(py: Python<'_>, session: &Session, channel: &Channel) -> Result<(), Fault> {
    count(&session.state.counters.callbacks, 1);
    let first = channel.came() == message::FIRST_CALL;
    let (site, arguments) = read_call(py, session, channel)?;
    channel.busy.set(false);
    channel.depth.set(channel.depth.get() + 1);
    let paused = Paused::begin();
    let raised = channel.raised.take();
    let (result, refused) = match arguments {
        _ if raised.is_some() => (raised.map_or(Err(Fault), |error| Err(set(error))), false),
        Ok(_) if channel.depth.get() > NESTED.saturating_mul(session.state.limits.depth) => {
            let text = "calls nested deeper than 16 times limits.depth";
            (Err(set(raise(Error::new(Code::LimitDepth, text)))), true)
        }
        Ok(arguments) => (run(py, &site, arguments), false),
        Err(error) => (Err(set(error)), true),
    };
    drop(paused);
    channel.depth.set(channel.depth.get() - 1);
    channel.busy.set(true);
    // A nested call has ended the channel.
    if channel.is_broken() {
        return Err(match result {
            Err(Fault) => Fault,
            Ok(_) => set(raise(Error::new(Code::Closed, "the channel ended while the gateway's call ran"))),
        });
    }
    let reply = match result {
        Ok(Outcome::Returned(value)) => write_value(py, session, channel, &site, first, value),
        Ok(Outcome::Absent(text)) => write_told(channel, |out| write_absent(out, &text)),
        Err(Fault) => write_raised(py, session, channel, refused),
    };
    send_reply(py, session, channel, reply)
}

type Arguments = Vec<Owned>;

/// The outcome of a call that did not raise.
enum Outcome {
    Returned(Owned),
    /// The object has no such method; the text names it.
    Absent(String),
}

/// Reads a call; its arguments are an error if reading them raised.
fn read_call(
    py: Python<'_>,
    session: &Session,
    channel: &Channel,
) -> Result<(Arc<Served>, Result<Arguments, PyErr>), Fault> {
    let message = channel.message();
    let mut reader = Reader::new(&message, 1);
    let site = read_site(py, session, message[0], &mut reader);
    let site = match site {
        Ok(Some(site)) => site,
        Ok(None) => {
            let text = "a site that has no definition, or another one";
            return Err(corrupt(session, Error::new(Code::Malformed, text).at(1)));
        }
        Err(Fault) => return Err(corrupt(session, reader.error())),
    };
    let mut decoder = Decoder::new(py, session, &message, reader.at());
    let mut arguments = Vec::with_capacity(site.arguments.len());
    let mut read = Ok(());
    decoder.receiver = site.action == Action::Method;
    for kind in &site.arguments {
        let (at, blobs) = (decoder.reader.at(), decoder.pending.len());
        // SAFETY: `py` proves that the GIL is held.
        let value = unsafe { decoder.value(kind) };
        decoder.receiver = false;
        match value {
            Ok(value) => arguments.push(value),
            Err(Fault) => {
                decoder.pending.truncate(blobs);
                let refused = decoder.refuse(at, &site.arguments[arguments.len()..]);
                if let Some(error) = PyErr::take(py) {
                    let (rest, pending) = settle(&mut decoder, Ok(()));
                    drop(message);
                    rest?;
                    fill(py, session, channel, pending)?;
                    return Ok((site, Err(error)));
                }
                read = Err(refused);
                break;
            }
        }
    }
    let (read, pending) = settle(&mut decoder, read);
    drop(message);
    read?;
    fill(py, session, channel, pending)?;
    for (kind, argument) in site.arguments.iter().zip(&mut arguments) {
        if let Kind::Pack(schema) = kind {
            // SAFETY: the GIL is held; the payload was read as bytes.
            match unsafe { session.read_message(py, schema, argument.again(), None) } {
                Ok(read) => *argument = read,
                Err(Fault) => return Ok((site, Err(PyErr::fetch(py)))),
            }
        }
    }
    Ok((site, Ok(arguments)))
}

fn read_site(
    py: Python<'_>,
    session: &Session,
    message: u8,
    reader: &mut Reader<'_>,
) -> Result<Option<Arc<Served>>, Fault> {
    match message {
        message::CALL => {
            let number = message::site(reader, 1)?;
            Ok(session.served.get(py, number))
        }
        message::FIRST_CALL => {
            let number = message::site(reader, 0)?;
            let definition = Definition::read(reader)?;
            Ok(session.served.define(py, number, definition))
        }
        _ => Err(reader.fail(Code::Unsupported, 0, "batches of calls of Python are not supported")),
    }
}

/// Calls the attribute that the member names, or the object itself.
fn run(py: Python<'_>, site: &Served, arguments: Arguments) -> Result<Outcome, Fault> {
    let Some(target) = arguments.first().filter(|_| site.action == Action::Method) else {
        let text = "Python objects have methods alone: expected a call of one";
        return Err(set(raise(Error::new(Code::Misuse, text))));
    };
    let pointers: Vec<_> = arguments.iter().map(Owned::as_ptr).collect();
    // SAFETY: the GIL is held, and the arguments are alive.
    unsafe {
        let (object, rest) = (target.as_ptr(), &pointers[1..]);
        match attribute(object, site.member.as_ptr())? {
            Some(method) => call(method.as_ptr(), rest).map(Outcome::Returned),
            None if !site.inherited && ffi::PyCallable_Check(object) != 0 => call(object, rest).map(Outcome::Returned),
            None => inherited(py, site, object, rest),
        }
    }
}

/// An attribute; None if there is none.
unsafe fn attribute(object: *mut ffi::PyObject, name: *mut ffi::PyObject) -> Result<Option<Owned>, Fault> {
    let mut found = std::ptr::null_mut();
    // SAFETY: both are alive, the GIL is held, and the result goes to a place of its own.
    unsafe {
        match ffi::optional_attribute(object, name, &mut found) {
            ..0 => Err(Fault),
            0 => Ok(None),
            _ => Owned::steal(found).map(Some),
        }
    }
}

unsafe fn call(callable: *mut ffi::PyObject, arguments: &[*mut ffi::PyObject]) -> Result<Owned, Fault> {
    // SAFETY: all are alive, and the GIL is held.
    unsafe {
        Owned::steal(ffi::PyObject_Vectorcall(callable, arguments.as_ptr(), arguments.len(), std::ptr::null_mut()))
    }
}

/// The methods that every Java object has: `equals`, `hashCode`, `toString`.
unsafe fn inherited(
    py: Python<'_>,
    site: &Served,
    object: *mut ffi::PyObject,
    arguments: &[*mut ffi::PyObject],
) -> Result<Outcome, Fault> {
    // SAFETY: all are alive, and the GIL is held.
    let returned = unsafe {
        match (site.member.to_str(py).unwrap_or_default(), arguments) {
            ("equals", &[other]) => match ffi::PyObject_RichCompareBool(object, other, ffi::Py_EQ) {
                ..0 => Err(Fault),
                same => Ok(Owned::borrow(if same == 1 { ffi::Py_True() } else { ffi::Py_False() })),
            },
            ("hashCode", &[]) => match ffi::PyObject_Hash(object) {
                -1 => Err(Fault),
                hash => Owned::steal(ffi::PyLong_FromLong(std::ffi::c_long::from((hash ^ hash >> 32) as i32))),
            },
            ("toString", &[]) => Owned::steal(ffi::PyObject_Str(object)),
            (member, _) => {
                let object = Bound::from_borrowed_ptr(py, object);
                let class = object.get_type().name().map(|name| name.to_string()).unwrap_or_default();
                let text = format!("an object of class {class} has no method {member}, which Java calls");
                return Ok(Outcome::Absent(text));
            }
        }
    };
    returned.map(Outcome::Returned)
}

/// The reply to a call in the channel's buffer, and the objects that it needs.
#[derive(Default)]
struct Reply {
    attached: Attached,
    /// The returned value, kept until the reply is sent.
    _value: Option<Owned>,
    /// The exception of Java's that is thrown.
    carried: Option<Py<PyAny>>,
}

/// Writes a return, or a throw if the value does not fit the expected type or a message.
fn write_value(
    py: Python<'_>,
    session: &Session,
    channel: &Channel,
    site: &Served,
    first: bool,
    value: Owned,
) -> Result<Reply, Error> {
    let mut message = channel.begin();
    if first {
        message::put_first_return(&mut message.bytes, &site.result);
    } else if site.result == Kind::Void {
        message.bytes.push(message::NOTHING);
    } else {
        message.bytes.push(message::RETURN);
    }
    let written = {
        let mut encoder = Encoder::new(py, session, &mut message.bytes, false);
        encoder.hold();
        // SAFETY: the value is alive until the reply is sent.
        unsafe { encoder.as_kind(value.as_ptr(), &site.result) }.map(|()| encoder.attached())
    };
    match written {
        Ok(mut attached) => match channel.seal(message) {
            Ok(()) => return Ok(Reply { attached, _value: Some(value), carried: None }),
            Err(error) => {
                attached.take_back(py, session);
                set(raise(error));
            }
        },
        Err(Fault) => channel.unsent(message),
    }
    write_raised(py, session, channel, true)
}

/// Writes the exception that is set in the interpreter. If its texts do not fit into a message, writes that instead.
fn write_raised(py: Python<'_>, session: &Session, channel: &Channel, refused: bool) -> Result<Reply, Error> {
    let mut message = channel.begin();
    let mut thrown = write_throw(py, session, &mut message.bytes, refused);
    match channel.seal(message) {
        Ok(()) => Ok(Reply { attached: thrown.attached, carried: thrown.carried, _value: None }),
        Err(_) => {
            thrown.attached.take_back(py, session);
            write_told(channel, |out| write_unfit(out, &thrown.class))
        }
    }
}

/// Writes a throw that the bridge makes itself.
fn write_told(channel: &Channel, write: impl FnOnce(&mut Vec<u8>)) -> Result<Reply, Error> {
    let mut message = channel.begin();
    write(&mut message.bytes);
    channel.seal(message).map(|()| Reply::default())
}

/// Sends the reply. If the limit of messages is too short even for a throw, ends the channel.
fn send_reply(py: Python<'_>, session: &Session, channel: &Channel, reply: Result<Reply, Error>) -> Result<(), Fault> {
    let mut reply = reply.map_err(|error| {
        channel.break_off();
        set(raise(error))
    })?;
    send(py, session, channel, &mut reply.attached)?;
    send_blobs(py, session, channel, &reply.attached.blobs)?;
    channel.keep_blobs();
    let mut carried = reply.attached.references(py);
    carried.extend(reply.carried);
    drop(channel.carried.replace(carried));
    Ok(())
}

/// Serves one message of a callback channel.
pub fn serve_message(py: Python<'_>, session: &Session, channel: &Channel) -> Result<(), Fault> {
    match channel.came() {
        message::CALL..=message::BATCH => serve(py, session, channel),
        message::RELEASE => released(py, session, channel),
        _ => Err(corrupt(session, Error::new(Code::Malformed, "expected a call").at(0))),
    }
}
