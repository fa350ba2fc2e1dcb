//! The reader of one message.

use super::bounds::BIGINT_MAX;
use super::fault_text::fault_text;
use super::header;
use super::time;
use super::utf8::from_utf8;
use super::varint::varint_of_word;
use samewire_core::Limits;
use samewire_core::{Code, Error, Fault};

/// A place in a message: all four cursors, the texts numbered, and what is left of the budgets.
#[derive(Clone, Copy, Debug)]
pub struct Checkpoint {
    at: usize,
    latin: usize,
    wide: usize,
    utf8: usize,
    texts: u32,
    items: u64,
    cells: u64,
    depth: u32,
}

impl Checkpoint {
    /// Where it is, in bytes from the start of the message.
    pub fn position(&self) -> usize {
        self.at
    }
}

/// Reads one message by calls that follow the schema. Header, digest, lengths, blocks and padding are checked by
/// [`new`](Self::new); the calls then check all that can be wrong with the primitive they read.
///
/// After a fault the reader is of no more use; [`fault`](Self::fault) tells code and offset.
#[derive(Clone)]
pub struct Reader<'a> {
    pub(super) data: &'a [u8],
    pub(super) at: usize,
    /// Unread characters: `latin <= latin_end <= wide <= wide_end <= utf8 <= utf8_end`.
    pub(super) latin: usize,
    /// The characters from `latin` up to here, if any, are ASCII: `plain <= latin_end`.
    pub(super) plain: usize,
    pub(super) latin_end: usize,
    pub(super) wide: usize,
    pub(super) wide_end: usize,
    pub(super) utf8: usize,
    pub(super) utf8_end: usize,
    /// The UTF-8 block, from `wide_end` on, if it is well-formed as a whole: a text of it then is, if it ends with a character.
    pub(super) utf8_block: &'a str,
    /// Texts numbered so far.
    pub(super) texts: u32,
    header: u8,
    depth: u32,
    /// What is left of `limits.items` and `limits.cells`.
    pub(super) items: u64,
    pub(super) cells: u64,
    fault: (Code, usize),
}

impl<'a> Reader<'a> {
    /// A reader at the start of the values of `data`, one whole message. With `digest`, a header that carries one must
    /// carry this one.
    ///
    /// # Errors
    /// All that section 12 lists before the values, in that order, with path `$`.
    pub fn new(data: &'a [u8], digest: Option<u64>, limits: &Limits) -> Result<Self, Error> {
        let mut reader = Reader::closed(data, limits);
        match reader.open(digest, limits) {
            Ok(()) => Ok(reader),
            Err(Fault) => Err(reader.fault().path("$")),
        }
    }

    /// A reader that has to be [opened](Self::open): [`new`](Self::new) in two steps, so that it is made where it stays.
    #[inline(always)]
    pub fn closed(data: &'a [u8], limits: &Limits) -> Self {
        Reader {
            data,
            at: 1,
            latin: 1,
            plain: 1,
            latin_end: 1,
            wide: 1,
            wide_end: 1,
            utf8: 1,
            utf8_end: 1,
            utf8_block: "",
            texts: 0,
            header: 0,
            depth: limits.depth,
            items: limits.items,
            cells: limits.cells,
            fault: (Code::Misuse, 0),
        }
    }

    /// Reads and checks all that stands before the values.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    #[inline]
    pub fn open(&mut self, digest: Option<u64>, limits: &Limits) -> Result<(), Fault> {
        if self.open_header(digest, limits)? {
            self.open_blocks(digest, limits)?;
        }
        Ok(())
    }

