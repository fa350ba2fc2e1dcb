//! A unix or TCP socket.
//!
//! The descriptor is in blocking mode, and calls that must not wait pass MSG_DONTWAIT: so a reply is received by one
//! system call. A call that waits returns after [`SLICE`] at the latest, so that a signal that arrives just before it
//! is handled soon.

use super::stop::{Stop, WAITING};
use crate::bridge::transport::ring::spinner::{cores, Spinner};
use pyo3::prelude::*;
use samewire_bridge::ring::{Patience, Waiting};
use std::io;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::sync::atomic::Ordering;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The interval at which a wait checks for signals and the clock.
pub(super) const SLICE: Duration = Duration::from_millis(500);
/// From this size on a copy into the kernel takes so long that the GIL is released for it.
const LONG: usize = 64 * 1024;

#[derive(Clone)]
pub struct Socket {
    descriptor: Arc<OwnedFd>,
    name: &'static str,
    /// How long a read spins for a reply before it sleeps; None: not at all.
    looks: Option<Looks>,
}

/// After so many reads the cores are counted again, since the program's CPU affinity may change.
const COUNTED: u32 = 256;

/// How reads spin for replies before they sleep.
#[derive(Clone)]
struct Looks {
    waiting: Waiting,
    patience: Patience,
    cores: usize,
    left: u32,
}

impl Looks {
    fn new(waiting: Waiting, cores: usize) -> Self {
        Looks { waiting, patience: Patience::new(waiting, cores), cores, left: COUNTED }
    }

    /// For how many nanoseconds the next read spins. Never on one core: there the woken peer preempts this thread and
    /// replies, so the policy would believe that spinning pays, but a call over a unix socket would take 16 instead of
    /// 9.5 µs.
    fn nanos(&mut self) -> u32 {
        self.left -= 1;
        if self.left == 0 {
            self.left = COUNTED;
            let cores = cores();
            if cores != self.cores {
                *self = Looks::new(self.waiting, cores);
            }
        }
        self.patience.nanos(true)
    }
}

impl Socket {
    pub fn new(descriptor: OwnedFd, name: &'static str) -> io::Result<Self> {
        for option in [libc::SO_RCVTIMEO, libc::SO_SNDTIMEO] {
            set_slice(descriptor.as_raw_fd(), option, SLICE)?;
        }
        Ok(Socket { descriptor: Arc::new(descriptor), name, looks: None })
    }

    pub fn descriptor(&self) -> RawFd {
        self.descriptor.as_raw_fd()
    }

    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Makes reads spin for a reply before they sleep, while that pays.
    pub fn watch(&mut self, waiting: Waiting) {
        self.looks = Some(Looks::new(waiting, cores()));
    }

    pub fn read(&mut self, py: Python<'_>, into: &mut [u8], until: Option<Instant>) -> Result<usize, Stop> {
        match self.look(py, into)? {
            0 => self.wait(py, into, until),
            received => Ok(received),
        }
    }

    /// Spins for the peer's reply; 0 if that takes too long. This saves one of the two wake-ups of a call (the peer's
    /// remains): on a virtual machine with two cores a call with eight arguments over a unix socket takes 28 instead of
    /// 76 µs (median).
    fn look(&mut self, py: Python<'_>, into: &mut [u8]) -> Result<usize, Stop> {
        let (nanos, cores) = match &mut self.looks {
            Some(looks) if WAITING.load(Ordering::Relaxed) <= 1 => (looks.nanos(), looks.cores),
            _ => return Ok(0),
        };
        if nanos == 0 {
            return Ok(0);
        }
        let received = py.detach(|| {
            let Some(_spinner) = Spinner::enter(cores) else { return Ok(0) };
            let end = Instant::now() + Duration::from_nanos(u64::from(nanos));
            loop {
                match self.read_now(into) {
                    Ok(0) if Instant::now() < end => {}
                    done => return done,
                }
            }
        });
        if let Some(Looks { patience, .. }) = &mut self.looks {
            patience.spun(!matches!(received, Ok(0)));
        }
        received
    }

    fn wait(&self, py: Python<'_>, into: &mut [u8], until: Option<Instant>) -> Result<usize, Stop> {
        let descriptor = self.descriptor();
        loop {
            let _near = Deadline::near(descriptor, until);
            let done = py.detach(|| {
                // SAFETY: pointer and length are a slice's, borrowed until the call returns.
                let done = unsafe { libc::recv(descriptor, into.as_mut_ptr().cast(), into.len(), 0) };
                if done < 0 {
                    Err(io::Error::last_os_error())
                } else {
                    Ok(done as usize)
                }
            });
            match done {
                Ok(0) => return Err(Stop::End("the gateway ended the channel".to_owned())),
                Ok(done) => return Ok(done),
                Err(error) => waited(py, &error, until)?,
            }
        }
    }

