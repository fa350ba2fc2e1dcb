//! The types of a schema, and what can be asked of them.

use crate::wire::{Cost, KEY_CELLS};
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

/// The longest schema text in bytes.
pub const TEXT_MAX: usize = 1 << 20;
/// The most brackets that may be open at once in schema text.
pub const NESTING_MAX: usize = 64;
/// The most types, fields and symbols of a schema together.
pub const NODES_MAX: usize = 65_536;

/// A type of a [`Schema`]: an index into its types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeId(pub u32);

/// A type. Structs and enums are held by the schema and named by their index.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Type {
    Bool,
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    BigInt,
    F32,
    F64,
    Decimal,
    /// A text, and the number of its dedup slot.
    String(u32),
    Bytes,
    Uuid,
    Date,
    Time,
    Timestamp,
    Duration,
    /// A self-describing value, and the number of the dedup slot that all its texts belong to.
    Any(u32),
    /// An index into [`Schema::enums`].
    Enum(usize),
    Option(TypeId),
    List(TypeId),
    Set(TypeId),
    Map(TypeId, TypeId),
    Tuple(Vec<TypeId>),
    /// An index into [`Schema::structs`].
    Struct(usize),
    Union(Members),
    /// A shared struct, an index into [`Schema::structs`].
    Ref(usize),
}

/// The members of a union.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Members {
    /// Indices into [`Schema::structs`], in canonical order.
    pub structs: Vec<usize>,
    /// The place of the member that a reader puts for those that it lacks: the annotation `@fallback`.
    pub fallback: Option<usize>,
}

impl Type {
    /// Whether a slot of this type has a flag in its row.
    pub fn flagged(&self) -> bool {
        matches!(self, Type::Bool | Type::Option(_))
    }

    /// What a row of this type takes at least.
    pub fn cost(&self) -> Cost {
        match self {
            Type::Bool | Type::Option(_) => Cost::Flags,
            Type::I16 | Type::I32 | Type::I64 | Type::U16 | Type::U32 | Type::U64 => Cost::Integers,
            Type::F32 => Cost::Four,
            Type::F64 => Cost::Eight,
            _ => Cost::One,
        }
    }

    /// The cells that a slot of this type takes. A struct's, a tuple's and an `option`'s depend on what is inside.
    pub(super) fn cells(&self) -> u32 {
        match self {
            Type::BigInt | Type::String(_) | Type::Uuid | Type::Duration | Type::Any(_) => 2,
            Type::Decimal | Type::Timestamp => 3,
            Type::Bytes => 6,
            _ => 1,
        }
    }

    /// The word of a scalar type, `None` for other types.
    pub fn word(&self) -> Option<&'static str> {
        Some(match self {
            Type::Bool => "bool",
            Type::I8 => "i8",
            Type::I16 => "i16",
            Type::I32 => "i32",
            Type::I64 => "i64",
            Type::U8 => "u8",
            Type::U16 => "u16",
            Type::U32 => "u32",
            Type::U64 => "u64",
            Type::BigInt => "bigint",
            Type::F32 => "f32",
            Type::F64 => "f64",
            Type::Decimal => "decimal",
            Type::String(_) => "string",
            Type::Bytes => "bytes",
            Type::Uuid => "uuid",
            Type::Date => "date",
            Type::Time => "time",
            Type::Timestamp => "timestamp",
            Type::Duration => "duration",
            Type::Any(_) => "any",
            _ => return None,
        })
    }

    /// The scalar type of a word.
    pub(crate) const fn scalar(word: &str) -> Option<Type> {
        Some(match word.as_bytes() {
            b"bool" => Type::Bool,
            b"i8" => Type::I8,
            b"i16" => Type::I16,
            b"i32" => Type::I32,
            b"i64" => Type::I64,
            b"u8" => Type::U8,
            b"u16" => Type::U16,
            b"u32" => Type::U32,
            b"u64" => Type::U64,
            b"bigint" => Type::BigInt,
            b"f32" => Type::F32,
            b"f64" => Type::F64,
            b"decimal" => Type::Decimal,
            b"string" => Type::String(0),
            b"bytes" => Type::Bytes,
            b"uuid" => Type::Uuid,
            b"date" => Type::Date,
            b"time" => Type::Time,
            b"timestamp" => Type::Timestamp,
            b"duration" => Type::Duration,
            b"any" => Type::Any(0),
            _ => return None,
        })
    }

    /// Whether a scalar type may be the key of a set or map.
    pub(crate) fn is_key(&self) -> bool {
        match self {
            Type::F32 | Type::F64 | Type::Decimal | Type::Bytes | Type::Any(_) => false,
            Type::Enum(_) => true,
            _ => self.word().is_some(),
        }
    }
}

/// A struct.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Struct {
    /// Its name.
    pub name: String,
    /// What else a reader knows it by: the annotation `@alias`.
    pub aliases: Vec<String>,
    /// Its fields in declared order.
    pub fields: Vec<Field>,
    /// Whether it can contain itself: entering it adds to the depth.
    pub recursive: bool,
    /// The number of its fields that have a flag.
    pub flags: usize,
}

/// A struct's field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: TypeId,
    /// Whether a reader's type gives it a default: the annotation `@default`.
    pub defaulted: bool,
    /// What else a reader knows it by: the annotation `@alias`.
    pub aliases: Vec<String>,
}

