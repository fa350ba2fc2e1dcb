//! Skips values, with all the checks of a reader.

use crate::budget::Budget;
use crate::class::ClassInfo;
use crate::kind::Kind;
use crate::reader::{Bulk, Reader};
use crate::reference::Reference;
use crate::scalar::Scalar;
use crate::tag;
use samewire_core::Fault;

/// Effects of skipped values that a receiver must handle.
pub struct Passed<'a> {
    /// Bytes of blobs that will follow the message.
    pub blobs: u64,
    /// Called with each object of the sender: with the offset of the reference and the object's number. The reference
    /// counts as received.
    pub received: &'a mut dyn FnMut(usize, u64),
}

/// Skips one value of a kind. Its effects for the receiver go to `passed`; pack messages are not parsed.
///
/// # Errors
/// `malformed` at an invalid byte, tag, reference or blob; `limit_depth` at a tag or a count;
/// `limit_items` at a count; `limit_size` at a blob; `bad_utf8` at a name; `bad_number`, `truncated`.
pub fn skip(reader: &mut Reader<'_>, kind: &Kind, budget: &mut Budget, passed: &mut Passed<'_>) -> Result<(), Fault> {
    match kind {
        Kind::Void | Kind::Null => Ok(()),
        Kind::Scalar(Scalar::Bool) => reader.bool().map(drop),
        Kind::Scalar(of) => reader.take(of.width() as u64).map(drop),
        Kind::String => reader.text().map(drop),
        Kind::Bytes | Kind::Pack(_) => bulk(reader, None, budget, passed),
        Kind::List(of) | Kind::Array(of) => bulk(reader, Some(*of), budget, passed),
        Kind::Strings => {
            let count = budget.elements(reader)?;
            (0..count).try_for_each(|_| reader.text().map(drop))
        }
        Kind::Option(of) => {
            if reader.bool()? {
                skip(reader, of, budget, passed)?;
            }
            Ok(())
        }
        Kind::Object => reference(reader, passed),
        Kind::ObjectOf(_) => own(reader).map(drop),
        Kind::Peer(_) => thing(reader, passed),
        Kind::Result => reader.varint().map(drop),
        Kind::Any => any(reader, budget, passed),
        Kind::Sequence(_) => {
            let at = reader.at();
            container(reader, at, budget, passed, false)
        }
        Kind::Map => {
            let at = reader.at();
            container(reader, at, budget, passed, true)
        }
        Kind::Class => ClassInfo::read(reader, budget).map(drop),
    }
}

/// Reads a value of kind `object C`: an object of the receiver.
///
/// # Errors
/// `malformed` at another reference; `bad_number`, `truncated`.
pub fn own(reader: &mut Reader<'_>) -> Result<u64, Fault> {
    let at = reader.at();
    match reader.reference()? {
        Reference::Receiver(number) => Ok(number),
        _ => Err(reader.malformed(at, "expected an object of the receiver's")),
    }
}

/// Reads a value of kind `peer`: an object of the sender.
///
/// # Errors
/// `malformed` at another reference; `bad_number`, `truncated`.
pub fn peer(reader: &mut Reader<'_>) -> Result<(u64, u32), Fault> {
    let at = reader.at();
    match reader.reference()? {
        Reference::Sender { number, class } => Ok((number, class)),
        _ => Err(reader.malformed(at, "expected an object of the sender's")),
    }
}

/// Skips an object of the sender.
fn thing(reader: &mut Reader<'_>, passed: &mut Passed<'_>) -> Result<(), Fault> {
    let at = reader.at();
    let (number, _) = peer(reader)?;
    (passed.received)(at, number);
    Ok(())
}

fn reference(reader: &mut Reader<'_>, passed: &mut Passed<'_>) -> Result<(), Fault> {
    let at = reader.at();
    if let Reference::Sender { number, .. } = reader.reference()? {
        (passed.received)(at, number);
    }
    Ok(())
}

