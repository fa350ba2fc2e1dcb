//! `any`: a value that describes itself (`spec/pack.md` section 10).

use super::bigint::BigInt;
use super::bytes::Bytes;
use super::decimal::Decimal;
use super::time::{Date, Duration, Time, Timestamp};
use super::uuid::Uuid;
use crate::describe::Describe;
use crate::input::{Input, ALLOCATION};
use crate::key::{has_repeated, Key as Known};
use crate::link::Link;
use crate::output::Output;
use crate::pack::{read_slots, Pack, Unpack};
use crate::schema::Type;
use crate::wire::{Chars, Cost, Number, ANY_BYTES_CELLS, ANY_CELLS, ANY_DECIMAL_CELLS, KEY_CELLS};
use alloc::string::String;
use alloc::vec::Vec;
use core::mem::discriminant;
use samewire_core::path::Segment;
use samewire_core::{Code, Fault};

/// A self-describing value.
///
/// Integers are one kind whatever their size: those within 64 bits are [`Int`](Any::Int), only others
/// [`BigInt`](Any::BigInt). Rows of native numbers are kinds of their own.
#[derive(Clone, Debug, Default, PartialEq)]
#[allow(missing_docs)]
pub enum Any {
    #[default]
    Null,
    Bool(bool),
    Int(i64),
    /// Beyond 64 bits; one within them is written as [`Int`](Any::Int).
    BigInt(BigInt),
    F64(f64),
    String(String),
    Bytes(Bytes),
    List(Vec<Any>),
    /// Entries in order; keys are all strings or all integers of 64 bits, each once. Others need a
    /// [`Map<K, V>`](super::Map).
    Map(Vec<(Any, Any)>),
    Decimal(Decimal),
    Uuid(Uuid),
    Date(Date),
    Time(Time),
    Timestamp(Timestamp),
    Duration(Duration),
    I8s(Vec<i8>),
    I16s(Vec<i16>),
    I32s(Vec<i32>),
    I64s(Vec<i64>),
    U16s(Vec<u16>),
    U32s(Vec<u32>),
    U64s(Vec<u64>),
    F32s(Vec<f32>),
    F64s(Vec<f64>),
}

impl Pack for Any {
    const LINKS: usize = 1;

    fn describe(to: &mut Describe) {
        to.scalar(Type::Any(0));
    }

    #[inline(always)]
    fn slot_cells(_: &[Link], _: usize) -> u64 {
        ANY_CELLS
    }

    fn write(&self, out: &mut Output, at: usize) -> Result<(), Fault> {
        match self {
            Any::Null => out.byte(0x00),
            Any::Bool(value) => out.byte(0x01 + u8::from(*value)),
            Any::Int(value) => write_integer(*value, out),
            Any::BigInt(value) => match within(value) {
                Some(small) => write_integer(small, out),
                None => {
                    out.byte(0x04);
                    out.bigint(value.as_bytes())?;
                }
            },
            Any::F64(value) => {
                out.byte(0x05);
                out.f64(*value);
            }
            Any::String(value) => {
                out.byte(0x06);
                out.str(at, value);
            }
            Any::Bytes(value) => {
                out.byte(0x07);
                out.charge(ANY_BYTES_CELLS)?;
                out.bytes(value)?;
            }
            Any::List(values) => {
                out.byte(0x08);
                out.enter()?;
                out.container(values.len(), ANY_CELLS)?;
                Any::write_row(values.iter(), out, at, Segment::Index)?;
                out.leave();
            }
            Any::Map(entries) => write_map(entries, out, at)?,
            Any::Decimal(value) => {
                out.charge(ANY_DECIMAL_CELLS)?;
                return tagged(0x0a, value, out, at);
            }
            Any::Uuid(value) => return tagged(0x0b, value, out, at),
            Any::Date(value) => return tagged(0x0c, value, out, at),
            Any::Time(value) => return tagged(0x0d, value, out, at),
            Any::Timestamp(value) => return tagged(0x0e, value, out, at),
            Any::Duration(value) => return tagged(0x0f, value, out, at),
            Any::I8s(row) => return tagged(0x10, row, out, at),
            Any::I16s(row) => return tagged(0x11, row, out, at),
            Any::I32s(row) => return tagged(0x12, row, out, at),
            Any::I64s(row) => return tagged(0x13, row, out, at),
            Any::U16s(row) => return tagged(0x14, row, out, at),
            Any::U32s(row) => return tagged(0x15, row, out, at),
            Any::U64s(row) => return tagged(0x16, row, out, at),
            Any::F32s(row) => return tagged(0x17, row, out, at),
            Any::F64s(row) => return tagged(0x18, row, out, at),
        }
        Ok(())
    }
}

