//! The head of one element: its type byte and the line that follows it (`spec/redis.md` section 2).
//!
//! Scanner and reader both go through [`head`], so that they agree on what is well-formed.

use crate::aggregate::Aggregate;
use crate::number;
use samewire_core::Code;

/// The longest line of a length, a count or an integer, without its CRLF: `-9223372036854775808` and room for a sign.
const NUMBER_LINE: usize = 32;

/// The longest line of a double, without its CRLF. The exact decimal form of the smallest double is longer, but no
/// server writes it; hiredis has the same bound.
const DOUBLE_LINE: usize = 325;

/// The most digits of a big number: 4,096 bytes in two's complement, as in pack's `bigint`.
const BIG_DIGITS: usize = 9_864;

/// What stands at a type byte. Offsets are into the buffer that was given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Head {
    /// `+`: the text up to `end`, which is where its CRLF starts.
    Simple { end: usize },
    /// `-`: likewise.
    Error { end: usize },
    /// `:`.
    Integer(i64),
    /// `,`.
    Double(f64),
    /// `(`: the digits up to `end`.
    BigNumber { end: usize },
    /// `#`.
    Boolean(bool),
    /// `_`, and the `$-1` and `*-1` of RESP2.
    Null,
    /// `$`, `!` or `=`: a text of so many bytes, and a CRLF, follow the head.
    Blob { kind: Blob, length: usize },
    /// `$?`: chunks follow.
    Streamed,
    /// `*`, `~`, `%`, `>` or `|` with a count: entries of a map or an attribute, else elements.
    Counted { kind: Aggregate, count: usize },
    /// An aggregate without a count: elements follow until `.`.
    Open { kind: Aggregate },
}

/// Texts with a length before them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Blob {
    /// `$`
    Bulk,
    /// `!`
    Error,
    /// `=`: three bytes of format and a colon come first.
    Verbatim,
}

/// What stands at `buf[at]`, and where what follows the head begins; `None` if the line is not complete. `searched` is
/// how many bytes behind the type byte are known to hold no line end: a caller that comes again for the same type byte
/// passes what it was left with, so that a long line which comes in pieces is searched once.
///
/// # Errors
/// The code; the offset is `at`.
#[inline]
pub(crate) fn head(buf: &[u8], at: usize, searched: &mut usize) -> Result<Option<(Head, usize)>, Code> {
    let Some(&byte) = buf.get(at) else { return Ok(None) };
    match byte {
        b'$' => length(buf, at, searched, |length| match length {
            Length::Of(length) => Some(Head::Blob { kind: Blob::Bulk, length }),
            Length::Null => Some(Head::Null),
            Length::Unknown => Some(Head::Streamed),
        }),
        b'*' => length(buf, at, searched, |length| match length {
            Length::Null => Some(Head::Null),
            length => aggregate(Aggregate::Array, length),
        }),
        b':' => {
            let Some(end) = line_end(buf, at, NUMBER_LINE, searched)? else { return Ok(None) };
            let value = number::integer(&buf[at + 1..end]).ok_or(Code::BadNumber)?;
            Ok(Some((Head::Integer(value), end + 2)))
        }
        b'+' => text(buf, at, searched, |end| Head::Simple { end }),
        _ => rare(byte, buf, at, searched),
    }
}

/// The chunk of a streamed text at `buf[at]`: its length, 0 for the end, and where its bytes begin; `None` if its line is
/// not complete.
///
/// # Errors
/// As [`head`].
pub(crate) fn chunk(buf: &[u8], at: usize, searched: &mut usize) -> Result<Option<(usize, usize)>, Code> {
    match buf.get(at) {
        None => return Ok(None),
        Some(b';') => {}
        Some(_) => return Err(Code::Malformed),
    }
    let found = length(buf, at, searched, |length| match length {
        Length::Of(length) => Some(Head::Blob { kind: Blob::Bulk, length }),
        Length::Null | Length::Unknown => None,
    })?;
    Ok(found.and_then(|(head, body)| match head {
        Head::Blob { length, .. } => Some((length, body)),
        _ => None,
    }))
}

/// Where the `.` at `buf[at]`, the end of an aggregate without a count, ends; `None` if its line is not complete.
///
/// # Errors
/// As [`head`].
pub(crate) fn end(buf: &[u8], at: usize, searched: &mut usize) -> Result<Option<usize>, Code> {
    Ok(line_end(buf, at, 0, searched)?.map(|end| end + 2))
}

