//! The opening of a channel: `hello`, `welcome`.

use super::channel::{Channel, Missing};
use super::ring::{Offer, RingTransport};
use super::shared::{count, Shared};
use super::transport::{Dial, Process, Stop, Transport};
use crate::core::fault::raise;
use pyo3::prelude::*;
use samewire_bridge::ring::layout::DEFAULT_CAPACITY;
use samewire_bridge::{frame, message, Budget, Hello, Message, Record, RingFile, Role, CONTINUED_BYTES, SESSION_BYTES};
use samewire_core::{Code, Error};
use std::sync::atomic::Ordering;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long a gateway may take to say that it takes a channel.
pub const PATIENCE: Duration = Duration::from_secs(10);

/// Opens a channel. Raises OSError if there is no gateway, SamewireError if it refuses.
pub fn open(py: Python<'_>, shared: &Arc<Shared>, role: Role) -> PyResult<Channel> {
    if role != Role::Control && !shared.usable() {
        return Err(raise(shared.ending()));
    }
    let transport = match shared.dial.inherited(role) {
        Some(transport) => transport,
        None => shared.dial.open(py, || shared.is_over()).map_err(|error| match shared.is_over() {
            true => raise(shared.ending()),
            false => error,
        })?,
    };
    let channel = opened(py, shared, role, transport, None)?;
    count(&shared.counters.channels, 1);
    Ok(channel)
}

/// Has a channel that came over pipes go on over a connection of its own, if the gateway listens by now. Raises what keeps the
/// gateway from it, which ends the channel.
#[cold]
pub fn go_on(py: Python<'_>, channel: &Channel) -> PyResult<()> {
    let shared = channel.shared.clone();
    let Some(transport) = shared.dial.listening() else { return Ok(()) };
    let mut last = Vec::new();
    let start = frame::begin(&mut last);
    // A release of nothing has no reply, and the gateway's thread looks at its connection after it.
    last.extend([message::RELEASE, 0]);
    let done = frame::end(&mut last, start, u32::MAX as usize).map_err(raise).and_then(|()| {
        let other = opened(py, &shared, Role::Call, transport, Some(channel.number.get()))?;
        channel.go_on(py, other, &last).map_err(|stop| opening(Missing::Stop(stop), PATIENCE))
    });
    if done.is_err() {
        channel.break_off();
    }
    done
}

/// Opens a channel over a connection, or has one go on over it.
fn opened(
    py: Python<'_>,
    shared: &Arc<Shared>,
    role: Role,
    transport: Transport,
    continued: Option<u32>,
) -> PyResult<Channel> {
    let channel = Channel::new(shared.clone(), transport);
    if !shared.opened(channel.descriptor()) {
        return Err(raise(shared.ending()));
    }
    let mut ring = None;
    let mut inside = None;
    if role == Role::Call && matches!(shared.dial, Dial::Process(_)) {
        inside = Some(Offer { path: Process::offer(), capacity: DEFAULT_CAPACITY, generation: 0 });
    } else if shared.shared_memory && role != Role::Control && shared.dial.is_unix() && !channel.is_first() {
        // Without memory for it the channel goes over its socket.
        ring = RingTransport::make(DEFAULT_CAPACITY, generation(), shared.waiting).ok();
    }
    let mut hello = channel.begin_opening();
    let session = session(shared, role, continued);
    write_hello(
        py,
        shared,
        role,
        &session,
        inside.as_ref().or(ring.as_ref().map(|(_, offer)| offer)),
        &mut hello.bytes,
    );
    let taken = channel.seal(hello).map_err(raise).and_then(|()| {
        channel.send(py).map_err(|stop| opening(Missing::Stop(stop), PATIENCE))?;
        let patience = if role == Role::Control { shared.patience } else { PATIENCE };
        channel.receive(py, Some(Instant::now() + patience)).map_err(|missing| opening(missing, patience))
    });
    taken?;
    let (number, mapped) = welcomed(shared, role, &channel.message())?;
    channel.number.set(number);
    match (inside, ring) {
        (Some(inside), _) if mapped => channel.embed(&inside.path).map_err(raise)?,
        (_, Some((ring, _))) if mapped => channel.share(ring),
        _ if channel.is_first() => {}
        _ => {
            shared.refused.store(role != Role::Control, Ordering::Relaxed);
            if role == Role::Call {
                channel.watch();
            }
        }
    }
    Ok(channel)
}

/// By what the gateway knows the session, and behind it the number of the channel that goes on.
fn session(shared: &Shared, role: Role, continued: Option<u32>) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(CONTINUED_BYTES);
    if let (Some((secret, _)), true) = (shared.welcomed.get(), role != Role::Control) {
        bytes.extend(secret);
        bytes.extend(continued.map(u32::to_le_bytes).iter().flatten());
    }
    bytes
}

fn write_hello(py: Python<'_>, shared: &Shared, role: Role, session: &[u8], ring: Option<&Offer>, out: &mut Vec<u8>) {
    let version = py.version_info();
    let records = shared.records.iter();
    Hello {
        role,
        token: &shared.token,
        session,
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

fn opening(missing: Missing, patience: Duration) -> PyErr {
    raise(match missing {
        Missing::Stop(Stop::Signal(error)) => return error,
        Missing::Stop(Stop::End(text)) => Error::new(Code::Closed, format!("while the channel was opened: {text}")),
        Missing::Stop(Stop::Timeout) => Error::new(
            Code::Timeout,
            format!("no reply to hello within {} s: is it a gateway?", patience.as_secs_f64()),
        ),
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
