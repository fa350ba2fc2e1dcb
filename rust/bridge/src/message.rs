//! Messages (`spec/bridge.md` section 2).

use crate::budget::Budget;
use crate::definition::{put_kind, read_result_kind, Definition, MOST_SITE};
use crate::flat::{put_str, put_u64, put_varint};
use crate::hello::{Hello, Refused, Welcome};
use crate::kind::Kind;
pub use crate::opcode::{
    BATCH, BATCH_RETURN, BLOB, BYE, CALL, FIRST_CALL, FIRST_RETURN, HELLO, INTERRUPT, MORE, NOTHING, PING, PONG,
    REFUSED, RELEASE, RETURN, THROW, WELCOME,
};
use crate::reader::Reader;
use crate::reference::MOST_NUMBER;
use crate::throw::Throw;
use alloc::borrow::Cow;
use alloc::vec::Vec;
use samewire_core::{Code, Error, Fault};

/// The most bytes of one blob message, without its opcode.
pub const MOST_BLOB_PART: usize = 1 << 20;

/// A message, parsed as far as possible without the session's sites.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message<'a> {
    /// Opens a channel.
    Hello(Hello<'a>),
    /// Accepts a channel.
    Welcome(Welcome<'a>),
    /// Refuses a channel.
    Refused(Refused<'a>),
    /// Calls a site.
    Call {
        /// Its number, from 1.
        site: u16,
        /// The offset of its arguments.
        arguments: usize,
    },
    /// Defines a site and calls it.
    FirstCall {
        /// Its number, or 0.
        site: u16,
        /// Its definition.
        definition: Definition,
        /// The offset of its arguments.
        arguments: usize,
    },
    /// Calls, each a message [`Call`](Message::Call) or [`FirstCall`](Message::FirstCall).
    Batch(Vec<&'a [u8]>),
    /// A call returned nothing.
    Nothing,
    /// A call returned a value, which begins at this offset.
    Return(usize),
    /// A call returned a value of this kind, which begins at this offset.
    FirstReturn(Kind, usize),
    /// A call raised.
    Throw(Throw<'a>),
    /// The replies of a batch, each a message from [`Nothing`](Message::Nothing) to [`Throw`](Message::Throw).
    BatchReturn(Vec<&'a [u8]>),
    /// Bytes of a blob.
    Blob(&'a [u8]),
    /// Numbers of objects, and how often the sender got them.
    Release(Vec<(u64, u64)>),
    /// The number of the channel to interrupt.
    Interrupt(u32),
    /// Any number.
    Ping(u64),
    /// The number of the ping.
    Pong(u64),
    /// The reason for which the session ends.
    Bye(Code, Cow<'a, str>),
    /// Requests one more callback channel.
    More,
}

impl<'a> Message<'a> {
    /// Reads a message. The caller reads arguments and results, whose kinds it knows; the calls and replies of a batch
    /// are messages to be read by this function again.
    ///
    /// # Errors `malformed` at an invalid value; `limit_items` at a count of more than the budget has; `limit_size` for
    /// a hello or a blob message that is too long; `unsupported` at another version; `bad_utf8` at a name;
    /// `bad_number`, `trailing`, `truncated`.
    pub fn read(message: &'a [u8], budget: &mut Budget) -> Result<Self, Error> {
        let mut reader = Reader::new(message, 0);
        Self::all(&mut reader, budget).map_err(|Fault| reader.error())
    }

    fn all(reader: &mut Reader<'a>, budget: &mut Budget) -> Result<Self, Fault> {
        let message = match reader.u8()? {
            HELLO => Message::Hello(Hello::read(reader)?),
            WELCOME => Message::Welcome(Welcome::read(reader)?),
            REFUSED => Message::Refused(Refused::read(reader)?),
            CALL => return Ok(Message::Call { site: site(reader, 1)?, arguments: reader.at() }),
            FIRST_CALL => {
                let (site, definition) = (site(reader, 0)?, Definition::read(reader)?);
                return Ok(Message::FirstCall { site, definition, arguments: reader.at() });
            }
            BATCH => Message::Batch(parts(reader, budget, CALL..=FIRST_CALL)?),
            NOTHING => Message::Nothing,
            RETURN => return Ok(Message::Return(reader.at())),
            FIRST_RETURN => return Ok(Message::FirstReturn(read_result_kind(reader)?, reader.at())),
            THROW => Message::Throw(Throw::read(reader)?),
            BATCH_RETURN => Message::BatchReturn(parts(reader, budget, NOTHING..=THROW)?),
            BLOB => Message::Blob(blob(reader)?),
            RELEASE => Message::Release(releases(reader, budget)?),
            INTERRUPT => {
                let at = reader.at();
                let channel = reader.varint()?;
                let Ok(channel) = u32::try_from(channel) else {
                    return Err(reader.malformed(at, "expected the number of a channel, of 32 bits"));
                };
                Message::Interrupt(channel)
            }
            PING => Message::Ping(reader.u64()?),
            PONG => Message::Pong(reader.u64()?),
            BYE => Message::Bye(reader.code()?, reader.name()?),
            MORE => Message::More,
            _ => return Err(reader.malformed(0, "expected a message of the protocol")),
        };
        reader.finish()?;
        Ok(message)
    }
}

/// Reads the number of a site, from `least`.
///
/// # Errors
/// `malformed` at another number; `bad_number`, `truncated`.
#[inline]
pub fn site(reader: &mut Reader<'_>, least: u16) -> Result<u16, Fault> {
    let at = reader.at();
    let site = reader.varint()?;
    if site < u64::from(least) || site > u64::from(MOST_SITE) {
        return Err(
            reader.malformed(at, "expected the number of a site, at most 65,535, and not 0 for one that is kept")
        );
    }
    Ok(site as u16)
}

/// Reads the parts of a batch, each a message that begins with one of these bytes.
///
/// # Errors
/// `malformed` at a part that begins otherwise, or has no byte; `limit_items`, `bad_number`, `truncated`.
pub fn parts<'a>(
    reader: &mut Reader<'a>,
    budget: &mut Budget,
    of: core::ops::RangeInclusive<u8>,
) -> Result<Vec<&'a [u8]>, Fault> {
    let count = budget.elements(reader)?;
    let mut parts = Vec::new();
    for _ in 0..count {
        let length = reader.varint()?;
        let at = reader.at();
        let part = reader.take(length)?;
        if !part.first().is_some_and(|byte| of.contains(byte)) {
            return Err(reader.malformed(at, "expected a call in a batch, or a reply in a batch return"));
        }
        parts.push(part);
    }
    Ok(parts)
}

fn blob<'a>(reader: &mut Reader<'a>) -> Result<&'a [u8], Fault> {
    if reader.left() > MOST_BLOB_PART {
        return Err(reader.fail(Code::LimitSize, 0, "expected a blob message of at most 1 MiB"));
    }
    if reader.left() == 0 {
        return Err(reader.short());
    }
    reader.take(reader.left() as u64)
}

/// Reads the pairs of a release: numbers of objects, and counts.
///
/// # Errors
/// `malformed` at an invalid number of an object, and at a count of 0; `limit_items`, `bad_number`, `truncated`.
pub fn releases(reader: &mut Reader<'_>, budget: &mut Budget) -> Result<Vec<(u64, u64)>, Fault> {
    let count = budget.entries(reader)?;
    let mut pairs = Vec::new();
    for _ in 0..count {
        let at = reader.at();
        let number = reader.varint()?;
        if number == 0 || number > MOST_NUMBER {
            return Err(reader.malformed(at, "expected the number of an object, from 1 and of 60 bits"));
        }
        let at = reader.at();
        let times = reader.varint()?;
        if times == 0 {
            return Err(reader.malformed(at, "expected how often the object was sent, from 1"));
        }
        pairs.push((number, times));
    }
    Ok(pairs)
}

/// Appends the head of a call; its arguments follow.
#[inline]
pub fn put_call(out: &mut Vec<u8>, site: u16) {
    out.push(CALL);
    put_varint(out, u64::from(site));
}

/// Appends the head of a first call; its arguments follow.
pub fn put_first_call(out: &mut Vec<u8>, site: u16, definition: &Definition) {
    out.push(FIRST_CALL);
    put_varint(out, u64::from(site));
    definition.write(out);
}

/// Appends the head of a first return; the value follows.
pub fn put_first_return(out: &mut Vec<u8>, kind: &Kind) {
    out.push(FIRST_RETURN);
    put_kind(out, kind);
}

/// Appends a batch or a batch return of whole messages; `byte` is its opcode.
pub fn put_parts<P: AsRef<[u8]>>(out: &mut Vec<u8>, byte: u8, parts: &[P]) {
    out.push(byte);
    put_varint(out, parts.len() as u64);
    for part in parts {
        put_varint(out, part.as_ref().len() as u64);
        out.extend_from_slice(part.as_ref());
    }
}

/// Appends a release.
pub fn put_releases(out: &mut Vec<u8>, pairs: &[(u64, u64)]) {
    out.push(RELEASE);
    put_varint(out, pairs.len() as u64);
    for &(number, count) in pairs {
        put_varint(out, number);
        put_varint(out, count);
    }
}

/// Appends an interrupt.
pub fn put_interrupt(out: &mut Vec<u8>, channel: u32) {
    out.push(INTERRUPT);
    put_varint(out, u64::from(channel));
}

/// Appends a ping or a pong; `byte` is its opcode.
pub fn put_ping(out: &mut Vec<u8>, byte: u8, number: u64) {
    out.push(byte);
    put_u64(out, number);
}

/// Appends a bye.
pub fn put_bye(out: &mut Vec<u8>, code: Code, text: &str) {
    out.push(BYE);
    put_str(out, code.as_str());
    put_str(out, text);
}
