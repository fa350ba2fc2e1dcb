//! How much memory a decoder may take for a message (`spec/pack.md` section 12).
//!
//! Room is made for at most 64 bytes for each byte of input before anything is read, and everything read holds at most
//! what its type takes in place divided by what it takes at least on the wire. A factor covers growth by doubling, keys
//! that are sorted beside their row, and the walk that explains an error.

use samewire_pack::schema::{Schema, Type, TypeId};

/// Room made before elements are read, for each byte.
const AHEAD: usize = 64;
/// A back reference is one byte and may stand for 95 characters of two bytes of UTF-8, and the text's own three words.
const TEXT: usize = 95 * 2 + 24;
/// Room for growth and for what stands beside.
const SLACK: usize = 4;
/// Independent of the length: tables that start with some room, the text of an error.
const CONSTANT: usize = 16 << 10;

/// Bytes of memory for a message of `length` bytes, at `each` for every byte.
pub fn allowed(each: usize, length: usize) -> usize {
    CONSTANT + SLACK * each * length
}

/// Bytes of memory for each byte of a message of this schema.
pub fn memory_for_a_byte(schema: &Schema) -> usize {
    let measure = Measure { schema, open: Vec::new() };
    let rows = schema.types().iter().filter_map(|ty| measure.clone().row_of(ty)).max().unwrap_or(0);
    let texts = if schema.dedup_slots() > 0 { TEXT } else { 0 };
    let columns = if has_columns(schema) { 8 * largest(schema).max(texts) } else { 0 };
    rows.max(measure.clone().ratio(schema.root(), 8)).max(texts).max(columns) + AHEAD
}

/// Whether a message may have columns: a value takes a bit there at least, a text of a dictionary too.
fn has_columns(schema: &Schema) -> bool {
    schema.types().iter().any(|ty| match ty {
        Type::List(item) | Type::Map(_, item) => schema.is_flat(*item),
        _ => false,
    })
}

/// The bytes of the largest value in place.
fn largest(schema: &Schema) -> usize {
    let sizes = (0..schema.types().len()).map(|i| Measure { schema, open: Vec::new() }.size(TypeId(i as u32)));
    sizes.max().unwrap_or(0)
}

/// Bytes of memory for each byte of a message of another schema: its slots may take a byte where ours take more.
pub fn memory_for_a_byte_of_another(schema: &Schema) -> usize {
    8 * largest(schema) + memory_for_a_byte(schema)
}

/// Sizes in memory, never too small, and on the wire, never too large.
#[derive(Clone)]
struct Measure<'s> {
    schema: &'s Schema,
    /// Structs that are being measured: inside themselves they stand behind a pointer.
    open: Vec<usize>,
}

impl Measure<'_> {
    /// For a type with rows of its own, the memory for each byte of the row.
    fn row_of(self, ty: &Type) -> Option<usize> {
        let integers = 1;
        match ty {
            Type::List(item) | Type::Set(item) => Some(self.clone().ratio(*item, integers)),
            Type::Map(key, value) => Some(self.clone().ratio(*key, integers) + self.clone().ratio(*value, integers)),
            _ => None,
        }
    }

    /// `integer_bits`: what an integer takes at least.
    fn ratio(self, id: TypeId, integer_bits: usize) -> usize {
        let bits = match self.schema.ty(id) {
            Type::I16 | Type::I32 | Type::I64 | Type::U16 | Type::U32 | Type::U64 => integer_bits,
            _ => self.clone().bits(id),
        };
        (self.clone().size(id) * 8).div_ceil(bits.max(1))
    }

    fn size(&mut self, id: TypeId) -> usize {
        match self.schema.ty(id) {
            Type::Bool | Type::I8 | Type::U8 => 1,
            Type::I16 | Type::U16 | Type::Enum(_) => 2,
            Type::I32 | Type::U32 | Type::F32 | Type::Date => 4,
            Type::I64 | Type::U64 | Type::F64 | Type::Time | Type::Ref(_) => 8,
            Type::Option(inner) => 8 + self.size(*inner),
            Type::Tuple(items) => items.iter().map(|item| 8 + self.size(*item)).sum(),
            Type::Struct(index) => self.structure(*index),
            Type::Union(members) => 8 + members.structs.iter().map(|member| self.structure(*member)).max().unwrap_or(0),
            _ => 32,
        }
    }

    fn structure(&mut self, index: usize) -> usize {
        if self.open.contains(&index) {
            return 8;
        }
        self.open.push(index);
        let schema = self.schema;
        let size = schema.structs()[index].fields.iter().map(|field| 8 + self.size(field.ty)).sum();
        self.open.pop();
        size
    }

    fn bits(&mut self, id: TypeId) -> usize {
        match self.schema.ty(id) {
            Type::Bool | Type::Option(_) => 1,
            Type::F32 => 32,
            Type::F64 => 64,
            Type::Uuid => 128,
            Type::Tuple(items) => self.row(items.iter().copied()),
            Type::Struct(index) => self.structure_bits(*index),
            Type::Union(members) => {
                8 + members.structs.iter().map(|member| self.structure_bits(*member)).min().unwrap_or(0)
            }
            _ => 8,
        }
    }

    fn structure_bits(&mut self, index: usize) -> usize {
        if self.open.contains(&index) {
            return 0;
        }
        self.open.push(index);
        let schema = self.schema;
        let bits = self.row(schema.structs()[index].fields.iter().map(|field| field.ty));
        self.open.pop();
        bits
    }

    /// Flags take whole bytes.
    fn row(&mut self, slots: impl Iterator<Item = TypeId>) -> usize {
        let (mut flags, mut rest) = (0usize, 0);
        for slot in slots {
            if self.schema.ty(slot).flagged() {
                flags += 1;
            } else {
                rest += self.bits(slot);
            }
        }
        flags.div_ceil(8) * 8 + rest
    }
}
