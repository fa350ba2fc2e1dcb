//! A reply as a tree.

use crate::aggregate::Aggregate;
use crate::build::{Build, Chunks};
use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::convert::Infallible;

/// One reply. Texts borrow from the receive buffer where they lie in one piece.
#[derive(Clone, Debug, PartialEq)]
pub enum Value<'b> {
    /// `_`, `$-1`, `*-1`
    Null,
    /// `:`
    Integer(i64),
    /// `,`
    Double(f64),
    /// `#`
    Boolean(bool),
    /// `(`: an optional sign and digits.
    BigNumber(&'b [u8]),
    /// `+`
    Simple(&'b [u8]),
    /// `-` and `!`
    Error(&'b [u8]),
    /// `$`, in one piece or in chunks
    Bulk(Cow<'b, [u8]>),
    /// `=`
    Verbatim([u8; 3], &'b [u8]),
    /// `*`
    Array(Vec<Value<'b>>),
    /// `~`: in the order of the bytes. What occurs twice stands twice.
    Set(Vec<Value<'b>>),
    /// `%`: likewise.
    Map(Vec<(Value<'b>, Value<'b>)>),
    /// `>`
    Push(Vec<Value<'b>>),
}

/// Builds [`Value`]s. Attributes are dropped.
pub(crate) struct Tree;

pub(crate) struct Open<'b> {
    kind: Aggregate,
    values: Vec<Value<'b>>,
}

impl<'b> Build<'b> for Tree {
    type Value = Value<'b>;
    type Open = Open<'b>;
    type Error = Infallible;

    fn null(&mut self) -> Result<Value<'b>, Infallible> {
        Ok(Value::Null)
    }

    fn integer(&mut self, value: i64) -> Result<Value<'b>, Infallible> {
        Ok(Value::Integer(value))
    }

    fn double(&mut self, value: f64) -> Result<Value<'b>, Infallible> {
        Ok(Value::Double(value))
    }

    fn boolean(&mut self, value: bool) -> Result<Value<'b>, Infallible> {
        Ok(Value::Boolean(value))
    }

    fn big_number(&mut self, digits: &'b [u8]) -> Result<Value<'b>, Infallible> {
        Ok(Value::BigNumber(digits))
    }

    fn simple(&mut self, text: &'b [u8]) -> Result<Value<'b>, Infallible> {
        Ok(Value::Simple(text))
    }

    fn error(&mut self, text: &'b [u8]) -> Result<Value<'b>, Infallible> {
        Ok(Value::Error(text))
    }

    fn bulk(&mut self, text: &'b [u8]) -> Result<Value<'b>, Infallible> {
        Ok(Value::Bulk(Cow::Borrowed(text)))
    }

    fn verbatim(&mut self, format: [u8; 3], text: &'b [u8]) -> Result<Value<'b>, Infallible> {
        Ok(Value::Verbatim(format, text))
    }

    fn streamed(&mut self, chunks: Chunks<'b>) -> Result<Value<'b>, Infallible> {
        let mut text = Vec::with_capacity(chunks.length());
        chunks.for_each(|chunk| text.extend_from_slice(chunk));
        Ok(Value::Bulk(Cow::Owned(text)))
    }

    fn open(&mut self, kind: Aggregate, entries: Option<usize>) -> Result<Open<'b>, Infallible> {
        let entries = entries.unwrap_or(0);
        Ok(Open { kind, values: Vec::with_capacity(entries * kind.arity()) })
    }

    fn push(&mut self, to: &mut Open<'b>, value: Value<'b>) -> Result<(), Infallible> {
        to.values.push(value);
        Ok(())
    }

    fn close(&mut self, open: Open<'b>) -> Result<Value<'b>, Infallible> {
        let values = open.values;
        Ok(match open.kind {
            Aggregate::Set => Value::Set(values),
            Aggregate::Push => Value::Push(values),
            Aggregate::Array | Aggregate::Attribute => Value::Array(values),
            Aggregate::Map => {
                let mut values = values.into_iter();
                let mut entries = Vec::with_capacity(values.len() / 2);
                while let (Some(key), Some(value)) = (values.next(), values.next()) {
                    entries.push((key, value));
                }
                Value::Map(entries)
            }
        })
    }

    fn attribute(&mut self, _: Open<'b>) -> Result<(), Infallible> {
        Ok(())
    }
}
