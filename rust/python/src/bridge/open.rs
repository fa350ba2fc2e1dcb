//! The opening of a channel: `hello`, `welcome`.

use super::channel::{Channel, Missing};
use super::ring::{Offer, RingTransport};
use super::shared::{count, Shared};
use super::transport::{Dial, Process, Stop};
use crate::core::fault::raise;
use pyo3::prelude::*;
use samewire_bridge::ring::layout::DEFAULT_CAPACITY;
use samewire_bridge::{Budget, Hello, Message, Record, RingFile, Role, SESSION_BYTES};
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
    let mut ring = None;
    let mut inside = None;
    if role == Role::Call && matches!(shared.dial, Dial::Process(_)) {
        inside = Some(Offer { path: Process::offer(), capacity: DEFAULT_CAPACITY, generation: 0 });
    } else if shared.shared_memory && role != Role::Control && shared.dial.is_unix() {
        // Without memory for it the channel goes over its socket.
        ring = RingTransport::make(DEFAULT_CAPACITY, generation(), shared.waiting).ok();
    }
    let start = channel.begin_opening();
    write_hello(py, shared, role, inside.as_ref().or(ring.as_ref().map(|(_, offer)| offer)), &mut channel.out);
    let taken = channel.seal(start).map_err(raise).and_then(|()| {
        channel.send(py).map_err(|stop| opening(Missing::Stop(stop)))?;
        channel.receive(py, Some(Instant::now() + PATIENCE)).map_err(opening)
    });
    taken?;
    let (number, mapped) = welcomed(shared, role, channel.taken())?;
    channel.number = number;
    match (inside, ring) {
        (Some(inside), _) if mapped => channel.embed(&inside.path).map_err(raise)?,
        (_, Some((ring, _))) if mapped => channel.share(ring),
        _ => {
            shared.refused.store(role != Role::Control, Ordering::Relaxed);
            if role == Role::Call {
                channel.watch();
            }
        }
    }
    count(&shared.counters.channels, 1);
    Ok(channel)
}

fn write_hello(py: Python<'_>, shared: &Shared, role: Role, ring: Option<&Offer>, out: &mut Vec<u8>) {
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
        ring: ring.map(|offer| RingFile {
            path: (&offer.path).into(),
            capacity: offer.capacity,
            generation: offer.generation,
        }),
    }
    .write(out);
}

/// Reads the reply, and returns the channel's number, and whether the gateway has mapped the ring.
fn welcomed(shared: &Shared, role: Role, message: &[u8]) -> PyResult<(u32, bool)> {
    let mut budget = Budget::new(&shared.limits, shared.blob_bytes);
    let wrong =
        |error: Error| raise(Error::new(error.code, format!("the reply to hello: {}: is it a gateway?", error.text)));
    match Message::read(message, &mut budget).map_err(wrong)? {
        Message::Welcome(welcome) => {
            if role == Role::Control {
                let mut secret = [0; SESSION_BYTES];
                secret.copy_from_slice(welcome.session);
                // The first and only control channel of the session.
                let _ = shared.welcomed.set((secret, welcome.process));
                shared.frame_bytes.store(welcome.frame_bytes, Ordering::Relaxed);
            }
            Ok((welcome.channel, welcome.ring))
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
        Missing::Wrong(error) => {
            Error::new(error.code, format!("the reply to hello: {}: is it a gateway?", error.text))
        }
    })
}

/// A number that a ring repeats, so that its file is not taken for another's.
fn generation() -> u64 {
    let mut bytes = [0; 8];
    // SAFETY: pointer and length are an array's. So few bytes come at once; without them the number is only no secret, which it
    // need not be.
    unsafe { libc::getrandom(bytes.as_mut_ptr().cast(), bytes.len(), 0) };
    u64::from_le_bytes(bytes)
}
