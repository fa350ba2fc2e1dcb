//! A string in a message.

use alloc::borrow::Cow;
use alloc::string::String;

/// The units of a string, borrowed. Lone surrogates are allowed, as in strings of both languages.
#[derive(Clone, Copy, Debug)]
pub enum Text<'a> {
    /// Characters below 256, one byte each.
    Latin1(&'a [u8]),
    /// UTF-16 units, little-endian, unaligned: twice as many bytes.
    Utf16(&'a [u8]),
}

impl<'a> Text<'a> {
    /// A text of ASCII characters.
    ///
    /// # Panics
    /// If one is not ASCII.
    pub const fn ascii(text: &'a str) -> Self {
        assert!(text.is_ascii());
        Text::Latin1(text.as_bytes())
    }

    /// The units, in either form.
    pub fn units(self) -> impl Iterator<Item = u16> + 'a {
        let (narrow, wide): (&[u8], &[u8]) = match self {
            Text::Latin1(bytes) => (bytes, &[]),
            Text::Utf16(bytes) => (&[], bytes),
        };
        let wide = wide.chunks_exact(2).map(|unit| u16::from_le_bytes([unit[0], unit[1]]));
        narrow.iter().copied().map(u16::from).chain(wide)
    }

    /// The text, or `None` if it has a lone surrogate.
    pub fn to_str(self) -> Option<Cow<'a, str>> {
        if let Text::Latin1(bytes) = self {
            if bytes.is_ascii() {
                // An ASCII text is valid UTF-8.
                return core::str::from_utf8(bytes).ok().map(Cow::Borrowed);
            }
        }
        char::decode_utf16(self.units()).collect::<Result<String, _>>().ok().map(Cow::Owned)
    }

    /// The text, with U+FFFD in place of each lone surrogate.
    pub fn to_str_lossy(self) -> Cow<'a, str> {
        self.to_str().unwrap_or_else(|| {
            Cow::Owned(
                char::decode_utf16(self.units()).map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER)).collect(),
            )
        })
    }
}

/// Texts are equal if their units are, in either form.
impl PartialEq for Text<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.units().eq(other.units())
    }
}

impl Eq for Text<'_> {}
