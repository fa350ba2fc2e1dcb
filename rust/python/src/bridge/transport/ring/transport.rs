//! A ring with its memory and its bell, as a byte stream.

use std::hint;
use std::io;
use std::os::fd::RawFd;
use std::time::{Duration, Instant};

use samewire_bridge::ring::{layout, Patience, Peer, Ring, Waiting};
use samewire_core::{Code, Error};

use super::bell;
use super::memory::Memory;
use super::spinner::{cores, Spinner};

/// The description of the client's memory in its hello.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    /// The path by which the gateway opens it.
    pub path: String,
    /// The capacity of each direction, in bytes.
    pub capacity: u32,
    /// A random number that the memory repeats.
    pub generation: u64,
}

/// The reason of a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Bytes to read.
    Read,
    /// Room to write.
    Write,
}

/// The client's side of a ring: reads and writes that never block, and the two halves of a wait.
///
/// A wait calls `patience()`, which returns for how many nanoseconds to spin. If that is not 0, it calls `spin` for as
/// long, in one or more pieces, and `spun` once, which reports to the policy whether the wait was over. If it was not,
/// it calls `block` until that returns true.
pub struct RingTransport {
    ring: Ring,
    /// Mapped as long as the ring is used.
    _memory: Memory,
    bell: RawFd,
    patience: Patience,
    cores: usize,
    /// The peer slept at the last write.
    woke: bool,
    ended: bool,
}

/// How often a spinning loop checks the ring for each read of the clock, which costs as much as ten checks.
const LOOKS: u32 = 16;

impl RingTransport {
    /// Makes the memory of a ring, and the offer of it. The bell is attached when the gateway has accepted.
    ///
    /// # Errors
    /// `misuse` for a capacity that no ring has; `limit_size` if the system has no memory or descriptors left.
    pub fn make(capacity: u32, generation: u64, waiting: Waiting) -> Result<(RingTransport, Offer), Error> {
        let length = layout::memory_bytes(capacity)?;
        let memory = Memory::make(length).map_err(|error| {
            Error::new(Code::LimitSize, format!("no {length} bytes of shared memory for a channel: {error}"))
        })?;
        // SAFETY: the memory is fresh, of that length, aligned to a page, and lives as long as the ring, whose only
        // client this is.
        let ring = unsafe {
            Ring::prepare(memory.start(), length, capacity, generation)?;
            Ring::open(memory.start(), length, capacity, generation, Peer::Client)?
        };
        let offer = Offer { path: memory.path(), capacity, generation };
        let cores = cores();
        let patience = Patience::new(waiting, cores);
        Ok((RingTransport { ring, _memory: memory, bell: -1, patience, cores, woke: false, ended: false }, offer))
    }

    /// Takes the channel's socket as bell. The caller closes it after the last use of this.
    pub fn attach(&mut self, socket: RawFd) {
        self.bell = socket;
    }

    /// Copies available bytes and returns how many; 0 if there are none.
    ///
    /// # Errors
    /// `malformed` if the peer's position is impossible; `closed` if the peer is gone and all bytes were read.
    pub fn try_read(&mut self, into: &mut [u8]) -> Result<usize, Error> {
        let mut wake = false;
        let count = self.ring.reader.try_read(into, &mut wake)?;
        if wake {
            self.wake();
        }
        if count == 0 && self.ended && !into.is_empty() {
            return Err(closed());
        }
        Ok(count)
    }

    /// Copies as many bytes as there is room for and returns how many; 0 if there is none.
    ///
    /// # Errors
    /// `malformed` if the peer's position is impossible; `closed` if the peer is gone.
    pub fn try_write(&mut self, from: &[u8]) -> Result<usize, Error> {
        if self.ended {
            return Err(closed());
        }
        let mut wake = false;
        let count = self.ring.writer.try_write(from, &mut wake)?;
        self.woke = wake;
        if wake {
            self.wake();
        }
        Ok(count)
    }

    fn wake(&mut self) {
        if bell::ring(self.bell).is_err() {
            self.ended = true;
        }
    }

    /// Whether the peer slept at the last write: it takes a while to wake.
    pub fn woke(&self) -> bool {
        self.woke
    }

    /// For how many nanoseconds the wait that begins now may spin.
    pub fn patience(&mut self) -> u32 {
        self.patience.nanos(self.woke)
    }

    fn ready(&self, side: Side) -> bool {
        self.ended
            || match side {
                Side::Read => self.ring.reader.ready(),
                Side::Write => self.ring.writer.ready(),
            }
    }

    fn look(&self, side: Side) -> bool {
        for _ in 0..LOOKS {
            if self.ready(side) {
                return true;
            }
            hint::spin_loop();
        }
        false
    }

    /// Spins for so many nanoseconds, and returns whether the wait is over. Returns early if half of the cores spin
    /// already: more would take the cores from the threads for which they wait.
    pub fn spin(&self, side: Side, nanos: u32) -> bool {
        if self.look(side) {
            return true;
        }
        let Some(_spinner) = Spinner::enter(self.cores) else { return false };
        let until = Instant::now() + Duration::from_nanos(u64::from(nanos));
        loop {
            if self.look(side) {
                return true;
            }
            if Instant::now() >= until {
                return false;
            }
        }
    }

    /// Blocks until the bell rings, and returns whether the wait is over: wake-ups may be spurious.
    ///
    /// # Errors
    /// `Interrupted` if a signal came: the caller runs its handlers and blocks again.
    pub fn block(&mut self, side: Side) -> io::Result<bool> {
        if self.ended {
            return Ok(true);
        }
        let asleep = match side {
            Side::Read => self.ring.reader.fall_asleep(),
            Side::Write => self.ring.writer.fall_asleep(),
        };
        if !asleep {
            return Ok(true);
        }
        let heard = bell::hear(self.bell);
        match side {
            Side::Read => self.ring.reader.wake_up(),
            Side::Write => self.ring.writer.wake_up(),
        }
        self.ended = !heard?;
        Ok(self.ready(side))
    }

    /// Reports whether a wait was over while it spun, before it had to block.
    pub fn spun(&mut self, rewarded: bool) {
        self.patience.spun(rewarded);
    }
}

fn closed() -> Error {
    Error::new(Code::Closed, "the other peer is gone")
}
