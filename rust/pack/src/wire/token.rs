//! Text tokens (`spec/pack.md` section 6).

/// A token of a text, as read, with its characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token<'a> {
    /// A new text of Latin-1 characters.
    Latin1 {
        /// One byte a character.
        chars: &'a [u8],
        /// Whether it gets the next number.
        numbered: bool,
    },
    /// A new text of well-formed UTF-16.
    Wide {
        /// UTF-16LE, two bytes a unit.
        units: &'a [u8],
        /// Whether it gets the next number.
        numbered: bool,
    },
    /// A new text of well-formed UTF-8.
    Utf8 {
        /// The text as it stands in its block.
        text: &'a str,
        /// Whether it gets the next number.
        numbered: bool,
    },
    /// A back reference to an earlier text; the number has been given.
    Back(u32),
}

/// First token of a back reference of one byte.
pub const BACK: u8 = 0x80;
/// First token of a back reference of two bytes.
pub const BACK2: u8 = 0xe0;
/// A new text of 96 + n Latin-1 characters.
pub const LONG_LATIN: u8 = 0x60;
/// A new text of 15 + n wide units.
pub const LONG_WIDE: u8 = 0x61;
/// A back reference to text number 8,288 + n.
pub const BACK_FAR: u8 = 0x62;
/// A new text of one wide unit; the next 13 tokens one unit more each.
pub const WIDE_1: u8 = 0x63;
/// A new text of three bytes of UTF-8; the next 13 tokens one byte more each.
pub const UTF8_3: u8 = 0x71;
/// A new text of 17 + n bytes of UTF-8.
pub const LONG_UTF8: u8 = 0x7f;
/// Numbers below this take one byte.
pub const NEAR: u32 = 96;
/// Numbers below this take at most two bytes.
pub const FAR: u32 = 8288;
