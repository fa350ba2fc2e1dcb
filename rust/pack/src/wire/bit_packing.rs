//! Runs of numbers of 1 to 32 bits, the first one lowest (`spec/pack.md` section 9). Each width has loops of its own, in
//! which every shift is a constant.

use super::bounds::BLOCK;

/// So many numbers take whole bytes, as many as a number has bits.
const GROUP: usize = 8;

/// A generic function at each of these widths; that of width w stands at w - 1.
macro_rules! at_each_width {
    ($function:ident, 8) => { at_each_width!($function 1 2 3 4 5 6 7 8) };
    ($function:ident, 16) => { at_each_width!($function 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16) };
    ($function:ident, 32) => {
        at_each_width!(
            $function 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32
        )
    };
    ($function:ident $($width:literal)*) => {
        [$($function::<$width>),*]
    };
}

type Pack<L> = fn(&[L; BLOCK], usize, &mut Packed);
type Unpack = fn(&[u8], usize, &mut [u32; BLOCK]);

static PACK_8: [Pack<u8>; 8] = at_each_width!(pack_bytes, 8);
static PACK_16: [Pack<u16>; 16] = at_each_width!(pack_halves, 16);
static PACK_32: [Pack<u32>; 32] = at_each_width!(pack_groups, 32);
static UNPACK: [Unpack; 32] = at_each_width!(unpack_groups, 32);

/// The bytes of the low bits of a block.
pub(super) const fn packed_len(values: usize, width: usize) -> usize {
    (values * width).div_ceil(8)
}

/// The bytes at which packing or unpacking may look: those of whole groups, and one word more.
pub(super) const fn reach(values: usize, width: usize) -> usize {
    values.div_ceil(GROUP) * width + 8
}

/// Room for the low bits of any block.
pub(super) type Packed = [u8; reach(BLOCK, 32)];

/// What a block's numbers are packed from, if all of them fit: the narrower, the more at once.
pub(super) trait Lane: Copy + Default {
    /// The low bits of numbers.
    fn narrow_all(low: &[u32; BLOCK], to: &mut [Self; BLOCK]);

    /// Whether it has more bits than `width`, which is less than those of a lane.
    fn is_above(self, width: usize) -> bool;

    /// How many are [above](Self::is_above) a width.
    fn above(lanes: &[Self; BLOCK], width: usize) -> usize;

    /// Stores the low `width` bits of the first `n` values. Up to a multiple of eight, those behind them must be 0; bytes
    /// behind [`packed_len`] may be overwritten.
    fn pack(lanes: &[Self; BLOCK], n: usize, width: usize, to: &mut Packed);
}

macro_rules! lanes {
    ($($lane:ident $pack:ident),*) => {$(
        impl Lane for $lane {
            #[inline(never)]
            fn narrow_all(low: &[u32; BLOCK], to: &mut [Self; BLOCK]) {
                for (lane, &low) in to.iter_mut().zip(low) {
                    *lane = low as $lane;
                }
            }

            #[inline(always)]
            fn is_above(self, width: usize) -> bool {
                self & $lane::MAX << width != 0
            }

            #[inline(never)]
            fn above(lanes: &[Self; BLOCK], width: usize) -> usize {
                lanes.iter().map(|lane| $lane::from(lane.is_above(width))).sum::<$lane>() as usize
            }

            #[inline(always)]
            fn pack(lanes: &[Self; BLOCK], n: usize, width: usize, to: &mut Packed) {
                $pack[width - 1](lanes, n.div_ceil(GROUP), to);
            }
        }
    )*};
}

lanes!(u8 PACK_8, u16 PACK_16, u32 PACK_32);

/// Takes `n` numbers of `width` bits from `bytes`, of which there must be [`reach`]. Up to a multiple of eight, values behind
/// them may be overwritten.
pub(super) fn unpack(bytes: &[u8], n: usize, width: usize, values: &mut [u32; BLOCK]) {
    UNPACK[width - 1](bytes, n.div_ceil(GROUP), values);
}

/// Packs numbers of at most 8 bits. Eight bytes become one word by merging neighbours: pairs, pairs of these, and so on.
fn pack_bytes<const W: usize>(values: &[u8; BLOCK], groups: usize, to: &mut Packed) {
    let mut words = [0; BLOCK / GROUP];
    for (word, group) in words.iter_mut().zip(values.chunks_exact(GROUP)) {
        let eight = u64::from_le_bytes(group.try_into().expect("eight bytes"));
        let pairs = merge::<8>(eight & (u64::MAX / 0xff * (0xff >> (8 - W))), W);
        *word = merge::<32>(merge::<16>(pairs, 2 * W), 4 * W);
    }
    for (g, word) in words[..groups].iter().enumerate() {
        // What is stored behind the group's bytes is overwritten by the next one.
        to[g * W..g * W + 8].copy_from_slice(&word.to_le_bytes());
    }
}

