//! Typed values as compact bytes, the same in Rust, Python, Java and TypeScript.
//!
//! The format is `spec/pack.md`: no names, tags or type markers in the bytes, text in one block at the start, repeated
//! short texts as references of one byte, integer arrays bit-packed.
//!
//! ```
//! use samewire_pack::{Codec, Pack};
//!
//! #[derive(Pack, PartialEq, Debug)]
//! struct Book {
//!     id: String,
//!     name: String,
//!     author: String,
//!     year: i32,
//! }
//!
//! let codec = Codec::<Vec<Book>>::new();
//! let books = vec![Book { id: "1001".into(), name: "Carrie".into(), author: "Stephen King".into(), year: 1974 }];
//! let bytes = codec.encode(&books)?;
//! assert_eq!(codec.decode(&bytes)?, books);
//!
//! let error = codec.decode(&bytes[..31]).unwrap_err();
//! assert_eq!(error.to_string(), "truncated at 31 in $[0].year: the message ends too early: read until it is whole");
//! # Ok::<(), samewire_pack::Error>(())
//! ```
//!
//! - [`Codec`] encodes and decodes a type; [`Pack`] lists the native types, and is derived for structs and enums.
//! - [`Codec::decode_borrowed`] lets `&str` fields borrow from the message.
//! - [`Codec::resolve`] reads what another version of the type wrote.
//! - [`records`] keeps values in files, with their schema.
//! - [`table`] reads messages as Arrow columns, and writes such columns as messages.
//! - [`frame`] cuts streams into messages; [`wire`], [`schema`], [`walker`] and [`mod@resolve`] are the parts that codecs
//!   of other languages are built from.
//!
//! `unsafe` code is confined to `wire` (buffers, cursors, overreads), `input`, the fast rows, `scratch_pool`, `table::c_data`,
//! `table::from_arrow::arrays`, `table::arrow` and one cast in `converter`. `make miri` runs
//! the tests that reach it under Miri, with strict provenance. Miri does not see the loads of `wire::overread`
//! beyond a text's end, which are assembly: there, as off x86-64, short texts are copied in another way.
//!
//! The crate is `no_std` with `alloc`. Feature `std` (default) adds hash maps and sets, `PathBuf`, `SystemTime` and a random
//! seed for the table of texts; feature `derive` (default) the derive macro. Features `bytes`, `chrono`, `time` and `uuid`
//! implement [`Pack`] for the types of these crates. Feature `zstd` compresses record files, feature `arrow` reads and
//! writes tables as `RecordBatch`es of Arrow's crates. With feature `paths` (default) errors of `decode` are those of the
//! other languages, with their path; without it they have the code and offset of the native reader, and a module of
//! WebAssembly is smaller.

#![no_std]
#![warn(missing_docs)]

#[macro_use]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;
// Derived code names this crate; so it can be used inside it too.
extern crate self as samewire_pack;

pub mod aliases;
mod chunks;
mod codec;
mod columns;
mod converter;
mod decoder;
mod defaults;
mod describe;
mod encoder;
#[cfg(feature = "paths")]
mod explain;
mod fallbacks;
mod fast_row_reader;
mod fast_row_writer;
mod foreign;

mod input;
mod key;
mod link;
mod order;
mod output;
mod pack;
mod profile;
mod read_rows;
pub mod records;
pub mod resolve;
pub mod schema;
#[cfg(feature = "std")]
mod schema_store;
mod scratch_pool;
pub mod table;

mod value;
pub mod walker;
pub mod widening;
pub mod wire;
mod write_rows;

pub use chunks::Chunks;
pub use codec::Codec;
pub use converter::{As, Converter};
pub use decoder::Decoder;
pub use encoder::Encoder;
pub use input::Scratch;
pub use pack::{Key, Pack, Record, Unpack, UnpackRecord};
pub use profile::Profile;
pub use samewire_core::{frame, path, Code, Error, Fault, Limits};
#[cfg(feature = "std")]
pub use schema_store::{FolderSchemas, MemorySchemas, SchemaStore, VersionedCodec, VersionedError};
pub use value::{Any, BigInt, Bytes, BytesRef, Date, Decimal, Duration, Map, Time, Timestamp, Uuid};
pub use wire::header::digest_of;

#[cfg(feature = "derive")]
pub use samewire_pack_derive::Pack;

/// What derived code calls.
pub mod derived {
    pub use crate::columns::{assemble, Numbers, OfNumber, Rows};
    pub use crate::converter::As;
    pub use crate::defaults::{resolve_field, resolve_field_column, FieldColumn};
    pub use crate::describe::Describe;
    pub use crate::fallbacks::{member_name, missing};
    pub use crate::fast_row_reader::FastRowReader;
    pub use crate::fast_row_writer::FastRowWriter;
    pub use crate::read_rows::read_row;
    pub use crate::write_rows::write_row;

    pub use crate::input::{Input, RowFlags};
    pub use crate::link::Link;
    pub use crate::order::{inverse, member_order, variant_name};
    pub use crate::output::{Flags, Output};
    pub use crate::pack::{read_slots, resolve_slots, Key, Pack, Record, Slot, Union, Unpack, UnpackRecord};
    pub use crate::resolve::{Action, ResolutionPlan, StepId};
    pub use alloc::vec::{IntoIter, Vec};
    pub use core::any::type_name;
    pub use core::cmp::Ordering;
    pub use samewire_core::path::Segment;
    pub use samewire_core::{Code, Fault};
}