fn tagged<T: Pack>(tag: u8, value: &T, out: &mut Output, at: usize) -> Result<(), Fault> {
    out.byte(tag);
    value.write(out, at)
}

/// The integer, if it is one of 64 bits.
fn within(value: &BigInt) -> Option<i64> {
    i128::try_from(value).ok().and_then(|value| i64::try_from(value).ok())
}

fn write_integer(value: i64, out: &mut Output) {
    match value {
        0..=127 => out.byte(0x80 + value as u8),
        _ => {
            out.byte(0x03);
            out.zigzag(value);
        }
    }
}

fn write_map(entries: &[(Any, Any)], out: &mut Output, at: usize) -> Result<(), Fault> {
    out.byte(0x09);
    out.enter()?;
    out.container(entries.len(), KEY_CELLS + 2 * ANY_CELLS)?;
    let mut keys: Vec<Known> = Vec::with_capacity(entries.len());
    for (i, (key, _)) in entries.iter().enumerate() {
        let alike = |key: &Known| keys.first().is_none_or(|first| discriminant(first) == discriminant(key));
        let Some(known) = key.known().filter(alike) else {
            out.fail(Code::TypeMismatch);
            return Err(out.inside(Segment::Key(i)));
        };
        keys.push(known);
    }
    if out.sorts_keys() && !keys.is_sorted() {
        let mut order: Vec<usize> = (0..entries.len()).collect();
        order.sort_unstable_by_key(|&i| keys[i]);
        if order.windows(2).any(|pair| keys[pair[0]] == keys[pair[1]]) {
            return Err(out.fail(Code::TypeMismatch));
        }
        let sorted = order.iter().map(|&i| &entries[i]);
        Any::write_row(sorted.clone().map(|entry| &entry.0), out, at, Segment::Key)?;
        Any::write_row(sorted.map(|entry| &entry.1), out, at, Segment::Value)?;
        out.leave();
        return Ok(());
    }
    if has_repeated(keys) {
        return Err(out.fail(Code::TypeMismatch));
    }
    Any::write_row(Keys(entries.iter()), out, at, Segment::Key)?;
    Any::write_row(Values(entries.iter()), out, at, Segment::Value)?;
    out.leave();
    Ok(())
}

/// The keys of entries, with their number.
#[derive(Clone)]
struct Keys<'v>(core::slice::Iter<'v, (Any, Any)>);
/// The values of entries, with their number.
#[derive(Clone)]
struct Values<'v>(core::slice::Iter<'v, (Any, Any)>);

impl<'v> Iterator for Keys<'v> {
    type Item = &'v Any;

