//! The transport within one process: this side of Java's `ProcessLink`.
//!
//! Frames are written directly into a direct buffer of Java's. A read calls the JVM, which runs the frames and returns
//! with its own frames in another buffer. Nested calls from Java arrive as native calls on the same stack
//! ([`crate::bridge::embed::upcall`]).

use super::interrupt;
use super::jni::{Env, Object, Value};
use super::machine::{java, Java};
use crate::bridge::transport::socket::Socket;
use crate::bridge::transport::stop::Stop;
use pyo3::prelude::*;
use pyo3::types::PyWeakrefReference;
use samewire_core::{Code, Error};
use std::any::Any;
use std::ffi::CString;
use std::os::fd::RawFd;
use std::ptr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// The layout of the number that Java returns for what it sent: in the low bits the number of bytes, then of large
/// values, then whether the frames are in a new buffer.
const BLOBS_SHIFT: u32 = 32;
const REPLACED: i64 = 1 << 62;

/// The first size of a buffer. A larger one is freed after a long message.
const ROOM: usize = 64 * 1024;
const KEPT: usize = 1 << 20;

/// Java's sides of channels that ended with their threads, after the threads had detached from the JVM.
static ORPHANS: Mutex<Vec<usize>> = Mutex::new(Vec::new());

/// Bytes of a large value that follow a message.
pub enum Blob {
    /// Memory of the program, alive until the reply has come.
    Lent(*const u8, usize),
    Owned(Vec<u8>),
}

impl Blob {
    fn bytes(&self) -> &[u8] {
        match self {
            // SAFETY: the lender keeps the bytes alive until the reply has come, before which they are looked at.
            Blob::Lent(start, length) => unsafe { std::slice::from_raw_parts(*start, *length) },
            Blob::Owned(bytes) => bytes,
        }
    }
}

/// A direct buffer of Java's, outside of its heap.
pub struct Buffer {
    pub start: *mut u8,
    pub capacity: usize,
}

/// One side of a channel. It must not move: Java refers to it by its address, and nested calls use it.
pub struct Link {
    /// The session's connection for this channel: when it ends, the channel ends.
    pub socket: Socket,
    /// A weak reference to the session, for calls from Java.
    pub session: Option<Py<PyWeakrefReference>>,
    /// Java's side. Null until it is attached.
    pub object: Object,
    pub input: Buffer,
    pub output: Buffer,
    /// Bytes of frames in `input` that wait to be handed over.
    pub written: usize,
    /// Large values that follow them, the first of which Java has read up to `blob_read`.
    pub blobs: Vec<Blob>,
    pub blob_next: usize,
    pub blob_read: usize,
    /// Frames in `output` that have not been read.
    unread: (usize, usize),
    /// The number that identifies its calls for interrupts.
    call: u64,
    /// A signal came while the JVM ran, and was forwarded to it: the interrupt may reach the channel after the call.
    interrupted: bool,
    /// What a signal handler raised at the end of a call from Java. It is raised when the surrounding call ends.
    pub late: Option<PyErr>,
    /// The link whose large values follow the message that is being read: this one, or the one whose call is served.
    pub source: Object,
    /// The channel on which calls from Java are served while this one waits, kept between such calls.
    pub serving: Option<Box<dyn Any>>,
    /// The error that kept such a call from its reply: Java only sees that the channel has ended.
    pub failed: Option<PyErr>,
}

/// The transport. Boxed, as [`Link`] must stay where it is.
pub struct Process {
    link: *mut Link,
}

// SAFETY: a channel is used by one thread at a time; the references are global, the buffers the process's.
unsafe impl Send for Process {}

/// The arguments of a call of the JVM without the GIL.
struct Entry {
    env: Env,
    values: [Value; 2],
}

// SAFETY: it is made and used by one thread, which releases the GIL in between.
unsafe impl Send for Entry {}

impl Process {
    /// The offer of a channel that is opened over a socket, before [`attach`](Process::attach) moves it to the JVM.
    pub fn offer() -> String {
        static LAST: AtomicU64 = AtomicU64::new(0);
        format!("process:{}", LAST.fetch_add(1, Ordering::Relaxed))
    }

