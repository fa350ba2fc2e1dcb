//! The send queue of the control channel: any thread appends, the channel's thread sends.

use samewire_bridge::frame;
use std::io::Write;
use std::os::unix::net::UnixStream;
use std::sync::{Mutex, PoisonError};

/// Frames that the control thread will send.
pub struct ControlWriter {
    queue: Mutex<Vec<u8>>,
    /// A byte here wakes the thread.
    bell: Mutex<Option<UnixStream>>,
}

impl ControlWriter {
    pub const fn new() -> Self {
        ControlWriter { queue: Mutex::new(Vec::new()), bell: Mutex::new(None) }
    }

    /// Sets what wakes the thread.
    pub fn ring_by(&self, bell: UnixStream) {
        *self.bell.lock().unwrap_or_else(PoisonError::into_inner) = Some(bell);
    }

    /// Queues a message. Does not wait until it is sent.
    pub fn send(&self, write: impl FnOnce(&mut Vec<u8>)) {
        {
            let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
            let start = frame::begin(&mut queue);
            write(&mut queue);
            // Control messages are short: they have no limit to exceed.
            let _ = frame::end(&mut queue, start, u32::MAX as usize);
        }
        self.wake();
    }

    /// Queues frames.
    pub fn append(&self, frames: &[u8]) {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(frames);
    }

    /// Closes the bell: the thread ends.
    pub fn silence(&self) {
        *self.bell.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    pub fn wake(&self) {
        if let Some(bell) = &mut *self.bell.lock().unwrap_or_else(PoisonError::into_inner) {
            // A full pipe wakes the thread as well.
            let _ = bell.write(&[0]);
        }
    }

    pub fn take(&self) -> Vec<u8> {
        std::mem::take(&mut *self.queue.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
