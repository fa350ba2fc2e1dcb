//! RESP2 and RESP3, the protocol of Redis and Valkey (`spec/redis.md`), without I/O and without a clock.
//!
//! ```
//! use samewire_redis::{read, Scan, Scanner, Value};
//! use samewire_core::Limits;
//!
//! let mut scanner = Scanner::new(Limits::DEFAULT);
//! assert_eq!(scanner.scan(b"*2\r\n$5\r\nhel")?, Scan::More(4));
//! let whole = b"*2\r\n$5\r\nhello\r\n:42\r\n";
//! assert_eq!(scanner.scan(whole)?, Scan::Reply(whole.len()));
//! assert_eq!(read(whole, &Limits::DEFAULT)?, Value::Array(vec![Value::Bulk(b"hello".into()), Value::Integer(42)]));
//! # Ok::<(), samewire_core::Error>(())
//! ```
//!
//! - [`Scanner`] finds where a reply ends while its bytes come in. It keeps open counts only, and never looks at a byte
//!   twice.
//! - [`Reader`] walks over a reply that is complete, once, and hands each element to a [`Build`]: a [`Value`], or the
//!   objects of another language, straight from the receive buffer.
//! - [`Command`] and [`write_value`] append bytes to a buffer of the caller's.
//! - [`key_slot`] says which slot of a cluster a key is in.

#![no_std]
#![warn(missing_docs)]

#[macro_use]
extern crate alloc;

mod aggregate;
mod budget;
mod build;
mod command;
mod head;
mod number;
mod reader;
mod scanner;
mod slot;
mod value;
mod writer;

pub use aggregate::Aggregate;
pub use build::{Build, Chunks};
pub use command::{write_command, Argument, Command};
pub use reader::{read, Reader, Refusal};
pub use scanner::{Scan, Scanner};
pub use slot::key_slot;
pub use value::Value;
pub use writer::write_value;
