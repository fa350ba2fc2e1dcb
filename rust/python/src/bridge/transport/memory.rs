//! Shared memory, with a unix socket as its bell.
//!
//! A thread that waits spins first, if its policy says so: at first with the GIL, since a reply that comes within a microsecond
//! or two is there before the GIL could be let go and taken again; then without it; and then it blocks.
//!
//! Where other threads wait too, none spins without the GIL: it would keep from running what they wait for. The one that has the
//! GIL keeps it while the gateway's thread wakes, and makes its next calls with both sides awake, until Python has it hand the GIL
//! over. Were it let go of at each call, each would wake a thread of either side: 16 threads on two cores make five times as many
//! calls.

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
