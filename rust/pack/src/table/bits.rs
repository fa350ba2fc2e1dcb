//! Bits as Arrow holds them: least significant first.

use alloc::vec::Vec;

/// A growing row of bits.
#[derive(Debug, Default)]
pub(super) struct Bits {
    bytes: Vec<u8>,
    len: usize,
}

/// Which of `m` values are there.
#[derive(Clone, Copy)]
pub(super) struct Mask<'b> {
    pub(super) bits: &'b [u8],
    pub(super) m: usize,
    pub(super) ones: usize,
}

impl<'b> Mask<'b> {
    /// The first `m` of these bits; those behind are zero.
    pub(super) fn of(bits: &'b [u8], m: usize) -> Self {
        Mask { bits, m, ones: bits.iter().map(|byte| byte.count_ones() as usize).sum() }
    }

    #[inline(always)]
    pub(super) fn is_set(&self, i: usize) -> bool {
        self.bits[i / 8] >> (i % 8) & 1 == 1
    }

    pub(super) fn zeros(&self) -> usize {
        self.m - self.ones
    }
}

/// The values at the end of `values`, one for each bit that is set, move to the places of their bits; `between` stands at the
/// others.
pub(super) fn spread<T: Copy>(values: &mut Vec<T>, mask: Mask<'_>, between: T) {
    if mask.zeros() == 0 {
        return;
    }
    let start = values.len() - mask.ones;
    values.resize(start + mask.m, between);
    let mut from = start + mask.ones;
    for i in (0..mask.m).rev() {
        if mask.is_set(i) {
            from -= 1;
            values[start + i] = values[from];
        } else {
            values[start + i] = between;
        }
    }
}

impl Bits {
    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    #[inline(always)]
    pub(super) fn push(&mut self, bit: bool) {
        if self.len % 8 == 0 {
            self.bytes.push(0);
        }
        if let Some(last) = self.bytes.last_mut() {
            *last |= u8::from(bit) << (self.len % 8);
        }
        self.len += 1;
    }

    /// Appends the first `m` of these bits; those behind are zero.
    pub(super) fn extend(&mut self, bits: &[u8], m: usize) {
        let shift = self.len % 8;
        if shift == 0 {
            self.bytes.extend_from_slice(&bits[..m.div_ceil(8)]);
        } else {
            self.bytes.reserve(m.div_ceil(8));
            for &byte in &bits[..m.div_ceil(8)] {
                if let Some(last) = self.bytes.last_mut() {
                    *last |= byte << shift;
                }
                self.bytes.push(byte >> (8 - shift));
            }
        }
        self.len += m;
        self.bytes.truncate(self.len.div_ceil(8));
    }

    /// As [`spread`], of the last bits.
    pub(super) fn spread(&mut self, mask: Mask<'_>) {
        if mask.zeros() == 0 {
            return;
        }
        let start = self.len - mask.ones;
        let last: Vec<bool> = (start..self.len).map(|i| self.bytes[i / 8] >> (i % 8) & 1 == 1).collect();
        self.len = start;
        self.bytes.truncate(start.div_ceil(8));
        if start % 8 != 0 {
            self.bytes[start / 8] &= (1 << (start % 8)) - 1;
        }
        let mut next = last.into_iter();
        for i in 0..mask.m {
            let bit = mask.is_set(i) && next.next().unwrap_or_default();
            self.push(bit);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(bits: &Bits) -> Vec<bool> {
        (0..bits.len()).map(|i| bits.bytes()[i / 8] >> (i % 8) & 1 == 1).collect()
    }

    #[test]
    fn bits_are_appended_at_any_place() {
        for before in 0..17 {
            let mut bits = Bits::default();
            let mut wanted = Vec::new();
            for i in 0..before {
                bits.push(i % 3 == 0);
                wanted.push(i % 3 == 0);
            }
            bits.extend(&[0b1010_0110, 0b0000_0101], 11);
            wanted.extend((0..11).map(|i| 0b101_1010_0110u32 >> i & 1 == 1));
            assert_eq!(all(&bits), wanted);
            assert_eq!(bits.bytes().len(), bits.len().div_ceil(8));
        }
    }

    #[test]
    fn values_move_to_the_places_of_their_bits() {
        let mut values = vec![9, 1, 2, 3];
        spread(&mut values, Mask::of(&[0b0101_0010], 7), 0);
        assert_eq!(values, [9, 0, 1, 0, 0, 2, 0, 3]);
        let mut bits = Bits::default();
        [true, true, false, true].into_iter().for_each(|bit| bits.push(bit));
        bits.spread(Mask::of(&[0b0101_0010], 7));
        assert_eq!(all(&bits), [true, false, true, false, false, false, false, true]);
    }
}
