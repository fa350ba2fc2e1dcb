//! The opening of a channel: `hello`, `welcome`.

use super::channel::{Channel, Missing};
use super::shared::{count, Shared};
use super::transport::Stop;
use crate::core::fault::raise;
use pyo3::prelude::*;
use samewire_bridge::{Budget, Hello, Message, Record, Role, SESSION_BYTES};
use samewire_core::{Code, Error};
use std::sync::atomic::Ordering;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long a gateway may take to say that it takes a channel.
const PATIENCE: Duration = Duration::from_secs(10);

/// Opens a channel. Raises OSError if there is no gateway, SamewireError if it refuses.
pub fn open(py: Python<'_>, shared: &Arc<Shared>, role: Role) -> PyResult<Channel> {
    if role != Role::Control && !shared.usable() {
        return Err(raise(shared.ending()));
    }
    let transport = shared.dial.open(py)?;
    let mut channel = Channel::new(shared.clone(), transport);
    if !shared.opened(channel.transport().descriptor()) {
        return Err(raise(shared.ending()));
    }
    let start = channel.begin_opening();
    write_hello(py, shared, role, &mut channel.out);
    let taken = channel.seal(start).map_err(raise).and_then(|()| {
        channel.send(py).map_err(|stop| opening(Missing::Stop(stop)))?;
        channel.receive(py, Some(Instant::now() + PATIENCE)).map_err(opening)
    });
    taken?;
    let number = welcomed(shared, role, channel.taken())?;
    channel.number = number;
    count(&shared.counters.channels, 1);
    Ok(channel)
}

fn write_hello(py: Python<'_>, shared: &Shared, role: Role, out: &mut Vec<u8>) {
    let version = py.version_info();
    let session = shared.welcomed.get();
    let records = shared.records.iter();
    Hello {
        role,
        token: &shared.token,
        session: match session {
            Some((secret, _)) if role != Role::Control => secret,
            _ => &[],
        },
        language: format!("Python {}.{}.{}", version.major, version.minor, version.patch).into(),
        process: u64::from(std::process::id()),
        wants: Vec::new(),
        records: records.map(|(name, digest)| Record { name: name.into(), digest: *digest }).collect(),
        ring: None,
    }
    .write(out);
}

/// Reads the reply, and returns the channel's number.
fn welcomed(shared: &Shared, role: Role, message: &[u8]) -> PyResult<u32> {
    let mut budget = Budget::new(&shared.limits, shared.blob_bytes);
    let wrong = |error: Error| {
        raise(Error::new(error.code, format!("the reply to hello: {}: is it a gateway?", error.text)))
    };
    match Message::read(message, &mut budget).map_err(wrong)? {
        Message::Welcome(welcome) => {
            if role == Role::Control {
                let mut secret = [0; SESSION_BYTES];
                secret.copy_from_slice(welcome.session);
                // The first and only control channel of the session.
                let _ = shared.welcomed.set((secret, welcome.process));
                shared.frame_bytes.store(welcome.frame_bytes, Ordering::Relaxed);
            }
            Ok(welcome.channel)
        }
        Message::Refused(refused) => Err(raise(Error::new(refused.code, refused.text.into_owned()))),
        _ => Err(wrong(Error::new(Code::Malformed, "expected welcome or refused"))),
    }
}

fn opening(missing: Missing) -> PyErr {
    raise(match missing {
        Missing::Stop(Stop::Signal(error)) => return error,
        Missing::Stop(Stop::End(text)) => Error::new(Code::Closed, format!("while the channel was opened: {text}")),
        Missing::Stop(Stop::Timeout) => Error::new(Code::Timeout, "no reply to hello within 10 s: is it a gateway?"),
        Missing::Wrong(error) => Error::new(error.code, format!("the reply to hello: {}: is it a gateway?", error.text)),
    })
}