    /// Receives the available bytes; 0 if there are none.
    pub fn read_now(&self, into: &mut [u8]) -> Result<usize, Stop> {
        loop {
            // SAFETY: pointer and length are a slice's. The call does not wait.
            let done =
                unsafe { libc::recv(self.descriptor(), into.as_mut_ptr().cast(), into.len(), libc::MSG_DONTWAIT) };
            match done {
                0 => return Err(Stop::End("the gateway ended the channel".to_owned())),
                1.. => return Ok(done as usize),
                _ => {}
            }
            let error = io::Error::last_os_error();
            match error.kind() {
                io::ErrorKind::WouldBlock => return Ok(0),
                io::ErrorKind::Interrupted => {}
                _ => return Err(Stop::End(error.to_string())),
            }
        }
    }

    /// Sends all bytes without the GIL, unless `gives_up` after a wait.
    pub fn write_plainly(&self, bytes: &[u8], gives_up: impl Fn() -> bool) -> Result<(), Stop> {
        let mut rest = bytes;
        while !rest.is_empty() {
            match send(self.descriptor(), rest) {
                Ok(done) => rest = &rest[done..],
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock && !gives_up() => {}
                Err(error) => return Err(Stop::End(error.to_string())),
            }
        }
        Ok(())
    }

    pub fn write(&self, py: Python<'_>, bytes: &[u8]) -> Result<(), Stop> {
        let descriptor = self.descriptor();
        let mut rest = bytes;
        if rest.len() < LONG {
            // SAFETY: as in `send`. What does not wait does not take long: to let other threads run costs as much.
            let done = unsafe {
                let flags = libc::MSG_NOSIGNAL | libc::MSG_DONTWAIT;
                libc::send(descriptor, rest.as_ptr().cast(), rest.len(), flags)
            };
            rest = &rest[done.max(0) as usize..];
        }
        while !rest.is_empty() {
            match py.detach(|| send(descriptor, rest)) {
                Ok(done) => rest = &rest[done..],
                Err(error) => waited(py, &error, None)?,
            }
        }
        Ok(())
    }
}

fn set_slice(descriptor: RawFd, option: i32, slice: Duration) -> io::Result<()> {
    let time = libc::timeval {
        tv_sec: slice.as_secs() as libc::time_t,
        tv_usec: libc::suseconds_t::from(slice.subsec_micros() as i32),
    };
    let (value, size) = ((&raw const time).cast(), size_of_val(&time) as libc::socklen_t);
    // SAFETY: the structure that the option takes, with its size, alive during the call.
    match unsafe { libc::setsockopt(descriptor, libc::SOL_SOCKET, option, value, size) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// A receiving wait that returns at a deadline nearer than [`SLICE`], as long as this lives.
pub struct Deadline(RawFd);

impl Deadline {
    /// None if the deadline is farther away or there is none, so that only near ones cost the two system calls.
    pub fn near(descriptor: RawFd, until: Option<Instant>) -> Option<Self> {
        let left = until?.saturating_duration_since(Instant::now());
        // A time-out of zero would mean none.
        let slice = left.max(Duration::from_micros(1));
        (left < SLICE && set_slice(descriptor, libc::SO_RCVTIMEO, slice).is_ok()).then_some(Deadline(descriptor))
    }
}

impl Drop for Deadline {
    fn drop(&mut self) {
        // If this fails, waits check the clock more often than necessary.
        let _ = set_slice(self.0, libc::SO_RCVTIMEO, SLICE);
    }
}

/// Sends as many bytes as fit; waits for room for at least one.
pub fn send(descriptor: RawFd, bytes: &[u8]) -> io::Result<usize> {
    // SAFETY: pointer and length are a slice's.
    let done = unsafe { libc::send(descriptor, bytes.as_ptr().cast(), bytes.len(), libc::MSG_NOSIGNAL) };
    if done < 0 {
        Err(io::Error::last_os_error())
    } else {
        Ok(done as usize)
    }
}

/// Converts the error of a wait.
#[cold]
pub fn waited(py: Python<'_>, error: &io::Error, until: Option<Instant>) -> Result<(), Stop> {
    match error.kind() {
        io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted => {
            py.check_signals().map_err(Stop::Signal)?;
            match until {
                Some(until) if Instant::now() >= until => Err(Stop::Timeout),
                _ => Ok(()),
            }
        }
        _ => Err(Stop::End(error.to_string())),
    }
}
