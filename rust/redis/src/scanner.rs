//! Finds where replies end while their bytes come in.

use crate::aggregate::Aggregate;
use crate::budget::Budget;
use crate::head::{chunk, end, head, Blob, Head};
use alloc::vec::Vec;
use samewire_core::{Code, Error, Limits};

/// What a scanner knows of the bytes it was shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scan {
    /// The reply is not complete: at least so many bytes are missing (1 or more).
    More(usize),
    /// The reply is complete and has so many bytes.
    Reply(usize),
}

/// Follows replies over a buffer that grows. It looks at each byte once, however many pieces the bytes come in, skips
/// the bodies of texts, and keeps no more than one count for each open aggregate.
#[derive(Clone, Debug)]
pub struct Scanner {
    limits: Limits,
    budget: Budget,
    open: Vec<Open>,
    /// The type byte that is looked at next, from the start of the reply.
    at: usize,
    /// Bytes behind it that are known to hold no line end.
    searched: usize,
    /// Inside a streamed text.
    streamed: bool,
    /// Bytes of replies that are over.
    passed: usize,
    error: Option<Error>,
}

/// An aggregate that is not complete.
#[derive(Clone, Copy, Debug)]
struct Open {
    kind: Aggregate,
    /// Elements to come; of an aggregate without a count, those that its entry still needs.
    left: usize,
    counted: bool,
}

impl Open {
    /// Whether an entry may begin, or the aggregate end: it has no count, and no entry is under way.
    fn at_entry(&self) -> bool {
        !self.counted && self.left == 0
    }
}

/// What one look at the bytes gave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// The line is not complete.
    Short,
    /// The text is not complete; it ends there.
    Body(usize),
    /// A head or a chunk was passed: what it belongs to goes on.
    Inside,
    /// A value is complete.
    Value,
}

impl Scanner {
    /// A scanner at the start of a stream.
    pub fn new(limits: Limits) -> Self {
        Scanner {
            budget: Budget::new(&limits),
            limits,
            open: Vec::new(),
            at: 0,
            searched: 0,
            streamed: false,
            passed: 0,
            error: None,
        }
    }

    /// Looks at what has come. `buf` starts at the first byte of the reply that is being followed, and has grown since
    /// the last call, or is as it was. After [`Scan::Reply`] the next reply begins.
    ///
    /// # Errors
    /// What is wrong with the bytes (`spec/redis.md` section 3), with the offset of the type byte at fault from the start
    /// of the stream. The scanner is then dead: each later call returns the same error.
    pub fn scan(&mut self, buf: &[u8]) -> Result<Scan, Error> {
        if let Some(error) = &self.error {
            return Err(error.clone());
        }
        self.advance(buf).map_err(|code| {
            let error = fault(code).at(self.passed.saturating_add(self.at));
            self.error = Some(error.clone());
            error
        })
    }

    /// Counts a reply of so many bytes that was read without being scanned, so that offsets stay those of the stream. No
    /// reply may have begun.
    pub fn skip(&mut self, length: usize) {
        debug_assert_eq!(self.at, 0, "a reply has begun");
        self.passed = self.passed.saturating_add(length);
    }

    fn advance(&mut self, buf: &[u8]) -> Result<Scan, Code> {
        let buf = &buf[..buf.len().min(self.limits.frame_bytes)];
        loop {
            let step = match (self.streamed, self.open.last()) {
                (true, _) => self.chunk(buf)?,
                (false, Some(open)) if open.at_entry() && buf.get(self.at) == Some(&b'.') => self.end(buf)?,
                _ => self.element(buf)?,
            };
            match step {
                Step::Short => {
                    self.budget.reach(buf.len() + 1)?;
                    return Ok(Scan::More(1));
                }
                Step::Body(end) => return Ok(Scan::More(end - buf.len())),
                Step::Inside => {}
                Step::Value => {
                    if self.settle() {
                        let length = self.at;
                        self.passed = self.passed.saturating_add(length);
                        self.at = 0;
                        self.budget = Budget::new(&self.limits);
                        return Ok(Scan::Reply(length));
                    }
                }
            }
        }
    }

