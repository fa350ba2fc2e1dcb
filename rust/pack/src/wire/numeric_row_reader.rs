//! Reading numeric rows (`spec/pack.md` section 9).

use super::bit_packing::{packed_len, padded, reach, unpack};
use super::bounds::{ALIGN_FROM, BLOCK, MODE_FROM};
use super::header;
use super::number::{extend_from_raw, unzigzag, view_raw, Number};
use super::reader::Reader;
use alloc::borrow::Cow;
use alloc::vec::Vec;
use samewire_core::{Code, Fault};

/// How a numeric row is written.
enum Run<'a> {
    Raw(&'a [u8]),
    Single,
    Packed { zigzag: bool },
}

/// What a packed block begins with.
pub(super) struct BlockHead {
    /// Where it begins.
    pub(super) at: usize,
    /// The width of the low bits.
    width: usize,
    /// How many exceptions follow the low bits.
    pub(super) exceptions: usize,
}

impl<'a> Reader<'a> {
    /// One number as it stands in a slot of its own.
    ///
    /// # Errors
    /// `truncated`; `bad_number` for an integer that is not in its shortest form or out of range.
    #[inline(always)]
    pub fn number<T: Number>(&mut self) -> Result<T, Fault> {
        if T::WIDTH == 1 {
            return Ok(T::truncate(u64::from(self.byte()?)));
        }
        if T::RAW {
            return Ok(T::from_raw(self.take(T::WIDTH)?));
        }
        let value = self.varint_of(T::WIDTH * 8)?;
        Ok(T::truncate(if T::SIGNED { value >> 1 ^ (value & 1).wrapping_neg() } else { value }))
    }

    /// Reads a row of `count` numbers and appends them to `out`. The count must have been checked against the bytes present ([`Reader::count`]).
    ///
    /// # Errors
    /// As `spec/pack.md` section 9 says.
    pub fn numbers<T: Number>(&mut self, count: usize, out: &mut Vec<T>) -> Result<(), Fault> {
        match self.run::<T>(count)? {
            Run::Raw(bytes) => extend_from_raw(bytes, out),
            Run::Single => {
                out.reserve(count);
                for _ in 0..count {
                    out.push(self.number()?);
                }
            }
            Run::Packed { zigzag } => {
                out.reserve(count);
                let mut low = [0; BLOCK];
                let mut left = count;
                while left > 0 {
                    let n = left.min(BLOCK);
                    self.block(n, zigzag, &mut low, out)?;
                    left -= n;
                }
            }
        }
        Ok(())
    }

