//! The low level: primitives of a message, for codecs written by hand or for an interpreter.
//!
//! A [`Writer`] collects the values of one message beside its three text blocks and joins them at the end. A [`Reader`]
//! has a cursor in each of the four. Neither knows types: the caller must follow a schema
//! ([`crate::schema::Schema`]) exactly. Functions fail with [`Fault`](crate::Fault), an error without content: the reader or
//! writer has code and offset, and the strict reader ([`check`](crate::walker::check)) finds the path.
//!
//! ```
//! use samewire_pack::wire::{Message, Reader, Token, Writer};
//! use samewire_pack::Limits;
//!
//! // tuple<string, string, i32>
//! let mut writer = Writer::new();
//! let mut out = Vec::new();
//! writer.begin(&mut out, &Message { dedup_slots: 2, ..Message::default() });
//! writer.str(0, "same");
//! writer.str(1, "same");
//! writer.zigzag(-1);
//! writer.finish(&mut out).unwrap();
//! assert_eq!(out, b"\x85\x04same\x04\x80\x01");
//!
//! let mut reader = Reader::new(&out, None, &Limits::DEFAULT).unwrap();
//! assert_eq!(reader.token(), Ok(Token::Latin1 { chars: b"same", numbered: true }));
//! assert_eq!(reader.token(), Ok(Token::Back(0)));
//! assert_eq!(reader.zigzag32(), Ok(-1));
//! reader.finish().unwrap();
//! ```

mod allocation_budget;
mod bit_packing;
mod block;
mod bounds;
mod buffer;
mod byte_sink;
mod chars;
pub mod columns;
mod dedup_table;
mod duplicate_filter;
mod fault_text;
pub mod header;
mod lanes;
#[cfg(all(target_arch = "x86_64", feature = "std"))]
mod latin1_ssse3;
mod number;
mod numeric_row_reader;
mod numeric_row_writer;
mod overread;
mod reader;
mod reference_depth;
mod scan;
mod shared_structs;
mod text_reader;
mod text_writer;
mod time;
mod token;
mod transcode;
#[cfg(all(target_arch = "x86_64", feature = "std"))]
mod utf16_ssse3;
mod utf8;
#[cfg(all(target_arch = "x86_64", feature = "std"))]
mod utf8_ssse3;
mod varint;
mod writer;
mod writer_budget;

pub use allocation_budget::{
    Cost, ANY_BYTES_CELLS, ANY_CELLS, ANY_DECIMAL_CELLS, CELL_BYTES, KEY_CELLS, MOST_CELLS, OBJECT_CELLS,
};
#[doc(hidden)]
pub use bounds::{is_numbered, LEAST_UTF8};
pub use bounds::{ALIGN_FROM, BIGINT_MAX, MAX_MISSES, MODE_FROM, MOST_NUMBERED, SHORT_LATIN, SHORT_UTF8, SHORT_WIDE};
pub use chars::{Chars, Units};
pub use duplicate_filter::{DuplicateCheck, DuplicateFilter};
pub use number::Number;
pub(crate) use number::{one_nan_32, one_nan_64};
#[doc(hidden)]
pub use overread::{copy_block, short_words};
pub use reader::{Checkpoint, Reader};
pub(crate) use reference_depth::deepest;
pub use reference_depth::ReferenceDepth;
pub(crate) use scan::Folded;
pub(crate) use text_reader::ascii_at;
pub(crate) use text_writer::Cursors;
#[doc(hidden)]
pub use time::fraction;
pub(crate) use time::nanos;
pub use time::{DATE_MAX, DATE_MIN, TIMESTAMP_MAX, TIMESTAMP_MIN, TIME_MAX};
pub use token::Token;
#[doc(hidden)]
pub use token::{BACK, BACK2, BACK_FAR, FAR, LONG_LATIN, LONG_UTF8, LONG_WIDE, NEAR, UTF8_3, WIDE_1};
pub(crate) use transcode::latin1_to_utf8;
pub use transcode::{fits_latin1, is_well_formed, wide_units};
#[doc(hidden)]
pub use transcode::{utf16_to_utf8, utf8_to_utf16, SLACK};
pub use varint::varint_len;
pub(crate) use varint::varint_of_word;
pub use writer::{Message, Part, Writer};
#[doc(hidden)]
pub use writer_budget::WriterBudget;
