//! Between UTF-8 and UTF-16 a run of characters at a time (SSSE3, looked for at run time).
//!
//! Characters of one length stand together in most texts: a step takes as many of them as a window of sixteen bytes begins
//! with, and stores whole registers, of which the next step overwrites what is too much. Whether a whole window is of one
//! length is guessed (a branch, `continue`): the place of the next window then does not wait for this one, which is half of
//! the time on Japanese text.
//!
//! Where characters of one and two bytes of UTF-8 take turns, as words and spaces of most alphabets do, a whole window is
//! taken without a guess: bytes that are no character of their own are taken out by a shuffle, as for Latin-1.

use super::lanes::{window, LANES};
use super::latin1_ssse3::STAYING;
use core::arch::x86_64::{
    __m128i, _mm_and_si128, _mm_andnot_si128, _mm_cmpeq_epi16, _mm_cmpeq_epi8, _mm_cmplt_epi8, _mm_loadl_epi64,
    _mm_max_epu8, _mm_movemask_epi8, _mm_or_si128, _mm_packus_epi16, _mm_set1_epi16, _mm_set1_epi8, _mm_set_epi64x,
    _mm_setr_epi8, _mm_setzero_si128, _mm_shuffle_epi8, _mm_slli_epi16, _mm_slli_si128, _mm_srli_epi16, _mm_srli_si128,
    _mm_storel_epi64, _mm_storeu_si128, _mm_unpackhi_epi16, _mm_unpackhi_epi8, _mm_unpacklo_epi16, _mm_unpacklo_epi8,
};

/// Whether this machine can.
#[inline]
pub(super) fn is_possible() -> bool {
    std::is_x86_feature_detected!("ssse3") && std::is_x86_feature_detected!("popcnt")
}

/// Writes the UTF-16LE units of `text`, which is UTF-8, to `to`, and returns the number of bytes.
///
/// # Safety
/// [`is_possible`] must have said yes; `text` must be UTF-8; `to` must be writable for twice the length of `text` and 32 bytes
/// more, and must not overlap with `text`.
#[target_feature(enable = "ssse3,popcnt")]
pub(super) unsafe fn write_utf16(text: &[u8], to: *mut u8) -> usize {
    let (mut at, mut end) = (0, 0);
    while at < text.len() {
        let (bytes, count) = window(text, at);
        let bytes = register(bytes);
        // SAFETY: no character takes more bytes in UTF-16 than twice those in UTF-8, so `end` is at most twice `at`; at most 32
        // bytes are stored there.
        let to = unsafe { to.add(end) };
        let is_short = || {
            let long = _mm_cmpeq_epi8(_mm_max_epu8(bytes, _mm_set1_epi8(0xe0_u8 as i8)), bytes);
            count == LANES && _mm_movemask_epi8(long) == 0
        };
        match text[at] {
            0..0x80 => {
                let zero = _mm_setzero_si128();
                // SAFETY: 32 bytes may be stored.
                unsafe {
                    _mm_storeu_si128(to.cast(), _mm_unpacklo_epi8(bytes, zero));
                    _mm_storeu_si128(to.add(LANES).cast(), _mm_unpackhi_epi8(bytes, zero));
                }
                let others = _mm_movemask_epi8(bytes) as u32;
                if others == 0 && count == LANES {
                    at += LANES;
                    end += 2 * LANES;
                    continue;
                }
                if is_short() {
                    // SAFETY: 32 bytes may be stored.
                    let (taken, stored) = unsafe { store_mixed_utf16(bytes, to) };
                    at += taken;
                    end += stored;
                    continue;
                }
                let run = (others | 1 << count).trailing_zeros() as usize;
                at += run;
                end += 2 * run;
            }
            0x80..0xe0 => {
                let high = _mm_slli_epi16::<6>(_mm_and_si128(bytes, _mm_set1_epi16(0x1f)));
                let low = _mm_and_si128(_mm_srli_epi16::<8>(bytes), _mm_set1_epi16(0x3f));
                // SAFETY: 16 bytes may be stored.
                unsafe { _mm_storeu_si128(to.cast(), _mm_or_si128(high, low)) };
                let others = others(first_bytes(bytes, 0xe0, 0xc0)) & 0x5555;
                if others == 0 {
                    at += LANES;
                    end += LANES;
                    continue;
                }
                if is_short() {
                    // SAFETY: 32 bytes may be stored.
                    let (taken, stored) = unsafe { store_mixed_utf16(bytes, to) };
                    at += taken;
                    end += stored;
                    continue;
                }
                let run = others.trailing_zeros() as usize;
                at += run;
                end += run;
            }
            0xe0..0xf0 => {
                let lows = _mm_setr_epi8(2, 1, 5, 4, 8, 7, 11, 10, 14, 13, -1, -1, -1, -1, -1, -1);
                let highs = _mm_setr_epi8(0, -1, 3, -1, 6, -1, 9, -1, 12, -1, -1, -1, -1, -1, -1, -1);
                let lows = _mm_shuffle_epi8(bytes, lows);
                let middle = _mm_and_si128(_mm_srli_epi16::<2>(lows), _mm_set1_epi16(0x0fc0));
                let low = _mm_or_si128(middle, _mm_and_si128(lows, _mm_set1_epi16(0x3f)));
                let high = _mm_slli_epi16::<12>(_mm_shuffle_epi8(bytes, highs));
                // SAFETY: 16 bytes may be stored.
                unsafe { _mm_storeu_si128(to.cast(), _mm_or_si128(high, low)) };
                let others = others(first_bytes(bytes, 0xf0, 0xe0)) & 0x1249;
                if others == 0 {
                    at += 15;
                    end += 10;
                    continue;
                }
                let run = others.trailing_zeros() as usize;
                at += run;
                end += run / 3 * 2;
            }
            lead => {
                let low = |i: usize| u32::from(text[at + i] & 0x3f);
                let above = ((u32::from(lead) & 7) << 18 | low(1) << 12 | low(2) << 6 | low(3)) - 0x1_0000;
                let pair = (0xd800 | above >> 10) | (0xdc00 | above & 0x3ff) << 16;
                // SAFETY: 4 bytes may be stored.
                unsafe { to.cast::<[u8; 4]>().write_unaligned(pair.to_le_bytes()) };
                at += 4;
                end += 4;
            }
        }
    }
    end
}