fn rare(byte: u8, buf: &[u8], at: usize, searched: &mut usize) -> Result<Option<(Head, usize)>, Code> {
    let sized = |kind| {
        move |length| match length {
            Length::Of(length) => Some(Head::Blob { kind, length }),
            Length::Null | Length::Unknown => None,
        }
    };
    match byte {
        b'-' => text(buf, at, searched, |end| Head::Error { end }),
        b'!' => length(buf, at, searched, sized(Blob::Error)),
        b'=' => length(buf, at, searched, sized(Blob::Verbatim)),
        b'~' => length(buf, at, searched, |length| aggregate(Aggregate::Set, length)),
        b'%' => length(buf, at, searched, |length| aggregate(Aggregate::Map, length)),
        b'>' => length(buf, at, searched, |length| aggregate(Aggregate::Push, length)),
        b'|' => length(buf, at, searched, |length| aggregate(Aggregate::Attribute, length)),
        b',' => {
            let Some(end) = line_end(buf, at, DOUBLE_LINE, searched)? else { return Ok(None) };
            let value = number::double(&buf[at + 1..end]).ok_or(Code::BadNumber)?;
            Ok(Some((Head::Double(value), end + 2)))
        }
        b'(' => {
            // Two more than the digits: a sign, and one digit too many, which is then judged as such.
            let end = match line_end(buf, at, BIG_DIGITS + 2, searched) {
                Err(Code::Malformed) if searched_past(buf, at, BIG_DIGITS + 2) => return Err(Code::LimitSize),
                end => end?,
            };
            let Some(end) = end else { return Ok(None) };
            let digits = number::big_digits(&buf[at + 1..end]).ok_or(Code::BadNumber)?;
            if digits > BIG_DIGITS {
                return Err(Code::LimitSize);
            }
            Ok(Some((Head::BigNumber { end }, end + 2)))
        }
        b'#' => match line_end(buf, at, 1, searched)? {
            None => Ok(None),
            Some(end) => match &buf[at + 1..end] {
                b"t" => Ok(Some((Head::Boolean(true), end + 2))),
                b"f" => Ok(Some((Head::Boolean(false), end + 2))),
                _ => Err(Code::Malformed),
            },
        },
        b'_' => Ok(line_end(buf, at, 0, searched)?.map(|end| (Head::Null, end + 2))),
        _ => Err(Code::Malformed),
    }
}

enum Length {
    Of(usize),
    /// −1
    Null,
    /// `?`
    Unknown,
}

fn aggregate(kind: Aggregate, length: Length) -> Option<Head> {
    match length {
        Length::Of(count) => Some(Head::Counted { kind, count }),
        Length::Unknown => Some(Head::Open { kind }),
        Length::Null => None,
    }
}

/// Reads the line of a length or count and lets `make` say whether this type may have it.
#[inline(always)]
fn length(
    buf: &[u8],
    at: usize,
    searched: &mut usize,
    make: impl FnOnce(Length) -> Option<Head>,
) -> Result<Option<(Head, usize)>, Code> {
    // One or two digits, then CRLF: nearly all lengths there are.
    if let Some(&[a, b, c, d]) = buf.get(at + 1..at + 5).and_then(|bytes| bytes.first_chunk::<4>()) {
        let (tens, ones) = (a.wrapping_sub(b'0'), b.wrapping_sub(b'0'));
        if tens < 10 {
            if b == b'\r' && c == b'\n' {
                return make(Length::Of(tens as usize)).ok_or(Code::Malformed).map(|head| Some((head, at + 4)));
            }
            if c == b'\r' && d == b'\n' && ones < 10 && tens > 0 {
                let length = tens as usize * 10 + ones as usize;
                return make(Length::Of(length)).ok_or(Code::Malformed).map(|head| Some((head, at + 5)));
            }
        }
    }
    let Some(end) = line_end(buf, at, NUMBER_LINE, searched)? else { return Ok(None) };
    let length = match &buf[at + 1..end] {
        b"-1" => Length::Null,
        b"?" => Length::Unknown,
        digits => {
            let value = number::integer(digits).ok_or(Code::BadNumber)?;
            // A length that does not fit is larger than any limit.
            Length::Of(u64::try_from(value).map_err(|_| Code::BadNumber)?.try_into().map_err(|_| Code::LimitSize)?)
        }
    };
    make(length).ok_or(Code::Malformed).map(|head| Some((head, end + 2)))
}

/// A line that may be as long as a reply may be.
#[inline]
fn text(
    buf: &[u8],
    at: usize,
    searched: &mut usize,
    make: impl FnOnce(usize) -> Head,
) -> Result<Option<(Head, usize)>, Code> {
    Ok(line_end(buf, at, usize::MAX, searched)?.map(|end| (make(end), end + 2)))
}

/// Where the CRLF of the line that starts at `at` is, if it is there. A CR or LF by itself, or more than `most` bytes
/// between the type byte and the CRLF, is `malformed` as soon as it is seen.
#[inline]
fn line_end(buf: &[u8], at: usize, most: usize, searched: &mut usize) -> Result<Option<usize>, Code> {
    let from = at + 1 + *searched;
    let stop = buf.len().min((at + 1).saturating_add(most).saturating_add(1));
    let Some(found) = buf.get(from..stop).and_then(|line| line.iter().position(|&b| b == b'\r' || b == b'\n')) else {
        *searched = stop.saturating_sub(at + 1).min(most);
        return if stop > (at + 1).saturating_add(most) { Err(Code::Malformed) } else { Ok(None) };
    };
    let end = from + found;
    match (buf[end], buf.get(end + 1)) {
        (b'\r', None) => {
            *searched = end - at - 1;
            Ok(None)
        }
        (b'\r', Some(b'\n')) => Ok(Some(end)),
        _ => Err(Code::Malformed),
    }
}

/// Whether the line at `at` is over `most` bytes long without a line end in them: too long, not broken.
fn searched_past(buf: &[u8], at: usize, most: usize) -> bool {
    buf.get(at + 1..at + 2 + most).is_some_and(|line| !line.iter().any(|&b| b == b'\r' || b == b'\n'))
}
