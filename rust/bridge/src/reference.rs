//! References to objects (`spec/bridge.md` section 9).

use crate::flat::put_varint;
use alloc::vec::Vec;

/// The largest number that an object can have: 60 bits.
pub const MOST_NUMBER: u64 = (1 << 60) - 1;

/// The largest number that a class can have.
pub const MOST_CLASS: u32 = (1 << 31) - 1;

/// A reference to an object in a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reference {
    /// No object.
    Null,
    /// An object of the peer that receives the message.
    Receiver(u64),
    /// An object of the peer that sends the message.
    Sender {
        /// Its number, from 1.
        number: u64,
        /// The number of its class; 0 from Python.
        class: u32,
    },
}

impl Reference {
    /// Appends the reference.
    #[inline]
    pub fn write(self, out: &mut Vec<u8>) {
        match self {
            Reference::Null => out.push(0),
            Reference::Receiver(number) => put_varint(out, number << 1),
            Reference::Sender { number, class } => {
                put_varint(out, number << 1 | 1);
                put_varint(out, u64::from(class));
            }
        }
    }
}
