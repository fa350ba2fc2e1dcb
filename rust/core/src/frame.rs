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
/// `misuse` if there is no message, or one of 2^31 bytes or more: no scanner takes such a frame. `out` is then unchanged.
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

/// Cuts a stream, fed in pieces of any size, into messages. Messages are not looked into.
///
/// After an error it is dead and returns the same error again.
#[derive(Debug, Default)]
pub struct FrameScanner {
    limits: Limits,
    buffer: Vec<u8>,
    /// The bytes of `buffer` that have been returned.
    used: usize,
    /// The offset in the stream of the first byte of `buffer`; where `usize` has 32 bits it stops at 4 GiB.
    offset: usize,
    ended: bool,
    error: Option<Error>,
}

impl FrameScanner {
    /// Returns a scanner at the start of a stream. Of the limits, `frame_bytes` and `buffered_bytes` apply.
    pub fn new(limits: Limits) -> Self {
        FrameScanner { limits, ..FrameScanner::default() }
    }

    /// Reserves room for bytes, so that feeding no more than these does not allocate.
    ///
    /// # Errors
    /// If there is no memory for them; the scanner is then unchanged.
    pub fn reserve(&mut self, more: usize) -> Result<(), TryReserveError> {
        self.buffer.try_reserve(more)
    }

    /// Returns the length of the message that [`next`](Self::next) will return, or `None` if it will return none or an error.
    pub fn waiting(&self) -> Option<usize> {
        match (&self.error, self.scan()) {
            (None, Ok(Some((start, end)))) => Some(end - start),
            _ => None,
        }
    }

    /// Takes the next bytes of the stream.
    ///
    /// # Errors
    /// The error with which the scanner failed; `misuse` after [`end`](Self::end), and the scanner is then unchanged.
    pub fn feed(&mut self, bytes: &[u8]) -> Result<(), Error> {
        if let Some(error) = &self.error {
            return Err(error.clone());
        }
        if self.ended {
            return Err(Error::new(Code::Misuse, "bytes after the end of the stream"));
        }
        // Only where that frees as much as it moves: otherwise many untaken messages would be moved again and again.
        if self.used >= self.buffered() {
            self.buffer.drain(..self.used);
            self.offset = self.offset.saturating_add(self.used);
            self.used = 0;
        }
        self.buffer.extend_from_slice(bytes);
        Ok(())
    }

    /// Returns the next whole message, or `None` if more bytes are needed.
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
                Ok(Some(&self.buffer[start..end]))
            }
            Ok(None) => Ok(None),
            Err(error) => Err(self.fail(error)),
        }
    }

    /// Ends the stream. All whole messages must have been taken.
    ///
    /// # Errors
    /// `truncated` inside a frame, at the stream's length; otherwise what [`next`](Self::next) would return, `misuse` if it
    /// would return a message: the stream has then not ended.
    pub fn end(&mut self) -> Result<(), Error> {
        if let Some(error) = &self.error {
            return Err(error.clone());
        }
        let error = match self.scan() {
            Err(error) => error,
            Ok(Some(_)) => return Err(Error::new(Code::Misuse, "messages are left: call next until it returns none")),
            Ok(None) if self.used == self.buffer.len() => {
                self.ended = true;
                return Ok(());
            }
            Ok(None) => {
                let at = self.offset.saturating_add(self.buffer.len());
                Error::new(Code::Truncated, "the stream ends inside a frame").at(at)
            }
        };
        Err(self.fail(error))
    }

    /// The bytes buffered for the frame that is not whole yet.
    pub fn buffered(&self) -> usize {
        self.buffer.len() - self.used
    }

    fn fail(&mut self, error: Error) -> Error {
        self.buffer = Vec::new();
        self.used = 0;
        self.error = Some(error.clone());
        error
    }

    /// Returns where the next message lies in `buffer`, if it is whole.
    fn scan(&self) -> Result<Option<(usize, usize)>, Error> {
        let rest = &self.buffer[self.used..];
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
                let text = format!(
                    "a message of {length} bytes, over limits.frame_bytes or limits.buffered_bytes: raise them for data that \
                     you trust"
                );
                return Err(Error::new(Code::LimitSize, text).at(at));
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
    fn returns_the_same_error_after_an_error() {
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
    fn rejects_frame_longer_than_buffered_bytes() {
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
    fn limit_of_zero_rejects_every_frame() {
        let mut scanner = FrameScanner::new(Limits { frame_bytes: 0, ..Limits::DEFAULT });
        scanner.feed(&[1]).unwrap();
        assert_eq!(scanner.next().unwrap_err().code, Code::LimitSize);
    }

    #[test]
    fn rejects_lengths_of_32_bits() {
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
    fn rejects_writing_an_empty_message() {
        let mut out = vec![9];
        assert_eq!(write_frame(&[], &mut out).unwrap_err().code, Code::Misuse);
        assert_eq!(out, [9]);
    }

    #[test]
    fn ending_with_messages_left_is_misuse() {
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
    fn does_not_move_untaken_messages_for_each_taken() {
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
        assert_eq!((scanner.offset, scanner.buffer.len()), ((2 << 20) + 20_000, 1));
        assert_eq!(scanner.next().unwrap_err().at, Some((2 << 20) + 20_000));
    }

    #[test]
    fn feeding_after_the_end_is_misuse() {
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
