//! The closed list of error codes (`spec/errors.md`) and the error that carries them.

use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt;

/// What went wrong. The list is closed and the same in every language (`spec/errors.md`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Code {
    /// The bytes or the schema text break the format's rules.
    Malformed,
    /// The bytes end too early; `at` is how many there were.
    Truncated,
    /// The value ended and bytes are left; `at` is the first of them.
    Trailing,
    /// Nested deeper than `limits.depth`.
    LimitDepth,
    /// Larger than `frame_bytes`, `text_bytes`, or a size fixed by the format.
    LimitSize,
    /// More elements than `limits.items`.
    LimitItems,
    /// Text that is not well-formed.
    BadUtf8,
    /// A number not in its shortest form, or out of its type's range.
    BadNumber,
    /// A native value does not fit its declared type, or the declared native type cannot hold what came.
    TypeMismatch,
    /// The two sides' schemas differ and cannot be resolved.
    SchemaMismatch,
    /// A version, type or feature that this implementation does not have.
    Unsupported,
    /// The library was called in a way that its documentation forbids.
    Misuse,
    /// The other side, or this object, is gone.
    Closed,
    /// The time allowed ran out.
    Timeout,
}

impl Code {
    /// All codes, in the order of `spec/errors.md`.
    pub const ALL: [Code; 14] = [
        Code::Malformed,
        Code::Truncated,
        Code::Trailing,
        Code::LimitDepth,
        Code::LimitSize,
        Code::LimitItems,
        Code::BadUtf8,
        Code::BadNumber,
        Code::TypeMismatch,
        Code::SchemaMismatch,
        Code::Unsupported,
        Code::Misuse,
        Code::Closed,
        Code::Timeout,
    ];

    /// The code's name in every language, as in `limit_depth`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Code::Malformed => "malformed",
            Code::Truncated => "truncated",
            Code::Trailing => "trailing",
            Code::LimitDepth => "limit_depth",
            Code::LimitSize => "limit_size",
            Code::LimitItems => "limit_items",
            Code::BadUtf8 => "bad_utf8",
            Code::BadNumber => "bad_number",
            Code::TypeMismatch => "type_mismatch",
            Code::SchemaMismatch => "schema_mismatch",
            Code::Unsupported => "unsupported",
            Code::Misuse => "misuse",
            Code::Closed => "closed",
            Code::Timeout => "timeout",
        }
    }

    /// The code of that name.
    pub fn named(name: &str) -> Option<Code> {
        Code::ALL.into_iter().find(|code| code.as_str() == name)
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// An error: code, offset and path are contract, the text is free.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// What went wrong.
    pub code: Code,
    /// The offset in bytes from the start of the message, schema text or stream, where there is one.
    pub at: Option<usize>,
    /// The path of the value, like `$.books[3].year`, where there is one.
    pub path: Option<String>,
    /// What was expected, what came, what to do.
    pub text: Cow<'static, str>,
}

impl Error {
    /// An error with neither offset nor path.
    pub fn new(code: Code, text: impl Into<Cow<'static, str>>) -> Self {
        Error { code, at: None, path: None, text: text.into() }
    }

    /// Returns the error with an offset.
    #[must_use]
    pub fn at(mut self, at: usize) -> Self {
        self.at = Some(at);
        self
    }

    /// Returns the error with a path.
    #[must_use]
    pub fn path(mut self, path: impl Into<String>) -> Self {
        self.path = Some(path.into());
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code.as_str())?;
        if let Some(at) = self.at {
            write!(f, " at {at}")?;
        }
        if let Some(path) = &self.path {
            write!(f, " in {path}")?;
        }
        write!(f, ": {}", self.text)
    }
}

impl core::error::Error for Error {}

/// The error of a hot path: it says that something failed, and nothing else. Code and offset stay in the reader or
/// writer that returned it, so that results are no larger than the values they carry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault;
