//! What a reader hands the elements of a reply to.

use crate::aggregate::Aggregate;
use crate::head::chunk;

/// Makes values of a caller's own kind from the elements of a reply, in the order of the bytes. `'b` is the lifetime of
/// the receive buffer: a builder copies what is to outlive it.
///
/// An error of the builder ends the read. The values and aggregates made so far are dropped.
pub trait Build<'b> {
    /// A complete element.
    type Value;
    /// An aggregate whose elements are still to come.
    type Open;
    /// Why a value cannot be made.
    type Error;

    /// `_`, `$-1`, `*-1`
    fn null(&mut self) -> Result<Self::Value, Self::Error>;
    /// `:`
    fn integer(&mut self, value: i64) -> Result<Self::Value, Self::Error>;
    /// `,`
    fn double(&mut self, value: f64) -> Result<Self::Value, Self::Error>;
    /// `#`
    fn boolean(&mut self, value: bool) -> Result<Self::Value, Self::Error>;
    /// `(`: an optional sign and digits.
    fn big_number(&mut self, digits: &'b [u8]) -> Result<Self::Value, Self::Error>;
    /// `+`
    fn simple(&mut self, text: &'b [u8]) -> Result<Self::Value, Self::Error>;
    /// `-` and `!`: an error that the server reports. It is a value: one in an array leaves its neighbours valid.
    fn error(&mut self, text: &'b [u8]) -> Result<Self::Value, Self::Error>;
    /// `$`
    fn bulk(&mut self, text: &'b [u8]) -> Result<Self::Value, Self::Error>;
    /// `=`: `format` is `txt`, `mkd` or what else the server says.
    fn verbatim(&mut self, format: [u8; 3], text: &'b [u8]) -> Result<Self::Value, Self::Error>;
    /// `$?`: a text in chunks.
    fn streamed(&mut self, chunks: Chunks<'b>) -> Result<Self::Value, Self::Error>;

    /// Begins an aggregate. `entries` is their number where it is announced; so many are certain to follow, or the read
    /// ends without them for want of bytes: each takes at least three bytes, and those are there.
    fn open(&mut self, kind: Aggregate, entries: Option<usize>) -> Result<Self::Open, Self::Error>;
    /// Adds an element: of maps and attributes, keys and values in turn.
    fn push(&mut self, to: &mut Self::Open, value: Self::Value) -> Result<(), Self::Error>;
    /// Completes an aggregate that is not an attribute.
    fn close(&mut self, open: Self::Open) -> Result<Self::Value, Self::Error>;
    /// Completes an attribute, which describes the element that follows it.
    fn attribute(&mut self, open: Self::Open) -> Result<(), Self::Error>;
}

/// The chunks of a streamed text, which are known to be well-formed.
#[derive(Clone, Copy, Debug)]
pub struct Chunks<'b> {
    /// From the first `;` on.
    rest: &'b [u8],
    length: usize,
}

impl<'b> Chunks<'b> {
    pub(crate) fn new(rest: &'b [u8], length: usize) -> Self {
        Chunks { rest, length }
    }

    /// Bytes of all chunks that are left.
    pub fn length(&self) -> usize {
        self.length
    }
}

impl<'b> Iterator for Chunks<'b> {
    type Item = &'b [u8];

    fn next(&mut self) -> Option<&'b [u8]> {
        if self.length == 0 {
            return None;
        }
        let (length, body) = chunk(self.rest, 0, &mut 0).ok()??;
        let chunk = &self.rest[body..body + length];
        self.rest = &self.rest[body + length + 2..];
        self.length -= length;
        Some(chunk)
    }
}
