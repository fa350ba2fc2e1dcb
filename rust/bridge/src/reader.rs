//! Reads the parts of messages, with bounds checks.

use crate::reference::{Reference, MOST_CLASS, MOST_NUMBER};
use crate::text::Text;
use alloc::borrow::Cow;
use alloc::vec::Vec;
use samewire_core::{Code, Error, Fault};

/// Bytes or elements of fixed width: in the message, or behind it (`spec/bridge.md` section 10).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bulk<'a> {
    /// The bytes.
    Inline(&'a [u8]),
    /// The number of bytes that follow in `blob` messages.
    Blob(usize),
}

/// A cursor over one message. Offsets are counted from the start of the message.
///
/// A method that fails returns [`Fault`], and [`error`](Reader::error) returns the details: so results are as small as
/// the values in them.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    failure: (Code, usize, &'static str),
}

macro_rules! fixed {
    ($($(#[$doc:meta])* $name:ident: $type:ty),* $(,)?) => {$(
        $(#[$doc])*
        ///
        /// # Errors
        /// `truncated`.
        #[inline]
        pub fn $name(&mut self) -> Result<$type, Fault> {
            Ok(<$type>::from_le_bytes(*self.array()?))
        }
    )*};
}

impl<'a> Reader<'a> {
    /// A reader of a whole message from an offset on: normally 1, behind the opcode.
    #[inline]
    pub fn new(message: &'a [u8], at: usize) -> Self {
        Reader { bytes: message, at: at.min(message.len()), failure: (Code::Truncated, message.len(), "") }
    }

    /// The offset of the next byte.
    #[inline]
    pub fn at(&self) -> usize {
        self.at
    }

    /// Goes back to an offset that was read before.
    #[inline]
    pub fn back(&mut self, at: usize) {
        self.at = self.at.min(at);
    }

    /// How many bytes are left.
    #[inline]
    pub fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    /// The bytes that are left.
    #[inline]
    pub fn rest(&self) -> &'a [u8] {
        &self.bytes[self.at..]
    }

    /// Ends the message.
    ///
    /// # Errors
    /// `trailing` if bytes are left.
    #[inline]
    pub fn finish(&mut self) -> Result<(), Fault> {
        if self.at == self.bytes.len() {
            return Ok(());
        }
        Err(self.fail(Code::Trailing, self.at, "bytes are left after the end of the message"))
    }

    /// The error of the last method that failed.
    #[cold]
    pub fn error(&self) -> Error {
        let (code, at, text) = self.failure;
        Error::new(code, if text.is_empty() { "the message ends too early" } else { text }).at(at)
    }

    /// Stores an error; `text` says what was expected.
    #[cold]
    pub fn fail(&mut self, code: Code, at: usize, text: &'static str) -> Fault {
        self.failure = (code, at, text);
        Fault
    }

    /// `malformed` at an offset.
    #[cold]
    pub fn malformed(&mut self, at: usize, text: &'static str) -> Fault {
        self.fail(Code::Malformed, at, text)
    }

    #[cold]
    pub(crate) fn short(&mut self) -> Fault {
        self.fail(Code::Truncated, self.bytes.len(), "the message ends too early")
    }

    #[inline]
    fn array<const N: usize>(&mut self) -> Result<&'a [u8; N], Fault> {
        match self.bytes[self.at..].first_chunk::<N>() {
            Some(bytes) => {
                self.at += N;
                Ok(bytes)
            }
            None => Err(self.short()),
        }
    }

    fixed! {
        /// Reads a byte.
        u8: u8,
        /// Reads two bytes.
        u16: u16,
        /// Reads four bytes.
        u32: u32,
        /// Reads eight bytes.
        u64: u64,
        /// Reads a signed byte.
        i8: i8,
        /// Reads two bytes.
        i16: i16,
        /// Reads four bytes.
        i32: i32,
        /// Reads eight bytes.
        i64: i64,
        /// Reads four bytes.
        f32: f32,
        /// Reads eight bytes.
        f64: f64,
    }

    /// Reads so many bytes.
    ///
    /// # Errors
    /// `truncated`.
    #[inline]
    pub fn take(&mut self, length: u64) -> Result<&'a [u8], Fault> {
        if length > self.left() as u64 {
            return Err(self.short());
        }
        let from = self.at;
        self.at += length as usize;
        Ok(&self.bytes[from..self.at])
    }

    /// Reads a byte that is 0 or 1.
    ///
    /// # Errors
    /// `malformed` at another; `truncated`.
    #[inline]
    pub fn bool(&mut self) -> Result<bool, Fault> {
        match self.u8()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(self.malformed(self.at - 1, "expected a byte 0 or 1")),
        }
    }

    /// Reads a varint of a u64.
    ///
    /// # Errors
    /// `bad_number` at its first byte if it is not the shortest form or beyond a u64; `truncated`.
    #[inline]
    pub fn varint(&mut self) -> Result<u64, Fault> {
        match self.bytes.get(self.at) {
            Some(&byte) if byte < 0x80 => {
                self.at += 1;
                Ok(u64::from(byte))
            }
            _ => self.long_varint(),
        }
    }

    fn long_varint(&mut self) -> Result<u64, Fault> {
        let mut value = 0;
        for (index, &byte) in self.bytes[self.at..].iter().take(10).enumerate() {
            value |= u64::from(byte & 0x7f) << (7 * index);
            let last = byte < 0x80;
            if (last && byte == 0 && index > 0) || (index == 9 && byte > 1) {
                return Err(self.fail(Code::BadNumber, self.at, "expected a varint of 64 bits in its shortest form"));
            }
            if last {
                self.at += index + 1;
                return Ok(value);
            }
        }
        Err(self.short())
    }

    /// Reads a count of items that take at least a byte each.
    ///
    /// # Errors
    /// Those of [`varint`](Reader::varint); `truncated` if the bytes left cannot hold so many.
    #[inline]
    pub fn count(&mut self) -> Result<usize, Fault> {
        let count = self.varint()?;
        if count > self.left() as u64 {
            return Err(self.short());
        }
        Ok(count as usize)
    }

    /// Reads a string.
    ///
    /// # Errors
    /// `bad_number`, `truncated`.
    #[inline]
    pub fn text(&mut self) -> Result<Text<'a>, Fault> {
        let head = self.varint()?;
        if head & 1 == 0 {
            return Ok(Text::Latin1(self.take(head >> 1)?));
        }
        // Twice the number of units is the number of bytes.
        Ok(Text::Utf16(self.take(head - 1)?))
    }

    /// Reads a string that must be well-formed: a name, a kind, a code, a path.
    ///
    /// # Errors
    /// `bad_utf8` at the string if it has a lone surrogate; `bad_number`, `truncated`.
    pub fn name(&mut self) -> Result<Cow<'a, str>, Fault> {
        let at = self.at;
        match self.text()?.to_str() {
            Some(name) => Ok(name),
            None => Err(self.fail(Code::BadUtf8, at, "a name with a lone surrogate")),
        }
    }

    /// Reads a count and so many well-formed strings.
    ///
    /// # Errors
    /// `bad_utf8`, `bad_number`, `truncated`.
    pub fn names(&mut self) -> Result<Vec<Cow<'a, str>>, Fault> {
        let count = self.count()?;
        (0..count).map(|_| self.name()).collect()
    }

    /// Reads bytes that must be inline.
    ///
    /// # Errors
    /// `malformed` at the length of a blob; `bad_number`, `truncated`.
    #[inline]
    pub fn bytes(&mut self) -> Result<&'a [u8], Fault> {
        self.inline(1)
    }

    /// Reads elements of `width` bytes that must be inline.
    ///
    /// # Errors
    /// `malformed` at the number of a blob; `bad_number`, `truncated`.
    #[inline]
    pub fn inline(&mut self, width: usize) -> Result<&'a [u8], Fault> {
        let at = self.at;
        let head = self.varint()?;
        if head & 1 == 1 {
            return Err(self.malformed(at, "a blob where the bytes have to stand in the message"));
        }
        self.take((head >> 1).saturating_mul(width as u64))
    }

    /// Reads elements of `width` bytes, or the number of bytes that follow the message.
    ///
    /// # Errors
    /// `limit_size` at the number of a blob of more than `blob_bytes`; `bad_number`, `truncated`.
    #[inline]
    pub fn bulk(&mut self, width: usize, blob_bytes: usize) -> Result<Bulk<'a>, Fault> {
        let at = self.at;
        let head = self.varint()?;
        let length = (head >> 1).saturating_mul(width as u64);
        if head & 1 == 0 {
            return Ok(Bulk::Inline(self.take(length)?));
        }
        if length > blob_bytes as u64 {
            return Err(self.fail(
                Code::LimitSize,
                at,
                "a blob of more bytes than limits.blob_bytes: pass it in parts, or raise it",
            ));
        }
        Ok(Bulk::Blob(length as usize))
    }

    /// Reads a reference.
    ///
    /// # Errors
    /// `malformed` at an invalid number of an object or a class; `bad_number`, `truncated`.
    #[inline]
    pub fn reference(&mut self) -> Result<Reference, Fault> {
        let at = self.at;
        let head = self.varint()?;
        if head == 0 {
            return Ok(Reference::Null);
        }
        let number = head >> 1;
        if number == 0 || number > MOST_NUMBER {
            return Err(self.malformed(at, "expected the number of an object, from 1 and of 60 bits"));
        }
        if head & 1 == 0 {
            return Ok(Reference::Receiver(number));
        }
        Ok(Reference::Sender { number, class: self.class()? })
    }

    /// Reads the number of a class; 0 if the sender does not number the object's class.
    ///
    /// # Errors
    /// `malformed` at a number of 2^31 or more; `bad_number`, `truncated`.
    #[inline]
    pub fn class(&mut self) -> Result<u32, Fault> {
        let at = self.at;
        let class = self.varint()?;
        if class > u64::from(MOST_CLASS) {
            return Err(self.malformed(at, "expected the number of a class, below 2^31"));
        }
        Ok(class as u32)
    }

    /// Reads the name of an error's code.
    ///
    /// # Errors
    /// `malformed` at the string if no code has that name; `bad_utf8`, `bad_number`, `truncated`.
    pub fn code(&mut self) -> Result<Code, Fault> {
        let at = self.at;
        let name = self.name()?;
        match Code::named(&name) {
            Some(code) => Ok(code),
            None => Err(self.malformed(at, "expected one of the codes of spec/errors.md")),
        }
    }
}
