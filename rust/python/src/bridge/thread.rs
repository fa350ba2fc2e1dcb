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
    current: *mut Channel,
    /// Its own, closed when the thread ends: the gateway's thread of it keeps what calls have left there (ThreadLocals, a name, a
    /// class loader), which is no other thread's. Boxed: `current` points to it.
    own: Option<Box<Channel>>,
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Homes {
    /// The session that was used last, and its `current`.
    last: u64,
    channel: *mut Channel,
    homes: Vec<Home>,
}

impl Drop for Homes {
    fn drop(&mut self) {
        for mut home in self.homes.drain(..) {
            if let Some(own) = home.own.take() {
                home.shared.left(own.number);
                home.shared.outlived(*own);
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
    fn set_current(&mut self, shared: &Arc<Shared>, channel: *mut Channel) -> *mut Channel {
        let session = shared.id;
        (self.last, self.channel) = (session, channel);
        if let Some(home) = self.homes.iter_mut().find(|home| home.session == session) {
            return std::mem::replace(&mut home.current, channel);
        }
        self.homes.push(Home { session, current: channel, own: None, shared: shared.clone() });
        ptr::null_mut()
    }
}

/// A channel for one call, marked busy until it says otherwise.
pub struct Lease {
    channel: *mut Channel,
    /// A channel that was taken from the idle ones because the thread's own is busy, and what was current before.
    borrowed: Option<(Box<Channel>, *mut Channel)>,
}

impl Lease {
    /// The channel for the next call of this thread.
    #[inline]
    pub fn take(py: Python<'_>, session: &Session) -> Result<Lease, Fault> {
        let id = session.shared.id;
        let channel = homes(|homes| if homes.last == id { homes.channel } else { ptr::null_mut() });
        // SAFETY: a channel that is current is alive: it is boxed in `homes`, or in a lease that has not ended.
        if !channel.is_null() && unsafe { !(*channel).busy && !(*channel).is_broken() } {
            return Ok(Lease::of(channel));
        }
        Lease::find(py, session)
    }

    #[inline]
    fn of(channel: *mut Channel) -> Lease {
        // SAFETY: as in `take`.
        unsafe { (*channel).busy = true };
        Lease { channel, borrowed: None }
    }

    #[cold]
    fn find(py: Python<'_>, session: &Session) -> Result<Lease, Fault> {
        let shared = &session.shared;
        let current = homes(|homes| homes.current(shared.id));
        // SAFETY: as in `take`.
        if !current.is_null() && unsafe { !(*current).busy && !(*current).is_broken() } {
            homes(|homes| (homes.last, homes.channel) = (shared.id, current));
            return Ok(Lease::of(current));
        }
        let next = match shared.idle() {
            Some(channel) => Box::new(channel),
            None => Box::new(open(py, shared, Role::Call).map_err(set)?),
        };
        // SAFETY: as in `take`. Calls of a channel that is broken have to come back before it is let go.
        if current.is_null() || unsafe { (*current).is_broken() && (*current).depth == 0 && !(*current).busy } {
            let (channel, unused) = homes(|homes| homes.settle(shared, next));
            for own in unused.iter().filter_map(|home| home.own.as_ref()) {
                own.shared.left(own.number);
            }
            drop(unused);
            // SAFETY: it has just become this thread's, boxed.
            unsafe { shared.taken(channel) };
            return Ok(Lease::of(channel));
        }
        let mut next = next;
        let channel = &raw mut *next;
        let before = homes(|homes| homes.set_current(shared, channel));
        let mut lease = Lease::of(channel);
        lease.borrowed = Some((next, before));
        Ok(lease)
    }

    #[inline]
    pub fn channel(&mut self) -> &mut Channel {
        // SAFETY: as in `take`; the lease is the channel's only user but for calls in the midst of its own, which end before it
        // goes on.
        unsafe { &mut *self.channel }
    }
}

impl Homes {
    fn current(&self, session: u64) -> *mut Channel {
        self.homes.iter().find(|home| home.session == session).map_or(ptr::null_mut(), |home| home.current)
    }

    /// Makes a channel the thread's own. What is no longer needed is handed out, since dropping it may run Python code.
    fn settle(&mut self, shared: &Arc<Shared>, mut own: Box<Channel>) -> (*mut Channel, Vec<Home>) {
        let (unused, kept) = self.homes.drain(..).partition(|home| {
            let used = home.own.as_ref().is_none_or(|own| own.depth > 0 || own.busy);
            home.session == shared.id || home.shared.is_over() && !used
        });
        self.homes = kept;
        let channel = &raw mut *own;
        (self.last, self.channel) = (shared.id, channel);
        self.homes.push(Home { session: shared.id, current: channel, own: Some(own), shared: shared.clone() });
        (channel, unused)
    }
}

impl Drop for Lease {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: as in `take`.
        let ends = unsafe {
            (*self.channel).busy = false;
            (*self.channel).retired || (*self.channel).shared.is_over()
        };
        if ends || self.borrowed.is_some() {
            self.give_back();
        }
    }
}

impl Lease {
    #[cold]
    fn give_back(&mut self) {
        if let Some((mut channel, before)) = self.borrowed.take() {
            let shared = channel.shared.clone();
            if channel.retired {
                channel.break_off();
            }
            homes(|homes| homes.set_current(&shared, before));
            shared.give_back(*channel);
        } else {
            // The session ended during the call, or the call was interrupted.
            // SAFETY: a lease is dropped with the GIL held, and its channel is alive.
            drop(unsafe { (*self.channel).close_unused(Python::assume_attached()) });
        }
    }
}

/// Makes a channel current while this thread serves it, and none afterwards.
pub struct Serving {
    shared: Arc<Shared>,
    /// What is current afterwards.
    before: *mut Channel,
}

impl Serving {
    pub fn new(channel: &mut Channel) -> Serving {
        let shared = channel.shared.clone();
        homes(|homes| homes.set_current(&shared, channel));
        Serving { shared, before: ptr::null_mut() }
    }

    /// Makes it current in the midst of a call, whose channel is current afterwards.
    pub fn instead(channel: &mut Channel) -> Serving {
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
