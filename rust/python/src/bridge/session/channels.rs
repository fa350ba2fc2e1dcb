//! The channels of a session: those of threads, idle ones, and their end.

use crate::bridge::channel::state::{lock, State};
use crate::bridge::channel::Channel;
use crate::bridge::transport::dial::Dial;
use pyo3::prelude::*;
use samewire_bridge::{flat, message};
use samewire_core::{Code, Error};
use std::sync::{Arc, Mutex};

/// The most idle channels that are kept, of all threads together.
const MOST_IDLE: usize = 64;

/// In a forked child no lock here is taken, as in [`State`].
pub struct Channels {
    pub state: Arc<State>,
    /// Channels that no call uses, each with the only thread that may use it again, or `ANY`.
    idle: Mutex<Vec<(u64, Arc<Channel>)>>,
    /// The channels of threads, until these have `left` them.
    threads: Mutex<Vec<Seat>>,
}

/// In place of a thread's id: every thread may use the channel.
const ANY: u64 = 0;

/// A thread's own channel.
struct Seat {
    thread: u64,
    number: u32,
    channel: Arc<Channel>,
}

impl Channels {
    pub fn new(state: Arc<State>) -> Self {
        Channels { state, idle: Mutex::new(Vec::new()), threads: Mutex::new(Vec::new()) }
    }

    /// Ends the session, for this reason if it is the first: every thread that waits for the gateway sees its channel end.
    pub fn end(&self, reason: Error) {
        if self.state.end(reason) {
            let idle = std::mem::take(&mut *lock(&self.idle));
            drop(idle);
        }
    }

    /// Says bye, and why, and ends the session.
    pub fn leave(&self, code: Code, text: &str, reason: Error) {
        let state = &self.state;
        if !state.is_over() && !state.forked() {
            state.control.send(|out| {
                out.push(message::BYE);
                flat::put_str(out, code.as_str());
                flat::put_str(out, text);
            });
            self.end(reason);
            state.control.wake();
        }
    }

    /// Registers this thread's channel, until it is [`left`](Channels::left).
    pub fn taken(&self, channel: &Arc<Channel>) {
        let (number, channel) = (channel.number.get(), channel.clone());
        lock(&self.threads).push(Seat { thread: this_thread(), number, channel });
    }

    /// Unregisters a channel.
    pub fn left(&self, channel: u32) {
        if self.state.forked() {
            return;
        }
        let mut threads = lock(&self.threads);
        let (gone, kept): (Vec<_>, Vec<_>) = threads.drain(..).partition(|seat| seat.number == channel);
        *threads = kept;
        drop(threads);
        // This may be the last reference, whose drop may run Python code: the lock must not be held.
        drop(gone);
    }

    /// Retires and returns the channels on which a thread has calls now: an interrupt of these calls may arrive late,
    /// so no other call may use the channels.
    pub fn retire_calls_of(&self, thread: u64, py: Python<'_>) -> Vec<u32> {
        let threads = lock(&self.threads);
        let own = threads.iter().filter(|seat| seat.thread == thread);
        own.filter(|seat| seat.channel.retire(py)).map(|seat| seat.number).collect()
    }

    /// Closes the channels of all threads, also of those that never call again, since the session has ended. A channel
    /// in use is closed by its own thread when its call returns.
    pub fn close(&self, py: Python<'_>) {
        if self.state.forked() {
            return;
        }
        let close = |seat: &Seat| seat.channel.close_unused(py);
        let remains: Vec<_> = lock(&self.threads).iter().filter_map(close).collect();
        drop(remains);
    }

    /// An open call channel that no call uses and this thread may.
    pub fn idle(&self) -> Option<Arc<Channel>> {
        let this = this_thread();
        let mut idle = lock(&self.idle);
        let at = idle.iter().rposition(|(thread, _)| *thread == this || *thread == ANY)?;
        Some(idle.swap_remove(at).1)
    }

    /// Returns a channel to the idle ones, for this thread's next call that needs one.
    pub fn give_back(&self, channel: Arc<Channel>) {
        self.keep_idle(this_thread(), channel);
    }

    /// Ends the channel of this thread, which is ending. With a JVM in the process calls run on the client's own thread
    /// and leave no state with the channel: it is kept for another thread.
    pub fn outlived(&self, channel: Arc<Channel>) {
        match self.state.dial {
            Dial::Process(_) => self.keep_idle(ANY, channel),
            _ => drop(channel),
        }
    }

    /// Ends the idle channels of this thread, which is ending.
    pub fn forget_idle(&self) {
        if self.state.forked() {
            return;
        }
        let this = this_thread();
        let mut kept = lock(&self.idle);
        let (gone, others): (Vec<_>, Vec<_>) = kept.drain(..).partition(|(thread, _)| *thread == this);
        *kept = others;
        drop(kept);
        drop(gone);
    }

    fn keep_idle(&self, thread: u64, channel: Arc<Channel>) {
        if self.state.forked() {
            return;
        }
        let mut idle = lock(&self.idle);
        if idle.len() < MOST_IDLE && !self.state.is_over() && !channel.is_broken() && !self.state.forked() {
            idle.push((thread, channel));
            return;
        }
        drop(idle);
        drop(channel);
    }
}

/// The error that ends a session whose gateway broke the protocol.
pub fn broken(error: &Error) -> Error {
    let at = error.at.map_or(String::new(), |at| format!(" at byte {at} of a message"));
    let text = format!("the gateway sent what the protocol does not allow: {}{at}: {}", error.code, error.text);
    Error::new(Code::Closed, text)
}

/// What `threading.get_ident()` returns.
fn this_thread() -> u64 {
    // SAFETY: the call has no conditions.
    unsafe { libc::pthread_self() as u64 }
}
