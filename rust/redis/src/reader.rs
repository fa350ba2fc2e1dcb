//! One pass over a reply that is there, or may be.

use crate::aggregate::Aggregate;
use crate::budget::{Budget, LEAST_ELEMENT};
use crate::build::{Build, Chunks};
use crate::head::{self, Blob, Head};
use crate::scanner::{fault, Scanner};
use crate::value::{Tree, Value};
use samewire_core::{Code, Error, Limits};

/// Why no value was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal<E> {
    /// The reply is not complete. What was made of it has been dropped.
    More,
    /// The bytes are not RESP, or beyond a limit: the code, and the offset in the buffer that was given.
    Wire {
        /// What is wrong.
        code: Code,
        /// The type byte of the element at fault.
        at: usize,
    },
    /// The builder's own error.
    Build(E),
}

impl<E> From<E> for Refusal<E> {
    fn from(error: E) -> Self {
        Refusal::Build(error)
    }
}

/// Reads one reply from the start of a buffer.
///
/// It does not resume: a reply that comes in many pieces is first followed by a [`Scanner`], or the bytes
/// would be read anew for each piece.
#[derive(Debug)]
pub struct Reader<'b> {
    /// What may be read: no more than `frame_bytes`.
    buf: &'b [u8],
    at: usize,
    /// Elements that are certain to come behind the one that is read: what the counts around it have announced.
    owed: usize,
    budget: Budget,
}

impl<'b> Reader<'b> {
    /// A reader at the start of `buf`, which may hold more than one reply.
    #[inline]
    pub fn new(buf: &'b [u8], limits: &Limits) -> Self {
        let buf = &buf[..buf.len().min(limits.frame_bytes)];
        Reader { buf, at: 0, owed: 0, budget: Budget::new(limits) }
    }

    /// Reads the reply and returns what `build` makes of it, and its length.
    ///
    /// # Errors
    /// See [`Refusal`].
    #[inline]
    pub fn read<B: Build<'b>>(mut self, build: &mut B) -> Result<(B::Value, usize), Refusal<B::Error>> {
        let value = self.element(build, true)?;
        Ok((value, self.at))
    }

    fn element<B: Build<'b>>(&mut self, build: &mut B, top: bool) -> Result<B::Value, Refusal<B::Error>> {
        loop {
            let at = self.at;
            let (head, after) = self.found(head::head(self.buf, self.at, &mut 0))?;
            self.at = after;
            return Ok(match head {
                Head::Blob { kind, length } => {
                    let text = self.body(at, length)?;
                    match (kind, text) {
                        (Blob::Bulk, text) => build.bulk(text)?,
                        (Blob::Error, text) => build.error(text)?,
                        (Blob::Verbatim, [a, b, c, b':', text @ ..]) => build.verbatim([*a, *b, *c], text)?,
                        (Blob::Verbatim, _) => return Err(Refusal::Wire { code: Code::Malformed, at }),
                    }
                }
                Head::Integer(value) => build.integer(value)?,
                Head::Simple { end } => build.simple(&self.buf[at + 1..end])?,
                Head::Error { end } => build.error(&self.buf[at + 1..end])?,
                Head::Null => build.null()?,
                Head::Double(value) => build.double(value)?,
                Head::Boolean(value) => build.boolean(value)?,
                Head::BigNumber { end } => build.big_number(&self.buf[at + 1..end])?,
                Head::Streamed => {
                    let length = self.chunks()?;
                    build.streamed(Chunks::new(&self.buf[after..self.at], length))?
                }
                Head::Counted { kind: Aggregate::Push, .. } | Head::Open { kind: Aggregate::Push } if !top => {
                    return Err(Refusal::Wire { code: Code::Malformed, at });
                }
                Head::Counted { kind, count } => {
                    let open = self.counted(build, at, kind, count)?;
                    if kind == Aggregate::Attribute {
                        build.attribute(open)?;
                        continue;
                    }
                    build.close(open)?
                }
                Head::Open { kind } => {
                    let open = self.uncounted(build, at, kind)?;
                    if kind == Aggregate::Attribute {
                        build.attribute(open)?;
                        continue;
                    }
                    build.close(open)?
                }
            });
        }
    }

    fn counted<B: Build<'b>>(
        &mut self,
        build: &mut B,
        at: usize,
        kind: Aggregate,
        count: usize,
    ) -> Result<B::Open, Refusal<B::Error>> {
        self.budget.enter(kind, count).map_err(|code| Refusal::Wire { code, at })?;
        let elements = self.budget.elements(kind, count, self.at).map_err(|code| Refusal::Wire { code, at })?;
        let owed = self.owed;
        if (owed + elements) * LEAST_ELEMENT > self.buf.len() - self.at {
            // Nothing is allocated for elements that cannot be there, those of all open aggregates together.
            return Err(Refusal::More);
        }
        let mut open = build.open(kind, Some(count))?;
        for left in (0..elements).rev() {
            let value = match short_bulk(self.buf, self.at) {
                Some((text, after)) => {
                    self.at = after;
                    build.bulk(text)?
                }
                None => {
                    self.owed = owed + left;
                    self.element(build, false)?
                }
            };
            build.push(&mut open, value)?;
        }
        self.owed = owed;
        self.budget.leave();
        Ok(open)
    }

    fn uncounted<B: Build<'b>>(
        &mut self,
        build: &mut B,
        at: usize,
        kind: Aggregate,
    ) -> Result<B::Open, Refusal<B::Error>> {
        self.budget.enter(kind, 0).map_err(|code| Refusal::Wire { code, at })?;
        let mut open = build.open(kind, None)?;
        loop {
            let at = self.at;
            if self.buf.get(at) == Some(&b'.') {
                self.at = self.found(head::end(self.buf, at, &mut 0))?;
                break;
            }
            if at < self.buf.len() {
                self.budget.entry(kind).map_err(|code| Refusal::Wire { code, at })?;
            }
            for _ in 0..kind.arity() {
                let value = self.element(build, false)?;
                build.push(&mut open, value)?;
            }
        }
        self.budget.leave();
        Ok(open)
    }

    /// What stands at `at`, if it is complete.
    #[inline]
    fn found<T, E>(&self, found: Result<Option<T>, Code>) -> Result<T, Refusal<E>> {
        match found {
            Ok(Some(found)) => Ok(found),
            Ok(None) => Err(self.short(self.at)),
            Err(code) => Err(Refusal::Wire { code, at: self.at }),
        }
    }

    /// The body of a text whose head stands at `at`, and the CRLF behind it.
    #[inline]
    fn body<E>(&mut self, at: usize, length: usize) -> Result<&'b [u8], Refusal<E>> {
        let start = self.at;
        let end = start.saturating_add(length);
        match self.buf.get(end..end.saturating_add(2)) {
            Some(b"\r\n") => {
                self.at = end + 2;
                Ok(&self.buf[start..end])
            }
            Some(_) => Err(Refusal::Wire { code: Code::Malformed, at }),
            None => Err(self.lacking(at, end.saturating_add(2))),
        }
    }

    /// Passes over the chunks of a streamed text and returns how many bytes they have.
    fn chunks<E>(&mut self) -> Result<usize, Refusal<E>> {
        let mut total = 0;
        loop {
            let at = self.at;
            let (length, after) = self.found(head::chunk(self.buf, at, &mut 0))?;
            self.at = after;
            if length == 0 {
                return Ok(total);
            }
            total += self.body(at, length)?.len();
        }
    }

    /// For an element at `at` whose end is not known to be beyond what there is.
    #[cold]
    fn short<E>(&self, at: usize) -> Refusal<E> {
        self.lacking(at, self.buf.len() + 1)
    }

    /// For an element at `at` that cannot end before `end`, which is beyond what there is.
    #[cold]
    fn lacking<E>(&self, at: usize, end: usize) -> Refusal<E> {
        match self.budget.reach(end) {
            Ok(()) => Refusal::More,
            Err(code) => Refusal::Wire { code, at },
        }
    }
}

