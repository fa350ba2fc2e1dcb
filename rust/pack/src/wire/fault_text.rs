//! What an error says in words: what was expected, what came, what to do. The code, the offset and the path are contract, the
//! text is not.

use alloc::borrow::Cow;
use alloc::format;
use samewire_core::Code;

/// The text of a failure to read `data` at an offset.
#[cold]
pub(super) fn fault_text(code: Code, at: usize, data: &[u8]) -> Cow<'static, str> {
    let text = match code {
        Code::Malformed => "the bytes break the format's rules: they were changed, or are of another schema".into(),
        Code::Truncated => "the message ends too early: read until it is whole".into(),
        Code::Trailing => {
            let left = data.len() - at;
            Cow::from(format!(
                "{left} bytes are left after the value: a stream of messages needs frames (FrameScanner)"
            ))
        }
        Code::LimitDepth => "nested deeper than limits.depth allows: raise it for data that you trust".into(),
        Code::LimitSize => {
            "larger than the format allows, or than limits.frame_bytes or limits.text_bytes: raise them for data that you trust".into()
        },
        Code::LimitItems => {
            "more elements than limits.items, or more cells than limits.cells: raise them for data that you trust".into()
        },
        Code::BadUtf8 => "a text that is no well-formed UTF-16 (a lone surrogate) or UTF-8 by itself".into(),
        Code::BadNumber => "a number that is not in its shortest form, or out of its type's range: the bytes were changed, or are of another schema".into(),
        Code::SchemaMismatch => {
            "written with another schema: compare both codecs' schema texts, or decode it by codec.resolve(the writer's schema)"
                .into()
        }
        Code::Unsupported if at == 0 => match data.first() {
            Some(first) => {
                format!("a message of this version of the format begins with 80 to ff, this with {first:02x}").into()
            }
            None => "an empty message".into(),
        },
        Code::Unsupported => "a version of the format, or a tag, that this reader does not know".into(),
        _ => "the declared type cannot hold what came".into(),
    };
    match foreign(data) {
        Some(format) => format!("{text}; the bytes look like {format}").into(),
        None => text,
    }
}

/// The other format that data seem to be in, by their first and last bytes.
fn foreign(data: &[u8]) -> Option<&'static str> {
    let trimmed = data.trim_ascii();
    match (trimmed.first()?, trimmed.last()?) {
        (b'{', b'}') | (b'[', b']') if trimmed.iter().all(|&byte| byte >= b' ' || byte.is_ascii_whitespace()) => {
            Some("JSON")
        }
        (b'<', b'>') => Some("XML or HTML"),
        _ if data.starts_with(&[0x1F, 0x8B]) => Some("gzip: decompress them first"),
        _ if data.starts_with(&[0x28, 0xB5, 0x2F, 0xFD]) => Some("zstd: decompress them first"),
        (0x80, b'.') if trimmed.get(1).is_some_and(|&byte| byte <= 5) => Some("a pickle of Python"),
        _ if data.starts_with(b"\x89SWR") => Some("a record file: read it with a record reader"),
        _ if data.starts_with(&[0xAC, 0xED, 0, 5]) => Some("a serialized object of Java (ObjectOutputStream)"),
        (0xFF, _) if matches!(data.get(1), Some(13..=15)) => Some("a serialized value of Node (v8.serialize)"),
        _ if is_message_pack(data) => Some("MessagePack"),
        _ => None,
    }
}

/// A shorter array or map of MessagePack is not told from a few bytes at random.
const LEAST_MESSAGE_PACK: usize = 4;

/// Whether data are one array or map of MessagePack, to the last byte.
fn is_message_pack(data: &[u8]) -> bool {
    if data.len() < LEAST_MESSAGE_PACK || !matches!(data[0], 0x80..=0x9F | 0xDC..=0xDF) {
        return false;
    }
    let mut rest = data;
    let mut values = 1;
    // Every value takes a byte at least.
    while values > 0 && values <= rest.len() {
        match message_pack_value(rest) {
            Some((bytes, within)) if bytes <= rest.len() => {
                rest = &rest[bytes..];
                values = (values - 1).saturating_add(within);
            }
            _ => return false,
        }
    }
    values == 0 && rest.is_empty()
}

