//! Varints (`spec/pack.md` section 4) by whole words: a loop over their bytes would be guessed wrong wherever lengths differ.

/// Bytes of a varint at most.
pub(crate) const VARINT: usize = 10;

/// Numbers below this take eight bytes at most.
pub(super) const EIGHT: u64 = 1 << 56;

const CONTINUES: u64 = 0x8080_8080_8080_8080;

/// The bytes of a number below [`EIGHT`] as a varint, the first one lowest, and how many there are.
#[inline(always)]
pub(super) fn varint_bytes(value: u64) -> (u64, usize) {
    let length = varint_len(value);
    // Two halves of 28 bits, four of 14, eight of 7; then the bit that says that another byte follows.
    let value = value & 0x0fff_ffff | (value & 0x00ff_ffff_f000_0000) << 4;
    let value = value & 0x0000_3fff_0000_3fff | (value & 0x0fff_c000_0fff_c000) << 2;
    let value = value & 0x007f_007f_007f_007f | (value & 0x3f80_3f80_3f80_3f80) << 1;
    (value | CONTINUES & ((1 << (8 * (length - 1))) - 1), length)
}

/// The number of bytes of `value` as a varint.
pub const fn varint_len(value: u64) -> usize {
    ((70 - (value | 1).leading_zeros()) / 7) as usize
}

/// Returns the varint of two bytes and more, in its shortest form, that `word` begins with, the first byte lowest, and its
/// length; `None` if it is longer than the word, not in its shortest form, or has more than `bits` bits.
#[inline(always)]
pub(crate) fn varint_of_word(word: u64, bits: usize) -> Option<(u64, usize)> {
    // The lowest bit that says that the number ends; the bits below it, but those that say that it goes on.
    let ends = !word & CONTINUES;
    let value = word & (ends ^ ends.wrapping_sub(1)) & !CONTINUES;
    let length = ends.trailing_zeros() as usize / 8 + 1;
    // Its last byte is not zero.
    let shortest = ends != 0 && value >> (8 * length - 8) != 0;
    let value = value & 0x007f_007f_007f_007f | (value & 0x7f00_7f00_7f00_7f00) >> 1;
    let value = value & 0x0000_3fff_0000_3fff | (value & 0x3fff_0000_3fff_0000) >> 2;
    let value = value & 0x0fff_ffff | (value & 0x0fff_ffff_0000_0000) >> 4;
    (shortest && (bits == 64 || value >> bits == 0)).then_some((value, length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_say_what_they_were_made_of() {
        for shift in 8..56 {
            for value in [1 << shift, (1 << shift) - 1, (1 << shift) + 1, 0x0055_5555_5555_5555 >> (55 - shift)] {
                let (bytes, length) = varint_bytes(value);
                let bits = 64 - value.leading_zeros() as usize;
                for rest in [0, u64::MAX] {
                    let behind = if length == 8 { 0 } else { rest << (8 * length) };
                    assert_eq!(varint_of_word(bytes | behind, 64), Some((value, length)), "{value:x}");
                    assert_eq!(varint_of_word(bytes | behind, bits), Some((value, length)), "{value:x}");
                    assert_eq!(varint_of_word(bytes | behind, bits - 1), None, "{value:x}");
                }
            }
        }
    }

    #[test]
    fn longer_forms_are_refused() {
        for word in [0x0080, 0x0081, 0x0080_8080, 0x0000_80ff, CONTINUES, u64::MAX, 0x0080_8080_8080_8080] {
            assert_eq!(varint_of_word(word, 64), None, "{word:x}");
        }
    }
}
