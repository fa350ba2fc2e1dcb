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
        Code::Truncated => "the message ends too early".into(),
        Code::Trailing => {
            let left = data.len() - at;
            Cow::from(format!(
                "{left} bytes are left after the value: a stream of messages needs frames (FrameScanner)"
            ))
        }
        Code::LimitDepth => "nested deeper than limits.depth allows".into(),
        Code::LimitSize => "larger than limits.frame_bytes or limits.text_bytes allows, or than the format does".into(),
        Code::LimitItems => "more elements than limits.items, or more cells than limits.cells".into(),
        Code::BadUtf8 => "a text with a lone surrogate".into(),
        Code::BadNumber => "a number that is not in its shortest form, or out of its type's range: the bytes were changed, or are of another schema".into(),
        Code::SchemaMismatch => {
            "the message carries the digest of another schema: read it with a decoder that resolves its writer's schema"
                .into()
        }
        Code::Unsupported if at == 0 => match data.first() {
            Some(first) => {
                format!("a message of this version of the format begins with 40 to 7f, this with {first:02x}").into()
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
        (0x80, b'.') if trimmed[1] <= 5 => Some("a pickle of Python"),
        _ if data.starts_with(b"\x89SWR") => Some("a record file: read it with a record reader"),
        _ => None,
    }
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
            (b"\x89SWR\r\n\x1a\x01", Some("a record file: read it with a record reader")),
            (b"\x80", None),
            (b"[\x00]", None),
            (b"", None),
            (b"  ", None),
        ] {
            assert_eq!(foreign(data), format, "{data:?}");
        }
    }

    #[test]
    fn says_how_many_bytes_are_left_and_with_what_a_message_begins() {
        assert!(fault_text(Code::Trailing, 3, &[0x40; 5]).starts_with("2 bytes are left"));
        assert!(fault_text(Code::Unsupported, 0, &[0x91, 1]).ends_with("begins with 40 to 7f, this with 91"));
    }
}
