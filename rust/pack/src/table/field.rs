//! The Arrow type of each type of a schema.

use crate::schema::{Schema, Type, TypeId};
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use samewire_core::path::{path_text, Segment};
use samewire_core::{Code, Error};

/// The digits of a decimal.
pub const DECIMAL_PRECISION: u32 = 38;
/// The digits of a decimal behind the point.
pub const DECIMAL_SCALE: u32 = 18;
/// How deep types may stand one in the other, and how many there may be: a schema of a few lines can spell out more than memory.
const DEEPEST: usize = 64;
const MOST_FIELDS: usize = 65_536;
/// Type ids of a union are `i8`.
const MOST_MEMBERS: usize = 128;

/// The unit of times, timestamps and durations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TimeUnit {
    /// Microseconds.
    #[default]
    Micros,
    /// Nanoseconds: timestamps from 1677 to 2262.
    Nanos,
}

impl TimeUnit {
    /// How many of them a second has.
    pub(super) const fn in_a_second(self) -> i64 {
        match self {
            TimeUnit::Micros => 1_000_000,
            TimeUnit::Nanos => 1_000_000_000,
        }
    }
}

/// What a table looks like, where the schema leaves a choice.
#[derive(Clone, Copy, Debug, Default)]
pub struct TableOptions {
    /// The unit of times.
    pub unit: TimeUnit,
    /// Whether a time between two units becomes the earlier one; else it is refused.
    pub truncate: bool,
    /// Whether texts are string views, of which a repeated one stands once, and not plain strings.
    pub views: bool,
}

/// A column's name and type, with its parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// Whether it may hold nulls: an `option`.
    pub nullable: bool,
    /// Its type.
    pub kind: Kind,
    /// The fields of a struct, the element of a list, the entries of a map, the members of a union.
    pub children: Vec<Field>,
}

/// An Arrow type.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Kind {
    Bool,
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    F32,
    F64,
    /// 38 digits, 18 of them behind the point.
    Decimal,
    /// A decimal without digits behind the point.
    BigInt,
    /// Plain strings, or views.
    Text,
    Binary,
    Uuid,
    Date,
    Time,
    Timestamp,
    Duration,
    /// A dictionary of these symbols.
    Enum(Vec<String>),
    List,
    Map,
    Struct,
    /// A dense union of structs.
    Union,
}

impl Field {
    /// The field of the structs of a schema whose messages are lists of them.
    ///
    /// # Errors
    /// `unsupported` with the path of a type that has no Arrow type.
    pub fn of_list(schema: &Schema) -> Result<Field, Error> {
        match schema.ty(schema.root()) {
            Type::List(item) if matches!(schema.ty(*item), Type::Struct(_)) => {
                Maker::new(schema).of("", *item, Segment::Elements)
            }
            _ => {
                let text = format!(
                    "expected a list of a struct, the rows of a table; the messages are of {}",
                    shortened(schema.text())
                );
                Err(Error::new(Code::Unsupported, text).path("$"))
            }
        }
    }

    /// The field of a schema whose messages are structs, each a row.
    ///
    /// # Errors
    /// As [`of_list`](Self::of_list).
    pub fn of_row(schema: &Schema) -> Result<Field, Error> {
        match schema.ty(schema.root()) {
            Type::Struct(_) => Maker::new(schema).field("", schema.root()),
            _ => {
                let text =
                    format!("expected a struct, the row of a table; the messages are of {}", shortened(schema.text()));
                Err(Error::new(Code::Unsupported, text).path("$"))
            }
        }
    }

    /// The bytes that one null takes, in all parts.
    pub(super) fn null_bytes(&self) -> u64 {
        match self.kind {
            Kind::Struct => self.children.iter().map(Field::null_bytes).sum(),
            Kind::Union => 5 + self.children.first().map_or(0, Field::null_bytes),
            _ => 16,
        }
    }
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Makes fields, and keeps the path to the one that it is at.
struct Maker<'s> {
    schema: &'s Schema,
    path: Vec<Segment<'s>>,
    left: usize,
}

