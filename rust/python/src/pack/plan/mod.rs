//! The compiled form of a type: its nodes in flat tables, each with all data for its values, so that a value takes one
//! `match` and no look-up.

mod cells;
mod choice;
mod columns;
pub mod compile;
mod compiler;
mod resolve;
mod tracking;
mod weights;

use crate::core::ffi;
use crate::core::object::layout::Layout;
use crate::core::object::owned::Owned;
use crate::pack::sink::Room;
use pyo3::types::PyList;
use pyo3::Py;
use samewire_pack::schema::{Cells, Schema};
use samewire_pack::wire::header::Mark;
use samewire_pack::wire::Cost;
use samewire_pack::{Limits, Profile};
use std::sync::Arc;

pub use crate::core::object::buffer::Kind;
pub use choice::Choice;
pub use weights::{Weights, Widths};

/// The Python class of a list of numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    List,
    Tuple,
    Array,
    View,
    Numpy,
}

impl Form {
    /// Cells that an object of this class takes beyond those of a list's count. An empty memoryview takes 334 bytes of
    /// memory, an empty numpy array 517, the four cells of an empty list pay for 240.
    #[inline(always)]
    pub fn overhead(self) -> u64 {
        match self {
            Form::List | Form::Tuple | Form::Array => 0,
            Form::View => 2,
            Form::Numpy => 5,
        }
    }
}

/// The Python class of bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Blob {
    Bytes,
    ByteArray,
    View,
}

/// A type. Numbers are places in the plan's tables; a text or `any` has its site.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Node {
    Bool,
    Number(Kind),
    /// An integer of one kind that is read as a float of the other.
    Float(Kind, Kind),
    BigInt,
    Decimal,
    Text(u32),
    Bytes(Blob),
    Uuid,
    Date,
    /// Times; true: as nanoseconds in an `int`.
    Time(bool),
    Timestamp(bool),
    Duration(bool),
    Any(u32),
    Enum(u32),
    Option(u32),
    List(u32),
    /// `tuple[T, ...]`.
    Series(u32),
    Numbers(Kind, Form),
    /// Numbers of one kind that are read as those of another; never written.
    Widened(Kind, Kind, Form),
    /// True: a `frozenset`.
    Set(u32, bool),
    /// A writer's option in a field that the reader requires: null is replaced by the field's default.
    OrDefault(u32),
    /// Key and value.
    Map(u32, u32),
    Tuple(u32),
    Record(u32),
    Union(u32),
    Ref(u32),
    /// A reference in a field that only the writer has.
    Dropped(u32),
    /// A list or dict in a class of its own.
    Cast(u32),
}

impl Node {
    /// Whether a slot of this type has a flag in its row.
    #[inline(always)]
    pub fn flagged(self) -> bool {
        matches!(self, Node::Bool | Node::Option(_) | Node::OrDefault(_))
    }

    /// The least bytes of a row of this type.
    #[inline]
    pub fn cost(self) -> Cost {
        match self {
            Node::Bool | Node::Option(_) | Node::OrDefault(_) => Cost::Flags,
            Node::Number(kind) | Node::Float(kind, _) => row_cost(kind),
            _ => Cost::One,
        }
    }
}

/// The least bytes of a row of numbers.
#[inline(always)]
pub fn row_cost(kind: Kind) -> Cost {
    match kind {
        Kind::I8 | Kind::U8 => Cost::One,
        Kind::F32 => Cost::Four,
        Kind::F64 => Cost::Eight,
        _ => Cost::Integers,
    }
}

/// The most frequent types of fields, and the rest.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Hot {
    Text,
    Int32,
    Int64,
    Bool,
    List,
    /// A list of recursive records.
    Rows,
    OptionText,
    Option,
    Other,
}

impl Hot {
    /// How to write a type, and its site or place.
    pub fn of(node: Node) -> (Hot, u32) {
        match node {
            Node::Text(site) => (Hot::Text, site),
            Node::Number(Kind::I32) => (Hot::Int32, 0),
            Node::Number(Kind::I64) => (Hot::Int64, 0),
            Node::Bool => (Hot::Bool, 0),
            Node::List(item) => (Hot::List, item),
            Node::Option(item) => (Hot::Option, item),
            _ => (Hot::Other, 0),
        }
    }
}

/// The data for reading and writing a field at a known place: few bytes, since it is read for each instance.
#[derive(Clone, Copy)]
pub struct Step {
    /// How the quick encoder writes it, as one byte.
    pub hot: Hot,
    /// The site of a text, the place of what a list or an option holds.
    pub place: u32,
    pub node: Node,
    /// The cells of an element of the field's list; of a recursive record with its row.
    pub cells: u32,
    /// From the instance or its values (`Layout`); for a tuple's items and slots alike.
    pub offset: u32,
    /// The index of this field's flag in the row.
    pub flag: u32,
    /// The value is read and dropped: only the writer has the field.
    pub dropped: bool,
}

