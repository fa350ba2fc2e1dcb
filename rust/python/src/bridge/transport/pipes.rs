//! Two pipes, one each way, to a process that was started with their other ends.
//!
//! The descriptors do not block: each wait is a poll of [`SLICE`] at most, so that a signal that arrives just before
//! the poll is handled soon. A pipe cannot be shut down to end waits, as a socket can. So each wait polls a socket,
//! too, which serves only this.

use super::socket::{waited, SLICE};
use super::stop::Stop;
use pyo3::prelude::*;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::time::{Duration, Instant};

#[derive(Clone)]
pub struct Pipes {
    ends: Arc<Ends>,
}

struct Ends {
    from: OwnedFd,
    to: OwnedFd,
    /// A socket pair. Shutting down the first ends all waits; the second keeps it open until then.
    stop: (UnixStream, UnixStream),
}

impl Pipes {
    pub fn new(from: OwnedFd, to: OwnedFd) -> io::Result<Self> {
        for end in [&from, &to] {
            // SAFETY: plain system calls on a descriptor of ours.
            let done = unsafe {
                let flags = libc::fcntl(end.as_raw_fd(), libc::F_GETFL);
                libc::fcntl(end.as_raw_fd(), libc::F_SETFL, flags | libc::O_NONBLOCK)
            };
            if done < 0 {
                return Err(io::Error::last_os_error());
            }
        }
        Ok(Pipes { ends: Arc::new(Ends { from, to, stop: UnixStream::pair()? }) })
    }

    /// The descriptor whose shutdown ends all waits.
    pub fn descriptor(&self) -> RawFd {
        self.ends.stop.0.as_raw_fd()
    }

    /// The descriptor that is read.
    pub fn source(&self) -> RawFd {
        self.ends.from.as_raw_fd()
    }

    /// Waits until a pipe can be read or written, or has ended; false after a slice or at `until`, or if a signal came.
    fn ready(&self, descriptor: RawFd, events: i16, until: Option<Instant>) -> Result<bool, Stop> {
        let left = until.map_or(SLICE, |until| until.saturating_duration_since(Instant::now()).min(SLICE));
        let poll = |fd, events| libc::pollfd { fd, events, revents: 0 };
        let mut polled = [poll(descriptor, events), poll(self.descriptor(), 0)];
        // Rounded up: 0 would not wait for the rest of a millisecond.
        let millis = (left + Duration::from_micros(999)).as_millis() as i32;
        // SAFETY: two structures, alive during the call.
        let done = unsafe { libc::poll(polled.as_mut_ptr(), 2, millis) } > 0;
        match done && polled[1].revents != 0 {
            true => Err(Stop::End("the session has ended".to_owned())),
            false => Ok(done),
        }
    }

    pub fn read(&self, py: Python<'_>, into: &mut [u8], until: Option<Instant>) -> Result<usize, Stop> {
        loop {
            match self.read_now(into)? {
                0 => {}
                done => return Ok(done),
            }
            if !py.detach(|| self.ready(self.source(), libc::POLLIN, until))? {
                waited(py, &io::ErrorKind::WouldBlock.into(), until)?;
            }
        }
    }

    /// Receives the available bytes; 0 if there are none.
    pub fn read_now(&self, into: &mut [u8]) -> Result<usize, Stop> {
        loop {
            // SAFETY: pointer and length are a slice's. The call does not wait.
            let done = unsafe { libc::read(self.source(), into.as_mut_ptr().cast(), into.len()) };
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

    pub fn write(&self, py: Python<'_>, bytes: &[u8]) -> Result<(), Stop> {
        let mut rest = bytes;
        while !rest.is_empty() {
            match self.send(rest)? {
                0 => {
                    if !py.detach(|| self.ready(self.ends.to.as_raw_fd(), libc::POLLOUT, None))? {
                        waited(py, &io::ErrorKind::WouldBlock.into(), None)?;
                    }
                }
                done => rest = &rest[done..],
            }
        }
        Ok(())
    }

    /// Sends all bytes without the GIL, unless `gives_up` after a wait.
    pub fn write_plainly(&self, bytes: &[u8], gives_up: impl Fn() -> bool) -> Result<(), Stop> {
        let mut rest = bytes;
        while !rest.is_empty() {
            match self.send(rest)? {
                0 => {
                    if !self.ready(self.ends.to.as_raw_fd(), libc::POLLOUT, None)? && gives_up() {
                        return Err(Stop::End("the gateway does not read".to_owned()));
                    }
                }
                done => rest = &rest[done..],
            }
        }
        Ok(())
    }

    /// Sends what fits now; 0 if nothing does.
    fn send(&self, bytes: &[u8]) -> Result<usize, Stop> {
        loop {
            let done = without_signal(|| {
                // SAFETY: pointer and length are a slice's. The call does not wait.
                unsafe { libc::write(self.ends.to.as_raw_fd(), bytes.as_ptr().cast(), bytes.len()) }
            });
            if done >= 0 {
                return Ok(done as usize);
            }
            let error = io::Error::last_os_error();
            match error.kind() {
                io::ErrorKind::WouldBlock => return Ok(0),
                io::ErrorKind::Interrupted => {}
                _ => return Err(Stop::End(error.to_string())),
            }
        }
    }
}

/// Writes to a pipe whose reader may be gone, and blocks SIGPIPE meanwhile: a closed pipe is an error here and must not
/// end the process. Python ignores SIGPIPE, but a program may restore its default.
fn without_signal(write: impl FnOnce() -> isize) -> isize {
    // SAFETY: signal sets of this frame, filled before they are used. A signal that is blocked goes to this thread alone, and is
    // taken before it can be delivered.
    unsafe {
        let (mut pipe, mut before) = (std::mem::zeroed(), std::mem::zeroed());
        libc::sigemptyset(&raw mut pipe);
        libc::sigaddset(&raw mut pipe, libc::SIGPIPE);
        libc::pthread_sigmask(libc::SIG_BLOCK, &raw const pipe, &raw mut before);
        let done = write();
        let error = io::Error::last_os_error();
        if done < 0 && error.kind() == io::ErrorKind::BrokenPipe {
            let now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
            libc::sigtimedwait(&raw const pipe, std::ptr::null_mut(), &raw const now);
        }
        libc::pthread_sigmask(libc::SIG_SETMASK, &raw const before, std::ptr::null_mut());
        if done < 0 {
            *libc::__errno_location() = error.raw_os_error().unwrap_or(0);
        }
        done
    }
}
