//! Descriptions of the gateway's classes (`spec/bridge.md` section 9).

use super::exchange::exchange;
use super::reply::conclude;
use crate::bridge::session::classes::Known;
use crate::bridge::session::faults::corrupt;
use crate::bridge::session::hooks::Hook;
use crate::bridge::session::thread::Lease;
use crate::bridge::session::Session;
use crate::bridge::value::encode::Attached;
use crate::core::call::call;
use crate::core::fault::{raise, set, Fault};
use pyo3::prelude::*;
use samewire_bridge::{flat, message, read_result_kind, Action, Kind, Reader};
use samewire_core::{Code, Error};

/// The class to describe.
pub enum Wanted<'a> {
    Number(u32),
    Name(&'a str),
}

/// Makes the class of a new number: the gateway describes it, and the program's hook makes it.
pub fn describe_for_proxy(session: &Session, py: Python<'_>, number: u32) -> Result<Known, Fault> {
    let info = ask(session, py, Wanted::Number(number)).map_err(set)?;
    if info.is_none() {
        let text = format!("the gateway sent an object of class {number} and does not describe the class");
        return Err(set(raise(Error::new(Code::Malformed, text))));
    }
    let hook = session.required(py, Hook::OnClass).map_err(set)?;
    let made = call(&hook, (info,)).map_err(set)?;
    session.classes.add(&made, number)
}

/// The description of a class, as the program sees it; None if there is no such class.
pub fn ask<'py>(session: &Session, py: Python<'py>, wanted: Wanted<'_>) -> PyResult<Bound<'py, PyAny>> {
    let mut definition = vec![Action::Describe as u8];
    flat::put_str(&mut definition, "");
    flat::put_str(&mut definition, "");
    flat::put_strs(&mut definition, &[if matches!(wanted, Wanted::Number(_)) { "i64" } else { "string" }]);
    flat::put_str(&mut definition, "");
    if !session.state.usable() {
        return Err(raise(session.state.ending()));
    }
    let asked = || {
        let lease = Lease::take(py, session)?;
        let channel = lease.channel();
        let site = session.sites.of(py, &definition);
        let mut message = channel.begin();
        message.bytes.extend_from_slice(site.head());
        match wanted {
            Wanted::Number(number) => flat::put_u64(&mut message.bytes, u64::from(number)),
            Wanted::Name(name) => flat::put_str(&mut message.bytes, name),
        }
        channel.seal(message).map_err(|error| set(raise(error)))?;
        exchange(py, session, channel, &mut Attached::default())?;
        let other = {
            let message = channel.message();
            let mut reader = Reader::new(&message, 0);
            reader.u8() == Ok(message::FIRST_RETURN)
                && read_result_kind(&mut reader).is_ok_and(|kind| kind != Kind::Class)
        };
        if other {
            // An object in place of the description would have a class that must be described in turn: unbounded
            // recursion.
            return Err(corrupt(session, Error::new(Code::Malformed, "expected a description of a class").at(1)));
        }
        // SAFETY: `py` proves that the GIL is held.
        unsafe { conclude(py, session, channel, &site, None) }
    };
    match asked() {
        // SAFETY: a new reference.
        Ok(info) => Ok(unsafe { Bound::from_owned_ptr(py, info.give()) }),
        Err(Fault) => Err(PyErr::fetch(py)),
    }
}
