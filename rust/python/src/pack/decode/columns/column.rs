//! A column that was read: checked values in order, not converted to objects yet.

use crate::core::object::owned::Owned;
use crate::pack::plan::{Blob, Form, Kind};
use samewire_pack::wire::columns::Unit;

/// The values from `next` on have not been converted yet.
pub(super) struct Column<'a> {
    pub(super) values: Values<'a>,
    pub(super) next: usize,
}

/// Values of one type, one after the other.
pub(super) enum Values<'a> {
    /// There are none.
    None,
    Bits(&'a [u8]),
    Numbers(Numbers),
    /// Objects that were made when the column was read: texts, and values in slots.
    Objects(Vec<Option<Owned>>),
    /// Indices into a dictionary of texts, which the decoder keeps at that place.
    Texts(usize, Vec<u32>),
    /// Members of an enum, by index.
    Members(u32, Vec<u32>),
    Uuids(&'a [u8]),
    Dates(Vec<i32>),
    /// Nanoseconds since midnight. True: in an `int`.
    Times(Vec<u64>, bool),
    Timestamps(Instants),
    Durations(Instants),
    /// The lengths, and all remaining bytes.
    Bytes(Vec<u32>, &'a [u8], Blob),
    /// The bits of presence, the column of present values, and the default for null, if any.
    Option(&'a [u8], Box<Column<'a>>, Option<u32>),
    List(Vec<u32>, Box<Column<'a>>),
    /// `tuple[T, ...]`.
    Series(Vec<u32>, Box<Column<'a>>),
    /// The counts of lists of numbers, their class, and the numbers; the wider kind, if they are widened.
    NumberLists(Vec<u32>, Form, Option<Kind>, Box<Column<'a>>),
    Set(Vec<u32>, bool, Box<Column<'a>>),
    /// The counts, keys and values.
    Map(Vec<u32>, Box<[Column<'a>; 2]>),
    Tuple(Vec<Column<'a>>),
    /// The record's place, and a column for each field of the writer's.
    Record(u32, Vec<Column<'a>>),
    Cast(u32, Box<Column<'a>>),
}

/// Times in one unit.
pub(super) struct Instants {
    pub(super) unit: Unit,
    pub(super) counts: Vec<i64>,
    /// Nanoseconds beside whole seconds, if the values are in two columns.
    pub(super) fractions: Vec<u32>,
    /// The class is `int`, of nanoseconds.
    pub(super) as_int: bool,
}

impl Instants {
    /// Whole seconds, rounded down, and nanoseconds of one of them.
    #[inline(always)]
    pub(super) fn parts(&self, at: usize) -> (i64, u32) {
        let count = self.counts[at];
        match self.unit {
            Unit::Split => (count, self.fractions[at]),
            Unit::Seconds => (count, 0),
            unit => {
                let each = unit.in_a_second();
                (count.div_euclid(each), (count.rem_euclid(each) * unit.nanos()) as u32)
            }
        }
    }

    /// Whether microseconds cannot hold one of them.
    pub(super) fn is_too_fine(&self) -> bool {
        match self.unit {
            Unit::Nanos => self.counts.iter().any(|count| count % 1000 != 0),
            Unit::Split => self.fractions.iter().any(|fraction| fraction % 1000 != 0),
            _ => false,
        }
    }
}

/// Numbers of one kind.
pub(super) enum Numbers {
    I8(Vec<i8>),
    I16(Vec<i16>),
    I32(Vec<i32>),
    I64(Vec<i64>),
    U8(Vec<u8>),
    U16(Vec<u16>),
    U32(Vec<u32>),
    U64(Vec<u64>),
    F32(Vec<f32>),
    F64(Vec<f64>),
}

/// Runs one expression for the numbers of any kind.
macro_rules! of_any_kind {
    ($numbers:expr, $name:ident => $do:expr) => {
        match $numbers {
            Numbers::I8($name) => $do,
            Numbers::I16($name) => $do,
            Numbers::I32($name) => $do,
            Numbers::I64($name) => $do,
            Numbers::U8($name) => $do,
            Numbers::U16($name) => $do,
            Numbers::U32($name) => $do,
            Numbers::U64($name) => $do,
            Numbers::F32($name) => $do,
            Numbers::F64($name) => $do,
        }
    };
}
pub(super) use of_any_kind;