/// Writes the units of sixteen bytes of characters below U+0800, which begin with one. Returns how many bytes these were, 15 if
/// the last begins a character, and how many were stored.
///
/// # Safety
/// `to` must be writable for 32 bytes.
#[inline]
#[target_feature(enable = "ssse3,popcnt")]
unsafe fn store_mixed_utf16(bytes: __m128i, to: *mut u8) -> (usize, usize) {
    let before = _mm_slli_si128::<1>(bytes);
    // Of signed bytes those that continue a character are the least.
    let last = _mm_cmplt_epi8(bytes, _mm_set1_epi8(0xc0_u8 as i8));
    let first = _mm_cmpeq_epi8(_mm_max_epu8(bytes, _mm_set1_epi8(0xc0_u8 as i8)), bytes);
    // The two low bits of the byte before, and the three above them; shifts of 16 bits bring others, which are masked.
    let two = _mm_and_si128(_mm_slli_epi16::<6>(before), _mm_set1_epi8(0xc0_u8 as i8));
    let three = _mm_and_si128(_mm_srli_epi16::<2>(before), _mm_set1_epi8(0x07));
    let low = _mm_or_si128(
        _mm_andnot_si128(last, bytes),
        _mm_and_si128(last, _mm_or_si128(two, _mm_and_si128(bytes, _mm_set1_epi8(0x3f)))),
    );
    let high = _mm_and_si128(last, three);
    let out = _mm_movemask_epi8(first) as u32;
    let places = [&STAYING[(out & 0xff) as usize], &STAYING[(out >> 8) as usize]];
    let middle = 16 - 2 * (out & 0xff).count_ones() as usize;
    // SAFETY: the tables' entries are eight bytes long; sixteen bytes are stored at most sixteen behind `to`.
    unsafe {
        let [one, other] = places.map(|places| _mm_loadl_epi64(places.as_ptr().cast()));
        let (low_behind, high_behind) = (_mm_srli_si128::<8>(low), _mm_srli_si128::<8>(high));
        let units = _mm_unpacklo_epi8(_mm_shuffle_epi8(low, one), _mm_shuffle_epi8(high, one));
        _mm_storeu_si128(to.cast(), units);
        let units = _mm_unpacklo_epi8(_mm_shuffle_epi8(low_behind, other), _mm_shuffle_epi8(high_behind, other));
        _mm_storeu_si128(to.add(middle).cast(), units);
    }
    (LANES - (out >> 15) as usize, 2 * (LANES - out.count_ones() as usize))
}