/// The bytes of the value that data begin with, without the values within it, and how many those are.
fn message_pack_value(data: &[u8]) -> Option<(usize, usize)> {
    let number = |size: usize| {
        let bytes = data.get(1..1 + size)?;
        Some(bytes.iter().fold(0_usize, |number, &byte| number.saturating_mul(256).saturating_add(byte.into())))
    };
    let tag = data[0];
    let small = usize::from(tag & 15);
    Some(match tag {
        0x80..=0x8F => (1, 2 * small),
        0x90..=0x9F => (1, small),
        0xA0..=0xBF => (1 + usize::from(tag & 31), 0),
        0xC1 => return None,
        0xC4..=0xC6 | 0xD9..=0xDB => {
            let size = if tag < 0xD9 { 1 << (tag - 0xC4) } else { 1 << (tag - 0xD9) };
            (number(size)?.saturating_add(1 + size), 0)
        }
        0xC7..=0xC9 => {
            let size = 1 << (tag - 0xC7);
            (number(size)?.saturating_add(2 + size), 0)
        }
        0xCA => (5, 0),
        0xCB => (9, 0),
        0xCC..=0xCF => (1 + (1 << (tag - 0xCC)), 0),
        0xD0..=0xD3 => (1 + (1 << (tag - 0xD0)), 0),
        0xD4..=0xD8 => (2 + (1 << (tag - 0xD4)), 0),
        0xDC | 0xDD => {
            let size = 2 << (tag - 0xDC);
            (1 + size, number(size)?)
        }
        0xDE | 0xDF => {
            let size = 2 << (tag - 0xDE);
            (1 + size, number(size)?.saturating_mul(2))
        }
        _ => (1, 0),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_what_the_bytes_seem_to_be() {
        for (data, format) in [
            (&b"[{\"id\": 1}]\n"[..], Some("JSON")),
            (b"{}", Some("JSON")),
            (b"<html></html>", Some("XML or HTML")),
            (b"\x1f\x8b\x08\x00", Some("gzip: decompress them first")),
            (b"\x28\xb5\x2f\xfd\x00", Some("zstd: decompress them first")),
            (b"\x80\x04K\x01.", Some("a pickle of Python")),
            (b"\xac\xed\x00\x05t\x00\x01a", Some("a serialized object of Java (ObjectOutputStream)")),
            (b"\xff\x0f\"\x01a", Some("a serialized value of Node (v8.serialize)")),
            (b"\x81\xa2id\x01", Some("MessagePack")),
            (b"\x92\xcb\x40\x00\x00\x00\x00\x00\x00\x00\xc7\x01\x05a", Some("MessagePack")),
            (b"\xdc\x00\x02\xc0\xd9\x01a", Some("MessagePack")),
            (b"\xde\x00\x01\xa1a\xd4\x01a", Some("MessagePack")),
            (b"\x81\xa2id\x01\x01", None),
            (b"\x91\xdb\xff\xff\xff\xff", None),
            (b"\xdf\xff\xff\xff\xff\x01", None),
            (b"\x93\xc1\xc0\xc0", None),
            (b"\x92\xda\x00", None),
            (b"\x89SWR\r\n\x1a\x01", Some("a record file: read it with a record reader")),
            (b"\x80", None),
            (b"\xff", None),
            (b"\xff ", None),
            (b"[\x00]", None),
            (b"", None),
            (b"  ", None),
        ] {
            assert_eq!(foreign(data), format, "{data:?}");
        }
    }

    #[test]
    fn says_how_many_bytes_are_left_and_with_what_a_message_begins() {
        assert!(fault_text(Code::Trailing, 3, &[0x80; 5]).starts_with("2 bytes are left"));
        assert!(fault_text(Code::Unsupported, 0, &[0x11, 1]).ends_with("begins with 80 to ff, this with 11"));
    }
}