    /// Reads and checks the header byte, and a check if there is nothing else. Returns whether more than the values follows:
    /// then [`open_blocks`](Self::open_blocks) has to be called.
    #[inline(always)]
    pub(crate) fn open_header(&mut self, digest: Option<u64>, limits: &Limits) -> Result<bool, Fault> {
        if self.data.len() > limits.frame_bytes {
            return Err(self.fail(Code::LimitSize, 0));
        }
        match self.data.first() {
            Some(&header) if header & header::VERSION != 0 => self.header = header,
            Some(_) => return Err(self.fail(Code::Unsupported, 0)),
            None => return Err(self.truncated()),
        }
        let more = self.header & !(header::VERSION | header::REFS);
        if more == header::CHECK {
            let wanted = digest.map(header::check_of);
            if wanted.is_some_and(|wanted| self.data.get(1..3).is_some_and(|carried| carried == wanted)) {
                self.at = 3;
                return Ok(false);
            }
        }
        Ok(more != 0)
    }

    /// Digest or check, lengths, blocks, padding.
    pub(crate) fn open_blocks(&mut self, digest: Option<u64>, limits: &Limits) -> Result<(), Fault> {
        const BOTH: u8 = header::DIGEST | header::CHECK;
        if self.header & BOTH == BOTH {
            return Err(self.fail(Code::Malformed, 0));
        }
        if self.header & header::CHECK != 0 {
            let carried = self.array()?;
            if digest.is_some_and(|digest| header::check_of(digest) != carried) {
                return Err(self.fail(Code::SchemaMismatch, 1));
            }
        }
        if self.header & header::DIGEST != 0 {
            let carried = u64::from_be_bytes(self.take(8)?.try_into().expect("eight bytes"));
            if digest.is_some_and(|digest| digest != carried) {
                return Err(self.fail(Code::SchemaMismatch, 1));
            }
        }
        let latin = self.block_length(header::TEXT, 1, limits.text_bytes)?;
        let wide = 2 * self.block_length(header::WIDE, 2, limits.text_bytes - latin)?;
        let utf8 = self.block_length(header::UTF8, 1, limits.text_bytes - latin - wide)?;
        self.latin = self.at;
        self.take(latin)?;
        self.latin_end = self.at;
        self.wide = self.at;
        self.take(wide)?;
        self.wide_end = self.at;
        self.utf8 = self.at;
        let block = self.take(utf8)?;
        self.utf8_end = self.at;
        self.utf8_block = from_utf8(block).unwrap_or_default();
        if self.header & header::ALIGNED != 0 {
            while self.at % 8 != 1 {
                let at = self.at;
                if self.byte()? != 0 {
                    return Err(self.fail(Code::Malformed, at));
                }
            }
        }
        Ok(())
    }

    fn block_length(&mut self, bit: u8, unit: usize, allowed: usize) -> Result<usize, Fault> {
        if self.header & bit == 0 {
            return Ok(0);
        }
        let at = self.at;
        let length = self.length()?;
        if length == 0 {
            return Err(self.fail(Code::Malformed, at));
        }
        if length * unit > allowed {
            return Err(self.fail(Code::LimitSize, at));
        }
        Ok(length)
    }

    /// Checks that the message ends here, with all blocks used up.
    ///
    /// # Errors
    /// `trailing`, then `malformed` at the first unused character.
    #[inline(always)]
    pub fn finish(&mut self) -> Result<(), Fault> {
        let used = self.latin == self.latin_end && self.wide == self.wide_end && self.utf8 == self.utf8_end;
        if self.at == self.data.len() && used {
            return Ok(());
        }
        Err(self.unfinished())
    }

    #[cold]
    fn unfinished(&mut self) -> Fault {
        if self.at < self.data.len() {
            self.fail(Code::Trailing, self.at)
        } else if self.latin < self.latin_end {
            self.fail(Code::Malformed, self.latin)
        } else if self.wide < self.wide_end {
            self.fail(Code::Malformed, self.wide)
        } else {
            self.fail(Code::Malformed, self.utf8)
        }
    }

    // Failing

    /// Notes what is wrong and where.
    #[cold]
    pub fn fail(&mut self, code: Code, at: usize) -> Fault {
        self.fault = (code, at);
        Fault
    }

