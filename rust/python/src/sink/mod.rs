//! A message under construction, as the quickest way from Python's objects to `bytes` needs it.
//!
//! It writes what the core's `Writer` writes. It is one of its own because the core's joins the blocks in a vector
//! first, where here all parts go straight into the `bytes` object, and because rows reserve their room once, not for
//! each byte. Packed rows of integers are the core's.

mod buffer;
mod row;
mod text;
mod texts;

use buffer::Buffer;
use samewire_pack::wire::{header, varint_len, Number, Writer, BIGINT_MAX};
use samewire_pack::{Code, Error, Fault, Limits, Profile};
use std::collections::HashMap;
use texts::Texts;

/// What a message is begun with.
#[derive(Clone, Copy)]
pub struct Start {
    pub sites: usize,
    pub profile: Profile,
    pub limits: Limits,
}

/// Buffers for one message after another.
pub struct Sink {
    values: Buffer,
    latin: Buffer,
    wide: Buffer,
    texts: Texts,
    /// The next number of a text.
    next: u32,
    /// Straight misses of each site.
    misses: Vec<u8>,
    bits: u8,
    compact: bool,
    depth: u32,
    /// Structs behind `ref`, by address.
    shared: HashMap<usize, u32>,
    fault: Code,
    /// Packs rows of integers.
    packer: Writer,
    packed: Vec<u8>,
}

/// The header of a finished message: at most 29 bytes.
pub struct Head {
    bytes: [u8; 32],
    length: usize,
    padding: usize,
}

impl Sink {
    pub fn new() -> Self {
        Sink {
            values: Buffer::new(),
            latin: Buffer::new(),
            wide: Buffer::new(),
            texts: Texts::new(),
            next: 0,
            misses: Vec::new(),
            bits: 0,
            compact: true,
            depth: 0,
            shared: HashMap::new(),
            fault: Code::Misuse,
            packer: Writer::new(),
            packed: Vec::new(),
        }
    }

    /// Begins a message; whatever there was is dropped.
    #[inline(always)]
    pub fn begin(&mut self, start: &Start) {
        self.values.clear();
        self.bits = header::VERSION;
        self.compact = start.profile == Profile::Compact;
        if !self.compact {
            self.bits |= header::FAST;
        }
        self.depth = start.limits.depth;
        if start.sites > 0 {
            self.latin.clear();
            self.wide.clear();
            self.next = 0;
            if self.compact {
                self.texts.clear();
                self.misses.clear();
                self.misses.resize(start.sites, 0);
            }
        }
        if !self.shared.is_empty() {
            self.shared.clear();
        }
    }

    /// Ends the message: its header, then the length of the whole.
    ///
    /// # Errors
    /// `limit_size` over `frame_bytes`.
    #[inline(always)]
    pub fn finish(&mut self, digest: Option<u64>, limits: &Limits) -> Result<(Head, usize), Error> {
        let mut head = Head { bytes: [0; 32], length: 1, padding: 0 };
        if let Some(digest) = digest {
            self.bits |= header::DIGEST;
            head.bytes[1..9].copy_from_slice(&digest.to_be_bytes());
            head.length = 9;
        }
        if self.latin.len() > 0 {
            self.bits |= header::TEXT;
            head.varint(self.latin.len());
        }
        if self.wide.len() > 0 {
            self.bits |= header::WIDE;
            head.varint(self.wide.len() / 2);
        }
        head.bytes[0] = self.bits;
        let blocks = head.length + self.latin.len() + self.wide.len();
        if self.bits & header::ALIGNED != 0 {
            head.padding = 1usize.wrapping_sub(blocks) & 7;
        }
        let length = blocks + head.padding + self.values.len();
        if length > limits.frame_bytes {
            let text = format!("the message takes {length} bytes, {} are allowed", limits.frame_bytes);
            return Err(Error::new(Code::LimitSize, text).path("$"));
        }
        Ok((head, length))
    }

