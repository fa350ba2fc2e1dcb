//! A channel: frames over a transport, both ways, and what one thread needs for its calls.

use super::ring::RingTransport;
use super::shared::Shared;
use super::transport::{Memory, Process, Stop, Transport, WAITING};
use pyo3::prelude::*;
use samewire_bridge::frame;
use samewire_core::Error;
use std::sync::atomic::Ordering;
use std::sync::Arc;
use std::time::Instant;

/// Bytes of a receive buffer at first, and those above which it is given back after a long message.
pub(super) const ROOM: usize = 16 * 1024;
const KEPT: usize = 1 << 20;

pub struct Channel {
    pub shared: Arc<Shared>,
    pub number: u32,
    /// What is to be sent. Empty between two messages, but for its memory.
    pub out: Vec<u8>,
    /// In use: a call that other code makes meanwhile (a conversion, a signal's handler, a finaliser) takes another channel. Not so
    /// while the thread runs a call of the gateway's: what that calls belongs on this channel.
    pub busy: bool,
    /// Calls that wait for their replies, of both peers.
    pub depth: u32,
    /// Objects of the gateway's that the last reply has carried home: kept until another message comes, since a release may
    /// overtake the reply on another channel.
    pub carried: Vec<Py<PyAny>>,
    /// An interrupt of its call was sent. It may come when that has returned: the next call is made on another channel.
    pub retired: bool,
    /// What a signal's handler raised while a reply was waited for, or while the channel was opened for a call of the gateway's.
    pub raised: Option<PyErr>,
    pub(super) transport: Transport,
    broken: bool,
    /// How long the message that came last could be waited for; its blobs no longer.
    pub(super) until: Option<Instant>,
    pub(super) input: Vec<u8>,
    /// The bytes of `input` that were received and not taken.
    pub(super) start: usize,
    pub(super) end: usize,
    /// The message that was taken last.
    taken: (usize, usize),
}

