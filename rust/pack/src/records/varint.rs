//! Numbers of a record file: LEB128 in its shortest form.

use alloc::format;
use alloc::vec::Vec;
use samewire_core::{Code, Error};

/// Sizes, counts and lengths are below 2^31.
pub(super) const COUNT_BITS: u32 = 31;
/// The most bytes that a size takes.
pub(super) const SIZE_BYTES: usize = 5;

pub(super) fn write_varint(mut value: u64, out: &mut Vec<u8>) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Returns a number below 2^bits and the position behind it, or `None` if the bytes end inside it.
///
/// # Errors
/// `bad_number` without an offset for a number that is not in its shortest form or too large.
pub(super) fn read_varint(bytes: &[u8], start: usize, bits: u32) -> Result<Option<(u64, usize)>, Error> {
    let longest = bits.div_ceil(7);
    let mut value = 0u64;
    for place in 0..longest {
        let Some(&byte) = bytes.get(start + place as usize) else { return Ok(None) };
        let part = u64::from(byte & 0x7f);
        // The last byte of 64 bits holds one of them.
        if place * 7 + (u8::BITS - (byte & 0x7f).leading_zeros()) > bits {
            break;
        }
        value |= part << (7 * place);
        if byte < 0x80 {
            if byte == 0 && place > 0 {
                break;
            }
            return Ok(Some((value, start + place as usize + 1)));
        }
    }
    Err(Error::new(Code::BadNumber, format!("expected a number below 2^{bits} in its shortest form")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back_and_every_cut_needs_more() {
        for value in [0, 1, 127, 128, (1 << 31) - 1, 1 << 31, u64::MAX >> 1, u64::MAX] {
            let mut out = Vec::new();
            write_varint(value, &mut out);
            assert_eq!(read_varint(&out, 0, 64).unwrap(), Some((value, out.len())));
            for end in 0..out.len() {
                assert_eq!(read_varint(&out[..end], 0, 64).unwrap(), None);
            }
            assert_eq!(read_varint(&out, 0, COUNT_BITS).is_err(), value >> 31 > 0, "{value}");
        }
    }

    #[test]
    fn rejects_numbers_that_are_not_in_their_shortest_form() {
        for bytes in [&[0x80, 0][..], &[0xff, 0x80, 0], &[0xff, 0xff, 0xff, 0xff, 0x0f], &[0x80; 10]] {
            assert_eq!(read_varint(bytes, 0, COUNT_BITS).unwrap_err().code, Code::BadNumber, "{bytes:x?}");
        }
        assert!(read_varint(&[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2], 0, 64).is_err());
    }
}
