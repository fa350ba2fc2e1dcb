//! The JVM of this process: loaded once, and never unloaded.

use super::jni::{
    AttachArguments, CreateJavaVm, CreatedJavaVms, Env, JavaOption, Machine, Method, Object, StartArguments, Value, OK,
    VERSION,
};
use crate::bridge::transport::process;
use samewire_core::{Code, Error};
use std::cell::Cell;
use std::ffi::{CStr, CString};
use std::mem;
use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

/// References that were made when the JVM was started.
pub struct Java {
    machine: Machine,
    /// The process's fork generation: a forked child has the JVM's memory, but none of its threads.
    generation: u32,
    /// The class `ProcessLink`, and its methods.
    pub link: Object,
    pub methods: Methods,
    embedded: Object,
    start: Method,
    shutdown: (Object, Method),
}

pub struct Methods {
    pub take: Method,
    pub input: Method,
    pub output: Method,
    pub resize: Method,
    pub exchange: Method,
    pub blob_bytes: Method,
    pub take_blob: Method,
    pub drop: Method,
}

// SAFETY: the JVM may be used by any thread that is attached to it, global references and methods too.
unsafe impl Send for Java {}
// SAFETY: the JVM may be used by any thread that is attached to it, global references and methods too.
unsafe impl Sync for Java {}

static JAVA: OnceLock<Java> = OnceLock::new();
static STARTING: Mutex<()> = Mutex::new(());
/// The process is ending: no thread may call the JVM any more.
static OVER: AtomicBool = AtomicBool::new(false);

fn misuse(text: impl Into<std::borrow::Cow<'static, str>>) -> Error {
    Error::new(Code::Misuse, text)
}

/// The JVM; `misuse` if there is none, or if it is that of the process from which this one was forked.
pub fn java() -> Result<&'static Java, Error> {
    let java = JAVA.get().ok_or_else(|| misuse("no JVM has been started in this process"))?;
    if java.generation != process::generation() {
        return Err(misuse(
            "the JVM was started by the process that this one was forked from: start a process anew (spawn)",
        ));
    }
    if OVER.load(Ordering::Relaxed) {
        return Err(Error::new(Code::Closed, "the process is ending, and its JVM with it"));
    }
    Ok(java)
}

struct Attached {
    env: Cell<Option<Env>>,
    /// Whether this module attached the thread, and so detaches it.
    ours: Cell<bool>,
}

impl Drop for Attached {
    fn drop(&mut self) {
        if !self.ours.get() {
            return;
        }
        if let Ok(java) = java() {
            // SAFETY: this thread is attached, and no frame of Java's is left on its stack as it ends.
            unsafe { java.machine.detach() };
        }
    }
}

thread_local! {
    static ATTACHED: Attached = const { Attached { env: Cell::new(None), ours: Cell::new(false) } };
}

impl Java {
    /// This thread's access to the JVM. A thread that has none is attached as a daemon until it ends.
    #[inline]
    pub fn env(&self) -> Result<Env, Error> {
        match ATTACHED.try_with(|attached| attached.env.get()) {
            Ok(Some(env)) => Ok(env),
            Ok(None) => self.attach(),
            Err(_) => Err(Error::new(Code::Closed, "the thread is ending")),
        }
    }

    #[cold]
    fn attach(&self) -> Result<Env, Error> {
        let mut env = Env(ptr::null_mut());
        // SAFETY: the JVM is alive; both calls store the environment in `env`.
        let ours = unsafe {
            if self.machine.env(&mut env, VERSION) == OK {
                false
            } else {
                let arguments = AttachArguments { version: VERSION, name: ptr::null(), group: ptr::null_mut() };
                let status = self.machine.attach_as_daemon(&mut env, &arguments);
                if status != OK {
                    return Err(Error::new(
                        Code::LimitSize,
                        format!("the JVM does not take this thread: JNI error {status}"),
                    ));
                }
                true
            }
        };
        ATTACHED.with(|attached| {
            attached.env.set(Some(env));
            attached.ours.set(ours);
        });
        Ok(env)
    }