/// Writes UTF-16LE as UTF-8 to `to`, and returns the number of bytes; `None` at a lone surrogate.
///
/// # Safety
/// [`is_possible`] must have said yes; `units` must have an even length; `to` must be writable for three bytes a unit and 32
/// bytes more, and must not overlap with `units`.
#[target_feature(enable = "ssse3,popcnt")]
pub(super) unsafe fn write_utf8(units: &[u8], to: *mut u8) -> Option<usize> {
    let unit = |at: usize| units.get(at..at + 2).map(|pair| u16::from_le_bytes([pair[0], pair[1]]));
    let (mut at, mut end) = (0, 0);
    while let Some(first) = unit(at) {
        let (bytes, count) = window(units, at);
        let bytes = register(bytes);
        let is = |mask: u16, value: u16| {
            _mm_cmpeq_epi16(_mm_and_si128(bytes, _mm_set1_epi16(mask as i16)), _mm_set1_epi16(value as i16))
        };
        // SAFETY: no unit takes more than three bytes in UTF-8, so `end` is at most three for each before `at`; at most 28
        // bytes are stored there.
        let to = unsafe { to.add(end) };
        let ascii = is(0xff80, 0);
        let is_short = || count == LANES && _mm_movemask_epi8(is(0xf800, 0)) == 0xffff;
        match first {
            0..0x80 => {
                // SAFETY: 8 bytes may be stored.
                unsafe { _mm_storel_epi64(to.cast(), _mm_packus_epi16(bytes, bytes)) };
                let others = others(ascii);
                if others == 0 && count == LANES {
                    at += LANES;
                    end += LANES / 2;
                    continue;
                }
                if is_short() {
                    // SAFETY: 16 bytes may be stored.
                    end += unsafe { store_mixed_utf8(bytes, ascii, to) };
                    at += LANES;
                    continue;
                }
                let run = (others | 1 << count).trailing_zeros() as usize;
                at += run;
                end += run / 2;
            }
            0x80..0x800 => {
                let lead = _mm_or_si128(_mm_srli_epi16::<6>(bytes), _mm_set1_epi16(0xc0));
                let last = _mm_and_si128(_mm_slli_epi16::<8>(bytes), _mm_set1_epi16(0x3f00));
                let both = _mm_or_si128(_mm_or_si128(lead, last), _mm_set1_epi16(0x8000_u16 as i16));
                // SAFETY: 16 bytes may be stored.
                unsafe { _mm_storeu_si128(to.cast(), both) };
                let others = others(_mm_andnot_si128(ascii, is(0xf800, 0)));
                if others == 0 {
                    at += LANES;
                    end += LANES;
                    continue;
                }
                if is_short() {
                    // SAFETY: 16 bytes may be stored.
                    end += unsafe { store_mixed_utf8(bytes, ascii, to) };
                    at += LANES;
                    continue;
                }
                let run = others.trailing_zeros() as usize;
                at += run;
                end += run;
            }
            0xd800..0xe000 => {
                let second = unit(at + 2).filter(|second| first < 0xdc00 && (0xdc00..0xe000).contains(second))?;
                let char = 0x1_0000 + ((u32::from(first) & 0x3ff) << 10 | u32::from(second) & 0x3ff);
                let low = |shift: u32| 0x80 | (char >> shift) as u8 & 0x3f;
                // SAFETY: 4 bytes may be stored.
                unsafe { to.cast::<[u8; 4]>().write_unaligned([0xf0 | (char >> 18) as u8, low(12), low(6), low(0)]) };
                at += 4;
                end += 4;
            }
            _ => {
                let lead = _mm_or_si128(_mm_srli_epi16::<12>(bytes), _mm_set1_epi16(0x80e0_u16 as i16));
                let leads = _mm_or_si128(lead, _mm_and_si128(_mm_slli_epi16::<2>(bytes), _mm_set1_epi16(0x3f00)));
                let lasts = _mm_or_si128(_mm_and_si128(bytes, _mm_set1_epi16(0x3f)), _mm_set1_epi16(0x80));
                let three = _mm_setr_epi8(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1);
                let low = _mm_shuffle_epi8(_mm_unpacklo_epi16(leads, lasts), three);
                let high = _mm_shuffle_epi8(_mm_unpackhi_epi16(leads, lasts), three);
                // SAFETY: 28 bytes may be stored.
                unsafe {
                    _mm_storeu_si128(to.cast(), low);
                    _mm_storeu_si128(to.add(12).cast(), high);
                }
                let others = 0xffff ^ others(_mm_or_si128(is(0xf800, 0), is(0xf800, 0xd800)));
                if others == 0 {
                    at += LANES;
                    end += LANES / 2 * 3;
                    continue;
                }
                let run = others.trailing_zeros() as usize;
                at += run;
                end += run / 2 * 3;
            }
        }
    }
    Some(end)
}

