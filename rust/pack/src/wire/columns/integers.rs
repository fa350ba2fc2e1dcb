//! Columns of integers (`spec/columns.md` section 3).

use super::form::{sample, FROM_LEAST, FROM_PREVIOUS, RAW, SAMPLE};
use crate::wire::block::Block;
use crate::wire::bounds::BLOCK;
use crate::wire::byte_sink::ByteSink;
use crate::wire::number::{extend_from_raw, push_raw, unzigzag, zigzag, Number};
use crate::wire::reader::Reader;
use alloc::vec::Vec;
use core::ops::RangeInclusive;
use samewire_core::{Code, Fault};

/// A range of integers, compared modulo 2^64: the signed and the unsigned ones alike.
#[derive(Clone, Copy)]
struct Range {
    low: u64,
    span: u64,
}

impl Range {
    fn of<T: Number>(range: &RangeInclusive<T>) -> Self {
        let low = range.start().to_word();
        Range { low, span: range.end().to_word().wrapping_sub(low) }
    }

    #[inline(always)]
    fn lacks(self, value: u64) -> bool {
        value.wrapping_sub(self.low) > self.span
    }
}

impl Reader<'_> {
    /// Reads a column of `m` integers, all of them in `range`, and appends them to `out`. The type says how wide they are and
    /// how one stands alone.
    ///
    /// # Errors
    /// As `spec/columns.md` section 3 says; `truncated` before anything is allocated.
    pub fn column_integers<T: Number>(
        &mut self,
        range: &RangeInclusive<T>,
        m: usize,
        out: &mut Vec<T>,
    ) -> Result<(), Fault> {
        if m == 0 {
            return Ok(());
        }
        let range = Range::of(range);
        let at = self.position();
        match self.byte()? {
            RAW => self.raw_integers(range, m, at, out),
            mode @ (FROM_LEAST | FROM_PREVIOUS) => self.packed_integers(mode, range, m, out),
            _ => Err(self.fail(Code::Malformed, at)),
        }
    }

    /// Reads a column of `m` floats of 4 bytes and appends them to `out`.
    ///
    /// # Errors
    /// `truncated`.
    pub fn column_singles(&mut self, m: usize, out: &mut Vec<f32>) -> Result<(), Fault> {
        extend_from_raw(self.take(m.saturating_mul(size_of::<f32>()))?, out);
        Ok(())
    }

    /// Checks that `n` bytes are left.
    ///
    /// # Errors
    /// `truncated`.
    #[inline]
    pub fn need(&mut self, n: usize) -> Result<(), Fault> {
        if n > self.remaining() {
            return Err(self.truncated());
        }
        Ok(())
    }

    fn raw_integers<T: Number>(&mut self, range: Range, m: usize, at: usize, out: &mut Vec<T>) -> Result<(), Fault> {
        let bytes = self.take(m.saturating_mul(T::WIDTH))?;
        let start = out.len();
        extend_from_raw(bytes, out);
        if out[start..].iter().fold(false, |any, value| any | range.lacks(value.to_word())) {
            return Err(self.fail(Code::BadNumber, at));
        }
        Ok(())
    }

    fn packed_integers<T: Number>(&mut self, mode: u8, range: Range, m: usize, out: &mut Vec<T>) -> Result<(), Fault> {
        self.need(m.div_ceil(8))?;
        let at = self.position();
        let base = self.number::<T>()?;
        if range.lacks(base.to_word()) {
            return Err(self.fail(Code::BadNumber, at));
        }
        out.reserve_exact(m);
        let mut previous = base.to_word();
        let mut left = m;
        if mode == FROM_PREVIOUS {
            out.push(base);
            left -= 1;
        }
        let mut low = [0; BLOCK];
        let mut wide = [0; BLOCK];
        while left > 0 {
            let n = left.min(BLOCK);
            let head = self.block_head(n, &mut low)?;
            let within = if head.exceptions == 0 {
                // One loop for numbers of 32 bits, which is most of them: no pass that widens them.
                let low = low[..n].iter().map(|&value| u64::from(value));
                extend(mode, low, &mut previous, range, out)
            } else {
                for (wide, &low) in wide.iter_mut().zip(&low) {
                    *wide = u64::from(low);
                }
                self.patch(&head, false, &low[..n], &mut wide[..n])?;
                extend(mode, wide[..n].iter().copied(), &mut previous, range, out)
            };
            if !within {
                return Err(self.fail(Code::BadNumber, head.at));
            }
            left -= n;
        }
        Ok(())
    }
}

/// Appends the integers that a block's differences make, and returns whether all are in range. `previous` is the base of the
/// first one; in mode 1 of all.
#[inline(always)]
fn extend<T: Number>(
    mode: u8,
    differences: impl Iterator<Item = u64>,
    previous: &mut u64,
    range: Range,
    out: &mut Vec<T>,
) -> bool {
    let mut lacking = false;
    let mut last = *previous;
    if mode == FROM_LEAST {
        out.extend(differences.map(|more| {
            let value = last.wrapping_add(more);
            lacking |= range.lacks(value);
            T::truncate(value)
        }));
    } else {
        out.extend(differences.map(|more| {
            last = last.wrapping_add(unzigzag(more));
            lacking |= range.lacks(last);
            T::truncate(last)
        }));
        *previous = last;
    }
    !lacking
}

