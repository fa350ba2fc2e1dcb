//! The channel of each thread: one thread, one channel, so that calls and callbacks nest and threads do not wait for one another.

use super::channel::Channel;
use super::open::open;
use super::session::Session;
use super::shared::Shared;
use crate::core::fault::{set, Fault};
use pyo3::prelude::*;
use samewire_bridge::Role;
use std::cell::UnsafeCell;
use std::ptr;
use std::sync::Arc;

/// What a thread has of one session.
struct Home {
    session: u64,
    /// The channel that the next call takes: its own, or the one that it serves just now.
    current: *const Channel,
    /// Its own, closed when the thread ends: the gateway's thread of it keeps what calls have left there (ThreadLocals, a name, a
    /// class loader), which is no other thread's. `current` points to it.
    own: Option<Arc<Channel>>,
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Homes {
    /// The session that was used last, and its `current`.
    last: u64,
    channel: *const Channel,
    homes: Vec<Home>,
}

impl Drop for Homes {
    fn drop(&mut self) {
        for mut home in self.homes.drain(..) {
            if let Some(own) = home.own.take() {
                home.shared.left(own.number.get());
                home.shared.outlived(own);
            }
            home.shared.forget_idle();
        }
    }
}

thread_local! {
    static HOMES: UnsafeCell<Homes> = UnsafeCell::new(Homes::default());
}

/// Reaches this thread's channels. `act` must not reach them again.
#[inline]
fn homes<R>(act: impl FnOnce(&mut Homes) -> R) -> R {
    // SAFETY: the cell is this thread's, and nothing that `act` calls reaches it again: the functions of this file only look
    // at it and store in it.
    HOMES.with(|homes| act(unsafe { &mut *homes.get() }))
}

impl Homes {
    fn set_current(&mut self, shared: &Arc<Shared>, channel: *const Channel) -> *const Channel {
        let session = shared.id;
        (self.last, self.channel) = (session, channel);
        if let Some(home) = self.homes.iter_mut().find(|home| home.session == session) {
            return std::mem::replace(&mut home.current, channel);
        }
        self.homes.push(Home { session, current: channel, own: None, shared: shared.clone() });
        ptr::null()
    }
}

/// A channel for one call, marked busy until it says otherwise.
pub struct Lease {
    channel: *const Channel,
    /// A channel that was taken from the idle ones because the thread's own is busy, and what was current before.
    borrowed: Option<(Arc<Channel>, *const Channel)>,
}

impl Lease {
    /// The channel for the next call of this thread.
    #[inline]
    pub fn take(py: Python<'_>, session: &Session) -> Result<Lease, Fault> {
        let id = session.shared.id;
        let channel = homes(|homes| if homes.last == id { homes.channel } else { ptr::null() });
        // SAFETY: a channel that is current is alive: `homes` keeps it, or a lease that has not ended, or it is being served.
        if let Some(channel) = unsafe { channel.as_ref() } {
            if channel.is_free() {
                return Ok(Lease::of(channel));
            }
        }
        Lease::find(py, session)
    }

    #[inline]
    fn of(channel: &Channel) -> Lease {
        channel.busy.set(true);
        Lease { channel, borrowed: None }
    }

    #[cold]
    fn find(py: Python<'_>, session: &Session) -> Result<Lease, Fault> {
        let shared = &session.shared;
        let current = homes(|homes| homes.current(shared.id));
        // SAFETY: as in `take`.
        let now = unsafe { current.as_ref() };
        if let Some(channel) = now.filter(|channel| channel.is_free()) {
            homes(|homes| (homes.last, homes.channel) = (shared.id, current));
            return Ok(Lease::of(channel));
        }
        let next = match shared.idle() {
            Some(channel) => channel,
            None => Arc::new(open(py, shared, Role::Call).map_err(set)?),
        };
        // Calls of a channel that is broken have to come back before it is let go.
        if now.is_none_or(|channel| channel.is_broken() && !channel.is_used()) {
            let unused = homes(|homes| homes.settle(shared, next.clone()));
            for own in unused.iter().filter_map(|home| home.own.as_ref()) {
                own.shared.left(own.number.get());
            }
            drop(unused);
            shared.taken(&next);
            return Ok(Lease::of(&next));
        }
        let before = homes(|homes| homes.set_current(shared, Arc::as_ptr(&next)));
        let mut lease = Lease::of(&next);
        lease.borrowed = Some((next, before));
        Ok(lease)
    }

    #[inline]
    pub fn channel(&self) -> &Channel {
        // SAFETY: the channel is busy: whoever keeps it lets go of none that is in use.
        unsafe { &*self.channel }
    }
}

impl Homes {
    fn current(&self, session: u64) -> *const Channel {
        self.homes.iter().find(|home| home.session == session).map_or(ptr::null(), |home| home.current)
    }

    /// Makes a channel the thread's own. What is no longer needed is handed out, since dropping it may run Python code.
    fn settle(&mut self, shared: &Arc<Shared>, own: Arc<Channel>) -> Vec<Home> {
        let (unused, kept) = self.homes.drain(..).partition(|home| {
            let used = home.own.as_ref().is_none_or(|own| own.is_used());
            home.session == shared.id || home.shared.is_over() && !used
        });
        self.homes = kept;
        let current = Arc::as_ptr(&own);
        (self.last, self.channel) = (shared.id, current);
        self.homes.push(Home { session: shared.id, current, own: Some(own), shared: shared.clone() });
        unused
    }
}

impl Drop for Lease {
    #[inline]
    fn drop(&mut self) {
        let channel = self.channel();
        channel.busy.set(false);
        let ends = channel.retired.get() || channel.shared.is_over();
        if ends || self.borrowed.is_some() {
            self.give_back();
        }
    }
}

impl Lease {
    #[cold]
    fn give_back(&mut self) {
        if let Some((channel, before)) = self.borrowed.take() {
            let shared = channel.shared.clone();
            if channel.retired.get() {
                channel.break_off();
            }
            homes(|homes| homes.set_current(&shared, before));
            shared.give_back(channel);
        } else {
            // The session ended during the call, or the call was interrupted.
            // SAFETY: a lease is dropped with the GIL held.
            let py = unsafe { Python::assume_attached() };
            drop(self.channel().close_unused(py));
        }
    }
}

/// Makes a channel current while this thread serves it, and none afterwards.
pub struct Serving {
    shared: Arc<Shared>,
    /// What is current afterwards.
    before: *const Channel,
}

impl Serving {
    pub fn new(channel: &Channel) -> Serving {
        let shared = channel.shared.clone();
        homes(|homes| homes.set_current(&shared, channel));
        Serving { shared, before: ptr::null() }
    }

    /// Makes it current in the midst of a call, whose channel is current afterwards.
    pub fn instead(channel: &Channel) -> Serving {
        let shared = channel.shared.clone();
        let before = homes(|homes| homes.set_current(&shared, channel));
        Serving { shared, before }
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        homes(|homes| homes.set_current(&self.shared, self.before));
    }
}
