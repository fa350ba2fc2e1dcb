//! Tags of values inside an `any` (`spec/pack.md` section 10).

use crate::pack::plan::Kind;

pub const NULL: u8 = 0x00;
pub const FALSE: u8 = 0x01;
pub const TRUE: u8 = 0x02;
pub const INT: u8 = 0x03;
pub const BIGINT: u8 = 0x04;
pub const FLOAT: u8 = 0x05;
pub const STRING: u8 = 0x06;
pub const BYTES: u8 = 0x07;
pub const LIST: u8 = 0x08;
pub const MAP: u8 = 0x09;
pub const DECIMAL: u8 = 0x0a;
pub const UUID: u8 = 0x0b;
pub const DATE: u8 = 0x0c;
pub const TIME: u8 = 0x0d;
pub const TIMESTAMP: u8 = 0x0e;
pub const DURATION: u8 = 0x0f;
/// The first list of numbers.
pub const NUMBERS: u8 = 0x10;
/// The last list of numbers.
pub const LAST_NUMBERS: u8 = 0x18;
/// The kinds of lists of numbers from the first on. One of u8 is `BYTES`.
pub const KINDS: [Kind; 9] =
    [Kind::I8, Kind::I16, Kind::I32, Kind::I64, Kind::U16, Kind::U32, Kind::U64, Kind::F32, Kind::F64];
/// The first tag that other parts may use; pack refuses all of them.
pub const EXTENSIONS: u8 = 0x30;
/// The last of these.
pub const LAST_EXTENSION: u8 = 0x3f;
/// Integers 0 to 127, in the low bits.
pub const SMALL: u8 = 0x80;
