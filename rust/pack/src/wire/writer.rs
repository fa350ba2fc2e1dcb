//! The writer of one message after another.

use super::buffer::{varint_len, Buffer};
use super::moment::fraction;
use super::scan::{is_ascii, Seed};
use super::shared::Shared;
use super::texts::{Found, Texts};
use super::token::{BACK, BACK2, BACK_FAR, FAR, LONG_LATIN, LONG_WIDE, NEAR, WIDE_1};
use super::transcode::{fits_latin1, push_latin1, push_utf16};
use super::{header, ALIGN_FROM, BIGINT_MAX, CLOSED, SHORT_LATIN, SHORT_WIDE};
use crate::error::{Code, Error, Fault};
use crate::limits::{Limits, Profile};
use crate::path::{path_text, Segment};
use alloc::vec::Vec;

/// What a message is begun with.
#[derive(Clone, Copy, Debug, Default)]
pub struct Message {
    /// The number of sites of the schema (places that say `string` or `any`). With none, values go straight to the output.
    pub sites: usize,
    /// How to write.
    pub profile: Profile,
    /// The schema's digest, if the header is to carry it.
    pub digest: Option<u64>,
    /// `depth` and `frame_bytes` hold for writers.
    pub limits: Limits,
}

/// One of the buffers that a message was made in.
#[derive(Debug)]
pub struct Part {
    bytes: Vec<u8>,
    start: usize,
}

impl Part {
    /// Its bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[self.start..]
    }
}

/// Writes messages, one after another, into buffers that it keeps: after the first few nothing is allocated but the
/// output.
///
/// Between [`begin`](Self::begin) and [`finish`](Self::finish) the caller writes one slot, the root, by calls that
/// follow the schema. The output moves into the writer meanwhile; [`abort`](Self::abort) gives it back as it was.
pub struct Writer {
    /// The values, or, without text, the whole output.
    pub(super) values: Buffer,
    /// Where the values of this message start in `values`.
    pub(super) start: usize,
    /// With text: the output, on which the Latin-1 block is written in place, after a guess of the header's length.
    latin: Buffer,
    /// Where this message starts in the output.
    origin: usize,
    /// Where the Latin-1 block starts in `latin`.
    block: usize,
    /// The header's length in the last message with text: the guess for the next.
    head: usize,
    wide: Buffer,
    texts: Texts,
    /// The number for the next text that is numbered.
    next: u32,
    /// Straight misses of each site.
    misses: Vec<u8>,
    /// Header bits found out while writing.
    pub(super) bits: u8,
    textual: bool,
    pub(super) compact: bool,
    digest: Option<u64>,
    frame_bytes: usize,
    depth: u32,
    shared: Shared,
    fault: Code,
    path: Vec<Segment<'static>>,
}

impl Default for Writer {
    fn default() -> Self {
        Self::new()
    }
}

/// A seed that a stranger cannot foresee. Bytes do not depend on it.
fn seed() -> Seed {
    #[cfg(feature = "std")]
    {
        use std::hash::{BuildHasher, RandomState};
        let state = RandomState::new();
        Seed(state.hash_one(1u8), state.hash_one(2u8))
    }
    #[cfg(not(feature = "std"))]
    {
        // Without a source of randomness the address of a fresh allocation has to do.
        let address = alloc::boxed::Box::new(0u8);
        let noise = core::ptr::from_ref(&*address) as usize as u64;
        let spread = noise.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        Seed(0xa076_1d64_78bd_642f ^ spread, 0xe703_7ed1_a0b4_28db ^ spread.rotate_left(32))
    }
}

impl Writer {
    /// A writer without a message.
    pub fn new() -> Self {
        Writer {
            values: Buffer::default(),
            start: 0,
            latin: Buffer::default(),
            origin: 0,
            block: 0,
            head: 2,
            wide: Buffer::default(),
            texts: Texts::new(seed()),
            next: 0,
            misses: Vec::new(),
            bits: 0,
            textual: false,
            compact: true,
            digest: None,
            frame_bytes: 0,
            depth: 0,
            shared: Shared::default(),
            fault: Code::Misuse,
            path: Vec::new(),
        }
    }

