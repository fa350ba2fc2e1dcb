//! Shared memory, with a unix socket as its bell.
//!
//! A thread that waits spins first, if its policy says so: at first with the GIL, since a reply that comes within a microsecond
//! or two is there before the GIL could be let go and taken again; without it if other threads of the process wait for
//! gateways too, or more is to be spun; and then it blocks.

use super::socket::waited;
use super::{Socket, Stop};
use crate::bridge::ring::{RingTransport, Side};
use pyo3::prelude::*;
use samewire_core::{Code, Error};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;

/// Nanoseconds that a thread spins with the GIL.
const HELD: u32 = 5_000;

/// Threads that wait for replies from shared memory.
static WAITING: AtomicU32 = AtomicU32::new(0);

pub struct Memory {
    ring: RingTransport,
    bell: Socket,
}

impl Memory {
    /// A ring that the gateway has mapped.
    pub fn new(mut ring: RingTransport, bell: Socket) -> Self {
        ring.attach(bell.descriptor());
        Memory { ring, bell }
    }

    pub fn bell(&self) -> &Socket {
        &self.bell
    }

    #[inline]
    pub fn read(&mut self, py: Python<'_>, into: &mut [u8], until: Option<Instant>) -> Result<usize, Stop> {
        match self.ring.try_read(into).map_err(|error| stop(&error))? {
            0 => {}
            count => return Ok(count),
        }
        WAITING.fetch_add(1, Ordering::Relaxed);
        let waited = self.wait(py, Side::Read, until);
        WAITING.fetch_sub(1, Ordering::Relaxed);
        waited?;
        self.ring.try_read(into).map_err(|error| stop(&error))
    }

    #[inline]
    pub fn write(&mut self, py: Python<'_>, bytes: &[u8]) -> Result<(), Stop> {
        let mut rest = bytes;
        loop {
            let count = self.ring.try_write(rest).map_err(|error| stop(&error))?;
            rest = &rest[count..];
            if rest.is_empty() {
                return Ok(());
            }
            self.wait(py, Side::Write, None)?;
        }
    }

    /// Waits until there are bytes, or room, or an end.
    #[inline]
    fn wait(&mut self, py: Python<'_>, side: Side, until: Option<Instant>) -> Result<(), Stop> {
        let patience = self.ring.patience();
        if patience > 0 {
            let alone = WAITING.load(Ordering::Relaxed) <= 1;
            let held = if alone { patience.min(HELD) } else { 0 };
            let ring = &mut self.ring;
            let rewarded =
                held > 0 && ring.spin(side, held) || patience > held && detached(py, ring, side, patience - held);
            ring.spun(rewarded);
            if rewarded {
                return Ok(());
            }
        }
        loop {
            match py.detach(|| self.ring.block(side)) {
                Ok(true) => return Ok(()),
                Ok(false) => {}
                Err(error) => waited(py, &error, until)?,
            }
        }
    }
}

fn detached(py: Python<'_>, ring: &mut RingTransport, side: Side, nanos: u32) -> bool {
    py.detach(move || {
        // The ring itself is handed over: it is one thread's at a time.
        let ring: &mut RingTransport = ring;
        ring.spin(side, nanos)
    })
}

#[cold]
fn stop(error: &Error) -> Stop {
    match error.code {
        Code::Closed => Stop::End("the gateway ended the channel".to_owned()),
        _ => Stop::End(error.to_string()),
    }
}
