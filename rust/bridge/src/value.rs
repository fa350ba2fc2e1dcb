//! Values as a tree, for tools and tests. Adapters build objects of their language instead.

use crate::budget::Budget;
use crate::class::ClassInfo;
use crate::flat::{put_blob, put_bytes, put_str, put_text, put_varint};
use crate::kind::{Kind, Sequence};
use crate::reader::{Bulk, Reader};
use crate::reference::Reference;
use crate::scalar::Scalar;
use crate::tag;
use crate::text::Text;
use crate::walk::{booleans, interfaces, own, peer, schema};
use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::vec::Vec;
use samewire_core::Fault;

/// A value of any kind, borrowed from its message. A value of `option<K>` is null or one of K.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value<'a> {
    /// Null, nothing, or no class.
    Null,
    /// A value of fixed width: its bytes, as the low bytes of a number.
    Scalar(Scalar, u64),
    /// A string.
    String(Text<'a>),
    /// Bytes.
    Bytes(&'a [u8]),
    /// So many elements, or bytes, that follow the message.
    Blob(usize),
    /// The bytes of a `list<N>`.
    List(Scalar, &'a [u8]),
    /// The bytes of an `array<N>`.
    Array(Scalar, &'a [u8]),
    /// A `list<string>`.
    Strings(Vec<Text<'a>>),
    /// An object.
    Object(Reference),
    /// The number of a call.
    Result(u64),
    /// A list, set or tuple.
    Sequence(Sequence, Vec<Value<'a>>),
    /// Keys and values.
    Map(Vec<(Value<'a>, Value<'a>)>),
    /// A class.
    Class(Box<ClassInfo<'a>>),
    /// A schema, and a message of it, which is not parsed.
    Pack(Cow<'a, str>, &'a [u8]),
    /// A kind `peer I …`, and an object of the sender. Only in `any`.
    Peer(Cow<'a, str>, Reference),
}

impl<'a> Value<'a> {
    /// Reads a value of a kind.
    ///
    /// # Errors
    /// Those of [`skip`](crate::skip).
    pub fn read(reader: &mut Reader<'a>, kind: &Kind, budget: &mut Budget) -> Result<Value<'a>, Fault> {
        let at = reader.at();
        Ok(match kind {
            Kind::Void | Kind::Null => Value::Null,
            Kind::Scalar(of) => Value::scalar(reader, *of)?,
            Kind::String => Value::String(reader.text()?),
            Kind::Bytes => match budget.bulk(reader, 1)? {
                Bulk::Inline(bytes) => Value::Bytes(bytes),
                Bulk::Blob(length) => Value::Blob(length),
            },
            Kind::Pack(of) => match budget.bulk(reader, 1)? {
                Bulk::Inline(bytes) => Value::Pack(Cow::Owned(of.clone()), bytes),
                Bulk::Blob(length) => Value::Blob(length),
            },
            Kind::List(of) | Kind::Array(of) => match budget.bulk(reader, of.width())? {
                Bulk::Inline(bytes) => Value::row(reader, *of, bytes, matches!(kind, Kind::Array(_)))?,
                Bulk::Blob(length) => Value::Blob(length / of.width()),
            },
            Kind::Strings => {
                let count = budget.elements(reader)?;
                Value::Strings((0..count).map(|_| reader.text()).collect::<Result<_, _>>()?)
            }
            Kind::Option(of) => match reader.bool()? {
                true => Value::read(reader, of, budget)?,
                false => Value::Null,
            },
            Kind::Object => Value::object(reader.reference()?),
            Kind::ObjectOf(_) => Value::Object(Reference::Receiver(own(reader)?)),
            Kind::Peer(_) => {
                let (number, class) = peer(reader)?;
                Value::Object(Reference::Sender { number, class })
            }
            Kind::Result => Value::Result(reader.varint()?),
            Kind::Any => Value::any(reader, budget)?,
            Kind::Sequence(of) => Value::sequence(reader, at, *of, budget)?,
            Kind::Map => Value::map(reader, at, budget)?,
            Kind::Class => ClassInfo::read(reader, budget)?.map_or(Value::Null, |info| Value::Class(Box::new(info))),
        })
    }

    /// Appends the value. [`read`](Value::read) with the same kind returns it again.
    ///
    /// # Panics
    /// If the value is not of that kind.
    pub fn write(&self, kind: &Kind, out: &mut Vec<u8>) {
        match (kind, self) {
            (Kind::Void | Kind::Null, Value::Null) => {}
            (Kind::Any, value) => value.write_any(out),
            (Kind::Option(_), Value::Null) => out.push(0),
            (Kind::Option(of), value) => {
                out.push(1);
                value.write(of, out);
            }
            (Kind::Class, Value::Null) => ClassInfo::write(None, out),
            (_, value) => value.write_plain(out),
        }
    }

    fn scalar(reader: &mut Reader<'a>, of: Scalar) -> Result<Self, Fault> {
        let bits = match of {
            Scalar::Bool => u64::from(reader.bool()?),
            Scalar::I8 => u64::from(reader.u8()?),
            Scalar::I16 | Scalar::Char => u64::from(reader.u16()?),
            Scalar::I32 | Scalar::F32 => u64::from(reader.u32()?),
            Scalar::I64 | Scalar::F64 => reader.u64()?,
        };
        Ok(Value::Scalar(of, bits))
    }

    fn object(reference: Reference) -> Self {
        match reference {
            Reference::Null => Value::Null,
            object => Value::Object(object),
        }
    }

    fn row(reader: &mut Reader<'a>, of: Scalar, bytes: &'a [u8], array: bool) -> Result<Self, Fault> {
        if of == Scalar::Bool {
            booleans(reader, bytes)?;
        }
        Ok(if array { Value::Array(of, bytes) } else { Value::List(of, bytes) })
    }

    fn any(reader: &mut Reader<'a>, budget: &mut Budget) -> Result<Self, Fault> {
        let at = reader.at();
        Ok(match reader.u8()? {
            tag::NULL => Value::Null,
            tag::FALSE => Value::Scalar(Scalar::Bool, 0),
            tag::TRUE => Value::Scalar(Scalar::Bool, 1),
            tag::I64 => Value::scalar(reader, Scalar::I64)?,
            tag::I32 => Value::scalar(reader, Scalar::I32)?,
            tag::F64 => Value::scalar(reader, Scalar::F64)?,
            tag::F32 => Value::scalar(reader, Scalar::F32)?,
            tag::CHAR => Value::scalar(reader, Scalar::Char)?,
            tag::STRING => Value::String(reader.text()?),
            tag::BYTES => Value::Bytes(reader.bytes()?),
            tag::LIST => Value::sequence(reader, at, Sequence::List, budget)?,
            tag::SET => Value::sequence(reader, at, Sequence::Set, budget)?,
            tag::TUPLE => Value::sequence(reader, at, Sequence::Tuple, budget)?,
            tag::MAP => Value::map(reader, at, budget)?,
            tag::OBJECT => Value::object(reader.reference()?),
            tag::PACK => {
                let of = schema(reader)?;
                Value::Pack(of, reader.bytes()?)
            }
            tag::PEER => {
                let of = interfaces(reader)?;
                let (number, class) = peer(reader)?;
                Value::Peer(of, Reference::Sender { number, class })
            }
            tag => match (tag::list_of(tag), tag::array_of(tag)) {
                (Some(of), _) | (_, Some(of)) => {
                    let bytes = reader.inline(of.width())?;
                    Value::row(reader, of, bytes, tag::list_of(tag).is_none())?
                }
                _ => return Err(reader.malformed(at, "expected a tag of `any`")),
            },
        })
    }

    fn sequence(reader: &mut Reader<'a>, at: usize, of: Sequence, budget: &mut Budget) -> Result<Self, Fault> {
        budget.enter(reader, at)?;
        let count = budget.elements(reader)?;
        let elements = (0..count).map(|_| Value::any(reader, budget)).collect::<Result<_, _>>()?;
        budget.leave();
        Ok(Value::Sequence(of, elements))
    }

    fn map(reader: &mut Reader<'a>, at: usize, budget: &mut Budget) -> Result<Self, Fault> {
        budget.enter(reader, at)?;
        let count = budget.entries(reader)?;
        let entries = (0..count)
            .map(|_| Ok((Value::any(reader, budget)?, Value::any(reader, budget)?)))
            .collect::<Result<_, Fault>>()?;
        budget.leave();
        Ok(Value::Map(entries))
    }

    fn write_any(&self, out: &mut Vec<u8>) {
        out.push(match self {
            Value::Null => tag::NULL,
            Value::Scalar(Scalar::Bool, bit) => tag::FALSE + *bit as u8,
            Value::Scalar(Scalar::I64, _) => tag::I64,
            Value::Scalar(Scalar::I32, _) => tag::I32,
            Value::Scalar(Scalar::F64, _) => tag::F64,
            Value::Scalar(Scalar::F32, _) => tag::F32,
            Value::Scalar(Scalar::Char, _) => tag::CHAR,
            Value::String(_) => tag::STRING,
            Value::Bytes(_) => tag::BYTES,
            Value::List(of, _) => tag::of_list(*of).expect("`any` has no list<char>"),
            Value::Array(of, _) => tag::of_array(*of),
            Value::Object(_) => tag::OBJECT,
            Value::Sequence(Sequence::List, _) => tag::LIST,
            Value::Sequence(Sequence::Set, _) => tag::SET,
            Value::Sequence(Sequence::Tuple, _) => tag::TUPLE,
            Value::Map(_) => tag::MAP,
            Value::Pack(..) => tag::PACK,
            Value::Peer(..) => tag::PEER,
            other => panic!("`any` has no {other:?}"),
        });
        match self {
            Value::Null | Value::Scalar(Scalar::Bool, _) => {}
            Value::Pack(schema, message) => {
                put_str(out, schema);
                put_bytes(out, message);
            }
            Value::Peer(kind, object) => {
                put_str(out, kind);
                object.write(out);
            }
            value => value.write_plain(out),
        }
    }

    /// The value without a tag or a flag.
    fn write_plain(&self, out: &mut Vec<u8>) {
        match self {
            Value::Null => Reference::Null.write(out),
            Value::Scalar(of, bits) => out.extend_from_slice(&bits.to_le_bytes()[..of.width()]),
            Value::String(text) => put_text(out, *text),
            Value::Bytes(bytes) | Value::Pack(_, bytes) => put_bytes(out, bytes),
            Value::Blob(elements) => put_blob(out, *elements),
            Value::List(of, bytes) | Value::Array(of, bytes) => {
                put_varint(out, ((bytes.len() / of.width()) as u64) << 1);
                out.extend_from_slice(bytes);
            }
            Value::Strings(texts) => {
                put_varint(out, texts.len() as u64);
                texts.iter().for_each(|text| put_text(out, *text));
            }
            Value::Object(reference) | Value::Peer(_, reference) => reference.write(out),
            Value::Result(call) => put_varint(out, *call),
            Value::Sequence(_, elements) => {
                put_varint(out, elements.len() as u64);
                elements.iter().for_each(|element| element.write_any(out));
            }
            Value::Map(entries) => {
                put_varint(out, entries.len() as u64);
                for (key, value) in entries {
                    key.write_any(out);
                    value.write_any(out);
                }
            }
            Value::Class(info) => ClassInfo::write(Some(info), out),
        }
    }
}