    /// Begins a message that is appended to `out`. Whatever an unfinished message had written is dropped.
    pub fn begin(&mut self, out: &mut Vec<u8>, message: &Message) {
        self.bits = header::VERSION;
        self.compact = message.profile == Profile::Compact;
        if !self.compact {
            self.bits |= header::FAST;
        }
        self.digest = message.digest;
        self.frame_bytes = message.limits.frame_bytes;
        self.depth = message.limits.depth;
        self.origin = out.len();
        self.textual = message.sites > 0;
        self.shared.clear();
        self.path.clear();
        let mut output = Buffer::over(core::mem::take(out));
        if self.textual {
            self.next = 0;
            self.texts.clear();
            self.misses.clear();
            self.misses.resize(message.sites, 0);
            self.wide.clear();
            self.block = self.origin + self.head;
            output.vec().resize(self.block, 0);
            self.latin = output;
            self.values.clear();
            self.start = 0;
        } else {
            output.byte(0);
            if let Some(digest) = self.digest {
                output.array(digest.to_be_bytes());
            }
            self.values = output;
            self.start = self.values.len();
        }
    }

    /// Ends the message and gives the output back with the message appended.
    ///
    /// # Errors
    /// `limit_size` if the message is longer than `frame_bytes`; the output is then as it was.
    pub fn finish(&mut self, out: &mut Vec<u8>) -> Result<(), Error> {
        if self.textual {
            self.join();
            *out = core::mem::take(&mut self.latin).into_bytes();
        } else {
            let mut output = core::mem::take(&mut self.values).into_bytes();
            self.bits |= if self.digest.is_some() { header::DIGEST } else { 0 };
            output[self.origin] = self.bits;
            *out = output;
        }
        let admitted = self.admit(out.len() - self.origin);
        if admitted.is_err() {
            out.truncate(self.origin);
        }
        admitted
    }

    /// Puts the header before the Latin-1 block and the rest after it.
    fn join(&mut self) {
        let (head, at) = self.text_header();
        let chars = self.latin.len() - self.block;
        let output = self.latin.vec();
        if at != self.head {
            let target = self.origin + at;
            output.resize(output.len().max(target + chars), 0);
            output.copy_within(self.block..self.block + chars, target);
            output.truncate(target + chars);
            self.head = at;
        }
        output[self.origin..self.origin + at].copy_from_slice(&head[..at]);
        output.extend_from_slice(self.wide.as_slice());
        let padding = padding(self.bits, output.len() - self.origin);
        output.resize(output.len() + padding, 0);
        output.extend_from_slice(self.values.as_slice());
    }

    /// The header of a message with text, and its length.
    fn text_header(&mut self) -> ([u8; 29], usize) {
        let chars = self.latin.len() - self.block;
        let units = self.wide.len() / 2;
        let mut head = [0; 29];
        let mut at = 1;
        if let Some(digest) = self.digest {
            self.bits |= header::DIGEST;
            head[1..9].copy_from_slice(&digest.to_be_bytes());
            at = 9;
        }
        for (bit, length) in [(header::TEXT, chars), (header::WIDE, units)] {
            if length > 0 {
                self.bits |= bit;
                at += put_varint(&mut head[at..], length as u64);
            }
        }
        head[0] = self.bits;
        (head, at)
    }

    /// Ends a message that was begun on an empty output and hands out the buffers it was made in, without joining them.
    ///
    /// # Errors
    /// As [`finish`](Self::finish).
    pub fn finish_parts(&mut self) -> Result<Vec<Part>, Error> {
        if !self.textual {
            let mut out = Vec::new();
            self.finish(&mut out)?;
            return Ok(vec![Part { bytes: out, start: 0 }]);
        }
        let (head, at) = self.text_header();
        let blocks = at + self.latin.len() - self.block + self.wide.len();
        let padding = padding(self.bits, blocks);
        self.admit(blocks + padding + self.values.len())?;
        let whole = |bytes| Part { bytes, start: 0 };
        Ok(vec![
            whole(head[..at].to_vec()),
            Part { bytes: core::mem::take(&mut self.latin).into_bytes(), start: self.block },
            whole(core::mem::take(&mut self.wide).into_bytes()),
            whole(vec![0; padding]),
            whole(core::mem::take(&mut self.values).into_bytes()),
        ])
    }