    #[cold]
    pub(super) fn truncated(&mut self) -> Fault {
        self.fail(Code::Truncated, self.data.len())
    }

    /// The last failure, without its path.
    pub fn fault(&self) -> Error {
        let (code, at) = self.fault;
        Error::new(code, fault_text(code, at, self.data)).at(at)
    }

    // Places

    /// The whole message.
    pub fn data(&self) -> &'a [u8] {
        self.data
    }

    /// The offset of the next byte of the values.
    #[inline(always)]
    pub fn position(&self) -> usize {
        self.at
    }

    /// The bytes of the values not read yet.
    #[inline(always)]
    pub fn remaining(&self) -> usize {
        self.data.len() - self.at
    }

    /// The header byte.
    #[inline(always)]
    pub fn header(&self) -> u8 {
        self.header
    }

    /// The characters of the Latin-1 block not read yet.
    pub fn latin_block(&self) -> &'a [u8] {
        &self.data[self.latin..self.latin_end]
    }

    /// The bytes of the wide block not read yet.
    pub fn wide_block(&self) -> &'a [u8] {
        &self.data[self.wide..self.wide_end]
    }

    /// The bytes of the UTF-8 block not read yet.
    pub fn utf8_block(&self) -> &'a [u8] {
        &self.data[self.utf8..self.utf8_end]
    }

    /// The texts numbered so far.
    #[inline(always)]
    pub fn texts(&self) -> u32 {
        self.texts
    }

    /// Returns a checkpoint of this place.
    #[inline]
    pub fn checkpoint(&self) -> Checkpoint {
        Checkpoint {
            at: self.at,
            latin: self.latin,
            wide: self.wide,
            utf8: self.utf8,
            texts: self.texts,
            items: self.items,
            cells: self.cells,
            depth: self.depth,
        }
    }

    /// Returns to a checkpoint of the same message, before or after this place.
    #[inline]
    pub fn reset(&mut self, checkpoint: &Checkpoint) {
        if checkpoint.latin < self.latin {
            // What lies between is no longer known to be ASCII.
            self.plain = checkpoint.latin;
        }
        self.at = checkpoint.at;
        self.latin = checkpoint.latin;
        self.wide = checkpoint.wide;
        self.utf8 = checkpoint.utf8;
        self.texts = checkpoint.texts;
        self.items = checkpoint.items;
        self.cells = checkpoint.cells;
        self.depth = checkpoint.depth;
    }

    /// Goes to a checkpoint to read what stands there at the depth of this place.
    #[inline]
    pub fn visit(&mut self, checkpoint: &Checkpoint) {
        let depth = self.depth;
        self.reset(checkpoint);
        self.depth = depth;
    }

    // Bytes

    /// One byte.
    ///
    /// # Errors
    /// `truncated`.
    #[inline(always)]
    pub fn byte(&mut self) -> Result<u8, Fault> {
        match self.data.get(self.at) {
            Some(&byte) => {
                self.at += 1;
                Ok(byte)
            }
            None => Err(self.truncated()),
        }
    }

    /// The next `n` bytes as they are.
    ///
    /// # Errors
    /// `truncated`.
    #[inline(always)]
    pub fn take(&mut self, n: usize) -> Result<&'a [u8], Fault> {
        match self.data[self.at..].get(..n) {
            Some(bytes) => {
                self.at += n;
                Ok(bytes)
            }
            None => Err(self.truncated()),
        }
    }

    /// The next `n` bytes without taking them, if there are so many.
    #[inline(always)]
    pub fn peek(&self, n: usize) -> Option<&'a [u8]> {
        self.data[self.at..].get(..n)
    }

    /// The next `N` bytes.
    ///
    /// # Errors
    /// `truncated`.
    #[inline(always)]
    pub fn array<const N: usize>(&mut self) -> Result<[u8; N], Fault> {
        Ok(self.take(N)?.try_into().expect("N bytes"))
    }

    // Numbers

    /// A varint of an unsigned type of `bits` bits: 16, 32 or 64.
    ///
    /// # Errors
    /// `bad_number`, `truncated`.
    #[inline(always)]
    pub fn varint_of(&mut self, bits: usize) -> Result<u64, Fault> {
        match self.data.get(self.at) {
            Some(&byte) if byte < 0x80 => {
                self.at += 1;
                Ok(u64::from(byte))
            }
            _ => self.long_varint(bits),
        }
    }

    /// A varint of more than one byte, or a fault.
    #[inline(always)]
    fn long_varint(&mut self, bits: usize) -> Result<u64, Fault> {
        if let Some(word) = self.peek(8) {
            let word = u64::from_le_bytes(word.try_into().expect("eight bytes"));
            if let Some((value, length)) = varint_of_word(word, bits) {
                self.at += length;
                return Ok(value);
            }
        }
        self.varint_by_bytes(bits)
    }

    #[cold]
    #[inline(never)]
    fn varint_by_bytes(&mut self, bits: usize) -> Result<u64, Fault> {
        let start = self.at;
        let mut value = 0;
        for shift in (0..bits).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                let left = bits - shift;
                if byte == 0 && shift > 0 || left < 7 && byte >> left != 0 {
                    break;
                }
                return Ok(value);
            }
        }
        Err(self.fail(Code::BadNumber, start))
    }

    /// A varint of `u32`.
    ///
    /// # Errors
    /// `bad_number`, `truncated`.
    #[inline(always)]
    pub fn varint32(&mut self) -> Result<u32, Fault> {
        Ok(self.varint_of(32)? as u32)
    }

    /// A varint of `u64`.
    ///
    /// # Errors
    /// `bad_number`, `truncated`.
    #[inline(always)]
    pub fn varint64(&mut self) -> Result<u64, Fault> {
        self.varint_of(64)
    }

    /// A zigzag varint of 32 bits.
    ///
    /// # Errors
    /// `bad_number`, `truncated`.
    #[inline(always)]
    pub fn zigzag32(&mut self) -> Result<i32, Fault> {
        self.number::<i32>()
    }

    /// A zigzag varint of 64 bits.
    ///
    /// # Errors
    /// `bad_number`, `truncated`.
    #[inline(always)]
    pub fn zigzag64(&mut self) -> Result<i64, Fault> {
        self.number::<i64>()
    }

    /// A length or an index: a varint below 2^31.
    ///
    /// # Errors
    /// `bad_number`, `truncated`.
    #[inline(always)]
    pub fn length(&mut self) -> Result<usize, Fault> {
        let at = self.at;
        let length = self.varint_of(32)?;
        if length >= 1 << 31 {
            return Err(self.fail(Code::BadNumber, at));
        }
        Ok(length as usize)
    }

    /// A length and that many bytes.
    ///
    /// # Errors
    /// `bad_number`, `truncated`.
    #[inline(always)]
    pub fn bytes(&mut self) -> Result<&'a [u8], Fault> {
        let length = self.length()?;
        self.take(length)
    }

    /// A `bigint`: big-endian two's complement, as short as possible.
    ///
    /// # Errors
    /// `bad_number` at the length if it could be shorter, `limit_size` at the length, `truncated`.
    pub fn bigint(&mut self) -> Result<&'a [u8], Fault> {
        let at = self.at;
        let length = self.length()?;
        if length > BIGINT_MAX {
            return Err(self.fail(Code::LimitSize, at));
        }
        let bytes = self.take(length)?;
        let idle = match bytes {
            [0] => true,
            [first, second, ..] => *first == 0 && *second < 0x80 || *first == 0xff && *second >= 0x80,
            _ => false,
        };
        if idle {
            return Err(self.fail(Code::BadNumber, at));
        }
        Ok(bytes)
    }

    /// The index of a symbol or member, below `count`.
    ///
    /// # Errors
    /// `malformed` at the index, `bad_number`, `truncated`.
    #[inline(always)]
    pub fn index(&mut self, count: usize) -> Result<usize, Fault> {
        let at = self.at;
        let index = self.length()?;
        if index >= count {
            return Err(self.fail(Code::Malformed, at));
        }
        Ok(index)
    }

    // Dates and times

    /// Days since 1970-01-01, in range.
    ///
    /// # Errors
    /// `bad_number`, `truncated`.
    pub fn date(&mut self) -> Result<i32, Fault> {
        let at = self.at;
        let days = self.zigzag32()?;
        if !(time::DATE_MIN..=time::DATE_MAX).contains(&days) {
            return Err(self.fail(Code::BadNumber, at));
        }
        Ok(days)
    }

    /// Nanoseconds since midnight, in range.
    ///
    /// # Errors
    /// `bad_number`, `truncated`.
    pub fn time(&mut self) -> Result<u64, Fault> {
        let at = self.at;
        let nanos = self.varint64()?;
        if nanos > time::TIME_MAX {
            return Err(self.fail(Code::BadNumber, at));
        }
        Ok(nanos)
    }

    /// Seconds, rounded down, and nanoseconds.
    ///
    /// # Errors
    /// `bad_number`, `truncated`.
    pub fn duration(&mut self) -> Result<(i64, u32), Fault> {
        Ok((self.zigzag64()?, self.fraction()?))
    }

    /// Nanoseconds below a second, in any unit.
    fn fraction(&mut self) -> Result<u32, Fault> {
        let at = self.at;
        let fraction = self.varint32()?;
        time::nanos(fraction).ok_or_else(|| self.fail(Code::BadNumber, at))
    }

    /// Seconds since 1970-01-01T00:00:00Z, rounded down, and nanoseconds, in range.
    ///
    /// # Errors
    /// `bad_number`, `truncated`.
    pub fn timestamp(&mut self) -> Result<(i64, u32), Fault> {
        let at = self.at;
        let seconds = self.zigzag64()?;
        if !(time::TIMESTAMP_MIN..=time::TIMESTAMP_MAX).contains(&seconds) {
            return Err(self.fail(Code::BadNumber, at));
        }
        Ok((seconds, self.fraction()?))
    }

    // Flags

    /// The flags of a row with `slots` flagged slots, least significant bit first; unused bits are zero.
    ///
    /// # Errors
    /// `malformed` at the last byte, `truncated`.
    #[inline(always)]
    pub fn flags(&mut self, slots: usize) -> Result<&'a [u8], Fault> {
        let flags = self.take(slots.div_ceil(8))?;
        if slots % 8 != 0 && flags[slots / 8] >> (slots % 8) != 0 {
            return Err(self.fail(Code::Malformed, self.at - 1));
        }
        Ok(flags)
    }

    /// The byte of a present `option<bool>`.
    ///
    /// # Errors
    /// `malformed`, `truncated`.
    #[inline(always)]
    pub fn bool(&mut self) -> Result<bool, Fault> {
        let at = self.at;
        match self.byte()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(self.fail(Code::Malformed, at)),
        }
    }

    // Nesting

    /// Enters a recursive struct, or a list or map inside an `any`, whose first byte (tag) stands at `at`.
    ///
    /// # Errors
    /// `limit_depth` at `at`.
    #[inline(always)]
    pub fn enter(&mut self, at: usize) -> Result<(), Fault> {
        if self.depth == 0 {
            return Err(self.fail(Code::LimitDepth, at));
        }
        self.depth -= 1;
        Ok(())
    }

    /// Leaves what was entered.
    #[inline(always)]
    pub fn leave(&mut self) {
        self.depth += 1;
    }

    /// How much more may be entered.
    pub fn depth_left(&self) -> u32 {
        self.depth
    }
}