    /// Reads a row of `count` numbers, in place where it is raw, aligned in memory, and this machine is little-endian.
    ///
    /// # Errors
    /// As [`numbers`](Self::numbers).
    pub fn view<T: Number>(&mut self, count: usize) -> Result<Cow<'a, [T]>, Fault> {
        let start = self.checkpoint();
        if let Run::Raw(bytes) = self.run::<T>(count)? {
            if let Some(view) = view_raw(bytes) {
                return Ok(Cow::Borrowed(view));
            }
        }
        self.reset(&start);
        let mut out = Vec::new();
        self.numbers(count, &mut out)?;
        Ok(Cow::Owned(out))
    }

    /// Skips and checks a row of `count` numbers.
    ///
    /// # Errors
    /// As [`numbers`](Self::numbers).
    pub fn skip_numbers<T: Number>(&mut self, count: usize) -> Result<(), Fault> {
        match self.run::<T>(count)? {
            Run::Raw(_) => {}
            Run::Single => {
                for _ in 0..count {
                    self.number::<T>()?;
                }
            }
            Run::Packed { zigzag } => {
                let mut block = Vec::<T>::with_capacity(BLOCK);
                let mut low = [0; BLOCK];
                let mut left = count;
                while left > 0 {
                    let n = left.min(BLOCK);
                    block.clear();
                    self.block(n, zigzag, &mut low, &mut block)?;
                    left -= n;
                }
            }
        }
        Ok(())
    }

    fn run<T: Number>(&mut self, count: usize) -> Result<Run<'a>, Fault> {
        if !T::RAW {
            if count < MODE_FROM {
                return Ok(Run::Single);
            }
            let at = self.position();
            match self.byte()? {
                0 => {}
                1 => return Ok(Run::Packed { zigzag: false }),
                2 if T::SIGNED => return Ok(Run::Packed { zigzag: true }),
                _ => return Err(self.fail(Code::Malformed, at)),
            }
        }
        // A bit each was believed: where `usize` has 32 bits, so many numbers may be more than it can say.
        let bytes = count.saturating_mul(T::WIDTH);
        if T::WIDTH > 1 && bytes >= ALIGN_FROM {
            self.padding()?;
        }
        Ok(Run::Raw(self.take(bytes)?))
    }

    /// The zero bytes before an aligned run.
    fn padding(&mut self) -> Result<(), Fault> {
        if self.header() & header::ALIGNED == 0 {
            return Err(self.fail(Code::Malformed, 0));
        }
        while self.position() % 8 != 0 {
            let at = self.position();
            if self.byte()? != 0 {
                return Err(self.fail(Code::Malformed, at));
            }
        }
        Ok(())
    }

    /// Reads one packed block of `n` values; `low` is room for their low bits.
    fn block<T: Number>(
        &mut self,
        n: usize,
        zigzag: bool,
        low: &mut [u32; BLOCK],
        out: &mut Vec<T>,
    ) -> Result<(), Fault> {
        let head = self.block_head(n, low)?;
        let BlockHead { at, width, exceptions } = head;
        let low = &low[..n];
        let start = out.len();
        if zigzag {
            out.extend(low.iter().map(|&value| number::<T>(u64::from(value), true)));
        } else {
            out.extend(low.iter().map(|&value| number::<T>(u64::from(value), false)));
        }
        // The bits that occur: not asked for where every value of this width fits.
        let bits = T::WIDTH * 8 - usize::from(T::SIGNED && !zigzag);
        let mut all = if width <= bits { 0 } else { u64::from(low.iter().fold(0, |all, &value| all | value)) };
        if exceptions > 0 {
            all |= self.patch(&head, zigzag, low, &mut out[start..])?;
        }
        if bits < 64 && all >> bits != 0 {
            return Err(self.fail(Code::BadNumber, at));
        }
        Ok(())
    }

    /// Reads all of a packed block of `n` values but its exceptions: their low bits, all bits of those that are none.
    #[inline(always)]
    pub(super) fn block_head(&mut self, n: usize, low: &mut [u32; BLOCK]) -> Result<BlockHead, Fault> {
        let at = self.position();
        let form = self.byte()?;
        let width = usize::from(form & 0x3f);
        if form & 0x40 != 0 || !(1..=32).contains(&width) {
            return Err(self.fail(Code::Malformed, at));
        }
        let mut exceptions = 0;
        if form & 0x80 != 0 {
            exceptions = usize::from(self.byte()?);
            if exceptions == 0 || exceptions > n {
                return Err(self.fail(Code::Malformed, at));
            }
        }
        let length = packed_len(n, width);
        match self.peek(reach(n, width)) {
            Some(bytes) => {
                unpack(bytes, n, width, low);
                self.take(length)?;
            }
            None => unpack(&padded(self.take(length)?), n, width, low),
        }
        Ok(BlockHead { at, width, exceptions })
    }

    /// Reads a block's exceptions and puts them in their places; returns all bits that occur in them.
    pub(super) fn patch<T: Number>(
        &mut self,
        head: &BlockHead,
        zigzag: bool,
        low: &[u32],
        out: &mut [T],
    ) -> Result<u64, Fault> {
        let &BlockHead { at, width, exceptions } = head;
        let positions = self.take(exceptions)?;
        let ascending = positions.windows(2).fold(true, |all, pair| all & (pair[0] < pair[1]));
        if !ascending || usize::from(positions[exceptions - 1]) >= out.len() {
            return Err(self.fail(Code::Malformed, at));
        }
        let mut all = 0;
        for &position in positions {
            let high = self.varint_of(64)?;
            if high == 0 {
                return Err(self.fail(Code::Malformed, at));
            }
            if high.leading_zeros() < width as u32 {
                return Err(self.fail(Code::BadNumber, at));
            }
            let position = usize::from(position);
            let value = u64::from(low[position]) | high << width;
            all |= value;
            out[position] = number(value, zigzag);
        }
        Ok(all)
    }
}

/// The number whose plain or zigzag form this is, if it is in the type's range.
#[inline(always)]
fn number<T: Number>(value: u64, zigzag: bool) -> T {
    T::truncate(if zigzag { unzigzag(value) } else { value })
}
