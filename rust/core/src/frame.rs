//! Streams of messages (`spec/pack.md` section 14).
//!
//! ```
//! use samewire_core::frame::{write_frame, FrameScanner};
//!
//! let mut stream = Vec::new();
//! write_frame(b"\x40\x02", &mut stream).unwrap();
//! write_frame(b"\x40\x04", &mut stream).unwrap();
//!
//! let mut scanner = FrameScanner::default();
//! scanner.feed(&stream[..4]).unwrap();
//! assert_eq!(scanner.next().unwrap(), Some(&b"\x40\x02"[..]));
//! assert_eq!(scanner.next().unwrap(), None);
//! scanner.feed(&stream[4..]).unwrap();
//! assert_eq!(scanner.next().unwrap(), Some(&b"\x40\x04"[..]));
//! scanner.end().unwrap();
//! ```

use crate::error::{Code, Error};
use crate::limits::Limits;
use alloc::collections::TryReserveError;
use alloc::format;
use alloc::vec::Vec;

/// The longest message that a frame can hold, in bytes.
const LONGEST: u64 = (1 << 31) - 1;

/// Appends a message as a frame: its length, then itself.
///
/// # Errors
/// `misuse` if there is no message, or one of 2^31 bytes or more: no scanner takes such a frame. `out` is then as it was.
pub fn write_frame(message: &[u8], out: &mut Vec<u8>) -> Result<(), Error> {
    let mut length = message.len();
    if length == 0 || length as u64 > LONGEST {
        return Err(Error::new(Code::Misuse, "a frame holds a message of 1 to 2,147,483,647 bytes"));
    }
    while length >= 0x80 {
        out.push(length as u8 | 0x80);
        length >>= 7;
    }
    out.push(length as u8);
    out.extend_from_slice(message);
    Ok(())
}

/// Cuts a stream, fed in pieces of any size, into messages. It keeps offsets only and looks into no message.
///
/// After an error it is dead and answers the same error again.
#[derive(Debug, Default)]
pub struct FrameScanner {
    limits: Limits,
    held: Vec<u8>,
    /// The bytes of `held` that have been handed out.
    used: usize,
    /// The offset in the stream of the first byte of `held`; where `usize` has 32 bits it stops at 4 GiB.
    offset: usize,
    ended: bool,
    error: Option<Error>,
}

impl FrameScanner {
    /// A scanner at the start of a stream; `frame_bytes` and `buffered_bytes` hold.
    pub fn new(limits: Limits) -> Self {
        FrameScanner { limits, ..FrameScanner::default() }
    }

    /// Makes room for bytes that are to be fed: who feeds no more has no allocation to fear there.
    ///
    /// # Errors
    /// If there is no memory for it; the scanner is then as it was.
    pub fn reserve(&mut self, more: usize) -> Result<(), TryReserveError> {
        self.held.try_reserve(more)
    }

    /// The length of what [`next`](Self::next) will answer; `None` if that is none or an error.
    pub fn waiting(&self) -> Option<usize> {
        match (&self.error, self.scan()) {
            (None, Ok(Some((start, end)))) => Some(end - start),
            _ => None,
        }
    }

    /// Takes the next bytes of the stream.
    ///
    /// # Errors
    /// The error that the scanner died of; `misuse` after [`end`](Self::end), and the scanner is then as it was.
    pub fn feed(&mut self, bytes: &[u8]) -> Result<(), Error> {
        if let Some(error) = &self.error {
            return Err(error.clone());
        }
        if self.ended {
            return Err(Error::new(Code::Misuse, "bytes after the end of the stream"));
        }
        // Only where that frees as much as it moves, or who leaves many messages would wait for each.
        if self.used >= self.buffered() {
            self.held.drain(..self.used);
            self.offset = self.offset.saturating_add(self.used);
            self.used = 0;
        }
        self.held.extend_from_slice(bytes);
        Ok(())
    }

