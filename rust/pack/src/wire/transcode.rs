//! Between UTF-8, Latin-1 and UTF-16.

use super::lanes::{plain, signs, window, LANES};

/// Room that the transcoders need behind what they write: they store up to two registers at once.
pub const SLACK: usize = 2 * LANES;

/// The highest first byte of a character below U+0100.
pub(super) const LAST_LATIN1_LEAD: u8 = 0xc3;

/// Whether every character of `text` is below U+0100: none of its lead bytes is above C3.
pub fn fits_latin1(text: &str) -> bool {
    // Continuation bytes are below C0, so a byte above C3 can only be a lead byte. Without an early exit the loop runs
    // over many bytes at a time.
    text.as_bytes().iter().fold(0, |most: u8, &byte| most.max(byte)) <= LAST_LATIN1_LEAD
}

/// Writes `text` one byte a character to `to`. Returns the number of characters, at most the length of `text`; `None` at a
/// character above U+00FF.
///
/// # Safety
/// `to` must be writable for the length of `text` and [`SLACK`] more, and must not overlap with `text`.
pub(crate) unsafe fn write_latin1(text: &str, to: *mut u8) -> Option<usize> {
    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    if super::latin1_ssse3::is_possible() {
        // SAFETY: `is_possible`; `to` is writable for the length of `text` and `SLACK` more, and does not overlap with it.
        return unsafe { super::latin1_ssse3::write_latin1(text.as_bytes(), to) };
    }
    // SAFETY: `to` is writable for the length of `text` and `SLACK` more, and does not overlap with it.
    unsafe { write_latin1_anywhere(text, to) }
}

/// Portable fallback of [`write_latin1`].
///
/// # Safety
/// As [`write_latin1`].
unsafe fn write_latin1_anywhere(text: &str, to: *mut u8) -> Option<usize> {
    let from = text.as_bytes();
    let (mut at, mut end) = (0, 0);
    while at < from.len() {
        let (bytes, count) = window(from, at);
        // SAFETY: end <= at < from.len(), behind which there is room for sixteen bytes.
        unsafe { to.add(end).cast::<[u8; LANES]>().write_unaligned(bytes.to_le_bytes()) };
        let run = plain(bytes, count);
        at += run;
        end += run;
        if run < count {
            // All before it is ASCII, so this is the first byte of a character, and not its last.
            let (lead, low) = (from[at], from[at + 1]);
            if lead > LAST_LATIN1_LEAD {
                return None;
            }
            // SAFETY: end <= at < from.len().
            unsafe { to.add(end).write(lead << 6 | low & 0x3f) };
            at += 2;
            end += 1;
        }
    }
    Some(end)
}

/// Writes the UTF-16LE units of `text` to `to`, and returns the number of bytes, at most twice the length of `text`.
///
/// # Safety
/// `to` must be writable for twice the length of `text` and [`SLACK`] more, and must not overlap with `text`.
pub(crate) unsafe fn write_utf16(text: &str, to: *mut u8) -> usize {
    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    if super::utf16_ssse3::is_possible() {
        // SAFETY: `is_possible`; a `str` is UTF-8; `to` is writable for twice its length and `SLACK` more, and does not overlap
        // with it.
        return unsafe { super::utf16_ssse3::write_utf16(text.as_bytes(), to) };
    }
    // SAFETY: `to` is writable for twice the length of `text`, and does not overlap with it.
    unsafe { write_utf16_anywhere(text, to) }
}

/// Writes the UTF-16LE units of `text` to the start of `out` and returns the number of bytes. `out` must have room for two bytes
/// for each of the text and [`SLACK`] more.
///
/// # Panics
/// If there is less room.
pub fn utf8_to_utf16(text: &str, out: &mut [u8]) -> usize {
    assert!(out.len() >= 2 * text.len() + SLACK);
    // SAFETY: the assertion; `out` is borrowed mutably.
    unsafe { write_utf16(text, out.as_mut_ptr()) }
}

/// Portable fallback of [`write_utf16`].
///
/// # Safety
/// As [`write_utf16`].
unsafe fn write_utf16_anywhere(text: &str, to: *mut u8) -> usize {
    let mut end = 0;
    for unit in text.encode_utf16() {
        // SAFETY: a character takes at most two bytes for each that it has in UTF-8.
        unsafe { to.add(end).cast::<[u8; 2]>().write_unaligned(unit.to_le_bytes()) };
        end += 2;
    }
    end
}

