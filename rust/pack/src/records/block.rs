//! The blocks of a record file, written and read without input and output (`spec/records.md` sections 1 and 2).

use super::compression::{compress, expand, Compression, MISSING};
use super::crc32::crc32;
use super::places::Places;
use super::varint::{read_varint, write_varint, COUNT_BITS};
use crate::schema::Schema;
use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;
use samewire_core::{Code, Error, Limits};

/// The version of the files that are written and read.
pub(super) const VERSION: u8 = 1;
/// How a record file starts.
pub const MAGIC: [u8; 8] = [0x89, b'S', b'W', b'R', b'\r', b'\n', 0x1a, VERSION];
pub(super) const CHECKSUM_BYTES: usize = 4;

/// The first byte of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum BlockKind {
    /// The canonical schema text of a record.
    Schema = 1,
    /// Records.
    Records = 2,
    /// Records, as one zstd frame.
    Zstd = 3,
    /// Where the blocks of records are.
    Index = 4,
}

impl BlockKind {
    pub(super) fn of(byte: u8) -> Option<Self> {
        [BlockKind::Schema, BlockKind::Records, BlockKind::Zstd, BlockKind::Index]
            .into_iter()
            .find(|kind| *kind as u8 == byte)
    }
}

/// Appends a whole block: kind, size, body and checksum.
///
/// # Errors
/// `limit_size` for a body of 2^31 bytes or more; `out` is then unchanged.
pub fn write_block(kind: BlockKind, body: &[u8], out: &mut Vec<u8>) -> Result<(), Error> {
    if body.len() as u64 >= 1 << COUNT_BITS {
        let text = format!("a block holds less than 2^31 bytes, these are {}", body.len());
        return Err(Error::new(Code::LimitSize, text));
    }
    let start = out.len();
    out.push(kind as u8);
    write_varint(body.len() as u64, out);
    out.extend_from_slice(body);
    let checksum = crc32(&out[start..]);
    out.extend_from_slice(&checksum.to_le_bytes());
    Ok(())
}

/// Appends an index block of a file's blocks of records. `start` is where the index will start. An index that is longer
/// than `most` bytes is left out: no reader of such limits would take it, and a file without one is whole.
///
/// # Errors
/// As [`write_block`].
pub fn write_index(places: &Places, start: u64, most: usize, out: &mut Vec<u8>) -> Result<(), Error> {
    let mut body = Vec::new();
    places.write_to(start, &mut body);
    if body.len() > most {
        return Ok(());
    }
    write_block(BlockKind::Index, &body, out)
}

/// Appends a block of `count` records, whose frames these are: one of kind zstd only if it is smaller.
///
/// # Errors
/// As [`write_block`]; `unsupported` for compression that this build lacks.
pub fn write_records(count: u32, frames: &[u8], packing: Compression, out: &mut Vec<u8>) -> Result<(), Error> {
    let mut body = Vec::with_capacity(frames.len() + 2 * super::varint::SIZE_BYTES);
    write_varint(count.into(), &mut body);
    let numbers = body.len();
    if packing == Compression::Zstd {
        write_varint(frames.len() as u64, &mut body);
        body.extend(compress(frames).map_err(|text| Error::new(Code::Unsupported, text))?);
        if body.len() < numbers + frames.len() {
            return write_block(BlockKind::Zstd, &body, out);
        }
        body.truncate(numbers);
    }
    body.extend_from_slice(frames);
    write_block(BlockKind::Records, &body, out)
}

/// A block whose checksum is right.
#[derive(Clone, Debug)]
pub struct Block {
    kind: BlockKind,
    start: u64,
    /// Kind, size, body, checksum, perhaps between bytes of others.
    bytes: Vec<u8>,
    whole: Range<usize>,
    body: Range<usize>,
}

impl Block {
    /// `whole` and `body` are ranges of `bytes`; `start` is where in the file `whole` starts.
    pub(super) fn new(kind: BlockKind, start: u64, bytes: Vec<u8>, whole: Range<usize>, body: Range<usize>) -> Self {
        Block { kind, start, bytes, whole, body }
    }

