//! Cuts a record file into blocks without input and output (`spec/records.md` section 3).

use super::block::{can_begin, saturated, Block, BlockKind, CHECKSUM_BYTES, MAGIC, VERSION};
use super::crc32::crc32;
use super::varint::{read_varint, COUNT_BITS};
use crate::wire::header;
use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use samewire_core::{Code, Error, Limits};

/// Cuts a record file, fed in pieces of any size, into blocks whose checksum is right.
///
/// Holds one unfinished block and what was fed behind it. After an error it returns the same error again.
#[derive(Clone, Debug)]
pub struct BlockScanner {
    most: usize,
    buffer: Vec<u8>,
    /// The bytes of `buffer` that were returned.
    used: usize,
    /// Where in the file the first byte behind them stands.
    at: u64,
    begun: bool,
    error: Option<Error>,
}

impl BlockScanner {
    /// Returns a scanner at the start of a file. Of the limits, `buffered_bytes` bounds the size of a body.
    pub fn new(limits: &Limits) -> Self {
        BlockScanner { most: limits.buffered_bytes, buffer: Vec::new(), used: 0, at: 0, begun: false, error: None }
    }

    /// Returns a scanner of what follows offset `at`, where a block starts.
    pub fn starting_at(at: u64, limits: &Limits) -> Self {
        BlockScanner { at, begun: at > 0, ..BlockScanner::new(limits) }
    }

    /// Where the next block starts, in bytes from the start of the file.
    pub fn at(&self) -> u64 {
        self.at
    }

    /// Adds the next bytes of the file. Does nothing after an error.
    pub fn feed(&mut self, bytes: &[u8]) {
        if self.error.is_some() {
            return;
        }
        // Only where that frees as much as it moves: otherwise many small blocks would be moved again and again.
        if self.used * 2 >= self.buffer.len() {
            self.buffer.drain(..self.used);
            self.used = 0;
        }
        self.buffer.extend_from_slice(bytes);
    }

    /// Returns the next block, or `None` if more bytes are needed.
    ///
    /// # Errors
    /// `malformed`, `unsupported`, `bad_number` or `limit_size` with the offset in the file.
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> Result<Option<Block>, Error> {
        if let Some(error) = &self.error {
            return Err(error.clone());
        }
        self.scan().map_err(|error| self.fail(error))
    }

    /// Declares the end of the file, after all whole blocks were taken.
    ///
    /// # Errors
    /// `truncated` inside a block, or before the schema; as [`check_unfinished`](Self::check_unfinished).
    pub fn end(&mut self) -> Result<(), Error> {
        if let Some(error) = &self.error {
            return Err(error.clone());
        }
        let head = MAGIC.len() as u64;
        let left = self.buffer.len() - self.used;
        if left == 0 && self.begun && self.at != head {
            return Ok(());
        }
        self.check_unfinished()?;
        let what = if self.at > head { "its last block" } else { "its schema" };
        let text = format!(
            "the file ends within {what}: it was cut off, or its writer is still at work (growing(true) waits for it)"
        );
        Err(self.fail(Error::new(Code::Truncated, text).at(saturated(self.at + left as u64))))
    }

    /// Checks that what is held can be the beginning of a block, at the end of a file that may grow. One wrong bit in a
    /// size makes all blocks behind it look like one that is unfinished.
    ///
    /// # Errors
    /// `malformed` at a size that is damaged.
    pub fn check_unfinished(&mut self) -> Result<(), Error> {
        if let Some(error) = &self.error {
            return Err(error.clone());
        }
        let data = &self.buffer[self.used..];
        let Some(kind) = data.first().and_then(|&first| BlockKind::of(first)) else { return Ok(()) };
        let Ok(Some((size, body))) = read_varint(data, 1, COUNT_BITS) else { return Ok(()) };
        let there = &data[body..];
        if !self.begun || can_begin(kind, size as usize, &there[..there.len().min(size as usize)]) {
            return Ok(());
        }
        let text = format!(
            "a block of {size} bytes that are not in the file, and what is there cannot begin such a block: its size is damaged"
        );
        Err(self.fail(Error::new(Code::Malformed, text).at(saturated(self.at.saturating_add(1)))))
    }

    /// Whether a part of the next block is held.
    #[cfg(feature = "std")]
    pub(super) fn is_inside(&self) -> bool {
        self.buffer.len() > self.used
    }