/// Writes eight units below U+0800, of which some are `ascii`, and returns how many bytes were stored.
///
/// # Safety
/// `to` must be writable for 16 bytes.
#[inline]
#[target_feature(enable = "ssse3,popcnt")]
unsafe fn store_mixed_utf8(units: __m128i, ascii: __m128i, to: *mut u8) -> usize {
    let lead = _mm_or_si128(_mm_srli_epi16::<6>(units), _mm_set1_epi16(0xc0));
    let last = _mm_and_si128(_mm_slli_epi16::<8>(units), _mm_set1_epi16(0x3f00));
    let both = _mm_or_si128(_mm_or_si128(lead, last), _mm_set1_epi16(0x8000_u16 as i16));
    let chars = _mm_or_si128(_mm_and_si128(ascii, units), _mm_andnot_si128(ascii, both));
    // Of an ASCII character the second byte is taken out.
    let out = _mm_movemask_epi8(ascii) as u32 & 0xaaaa;
    let places = [&STAYING[(out & 0xff) as usize], &STAYING[(out >> 8) as usize]];
    let middle = 8 - (out & 0xff).count_ones() as usize;
    // SAFETY: the tables' entries are eight bytes long; eight bytes are stored at most eight behind `to`.
    unsafe {
        let [one, other] = places.map(|places| _mm_loadl_epi64(places.as_ptr().cast()));
        _mm_storel_epi64(to.cast(), _mm_shuffle_epi8(chars, one));
        _mm_storel_epi64(to.add(middle).cast(), _mm_shuffle_epi8(_mm_srli_si128::<8>(chars), other));
    }
    LANES - out.count_ones() as usize
}

#[inline(always)]
fn register(bytes: u128) -> __m128i {
    // SAFETY: SSE2, which every x86-64 has.
    unsafe { _mm_set_epi64x((bytes >> 64) as i64, bytes as i64) }
}

/// Which bytes are `value` where `mask` has ones.
#[inline(always)]
fn first_bytes(bytes: __m128i, mask: u8, value: u8) -> __m128i {
    // SAFETY: SSE2, which every x86-64 has.
    unsafe { _mm_cmpeq_epi8(_mm_and_si128(bytes, _mm_set1_epi8(mask as i8)), _mm_set1_epi8(value as i8)) }
}

/// Which of sixteen bytes are not set in `fitting`: bit i for byte i.
#[inline(always)]
fn others(fitting: __m128i) -> u32 {
    // SAFETY: SSE2, which every x86-64 has.
    0xffff ^ unsafe { _mm_movemask_epi8(fitting) } as u32
}