/// Writes Latin-1 as UTF-8 to the start of `out` and returns the number of bytes. `out` must have room for two bytes a
/// character and [`SLACK`] more.
pub(crate) fn latin1_to_utf8(latin1: &[u8], out: &mut [u8]) -> usize {
    let (mut at, mut end) = (0, 0);
    while at < latin1.len() {
        let (bytes, count) = window(latin1, at);
        out[end..end + LANES].copy_from_slice(&bytes.to_le_bytes());
        // Whether all are ASCII is guessed: the places of the next bytes then do not wait for these.
        let signs = signs(bytes);
        if signs == 0 {
            at += count;
            end += count;
        } else {
            let run = signs.trailing_zeros() as usize;
            at += run;
            end += run;
            let char = latin1[at];
            out[end..end + 2].copy_from_slice(&[0xc0 | char >> 6, 0x80 | char & 0x3f]);
            at += 1;
            end += 2;
        }
    }
    end
}

/// Writes UTF-16LE, of an even number of bytes, as UTF-8 to the start of `out` and returns the number of bytes; `None` at a
/// lone surrogate. `out` must have room for three bytes a unit and [`SLACK`] more.
///
/// # Panics
/// If there is less room.
pub fn utf16_to_utf8(units: &[u8], out: &mut [u8]) -> Option<usize> {
    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    if super::utf16_ssse3::is_possible() {
        assert!(units.len() % 2 == 0 && out.len() >= units.len() / 2 * 3 + SLACK);
        // SAFETY: `is_possible`; the assertion gives what else is needed, and `out` is borrowed mutably.
        return unsafe { super::utf16_ssse3::write_utf8(units, out.as_mut_ptr()) };
    }
    utf16_to_utf8_anywhere(units, out)
}