    fn admit(&self, length: usize) -> Result<(), Error> {
        if length > self.frame_bytes {
            let text = alloc::format!("the message takes {length} bytes, {} are allowed", self.frame_bytes);
            return Err(Error::new(Code::LimitSize, text).path("$"));
        }
        Ok(())
    }

    /// Drops the message and gives the output back as it was.
    pub fn abort(&mut self, out: &mut Vec<u8>) {
        let output = if self.textual { &mut self.latin } else { &mut self.values };
        *out = core::mem::take(output).into_bytes();
        out.truncate(self.origin);
    }

    /// Bytes that the writer keeps between messages, for who wants to drop a writer that has become large.
    pub fn footprint(&self) -> usize {
        self.values.capacity() + self.wide.capacity() + self.texts.footprint() + self.misses.capacity()
    }

    // Failing

    /// Notes why writing fails. The first function that fails calls this, the ones around it add their
    /// [`segment`](Self::inside) of the path.
    #[cold]
    pub fn fail(&mut self, code: Code) -> Fault {
        self.fault = code;
        self.path.clear();
        Fault
    }

    /// Adds the place inside which the failure happened.
    #[cold]
    pub fn inside(&mut self, segment: Segment<'static>) -> Fault {
        self.path.push(segment);
        Fault
    }

    /// The failure that was noted last, with its path.
    pub fn fault(&self) -> Error {
        let text = match self.fault {
            Code::LimitDepth => "nested deeper than limits.depth",
            Code::LimitSize => "larger than the format allows",
            Code::TypeMismatch => "the value does not fit its declared type",
            _ => "the value cannot be written",
        };
        Error::new(self.fault, text).path(path_text(self.path.iter().rev().copied()))
    }

    // Numbers

    /// One byte as it is.
    #[inline(always)]
    pub fn byte(&mut self, value: u8) {
        self.values.byte(value);
    }

    /// An unsigned number as a varint.
    #[inline(always)]
    pub fn varint(&mut self, value: u64) {
        self.values.varint(value);
    }

    /// A signed number as a zigzag varint.
    #[inline(always)]
    pub fn zigzag(&mut self, value: i64) {
        self.values.varint((value << 1 ^ value >> 63) as u64);
    }

    /// The count of a list, set or map, or a length.
    ///
    /// # Errors
    /// `limit_items` at 2^31 and above.
    #[inline(always)]
    pub fn count(&mut self, count: usize) -> Result<(), Fault> {
        if count >= 1 << 31 {
            return Err(self.fail(Code::LimitItems));
        }
        self.values.varint(count as u64);
        Ok(())
    }

    /// A number of 32 bits; a NaN becomes the one NaN.
    #[inline(always)]
    pub fn f32(&mut self, value: f32) {
        let bits = if value.is_nan() { 0x7fc0_0000 } else { value.to_bits() };
        self.values.array(bits.to_le_bytes());
    }

    /// A number of 64 bits; a NaN becomes the one NaN.
    #[inline(always)]
    pub fn f64(&mut self, value: f64) {
        let bits = if value.is_nan() { 0x7ff8_0000_0000_0000 } else { value.to_bits() };
        self.values.array(bits.to_le_bytes());
    }

    /// Bytes of a fixed number, as those of a UUID.
    #[inline(always)]
    pub fn array<const N: usize>(&mut self, bytes: [u8; N]) {
        self.values.array(bytes);
    }

    /// Bytes without a length.
    pub fn raw(&mut self, bytes: &[u8]) {
        self.values.bytes(bytes);
    }

    /// A length and that many bytes.
    ///
    /// # Errors
    /// As [`count`](Self::count).
    pub fn bytes(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        self.count(bytes.len())?;
        self.values.bytes(bytes);
        Ok(())
    }

    /// An integer in the shortest big-endian two's complement (zero: no bytes).
    ///
    /// # Errors
    /// `limit_size` over 4,096 bytes.
    pub fn bigint(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        if bytes.len() > BIGINT_MAX {
            return Err(self.fail(Code::LimitSize));
        }
        self.bytes(bytes)
    }

