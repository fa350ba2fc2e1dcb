//! Values in the order in which a message has them: a column that is gathered, then written from the front.
//!
//! Nulls are left out, and the elements of all lists stand one behind the other. So a message takes values of each
//! part from the front only, whether it has rows or columns.

use super::big::Big;
use super::formats::Format;
use super::source::{Form, Source};
use crate::schema::{Schema, Type, TypeId};
use alloc::boxed::Box;
use alloc::vec::Vec;

/// Values of which some were written.
pub(super) struct Queue<T> {
    pub(super) all: Vec<T>,
    next: usize,
}

impl<T> Default for Queue<T> {
    fn default() -> Self {
        Queue { all: Vec::new(), next: 0 }
    }
}

impl<T: Copy> Queue<T> {
    /// The next value, which stays.
    #[inline]
    pub(super) fn first(&self) -> T {
        self.all[self.next]
    }

    /// Takes the next value.
    #[inline]
    pub(super) fn one(&mut self) -> T {
        self.next += 1;
        self.all[self.next - 1]
    }

    /// The next values, which stay.
    pub(super) fn front(&self, count: usize) -> &[T] {
        &self.all[self.next..self.next + count]
    }

    /// Takes the next values.
    pub(super) fn many(&mut self, count: usize) -> &[T] {
        self.next += count;
        &self.all[self.next - count..self.next]
    }
}

/// The values of one part of a type.
pub(super) enum Values<'a> {
    Bool(Queue<bool>),
    I8(Queue<i8>),
    I16(Queue<i16>),
    /// Integers, and days.
    I32(Queue<i32>),
    I64(Queue<i64>),
    U8(Queue<u8>),
    U16(Queue<u16>),
    /// Integers, and indices of symbols.
    U32(Queue<u32>),
    /// Integers, and times of day.
    U64(Queue<u64>),
    F32(Queue<f32>),
    F64(Queue<f64>),
    /// Integers of any size, and decimals with so many digits behind the point.
    Big(Queue<Big>, i32),
    Text(Queue<&'a str>),
    Bytes(Queue<&'a [u8]>),
    Uuid(Queue<[u8; 16]>),
    /// Seconds, rounded down, and nanoseconds.
    Time(Queue<(i64, u32)>),
    /// Which are there, and these.
    Option(Queue<bool>, Box<Values<'a>>),
    /// The lengths of lists or sets, and all elements.
    List(Queue<usize>, Box<Values<'a>>),
    /// The sizes of maps, all keys and all values.
    Map(Queue<usize>, Box<[Values<'a>; 2]>),
    /// Of structs and tuples.
    Struct(Vec<Values<'a>>),
    /// The member of each, and the values of each member.
    Union(Queue<u8>, Vec<Values<'a>>),
}

/// Does the same with every kind of queue that holds a value without parts.
macro_rules! of_leaves {
    ($values:expr, $queue:ident => $do:expr, _ => $else:expr $(,)?) => {
        match $values {
            Values::Bool($queue) => $do,
            Values::I8($queue) => $do,
            Values::I16($queue) => $do,
            Values::I32($queue) => $do,
            Values::I64($queue) => $do,
            Values::U8($queue) => $do,
            Values::U16($queue) => $do,
            Values::U32($queue) => $do,
            Values::U64($queue) => $do,
            Values::F32($queue) => $do,
            Values::F64($queue) => $do,
            Values::Big($queue, _) => $do,
            Values::Text($queue) => $do,
            Values::Bytes($queue) => $do,
            Values::Uuid($queue) => $do,
            Values::Time($queue) => $do,
            _ => $else,
        }
    };
}
pub(super) use of_leaves;

impl<'a> Values<'a> {
    /// No values of a type, which come from this source.
    pub(super) fn of(schema: &Schema, ty: TypeId, source: &Source) -> Values<'a> {
        let part = |ty: &TypeId, i: usize| Values::of(schema, *ty, &source.parts[i]);
        match schema.ty(ty) {
            Type::Bool => Values::Bool(Queue::default()),
            Type::I8 => Values::I8(Queue::default()),
            Type::I16 => Values::I16(Queue::default()),
            Type::I32 | Type::Date => Values::I32(Queue::default()),
            Type::I64 => Values::I64(Queue::default()),
            Type::U8 => Values::U8(Queue::default()),
            Type::U16 => Values::U16(Queue::default()),
            Type::U32 | Type::Enum(_) => Values::U32(Queue::default()),
            Type::U64 | Type::Time => Values::U64(Queue::default()),
            Type::F32 => Values::F32(Queue::default()),
            Type::F64 => Values::F64(Queue::default()),
            Type::BigInt | Type::Decimal => Values::Big(Queue::default(), source.scale()),
            Type::String(_) => Values::Text(Queue::default()),
            // No source is made for an `any`, a `ref`, or a struct that contains itself.
            Type::Bytes | Type::Any(_) | Type::Ref(_) => Values::Bytes(Queue::default()),
            Type::Uuid => Values::Uuid(Queue::default()),
            Type::Timestamp | Type::Duration => Values::Time(Queue::default()),
            Type::Option(inner) => Values::Option(Queue::default(), Box::new(Values::of(schema, *inner, source))),
            Type::List(item) | Type::Set(item) if !source.is_null() => {
                Values::List(Queue::default(), Box::new(part(item, 0)))
            }
            Type::Map(key, value) if !source.is_null() => {
                Values::Map(Queue::default(), Box::new([part(key, 0), part(value, 1)]))
            }
            Type::Tuple(types) if !source.is_null() => {
                Values::Struct(types.iter().enumerate().map(|(i, ty)| part(ty, i)).collect())
            }
            Type::Struct(index) if !source.is_null() => Values::of_struct(schema, *index, source),
            Type::Union(members) if !source.is_null() => {
                let parts = members.structs.iter().zip(&source.parts);
                Values::Union(
                    Queue::default(),
                    parts.map(|(&index, part)| Values::of_struct(schema, index, part)).collect(),
                )
            }
            // Of a column of nulls nothing is ever written.
            _ => Values::Struct(Vec::new()),
        }
    }

    pub(super) fn of_struct(schema: &Schema, index: usize, source: &Source) -> Values<'a> {
        let fields = schema.structs()[index].fields.iter().zip(&source.parts);
        Values::Struct(fields.map(|(field, part)| Values::of(schema, field.ty, part)).collect())
    }
}

impl Source {
    fn is_null(&self) -> bool {
        self.form == Form::Plain(Format::Null)
    }

    fn scale(&self) -> i32 {
        match self.form {
            Form::Plain(Format::Decimal(_, scale)) | Form::Dictionary(_, Format::Decimal(_, scale)) => scale,
            _ => 0,
        }
    }
}
