//! The protocol of `bridge`, calls between Python and the JVM (`spec/bridge.md`), without I/O and without a clock.
//!
//! ```
//! use samewire_bridge::{flat, message, Action, Budget, Definition, Kind, Message, Reader, Wanted, MOST_BLOB};
//! use samewire_core::Limits;
//!
//! let max = Definition {
//!     action: Action::Static,
//!     class: "java.lang.Math".into(),
//!     member: "max".into(),
//!     arguments: vec![Kind::parse("i32")?, Kind::parse("i32")?],
//!     result: Wanted::Declared,
//! };
//! let mut call = Vec::new();
//! message::put_first_call(&mut call, 1, &max);
//! flat::put_u32(&mut call, 3);
//! flat::put_u32(&mut call, 4);
//!
//! let mut budget = Budget::new(&Limits::DEFAULT, MOST_BLOB);
//! let Message::FirstCall { site: 1, definition, arguments } = Message::read(&call, &mut budget)? else { panic!() };
//! assert_eq!(definition, max);
//! assert_eq!(Reader::new(&call, arguments).i32(), Ok(3));
//! # Ok::<(), samewire_core::Error>(())
//! ```
//!
//! - [`flat`] and [`Reader`] write and read numbers, strings, bytes and references.
//! - [`Kind`] is the kind of a value, [`Definition`] a call site, and [`Message`] reads a whole message.
//! - [`skip`] skips a value and checks it, [`Value`] is a tree of it. Adapters build their own objects with a
//!   [`Reader`] and a [`Budget`].
//! - [`Exports`] and [`ReleaseQueue`] count references; [`frame`] cuts a stream into messages.
//! - [`ring`] is shared memory between two processes as a pair of byte streams.
//! - [`Signals`] assigns signals (Ctrl-C) to calls.

#![no_std]
#![warn(missing_docs)]

extern crate alloc;

mod budget;
mod class;
mod definition;
mod exports;
pub mod flat;
pub mod frame;
mod hello;
mod input;
mod kind;
pub mod message;
mod opcode;
mod reader;
mod reference;
mod release_queue;
pub mod ring;
mod scalar;
mod signals;
pub mod tag;
mod text;
mod throw;
mod value;
mod walk;

pub use budget::{Budget, MOST_BLOB};
pub use class::{ClassInfo, Flags, Form, Member, What};
pub use definition::{put_kind, read_result_kind, Action, Definition, Wanted, MOST_ARGUMENTS, MOST_SITE};
pub use exports::Exports;
pub use hello::{
    Hello, Record, Refused, RingFile, Role, Welcome, CONTINUED_BYTES, MOST_HELLO, RING_CAPACITY, SESSION_BYTES, VERSION,
};
pub use input::Input;
pub use kind::{class_number, Kind, Sequence};
pub use message::Message;
pub use reader::{Bulk, Reader};
pub use reference::{Reference, MOST_CLASS, MOST_NUMBER};
pub use release_queue::{ReleaseQueue, MOST_PAIRS};
pub use scalar::Scalar;
pub use signals::Signals;
pub use text::Text;
pub use throw::Throw;
pub use value::Value;
pub use walk::{booleans, interfaces, own, peer, schema, skip, Passed};