    /// Attaches to Java's side of an accepted offer, for the channel of that call number.
    pub fn attach(
        offer: &str,
        socket: Socket,
        session: Option<Py<PyWeakrefReference>>,
        call: u64,
    ) -> Result<Process, Error> {
        let java = java()?;
        let env = java.env()?;
        let orphans = std::mem::take(&mut *ORPHANS.lock().unwrap_or_else(PoisonError::into_inner));
        for object in orphans {
            end(java, env, object as Object);
        }
        let none = || Buffer { start: ptr::null_mut(), capacity: 0 };
        let link = Box::into_raw(Box::new(Link {
            socket,
            session,
            object: ptr::null_mut(),
            input: none(),
            output: none(),
            written: 0,
            blobs: Vec::new(),
            blob_next: 0,
            blob_read: 0,
            unread: (0, 0),
            call,
            interrupted: false,
            late: None,
            source: ptr::null_mut(),
            serving: None,
            failed: None,
        }));
        let process = Process { link };
        let text = CString::new(offer).map_err(|_| Error::new(Code::Misuse, "an offer with a zero byte"))?;
        // SAFETY: this thread's environment; the link is fresh, and nobody else's yet.
        unsafe {
            let name = env.new_string(text.as_ptr());
            let values = [Value { object: name }, Value { long: link as i64 }];
            let object = env.call_static_object_method(java.link, java.methods.take, values.as_ptr());
            env.delete_local_ref(name);
            if env.exception_check() != 0 || object.is_null() {
                env.exception_clear();
                return Err(Error::new(Code::Closed, "the JVM does not know of this channel"));
            }
            (*link).object = env.new_global_ref(object);
            (*link).source = (*link).object;
            env.delete_local_ref(object);
            (*link).input = buffer(env, java, (*link).object, java.methods.input);
            (*link).output = buffer(env, java, (*link).object, java.methods.output);
            if (*link).input.start.is_null() || (*link).output.start.is_null() {
                return Err(Error::new(Code::LimitSize, "the JVM has no memory for a channel"));
            }
        }
        Ok(process)
    }

    pub fn descriptor(&self) -> RawFd {
        // SAFETY: the link lives as long as this; nothing else writes the socket.
        unsafe { (*self.link).socket.descriptor() }
    }

    #[inline]
    fn link(&mut self) -> &mut Link {
        // SAFETY: the link lives as long as this. Calls of Java's reach it too, in the midst of `exchange`, which holds no
        // reference to it meanwhile.
        unsafe { &mut *self.link }
    }

    /// Sets the link from which large values are read, for a call from Java.
    pub fn set_source(&mut self, source: Object) {
        self.link().source = source;
    }

    /// Reads large values from this channel's own link again.
    pub fn own_source(&mut self) {
        let link = self.link();
        link.source = link.object;
    }

    /// Takes the frames that were written: a reply, which the caller passes to Java itself.
    pub fn take_written(&mut self) -> (&[u8], Vec<Blob>) {
        let link = self.link();
        let written = std::mem::take(&mut link.written);
        // SAFETY: so many bytes were written there.
        (unsafe { std::slice::from_raw_parts(link.input.start, written) }, std::mem::take(&mut link.blobs))
    }

    /// Whether an interrupt of a call was sent, which may still be on its way.
    #[inline]
    pub fn was_interrupted(&mut self) -> bool {
        self.link().interrupted
    }

