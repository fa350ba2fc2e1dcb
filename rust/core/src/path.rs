//! Paths of values, like `$.books[3].year` (`spec/errors.md`).

use alloc::string::String;
use core::fmt::Write;

/// One step from a value to a value inside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Segment<'a> {
    /// A struct's field.
    Field(&'a str),
    /// An element of a list, set or tuple.
    Index(usize),
    /// The key of a map's entry.
    Key(usize),
    /// The value of a map's entry.
    Value(usize),
    /// The elements of a list or set, in a comparison of types.
    Elements,
    /// The keys of a map, in a comparison of types.
    Keys,
    /// The values of a map, in a comparison of types.
    Values,
}

/// The text of a path that starts at the root.
pub fn path_text<'a>(segments: impl IntoIterator<Item = Segment<'a>>) -> String {
    let mut out = String::from("$");
    for segment in segments {
        // Writing to a String cannot fail.
        let _ = match segment {
            Segment::Field(name) if is_identifier(name) => write!(out, ".{name}"),
            Segment::Field(name) => {
                out.push('[');
                push_quoted(name, &mut out);
                out.push(']');
                Ok(())
            }
            Segment::Index(i) => write!(out, "[{i}]"),
            Segment::Key(i) => write!(out, "[{i}].key"),
            Segment::Value(i) => write!(out, "[{i}].value"),
            Segment::Elements => out.write_str("[]"),
            Segment::Keys => out.write_str("[].key"),
            Segment::Values => out.write_str("[].value"),
        };
    }
    out
}

/// Returns whether `name` has the form of an identifier; keywords count.
pub fn is_identifier(name: &str) -> bool {
    let mut bytes = name.bytes();
    bytes.next().is_some_and(|b| b.is_ascii_alphabetic() || b == b'_')
        && bytes.all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

/// Appends `name` in quotes, escaped as in schema text.
pub fn push_quoted(name: &str, out: &mut String) {
    out.push('"');
    for char in name.chars() {
        match char {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\0'..='\x1f' => {
                // Writing to a String cannot fail.
                let _ = write!(out, "\\u{:04x}", char as u32);
            }
            _ => out.push(char),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_segment() {
        let path = [
            Segment::Field("books"),
            Segment::Index(3),
            Segment::Field("list"),
            Segment::Field("a \"b\"\n"),
            Segment::Key(0),
            Segment::Value(1),
        ];
        assert_eq!(path_text(path), r#"$.books[3].list["a \"b\"\u000a"][0].key[1].value"#);
        assert_eq!(path_text([Segment::Elements, Segment::Keys, Segment::Values]), "$[][].key[].value");
    }
}
