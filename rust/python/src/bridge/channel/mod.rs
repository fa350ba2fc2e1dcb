//! A channel: frames over a transport, both ways, and the state of one thread's calls.

mod blob;
pub mod control_writer;
mod postponed;
pub mod returned;
pub mod state;

use super::transport::{Memory, Process, Stop, Transport, WAITING};
use crate::bridge::transport::jvm::interrupt::call_number;
use crate::bridge::transport::ring::RingTransport;
use postponed::Postponed;
use pyo3::prelude::*;
use pyo3::types::PyWeakrefReference;
use samewire_bridge::{frame, Input};
use samewire_core::Error;
use state::State;
use std::cell::{Cell, Ref, RefCell};
use std::ops::Deref;
use std::os::fd::RawFd;
use std::sync::atomic::Ordering;
use std::sync::Arc;
use std::time::Instant;

/// A message buffer that is longer than this is freed after use.
const KEPT: usize = 1 << 20;

/// The channel on which one thread makes its calls and serves the peer's.
///
/// It is re-entrant: during a call Python code may run, which finds the same channel. Nothing of it is borrowed while
/// that may happen. The output and input buffers are taken out of their cells and put back, so a nested use finds empty
/// ones; the transport is accessed through a `RefCell`, which refuses a second user.
pub struct Channel {
    pub state: Arc<State>,
    pub number: Cell<u32>,
    /// In use: calls by other code meanwhile (a conversion, a signal handler, a finalizer) take another channel. Not
    /// set while the thread serves a call of the gateway's, since nested calls belong on this channel.
    pub busy: Cell<bool>,
    /// Calls that wait for their replies, of both peers.
    pub depth: Cell<u32>,
    /// The gateway's objects in the last reply to it: kept until the next message arrives, since a release on another
    /// channel may overtake the reply.
    pub carried: Cell<Vec<Py<PyAny>>>,
    /// An interrupt of its call was sent. It may arrive after the call has returned, so the next call takes another
    /// channel.
    pub retired: Cell<bool>,
    /// The exception of a signal handler that ran while this channel waited for a reply, or was opened for a call of
    /// the gateway's.
    pub raised: Cell<Option<PyErr>>,
    /// Calls that are sent with the next one.
    pub postponed: Postponed,
    pub(super) transport: RefCell<Transport>,
    broken: Cell<bool>,
    /// The deadline of the last message, which also holds for its blobs.
    pub(super) until: Cell<Option<Instant>>,
    /// The output buffer. Empty between two messages, and while a message is being written.
    out: Cell<Vec<u8>>,
    input: Cell<Input>,
}

// SAFETY: the cells are used by whoever holds the GIL, one thread at a time, or by the only owner: `Control` has its channel for
// itself. A thread that lets go of the GIL in the midst of a use (it waits for a message) has marked the channel as busy before,
// and others look at no more than `busy`, `depth` and `retired` then.
unsafe impl Sync for Channel {}

/// A message that is being written, and the memory of its channel for it.
pub struct Outgoing {
    pub bytes: Vec<u8>,
    /// Where it begins: releases come before it.
    start: usize,
}

/// The last message, taken out of its channel: dropping this puts it back.
pub struct Incoming<'a> {
    channel: &'a Channel,
    input: Input,
}

impl Deref for Incoming<'_> {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        self.input.taken()
    }
}

impl Drop for Incoming<'_> {
    #[inline]
    fn drop(&mut self) {
        self.channel.input.set(std::mem::take(&mut self.input));
    }
}

/// The remains of a closed channel. Dropping them may run Python code: no lock may be held.
pub struct Remains {
    _transport: Transport,
    _carried: Vec<Py<PyAny>>,
    _raised: Option<PyErr>,
}

/// Why a message did not come.
pub enum Missing {
    Stop(Stop),
    /// The peer broke the protocol.
    Wrong(Error),
}

impl Channel {
    pub fn new(state: Arc<State>, transport: Transport) -> Self {
        Channel {
            state,
            number: Cell::new(0),
            busy: Cell::new(false),
            depth: Cell::new(0),
            carried: Cell::new(Vec::new()),
            retired: Cell::new(false),
            raised: Cell::new(None),
            postponed: Postponed::default(),
            transport: RefCell::new(transport),
            broken: Cell::new(false),
            until: Cell::new(None),
            out: Cell::new(Vec::with_capacity(512)),
            input: Cell::new(Input::new()),
        }
    }