/// The rest of a field.
pub struct Field {
    /// Place among the class's attributes; None: only the writer has it, it is read and dropped.
    pub slot: Option<usize>,
    /// The attribute, or the key of a TypedDict. Interned.
    pub attribute: *mut ffi::PyObject,
    /// The name on the wire.
    pub name: String,
    /// Null is a missing key (TypedDict).
    pub absent: bool,
}

/// The default of a field that the writer does not have.
pub struct Default {
    pub slot: usize,
    pub value: *mut ffi::PyObject,
    /// Call the value for each instance.
    pub factory: bool,
}

/// A struct.
pub struct Record {
    pub class: *mut ffi::PyTypeObject,
    pub layout: Layout,
    /// Both in the order of the wire.
    pub steps: Vec<Step>,
    /// How many texts come first.
    pub texts: usize,
    pub fields: Vec<Field>,
    pub flags: usize,
    /// How many instances are written through one pair of cursors, and the most room for their texts and numbers.
    pub few: usize,
    pub room: Room,
    pub recursive: bool,
    /// The cells of a row.
    pub row_cells: u32,
    /// The part of these cells that a union's fallback takes beside the member that it replaces; 0 for other records.
    pub stand_in_cells: u32,
    /// All fields are texts and numbers at known places.
    pub fast_rows: bool,
    /// Equal for records of one name.
    pub identity: u32,
    /// A method called on each decoded instance.
    pub after: Option<Owned>,
    /// Names of all attributes, in the order of the class's slots.
    pub names: Vec<Owned>,
    pub defaults: Vec<Default>,
    /// Assignment tracks an instance if necessary (msgspec).
    pub retracks: bool,
    /// Instances must be tracked by the collector.
    pub track: bool,
    pub frozen: bool,
    /// Assignment calls the class's own `__setattr__`.
    pub setter: bool,
}

/// A union's records in the order of the wire; None: the reader's union lacks the member.
pub struct Union {
    pub records: Vec<Option<u32>>,
}

/// A class or function that is called with the value that was read.
pub struct Cast {
    pub node: Node,
    pub class: *mut ffi::PyObject,
    /// Cells that an instance takes beyond those of the value.
    pub cells: u64,
    /// How such a value is written, if not directly.
    pub adapter: Option<Adapter>,
}

/// Converts a value of the program's to the written one. It runs Python code, so only the careful encoder may call it.
#[derive(Clone, Copy)]
pub struct Adapter {
    pub encode: *mut ffi::PyObject,
    /// The class of which the value must be an instance; null for any.
    pub class: *mut ffi::PyObject,
}

/// Replaces null in a field that the reader requires.
pub struct OrDefault {
    /// The place of the node that reads a value other than null.
    pub item: u32,
    pub default: Default,
}

/// A compiled type.
pub struct Plan {
    pub nodes: Vec<Node>,
    pub root: Node,
    pub records: Vec<Record>,
    pub choices: Vec<Choice>,
    pub rows: Vec<Vec<Node>>,
    pub unions: Vec<Union>,
    pub casts: Vec<Cast>,
    pub or_defaults: Vec<OrDefault>,
    /// What values take in memory.
    pub weights: Weights,
    /// How many columns values need.
    pub widths: Widths,
    pub sites: usize,
    /// Made by resolution: it cannot write.
    pub read_only: bool,
    /// The user's Python code may run while values are read or made.
    pub hooks: bool,
    /// No Python code at all runs while values are read, and all containers stay tracked.
    pub quiet: bool,
    /// Encoding needs attribute access from the start.
    pub careful: bool,
    /// The user guarantees that no part of a decoded value will ever be part of a cycle.
    pub trusted: bool,
    /// `struct_class.lost_fields`: which fields of a subclass its base does not have.
    pub lost_fields: Owned,
    /// The part of a time that `datetime`'s classes cannot hold is dropped, not refused.
    pub truncate_times: bool,
    /// Maps are written in the order of their keys.
    pub sort_keys: bool,
    /// The number of containers in a value is bounded by the type, so the collector need not be held off.
    pub bounded: bool,
    pub profile: Profile,
    pub limits: Limits,
    pub digest: u64,
    /// Whether messages carry the digest or the check.
    pub mark: Mark,
    /// Messages without a digest are refused.
    pub digest_required: bool,
    pub schema: Arc<Schema>,
    /// The schema with the names of the records' classes: a writer's schema uses the reader's names if that has
    /// aliases.
    pub named: Arc<Schema>,
    /// The cells of values when this plan reads them.
    pub cells: Cells,
    /// Keeps alive every class, name and member that the tables point to.
    pub anchors: Py<PyList>,
}

impl Plan {
    /// The node at a place.
    #[inline(always)]
    pub fn node(&self, at: u32) -> Node {
        debug_assert!((at as usize) < self.nodes.len());
        // SAFETY: `compile` makes places of this table only.
        unsafe { *self.nodes.get_unchecked(at as usize) }
    }

    /// The record at a place.
    #[inline(always)]
    pub fn record(&self, at: u32) -> &Record {
        debug_assert!((at as usize) < self.records.len());
        // SAFETY: `compile` makes places of this table only.
        unsafe { self.records.get_unchecked(at as usize) }
    }
}
