//! Opens the connections of a session's channels.

use super::{Pipes, Socket, Stream, Transport};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use samewire_bridge::Role;
use samewire_core::{Code, Error};
use std::net::TcpStream;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long a connection over TCP, or a gateway that is about to listen, may take.
const PATIENCE: Duration = Duration::from_secs(10);
/// The interval of attempts to connect to a gateway that is about to listen, which takes it some milliseconds.
const LOOK: Duration = Duration::from_millis(1);

/// The ends of pipes whose other ends the gateway was started with, until a channel takes them.
pub struct Inherited {
    control: Mutex<Option<Pipes>>,
    calls: Mutex<Option<Pipes>>,
}

pub enum Dial {
    Unix(PathBuf),
    /// The gateway of a JVM that this process has started: the pipes that it was started with, and the unix socket on
    /// which it listens after its first replies.
    Launched(PathBuf, Inherited),
    /// The unix socket of the gateway in this process's JVM. It carries all channels except those for calls.
    Process(PathBuf),
    Tcp(String, u16),
    /// A callable that returns a connected stream: a TLS socket.
    Stream(Py<PyAny>),
}

impl Dial {
    /// `unix:PATH`, `process:PATH`, or a pair of host and port.
    pub fn parse(address: &Bound<'_, PyAny>) -> PyResult<Dial> {
        if let Ok((host, port)) = address.extract::<(String, u16)>() {
            return Ok(Dial::Tcp(host, port));
        }
        if let Ok(text) = address.extract::<String>() {
            if let Some(path) = text.strip_prefix("unix:") {
                return Ok(Dial::Unix(path.into()));
            }
            if let Some(path) = text.strip_prefix("process:") {
                return Ok(Dial::Process(path.into()));
            }
        }
        let text = format!("address={}: expected 'unix:PATH' or (host, port)", address.repr()?);
        Err(crate::core::fault::raise(Error::new(Code::Misuse, text)))
    }

    /// Takes the ends of pipes: the read and write end of the control channel, then of the first call channel.
    pub fn launched(path: &str, ends: [OwnedFd; 4]) -> std::io::Result<Dial> {
        let [control_from, control_to, calls_from, calls_to] = ends;
        let control = Mutex::new(Some(Pipes::new(control_from, control_to)?));
        let calls = Mutex::new(Some(Pipes::new(calls_from, calls_to)?));
        Ok(Dial::Launched(path.into(), Inherited { control, calls }))
    }

    pub fn is_unix(&self) -> bool {
        matches!(self, Dial::Unix(_) | Dial::Process(_) | Dial::Launched(..))
    }

    /// Takes the connection that a gateway was started with for the next channel of a role, if there is one.
    pub fn inherited(&self, role: Role) -> Option<Transport> {
        let Dial::Launched(_, inherited) = self else { return None };
        match role {
            Role::Control => take(&inherited.control).map(Transport::Pipes),
            Role::Call => take(&inherited.calls).map(Transport::Pipes),
            Role::Callback => None,
        }
    }

    /// A connection to a launched gateway, if it listens by now.
    pub fn listening(&self) -> Option<Transport> {
        let Dial::Launched(path, _) = self else { return None };
        let stream = UnixStream::connect(path).ok()?;
        Some(Transport::Socket(Socket::new(OwnedFd::from(stream), "unix").ok()?))
    }

    /// Closes the connections that no channel has taken: the session has ended.
    pub fn close(&self) {
        if let Dial::Launched(_, inherited) = self {
            drop(take(&inherited.control));
            drop(take(&inherited.calls));
        }
    }

    /// Opens a connection, unless `ended` meanwhile. Raises OSError.
    pub fn open(&self, py: Python<'_>, ended: impl Fn() -> bool) -> PyResult<Transport> {
        match self {
            Dial::Launched(path, _) => {
                let stream = await_listening(py, path, ended)?;
                Ok(Transport::Socket(Socket::new(OwnedFd::from(stream), "unix")?))
            }
            Dial::Unix(path) | Dial::Process(path) => {
                // A unix socket connects at once, or waits for a place in the gateway's queue.
                let stream = py.detach(|| UnixStream::connect(path));
                let stream = stream.map_err(|error| failed(&error, &path.display().to_string()))?;
                Ok(Transport::Socket(Socket::new(OwnedFd::from(stream), "unix")?))
            }
            Dial::Tcp(host, port) => {
                let stream = py.detach(|| connect(host, *port));
                let stream = stream.map_err(|error| failed(&error, &format!("{host}:{port}")))?;
                stream.set_nodelay(true)?;
                Ok(Transport::Socket(Socket::new(OwnedFd::from(stream), "tcp")?))
            }
            Dial::Stream(open) => Ok(Transport::Stream(Stream::new(open.bind(py).call0()?)?)),
        }
    }
}

fn take<T>(end: &Mutex<Option<T>>) -> Option<T> {
    end.lock().unwrap_or_else(PoisonError::into_inner).take()
}

/// Connects to a gateway that does not listen before it has answered its first calls.
fn await_listening(py: Python<'_>, path: &Path, ended: impl Fn() -> bool) -> PyResult<UnixStream> {
    use std::io::ErrorKind::{ConnectionRefused, NotFound};
    let until = Instant::now() + PATIENCE;
    loop {
        // Without the GIL: once the gateway listens, connecting may wait for a place in its queue.
        match py.detach(|| UnixStream::connect(path)) {
            Ok(stream) => return Ok(stream),
            Err(error)
                if matches!(error.kind(), NotFound | ConnectionRefused) && Instant::now() < until && !ended() =>
            {
                py.detach(|| std::thread::sleep(LOOK));
                py.check_signals()?;
            }
            Err(error) => return Err(failed(&error, &path.display().to_string())),
        }
    }
}

/// Tries each address of a host.
fn connect(host: &str, port: u16) -> std::io::Result<TcpStream> {
    use std::net::ToSocketAddrs;
    let mut last = None;
    for address in (host, port).to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, PATIENCE) {
            Ok(stream) => return Ok(stream),
            Err(error) => last = Some(error),
        }
    }
    Err(last.unwrap_or_else(|| std::io::Error::new(std::io::ErrorKind::NotFound, "the host has no address")))
}

/// The subclass of OSError for an error number, with the address.
fn failed(error: &std::io::Error, address: &str) -> PyErr {
    match error.raw_os_error() {
        Some(number) => PyOSError::new_err((number, error.to_string(), address.to_owned())),
        None => PyOSError::new_err(format!("{address}: {error}")),
    }
}