    /// Whole seconds, rounded down, and nanoseconds below a thousand million.
    pub fn seconds(&mut self, seconds: i64, nanos: u32) {
        self.zigzag(seconds);
        self.varint(fraction(nanos));
    }

    // Flags

    /// Reserves the flags of a row with `slots` flagged slots, all zero, and answers where they stand.
    #[inline(always)]
    pub fn flags(&mut self, slots: usize) -> usize {
        let at = self.values.len();
        let bytes = slots.div_ceil(8);
        if bytes <= 8 {
            self.values.word(0, bytes);
        } else {
            self.values.vec().resize(at + bytes, 0);
        }
        at
    }

    /// Sets flag number `slot` of the flags reserved at `at`.
    #[inline(always)]
    pub fn set_flag(&mut self, at: usize, slot: usize) {
        self.values.vec()[at + slot / 8] |= 1 << (slot % 8);
    }

    /// The flags of a row of at most 64 flagged slots at once, the first in the lowest bit.
    #[inline(always)]
    pub fn flag_word(&mut self, flags: u64, slots: usize) {
        self.values.word(flags, slots.div_ceil(8));
    }

    // Nesting and sharing

    /// Enters a recursive struct, or a list or map inside an `any`.
    ///
    /// # Errors
    /// `limit_depth`.
    #[inline(always)]
    pub fn enter(&mut self) -> Result<(), Fault> {
        if self.depth == 0 {
            return Err(self.fail(Code::LimitDepth));
        }
        self.depth -= 1;
        Ok(())
    }

    /// Leaves what was entered.
    #[inline(always)]
    pub fn leave(&mut self) {
        self.depth += 1;
    }

    /// Begins a `ref` to the struct at `address`. Answers true if the struct has to follow, then
    /// [`end_ref`](Self::end_ref).
    pub fn begin_ref(&mut self, address: usize) -> bool {
        match self.shared.find(address) {
            Some(number) => {
                self.varint(u64::from(number) + 1);
                false
            }
            None => {
                self.varint(0);
                true
            }
        }
    }

    /// Ends a struct behind a `ref`: it gets the next reference number.
    pub fn end_ref(&mut self, address: usize) {
        self.shared.add(address);
    }

    // Text

    /// A text in UTF-8.
    #[inline(always)]
    pub fn str(&mut self, site: usize, text: &str) {
        let bytes = text.as_bytes();
        if bytes.len() <= SHORT_LATIN && is_ascii(bytes) {
            self.short_latin1(site, bytes);
        } else {
            self.other_str(site, text);
        }
    }

    #[inline(never)]
    fn other_str(&mut self, site: usize, text: &str) {
        if text.is_ascii() {
            self.new_latin1(text.as_bytes());
            return;
        }
        if fits_latin1(text) {
            let at = self.latin.len();
            push_latin1(text, self.latin.vec());
            self.placed_latin1(site, at);
        } else {
            let at = self.wide.len();
            push_utf16(text, self.wide.vec());
            self.placed_wide(site, at);
        }
    }

    /// A text in Latin-1.
    #[inline(always)]
    pub fn latin1(&mut self, site: usize, chars: &[u8]) {
        if chars.len() <= SHORT_LATIN {
            self.short_latin1(site, chars);
        } else {
            self.new_latin1(chars);
        }
    }

    /// A text of well-formed UTF-16 units, at least one of them above U+00FF.
    pub fn wide(&mut self, site: usize, units: &[u16]) {
        let at = self.wide.len();
        self.wide.vec().extend(units.iter().flat_map(|unit| unit.to_le_bytes()));
        self.placed_wide(site, at);
    }