    /// Appends frames to the written ones.
    #[inline]
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), Stop> {
        self.link().append(bytes)
    }

    /// Lends the bytes of a large value until the reply has come.
    pub fn lend(&mut self, bytes: &[u8]) {
        self.link().blobs.push(Blob::Lent(bytes.as_ptr(), bytes.len()));
    }

    /// Copies lent bytes that are about to be freed before the other side has read them.
    pub fn keep(&mut self) {
        for blob in &mut self.link().blobs {
            if let Blob::Lent(..) = blob {
                *blob = Blob::Owned(blob.bytes().to_vec());
            }
        }
    }

    /// Reads frames. If there are none, calls the JVM with the written ones, and returns the first of its own.
    #[inline]
    pub fn read(&mut self, py: Python<'_>, into: &mut [u8]) -> Result<usize, Stop> {
        let (start, end) = self.link().unread;
        if start == end {
            self.exchange(py)?;
        }
        let link = self.link();
        let (start, end) = link.unread;
        let count = into.len().min(end - start);
        // SAFETY: `start..end` lies within the buffer of Java's frames.
        unsafe { ptr::copy_nonoverlapping(link.output.start.add(start), into.as_mut_ptr(), count) };
        link.unread.0 += count;
        Ok(count)
    }

    fn exchange(&mut self, py: Python<'_>) -> Result<(), Stop> {
        let ended = |error: Error| Stop::End(error.text.into_owned());
        let java = java().map_err(ended)?;
        let env = java.env().map_err(ended)?;
        let link = self.link;
        // SAFETY: the link lives as long as this. No reference to it is held while the JVM runs: calls of Java's use it.
        let said = unsafe {
            let mut values = [Value { object: (*link).object }, Value { int: (*link).written as i32 }];
            let (watch, early) = interrupt::Watch::begin(py, (*link).call);
            if early.is_some() {
                // The call that is handed over begins with an interrupt.
                values[1] = Value { int: !((*link).written as i32) };
            }
            let entry = Entry { env, values };
            let said = py.detach(move || entry.run(java));
            (*link).written = 0;
            (*link).blobs.clear();
            ((*link).blob_next, (*link).blob_read) = (0, 0);
            (*link).source = (*link).object;
            if said >= 0 {
                (*link).said(env, java, said);
            }
            if (*link).input.capacity > KEPT {
                // Without memory for a smaller one the large one stays.
                let _ = (*link).resize(ROOM);
            }
            // The reply stays in the buffer, and is read next time.
            let came = watch.end();
            let late = (*link).late.take();
            if came {
                // Set even if the handler does not raise, or has run already in a call from Java.
                (*link).interrupted = true;
                py.check_signals().map_err(Stop::Signal)?;
            }
            if let Some(error) = early.or(late) {
                return Err(Stop::Signal(error));
            }
            said
        };
        match said {
            0.. if self.link().unread.1 > 0 => Ok(()),
            0.. => Err(Stop::End("the JVM returned without a reply".to_owned())),
            _ => Err(match self.link().failed.take() {
                Some(error) => Stop::Signal(error),
                None => Stop::End("the JVM has ended the channel".to_owned()),
            }),
        }
    }

    /// Fills memory with the next large value that follows the message.
    pub fn fill(&mut self, into: &mut [u8]) -> Result<(), Error> {
        self.next_blob(into.len(), |bytes| into.copy_from_slice(bytes))
    }

    /// Skips large values of so many bytes.
    pub fn drain(&mut self, mut length: usize) -> Result<(), Error> {
        while length > 0 {
            let next = self.blob_bytes()?;
            if next > length {
                return Err(wrong());
            }
            self.next_blob(next, |_| {})?;
            length -= next;
        }
        Ok(())
    }

    fn blob_bytes(&mut self) -> Result<usize, Error> {
        let java = java()?;
        let env = java.env()?;
        let value = Value { object: self.link().source };
        // SAFETY: this thread's environment, a global reference.
        let length = unsafe { env.call_static_long_method(java.link, java.methods.blob_bytes, &value) };
        usize::try_from(length).map_err(|_| wrong())
    }

    fn next_blob(&mut self, length: usize, take: impl FnOnce(&[u8])) -> Result<(), Error> {
        if self.blob_bytes()? != length {
            return Err(wrong());
        }
        let java = java()?;
        let env = java.env()?;
        let value = Value { object: self.link().source };
        // SAFETY: this thread's environment, a global reference; the array has so many bytes, and `take` only copies them.
        unsafe {
            let array = env.call_static_object_method(java.link, java.methods.take_blob, &value);
            let start = env.get_primitive_array_critical(array, ptr::null_mut());
            if start.is_null() {
                env.exception_clear();
                env.delete_local_ref(array);
                return Err(Error::new(Code::LimitSize, "the JVM has no memory for a large value"));
            }
            take(std::slice::from_raw_parts(start.cast(), length));
            const ABORT: i32 = 2;
            env.release_primitive_array_critical(array, start, ABORT);
            env.delete_local_ref(array);
        }
        Ok(())
    }
}

fn wrong() -> Error {
    Error::new(Code::Malformed, "a large value has another length than its message says").at(0)
}

impl Entry {
    #[inline]
    fn run(self, java: &Java) -> i64 {
        // SAFETY: this thread's environment; `exchange` throws nothing.
        unsafe { self.env.call_static_long_method(java.link, java.methods.exchange, self.values.as_ptr()) }
    }
}

unsafe fn buffer(env: Env, java: &Java, link: Object, method: super::jni::Method) -> Buffer {
    let value = Value { object: link };
    // SAFETY: this thread's environment, a global reference.
    unsafe {
        let object = env.call_static_object_method(java.link, method, &value);
        let buffer = direct(env, object);
        env.exception_clear();
        env.delete_local_ref(object);
        buffer
    }
}

