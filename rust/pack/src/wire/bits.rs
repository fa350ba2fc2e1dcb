//! Patched bit packing: blocks of at most 128 values (`spec/pack.md` section 9).

use super::buffer::Buffer;
use super::BLOCK;

/// The width of the least cost for values of which `histogram[b]` have their highest set bit at position `b`, the
/// number of exceptions, and the block's whole length in bytes after its first one.
fn best_width(histogram: &[u8; 65], values: usize) -> (usize, usize, usize) {
    // above[w]: values wider than w bits. extra[w]: bytes of their remaining bits, ceil((b - w) / 7) summed, which is
    // above[w] + above[w + 7] + above[w + 14] + ...
    let mut above = [0u16; 65 + 7];
    let mut extra = [0u16; 65 + 7];
    for w in (1..64).rev() {
        above[w] = above[w + 1] + u16::from(histogram[w + 1]);
        extra[w] = above[w] + extra[w + 7];
    }
    let mut best = (0, 0, usize::MAX);
    for w in 1..=32 {
        let exceptions = usize::from(above[w]);
        let patches = if exceptions == 0 { 0 } else { 1 + exceptions + usize::from(extra[w]) };
        let cost = (values * w).div_ceil(8) + patches;
        if cost < best.2 {
            best = (w, exceptions, cost);
        }
    }
    best
}

/// Appends one block of 1 to 128 values.
pub(super) fn push_block(values: &[u64], out: &mut Buffer) {
    let mut histogram = [0u8; 65];
    for &value in values {
        histogram[64 - value.leading_zeros() as usize] += 1;
    }
    let (width, exceptions, cost) = best_width(&histogram, values.len());
    out.room(1 + cost + 8);
    out.byte(width as u8 | if exceptions > 0 { 0x80 } else { 0 });
    if exceptions > 0 {
        out.byte(exceptions as u8);
    }
    let mask = (1u64 << width) - 1;
    let (mut pending, mut bits) = (0u64, 0);
    for &value in values {
        // bits < 32 and width <= 32: nothing is shifted out.
        pending |= (value & mask) << bits;
        bits += width;
        if bits >= 32 {
            out.array((pending as u32).to_le_bytes());
            pending >>= 32;
            bits -= 32;
        }
    }
    out.word(pending, bits.div_ceil(8));
    if exceptions > 0 {
        for (i, _) in values.iter().enumerate().filter(|(_, &value)| value > mask) {
            out.byte(i as u8);
        }
        for value in values.iter().filter(|&&value| value > mask) {
            out.varint(value >> width);
        }
    }
}

/// Takes `values.len()` numbers of `width` bits from the start of `bytes`, which must have eight bytes more than they need.
#[inline(always)]
pub(super) fn unpack(bytes: &[u8], width: usize, values: &mut [u64]) {
    let mask = (1u64 << width) - 1;
    for (i, value) in values.iter_mut().enumerate() {
        let bit = i * width;
        let word = u64::from_le_bytes(bytes[bit / 8..bit / 8 + 8].try_into().expect("eight bytes"));
        // At most 7 + 32 bits are needed of the 64.
        *value = word >> (bit % 8) & mask;
    }
}

/// The bytes of the low bits of a block.
pub(super) const fn packed_len(values: usize, width: usize) -> usize {
    (values * width).div_ceil(8)
}

/// A block's low bits at the very end of a message, with the eight bytes more that [`unpack`] may look at.
pub(super) struct Padded([u8; BLOCK * 4 + 8]);

impl Padded {
    pub(super) fn of(bytes: &[u8]) -> Self {
        let mut padded = [0; BLOCK * 4 + 8];
        padded[..bytes.len()].copy_from_slice(bytes);
        Padded(padded)
    }

    pub(super) fn as_slice(&self) -> &[u8] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    fn block(values: &[u64]) -> Vec<u8> {
        let mut out = Buffer::default();
        push_block(values, &mut out);
        out.take()
    }

    /// The cost as the specification writes it.
    fn cost(values: &[u64], w: u32) -> usize {
        let wide: Vec<u32> = values.iter().map(|v| 64 - v.leading_zeros()).filter(|&b| b > w).collect();
        let patches =
            if wide.is_empty() { 0 } else { 1 + wide.iter().map(|b| 1 + (b - w).div_ceil(7) as usize).sum::<usize>() };
        (values.len() * w as usize).div_ceil(8) + patches
    }

    #[test]
    fn the_width_has_the_least_cost_and_the_block_that_length() {
        let mut state = 1u64;
        for round in 0..2000 {
            let n = 1 + round % 128;
            let values: Vec<u64> = (0..n)
                .map(|_| {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    let wide = if state >> 60 == 0 { 64 } else { 1 + round % 20 };
                    (state >> 3) >> (64 - wide).min(63)
                })
                .collect();
            let bytes = block(&values);
            let w = u32::from(bytes[0] & 0x3f);
            let best = (1..=32).min_by_key(|&w| cost(&values, w)).unwrap();
            assert_eq!((w, bytes.len()), (best, 1 + cost(&values, best)));
        }
    }

    #[test]
    fn zeros_take_one_bit_each() {
        assert_eq!(block(&[0; 128]), [&[1u8][..], &[0; 16]].concat());
        assert_eq!(block(&[1, 0, 1]), [1, 0b101]);
    }
}
