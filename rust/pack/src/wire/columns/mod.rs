//! Columns: the values of one field of a long list of structs, side by side (`spec/columns.md`).
//!
//! **Reading.** The methods are [`Reader`](super::Reader)'s: `list_count` and `map_count_of` tell rows from columns. Then one
//! call reads each column, for `m` values: `column_integers`, `column_doubles`, `column_times`, `flags` for bits,
//! `column_counts` for lists, sets and maps, `column_lengths` for bytes. Of texts `column_texts` reads how they stand: that
//! many tokens, and, where these are a dictionary, `column_indices`. All of them check that the bytes can be there before
//! they allocate, and fail with the code and the offset that the specification names. A column of no values has no bytes.
//!
//! **Writing.** [`is_columnar`] is the rule. [`write_integers`], [`write_doubles`] and [`write_times`] append a whole column to
//! any [`ByteSink`]: a vector, or a buffer of one's own. [`Dictionary`] decides whether values that repeat stand once.
//! [`Writer`](super::Writer) has a method for each column, built from these.
//!
//! ```
//! use samewire_pack::wire::columns::write_integers;
//! use samewire_pack::wire::Reader;
//! use samewire_pack::Limits;
//!
//! let mut message = vec![0x80];
//! write_integers(&[1000, 1001, 1003, 1002], &mut message);
//! let mut reader = Reader::new(&message, None, &Limits::DEFAULT)?;
//! let mut column = Vec::<i32>::new();
//! reader.column_integers(&(i32::MIN..=i32::MAX), 4, &mut column).map_err(|_| reader.fault())?;
//! assert_eq!(column, [1000, 1001, 1003, 1002]);
//! # Ok::<(), samewire_pack::Error>(())
//! ```

mod counts;
mod dictionary;
mod doubles;
mod form;
mod integers;
pub(super) mod scratch;
pub(crate) mod spare;
mod texts;
mod times;
mod writer;

pub use super::byte_sink::ByteSink;
pub use counts::Count;
pub use dictionary::Dictionary;
pub use doubles::{decimal_exponent, decimals, write_doubles, Decimals, DoubleScratch};
pub use form::{is_columnar, time_range, Unit, MARK};
pub use integers::write_integers;
pub use spare::Lent;
pub use texts::TextForm;
pub use times::{unit_of, write_times, TimeScratch, Times};
