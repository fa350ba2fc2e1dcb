//! The channels of threads: each thread has one of its own, so that calls and callbacks nest and threads do not wait
//! for one another.

use super::channels::Channels;
use super::open::open;
use super::Session;
use crate::bridge::channel::Channel;
use crate::core::fault::{set, Fault};
use pyo3::prelude::*;
use samewire_bridge::Role;
use std::cell::UnsafeCell;
use std::ptr;
use std::sync::Arc;

/// A thread's state for one session.
struct Home {
    session: u64,
    /// The channel of the next call: the thread's own, or the one that it serves now.
    current: *const Channel,
    /// Its own, closed when the thread ends: the gateway's thread of it keeps what calls have left there (ThreadLocals, a name, a
    /// class loader), which no other thread may see. `current` points to it.
    own: Option<Arc<Channel>>,
    channels: Arc<Channels>,
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
                home.channels.left(own.number.get());
                home.channels.outlived(own);
            }
            home.channels.forget_idle();
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
    fn set_current(&mut self, channels: &Arc<Channels>, channel: *const Channel) -> *const Channel {
        let session = channels.state.id;
        (self.last, self.channel) = (session, channel);
        if let Some(home) = self.homes.iter_mut().find(|home| home.session == session) {
            return std::mem::replace(&mut home.current, channel);
        }
        self.homes.push(Home { session, current: channel, own: None, channels: channels.clone() });
        ptr::null()
    }
}

/// A channel for one call, marked busy until this is dropped.
pub struct Lease {
    channel: *const Channel,
    /// An idle channel that was taken because the thread's own is busy, and the previous current one.
    borrowed: Option<Borrowed>,
}

struct Borrowed {
    channel: Arc<Channel>,
    /// What is current afterwards.
    before: *const Channel,
    channels: Arc<Channels>,
}

impl Lease {
    /// The channel for the next call of this thread.
    #[inline]
    pub fn take(py: Python<'_>, session: &Session) -> Result<Lease, Fault> {
        let id = session.state.id;
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
        let channels = &session.channels;
        let current = homes(|homes| homes.current(channels.state.id));
        // SAFETY: as in `take`.
        let now = unsafe { current.as_ref() };
        if let Some(channel) = now.filter(|channel| channel.is_free()) {
            homes(|homes| (homes.last, homes.channel) = (channels.state.id, current));
            return Ok(Lease::of(channel));
        }
        let next = match channels.idle() {
            Some(channel) => channel,
            None => Arc::new(open(py, &channels.state, Role::Call).map_err(set)?),
        };
        // A broken channel is dropped only after its calls have returned.
        if now.is_none_or(|channel| channel.is_broken() && !channel.is_used()) {
            let unused = homes(|homes| homes.settle(channels, next.clone()));
            for home in &unused {
                if let Some(own) = &home.own {
                    home.channels.left(own.number.get());
                }
            }
            drop(unused);
            channels.taken(&next);
            return Ok(Lease::of(&next));
        }
        let before = homes(|homes| homes.set_current(channels, Arc::as_ptr(&next)));
        let mut lease = Lease::of(&next);
        lease.borrowed = Some(Borrowed { channel: next, before, channels: channels.clone() });
        Ok(lease)
    }

    /// Whether the channel stays the thread's own after the call.
    pub fn is_own(&self) -> bool {
        self.borrowed.is_none()
    }

    #[inline]
    pub fn channel(&self) -> &Channel {
        // SAFETY: the channel is busy: its owner drops no channel that is in use.
        unsafe { &*self.channel }
    }
}

impl Homes {
    fn current(&self, session: u64) -> *const Channel {
        self.homes.iter().find(|home| home.session == session).map_or(ptr::null(), |home| home.current)
    }

    /// Makes a channel the thread's own. Returns the homes that are not needed any more, since dropping them may run
    /// Python code.
    fn settle(&mut self, channels: &Arc<Channels>, own: Arc<Channel>) -> Vec<Home> {
        let (unused, kept) = self.homes.drain(..).partition(|home| {
            let used = home.own.as_ref().is_none_or(|own| own.is_used());
            home.session == channels.state.id || home.channels.state.is_over() && !used
        });
        self.homes = kept;
        let current = Arc::as_ptr(&own);
        (self.last, self.channel) = (channels.state.id, current);
        self.homes.push(Home { session: channels.state.id, current, own: Some(own), channels: channels.clone() });
        unused
    }
}

impl Drop for Lease {
    #[inline]
    fn drop(&mut self) {
        let channel = self.channel();
        channel.busy.set(false);
        let ends = channel.retired.get() || channel.state.is_over();
        if ends || self.borrowed.is_some() {
            self.give_back();
        }
    }
}

impl Lease {
    #[cold]
    fn give_back(&mut self) {
        if let Some(Borrowed { channel, before, channels }) = self.borrowed.take() {
            if channel.retired.get() {
                channel.break_off();
            }
            homes(|homes| homes.set_current(&channels, before));
            channels.give_back(channel);
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
    channels: Arc<Channels>,
    /// What is current afterwards.
    before: *const Channel,
}

impl Serving {
    pub fn new(channels: Arc<Channels>, channel: &Channel) -> Serving {
        homes(|homes| homes.set_current(&channels, channel));
        Serving { channels, before: ptr::null() }
    }

    /// Makes a channel current during a call; afterwards the call's channel is current again.
    pub fn instead(channels: Arc<Channels>, channel: &Channel) -> Serving {
        let before = homes(|homes| homes.set_current(&channels, channel));
        Serving { channels, before }
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        homes(|homes| homes.set_current(&self.channels, self.before));
    }
}