    #[inline(always)]
    fn short_latin1(&mut self, site: usize, chars: &[u8]) {
        if chars.len() < 2 {
            self.values.byte(chars.len() as u8);
            self.latin.few(chars);
            return;
        }
        if self.compact && self.misses[site] < CLOSED {
            let block = &self.latin.as_slice()[self.block..];
            match self.texts.find(chars, false, block) {
                Found::Number(number) => {
                    self.misses[site] = 0;
                    self.back(number);
                    return;
                }
                Found::Place(place, key) => {
                    self.misses[site] += 1;
                    let start = block.len();
                    self.latin.few(chars);
                    self.values.byte(chars.len() as u8);
                    let block = &self.latin.as_slice()[self.block..];
                    self.texts.record(place, key, start, self.next, block, self.wide.as_slice());
                }
            }
        } else {
            self.values.byte(chars.len() as u8);
            self.latin.few(chars);
        }
        self.next += 1;
    }

    fn new_latin1(&mut self, chars: &[u8]) {
        self.latin.bytes(chars);
        self.values.byte(LONG_LATIN);
        self.values.varint((chars.len() - SHORT_LATIN - 1) as u64);
    }

    /// A Latin-1 text whose characters already stand at the end of the block, from `at` on.
    fn placed_latin1(&mut self, site: usize, at: usize) {
        let chars = self.latin.len() - at;
        if chars > SHORT_LATIN {
            self.values.byte(LONG_LATIN);
            self.values.varint((chars - SHORT_LATIN - 1) as u64);
            return;
        }
        if chars >= 2 {
            if self.compact && self.misses[site] < CLOSED {
                let block = &self.latin.as_slice()[self.block..];
                match self.texts.find(&self.latin.as_slice()[at..], false, block) {
                    Found::Number(number) => {
                        self.latin.truncate(at);
                        self.misses[site] = 0;
                        self.back(number);
                        return;
                    }
                    Found::Place(place, key) => {
                        self.misses[site] += 1;
                        self.texts.record(place, key, at - self.block, self.next, block, self.wide.as_slice());
                    }
                }
            }
            self.next += 1;
        }
        self.values.byte(chars as u8);
    }

    /// A wide text whose units already stand at the end of the block, from byte `at` on.
    fn placed_wide(&mut self, site: usize, at: usize) {
        let units = (self.wide.len() - at) / 2;
        if units > SHORT_WIDE {
            self.values.byte(LONG_WIDE);
            self.values.varint((units - SHORT_WIDE - 1) as u64);
            return;
        }
        if units >= 2 {
            if self.compact && self.misses[site] < CLOSED {
                let block = self.wide.as_slice();
                match self.texts.find(&block[at..], true, block) {
                    Found::Number(number) => {
                        self.wide.truncate(at);
                        self.misses[site] = 0;
                        self.back(number);
                        return;
                    }
                    Found::Place(place, key) => {
                        self.misses[site] += 1;
                        let latin = &self.latin.as_slice()[self.block..];
                        self.texts.record(place, key, at, self.next, latin, block);
                    }
                }
            }
            self.next += 1;
        }
        self.values.byte(WIDE_1 + (units - 1) as u8);
    }

    #[inline]
    fn back(&mut self, number: u32) {
        self.bits |= header::REFS;
        if number < NEAR {
            self.values.byte(BACK + number as u8);
        } else if number < FAR {
            let far = number - NEAR;
            self.values.array([BACK2 + (far >> 8) as u8, far as u8]);
        } else {
            self.values.byte(BACK_FAR);
            self.values.varint(u64::from(number - FAR));
        }
    }

    // Raw runs

    /// Padding before a raw run of `bytes` bytes.
    pub(super) fn align(&mut self, bytes: usize) {
        if bytes >= ALIGN_FROM {
            self.bits |= header::ALIGNED;
            // Values start one byte after a multiple of 8.
            let offset = self.values.len() - self.start + 1;
            self.values.word(0, offset.wrapping_neg() & 7);
        }
    }
}

/// The zero bytes between the blocks, which end at `length`, and the values.
fn padding(bits: u8, length: usize) -> usize {
    if bits & header::ALIGNED == 0 {
        return 0;
    }
    1usize.wrapping_sub(length) & 7
}

fn put_varint(to: &mut [u8], mut value: u64) -> usize {
    let n = varint_len(value);
    for byte in &mut to[..n - 1] {
        *byte = value as u8 | 0x80;
        value >>= 7;
    }
    to[n - 1] = value as u8;
    n
}