/// Packs numbers of at most 16 bits, four in each of two words.
fn pack_halves<const W: usize>(values: &[u16; BLOCK], groups: usize, to: &mut Packed) {
    let mut words = [0; BLOCK / 4];
    for (word, four) in words.iter_mut().zip(values.chunks_exact(4)) {
        let lane = |i: usize| u64::from(four[i] & u16::MAX >> (16 - W)) << (16 * i);
        *word = merge::<32>(merge::<16>(lane(0) | lane(1) | lane(2) | lane(3), W), 2 * W);
    }
    for (g, words) in words.chunks_exact(2).take(groups).enumerate() {
        let word = u128::from(words[0]) | u128::from(words[1]) << (4 * W);
        to[g * W..g * W + 16].copy_from_slice(&word.to_le_bytes());
    }
}

/// Moves the upper lane of each pair of lanes of `LANE` bits to where the lower one's `used` bits end.
#[inline(always)]
fn merge<const LANE: usize>(word: u64, used: usize) -> u64 {
    let lower = u64::MAX / (1 << LANE | 1);
    word & lower | (word & !lower) >> (LANE - used)
}

/// Packs numbers of any width.
fn pack_groups<const W: usize>(values: &[u32; BLOCK], groups: usize, to: &mut Packed) {
    for (g, group) in values.chunks_exact(GROUP).take(groups).enumerate() {
        let to = &mut to[g * W..g * W + W + 4];
        let (mut word, mut bits, mut at) = (0u64, 0, 0);
        for &value in group {
            word |= u64::from(value & u32::MAX >> (32 - W)) << bits;
            bits += W;
            if bits >= 32 {
                to[at..at + 4].copy_from_slice(&(word as u32).to_le_bytes());
                (word, bits, at) = (word >> 32, bits - 32, at + 4);
            }
        }
        // Where the width is no multiple of 4, too many bytes: the next group stands there.
        to[at..at + 4].copy_from_slice(&(word as u32).to_le_bytes());
    }
}

fn unpack_groups<const W: usize>(bytes: &[u8], groups: usize, values: &mut [u32; BLOCK]) {
    for (g, group) in values.chunks_exact_mut(GROUP).take(groups).enumerate() {
        let bytes = &bytes[g * W..g * W + W + 8];
        for (i, value) in group.iter_mut().enumerate() {
            let at = i * W / 8;
            let word = u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"));
            // At most 7 + 32 bits are needed of the 64.
            *value = (word >> (i * W % 8)) as u32 & u32::MAX >> (32 - W);
        }
    }
}

/// A block's low bits at the very end of a message, with the bytes more that [`unpack`] may look at.
pub(super) fn padded(bytes: &[u8]) -> Packed {
    let mut padded = [0; reach(BLOCK, 32)];
    padded[..bytes.len()].copy_from_slice(bytes);
    padded
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Packs the low bits of numbers from lanes of that type, and compares with what is defined, and with what is unpacked.
    fn check<L: Lane>(values: &[u32; BLOCK], n: usize, width: usize) {
        let mut defined = [0u8; reach(BLOCK, 32)];
        for bit in 0..n * width {
            defined[bit / 8] |= ((values[bit / width] >> (bit % width) & 1) as u8) << (bit % 8);
        }
        let mut packed = [0xff; reach(BLOCK, 32)];
        let mut lanes = [L::default(); BLOCK];
        L::narrow_all(values, &mut lanes);
        L::pack(&lanes, n, width, &mut packed);
        let length = packed_len(n, width);
        assert_eq!(packed[..length], defined[..length], "{n} values of {width} bits");
        packed[length..].fill(0xff);
        let mut back = [0; BLOCK];
        unpack(&packed[..reach(n, width)], n, width, &mut back);
        assert_eq!(back[..n], values.map(|value| value & u32::MAX >> (32 - width))[..n]);
    }

    #[test]
    fn every_width_and_count_is_packed_bit_by_bit() {
        let mut state = 1u64;
        let random: [u32; BLOCK] = core::array::from_fn(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 32) as u32
        });
        for width in 1..=32 {
            for n in (1..=BLOCK).step_by(if cfg!(miri) { 21 } else { 1 }) {
                let mut values = random;
                values[n..].fill(0);
                check::<u32>(&values, n, width);
                if width <= 16 {
                    check::<u16>(&values, n, width);
                }
                if width <= 8 {
                    check::<u8>(&values, n, width);
                }
            }
        }
    }
}