    /// What it holds.
    pub fn kind(&self) -> BlockKind {
        self.kind
    }

    /// Where it starts, in bytes from the start of the file.
    pub fn start(&self) -> u64 {
        self.start
    }

    /// Where it ends, in bytes from the start of the file.
    pub fn end(&self) -> u64 {
        self.start + self.whole.len() as u64
    }

    /// What stands between its size and its checksum.
    pub fn body(&self) -> &[u8] {
        &self.bytes[self.body.clone()]
    }

    /// Returns the schema of the first block.
    ///
    /// # Errors
    /// As [`Schema::parse`], and `malformed` for text that is not canonical, all at the start of the text.
    pub fn schema(&self) -> Result<Schema, Error> {
        let text = core::str::from_utf8(self.body()).map_err(|error| {
            let text = format!("the schema's text is not valid UTF-8 at its byte {}", error.valid_up_to());
            self.error(Code::BadUtf8, text)
        })?;
        let schema = Schema::parse(text).map_err(|error| self.error(error.code, format!("the schema: {error}")))?;
        if schema.text() != text {
            return Err(self.malformed("the schema's text is not canonical"));
        }
        Ok(schema)
    }

    /// Returns where the blocks of records are that an index names. `first` is where the first of them may start: the end
    /// of the schema's block.
    ///
    /// # Errors
    /// `malformed` at its body.
    pub fn index(&self, first: u64) -> Result<Places, Error> {
        let wrong =
            "an index whose fields do not fill it, of another place, or of blocks that cannot be there; the blocks \
                     before it are whole";
        self.index_fields(first).ok_or_else(|| self.malformed(wrong))
    }

    fn index_fields(&self, first: u64) -> Option<Places> {
        let (fields, tail) = self.body().split_last_chunk::<8>()?;
        (u64::from_le_bytes(*tail) == self.start).then(|| Places::of(fields, first, self.start))?
    }

    /// Returns how many records a block of records announces.
    ///
    /// # Errors
    /// `malformed` at its body.
    pub fn record_count(&self) -> Result<u32, Error> {
        Ok(self.announced()?.0)
    }

    /// Cuts a block of records into its messages.
    ///
    /// # Errors
    /// At its body: `malformed`, and `limit_size` for one that expands to more than `buffered_bytes`. `unsupported` at its
    /// start for a block of kind zstd without the feature.
    pub fn messages(mut self, limits: &Limits) -> Result<Messages, Error> {
        let (count, size, data) = self.announced()?;
        let messages = if self.kind == BlockKind::Zstd {
            Messages { frames: self.expanded(size, data, limits)?, position: 0, left: count }
        } else {
            let mut frames = core::mem::take(&mut self.bytes);
            frames.truncate(self.body.end);
            Messages { frames, position: self.body.start + data, left: count }
        };
        messages.checked().map_err(|text| self.malformed(text))
    }

    fn expanded(&self, size: usize, data: usize, limits: &Limits) -> Result<Vec<u8>, Error> {
        if size > limits.buffered_bytes {
            let text =
                format!("a block that expands to {size} bytes, limits.buffered_bytes is {}", limits.buffered_bytes);
            return Err(self.error(Code::LimitSize, text));
        }
        if !Compression::Zstd.is_available() {
            let text = format!("this block is compressed: reading {MISSING}");
            return Err(Error::new(Code::Unsupported, text).at(saturated(self.start)));
        }
        expand(&self.body()[data..], size).map_err(|text| self.malformed(format!("compressed data: {text}")))
    }

    /// Returns the number of records, the bytes of their frames, and where in the body data start.
    fn announced(&self) -> Result<(u32, usize, usize), Error> {
        let (count, size, data) =
            self.numbers().ok_or_else(|| self.malformed("a block of records without its numbers"))?;
        match count {
            0 => Err(self.malformed("a block of no records")),
            count => Ok((count, size, data)),
        }
    }

