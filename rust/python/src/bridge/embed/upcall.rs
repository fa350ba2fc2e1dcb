//! The native methods that the JVM calls during a call: for a Python object's method, and for the bytes of large
//! values.

use crate::bridge::call::serve::serve_message;
use crate::bridge::channel::state::State;
use crate::bridge::channel::Channel;
use crate::bridge::session::faults::missed;
use crate::bridge::session::open::open;
use crate::bridge::session::thread::Serving;
use crate::bridge::session::Session;
use crate::bridge::transport::jvm::interrupt::Pause;
use crate::bridge::transport::jvm::jni::{Env, Native, Object};
use crate::bridge::transport::jvm::link::Link;
use crate::bridge::transport::jvm::machine::java;
use crate::bridge::transport::Stop;
use crate::core::fault::{set, Fault};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use samewire_bridge::Role;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::Arc;

/// Registers the native methods of `ProcessLink`.
///
/// # Safety
/// The environment is this thread's, the class `ProcessLink`.
pub unsafe fn register(env: Env, class: Object) -> i32 {
    let natives = [
        Native { name: c"call".as_ptr(), signature: c"(JJ)I".as_ptr(), function: call as *const _ },
        Native { name: c"fill".as_ptr(), signature: c"(J[BII)Z".as_ptr(), function: fill as *const _ },
    ];
    // SAFETY: the caller's conditions; the functions have the types that their signatures say.
    unsafe { env.register_natives(class, natives.as_ptr(), natives.len() as i32) }
}

/// Serves the call in a link's buffer. Returns the length of the reply in its other buffer, or -1.
extern "system" fn call(env: Env, _class: Object, handle: i64, said: i64) -> i32 {
    let link = handle as *mut Link;
    // A panic must not cross Java's frames.
    let served = catch_unwind(AssertUnwindSafe(|| {
        // None: the interpreter is ending.
        Python::try_attach(|py| {
            let pause = Pause::begin();
            // SAFETY: Java calls with the handle of a link that waits for it, on that link's thread.
            unsafe {
                let served = serve(py, env, link, said).map_err(|Fault| (*link).failed = PyErr::take(py));
                if let Some(error) = pause.end(py) {
                    (*link).late = Some(error);
                }
                served
            }
        })
    }));
    match served {
        Ok(Some(Ok(length))) => i32::try_from(length).unwrap_or(-1),
        _ => -1,
    }
}

/// Opens a channel for calls from Java. If a signal handler raises meanwhile, the first call raises that.
#[cold]
fn opened(py: Python<'_>, state: &Arc<State>) -> Result<Channel, Fault> {
    open(py, state, Role::Call)
        .or_else(|error| {
            if error.is_instance_of::<PyOSError>(py) {
                return Err(error);
            }
            let channel = open(py, state, Role::Call)?;
            channel.raised.set(Some(error));
            Ok(channel)
        })
        .map_err(set)
}

unsafe fn serve(py: Python<'_>, env: Env, link: *mut Link, said: i64) -> Result<usize, Fault> {
    // SAFETY: the link is alive, and its thread is in the midst of a call of it: no reference to it is held but those here, each
    // of which ends before Python code runs.
    unsafe {
        let session = (*link).session.as_ref().map(|session| session.bind(py).upgrade_as::<Session>());
        let Some(Ok(Some(session))) = session else { return Err(Fault) };
        let session: &Session = session.get();
        let channel = match (*link).serving.take().map(|serving| serving.downcast::<Channel>()) {
            // An interrupt of a retired channel may still arrive.
            Some(Ok(channel)) if !channel.is_broken() && !channel.retired.get() => channel,
            _ => Box::new(opened(py, &session.state)?),
        };
        let frames = (*link).call(env, java().map_err(|_| Fault)?, said);
        channel.feed(frames);
        let source = (*link).object;
        channel.with_process(|process| process.set_source(source)).ok_or(Fault)?;
        let served = {
            let _serving = Serving::instead(session.channels.clone(), &channel);
            channel.busy.set(true);
            loop {
                if !channel.has_message() {
                    break Ok(());
                }
                let taken = channel.receive(py, None);
                let served = match taken {
                    Ok(()) => serve_message(py, session, &channel),
                    Err(missing) => Err(missed(session, &channel, missing)),
                };
                if let Err(Fault) = served {
                    break Err(Fault);
                }
            }
        };
        served?;
        let written = channel.with_process(|process| {
            process.own_source();
            let (reply, blobs) = process.take_written();
            (*link).written = 0;
            (*link).append(reply).map(|()| blobs)
        });
        (*link).blobs = written.ok_or(Fault)?.map_err(|_: Stop| Fault)?;
        ((*link).blob_next, (*link).blob_read) = (0, 0);
        (*link).serving = Some(channel);
        Ok(std::mem::take(&mut (*link).written))
    }
}

/// Copies the next bytes of a large value into an array.
extern "system" fn fill(env: Env, _class: Object, handle: i64, into: Object, from: i32, length: i32) -> u8 {
    let link = handle as *mut Link;
    // SAFETY: Java calls with the handle of a link that waits for it, on that link's thread, and with an array of which it has
    // checked the bounds, as JNI does again.
    unsafe {
        let Ok(length) = usize::try_from(length) else { return 0 };
        match (*link).blob_part(length) {
            Some(part) => {
                env.set_byte_array_region(into, from, length as i32, part.cast());
                1
            }
            None => 0,
        }
    }
}
