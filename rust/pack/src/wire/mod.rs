//! The low level: what a message is made of, for those who write and read it by hand or from an interpreter.
//!
//! A [`Writer`] collects the values of one message beside its two text blocks and joins them at the end. A [`Reader`]
//! has a cursor in each of the three. Neither knows types: the caller must follow a schema
//! ([`crate::schema::Schema`]) exactly. Functions fail with [`Fault`](crate::Fault), a mark without content; code and
//! offset are asked from the reader or writer, and the path from the slow, schema-driven
//! [`walk`](crate::walk::check).
//!
//! ```
//! use samewire_pack::wire::{Message, Reader, Token, Writer};
//! use samewire_pack::Limits;
//!
//! // tuple<string, string, i32>
//! let mut writer = Writer::new();
//! let mut out = Vec::new();
//! writer.begin(&mut out, &Message { sites: 2, ..Message::default() });
//! writer.str(0, "same");
//! writer.str(1, "same");
//! writer.zigzag(-1);
//! writer.finish(&mut out).unwrap();
//! assert_eq!(out, b"\x45\x04same\x04\x80\x01");
//!
//! let mut reader = Reader::new(&out, None, &Limits::DEFAULT).unwrap();
//! assert_eq!(reader.token(), Ok(Token::Latin1 { chars: b"same", numbered: true }));
//! assert_eq!(reader.token(), Ok(Token::Back(0)));
//! assert_eq!(reader.zigzag32(), Ok(-1));
//! reader.finish().unwrap();
//! ```

mod allocation_budget;
mod bits;
mod block;
mod buffer;
mod chars;
mod lanes;
mod marks;
mod moment;
mod number;
mod numeric_reader;
mod numeric_writer;
mod page;
mod reach;
mod reader;
mod scan;
mod shared;
#[cfg(all(target_arch = "x86_64", feature = "std"))]
mod squeeze;
mod text_reader;
mod text_writer;
mod texts;
mod token;
mod transcode;
mod writer;

pub use allocation_budget::{Cost, ANY_BYTES_CELLS, ANY_CELLS, KEY_CELLS, MOST_CELLS, OBJECT_CELLS};
pub use buffer::varint_len;
pub use chars::{Chars, Units};
pub use marks::{Marker, Marks};
#[doc(hidden)]
pub use moment::fraction;
pub use moment::{DATE_MAX, DATE_MIN, TIMESTAMP_MAX, TIMESTAMP_MIN, TIME_MAX};
pub use number::Number;
pub(crate) use number::{one_nan_32, one_nan_64};
pub(crate) use reach::deepest;
pub use reach::Reach;
pub use reader::{Mark, Reader};
pub(crate) use scan::Folded;
pub(crate) use text_reader::ascii_at;
pub(crate) use text_writer::Cursors;
pub use token::Token;
#[doc(hidden)]
pub use token::{BACK, BACK2, BACK_FAR, FAR, LONG_LATIN, LONG_WIDE, NEAR, WIDE_1};
pub use transcode::{fits_latin1, is_well_formed, wide_units};
pub(crate) use transcode::{latin1_to_utf8, utf16_to_utf8, SLACK};
pub use writer::{Message, Part, Writer};

/// Bits of the header byte (`spec/pack.md` section 5).
pub mod header {
    /// There is a Latin-1 block.
    pub const TEXT: u8 = 1;
    /// There is a wide block.
    pub const WIDE: u8 = 2;
    /// Text back references occur.
    pub const REFS: u8 = 4;
    /// Numeric arrays are aligned.
    pub const ALIGNED: u8 = 8;
    /// The schema's digest follows.
    pub const DIGEST: u8 = 16;
    /// Written in the `fast` profile.
    pub const FAST: u8 = 32;
    /// The version in its place.
    pub const VERSION: u8 = 1 << 6;

    /// Whether the header of a message names a text block.
    #[inline]
    pub(crate) fn has_text(message: &[u8]) -> bool {
        message.first().is_some_and(|header| header & (TEXT | WIDE) != 0)
    }
}

/// The longest text that may be numbered, in Latin-1 characters.
pub const SHORT_LATIN: usize = 95;
/// The longest text that may be numbered, in wide units.
pub const SHORT_WIDE: usize = 28;
/// Straight misses after which a site is closed.
pub const CLOSED: u8 = 128;
/// Raw runs from this many bytes on are aligned.
pub const ALIGN_FROM: usize = 64;
/// Integer rows from this many values on have a mode byte.
pub const MODE_FROM: usize = 16;
/// Values of a packed block.
pub(crate) const BLOCK: usize = 128;
/// The longest `bigint` or unscaled part.
pub const BIGINT_MAX: usize = 4096;