    fn numbers(&self) -> Option<(u32, usize, usize)> {
        let body = self.body();
        let (count, data) = read_varint(body, 0, COUNT_BITS).ok()??;
        match self.kind {
            BlockKind::Records => Some((count as u32, body.len() - data, data)),
            BlockKind::Zstd => {
                let (size, data) = read_varint(body, data, COUNT_BITS).ok()??;
                Some((count as u32, size as usize, data))
            }
            BlockKind::Schema | BlockKind::Index => None,
        }
    }

    /// The error of a body that breaks its rules.
    pub(super) fn malformed(&self, text: impl Into<Cow<'static, str>>) -> Error {
        self.error(Code::Malformed, text)
    }

    fn error(&self, code: Code, text: impl Into<Cow<'static, str>>) -> Error {
        let body = self.start + (self.body.start - self.whole.start) as u64;
        Error::new(code, text).at(saturated(body))
    }
}

/// An offset in a file as errors have it; where `usize` has 32 bits it stops at 4 GiB.
pub(super) fn saturated(at: u64) -> usize {
    usize::try_from(at).unwrap_or(usize::MAX)
}

/// Whether a block of this kind and `size` can have a body that starts like this. Where one cannot, its size was damaged: an
/// unfinished block is the beginning of a whole one. Compressed data say nothing.
pub(super) fn can_begin(kind: BlockKind, size: usize, body: &[u8]) -> bool {
    // An answer of `None` is that the bytes end before anything is wrong.
    let begins = match kind {
        BlockKind::Records => frames_fill(size, body),
        BlockKind::Index => index_fills(size, body),
        BlockKind::Schema | BlockKind::Zstd => Ok(None),
    };
    begins.is_ok_and(|whole| whole.unwrap_or(true))
}

fn frames_fill(size: usize, body: &[u8]) -> Result<Option<bool>, Error> {
    let Some((count, mut position)) = read_varint(body, 0, COUNT_BITS)? else { return Ok(None) };
    for _ in 0..count {
        let Some((length, start)) = read_varint(body, position, COUNT_BITS)? else { return Ok(None) };
        position = start.saturating_add(length as usize);
        if length == 0 || position > size {
            return Ok(Some(false));
        }
        if position > body.len() {
            return Ok(None);
        }
    }
    Ok(Some(count > 0 && position == size))
}

fn index_fills(size: usize, body: &[u8]) -> Result<Option<bool>, Error> {
    let Some((number, mut position)) = read_varint(body, 0, COUNT_BITS)? else { return Ok(None) };
    for bits in (0..number).flat_map(|_| [u64::BITS, COUNT_BITS]) {
        let Some((_, after)) = read_varint(body, position, bits)? else { return Ok(None) };
        position = after;
    }
    Ok(Some(position + 8 == size))
}

/// The messages of a block of records, one after another.
#[derive(Clone, Debug, Default)]
pub struct Messages {
    frames: Vec<u8>,
    position: usize,
    left: u32,
}

impl Messages {
    /// How many are left.
    pub fn left(&self) -> u32 {
        self.left
    }

    /// Returns the next message.
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> Option<&[u8]> {
        let message = frame_at(&self.frames, self.position)?;
        self.position = message.end;
        self.left -= 1;
        Some(&self.frames[message])
    }

    /// Passes so many messages, at most all.
    pub fn skip(&mut self, messages: u32) {
        for _ in 0..messages {
            self.next();
        }
    }

    /// Checks that the frames are as many as announced, and end with the block.
    fn checked(self) -> Result<Self, String> {
        let (mut position, mut found) = (self.position, 0u32);
        while position < self.frames.len() {
            let message = frame_at(&self.frames, position).ok_or("frames that do not end with their block")?;
            position = message.end;
            found += 1;
        }
        if found != self.left {
            return Err(format!("{found} records, {} announced", self.left));
        }
        Ok(self)
    }
}

/// Where the message is whose frame starts at `position`; `None` if the frame is not whole, or not one.
fn frame_at(frames: &[u8], position: usize) -> Option<Range<usize>> {
    let (length, start) = read_varint(frames, position, COUNT_BITS).ok()??;
    let end = start.checked_add(length as usize)?;
    (length > 0 && end <= frames.len()).then_some(start..end)
}