    /// Starts or restarts the gateway of this process's JVM.
    pub fn start_gateway(&self, arguments: &[String], token: &[u8]) -> Result<(), Error> {
        let env = self.env()?;
        // SAFETY: this thread's environment. References are dropped with the frame; an exception is taken before the next call.
        unsafe {
            if env.push_local_frame(arguments.len() as i32 + 8) != OK {
                return Err(failed(env, "the JVM has no memory"));
            }
            let started = (|| {
                let class = env.find_class(c"java/lang/String".as_ptr());
                let array = env.new_object_array(arguments.len() as i32, class, ptr::null_mut());
                for (index, argument) in arguments.iter().enumerate() {
                    let text = CString::new(argument.as_str()).map_err(|_| misuse("an argument with a zero byte"))?;
                    env.set_object_array_element(array, index as i32, env.new_string(text.as_ptr()));
                }
                let bytes = env.new_byte_array(token.len() as i32);
                env.set_byte_array_region(bytes, 0, token.len() as i32, token.as_ptr().cast());
                let values = [Value { object: array }, Value { object: bytes }];
                let refused = env.call_static_object_method(self.embedded, self.start, values.as_ptr());
                if env.exception_check() != 0 {
                    return Err(failed(env, "the gateway did not start"));
                }
                match refused.is_null() {
                    true => Ok(()),
                    false => {
                        Err(misuse(format!("the gateway did not start: {}", env.text(refused).unwrap_or_default())))
                    }
                }
            })();
            env.pop_local_frame(ptr::null_mut());
            started
        }
    }
}

/// The error of a failed JNI call.
unsafe fn failed(env: Env, what: &str) -> Error {
    // SAFETY: the caller's environment.
    let why = unsafe { env.take_exception() }.unwrap_or_else(|| "JNI does not say why".to_owned());
    Error::new(Code::Closed, format!("{what}: {why}"))
}

/// Loads the library of the JVM and starts it with these options.
///
/// # Errors
/// `misuse` if this process has, or had, a JVM: JNI allows one; or if the library or an option is not one.
pub fn start(library: &str, options: &[String], natives: unsafe fn(Env, Object) -> i32) -> Result<(), Error> {
    let _starting = STARTING.lock().unwrap_or_else(PoisonError::into_inner);
    if JAVA.get().is_some() {
        return Err(misuse("this process has started its JVM: there is one for each process, and never a second"));
    }
    process::watch();
    let texts: Result<Vec<CString>, _> = options.iter().map(|option| CString::new(option.as_str())).collect();
    let texts = texts.map_err(|_| misuse("an option of the JVM with a zero byte"))?;
    let options: Vec<JavaOption> =
        texts.iter().map(|text| JavaOption { text: text.as_ptr(), extra: ptr::null_mut() }).collect();
    let (mut machine, mut env) = (Machine(ptr::null_mut()), Env(ptr::null_mut()));
    // SAFETY: the two symbols are JNI's, of these types; arguments live until the calls return.
    unsafe {
        let (create, created) = symbols(library)?;
        let mut count = 0;
        if created(&mut machine, 1, &mut count) == OK && count > 0 {
            return Err(misuse("another library has started a JVM in this process: there is one for each process"));
        }
        let mut arguments = StartArguments {
            version: VERSION,
            count: options.len() as i32,
            options: options.as_ptr(),
            ignore_unrecognized: 0,
        };
        let status = create(&mut machine, &mut env, &mut arguments);
        if status != OK {
            let text = format!("the JVM did not start (JNI error {status}); its output says why: {texts:?}");
            return Err(misuse(text));
        }
        let java = Java::find(machine, env, natives)?;
        let _ = JAVA.set(java);
    }
    ATTACHED.with(|attached| attached.env.set(Some(env)));
    Ok(())
}