/// What is left of a channel that was closed. Dropping it may run Python code: no lock may be held.
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
    pub fn new(shared: Arc<Shared>, transport: Transport) -> Self {
        Channel {
            shared,
            number: 0,
            out: Vec::with_capacity(512),
            busy: false,
            depth: 0,
            carried: Vec::new(),
            retired: false,
            raised: None,
            transport,
            broken: false,
            until: None,
            input: vec![0; ROOM],
            start: 0,
            end: 0,
            taken: (0, 0),
        }
    }

    pub fn transport(&self) -> &Transport {
        &self.transport
    }

    /// Sends and receives through shared memory from now on: the gateway has mapped it, and nothing was sent since.
    pub fn share(&mut self, ring: RingTransport) {
        if let Transport::Socket(socket) = &self.transport {
            self.transport = Transport::Memory(Memory::new(ring, socket.clone()));
        }
    }

    /// Looks for replies on the socket before it sleeps: nothing else carries them.
    pub fn watch(&mut self) {
        if let Transport::Socket(socket) = &mut self.transport {
            socket.watch(self.shared.waiting);
        }
    }

    /// Whether it came over pipes: another connection can carry it as soon as the gateway listens.
    #[inline]
    pub fn is_first(&self) -> bool {
        matches!(self.transport, Transport::Pipes(_))
    }

    /// Sends and receives over another channel's connection from now on. Nothing is on its way over its own but `last`, which has the
    /// gateway do the same.
    pub fn go_on(&mut self, py: Python<'_>, mut other: Channel, last: &[u8]) -> Result<(), Stop> {
        self.send_raw(py, last)?;
        std::mem::swap(&mut self.transport, &mut other.transport);
        Ok(())
    }

    /// Has the JVM of this process carry the messages from now on, which has taken the offer.
    pub fn embed(&mut self, offer: &str) -> Result<(), Error> {
        if let Transport::Socket(socket) = &self.transport {
            let process = Process::attach(offer, socket.clone(), self.shared.clone(), self.number)?;
            self.transport = Transport::Process(process);
        }
        Ok(())
    }

    /// The transport within this process, if that is the channel's.
    pub fn process(&mut self) -> Option<&mut Process> {
        match &mut self.transport {
            Transport::Process(process) => Some(process),
            _ => None,
        }
    }

    /// Takes frames that came by other means.
    pub fn feed(&mut self, frames: &[u8]) {
        (self.start, self.end) = (0, frames.len());
        if self.input.len() < frames.len() {
            self.input.resize(frames.len(), 0);
        }
        self.input[..frames.len()].copy_from_slice(frames);
    }

    /// Copies what `send_blob` has only noted: the bytes are about to end.
    pub fn keep_blobs(&mut self) {
        if let Transport::Process(process) = &mut self.transport {
            process.keep();
        }
    }

    /// Whether nothing can come after what has come.
    pub fn is_broken(&self) -> bool {
        self.broken
    }

    /// Ends the channel: the gateway sees it end, and what is on its way belongs to nobody.
    pub fn break_off(&mut self) {
        self.broken = true;
        let descriptor = self.transport.descriptor();
        if self.is_first() {
            // The gateway sees pipes end as they are closed.
            self.shared.closing(descriptor);
            self.transport = Transport::Closed;
            return;
        }
        if descriptor >= 0 && !self.shared.forked() {
            // SAFETY: the transport keeps the descriptor open.
            unsafe { libc::shutdown(descriptor, libc::SHUT_RDWR) };
        }
    }

    /// Has the channel take no more calls than those that it has, if it has any.
    pub fn retire(&mut self, _: Python<'_>) -> bool {
        let used = self.busy || self.depth > 0;
        self.retired |= used;
        used
    }

    /// Closes the channel if no call uses it: its socket is closed and its memory unmapped as what is returned is dropped. It is
    /// not used again, wherever a pointer to it still stands.
    pub fn close_unused(&mut self, _: Python<'_>) -> Option<Remains> {
        if self.busy || self.depth > 0 || matches!(self.transport, Transport::Closed) {
            return None;
        }
        self.broken = true;
        self.shared.closing(self.transport.descriptor());
        (self.input, self.out) = (Vec::new(), Vec::new());
        Some(Remains {
            _transport: std::mem::replace(&mut self.transport, Transport::Closed),
            _carried: std::mem::take(&mut self.carried),
            _raised: self.raised.take(),
        })
    }

    /// Begins the first message.
    pub fn begin_opening(&mut self) -> usize {
        self.out.clear();
        frame::begin(&mut self.out)
    }

    /// Begins a message, after the releases that wait.
    #[inline]
    pub fn begin(&mut self) -> usize {
        self.out.clear();
        if self.shared.has_releases() {
            self.shared.write_releases(&mut self.out);
        }
        frame::begin(&mut self.out)
    }

    /// Ends the message that was begun there. `limit_size` if it is longer than either peer allows: it is then forgotten, and
    /// releases before it are sent with the next.
    #[inline]
    pub fn seal(&mut self, start: usize) -> Result<(), Error> {
        let most = self.shared.limits.frame_bytes.min(self.shared.frame_bytes.load(Ordering::Relaxed) as usize);
        frame::end(&mut self.out, start, most)
    }

    /// Forgets the message that was begun there. The releases before it go with the next message of the control channel.
    #[cold]
    pub fn unsent(&mut self, start: usize) {
        if start > 0 {
            self.shared.control.append(&self.out[..start]);
        }
        self.out.clear();
    }

    /// Sends what was written.
    #[inline]
    pub fn send(&mut self, py: Python<'_>) -> Result<(), Stop> {
        let sent = self.transport.write(py, &self.out);
        if self.out.capacity() > KEPT {
            self.out = Vec::with_capacity(512);
        } else {
            self.out.clear();
        }
        sent
    }

    /// Sends frames that lie elsewhere.
    pub fn send_raw(&mut self, py: Python<'_>, frames: &[u8]) -> Result<(), Stop> {
        self.transport.write(py, frames)
    }

    /// Waits for the next message. It is [`taken`](Channel::taken) until the next is waited for.
    #[inline]
    pub fn receive(&mut self, py: Python<'_>, until: Option<Instant>) -> Result<(), Missing> {
        self.until = until;
        while let Some(wanted) = self.next_message()? {
            self.make_room(wanted);
            let replies = u32::from(self.depth > 0);
            WAITING.fetch_add(replies, Ordering::Relaxed);
            let received = self.transport.read(py, &mut self.input[self.end..], until);
            WAITING.fetch_sub(replies, Ordering::Relaxed);
            self.end += received.map_err(Missing::Stop)?;
        }
        if !self.carried.is_empty() {
            self.carried.clear();
        }
        Ok(())
    }

    /// Takes the next message if it can be had without waiting, and without the GIL; false if not. Only of a socket and of pipes.
    pub fn receive_now(&mut self) -> Result<bool, Missing> {
        while let Some(wanted) = self.next_message()? {
            self.make_room(wanted);
            let room = &mut self.input[self.end..];
            let received = match &self.transport {
                Transport::Socket(socket) => socket.read_now(room),
                Transport::Pipes(pipes) => pipes.read_now(room),
                _ => return Ok(false),
            };
            match received.map_err(Missing::Stop)? {
                0 => return Ok(false),
                received => self.end += received,
            }
        }
        Ok(true)
    }

    /// Takes the next message of what has come; the bytes that are wanted if it has not all come.
    #[inline]
    fn next_message(&mut self) -> Result<Option<usize>, Missing> {
        let ready = &self.input[self.start..self.end];
        match frame::length(ready, self.shared.limits.frame_bytes) {
            Err(error) => Err(Missing::Wrong(error)),
            Ok(Some(length)) if ready.len() - frame::HEAD >= length => {
                let from = self.start + frame::HEAD;
                self.taken = (from, from + length);
                self.start = from + length;
                Ok(None)
            }
            Ok(Some(length)) => Ok(Some(frame::HEAD + length)),
            Ok(None) => Ok(Some(frame::HEAD)),
        }
    }

    /// The message that came last.
    #[inline]
    pub fn taken(&self) -> &[u8] {
        &self.input[self.taken.0..self.taken.1]
    }

    /// Whether a message can be taken without waiting.
    pub fn has_message(&self) -> bool {
        let ready = &self.input[self.start..self.end];
        match frame::length(ready, self.shared.limits.frame_bytes) {
            Ok(Some(length)) => ready.len() - frame::HEAD >= length,
            Ok(None) => false,
            Err(_) => true,
        }
    }

    /// Makes room behind the bytes that are there. The buffer grows with what has come, never with what a length declares.
    pub(super) fn make_room(&mut self, wanted: usize) {
        if self.start == self.end {
            (self.start, self.end) = (0, 0);
            if self.input.len() > KEPT && wanted <= KEPT {
                self.input = vec![0; ROOM];
            }
        } else if self.start > 0 && (self.start + wanted > self.input.len() || self.end == self.input.len()) {
            self.input.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.start = 0;
        }
        if self.end == self.input.len() {
            self.input.resize(2 * self.input.len(), 0);
        }
    }
}

impl Drop for Channel {
    fn drop(&mut self) {
        self.shared.closing(self.transport.descriptor());
    }
}