    fn chunk(&mut self, buf: &[u8]) -> Result<Step, Code> {
        let Some((length, after)) = chunk(buf, self.at, &mut self.searched)? else { return Ok(Step::Short) };
        self.searched = 0;
        if length == 0 {
            self.at = after;
            self.streamed = false;
            return Ok(Step::Value);
        }
        self.body(buf, after, length, Step::Inside)
    }

    fn end(&mut self, buf: &[u8]) -> Result<Step, Code> {
        let Some(after) = end(buf, self.at, &mut self.searched)? else { return Ok(Step::Short) };
        self.searched = 0;
        self.at = after;
        Ok(self.close())
    }

    fn element(&mut self, buf: &[u8]) -> Result<Step, Code> {
        let nested = match self.open.last_mut() {
            None => false,
            Some(open) => {
                if open.at_entry() && self.at < buf.len() {
                    // Once its first byte is there.
                    self.budget.entry(open.kind)?;
                    open.left = open.kind.arity();
                }
                true
            }
        };
        let Some((head, after)) = head(buf, self.at, &mut self.searched)? else { return Ok(Step::Short) };
        self.searched = 0;
        match head {
            Head::Blob { kind, length } => {
                // The format is judged when the text is there, as a reader does.
                let format = buf.get(after..after + 4).is_some_and(|format| length >= 4 && format[3] == b':');
                let at = self.at;
                let step = self.body(buf, after, length, Step::Value)?;
                if step == Step::Value && kind == Blob::Verbatim && !format {
                    self.at = at;
                    return Err(Code::Malformed);
                }
                return Ok(step);
            }
            Head::Counted { kind: Aggregate::Push, .. } | Head::Open { kind: Aggregate::Push } if nested => {
                return Err(Code::Malformed);
            }
            Head::Counted { kind, count } => {
                self.budget.enter(kind, count)?;
                let left = self.budget.elements(kind, count, after)?;
                self.at = after;
                self.open.push(Open { kind, left, counted: true });
                return Ok(if left == 0 { self.close() } else { Step::Inside });
            }
            Head::Open { kind } => {
                self.budget.enter(kind, 0)?;
                self.open.push(Open { kind, left: 0, counted: false });
            }
            Head::Streamed => self.streamed = true,
            _ => {
                self.at = after;
                return Ok(Step::Value);
            }
        }
        self.at = after;
        Ok(Step::Inside)
    }

    /// Passes over `length` bytes from `after` on and their CRLF, which complete `step`.
    fn body(&mut self, buf: &[u8], after: usize, length: usize, step: Step) -> Result<Step, Code> {
        let end = after.saturating_add(length);
        self.budget.reach(end.saturating_add(2))?;
        match (buf.get(end), buf.get(end + 1)) {
            (Some(b'\r'), Some(b'\n')) => {}
            (None, _) | (Some(b'\r'), None) => return Ok(Step::Body(end + 2)),
            _ => return Err(Code::Malformed),
        }
        self.at = end + 2;
        Ok(step)
    }

    /// Leaves the innermost aggregate; that completes a value unless it is an attribute.
    fn close(&mut self) -> Step {
        self.budget.leave();
        match self.open.pop() {
            Some(open) if open.kind != Aggregate::Attribute => Step::Value,
            _ => Step::Inside,
        }
    }

    /// Counts a complete value towards the aggregates around it, and returns whether the reply is complete.
    fn settle(&mut self) -> bool {
        while let Some(open) = self.open.last_mut() {
            open.left -= 1;
            if open.left > 0 || !open.counted || self.close() != Step::Value {
                return false;
            }
        }
        true
    }
}

/// An error of the wire with its text.
pub(crate) fn fault(code: Code) -> Error {
    Error::new(
        code,
        match code {
            Code::LimitDepth => "aggregates are nested deeper than limits.depth: raise it for data that you trust",
            Code::LimitItems => "more elements than limits.items or limits.cells allow: raise them for data that you trust",
            Code::LimitSize => "the reply is longer than limits.frame_bytes (raise it for data that you trust), or a number has too many digits",
            Code::BadNumber => "expected a number in decimal digits, within its range and without leading zeros",
            _ => "this is not RESP: expected a type byte, what belongs to it, and CRLF",
        },
    )
}