/// Portable fallback of [`utf16_to_utf8`].
fn utf16_to_utf8_anywhere(units: &[u8], out: &mut [u8]) -> Option<usize> {
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

    /// As the writer calls it; the way that every machine has must give the same, and neither may write outside its room.
    fn latin1_of(text: &str) -> Option<Vec<u8>> {
        const GUARD: [u8; 8] = [0xee; 8];
        let [best, plain] = [write_latin1, write_latin1_anywhere].map(|write| {
            let mut room = vec![0xee; GUARD.len() + text.len() + SLACK + GUARD.len()];
            // SAFETY: there is room for the text and the slack.
            let n = unsafe { write(text, room.as_mut_ptr().add(GUARD.len())) };
            assert!(room.starts_with(&GUARD) && room.ends_with(&GUARD));
            n.map(|n| room[GUARD.len()..][..n].to_vec())
        });
        assert_eq!(best, plain);
        best
    }

    #[test]
    fn every_length_and_every_place_of_a_high_character() {
        let (most, step) = if cfg!(miri) { (36, 11) } else { (100, 1) };
        for length in (0..most).step_by(step) {
            let plain: Vec<char> = (0..length).map(|i| char::from(b'a' + (i % 26) as u8)).collect();
            // Texts that begin at every alignment.
            let text_at = |chars: &[char]| {
                let mut text: String = "=".repeat(length % 16);
                text.extend(chars);
                text
            };
            for place in (0..length).step_by(step) {
                for high in ['\u{80}', '\u{bf}', '\u{c0}', '\u{ff}'] {
                    let mut chars = plain.clone();
                    chars[place] = high;
                    let text = text_at(&chars);
                    let wanted: Vec<u8> = chars.iter().map(|&c| c as u8).collect();
                    assert_eq!(latin1_of(&text[length % 16..]), Some(wanted), "{length} {place}");
                }
                for wide in ['\u{100}', '\u{7ff}', '\u{800}', '\u{1f600}'] {
                    let mut chars = plain.clone();
                    chars[place] = wide;
                    assert_eq!(latin1_of(&text_at(&chars)[length % 16..]), None, "{length} {place}");
                }
            }
        }
    }

    #[test]
    fn latin1_there_and_back() {
        let mut state = 1u32;
        for n in (0..3000).step_by(if cfg!(miri) { 397 } else { 1 }) {
            // From no character that is not ASCII to nothing else.
            let text: String = (0..n % 75)
                .map(|_| {
                    state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    let high = state >> 28 < n / 190;
                    char::from((state >> 20) as u8 & 0x7f | if high { 0x80 } else { 0 })
                })
                .collect();
            let latin1 = latin1_of(&text).unwrap();
            assert_eq!(latin1, text.chars().map(|c| c as u8).collect::<Vec<_>>());
            let mut out = vec![0; 2 * latin1.len() + SLACK];
            let n = latin1_to_utf8(&latin1, &mut out);
            assert_eq!(&out[..n], text.as_bytes());
            for wide in ["\u{100}", "\u{7ff}", "日", "\u{1f600}"] {
                assert!(!fits_latin1(&(text.clone() + wide)));
                assert_eq!(latin1_of(&(text.clone() + wide)), None);
                assert_eq!(latin1_of(&(wide.to_string() + &text)), None);
            }
        }
    }

    /// As the writer calls it, likewise.
    fn utf16_of(text: &str) -> Vec<u8> {
        const GUARD: [u8; 8] = [0xee; 8];
        let [best, plain] = [write_utf16, write_utf16_anywhere].map(|write| {
            let mut room = vec![0xee; GUARD.len() + 2 * text.len() + SLACK + GUARD.len()];
            // SAFETY: there is room for the text and the slack.
            let n = unsafe { write(text, room.as_mut_ptr().add(GUARD.len())) };
            assert!(room.starts_with(&GUARD) && room.ends_with(&GUARD));
            room[GUARD.len()..][..n].to_vec()
        });
        assert_eq!(best, plain);
        best
    }

    /// As the reader calls it, likewise.
    fn utf8_of(wide: &[u8]) -> Option<String> {
        let [best, plain] = [utf16_to_utf8, utf16_to_utf8_anywhere].map(|write| {
            let mut out = vec![0; wide.len() / 2 * 3 + SLACK];
            let n = write(wide, &mut out)?;
            Some(String::from_utf8(out[..n].to_vec()).unwrap())
        });
        assert_eq!(best, plain);
        best
    }

    fn there_and_back(text: &str) {
        let wide = utf16_of(text);
        assert_eq!(wide, text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>());
        assert!(is_well_formed(&wide));
        assert_eq!(utf8_of(&wide).as_deref(), Some(text));
    }

    #[test]
    fn utf16_there_and_back() {
        // The first and the last character of every length.
        const KINDS: [&[char]; 4] = [
            &['\0', 'a', '\u{7f}'],
            &['\u{80}', 'é', 'я', '\u{7ff}'],
            &['\u{800}', '日', '\u{d7ff}', '\u{e000}', '\u{ffff}'],
            &['\u{10000}', '\u{1f600}', '\u{10ffff}'],
        ];
        // Runs of up to 19 characters of each kind behind up to 17 of each other.
        for before in 0..4 {
            for kind in 0..4 {
                for runs in (0..17 * 19).step_by(if cfg!(miri) { 61 } else { 1 }) {
                    let of = |kind: usize, n: usize| (0..n).map(move |i| KINDS[kind][i % KINDS[kind].len()]);
                    let text: String =
                        of(before, runs % 17).chain(of(kind, runs / 17 + 1)).chain(of(before, 1)).collect();
                    there_and_back(&text);
                }
            }
        }
    }

    #[test]
    fn mixed_utf16_there_and_back() {
        let mut state = 1u32;
        for n in (0..3000).step_by(if cfg!(miri) { 397 } else { 1 }) {
            let text: String = (0..n % 75)
                .map(|_| {
                    state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    char::from_u32(state >> 11 >> (state % 4 * 5)).unwrap_or('日')
                })
                .collect();
            there_and_back(&text);
        }
    }

    #[test]
    fn a_lone_surrogate_is_refused_wherever_it_stands() {
        for before in (0..20).step_by(if cfg!(miri) { 7 } else { 1 }) {
            for text in ["a", "я", "日", "\u{1f600}"] {
                for lone in [
                    &[0xd800][..],
                    &[0xdbff],
                    &[0xdc00],
                    &[0xdfff],
                    &[0xd800, 0xd800],
                    &[0xd800, 0x61],
                    &[0xdc00, 0xd800],
                ] {
                    let units = text.repeat(before).encode_utf16().chain(lone.iter().copied()).collect::<Vec<_>>();
                    let after = [&units[..], &text.encode_utf16().collect::<Vec<_>>()].concat();
                    for units in [units, after] {
                        let wide: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
                        assert!(!is_well_formed(&wide));
                        assert_eq!(utf8_of(&wide), None, "{units:x?}");
                    }
                }
            }
        }
    }
}