    /// The next whole message; `None` if more bytes are needed.
    ///
    /// # Errors
    /// `bad_number`, `malformed` (a length of 0) or `limit_size`, at the length, counted from the start of the stream.
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> Result<Option<&[u8]>, Error> {
        if let Some(error) = &self.error {
            return Err(error.clone());
        }
        match self.scan() {
            Ok(Some((start, end))) => {
                self.used = end;
                Ok(Some(&self.held[start..end]))
            }
            Ok(None) => Ok(None),
            Err(error) => Err(self.die(error)),
        }
    }

    /// Declares the end of the stream. All whole messages must have been taken.
    ///
    /// # Errors
    /// `truncated` inside a frame, at the stream's length; otherwise what [`next`](Self::next) would answer, `misuse` if it
    /// would answer a message: the end is then not declared.
    pub fn end(&mut self) -> Result<(), Error> {
        if let Some(error) = &self.error {
            return Err(error.clone());
        }
        let error = match self.scan() {
            Err(error) => error,
            Ok(Some(_)) => return Err(Error::new(Code::Misuse, "messages are left: call next until it answers none")),
            Ok(None) if self.used == self.held.len() => {
                self.ended = true;
                return Ok(());
            }
            Ok(None) => {
                let at = self.offset.saturating_add(self.held.len());
                Error::new(Code::Truncated, "the stream ends inside a frame").at(at)
            }
        };
        Err(self.die(error))
    }

    /// The bytes held for the frame that is not whole yet.
    pub fn buffered(&self) -> usize {
        self.held.len() - self.used
    }

    fn die(&mut self, error: Error) -> Error {
        self.held = Vec::new();
        self.used = 0;
        self.error = Some(error.clone());
        error
    }