fn bulk(reader: &mut Reader<'_>, of: Option<Scalar>, budget: &Budget, passed: &mut Passed<'_>) -> Result<(), Fault> {
    match budget.bulk(reader, of.map_or(1, Scalar::width))? {
        Bulk::Inline(bytes) if of == Some(Scalar::Bool) => booleans(reader, bytes),
        Bulk::Inline(_) => Ok(()),
        Bulk::Blob(length) => {
            passed.blobs += length as u64;
            Ok(())
        }
    }
}

/// Checks the bytes of a `list<bool>` that has just been read.
///
/// # Errors
/// `malformed` at a byte that is neither 0 nor 1.
pub fn booleans(reader: &mut Reader<'_>, bytes: &[u8]) -> Result<(), Fault> {
    match bytes.iter().position(|&byte| byte > 1) {
        None => Ok(()),
        Some(index) => {
            let at = reader.at() - bytes.len() + index;
            Err(reader.malformed(at, "expected a byte 0 or 1"))
        }
    }
}

/// Skips a tag and its value.
fn any(reader: &mut Reader<'_>, budget: &mut Budget, passed: &mut Passed<'_>) -> Result<(), Fault> {
    let at = reader.at();
    match reader.u8()? {
        tag::NULL | tag::FALSE | tag::TRUE => Ok(()),
        tag::I64 | tag::F64 => reader.u64().map(drop),
        tag::I32 | tag::F32 => reader.u32().map(drop),
        tag::CHAR => reader.u16().map(drop),
        tag::STRING => reader.text().map(drop),
        tag::BYTES => reader.bytes().map(drop),
        tag::LIST | tag::SET | tag::TUPLE => container(reader, at, budget, passed, false),
        tag::MAP => container(reader, at, budget, passed, true),
        tag::OBJECT => reference(reader, passed),
        tag::PACK => schema(reader).and_then(|_| reader.bytes().map(drop)),
        tag::PEER => interfaces(reader).and_then(|_| thing(reader, passed)),
        tag => match tag::list_of(tag).or_else(|| tag::array_of(tag)) {
            Some(of) => {
                let bytes = reader.inline(of.width())?;
                if of == Scalar::Bool {
                    booleans(reader, bytes)?;
                }
                Ok(())
            }
            None => Err(reader.malformed(at, "expected a tag of `any`")),
        },
    }
}

/// Reads the schema behind [`tag::PACK`].
///
/// # Errors
/// `malformed` at the string if it is a kind of the bridge's own; `bad_utf8`, `bad_number`, `truncated`.
pub fn schema<'a>(reader: &mut Reader<'a>) -> Result<alloc::borrow::Cow<'a, str>, Fault> {
    let at = reader.at();
    let text = reader.name()?;
    match Kind::parse(&text) {
        Ok(Kind::Pack(_)) => Ok(text),
        _ => Err(reader.malformed(at, "expected the schema of a pack message")),
    }
}

/// Reads the kind behind [`tag::PEER`].
///
/// # Errors
/// `malformed` at the string if it names no interface; `bad_utf8`, `bad_number`, `truncated`.
pub fn interfaces<'a>(reader: &mut Reader<'a>) -> Result<alloc::borrow::Cow<'a, str>, Fault> {
    let at = reader.at();
    let text = reader.name()?;
    match Kind::parse(&text) {
        Ok(Kind::Peer(names)) if !names.is_empty() => Ok(text),
        _ => Err(reader.malformed(at, "expected the kind `peer` with the names of interfaces")),
    }
}

fn container(
    reader: &mut Reader<'_>,
    at: usize,
    budget: &mut Budget,
    passed: &mut Passed<'_>,
    pairs: bool,
) -> Result<(), Fault> {
    budget.enter(reader, at)?;
    let count = if pairs { 2 * budget.entries(reader)? } else { budget.elements(reader)? };
    (0..count).try_for_each(|_| any(reader, budget, passed))?;
    budget.leave();
    Ok(())
}
