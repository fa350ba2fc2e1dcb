//! The control channel: releases, pings, interrupts, the end. A thread of the session reads and writes it.

use super::channels::{broken, Channels};
use super::releases;
use crate::bridge::channel::state::State;
use crate::bridge::channel::{Channel, Missing};
use crate::bridge::transport::{Stop, Transport};
use pyo3::prelude::*;
use pyo3::types::PyWeakrefReference;
use samewire_bridge::{flat, message, Budget, Message};
use samewire_core::{Code, Error};
use std::io::Read;
use std::net::TcpStream;
use std::os::fd::{AsRawFd, BorrowedFd, RawFd};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How often queued releases are sent.
const TICK: Duration = Duration::from_secs(1);
/// Over a network, a peer sends a ping after so long without a message, and ends the session after as long again, since
/// a peer may disappear without closing its socket. On one machine, also over loopback, the socket's end is reliable,
/// and a peer that is only stopped, by Ctrl-Z or a debugger, keeps its session.
const SILENCE: Duration = Duration::from_secs(15);

/// Opens one more callback channel for a session, and serves it.
pub type More = fn(Arc<Channels>, Arc<Py<PyWeakrefReference>>);

/// Starts the thread of a control channel.
pub fn start(
    channel: Channel,
    channels: Arc<Channels>,
    session: Py<PyWeakrefReference>,
    more: More,
) -> PyResult<std::thread::JoinHandle<()>> {
    let (bell, woken) = UnixStream::pair()?;
    for end in [&bell, &woken] {
        end.set_nonblocking(true)?;
    }
    let state = channel.state.clone();
    state.control.ring_by(bell);
    // The end of the session ends the other channels at once, and this one after its last messages are sent.
    state.closing(channel.descriptor());
    let session = Arc::new(session);
    let local = state.dial.is_unix() || is_loopback(channel.descriptor());
    let heard = Instant::now();
    let control = Control { state, channels, channel, session, more, woken, local, heard, asked: None };
    Ok(std::thread::Builder::new().name("samewire control".to_owned()).spawn(move || control.run())?)
}

struct Control {
    state: Arc<State>,
    channels: Arc<Channels>,
    channel: Channel,
    session: Arc<Py<PyWeakrefReference>>,
    more: More,
    woken: UnixStream,
    /// The gateway is on this machine.
    local: bool,
    /// When the last message arrived, and when a ping was sent since.
    heard: Instant,
    asked: Option<Instant>,
}

/// Whether a socket's peer is at an address of this machine's own network.
fn is_loopback(descriptor: RawFd) -> bool {
    // SAFETY: the channel keeps its descriptor open.
    let socket = unsafe { BorrowedFd::borrow_raw(descriptor) }.try_clone_to_owned().map(TcpStream::from);
    socket.and_then(|socket| socket.peer_addr()).is_ok_and(|peer| peer.ip().to_canonical().is_loopback())
}

impl Control {
    fn run(mut self) {
        let mut ticked = Instant::now();
        loop {
            let readable = self.wait();
            // The last messages of a session that has ended are sent, too.
            let over = self.state.is_over();
            if ticked.elapsed() >= TICK {
                ticked = Instant::now();
                self.tick(readable);
            }
            let queued = self.state.control.take();
            if !(readable || over || !queued.is_empty()) {
                continue;
            }
            let written = match &*self.channel.transport() {
                Transport::Socket(socket) => Some(socket.write_plainly(&queued, || over)),
                Transport::Pipes(pipes) => Some(pipes.write_plainly(&queued, || over)),
                _ => None,
            };
            let goes_on = if let Some(sent) = written {
                self.wrote(sent);
                if readable && !over {
                    self.read();
                }
                true
            } else {
                // None: the interpreter is ending, and has no use for this thread.
                Python::try_attach(|py| {
                    self.wrote(self.channel.send_raw(py, &queued));
                    if readable && !over {
                        self.read_with(py);
                    }
                })
                .is_some()
            };
            if over || !goes_on {
                break;
            }
        }
        self.finish();
    }

    /// Closes all channels of the session at once: their threads may never call again.
    fn finish(self) {
        self.channel.break_off();
        self.state.control.silence();
        let channels = self.channels.clone();
        drop(self);
        channels.state.dial.close();
        // None: the interpreter is ending, and the process with it.
        Python::try_attach(|py| channels.close(py));
    }

