//! Shared memory, with a unix socket as its bell.
//!
//! A thread that waits spins first, if its policy says so. At first it holds the GIL, since a reply within a
//! microsecond or two arrives before the GIL could be released and taken again. Then it spins without the GIL, and then
//! it blocks.
//!
//! If other threads wait, too, no thread spins without the GIL: it would take the core from the threads that they wait
//! for. The thread that holds the GIL keeps it while the gateway's thread wakes, and makes its next calls with both
//! sides awake, until Python's switch interval takes the GIL away. Releasing it at each call would wake a thread on
//! each side every time: this way 16 threads on two cores make five times as many calls.

use super::ring::{RingTransport, Side};
use super::socket::{waited, Deadline, Socket};
use super::stop::{Stop, WAITING};
use pyo3::prelude::*;
use samewire_bridge::ring::MOST_WAKE_NANOS;
use samewire_core::{Code, Error};
use std::sync::atomic::Ordering;
use std::time::Instant;

/// Nanoseconds that a thread spins with the GIL.
const HELD: u32 = 5_000;

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
        self.wait(py, Side::Read, until)?;
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
            let ring = &mut self.ring;
            let alone = WAITING.load(Ordering::Relaxed) <= 1;
            let held = patience.min(if ring.woke() && !alone { MOST_WAKE_NANOS } else { HELD });
            let longer = patience > held && (alone || patience > MOST_WAKE_NANOS);
            let rewarded = ring.spin(side, held) || longer && detached(py, ring, side, patience - held);
            ring.spun(rewarded);
            if rewarded {
                return Ok(());
            }
        }
        loop {
            let _near = Deadline::near(self.bell.descriptor(), until);
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
        // The ring is used by one thread at a time, so it may be used without the GIL.
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
