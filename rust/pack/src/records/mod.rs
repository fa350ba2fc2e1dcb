//! Record files: values of one type, with their schema, in a file (`spec/records.md`).
//!
//! ```
//! use samewire_pack::records::{RecordReader, RecordWriter};
//! use samewire_pack::{Codec, Pack};
//! use std::io::Cursor;
//!
//! #[derive(Pack, PartialEq, Debug)]
//! struct Book {
//!     name: String,
//!     year: i32,
//! }
//!
//! let mut shelf = RecordWriter::new(Vec::new(), Codec::new())?;
//! shelf.write(&Book { name: "Carrie".into(), year: 1974 })?;
//! shelf.write(&Book { name: "Cujo".into(), year: 1981 })?;
//! let file = shelf.close()?;
//!
//! let mut books = RecordReader::new(Cursor::new(file), Codec::<Book>::new())?;
//! assert_eq!(books.record_count()?, 2);
//! books.seek(1)?;
//! assert_eq!(books.next().unwrap()?.name, "Cujo");
//! # Ok::<(), samewire_pack::records::RecordError>(())
//! ```
//!
//! [`BlockScanner`] and [`Block`] are the file without input and output, and without `std`.

mod block;
#[cfg(feature = "std")]
mod block_input;
mod block_scanner;
mod compression;
mod crc32;
mod places;
mod varint;

#[cfg(feature = "std")]
mod reader;
#[cfg(feature = "std")]
mod record_error;
#[cfg(feature = "std")]
mod record_file;
#[cfg(feature = "arrow")]
mod tables;
#[cfg(feature = "std")]
mod walk;
#[cfg(feature = "std")]
mod writer;

pub use block::{write_block, write_index, write_records, Block, BlockKind, Messages, MAGIC};
pub use block_scanner::BlockScanner;
pub use compression::Compression;
pub use places::{Places, RecordBlock};
#[cfg(feature = "std")]
pub use reader::{RecordReader, RecordReaderOptions};
#[cfg(feature = "std")]
pub use record_error::RecordError;
#[cfg(feature = "std")]
pub use record_file::RecordFile;
#[cfg(feature = "arrow")]
pub use tables::{RecordTables, RecordTablesOptions};
#[cfg(feature = "std")]
pub use writer::{RecordWriter, RecordWriterOptions};
