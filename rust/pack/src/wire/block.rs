//! Writing one packed block: the width of the least cost, the low bits, the exceptions (`spec/pack.md` section 9).

use super::bit_packing::{pack, packed_len, reach, Packed};
use super::bounds::BLOCK;
use super::byte_sink::ByteSink;
use super::number::Number;

/// The widest low bits.
const WIDEST: usize = 32;
/// Flags that can be gathered in one word.
const FLAGS: usize = 64;

/// What is known of the values of a block while it is written; one serves all blocks of a row.
pub(super) struct Block {
    /// The low bits of each value; 0 behind the last one.
    low: [u32; BLOCK],
    /// The position of each value's highest set bit, from 1; 1 for the value 0 as well, since no width is less. 0 behind the
    /// last one.
    lengths: [u8; BLOCK],
    positions: [u8; BLOCK],
    packed: Packed,
}

impl Block {
    pub(super) fn new() -> Self {
        Block { low: [0; BLOCK], lengths: [0; BLOCK], positions: [0; BLOCK], packed: [0; reach(BLOCK, WIDEST)] }
    }

    /// Appends one block of 1 to 128 numbers, of which `form` makes the u of the specification.
    #[inline(always)]
    pub(super) fn push<T: Number>(&mut self, numbers: &[T], form: impl Fn(T) -> u64, out: &mut impl ByteSink) {
        for ((low, length), &number) in self.low.iter_mut().zip(&mut self.lengths).zip(numbers) {
            let value = form(number);
            *low = value as u32;
            *length = if T::WIDTH <= 4 { length_32(value as u32) } else { length_64(value) };
        }
        if numbers.len() < BLOCK {
            self.low[numbers.len()..].fill(0);
            self.lengths[numbers.len()..].fill(0);
        }
        let (width, exceptions) = self.push_all_but_high(numbers.len(), out);
        for i in 0..exceptions {
            out.varint(form(numbers[usize::from(self.positions[i])]) >> width);
        }
    }

    /// The places of 1 to 128 numbers below 2^32, to be [pushed](Self::push_low).
    #[inline(always)]
    pub(super) fn low(&mut self, n: usize) -> &mut [u32] {
        self.low[n..].fill(0);
        &mut self.low[..n]
    }

    /// Appends one block of the `n` numbers that were set last.
    pub(super) fn push_low(&mut self, n: usize, out: &mut impl ByteSink) {
        for (length, &low) in self.lengths.iter_mut().zip(&self.low) {
            *length = length_32(low);
        }
        self.lengths[n..].fill(0);
        let (width, exceptions) = self.push_all_but_high(n, out);
        for i in 0..exceptions {
            out.varint(u64::from(self.low[usize::from(self.positions[i])]) >> width);
        }
    }

    /// Appends all of a block of `n` values but the high bits of the exceptions; returns the width and how many there are.
    fn push_all_but_high(&mut self, n: usize, out: &mut impl ByteSink) -> (usize, usize) {
        let (width, exceptions) = best_width(&self.lengths, n);
        out.byte(width as u8 | if exceptions > 0 { 0x80 } else { 0 });
        if exceptions > 0 {
            out.byte(exceptions as u8);
        }
        pack(&self.low, n, width, &mut self.packed);
        out.bytes(&self.packed[..packed_len(n, width)]);
        if exceptions == 0 {
            return (width, 0);
        }
        let mut found = 0;
        for (from, lengths) in self.lengths.chunks_exact(FLAGS).enumerate() {
            let mut wide = longer(lengths, width);
            while wide != 0 {
                self.positions[found] = (from * FLAGS) as u8 + wide.trailing_zeros() as u8;
                wide &= wide - 1;
                found += 1;
            }
        }
        out.bytes(&self.positions[..found]);
        (width, found)
    }
}

/// The position of the highest set bit, from 1; 1 for 0.
///
/// It is the exponent of a float: vectors of integers become vectors of floats, where many machines count no zeros.
#[inline(always)]
fn length_32(value: u32) -> u8 {
    // Half of it is no negative i32. A bit next to a higher one is left out, so that nothing is rounded up to a power of two.
    let half = value >> 1;
    let float = (half & !(half >> 1)) as i32 as f32;
    // The exponent of 1 is 127; that of 0 is 0.
    ((float.to_bits() >> 23) as u8).max(126) - 125
}

/// As [`length_32`].
#[inline(always)]
fn length_64(value: u64) -> u8 {
    64 - (value | 1).leading_zeros() as u8
}

/// Flags of those of 64 lengths that are greater than `width`.
fn longer(lengths: &[u8], width: usize) -> u64 {
    let mut flags = 0;
    for (i, eight) in lengths.chunks_exact(8).enumerate() {
        let eight = u64::from_le_bytes(eight.try_into().expect("eight lengths"));
        // Eight sums of at most 64 + 126, of which those above 127 have their highest bit set.
        let high = (eight + (0x7f - width as u64) * 0x0101_0101_0101_0101) & 0x8080_8080_8080_8080;
        // The product has these eight bits, in their order, in its highest byte.
        flags |= high.wrapping_mul(0x0002_0408_1020_4081) >> 56 << (8 * i);
    }
    flags
}

