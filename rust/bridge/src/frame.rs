//! Frames: a length of four bytes, and a message (`spec/bridge.md` section 2).

use crate::flat::put_u32;
use alloc::format;
use alloc::vec::Vec;
use samewire_core::{Code, Error};

/// The bytes of a length.
pub const HEAD: usize = 4;

/// Appends room for a length. The message follows, and then [`end`].
#[inline]
pub fn begin(out: &mut Vec<u8>) -> usize {
    let start = out.len();
    put_u32(out, 0);
    start
}

/// Sets the length of the frame that [`begin`] began at `start`.
///
/// # Errors
/// `limit_size` if the message is longer than `frame_bytes`, `misuse` if it is empty: the frame is then removed.
pub fn end(out: &mut Vec<u8>, start: usize, frame_bytes: usize) -> Result<(), Error> {
    let length = out.len() - start - HEAD;
    if length == 0 || length > frame_bytes.min(u32::MAX as usize) {
        out.truncate(start);
        return Err(match length {
            0 => Error::new(Code::Misuse, "a frame holds a message of one byte or more"),
            _ => {
                let text = format!(
                    "the message has {length} bytes, and limits.frame_bytes is {frame_bytes}: send less at once, numbers as arrays \
                     and texts as bytes (they do not count), or raise the limit on both sides: limits=Limits(frame_bytes=...)"
                );
                Error::new(Code::LimitSize, text)
            }
        });
    }
    out[start..start + HEAD].copy_from_slice(&(length as u32).to_le_bytes());
    Ok(())
}

/// The length of the message whose frame begins these bytes; `None` if the length is incomplete.
///
/// # Errors
/// `malformed` at 0 if it is 0, `limit_size` at 0 if it is more than `frame_bytes`.
#[inline]
pub fn length(bytes: &[u8], frame_bytes: usize) -> Result<Option<usize>, Error> {
    let Some(head) = bytes.first_chunk::<HEAD>() else {
        return Ok(None);
    };
    match u32::from_le_bytes(*head) as usize {
        0 => Err(Error::new(Code::Malformed, "expected a frame of one byte or more").at(0)),
        length if length > frame_bytes => {
            let text = format!("a frame of {length} bytes, longer than limits.frame_bytes of {frame_bytes}");
            Err(Error::new(Code::LimitSize, text).at(0))
        }
        length => Ok(Some(length)),
    }
}

/// Cuts a stream, fed in pieces of any size, into messages. It does not parse the messages.
///
/// After an error it is dead and returns the same error again.
#[derive(Debug)]
pub struct FrameScanner {
    frame_bytes: usize,
    buffer: Vec<u8>,
    /// The bytes of `buffer` that have been returned.
    used: usize,
    /// The offset in the stream of the first byte of `buffer`.
    offset: usize,
    error: Option<Error>,
}

impl FrameScanner {
    /// A scanner at the start of a stream.
    pub const fn new(frame_bytes: usize) -> Self {
        FrameScanner { frame_bytes, buffer: Vec::new(), used: 0, offset: 0, error: None }
    }

    /// Takes the next bytes of the stream.
    pub fn feed(&mut self, bytes: &[u8]) {
        // Only if that frees as much as it moves: otherwise many waiting messages would be moved again and again.
        if self.used >= self.buffer.len() - self.used {
            self.buffer.drain(..self.used);
            self.offset = self.offset.saturating_add(self.used);
            self.used = 0;
        }
        if self.error.is_none() {
            self.buffer.extend_from_slice(bytes);
        }
    }

    /// Returns the next whole message, or `None` if more bytes are needed.
    ///
    /// # Errors
    /// `malformed` (a length of 0) or `limit_size`, at the length, counted from the start of the stream.
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> Result<Option<&[u8]>, Error> {
        if let Some(error) = &self.error {
            return Err(error.clone());
        }
        match length(&self.buffer[self.used..], self.frame_bytes) {
            Ok(Some(length)) if self.buffer.len() - self.used - HEAD >= length => {
                let from = self.used + HEAD;
                self.used = from + length;
                Ok(Some(&self.buffer[from..self.used]))
            }
            Ok(_) => Ok(None),
            Err(error) => {
                let error = error.at(self.offset.saturating_add(self.used));
                self.error = Some(error.clone());
                Err(error)
            }
        }
    }

    /// Checks the end of the stream, which is valid between two frames.
    ///
    /// # Errors
    /// `truncated` inside a frame, at the stream's length; the error with which the scanner failed.
    pub fn end(&self) -> Result<(), Error> {
        match &self.error {
            Some(error) => Err(error.clone()),
            None if self.used == self.buffer.len() => Ok(()),
            None => {
                let at = self.offset.saturating_add(self.buffer.len());
                Err(Error::new(Code::Truncated, "the stream ends inside a frame").at(at))
            }
        }
    }
}
