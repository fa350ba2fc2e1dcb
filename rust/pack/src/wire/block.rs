//! Writing one packed block: the width of the least cost, the low bits, the exceptions (`spec/pack.md` section 9).

use super::bit_packing::{packed_len, reach, Lane, Packed};
use super::bounds::BLOCK;
use super::byte_sink::ByteSink;
use super::number::Number;

/// The widest low bits.
const WIDEST: usize = 32;
/// Flags that are gathered from one word.
const FLAGS: usize = 8;

/// What is known of the values of a block while it is written; one serves all blocks of a row.
pub(super) struct Block {
    /// The low bits of each value; 0 behind the last one.
    low: [u32; BLOCK],
    positions: [u8; BLOCK],
    packed: Packed,
}

impl Block {
    pub(super) fn new() -> Self {
        Block { low: [0; BLOCK], positions: [0; BLOCK], packed: [0; reach(BLOCK, WIDEST)] }
    }

    /// Appends one block of 1 to 128 numbers, of which `form` makes the u of the specification. It has no more bits than the
    /// numbers, unless these have 64.
    #[inline(always)]
    pub(super) fn push<T: Number>(&mut self, numbers: &[T], form: impl Fn(T) -> u64, out: &mut impl ByteSink) {
        let n = numbers.len();
        let all = take_low(numbers, &form, &mut self.low);
        if T::WIDTH <= 4 || all >> 32 == 0 {
            return self.push_low(n, length(all), out);
        }
        let mut lengths = [0; BLOCK];
        for (to, &number) in lengths.iter_mut().zip(numbers) {
            *to = length(form(number)) as u8;
        }
        let above = |w: usize| lengths.iter().map(|&length| u8::from(length > w as u8)).sum::<u8>();
        let (width, exceptions) = best_width(n, length(all), |w| usize::from(above(w)));
        push_head(width, exceptions, out);
        u32::pack(&self.low, n, width, &mut self.packed);
        out.bytes(&self.packed[..packed_len(n, width)]);
        self.push_positions(&lengths.map(|length| length > width as u8), out);
        for &position in &self.positions[..exceptions] {
            out.varint(form(numbers[usize::from(position)]) >> width);
        }
    }

    /// Appends one block of the `n` low bits, where all values are below 2^32 and the longest has so many bits.
    fn push_low(&mut self, n: usize, longest: usize, out: &mut impl ByteSink) {
        match longest {
            0..=8 => self.push_lanes::<u8>(n, longest, out),
            9..=16 => self.push_lanes::<u16>(n, longest, out),
            _ => self.push_lanes::<u32>(n, longest, out),
        }
    }

    #[inline(always)]
    fn push_lanes<L: Lane>(&mut self, n: usize, longest: usize, out: &mut impl ByteSink) {
        let mut lanes = [L::default(); BLOCK];
        L::narrow_all(&self.low, &mut lanes);
        let (width, exceptions) = best_width(n, longest, |w| L::above(&lanes, w));
        push_head(width, exceptions, out);
        L::pack(&lanes, n, width, &mut self.packed);
        out.bytes(&self.packed[..packed_len(n, width)]);
        if exceptions == 0 {
            return;
        }
        self.push_positions(&lanes.map(|lane| lane.is_above(width)), out);
        for &position in &self.positions[..exceptions] {
            out.varint(u64::from(self.low[usize::from(position)] >> width));
        }
    }

    /// Appends the positions of the exceptions, and keeps them.
    fn push_positions(&mut self, longer: &[bool; BLOCK], out: &mut impl ByteSink) {
        let mut found = 0;
        for (from, flags) in longer.chunks_exact(FLAGS).enumerate() {
            let flags: &[bool; FLAGS] = flags.try_into().expect("eight flags");
            let flags = u64::from_le_bytes(flags.map(u8::from));
            // The product has the eight flags, in their order, in its highest byte.
            let mut flags = flags.wrapping_mul(0x0102_0408_1020_4080) >> 56;
            while flags != 0 {
                self.positions[found] = (from * FLAGS) as u8 + flags.trailing_zeros() as u8;
                flags &= flags - 1;
                found += 1;
            }
        }
        out.bytes(&self.positions[..found]);
    }
}

/// Stores the low bits of the numbers' forms, and 0 behind them. Returns all bits that occur.
///
/// It is a function of its own, as other loops over blocks are: where such a loop is part of a large function, the compiler
/// does not know that what it reads and what it writes lie apart, and makes no vectors.
#[inline(never)]
fn take_low<T: Number>(numbers: &[T], form: &impl Fn(T) -> u64, to: &mut [u32; BLOCK]) -> u64 {
    let mut all = 0;
    for (low, &number) in to.iter_mut().zip(numbers) {
        let value = form(number);
        *low = value as u32;
        all |= value;
    }
    to[numbers.len()..].fill(0);
    all
}

fn push_head(width: usize, exceptions: usize, out: &mut impl ByteSink) {
    out.byte(width as u8 | if exceptions > 0 { 0x80 } else { 0 });
    if exceptions > 0 {
        out.byte(exceptions as u8);
    }
}

/// The position of the highest set bit, from 1; 1 for 0 as well, since no width is less.
#[inline(always)]
fn length(value: u64) -> usize {
    64 - (value | 1).leading_zeros() as usize
}

/// The width of the least cost, the smallest one in a tie, and the number of values that are longer. `above` counts the values
/// that are longer than a width below that of the longest one.
#[inline(always)]
fn best_width(n: usize, longest: usize, above: impl Fn(usize) -> usize) -> (usize, usize) {
    // tails[w]: the bytes of the varints of all exceptions, ceil((length - w) / 7) summed: one for each exception of width w,
    // one for each of width w + 7 ...
    let mut tails = [0; 64 + 7 + 1];
    let (mut width, mut exceptions, mut least) = (0, 0, usize::MAX);
    // The lengths of all values, one of 1 each left out, as far as they lie above the width.
    let mut upper = 0;
    for w in (1..=longest).rev() {
        let above = if w == longest { 0 } else { above(w) };
        tails[w] = above + tails[w + 7];
        let patches = if above == 0 { 0 } else { 1 + above + tails[w] };
        let cost = packed_len(n, w) + patches;
        if cost <= least && w <= WIDEST {
            (width, exceptions, least) = (w, above, cost);
        }
        // With a smaller width, each value takes all its bits still, or those of the width if that is more, and each
        // exception another byte: an eighth of what is above the width is less than a varint takes for it. As many values at
        // least are longer than it.
        upper += above;
        if (n + upper + (w - 1) * above) / 8 + 1 + above.max(1) > least {
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

    fn bits(value: u64) -> usize {
        (64 - value.leading_zeros()) as usize
    }

    /// A block as the specification defines it.
    fn defined(values: &[u64]) -> Vec<u8> {
        let wide = |w: usize| values.iter().enumerate().filter(move |(_, &value)| bits(value) > w);
        let cost = |w: usize| {
            let patches: usize = wide(w).map(|(_, &value)| 1 + (bits(value) - w).div_ceil(7)).sum();
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
        let mut block = Block { low: [u32::MAX; BLOCK], positions: [9; BLOCK], packed: [7; reach(BLOCK, WIDEST)] };
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
    fn zeros_take_one_bit_each() {
        assert_eq!(block(&[0u64; 128], |value| value), [&[1u8][..], &[0; 16]].concat());
        assert_eq!(block(&[1u16, 0, 1], u64::from), [1, 0b101]);
    }
}
