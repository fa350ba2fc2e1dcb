//! The characters of a text where they stand.

use super::token::Token;
use core::cmp::Ordering;

/// A text in one of the three blocks, or transcoded. Texts are ordered by UTF-16 code units, wherever they stand.
#[derive(Clone, Copy, Debug)]
pub enum Chars<'a> {
    /// One byte a character.
    Latin1(&'a [u8]),
    /// UTF-16LE, well-formed.
    Wide(&'a [u8]),
    /// UTF-8.
    Utf8(&'a str),
}

impl<'a> Chars<'a> {
    /// The characters of a new text; `None` for a back reference.
    pub fn of(token: Token<'a>) -> Option<Self> {
        match token {
            Token::Latin1 { chars, .. } => Some(Chars::Latin1(chars)),
            Token::Wide { units, .. } => Some(Chars::Wide(units)),
            Token::Utf8 { text, .. } => Some(Chars::Utf8(text)),
            Token::Back(_) => None,
        }
    }

    /// The UTF-16 code units.
    pub fn units(self) -> Units<'a> {
        match self {
            Chars::Latin1(bytes) => Units::Latin1(bytes.iter()),
            Chars::Wide(bytes) => Units::Wide(bytes.chunks_exact(2)),
            Chars::Utf8(text) => Units::Utf8(text.encode_utf16()),
        }
    }
}

/// The UTF-16 code units of a text.
#[derive(Clone, Debug)]
pub enum Units<'a> {
    /// Of Latin-1.
    Latin1(core::slice::Iter<'a, u8>),
    /// Of UTF-16LE.
    Wide(core::slice::ChunksExact<'a, u8>),
    /// Of UTF-8.
    Utf8(core::str::EncodeUtf16<'a>),
}

impl Iterator for Units<'_> {
    type Item = u16;

    fn next(&mut self) -> Option<u16> {
        match self {
            Units::Latin1(bytes) => bytes.next().map(|&byte| u16::from(byte)),
            Units::Wide(pairs) => pairs.next().map(|pair| u16::from_le_bytes([pair[0], pair[1]])),
            Units::Utf8(units) => units.next(),
        }
    }
}

impl Ord for Chars<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Chars::Latin1(a), Chars::Latin1(b)) => a.cmp(b),
            (Chars::Utf8(a), Chars::Utf8(b)) if a == b => Ordering::Equal,
            _ => self.units().cmp(other.units()),
        }
    }
}

impl PartialOrd for Chars<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Chars<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Chars<'_> {}
