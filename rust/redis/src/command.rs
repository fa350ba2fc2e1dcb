//! Commands: arrays of bulk strings, which is all that a client sends.

use crate::number::{decimal, signed, DIGITS};
use alloc::vec::Vec;

/// One argument of a command.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Argument<'a> {
    /// Bytes as they are.
    Bytes(&'a [u8]),
    /// An integer, in decimal digits.
    Integer(i64),
    /// A double, in the shortest decimal form that reads back as the same number; `inf`, `-inf`, `nan`.
    Double(f64),
}

/// Appends a command to `out` whole: a head, then each argument, the command's name being the first.
///
/// ```
/// use samewire_redis::{write_command, Argument};
///
/// let mut out = Vec::new();
/// write_command(&[Argument::Bytes(b"GETDEL"), Argument::Bytes(b"key")], &mut out);
/// assert_eq!(out, b"*2\r\n$6\r\nGETDEL\r\n$3\r\nkey\r\n");
/// ```
pub fn write_command(arguments: &[Argument<'_>], out: &mut Vec<u8>) {
    let mut command = Command::begin(out, arguments.len());
    for argument in arguments {
        match *argument {
            Argument::Bytes(bytes) => command.bytes(bytes),
            Argument::Integer(value) => command.integer(value),
            Argument::Double(value) => command.double(value),
        }
    }
}

/// Writes one command into a buffer of the caller's, without an object per argument.
#[derive(Debug)]
pub struct Command<'o> {
    out: &'o mut Vec<u8>,
}

impl<'o> Command<'o> {
    /// Begins a command of so many arguments, its name included: so many must be written.
    #[inline]
    pub fn begin(out: &'o mut Vec<u8>, arguments: usize) -> Self {
        line(b'*', arguments, out);
        Command { out }
    }

    /// Goes on with a command that was begun in `out`, by [`begin`](Self::begin) or as a copy of bytes that it wrote.
    #[inline]
    pub fn resume(out: &'o mut Vec<u8>) -> Self {
        Command { out }
    }

    /// Writes an argument as it is.
    #[inline]
    pub fn bytes(&mut self, bytes: &[u8]) {
        // Head and CRLFs: at most 25 bytes.
        self.out.reserve(bytes.len() + 25);
        line(b'$', bytes.len(), self.out);
        self.out.extend_from_slice(bytes);
        self.out.extend_from_slice(b"\r\n");
    }

    /// Writes an integer in decimal digits.
    #[inline]
    pub fn integer(&mut self, value: i64) {
        let mut room = [0; DIGITS];
        self.bytes(signed(value, &mut room));
    }

    /// Writes a double in the shortest decimal form that reads back as the same number.
    pub fn double(&mut self, value: f64) {
        let mut text = Vec::new();
        double(value, &mut text);
        self.bytes(&text);
    }
}

/// Appends a type byte, a length or count, and CRLF.
#[inline]
pub(crate) fn line(kind: u8, number: usize, out: &mut Vec<u8>) {
    if number < 10 {
        out.extend_from_slice(&[kind, b'0' + number as u8, b'\r', b'\n']);
        return;
    }
    let mut room = [0; DIGITS];
    out.push(kind);
    out.extend_from_slice(decimal(number as u64, &mut room));
    out.extend_from_slice(b"\r\n");
}

/// Appends the text of a double.
pub(crate) fn double(value: f64, out: &mut Vec<u8>) {
    if value.is_nan() {
        out.extend_from_slice(b"nan");
    } else if value.is_infinite() {
        out.extend_from_slice(if value < 0.0 { b"-inf" } else { b"inf" });
    } else if value != 0.0 && !(1e-5..1e17).contains(&value.abs()) {
        out.extend_from_slice(format!("{value:e}").as_bytes());
    } else {
        out.extend_from_slice(format!("{value}").as_bytes());
    }
}