    pub fn transport(&self) -> Ref<'_, Transport> {
        self.transport.borrow()
    }

    /// The descriptor whose shutdown ends the channel; -1 if it is closed.
    pub fn descriptor(&self) -> RawFd {
        self.transport.borrow().descriptor()
    }

    /// Switches to shared memory: the gateway has mapped it, and nothing was sent since.
    pub fn share(&self, ring: RingTransport) {
        let mut transport = self.transport.borrow_mut();
        if let Transport::Socket(socket) = &*transport {
            let socket = socket.clone();
            *transport = Transport::Memory(Memory::new(ring, socket));
        }
    }

    /// Makes reads spin on the socket before they sleep. For channels without shared memory.
    pub fn watch(&self) {
        if let Transport::Socket(socket) = &mut *self.transport.borrow_mut() {
            socket.watch(self.state.waiting);
        }
    }

    /// Whether it came over pipes: another connection can carry it as soon as the gateway listens.
    #[inline]
    pub fn is_first(&self) -> bool {
        matches!(*self.transport.borrow(), Transport::Pipes(_))
    }

    /// Switches to another channel's connection. The only message on its own connection is `last`, which makes the
    /// gateway switch, too.
    pub fn go_on(&self, py: Python<'_>, other: Channel, last: &[u8]) -> Result<(), Stop> {
        self.send_raw(py, last)?;
        self.transport.swap(&other.transport);
        Ok(())
    }

    /// Switches to the JVM of this process, which has accepted the offer.
    pub fn embed(&self, offer: &str, session: Option<Py<PyWeakrefReference>>) -> Result<(), Error> {
        let call = call_number(self.state.id, self.number.get());
        let mut transport = self.transport.borrow_mut();
        if let Transport::Socket(socket) = &*transport {
            let process = Process::attach(offer, socket.clone(), session, call)?;
            *transport = Transport::Process(process);
        }
        Ok(())
    }

    /// Calls `act` with the transport, if it is within this process. `act` runs no Python code.
    #[inline]
    pub fn with_process<R>(&self, act: impl FnOnce(&mut Process) -> R) -> Option<R> {
        match &mut *self.transport.borrow_mut() {
            Transport::Process(process) => Some(act(process)),
            _ => None,
        }
    }

    /// Appends frames that were received by other means.
    pub fn feed(&self, frames: &[u8]) {
        let mut input = self.input.take();
        input.feed(frames);
        self.input.set(input);
    }

    /// Copies the bytes that `send_blob` has only lent: their owner is about to free them.
    pub fn keep_blobs(&self) {
        self.with_process(Process::keep);
    }

    /// Whether a call may be made on it now.
    #[inline]
    pub fn is_free(&self) -> bool {
        !self.busy.get() && !self.broken.get()
    }

    /// Whether any call is being made or served on it.
    pub fn is_used(&self) -> bool {
        self.busy.get() || self.depth.get() > 0
    }

    /// Whether no further bytes can arrive.
    pub fn is_broken(&self) -> bool {
        self.broken.get()
    }

    /// Ends the channel: the gateway sees it end, and what is on its way is discarded.
    pub fn break_off(&self) {
        self.broken.set(true);
        let descriptor = self.descriptor();
        if self.is_first() {
            // The gateway sees pipes end as they are closed.
            self.state.closing(descriptor);
            self.transport.replace(Transport::Closed);
            return;
        }
        if descriptor >= 0 && !self.state.forked() {
            // SAFETY: the transport keeps the descriptor open.
            unsafe { libc::shutdown(descriptor, libc::SHUT_RDWR) };
        }
    }

    /// Retires the channel if it has calls: it takes no further ones.
    pub fn retire(&self, _: Python<'_>) -> bool {
        let used = self.is_used();
        if used {
            self.retired.set(true);
        }
        used
    }

    /// Closes the channel if no call uses it: dropping the result closes its socket and unmaps its memory. Remaining
    /// pointers to the channel do not use it again.
    pub fn close_unused(&self, _: Python<'_>) -> Option<Remains> {
        if self.is_used() || matches!(*self.transport.borrow(), Transport::Closed) {
            return None;
        }
        self.broken.set(true);
        self.state.closing(self.descriptor());
        drop((self.input.take(), self.out.take()));
        Some(Remains {
            _transport: self.transport.replace(Transport::Closed),
            _carried: self.carried.take(),
            _raised: self.raised.take(),
        })
    }

    /// Begins the first message.
    pub fn begin_opening(&self) -> Outgoing {
        let mut bytes = self.out.take();
        bytes.clear();
        let start = frame::begin(&mut bytes);
        Outgoing { bytes, start }
    }

    /// Begins a message, after the releases that wait.
    #[inline]
    pub fn begin(&self) -> Outgoing {
        let mut bytes = self.out.take();
        bytes.clear();
        if self.state.has_releases() {
            self.state.write_releases(&mut bytes);
        }
        let start = frame::begin(&mut bytes);
        Outgoing { bytes, start }
    }

    /// Ends a message, for [`send`](Channel::send). `limit_size` if it is longer than either peer allows: it is then
    /// dropped, and the releases before it go with the next message of the control channel.
    #[inline]
    pub fn seal(&self, mut message: Outgoing) -> Result<(), Error> {
        match frame::end(&mut message.bytes, message.start, self.state.longest_message()) {
            Ok(()) => {
                self.out.set(message.bytes);
                Ok(())
            }
            Err(error) => {
                self.unsent(message);
                Err(error)
            }
        }
    }

    /// Drops a message. The releases before it go with the next message of the control channel.
    #[cold]
    pub fn unsent(&self, mut message: Outgoing) {
        if message.start > 0 {
            self.state.control.append(&message.bytes[..message.start]);
        }
        message.bytes.clear();
        self.out.set(message.bytes);
    }

    /// Sends the ended message.
    #[inline]
    pub fn send(&self, py: Python<'_>) -> Result<(), Stop> {
        let mut out = self.out.take();
        let sent = self.transport.borrow_mut().write(py, &out);
        if out.capacity() > KEPT {
            out = Vec::with_capacity(512);
        } else {
            out.clear();
        }
        self.out.set(out);
        sent
    }

    /// Sends frames from another buffer.
    pub fn send_raw(&self, py: Python<'_>, frames: &[u8]) -> Result<(), Stop> {
        self.transport.borrow_mut().write(py, frames)
    }

    /// Waits for the next message. It stays the [`message`](Channel::message) until the next wait.
    #[inline]
    pub fn receive(&self, py: Python<'_>, until: Option<Instant>) -> Result<(), Missing> {
        self.until.set(until);
        let mut input = self.input.take();
        let received = self.receive_into(py, &mut input, until);
        self.input.set(input);
        received?;
        let carried = self.carried.take();
        drop(carried);
        Ok(())
    }

    #[inline]
    fn receive_into(&self, py: Python<'_>, input: &mut Input, until: Option<Instant>) -> Result<(), Missing> {
        let most = self.state.limits.frame_bytes;
        while let Some(wanted) = input.next_message(most).map_err(Missing::Wrong)? {
            let replies = u32::from(self.depth.get() > 0);
            WAITING.fetch_add(replies, Ordering::Relaxed);
            let received = self.transport.borrow_mut().read(py, input.room(wanted), until);
            WAITING.fetch_sub(replies, Ordering::Relaxed);
            input.received(received.map_err(Missing::Stop)?);
        }
        Ok(())
    }

    /// Takes the next message if it can be had without waiting, and without the GIL; false if not. Only of a socket and of pipes.
    pub fn receive_now(&self) -> Result<bool, Missing> {
        let mut input = self.input.take();
        let received = self.receive_now_into(&mut input);
        self.input.set(input);
        received
    }

    fn receive_now_into(&self, input: &mut Input) -> Result<bool, Missing> {
        let most = self.state.limits.frame_bytes;
        while let Some(wanted) = input.next_message(most).map_err(Missing::Wrong)? {
            let room = input.room(wanted);
            let received = match &*self.transport.borrow() {
                Transport::Socket(socket) => socket.read_now(room),
                Transport::Pipes(pipes) => pipes.read_now(room),
                _ => return Ok(false),
            };
            match received.map_err(Missing::Stop)? {
                0 => return Ok(false),
                received => input.received(received),
            }
        }
        Ok(true)
    }

    /// The last message. Nothing is received before it is put back.
    #[inline]
    pub fn message(&self) -> Incoming<'_> {
        Incoming { channel: self, input: self.input.take() }
    }

    /// The first byte of the last message: its opcode.
    #[inline]
    pub fn came(&self) -> u8 {
        self.message()[0]
    }

    /// Whether a message can be taken without waiting.
    pub fn has_message(&self) -> bool {
        self.message().input.has_message(self.state.limits.frame_bytes)
    }

    /// Calls `act` with the input behind the message, to receive blobs.
    pub(super) fn with_input<R>(&self, act: impl FnOnce(&mut Input) -> R) -> R {
        let mut input = self.input.take();
        let done = act(&mut input);
        self.input.set(input);
        done
    }
}

impl Drop for Channel {
    fn drop(&mut self) {
        self.state.closing(self.transport.get_mut().descriptor());
    }
}
