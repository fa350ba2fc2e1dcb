//! Opens channels: `hello`, `welcome`.

use crate::bridge::channel::state::{count, State};
use crate::bridge::channel::{Channel, Missing};
use crate::bridge::transport::dial::Dial;
use crate::bridge::transport::ring::{Offer, RingTransport};
use crate::bridge::transport::{Process, Stop, Transport};
use crate::core::fault::raise;
use pyo3::exceptions::{PyConnectionError, PyFileNotFoundError};
use pyo3::prelude::*;
use samewire_bridge::ring::layout::DEFAULT_CAPACITY;
use samewire_bridge::{frame, message, Budget, Hello, Message, Record, RingFile, Role, CONTINUED_BYTES, SESSION_BYTES};
use samewire_core::{Code, Error};
use std::sync::atomic::Ordering;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long a gateway may take to accept a channel.
pub const PATIENCE: Duration = Duration::from_secs(10);

/// Opens a channel. Raises OSError if there is no gateway, SamewireError if it refuses, or if the session's gateway is gone.
pub fn open(py: Python<'_>, state: &Arc<State>, role: Role) -> PyResult<Channel> {
    if role != Role::Control && !state.usable() {
        return Err(raise(state.ending()));
    }
    let transport = match state.dial.inherited(role) {
        Some(transport) => transport,
        None => state.dial.open(py, || state.is_over()).map_err(|error| unreached(py, state, role, error))?,
    };
    let channel = opened(py, state, role, transport, None)?;
    count(&state.counters.channels, 1);
    Ok(channel)
}

/// The error if no connection was made. A gateway that has closed does not listen any more, but the control channel may
/// see its end later: a new channel of the session fails with the same error as those that were open.
fn unreached(py: Python<'_>, state: &State, role: Role, error: PyErr) -> PyErr {
    // Keeps the error's class: only when its value is made does an OSError become one of its subclasses.
    let value = error.value(py);
    let gone = value.is_instance_of::<PyConnectionError>() || value.is_instance_of::<PyFileNotFoundError>();
    match role {
        _ if state.is_over() => raise(state.ending()),
        Role::Call | Role::Callback if gone => {
            raise(Error::new(Code::Closed, format!("the gateway is gone: {value}: connect again")))
        }
        _ => error,
    }
}

/// Moves a channel from pipes to a connection of its own, if the gateway listens by now. If the gateway fails to do so,
/// raises its error, which ends the channel.
#[cold]
pub fn go_on(py: Python<'_>, channel: &Channel) -> PyResult<()> {
    let state = channel.state.clone();
    let Some(transport) = state.dial.listening() else { return Ok(()) };
    let mut last = Vec::new();
    let start = frame::begin(&mut last);
    // An empty release has no reply, and makes the gateway's thread check its connection.
    last.extend([message::RELEASE, 0]);
    let done = frame::end(&mut last, start, u32::MAX as usize).map_err(raise).and_then(|()| {
        let other = opened(py, &state, Role::Call, transport, Some(channel.number.get()))?;
        channel.go_on(py, other, &last).map_err(|stop| opening(Missing::Stop(stop), PATIENCE))
    });
    if done.is_err() {
        channel.break_off();
    }
    done
}

/// Opens a channel over a connection, or moves one to it.
fn opened(
    py: Python<'_>,
    state: &Arc<State>,
    role: Role,
    transport: Transport,
    continued: Option<u32>,
) -> PyResult<Channel> {
    let channel = Channel::new(state.clone(), transport);
    if !state.opened(channel.descriptor()) {
        return Err(raise(state.ending()));
    }
    let mut ring = None;
    let mut inside = None;
    if role == Role::Call && matches!(state.dial, Dial::Process(_)) {
        inside = Some(Offer { path: Process::offer(), capacity: DEFAULT_CAPACITY, generation: 0 });
    } else if state.shared_memory && role != Role::Control && state.dial.is_unix() && !channel.is_first() {
        // If there is no memory for the ring, the channel uses its socket.
        ring = RingTransport::make(DEFAULT_CAPACITY, generation(), state.waiting).ok();
    }
    let mut hello = channel.begin_opening();
    let session = session(state, role, continued);
    write_hello(py, state, role, &session, inside.as_ref().or(ring.as_ref().map(|(_, offer)| offer)), &mut hello.bytes);
    let taken = channel.seal(hello).map_err(raise).and_then(|()| {
        channel.send(py).map_err(|stop| opening(Missing::Stop(stop), PATIENCE))?;
        let patience = if role == Role::Control { state.patience } else { PATIENCE };
        channel.receive(py, Some(Instant::now() + patience)).map_err(|missing| opening(missing, patience))
    });
    taken?;
    let (number, mapped) = welcomed(state, role, &channel.message())?;
    channel.number.set(number);
    match (inside, ring) {
        (Some(inside), _) if mapped => {
            channel.embed(&inside.path, state.whole.get().map(|session| session.clone_ref(py))).map_err(raise)?
        }
        (_, Some((ring, _))) if mapped => channel.share(ring),
        _ if channel.is_first() => {}
        _ => {
            state.refused.store(role != Role::Control, Ordering::Relaxed);
            if role == Role::Call {
                channel.watch();
            }
        }
    }
    Ok(channel)
}

/// The session's secret, followed by the number of the channel that is moved, if any.
fn session(state: &State, role: Role, continued: Option<u32>) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(CONTINUED_BYTES);
    if let (Some((secret, _)), true) = (state.welcomed.get(), role != Role::Control) {
        bytes.extend(secret);
        bytes.extend(continued.map(u32::to_le_bytes).iter().flatten());
    }
    bytes
}

fn write_hello(py: Python<'_>, state: &State, role: Role, session: &[u8], ring: Option<&Offer>, out: &mut Vec<u8>) {
    let version = py.version_info();
    let records = state.records.iter();
    Hello {
        role,
        token: &state.token,
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
fn welcomed(state: &State, role: Role, message: &[u8]) -> PyResult<(u32, bool)> {
    let mut budget = Budget::new(&state.limits, state.blob_bytes);
    let wrong =
        |error: Error| raise(Error::new(error.code, format!("the reply to hello: {}: is it a gateway?", error.text)));
    match Message::read(message, &mut budget).map_err(wrong)? {
        Message::Welcome(welcome) => {
            if role == Role::Control {
                let mut secret = [0; SESSION_BYTES];
                secret.copy_from_slice(welcome.session);
                // The first and only control channel of the session.
                let _ = state.welcomed.set((secret, welcome.process));
                state.frame_bytes.store(welcome.frame_bytes, Ordering::Relaxed);
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

/// A random number that the ring's memory repeats, so that the gateway does not map another file by mistake.
fn generation() -> u64 {
    let mut bytes = [0; 8];
    // SAFETY: pointer and length are an array's. So few bytes come at once; if the call fails, the number is
    // predictable, which is harmless.
    unsafe { libc::getrandom(bytes.as_mut_ptr().cast(), bytes.len(), 0) };
    u64::from_le_bytes(bytes)
}
