//! How a session opens its channels.

use super::{Socket, Stream, Transport};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use samewire_core::{Code, Error};
use std::net::TcpStream;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::time::Duration;

/// How long a connection over TCP may take.
const PATIENCE: Duration = Duration::from_secs(10);

pub enum Dial {
    Unix(PathBuf),
    /// The unix socket of the gateway of the JVM within this process, which carries all channels but those for calls.
    Process(PathBuf),
    Tcp(String, u16),
    /// A callable that returns a connected stream: a socket that encrypts.
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

    pub fn is_unix(&self) -> bool {
        matches!(self, Dial::Unix(_) | Dial::Process(_))
    }

    /// Opens a connection. Raises OSError.
    pub fn open(&self, py: Python<'_>) -> PyResult<Transport> {
        match self {
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

/// The subclass of OSError of a number, with what was dialled.
fn failed(error: &std::io::Error, address: &str) -> PyErr {
    match error.raw_os_error() {
        Some(number) => PyOSError::new_err((number, error.to_string(), address.to_owned())),
        None => PyOSError::new_err(format!("{address}: {error}")),
    }
}