impl<'s> Maker<'s> {
    fn new(schema: &'s Schema) -> Self {
        Maker { schema, path: Vec::new(), left: MOST_FIELDS }
    }

    fn of(&mut self, name: &str, ty: TypeId, segment: Segment<'s>) -> Result<Field, Error> {
        self.path.push(segment);
        let made = self.field(name, ty)?;
        self.path.pop();
        Ok(made)
    }

    fn field(&mut self, name: &str, ty: TypeId) -> Result<Field, Error> {
        self.left = self.left.checked_sub(1).ok_or_else(|| self.refused("more than 65,536 columns"))?;
        if self.path.len() > DEEPEST {
            return Err(self.refused("columns nested more than 64 deep"));
        }
        let mut children = Vec::new();
        let kind = match self.schema.ty(ty) {
            Type::Bool => Kind::Bool,
            Type::I8 => Kind::I8,
            Type::I16 => Kind::I16,
            Type::I32 => Kind::I32,
            Type::I64 => Kind::I64,
            Type::U8 => Kind::U8,
            Type::U16 => Kind::U16,
            Type::U32 => Kind::U32,
            Type::U64 => Kind::U64,
            Type::BigInt => Kind::BigInt,
            Type::F32 => Kind::F32,
            Type::F64 => Kind::F64,
            Type::Decimal => Kind::Decimal,
            Type::String(_) => Kind::Text,
            Type::Bytes => Kind::Binary,
            Type::Uuid => Kind::Uuid,
            Type::Date => Kind::Date,
            Type::Time => Kind::Time,
            Type::Timestamp => Kind::Timestamp,
            Type::Duration => Kind::Duration,
            Type::Enum(index) => Kind::Enum(self.schema.enums()[*index].symbols.clone()),
            Type::Option(inner) => {
                let made = self.field(name, *inner)?;
                return Ok(Field { nullable: true, ..made });
            }
            Type::List(item) | Type::Set(item) => {
                children.push(self.of("item", *item, Segment::Elements)?);
                Kind::List
            }
            Type::Map(key, value) => {
                let entries = vec![self.of("key", *key, Segment::Keys)?, self.of("value", *value, Segment::Values)?];
                let entries =
                    Field { name: "entries".to_owned(), nullable: false, kind: Kind::Struct, children: entries };
                children.push(entries);
                Kind::Map
            }
            Type::Tuple(types) => {
                for (i, &ty) in types.iter().enumerate() {
                    children.push(self.of(&format!("f{i}"), ty, Segment::Index(i))?);
                }
                Kind::Struct
            }
            Type::Struct(index) => {
                self.members(*index, &mut children)?;
                Kind::Struct
            }
            Type::Union(members) if members.structs.len() > MOST_MEMBERS => {
                return Err(self.refused("a union of more than 128 structs has no Arrow type"));
            }
            Type::Union(members) => {
                for &index in &members.structs {
                    let mut fields = Vec::new();
                    self.members(index, &mut fields)?;
                    let name = self.schema.structs()[index].name.clone();
                    children.push(Field { name, nullable: true, kind: Kind::Struct, children: fields });
                }
                Kind::Union
            }
            Type::Any(_) => {
                return Err(self.refused("`any` has no Arrow type: declare what it holds, or read it with decode()"))
            }
            Type::Ref(_) => {
                return Err(self.refused("a shared struct (ref) has no Arrow type: decode() reads it"));
            }
        };
        Ok(Field { name: name.to_owned(), nullable: false, kind, children })
    }

    fn members(&mut self, index: usize, children: &mut Vec<Field>) -> Result<(), Error> {
        let made = &self.schema.structs()[index];
        if made.recursive {
            let text = format!("the struct {} contains itself, which has no Arrow type: decode() reads it", made.name);
            return Err(self.refused(text));
        }
        for field in &made.fields {
            children.push(self.of(&field.name, field.ty, Segment::Field(&field.name))?);
        }
        Ok(())
    }

    fn refused(&self, text: impl Into<alloc::borrow::Cow<'static, str>>) -> Error {
        Error::new(Code::Unsupported, text).path(path_text(self.path.iter().copied()))
    }
}