/// An enum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enum {
    /// Its name.
    pub name: String,
    /// What else a reader knows it by: the annotation `@alias`.
    pub aliases: Vec<String>,
    /// Its symbols in canonical order: a value's index is the place here.
    pub symbols: Vec<String>,
    /// The index of the symbol that a reader puts for those that it lacks: the annotation `@fallback`.
    pub fallback: Option<usize>,
}

/// A checked schema. Types, structs, enums and dedup slots are numbered in the order of the canonical text.
#[derive(Clone, Debug)]
pub struct Schema {
    pub(super) types: Vec<Type>,
    pub(super) structs: Vec<Struct>,
    pub(super) enums: Vec<Enum>,
    pub(super) root: TypeId,
    pub(super) dedup_slots: usize,
    pub(super) text: String,
    /// The annotations, and where in the text each would stand.
    pub(super) annotations: Vec<(usize, String)>,
    pub(super) digest: u64,
    pub(super) cells: Cells,
    pub(super) widths: Vec<u32>,
}

impl Schema {
    /// The canonical text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The canonical text with the annotations of a reader's type, which no digest covers (`spec/pack.md` section 2).
    pub fn annotated(&self) -> String {
        let (mut annotated, mut from) = (String::new(), 0);
        for (at, annotation) in &self.annotations {
            annotated.push_str(&self.text[from..*at]);
            annotated.push_str(annotation);
            from = *at;
        }
        annotated.push_str(&self.text[from..]);
        annotated
    }

    /// The digest: FNV-1a of the canonical text; its bytes are exchanged big-endian.
    pub fn digest(&self) -> u64 {
        self.digest
    }

    /// The type of the root value.
    pub fn root(&self) -> TypeId {
        self.root
    }

    /// The type with this index.
    #[inline]
    pub fn ty(&self, id: TypeId) -> &Type {
        &self.types[id.0 as usize]
    }

    /// All types.
    pub fn types(&self) -> &[Type] {
        &self.types
    }

    /// All structs.
    #[inline]
    pub fn structs(&self) -> &[Struct] {
        &self.structs
    }

    /// All enums.
    #[inline]
    pub fn enums(&self) -> &[Enum] {
        &self.enums
    }

    /// What values of each type take, in cells.
    #[inline]
    pub fn cells(&self) -> &Cells {
        &self.cells
    }

    /// Whether values of this type are written as the columns of their parts: a tuple, or a struct that is not recursive.
    #[inline]
    pub fn is_flat(&self, ty: TypeId) -> bool {
        match self.ty(ty) {
            Type::Tuple(_) => true,
            Type::Struct(index) => !self.structs[*index].recursive,
            _ => false,
        }
    }

    /// The columns that values of this struct need (`spec/columns.md` section 1), 1 if it is recursive.
    #[inline]
    pub fn width(&self, structure: usize) -> u32 {
        self.widths[structure]
    }

    /// The names of all structs and enums.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        let structs = self.structs.iter().map(|made| made.name.as_str());
        structs.chain(self.enums.iter().map(|made| made.name.as_str()))
    }

    /// Gives structs and enums other names. The text, the digest and the order of members stay what they are.
    pub(crate) fn rename(&mut self, names: &BTreeMap<String, String>) {
        let structs = self.structs.iter_mut().map(|made| &mut made.name);
        for name in structs.chain(self.enums.iter_mut().map(|made| &mut made.name)) {
            if let Some(other) = names.get(name) {
                name.clone_from(other);
            }
        }
    }

    /// Hands out every struct to be changed.
    pub(crate) fn each_struct(&mut self, change: impl FnMut(&mut Struct)) {
        self.structs.iter_mut().for_each(change);
    }

    /// The number of places that say `string` or `any`.
    pub fn dedup_slots(&self) -> usize {
        self.dedup_slots
    }
}

/// The weights, in cells, of all types and structs of a schema.
#[derive(Clone, Debug, Default)]
pub struct Cells {
    pub(super) slots: Vec<u32>,
    pub(super) rows: Vec<u32>,
}

impl Cells {
    /// What a value of this type takes where it stands.
    #[inline]
    pub fn slot(&self, ty: TypeId) -> u32 {
        self.slots[ty.0 as usize]
    }

    /// What the row of this struct takes where it does not lie inline.
    #[inline]
    pub fn row(&self, structure: usize) -> u32 {
        self.rows[structure]
    }

    /// What is charged where a present `option` of this type is read: a row that does not lie inline. A recursive struct
    /// charges it itself.
    pub fn present(&self, schema: &Schema, ty: TypeId) -> u32 {
        match schema.ty(ty) {
            Type::Tuple(_) => self.slot(ty),
            Type::Struct(index) if !schema.structs()[*index].recursive => self.row(*index),
            _ => 0,
        }
    }

    /// What an element of a set of this type takes.
    #[inline]
    pub fn key(&self, ty: TypeId) -> u64 {
        KEY_CELLS + u64::from(self.slot(ty))
    }

    /// What an entry of a map of these types takes.
    #[inline]
    pub fn entry(&self, key: TypeId, value: TypeId) -> u64 {
        KEY_CELLS + u64::from(self.slot(key)) + u64::from(self.slot(value))
    }
}