    fn next(&mut self) -> Option<&'v Any> {
        self.0.next().map(|entry| &entry.0)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl<'v> Iterator for Values<'v> {
    type Item = &'v Any;

    fn next(&mut self) -> Option<&'v Any> {
        self.0.next().map(|entry| &entry.1)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl ExactSizeIterator for Keys<'_> {}
impl ExactSizeIterator for Values<'_> {}

impl Any {
    /// What the value is as a key, if it can be one.
    fn known(&self) -> Option<Known<'_>> {
        Some(match self {
            Any::Int(value) => Known::Int(*value),
            Any::BigInt(value) => Known::Int(within(value)?),
            Any::String(value) => Known::Text(Chars::Utf8(value)),
            _ => return None,
        })
    }

    /// A key of a map, of the same kind as the `first`.
    fn key(input: &mut Input<'_, '_>, first: Option<&Any>) -> Result<Any, Fault> {
        let at = input.position();
        Ok(match (input.byte()?, first) {
            (0x06, None | Some(Any::String(_))) => Any::String(text(input, at)?),
            (0x03, None | Some(Any::Int(_))) => Any::Int(input.zigzag64()?),
            (tag @ 0x80.., None | Some(Any::Int(_))) => Any::Int(i64::from(tag - 0x80)),
            _ => return Err(input.fail(Code::Malformed, at)),
        })
    }

    fn value(input: &mut Input<'_, '_>) -> Result<Any, Fault> {
        let at = input.position();
        let tag = input.byte()?;
        Ok(match tag {
            0x00 => Any::Null,
            0x01 | 0x02 => Any::Bool(tag == 0x02),
            0x03 => Any::Int(input.zigzag64()?),
            0x04 => {
                let value = BigInt::shortest(input.bigint()?);
                within(&value).map_or(Any::BigInt(value), Any::Int)
            }
            0x05 => Any::F64(input.number()?),
            0x06 => Any::String(text(input, at)?),
            0x07 => {
                input.charge(at, ANY_BYTES_CELLS)?;
                Any::Bytes(Bytes::read(input, 0)?)
            }
            0x08 => {
                input.enter(at)?;
                let count = input.count(Cost::One, ANY_CELLS)?;
                let values = Any::read_row(input, 0, count)?;
                input.leave();
                Any::List(values)
            }
            0x09 => Any::map(input, at)?,
            0x0a => {
                input.charge(at, ANY_DECIMAL_CELLS)?;
                Any::Decimal(Decimal::read(input, 0)?)
            }
            0x0b => Any::Uuid(Uuid::read(input, 0)?),
            0x0c => Any::Date(Date::read(input, 0)?),
            0x0d => Any::Time(Time::read(input, 0)?),
            0x0e => Any::Timestamp(Timestamp::read(input, 0)?),
            0x0f => Any::Duration(Duration::read(input, 0)?),
            0x10 => Any::I8s(row(input)?),
            0x11 => Any::I16s(row(input)?),
            0x12 => Any::I32s(row(input)?),
            0x13 => Any::I64s(row(input)?),
            0x14 => Any::U16s(row(input)?),
            0x15 => Any::U32s(row(input)?),
            0x16 => Any::U64s(row(input)?),
            0x17 => Any::F32s(row(input)?),
            0x18 => Any::F64s(row(input)?),
            0x80.. => Any::Int(i64::from(tag - 0x80)),
            0x30..=0x3f => return Err(input.fail(Code::Unsupported, at)),
            _ => return Err(input.fail(Code::Malformed, at)),
        })
    }

    fn map(input: &mut Input<'_, '_>, at: usize) -> Result<Any, Fault> {
        input.enter(at)?;
        let start = input.position();
        let count = input.map_count(Cost::One, Cost::One, KEY_CELLS + 2 * ANY_CELLS)?;
        let (mut entries, lent) = input.lend::<(Any, Any)>(count);
        for _ in 0..count {
            let key = Any::key(input, entries.first().map(|entry| &entry.0))?;
            entries.push((key, Any::Null));
        }
        if has_repeated(entries.iter().filter_map(|entry| entry.0.known()).collect()) {
            return Err(input.fail(Code::Malformed, start));
        }
        input.give_back(lent);
        for entry in &mut entries {
            entry.1 = Any::value(input)?;
        }
        input.leave();
        Ok(Any::Map(entries))
    }
}

fn text(input: &mut Input<'_, '_>, at: usize) -> Result<String, Fault> {
    let text = input.str()?;
    input.charge_memory(at, size_of::<Any>() + text.len() + ALLOCATION, ANY_CELLS)?;
    Ok(String::from(text))
}

fn row<'a, T: Number + Unpack<'a>>(input: &mut Input<'a, '_>) -> Result<Vec<T>, Fault> {
    Vec::read(input, 0)
}

impl<'a> Unpack<'a> for Any {
    type Column = alloc::vec::IntoIter<Self>;

    fn read_column(input: &mut Input<'a, '_>, at: usize, m: usize) -> Result<Self::Column, Fault> {
        Ok(read_slots(input, at, m)?.into_iter())
    }

    fn read(input: &mut Input<'a, '_>, _: usize) -> Result<Self, Fault> {
        Any::value(input)
    }
}
