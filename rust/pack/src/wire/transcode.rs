//! Between UTF-8, Latin-1 and UTF-16.

/// Whether every character of `text` is below U+0100: none of its lead bytes is above C3.
pub fn fits_latin1(text: &str) -> bool {
    // Continuation bytes are below C0, so a byte above C3 can only be a lead byte. Without an early exit the loop runs
    // over many bytes at a time.
    text.as_bytes().iter().fold(0, |most: u8, &byte| most.max(byte)) <= 0xc3
}

/// Writes `text`, whose characters are all below U+0100, one byte a character, to `to`, which is as long as `text`.
/// Answers the number of characters.
pub(crate) fn write_latin1(text: &str, to: &mut [u8]) -> usize {
    let from = text.as_bytes();
    let (mut at, mut end) = (0, 0);
    while at < from.len() {
        if from[at] >= 0x80 {
            let low = from.get(at + 1).copied().unwrap_or_default();
            to[end] = from[at] << 6 | low & 0x3f;
            at += 2;
            end += 1;
            continue;
        }
        let run = copy_ascii(&from[at..], &mut to[end..]);
        at += run;
        end += run;
    }
    end
}

/// Copies the ASCII bytes that `from` starts with and answers how many they are. `to` is as long as `from` at least; what
/// stands behind them in it is of no meaning afterwards.
#[inline(always)]
fn copy_ascii(from: &[u8], to: &mut [u8]) -> usize {
    let mut at = 0;
    while let (Some(eight), Some(place)) = (from.get(at..at + 8), to.get_mut(at..at + 8)) {
        place.copy_from_slice(eight);
        let high = u64::from_le_bytes(eight.try_into().expect("eight bytes")) & 0x8080_8080_8080_8080;
        if high != 0 {
            return at + high.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    while at < from.len() && from[at] < 0x80 {
        to[at] = from[at];
        at += 1;
    }
    at
}

/// Writes the UTF-16LE units of `text` to `to`, which is twice as long as `text`, and answers the number of bytes.
pub(crate) fn write_utf16(text: &str, to: &mut [u8]) -> usize {
    let mut end = 0;
    for (unit, place) in text.encode_utf16().zip(to.chunks_exact_mut(2)) {
        place.copy_from_slice(&unit.to_le_bytes());
        end += 2;
    }
    end
}

/// Writes Latin-1 as UTF-8 to the start of `out` and answers the number of bytes. `out` must have room for two bytes a
/// character.
pub(crate) fn latin1_to_utf8(latin1: &[u8], out: &mut [u8]) -> usize {
    let (mut at, mut end) = (0, 0);
    while at < latin1.len() {
        if latin1[at] >= 0x80 {
            out[end] = 0xc0 | latin1[at] >> 6;
            out[end + 1] = 0x80 | latin1[at] & 0x3f;
            at += 1;
            end += 2;
            continue;
        }
        let run = copy_ascii(&latin1[at..], &mut out[end..]);
        at += run;
        end += run;
    }
    end
}

/// Writes well-formed UTF-16LE as UTF-8 to the start of `out` and answers the number of bytes; `None` at a lone
/// surrogate. `out` must have room for three bytes a unit.
pub(crate) fn utf16_to_utf8(units: &[u8], out: &mut [u8]) -> Option<usize> {
    let mut to = 0;
    for char in char::decode_utf16(wide_units(units)) {
        to += char.ok()?.encode_utf8(&mut out[to..]).len();
    }
    Some(to)
}

/// The units of a piece of the wide block.
pub fn wide_units(bytes: &[u8]) -> impl Iterator<Item = u16> + Clone + '_ {
    bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]]))
}

/// Whether a piece of the wide block is well-formed UTF-16: every surrogate in a pair.
pub fn is_well_formed(units: &[u8]) -> bool {
    let surrogates = units.chunks_exact(2).fold(false, |any, pair| any | (pair[1] & 0xf8 == 0xd8));
    !surrogates || char::decode_utf16(wide_units(units)).all(|char| char.is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::{String, ToString};
    use alloc::vec::Vec;

    #[test]
    fn latin1_there_and_back() {
        for text in ["", "a", "Böögeyman and nine more", "\u{ff}\u{80}\u{7f}", "eight ch\u{e9} eight ch"] {
            assert!(fits_latin1(text));
            let mut latin1 = vec![0; text.len()];
            let n = write_latin1(text, &mut latin1);
            latin1.truncate(n);
            assert_eq!(latin1, text.chars().map(|c| c as u8).collect::<Vec<_>>());
            let mut out = vec![0; 2 * latin1.len()];
            let n = latin1_to_utf8(&latin1, &mut out);
            assert_eq!(&out[..n], text.as_bytes());
        }
        assert!(!fits_latin1("\u{100}"));
    }

    #[test]
    fn utf16_there_and_back() {
        for text in ["\u{100}", "日本", "a\u{1f600}b"] {
            let mut wide = vec![0; 2 * text.len()];
            let n = write_utf16(text, &mut wide);
            wide.truncate(n);
            assert_eq!(n, 2 * text.encode_utf16().count());
            assert!(is_well_formed(&wide));
            let mut out = vec![0; 3 * wide.len()];
            let n = utf16_to_utf8(&wide, &mut out).unwrap();
            assert_eq!(String::from_utf8_lossy(&out[..n]).to_string(), text);
        }
        assert!(!is_well_formed(&[0, 0xd8]));
        assert_eq!(utf16_to_utf8(&[0, 0xdc, 0x61, 0], &mut [0; 12]), None);
    }
}