unsafe fn symbols(library: &str) -> Result<(CreateJavaVm, CreatedJavaVms), Error> {
    let path = CString::new(library).map_err(|_| misuse("a path with a zero byte"))?;
    // SAFETY: the library of a JVM may be loaded; it is never unloaded. The symbols have these types.
    unsafe {
        let handle = libc::dlopen(path.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL);
        if handle.is_null() {
            let why = CStr::from_ptr(libc::dlerror()).to_string_lossy().into_owned();
            return Err(misuse(format!("{library}: no library of a JVM: {why}")));
        }
        let create = libc::dlsym(handle, c"JNI_CreateJavaVM".as_ptr());
        let created = libc::dlsym(handle, c"JNI_GetCreatedJavaVMs".as_ptr());
        if create.is_null() || created.is_null() {
            return Err(misuse(format!("{library} is not a JVM's library: expected libjvm.so")));
        }
        Ok((
            mem::transmute::<*mut libc::c_void, CreateJavaVm>(create),
            mem::transmute::<*mut libc::c_void, CreatedJavaVms>(created),
        ))
    }
}

impl Java {
    unsafe fn find(machine: Machine, env: Env, natives: unsafe fn(Env, Object) -> i32) -> Result<Java, Error> {
        // SAFETY: this thread's environment; each result is looked at before it is used.
        unsafe {
            let class = |name: &CStr| {
                let class = env.find_class(name.as_ptr());
                if class.is_null() {
                    return Err(failed(env, "the JVM does not find samewire's classes on its class path"));
                }
                Ok(env.new_global_ref(class))
            };
            let method = |class: Object, name: &CStr, signature: &CStr| {
                let method = env.get_static_method_id(class, name.as_ptr(), signature.as_ptr());
                if method.is_null() {
                    return Err(failed(env, "the JVM has other classes of samewire than this version's"));
                }
                Ok(method)
            };
            let link = class(c"io/samewire/bridge/process/ProcessLink")?;
            let embedded = class(c"io/samewire/bridge/process/Embedded")?;
            let last = class(c"java/lang/Shutdown")?;
            if natives(env, link) != OK {
                return Err(failed(env, "the JVM has other classes of samewire than this version's"));
            }
            let of = |name: &CStr, signature: &CStr| method(link, name, signature);
            let methods = Methods {
                take: of(c"take", c"(Ljava/lang/String;J)Lio/samewire/bridge/process/ProcessLink;")?,
                input: of(c"in", c"(Lio/samewire/bridge/process/ProcessLink;)Ljava/nio/ByteBuffer;")?,
                output: of(c"out", c"(Lio/samewire/bridge/process/ProcessLink;)Ljava/nio/ByteBuffer;")?,
                resize: of(c"resize", c"(Lio/samewire/bridge/process/ProcessLink;I)Ljava/nio/ByteBuffer;")?,
                exchange: of(c"exchange", c"(Lio/samewire/bridge/process/ProcessLink;I)J")?,
                blob_bytes: of(c"blobBytes", c"(Lio/samewire/bridge/process/ProcessLink;)J")?,
                take_blob: of(c"takeBlob", c"(Lio/samewire/bridge/process/ProcessLink;)Ljava/lang/Object;")?,
                drop: of(c"drop", c"(Lio/samewire/bridge/process/ProcessLink;)V")?,
            };
            let start = method(embedded, c"start", c"([Ljava/lang/String;[B)Ljava/lang/String;")?;
            let shutdown = (last, method(last, c"shutdown", c"()V")?);
            Ok(Java { machine, generation: process::generation(), link, methods, embedded, start, shutdown })
        }
    }
}

/// Runs Java's shutdown hooks, for `patience` at most. From then on no thread may call the JVM. The JVM itself ends
/// with the process: DestroyJavaVM would wait for every thread that a Java program has left running.
pub fn stop(patience: Duration) {
    let Ok(java) = java() else { return };
    let (told, done) = std::sync::mpsc::channel();
    let hooks = std::thread::Builder::new().name("samewire shutdown".to_owned()).spawn(move || {
        if let Ok(env) = java.env() {
            // SAFETY: this thread's environment, and a method without arguments.
            unsafe {
                env.call_static_void_method(java.shutdown.0, java.shutdown.1, ptr::null());
                env.exception_clear();
            }
        }
        let _ = told.send(());
    });
    if hooks.is_ok() {
        let _ = done.recv_timeout(patience);
    }
    OVER.store(true, Ordering::Relaxed);
}