    /// Waits until there is something to read or to send. Returns whether to read.
    fn wait(&mut self) -> bool {
        let poll = |descriptor| libc::pollfd { fd: descriptor, events: libc::POLLIN, revents: 0 };
        let mut polled = [poll(self.channel.transport().source()), poll(self.woken.as_raw_fd())];
        // SAFETY: two structures, alive during the call.
        unsafe { libc::poll(polled.as_mut_ptr(), 2, TICK.as_millis() as i32) };
        if polled[1].revents != 0 {
            let mut bells = [0; 64];
            while matches!(self.woken.read(&mut bells), Ok(1..)) {}
        }
        polled[0].revents != 0
    }

    fn tick(&mut self, readable: bool) {
        while self.state.has_releases() {
            let mut out = Vec::new();
            self.state.write_releases(&mut out);
            self.state.control.append(&out);
        }
        // Messages that have arrived are read before the silence is judged.
        if readable || self.local {
            return;
        }
        match self.asked {
            Some(asked) if asked.elapsed() >= SILENCE => self.gone("it has given no sign of life for 30 s"),
            None if self.heard.elapsed() >= SILENCE => {
                self.asked = Some(Instant::now());
                self.state.control.send(|out| {
                    out.push(message::PING);
                    flat::put_u64(out, 0);
                });
            }
            _ => {}
        }
    }

    fn wrote(&self, sent: Result<(), Stop>) {
        if let Err(Stop::End(text)) = sent {
            self.gone(&text);
        }
    }

    /// Reads the messages that have arrived. Nothing here waits for the GIL, so the gateway sees that this process is
    /// alive even while Python code holds the GIL.
    fn read(&mut self) {
        while !self.state.is_over() {
            let received = self.channel.receive_now();
            match received {
                Ok(true) => self.took(),
                Ok(false) => return,
                Err(missing) => return self.missed(missing),
            }
        }
    }

    /// Reads the messages that have arrived through a Python stream object.
    fn read_with(&mut self, py: Python<'_>) {
        loop {
            match self.channel.receive(py, Some(Instant::now())) {
                Ok(()) => self.took(),
                Err(Missing::Stop(Stop::Timeout | Stop::Signal(_))) => return,
                Err(missing) => return self.missed(missing),
            }
            let pending = match &*self.channel.transport() {
                Transport::Stream(stream) => stream.has_pending(py),
                _ => false,
            };
            if self.state.is_over() || !(pending || self.channel.has_message()) {
                return;
            }
        }
    }

    fn missed(&self, missing: Missing) {
        match missing {
            Missing::Stop(_) => self.gone("it has ended, or was ended"),
            Missing::Wrong(error) => self.channels.leave(error.code, &error.to_string(), broken(&error)),
        }
    }

    /// Handles a message.
    fn took(&mut self) {
        (self.heard, self.asked) = (Instant::now(), None);
        if let Err(error) = self.handle() {
            self.missed(Missing::Wrong(error));
        }
    }

    fn handle(&mut self) -> Result<(), Error> {
        let mut budget = Budget::new(&self.state.limits, self.state.blob_bytes);
        match Message::read(&self.channel.message(), &mut budget)? {
            Message::Release(pairs) => releases::give_back(&self.channels, &self.session, pairs),
            Message::Ping(number) => self.state.control.send(|out| {
                out.push(message::PONG);
                flat::put_u64(out, number);
            }),
            // A Python thread cannot be interrupted from outside.
            Message::Pong(_) | Message::Interrupt(_) => {}
            Message::More => (self.more)(self.channels.clone(), self.session.clone()),
            Message::Bye(code, text) => {
                let text = format!("the gateway has ended the session: {}: {text}", code.as_str());
                self.channels.end(Error::new(Code::Closed, text));
            }
            _ => return Err(Error::new(Code::Malformed, "expected a message of a control channel").at(0)),
        }
        Ok(())
    }

    fn gone(&self, why: &str) {
        self.channels.end(Error::new(Code::Closed, format!("the gateway is gone: {why}: connect again")));
    }
}