    fn fail(&mut self, error: Error) -> Error {
        self.buffer = Vec::new();
        self.used = 0;
        self.error = Some(error.clone());
        error
    }

    fn scan(&mut self) -> Result<Option<Block>, Error> {
        if !self.begun && !self.take_magic()? {
            return Ok(None);
        }
        let data = &self.buffer[self.used..];
        let Some(&first) = data.first() else { return Ok(None) };
        let error = |code, at: usize, text: Cow<'static, str>| {
            Error::new(code, text).at(saturated(self.at.saturating_add(at as u64)))
        };
        let Some(kind) = BlockKind::of(first) else {
            let text = match first {
                0 => format!(
                    "zeros where a block starts, as a power cut leaves them behind the last block that reached the disk: \
                     cut the file to {} bytes to go on",
                    self.at
                ),
                _ => format!("a block of kind {first}: a newer version wrote this file, update this library"),
            };
            return Err(error(Code::Unsupported, 0, text.into()));
        };
        if (kind == BlockKind::Schema) != (self.at == MAGIC.len() as u64) {
            return Err(error(Code::Malformed, 0, "expected the schema as the first block, and nowhere else".into()));
        }
        let size = read_varint(data, 1, COUNT_BITS).map_err(|wrong| error(wrong.code, 1, wrong.text))?;
        let Some((size, body)) = size else { return Ok(None) };
        let size = size as usize;
        if size > self.most {
            let text = format!("a block of {size} bytes, limits.buffered_bytes is {}", self.most);
            return Err(error(Code::LimitSize, 1, text.into()));
        }
        let checksum = body + size;
        let Some(expected) = data.get(checksum..checksum + CHECKSUM_BYTES) else { return Ok(None) };
        if crc32(&data[..checksum]).to_le_bytes() != expected {
            let text = match expected {
                [0, 0, 0, 0] => "the checksum is zero: the power may have failed before the block had reached the disk",
                _ => "the checksum differs: bytes were changed",
            };
            return Err(error(Code::Malformed, checksum, text.into()));
        }
        Ok(Some(self.take(kind, body..checksum)))
    }

    /// Takes the block at `used`, whose body is this range behind it.
    fn take(&mut self, kind: BlockKind, body: core::ops::Range<usize>) -> Block {
        let start = self.used;
        let end = start + body.end + CHECKSUM_BYTES;
        let at = self.at;
        self.at += (end - start) as u64;
        // A block that is most of the buffer is handed over with it: it is never held twice.
        if end - start > self.buffer.len() / 2 {
            let rest = self.buffer.split_off(end);
            let bytes = core::mem::replace(&mut self.buffer, rest);
            self.used = 0;
            return Block::new(kind, at, bytes, start..end, start + body.start..start + body.end);
        }
        self.used = end;
        Block::new(kind, at, self.buffer[start..end].to_vec(), 0..end - start, body)
    }

    fn take_magic(&mut self) -> Result<bool, Error> {
        for (at, (&byte, expected)) in self.buffer.iter().zip(MAGIC).enumerate() {
            if byte != expected && at == MAGIC.len() - 1 {
                let text = format!("a record file of version {byte}; this library reads version {VERSION}: update it");
                return Err(Error::new(Code::Unsupported, text).at(at));
            }
            if byte != expected {
                return Err(Error::new(Code::Malformed, not_a_file(&self.buffer)).at(at));
            }
        }
        if self.buffer.len() < MAGIC.len() {
            return Ok(false);
        }
        self.used = MAGIC.len();
        self.at = MAGIC.len() as u64;
        self.begun = true;
        Ok(true)
    }
}

/// What a file of another magic looks like.
fn not_a_file(start: &[u8]) -> String {
    let start = &start[..start.len().min(MAGIC.len())];
    let hex = start.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ");
    let visible = start.iter().find(|byte| !byte.is_ascii_whitespace());
    if start[0] == MAGIC[0] {
        "expected a record file; its line ends were changed: copy it as binary".into()
    } else if matches!(visible, Some(b'{' | b'[')) {
        format!("expected a record file, this looks like JSON: {:?}", String::from_utf8_lossy(start))
    } else if start[0] & header::VERSION != 0 {
        format!("expected a record file, this may be a single message: {hex}")
    } else {
        format!("expected a record file, it starts with {hex}")
    }
}