unsafe fn direct(env: Env, object: Object) -> Buffer {
    if object.is_null() {
        return Buffer { start: ptr::null_mut(), capacity: 0 };
    }
    // SAFETY: a direct buffer, which `ProcessLink` keeps until it is replaced.
    unsafe {
        let capacity = env.get_direct_buffer_capacity(object);
        Buffer { start: env.get_direct_buffer_address(object).cast(), capacity: capacity.max(0) as usize }
    }
}

impl Link {
    /// Stores what Java returned about the frames that it sent.
    ///
    /// # Safety
    /// The environment is this thread's.
    #[inline]
    unsafe fn said(&mut self, env: Env, java: &Java, said: i64) {
        if said & REPLACED != 0 {
            // SAFETY: the environment is this thread's, as this function asks.
            self.output = unsafe { buffer(env, java, self.object, java.methods.output) };
        }
        self.unread = (0, ((said & ((1 << BLOBS_SHIFT) - 1)) as usize).min(self.output.capacity));
    }

    /// The frames of a call from Java.
    ///
    /// # Safety
    /// The environment is this thread's; the bytes are Java's, and read before it goes on.
    pub unsafe fn call<'a>(&mut self, env: Env, java: &Java, said: i64) -> &'a [u8] {
        // SAFETY: the environment is this thread's; the bytes are Java's, and read before it goes on, as this
        // function asks.
        unsafe {
            self.said(env, java, said);
            let (_, end) = std::mem::take(&mut self.unread);
            std::slice::from_raw_parts(self.output.start, end)
        }
    }

    /// Appends frames to those for Java.
    #[inline]
    pub fn append(&mut self, bytes: &[u8]) -> Result<(), Stop> {
        let needed = self.written + bytes.len();
        if needed > self.input.capacity {
            self.resize(needed.max(2 * self.input.capacity))?;
        }
        // SAFETY: there is room for so many bytes.
        unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), self.input.start.add(self.written), bytes.len()) };
        self.written = needed;
        Ok(())
    }

    #[cold]
    fn resize(&mut self, capacity: usize) -> Result<(), Stop> {
        let full = || Stop::End("the JVM has no memory for the message".to_owned());
        let java = java().map_err(|error| Stop::End(error.text.into_owned()))?;
        let env = java.env().map_err(|error| Stop::End(error.text.into_owned()))?;
        let capacity = i32::try_from(capacity).map_err(|_| full())?;
        let values = [Value { object: self.object }, Value { int: capacity }];
        // SAFETY: this thread's environment, a global reference; the old buffer is not used any more.
        unsafe {
            let object = env.call_static_object_method(java.link, java.methods.resize, values.as_ptr());
            if env.exception_check() != 0 || object.is_null() {
                env.exception_clear();
                return Err(full());
            }
            self.input = direct(env, object);
            env.delete_local_ref(object);
        }
        Ok(())
    }

    /// The next bytes of the large values that follow, which Java reads in order. None if there are fewer.
    pub fn blob_part(&mut self, length: usize) -> Option<*const u8> {
        let blob = self.blobs.get(self.blob_next)?.bytes();
        let part = blob.get(self.blob_read..self.blob_read + length)?.as_ptr();
        self.blob_read += length;
        if self.blob_read == blob.len() {
            (self.blob_next, self.blob_read) = (self.blob_next + 1, 0);
        }
        Some(part)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // SAFETY: the link was boxed in `attach`, and this was its only owner. The channel within drops first.
        let mut link = unsafe { Box::from_raw(self.link) };
        link.serving = None;
        if link.object.is_null() {
            return;
        }
        // In a fork, and while the process is ending, the JVM must not be called.
        let Ok(java) = java() else { return };
        match java.env() {
            Ok(env) => end(java, env, link.object),
            Err(_) => ORPHANS.lock().unwrap_or_else(PoisonError::into_inner).push(link.object as usize),
        }
    }
}

/// Ends Java's side of a channel.
fn end(java: &Java, env: Env, object: Object) {
    let value = Value { object };
    // SAFETY: this thread's environment; the global reference is used for the last time.
    unsafe {
        env.call_static_void_method(java.link, java.methods.drop, &value);
        env.exception_clear();
        env.delete_global_ref(object);
    }
}
