//! The transports that carry a channel's bytes. The messages are the same on all of them.

pub mod dial;
pub mod jvm;
mod memory;
mod pipes;
pub mod process;
pub mod ring;
pub mod socket;
pub mod stop;
mod stream;

pub use jvm::link::Process;
pub use memory::Memory;
pub use pipes::Pipes;
pub use socket::Socket;
pub use stop::{Stop, WAITING};
pub use stream::Stream;

use pyo3::prelude::*;
use std::os::fd::RawFd;
use std::time::Instant;

pub enum Transport {
    Socket(Socket),
    Pipes(Pipes),
    Memory(Memory),
    Process(Process),
    Stream(Stream),
    /// The session has ended: the transport is closed and unmapped.
    Closed,
}

impl Transport {
    /// Receives at least one byte. Waits without the GIL.
    #[inline]
    pub fn read(&mut self, py: Python<'_>, into: &mut [u8], until: Option<Instant>) -> Result<usize, Stop> {
        match self {
            Transport::Process(process) => process.read(py, into),
            Transport::Memory(memory) => memory.read(py, into, until),
            Transport::Socket(socket) => socket.read(py, into, until),
            Transport::Pipes(pipes) => pipes.read(py, into, until),
            Transport::Stream(stream) => stream.read(py, into, until),
            Transport::Closed => Err(closed()),
        }
    }

    /// Sends all bytes.
    #[inline]
    pub fn write(&mut self, py: Python<'_>, bytes: &[u8]) -> Result<(), Stop> {
        match self {
            Transport::Process(process) => process.write(bytes),
            Transport::Memory(memory) => memory.write(py, bytes),
            Transport::Socket(socket) => socket.write(py, bytes),
            Transport::Pipes(pipes) => pipes.write(py, bytes),
            Transport::Stream(stream) => stream.write(py, bytes),
            Transport::Closed => Err(closed()),
        }
    }

    /// The descriptor whose shutdown ends the channel; -1 if it is closed.
    pub fn descriptor(&self) -> RawFd {
        match self {
            Transport::Socket(socket) => socket.descriptor(),
            Transport::Pipes(pipes) => pipes.descriptor(),
            Transport::Memory(memory) => memory.bell().descriptor(),
            Transport::Process(process) => process.descriptor(),
            Transport::Stream(stream) => stream.descriptor(),
            Transport::Closed => -1,
        }
    }

    /// The descriptor that is readable if bytes have arrived; -1 if it is closed.
    pub fn source(&self) -> RawFd {
        match self {
            Transport::Pipes(pipes) => pipes.source(),
            other => other.descriptor(),
        }
    }

    pub fn name(&self) -> &'static str {
        match self {
            Transport::Socket(socket) => socket.name(),
            Transport::Pipes(_) => "pipes",
            Transport::Memory(_) => "shared-memory",
            Transport::Process(_) => "in-process",
            Transport::Stream(_) => "tls",
            Transport::Closed => "closed",
        }
    }
}

#[cold]
fn closed() -> Stop {
    Stop::End("the channel was closed with its session".to_owned())
}
