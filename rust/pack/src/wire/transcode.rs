//! Between UTF-8, Latin-1 and UTF-16.

use alloc::vec::Vec;

/// Whether every character of `text` is below U+0100: none of its lead bytes is above C3.
pub fn fits_latin1(text: &str) -> bool {
    // Continuation bytes are below C0, so a byte above C3 can only be a lead byte.
    !text.as_bytes().iter().any(|&byte| byte > 0xc3)
}

/// Appends `text`, whose characters are all below U+0100, one byte a character.
pub(crate) fn push_latin1(text: &str, out: &mut Vec<u8>) {
    let bytes = text.as_bytes();
    out.reserve(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let ascii = ascii_run(&bytes[at..]);
        out.extend_from_slice(&bytes[at..at + ascii]);
        at += ascii;
        while at + 1 < bytes.len() && bytes[at] >= 0x80 {
            out.push(bytes[at] << 6 | bytes[at + 1] & 0x3f);
            at += 2;
        }
    }
}

/// The number of ASCII bytes that `bytes` starts with.
fn ascii_run(bytes: &[u8]) -> usize {
    let mut at = 0;
    while let Some(eight) = bytes.get(at..at + 8) {
        let high = u64::from_le_bytes(eight.try_into().expect("eight bytes")) & 0x8080_8080_8080_8080;
        if high != 0 {
            return at + high.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    at + bytes[at..].iter().take_while(|byte| byte.is_ascii()).count()
}

/// Appends the UTF-16LE units of `text` and answers how many they are.
pub(crate) fn push_utf16(text: &str, out: &mut Vec<u8>) -> usize {
    let start = out.len();
    out.reserve(text.len());
    for unit in text.encode_utf16() {
        out.extend_from_slice(&unit.to_le_bytes());
    }
    (out.len() - start) / 2
}

/// Writes Latin-1 as UTF-8 to the start of `out` and answers the number of bytes. `out` must have room for two bytes a
/// character.
pub(crate) fn latin1_to_utf8(latin1: &[u8], out: &mut [u8]) -> usize {
    let (mut at, mut to) = (0, 0);
    while at < latin1.len() {
        let ascii = ascii_run(&latin1[at..]);
        out[to..to + ascii].copy_from_slice(&latin1[at..at + ascii]);
        at += ascii;
        to += ascii;
        while at < latin1.len() && latin1[at] >= 0x80 {
            out[to] = 0xc0 | latin1[at] >> 6;
            out[to + 1] = 0x80 | latin1[at] & 0x3f;
            at += 1;
            to += 2;
        }
    }
    to
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

    #[test]
    fn latin1_there_and_back() {
        for text in ["", "a", "Böögeyman and nine more", "\u{ff}\u{80}\u{7f}", "eight ch\u{e9} eight ch"] {
            assert!(fits_latin1(text));
            let mut latin1 = Vec::new();
            push_latin1(text, &mut latin1);
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
            let mut wide = Vec::new();
            assert_eq!(push_utf16(text, &mut wide), text.encode_utf16().count());
            assert!(is_well_formed(&wide));
            let mut out = vec![0; 3 * wide.len()];
            let n = utf16_to_utf8(&wide, &mut out).unwrap();
            assert_eq!(String::from_utf8_lossy(&out[..n]).to_string(), text);
        }
        assert!(!is_well_formed(&[0, 0xd8]));
        assert_eq!(utf16_to_utf8(&[0, 0xdc, 0x61, 0], &mut [0; 12]), None);
    }
}