    /// Where the next message stands in `held`, if it is whole.
    fn scan(&self) -> Result<Option<(usize, usize)>, Error> {
        let rest = &self.held[self.used..];
        let at = self.offset.saturating_add(self.used);
        let mut length = 0u64;
        for i in 0..5 {
            let Some(&byte) = rest.get(i) else { return Ok(None) };
            length |= u64::from(byte & 0x7f) << (7 * i);
            if byte >= 0x80 {
                continue;
            }
            if byte == 0 && i > 0 || length > LONGEST {
                break;
            }
            let length = length as usize;
            if length == 0 {
                return Err(Error::new(Code::Malformed, "a frame without a message").at(at));
            }
            let whole = i + 1 + length;
            if length > self.limits.frame_bytes || whole > self.limits.buffered_bytes {
                return Err(Error::new(Code::LimitSize, format!("a message of {length} bytes")).at(at));
            }
            let start = self.used + i + 1;
            return Ok((rest.len() >= whole).then(|| (start, start + length)));
        }
        Err(Error::new(Code::BadNumber, "the length of a frame").at(at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    #[test]
    fn an_error_stays() {
        let mut scanner = FrameScanner::default();
        scanner.feed(&[1, 0x40, 0]).unwrap();
        assert_eq!(scanner.next().unwrap(), Some(&[0x40][..]));
        let error = scanner.next().unwrap_err();
        assert_eq!((error.code, error.at), (Code::Malformed, Some(2)));
        assert_eq!(scanner.feed(&[1, 0x40]).unwrap_err(), error);
        assert_eq!(scanner.next().unwrap_err(), error);
        assert_eq!(scanner.end().unwrap_err(), error);
    }

    #[test]
    fn a_frame_is_never_longer_than_the_buffer() {
        let mut scanner = FrameScanner::new(Limits { buffered_bytes: 4, ..Limits::DEFAULT });
        scanner.feed(&[3, 1]).unwrap();
        assert_eq!(scanner.next().unwrap(), None);
        assert_eq!(scanner.buffered(), 2);
        scanner.feed(&[2, 3, 4]).unwrap();
        assert_eq!(scanner.next().unwrap(), Some(&[1, 2, 3][..]));
        let error = scanner.next().unwrap_err();
        assert_eq!((error.code, error.at), (Code::LimitSize, Some(4)));
    }

    #[test]
    fn a_limit_of_0_refuses_every_frame() {
        let mut scanner = FrameScanner::new(Limits { frame_bytes: 0, ..Limits::DEFAULT });
        scanner.feed(&[1]).unwrap();
        assert_eq!(scanner.next().unwrap_err().code, Code::LimitSize);
    }

    #[test]
    fn a_length_has_31_bits_whatever_the_machine() {
        for (length, code) in [
            (&[0xff, 0xff, 0xff, 0xff, 0x07][..], Code::LimitSize),
            (&[0x80, 0x80, 0x80, 0x80, 0x08], Code::BadNumber),
            (&[0x82, 0x80, 0x80, 0x80, 0x10], Code::BadNumber),
            (&[0xff, 0xff, 0xff, 0xff, 0xff], Code::BadNumber),
            (&[0x81, 0x00], Code::BadNumber),
        ] {
            let mut scanner = FrameScanner::default();
            scanner.feed(length).unwrap();
            let error = scanner.next().unwrap_err();
            assert_eq!((error.code, error.at), (code, Some(0)), "{length:x?}");
        }
    }

    #[test]
    fn a_frame_holds_a_message() {
        let mut out = vec![9];
        assert_eq!(write_frame(&[], &mut out).unwrap_err().code, Code::Misuse);
        assert_eq!(out, [9]);
    }

    #[test]
    fn messages_left_at_the_end_are_misuse_and_can_still_be_taken() {
        let mut scanner = FrameScanner::default();
        scanner.feed(&[1, 0x40]).unwrap();
        let error = scanner.end().unwrap_err();
        assert_eq!((error.code, error.at), (Code::Misuse, None));
        scanner.feed(&[1]).unwrap();
        assert!(scanner.next().unwrap().is_some());
        let error = scanner.end().unwrap_err();
        assert_eq!((error.code, error.at), (Code::Truncated, Some(3)));
    }

    #[test]
    fn many_messages_that_are_left_are_not_moved_for_each_that_is_taken() {
        let mut scanner = FrameScanner::default();
        scanner.feed(&[1, 7].repeat(1 << 20)).unwrap();
        let mut moves = 0;
        for _ in 0..10_000 {
            assert_eq!(scanner.next().unwrap(), Some(&[7][..]));
            let before = scanner.offset;
            scanner.feed(&[1, 7]).unwrap();
            moves += usize::from(scanner.offset != before);
        }
        assert_eq!((moves, scanner.buffered()), (0, 2 << 20));
        for _ in 0..1 << 20 {
            assert!(scanner.next().unwrap().is_some());
        }
        assert_eq!(scanner.next().unwrap(), None);
        scanner.feed(&[0]).unwrap();
        assert_eq!((scanner.offset, scanner.held.len()), ((2 << 20) + 20_000, 1));
        assert_eq!(scanner.next().unwrap_err().at, Some((2 << 20) + 20_000));
    }

    #[test]
    fn bytes_after_the_end_are_misuse_and_the_scanner_is_as_it_was() {
        let mut scanner = FrameScanner::default();
        scanner.feed(&[1, 0x40]).unwrap();
        assert_eq!(scanner.next().unwrap(), Some(&[0x40][..]));
        scanner.end().unwrap();
        for bytes in [&[1, 0x41][..], &[]] {
            let error = scanner.feed(bytes).unwrap_err();
            assert_eq!((error.code, error.at), (Code::Misuse, None));
        }
        assert_eq!(scanner.next().unwrap(), None);
        scanner.end().unwrap();

        let mut scanner = FrameScanner::default();
        scanner.feed(&[2, 0x40]).unwrap();
        let error = scanner.end().unwrap_err();
        assert_eq!((error.code, error.at), (Code::Truncated, Some(2)));
        assert_eq!(scanner.feed(&[0]).unwrap_err(), error);
    }
}