/// Appends a column of integers, at least one.
///
/// # Panics
/// If there is none.
pub fn write_integers<T: Number>(values: &[T], to: &mut impl ByteSink) {
    let start = to.len();
    let (mode, base) = choose(values);
    to.byte(mode);
    if T::WIDTH == 1 {
        to.byte(base.to_word() as u8);
    } else {
        to.varint(if T::SIGNED { zigzag(base.to_i64()) } else { base.to_word() });
    }
    let most = start + 1 + size_of_val(values);
    let packed = if mode == FROM_LEAST { push_offsets(values, base, most, to) } else { push_steps(values, most, to) };
    if !packed {
        to.truncate(start);
        to.byte(RAW);
        push_raw(values, to);
    }
}

/// The mode with which a sample takes fewer bits, and the integer that stands first.
fn choose<T: Number>(values: &[T]) -> (u8, T) {
    let least = |least: T, value: T| if value < least { value } else { least };
    let first = values[0];
    let (mut base, mut offsets, mut steps) = (first, [0; SAMPLE], [0; SAMPLE]);
    for ((offset, step), i) in offsets.iter_mut().zip(&mut steps).zip(sample(values.len())) {
        base = least(base, values[i]);
        *offset = values[i].to_word();
        *step = difference(values[i.saturating_sub(1)], values[i]);
    }
    let size = values.len().min(SAMPLE);
    for offset in &mut offsets[..size] {
        *offset = offset.wrapping_sub(base.to_word());
    }
    if bits(&steps) < bits(&offsets) {
        return (FROM_PREVIOUS, first);
    }
    (FROM_LEAST, least_of(values))
}

#[inline(never)]
fn least_of<T: Number>(values: &[T]) -> T {
    let least = |least: T, value: T| if value < least { value } else { least };
    // Minima that do not wait for one another.
    let mut lanes = [values[0]; 8];
    let chunks = values.chunks_exact(lanes.len());
    let rest = chunks.remainder();
    for chunk in chunks {
        for (lane, &value) in lanes.iter_mut().zip(chunk) {
            *lane = least(*lane, value);
        }
    }
    lanes.iter().chain(rest).copied().fold(values[0], least)
}

/// The positions of the highest set bits, 0 of none, summed.
#[inline(never)]
fn bits(values: &[u64; SAMPLE]) -> u32 {
    if values.iter().fold(0, |all, &value| all | value) >> 30 != 0 {
        return values.iter().map(|value| 64 - value.leading_zeros()).sum();
    }
    // The exponents of floats: vectors of integers become vectors of floats, where many machines count no zeros. A bit next to
    // a higher one is left out, so that nothing is rounded up to a power of two. The exponent of 1, here from 0, is 127.
    let exponent = |value: u64| {
        let odd = value as u32 * 2 + 1;
        ((odd & !(odd >> 1)) as i32 as f32).to_bits() >> 23
    };
    values.iter().map(|&value| exponent(value)).sum::<u32>() - 127 * SAMPLE as u32
}

/// Appends packed blocks of the differences from the least value. Returns false if the bytes would reach `most`.
fn push_offsets<T: Number>(values: &[T], least: T, most: usize, to: &mut impl ByteSink) -> bool {
    let mut block = Block::new();
    let least = least.to_word();
    for part in values.chunks(BLOCK) {
        if to.len() >= most {
            return false;
        }
        block.push(part, move |value| value.to_word().wrapping_sub(least), to);
    }
    to.len() < most
}

/// Appends packed blocks of the differences from the previous values, likewise.
fn push_steps<T: Number>(values: &[T], most: usize, to: &mut impl ByteSink) -> bool {
    let mut block = Block::new();
    let mut steps = [0u64; BLOCK];
    for start in (1..values.len()).step_by(BLOCK) {
        if to.len() >= most {
            return false;
        }
        let part = &values[start..values.len().min(start + BLOCK)];
        take_steps(&values[start - 1..][..part.len()], part, &mut steps);
        block.push(&steps[..part.len()], |step| step, to);
    }
    to.len() < most
}

#[inline(never)]
fn take_steps<T: Number>(before: &[T], values: &[T], to: &mut [u64; BLOCK]) {
    for ((step, &value), &before) in to.iter_mut().zip(values).zip(before) {
        *step = difference(before, value);
    }
}

/// The zigzag form of the difference of two values.
#[inline(always)]
fn difference<T: Number>(before: T, value: T) -> u64 {
    zigzag(value.to_word().wrapping_sub(before.to_word()) as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_those_of_each_value() {
        for shift in 0..64 {
            for value in [0, 1 << shift, (1 << shift) - 1, (1u64 << shift) + 1, u64::MAX >> shift] {
                let mut values = [0; SAMPLE];
                for (i, to) in values.iter_mut().enumerate().take(100) {
                    *to = value >> (i % 7);
                }
                let defined: u32 = values.iter().map(|value| 64 - value.leading_zeros()).sum();
                assert_eq!(bits(&values), defined, "{value:x}");
            }
        }
    }
}
