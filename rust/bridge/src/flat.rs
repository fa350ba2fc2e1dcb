//! Writers of the parts of messages (`spec/bridge.md` sections 2 and 4). Each appends to the caller's buffer.

use crate::text::Text;
use alloc::vec::Vec;

/// Appends a number in LEB128, in its shortest form.
#[inline]
pub fn put_varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Appends a byte, 0 or 1.
#[inline]
pub fn put_bool(out: &mut Vec<u8>, value: bool) {
    out.push(u8::from(value));
}

/// Appends two bytes.
#[inline]
pub fn put_u16(out: &mut Vec<u8>, value: u16) {
    out.extend_from_slice(&value.to_le_bytes());
}

/// Appends four bytes.
#[inline]
pub fn put_u32(out: &mut Vec<u8>, value: u32) {
    out.extend_from_slice(&value.to_le_bytes());
}

/// Appends eight bytes.
#[inline]
pub fn put_u64(out: &mut Vec<u8>, value: u64) {
    out.extend_from_slice(&value.to_le_bytes());
}

/// Appends a string of characters below 256, one byte each.
#[inline]
pub fn put_latin1(out: &mut Vec<u8>, units: &[u8]) {
    put_varint(out, (units.len() as u64) << 1);
    out.extend_from_slice(units);
}

/// Appends a string of UTF-16 units, at least one of which must be above 255: otherwise writers use Latin-1.
#[inline]
pub fn put_utf16(out: &mut Vec<u8>, units: &[u16]) {
    put_varint(out, (units.len() as u64) << 1 | 1);
    out.reserve(units.len() * 2);
    for unit in units {
        out.extend_from_slice(&unit.to_le_bytes());
    }
}

/// Appends a string of code points, at least one of which must be above 255. Surrogates are unchanged; code points
/// above 0x10FFFF become U+FFFD.
pub fn put_code_points(out: &mut Vec<u8>, points: &[u32]) {
    let units = points.iter().map(|&point| 1 + u64::from(point > 0xffff)).sum::<u64>();
    put_varint(out, units << 1 | 1);
    out.reserve(units as usize * 2);
    for &point in points {
        if point <= 0xffff {
            put_u16(out, point as u16);
        } else {
            let mut pair = [0; 2];
            char::from_u32(point).unwrap_or('\u{1fffd}').encode_utf16(&mut pair);
            put_u16(out, pair[0]);
            put_u16(out, pair[1]);
        }
    }
}

/// Appends a string: in Latin-1 if all its characters are below 256, in UTF-16 otherwise.
pub fn put_str(out: &mut Vec<u8>, text: &str) {
    if text.is_ascii() {
        put_latin1(out, text.as_bytes());
    } else if text.chars().all(|letter| letter < '\u{100}') {
        put_varint(out, (text.chars().count() as u64) << 1);
        out.extend(text.chars().map(|letter| letter as u8));
    } else {
        put_varint(out, (text.encode_utf16().count() as u64) << 1 | 1);
        out.extend(text.encode_utf16().flat_map(u16::to_le_bytes));
    }
}

/// Appends a string in the form that writers must use: in Latin-1 if all units are below 256.
pub fn put_text(out: &mut Vec<u8>, text: Text<'_>) {
    match text {
        Text::Latin1(units) => put_latin1(out, units),
        Text::Utf16(bytes) if bytes.chunks_exact(2).all(|unit| unit[1] == 0) => {
            put_varint(out, bytes.len() as u64);
            out.extend(bytes.chunks_exact(2).map(|unit| unit[0]));
        }
        Text::Utf16(bytes) => {
            put_varint(out, bytes.len() as u64 | 1);
            out.extend_from_slice(bytes);
        }
    }
}

/// Appends inline bytes.
#[inline]
pub fn put_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    put_varint(out, (bytes.len() as u64) << 1);
    out.extend_from_slice(bytes);
}

/// Appends the number of elements of a blob, whose bytes follow the message (section 10).
#[inline]
pub fn put_blob(out: &mut Vec<u8>, elements: usize) {
    put_varint(out, (elements as u64) << 1 | 1);
}

/// Appends a count and so many strings.
pub fn put_strs<S: AsRef<str>>(out: &mut Vec<u8>, texts: &[S]) {
    put_varint(out, texts.len() as u64);
    for text in texts {
        put_str(out, text.as_ref());
    }
}
