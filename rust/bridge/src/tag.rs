//! Tags of `any` (`spec/bridge.md` section 4).

use crate::scalar::Scalar;

/// Null.
pub const NULL: u8 = 0x00;
/// False.
pub const FALSE: u8 = 0x01;
/// True.
pub const TRUE: u8 = 0x02;
/// An `i64`.
pub const I64: u8 = 0x03;
/// An `f64`.
pub const F64: u8 = 0x05;
/// A string.
pub const STRING: u8 = 0x06;
/// Bytes.
pub const BYTES: u8 = 0x07;
/// A list of `any`.
pub const LIST: u8 = 0x08;
/// A map of `any`.
pub const MAP: u8 = 0x09;
/// An `i32`.
pub const I32: u8 = 0x19;
/// A `char`.
pub const CHAR: u8 = 0x1b;
/// A set of `any`.
pub const SET: u8 = 0x1c;
/// A tuple of `any`.
pub const TUPLE: u8 = 0x1d;
/// An `f32`.
pub const F32: u8 = 0x1e;
/// A reference.
pub const OBJECT: u8 = 0x30;
/// The text of a pack schema, and a message of it.
pub const PACK: u8 = 0x31;
/// The text of a kind `peer I …`, and a reference to an object of the sender's.
pub const PEER: u8 = 0x32;

/// The tag of a `list<N>`; none of `list<char>`.
pub const fn of_list(of: Scalar) -> Option<u8> {
    Some(match of {
        Scalar::I8 => 0x10,
        Scalar::I16 => 0x11,
        Scalar::I32 => 0x12,
        Scalar::I64 => 0x13,
        Scalar::F32 => 0x17,
        Scalar::F64 => 0x18,
        Scalar::Bool => 0x1a,
        Scalar::Char => return None,
    })
}

/// The tag of an `array<N>`: in the order of [`Scalar::ALL`].
pub const fn of_array(of: Scalar) -> u8 {
    0x20 + of as u8
}

/// The scalar of a tag of `list<N>`.
pub fn list_of(tag: u8) -> Option<Scalar> {
    Scalar::ALL.into_iter().find(|&of| of_list(of) == Some(tag))
}

/// The scalar of a tag of `array<N>`.
pub fn array_of(tag: u8) -> Option<Scalar> {
    Scalar::ALL.get(usize::from(tag.wrapping_sub(0x20))).copied()
}