    /// The message's parts, in order.
    #[inline(always)]
    pub fn parts<'s>(&'s self, head: &'s Head) -> [&'s [u8]; 5] {
        [
            &head.bytes[..head.length],
            self.latin.as_slice(),
            self.wide.as_slice(),
            &[0; 8][..head.padding],
            self.values.as_slice(),
        ]
    }

    /// Bytes that are kept between messages.
    pub fn footprint(&self) -> usize {
        let buffers = self.values.capacity() + self.latin.capacity() + self.wide.capacity();
        buffers + self.texts.footprint() + self.packed.capacity() + self.packer.footprint()
    }

    // Failing

    /// Notes why writing fails.
    #[cold]
    pub fn fail(&mut self, code: Code) -> Fault {
        self.fault = code;
        Fault
    }

    /// The failure that was noted last.
    pub fn fault(&self) -> Error {
        let text = match self.fault {
            Code::LimitDepth => "nested deeper than limits.depth",
            Code::LimitSize => "larger than the format allows",
            Code::LimitItems => "more elements than a count can say",
            _ => "the value cannot be written",
        };
        Error::new(self.fault, text)
    }

    // Room

    /// Makes room for `n` bytes of values, so that the functions called `roomy_…` may follow.
    #[inline(always)]
    pub fn room(&mut self, n: usize) {
        self.values.room(n);
    }

    /// A number that stands alone, with room made before.
    ///
    /// # Safety
    /// There must be room for ten bytes.
    #[inline(always)]
    pub unsafe fn roomy_number<T: Number>(&mut self, value: T) {
        // SAFETY: the caller's.
        unsafe {
            if T::WIDTH == 1 {
                self.values.put(value.to_word() as u8);
            } else if T::SIGNED {
                let value = value.to_i64();
                self.values.put_varint((value << 1 ^ value >> 63) as u64);
            } else {
                self.values.put_varint(value.to_word());
            }
        }
    }

    // Values

    /// An integer that stands alone.
    #[inline(always)]
    pub fn number<T: Number>(&mut self, value: T) {
        self.values.room(10);
        // SAFETY: there is room.
        unsafe { self.roomy_number(value) };
    }

    /// One byte.
    #[inline(always)]
    pub fn byte(&mut self, byte: u8) {
        self.values.room(1);
        // SAFETY: there is room.
        unsafe { self.values.put(byte) };
    }

    /// An unsigned number.
    #[inline(always)]
    pub fn varint(&mut self, value: u64) {
        self.values.room(10);
        // SAFETY: there is room.
        unsafe { self.values.put_varint(value) };
    }

    /// A signed number.
    #[inline(always)]
    pub fn zigzag(&mut self, value: i64) {
        self.varint((value << 1 ^ value >> 63) as u64);
    }

    /// A count or a length.
    ///
    /// # Errors
    /// `limit_items` at 2^31 and above.
    #[inline(always)]
    pub fn count(&mut self, count: usize) -> Result<(), Fault> {
        if count >= 1 << 31 {
            return Err(self.fail(Code::LimitItems));
        }
        self.varint(count as u64);
        Ok(())
    }

    /// A number of 32 bits; a NaN becomes the one NaN.
    #[inline(always)]
    pub fn f32(&mut self, value: f32) {
        let bits = if value.is_nan() { 0x7fc0_0000 } else { value.to_bits() };
        self.array(bits.to_le_bytes());
    }

    /// A number of 64 bits; a NaN becomes the one NaN.
    #[inline(always)]
    pub fn f64(&mut self, value: f64) {
        let bits = if value.is_nan() { 0x7ff8_0000_0000_0000 } else { value.to_bits() };
        self.array(bits.to_le_bytes());
    }

    /// Bytes of a known number.
    #[inline(always)]
    pub fn array<const N: usize>(&mut self, bytes: [u8; N]) {
        self.values.room(N);
        // SAFETY: there is room.
        unsafe { self.values.put_array(bytes) };
    }

    /// A length and that many bytes.
    ///
    /// # Errors
    /// As [`count`](Self::count).
    pub fn bytes(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        self.count(bytes.len())?;
        self.values.extend(bytes);
        Ok(())
    }

    /// An integer in the shortest big-endian two's complement.
    ///
    /// # Errors
    /// `limit_size` over 4,096 bytes.
    pub fn bigint(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        if bytes.len() > BIGINT_MAX {
            return Err(self.fail(Code::LimitSize));
        }
        self.bytes(bytes)
    }

    /// Whole seconds, rounded down, and nanoseconds in their coarsest exact unit.
    pub fn seconds(&mut self, seconds: i64, nanos: u32) {
        self.zigzag(seconds);
        let nanos = u64::from(nanos);
        self.varint(match nanos {
            0 => 0,
            _ if nanos % 1_000_000 == 0 => (nanos / 1_000_000) << 2 | 2,
            _ if nanos % 1000 == 0 => (nanos / 1000) << 2 | 1,
            _ => nanos << 2,
        });
    }

    // Flags, nesting, sharing

    /// Reserves the flags of a row with `slots` flagged slots, all zero, and answers where they stand.
    #[inline(always)]
    pub fn flags(&mut self, slots: usize) -> usize {
        let at = self.values.len();
        self.values.zeros(slots.div_ceil(8));
        at
    }

    /// Sets flag number `slot` of the flags at `at`.
    #[inline(always)]
    pub fn set_flag(&mut self, at: usize, slot: usize) {
        self.values.set(at + slot / 8, 1 << (slot % 8));
    }

    /// Enters a recursive struct, or a container of an `any`.
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

    /// Begins a `ref`. Answers true if the struct has to follow, then [`end_ref`](Self::end_ref).
    pub fn begin_ref(&mut self, address: usize) -> bool {
        let number = self.shared.get(&address).copied();
        self.varint(number.map_or(0, |number| u64::from(number) + 1));
        number.is_none()
    }

    /// Ends a struct behind a `ref`: it gets the next number.
    pub fn end_ref(&mut self, address: usize) {
        let number = self.shared.len() as u32;
        self.shared.insert(address, number);
    }
}

impl Head {
    #[inline(always)]
    fn varint(&mut self, value: usize) {
        let mut value = value as u64;
        let last = self.length + varint_len(value) - 1;
        for byte in &mut self.bytes[self.length..last] {
            *byte = value as u8 | 0x80;
            value >>= 7;
        }
        self.bytes[last] = value as u8;
        self.length = last + 1;
    }
}