/// The width of the least cost, the smallest one in a tie, and the number of values that are longer.
fn best_width(lengths: &[u8; BLOCK], n: usize) -> (usize, usize) {
    let longest = usize::from(lengths.iter().fold(0, |most, &length| length.max(most)));
    // tails[w]: the bytes of the varints of all exceptions, ceil((length - w) / 7) summed: one for each exception of width w,
    // one for each of width w + 7 ...
    let mut tails = [0; 64 + 7 + 1];
    let (mut width, mut exceptions, mut least) = (0, 0, usize::MAX);
    let all: usize = lengths.iter().map(|&length| usize::from(length)).sum();
    for w in (1..=longest).rev() {
        let above = usize::from(lengths.iter().map(|&length| u8::from(length as i8 > w as i8)).sum::<u8>());
        tails[w] = above + tails[w + 7];
        let patches = if above == 0 { 0 } else { 1 + above + tails[w] };
        let cost = packed_len(n, w) + patches;
        if cost <= least && w <= WIDEST {
            (width, exceptions, least) = (w, above, cost);
        }
        // With a smaller width, each value takes all its bits still, or those of the width if that is more, and each
        // exception another byte: an eighth of what is above the width is less than a varint takes for it.
        if all / 8 + 1 + above.max(1) > least {
            break;
        }
    }
    (width, exceptions)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::buffer::Buffer;
    use crate::wire::number::zigzag;
    use alloc::vec::Vec;

    fn length(value: u64) -> usize {
        (64 - value.leading_zeros()) as usize
    }

    /// A block as the specification defines it.
    fn defined(values: &[u64]) -> Vec<u8> {
        let wide = |w: usize| values.iter().enumerate().filter(move |(_, &value)| length(value) > w);
        let cost = |w: usize| {
            let patches: usize = wide(w).map(|(_, &value)| 1 + (length(value) - w).div_ceil(7)).sum();
            (values.len() * w).div_ceil(8) + if patches == 0 { 0 } else { 1 + patches }
        };
        let w = (1..=32).min_by_key(|&w| cost(w)).unwrap();
        let exceptions = wide(w).count();
        let mut bytes = if exceptions == 0 { [w as u8].to_vec() } else { [w as u8 | 0x80, exceptions as u8].to_vec() };
        let start = bytes.len();
        bytes.resize(start + (values.len() * w).div_ceil(8), 0);
        for bit in 0..values.len() * w {
            bytes[start + bit / 8] |= ((values[bit / w] >> (bit % w) & 1) as u8) << (bit % 8);
        }
        bytes.extend(wide(w).map(|(i, _)| i as u8));
        for (_, &value) in wide(w) {
            let mut high = Buffer::default();
            high.varint(value >> w);
            bytes.extend_from_slice(high.as_slice());
        }
        assert_eq!(bytes.len(), 1 + cost(w));
        bytes
    }

    fn block<T: Number>(numbers: &[T], form: impl Fn(T) -> u64) -> Vec<u8> {
        let mut out = Buffer::default();
        // What an earlier block left must not matter.
        let mut block = Block {
            low: [u32::MAX; BLOCK],
            lengths: [64; BLOCK],
            positions: [9; BLOCK],
            packed: [7; reach(BLOCK, WIDEST)],
        };
        block.push(numbers, form, &mut out);
        out.take()
    }

    fn check(values: &[u64]) {
        assert_eq!(block(values, |value| value), defined(values));
        let short: Vec<u32> = values.iter().map(|&value| value as u32).collect();
        assert_eq!(block(&short, u64::from), defined(&short.iter().copied().map(u64::from).collect::<Vec<_>>()));
        let signed: Vec<i32> = values.iter().map(|&value| value as i32).collect();
        let form = |value: i32| zigzag(i64::from(value));
        assert_eq!(block(&signed, form), defined(&signed.iter().copied().map(form).collect::<Vec<_>>()));
    }

    #[test]
    fn blocks_are_as_defined_whatever_their_values() {
        let mut state = 1u64;
        for round in 0..4000 {
            let n = 1 + round % BLOCK;
            let values: Vec<u64> = (0..n)
                .map(|_| {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    let bits = if state >> 60 == 0 { 64 } else { 1 + round % 40 };
                    // The upper bits are the random ones.
                    if state >> 40 & 7 == 0 {
                        0
                    } else {
                        state >> (64 - bits)
                    }
                })
                .collect();
            check(&values);
        }
    }

    #[test]
    fn an_exception_may_stand_anywhere() {
        for n in [1, 2, 63, 64, 65, 127, 128] {
            for position in 0..n {
                for wide in [1 << 9, 1 << 31, 1 << 40, u64::MAX] {
                    let mut values = [5; BLOCK];
                    values[position] = wide;
                    check(&values[..n]);
                    values[n - 1 - position] = wide;
                    check(&values[..n]);
                }
            }
        }
    }

    #[test]
    fn lengths_are_those_of_the_highest_bit() {
        for shift in 0..64 {
            for value in [1u64 << shift, (1 << shift) - 1, (1 << shift) + 1, u64::MAX >> shift] {
                assert_eq!(usize::from(length_64(value)), length(value).max(1));
                let short = value as u32;
                assert_eq!(usize::from(length_32(short)), length(u64::from(short)).max(1), "{short:x}");
            }
        }
    }

    #[test]
    fn zeros_take_one_bit_each() {
        assert_eq!(block(&[0u64; 128], |value| value), [&[1u8][..], &[0; 16]].concat());
        assert_eq!(block(&[1u16, 0, 1], u64::from), [1, 0b101]);
    }
}