/// The text of a `$` at `at` with a length below 100, if all of it is there; and where it ends.
#[inline(always)]
fn short_bulk(buf: &[u8], at: usize) -> Option<(&[u8], usize)> {
    let &[kind, a, b, c, d] = buf.get(at..)?.first_chunk::<5>()?;
    let (tens, ones) = (a.wrapping_sub(b'0') as usize, b.wrapping_sub(b'0') as usize);
    let (length, start) = if kind != b'$' || tens > 9 {
        return None;
    } else if b == b'\r' && c == b'\n' {
        (tens, at + 4)
    } else if ones < 10 && tens > 0 && c == b'\r' && d == b'\n' {
        (tens * 10 + ones, at + 5)
    } else {
        return None;
    };
    let end = start + length;
    match buf.get(start..end + 2)? {
        [text @ .., b'\r', b'\n'] => Some((text, end + 2)),
        _ => None,
    }
}

/// Reads one reply that is complete and nothing but it.
///
/// # Errors
/// `truncated` at the number of bytes if it is not complete, `trailing` at the first byte behind it, and what is wrong
/// with it (`spec/redis.md` section 3).
pub fn read<'b>(reply: &'b [u8], limits: &Limits) -> Result<Value<'b>, Error> {
    match Reader::new(reply, limits).read(&mut Tree) {
        Ok((value, end)) if end == reply.len() => Ok(value),
        Ok((_, end)) => Err(Error::new(Code::Trailing, "bytes are left after the reply").at(end)),
        Err(Refusal::More) => {
            // Only a scanner looks at elements of an aggregate that is not complete.
            Scanner::new(*limits).scan(reply)?;
            Err(Error::new(Code::Truncated, "the reply ends too early").at(reply.len()))
        }
        Err(Refusal::Wire { code, at }) => Err(fault(code).at(at)),
        Err(Refusal::Build(never)) => match never {},
    }
}
