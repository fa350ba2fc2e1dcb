//! The characters of a text where they stand in the message.

use super::transcode::wide_units;
use super::Token;
use core::cmp::Ordering;

/// A text in one of the two blocks. Texts are ordered by UTF-16 code units, wherever they stand.
#[derive(Clone, Copy, Debug)]
pub enum Chars<'a> {
    /// One byte a character.
    Latin1(&'a [u8]),
    /// UTF-16LE, well-formed.
    Wide(&'a [u8]),
}

impl<'a> Chars<'a> {
    /// The characters of a new text; `None` for a back reference.
    pub fn of(token: Token<'a>) -> Option<Self> {
        match token {
            Token::Latin1 { chars, .. } => Some(Chars::Latin1(chars)),
            Token::Wide { units, .. } => Some(Chars::Wide(units)),
            Token::Back(_) => None,
        }
    }
}

fn narrow_units(bytes: &[u8]) -> impl Iterator<Item = u16> + '_ {
    bytes.iter().map(|&byte| u16::from(byte))
}

impl Ord for Chars<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Chars::Latin1(a), Chars::Latin1(b)) => a.cmp(b),
            (Chars::Wide(a), Chars::Wide(b)) => wide_units(a).cmp(wide_units(b)),
            (Chars::Latin1(a), Chars::Wide(b)) => narrow_units(a).cmp(wide_units(b)),
            (Chars::Wide(a), Chars::Latin1(b)) => wide_units(a).cmp(narrow_units(b)),
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
