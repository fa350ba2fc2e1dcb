//! The bell of a ring: the channel's socket, where any byte only means "check the ring".

use std::io;
use std::os::fd::RawFd;

/// Rings the bell.
///
/// # Errors
/// EPIPE or another if the peer is gone. A full socket is not an error: the peer has unread bytes, so it will wake up.
pub fn ring(socket: RawFd) -> io::Result<()> {
    loop {
        // SAFETY: one readable byte, and a descriptor of the caller's.
        let sent = unsafe { libc::send(socket, [1u8].as_ptr().cast(), 1, libc::MSG_DONTWAIT | libc::MSG_NOSIGNAL) };
        if sent >= 0 {
            return Ok(());
        }
        let error = io::Error::last_os_error();
        match error.kind() {
            io::ErrorKind::Interrupted => {}
            io::ErrorKind::WouldBlock => return Ok(()),
            _ => return Err(error),
        }
    }
}

/// Blocks until the bell rings: true; false if the peer is gone.
///
/// # Errors
/// `Interrupted` if a signal came: the caller runs its handlers and comes back.
pub fn hear(socket: RawFd) -> io::Result<bool> {
    let mut bytes = [0u8; 64];
    // SAFETY: 64 writable bytes, and a descriptor of the caller's.
    let count = unsafe { libc::recv(socket, bytes.as_mut_ptr().cast(), bytes.len(), 0) };
    if count < 0 {
        let error = io::Error::last_os_error();
        return match error.kind() {
            io::ErrorKind::ConnectionReset => Ok(false),
            _ => Err(error),
        };
    }
    Ok(count > 0)
}
