//! The kind of a written argument as one integer, by which calls find their site. [`Codes::text`] returns the
//! protocol's text of it.

use super::gil::Guarded;
use pyo3::prelude::*;
use std::collections::HashMap;

/// A kind of argument: a tag, and above it a class number or the index of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Code(u64);

macro_rules! plain {
    ($($name:ident = $tag:literal $text:literal),* $(,)?) => {
        impl Code {
            $(pub const $name: Code = Code($tag);)*
        }

        /// The kinds without a number, in the order of their tags.
        const PLAIN: &[&str] = &[$($text),*];
        $(const _: () = assert!($tag < PLAIN.len());)*
    };
}

plain! {
    NULL = 0 "null", BOOL = 1 "bool", I32 = 2 "i32", I64 = 3 "i64", F64 = 4 "f64", STRING = 5 "string",
    BYTES = 6 "bytes", LIST_BOOL = 7 "list<bool>", LIST_I32 = 8 "list<i32>", LIST_I64 = 9 "list<i64>",
    LIST_F64 = 10 "list<f64>", LIST_STRING = 11 "list<string>", ARRAY_BOOL = 12 "array<bool>",
    ARRAY_I8 = 13 "array<i8>", ARRAY_I16 = 14 "array<i16>", ARRAY_I32 = 15 "array<i32>",
    ARRAY_I64 = 16 "array<i64>", ARRAY_F32 = 17 "array<f32>", ARRAY_F64 = 18 "array<f64>", LIST = 19 "list",
    SET = 20 "set", TUPLE = 21 "tuple", MAP = 22 "map", RESULT = 23 "result", OBJECT = 24 "object",
}

const OBJECT_OF: u64 = 0xfe;
const NAMED: u64 = 0xff;

impl Code {
    /// An object of the gateway's, of this class.
    #[inline]
    pub const fn object_of(class: u32) -> Code {
        Code(OBJECT_OF | (class as u64) << 8)
    }

    /// The class of an [`object_of`](Code::object_of).
    pub fn class(self) -> Option<u32> {
        (self.0 & 0xff == OBJECT_OF).then_some((self.0 >> 8) as u32)
    }
}

/// The texts of kinds with parameters: interfaces of peers, schemas.
pub struct Codes {
    texts: Guarded<(Vec<String>, HashMap<String, u64>)>,
}

impl Codes {
    pub fn new() -> Self {
        Codes { texts: Guarded::new((Vec::new(), HashMap::new())) }
    }

    /// The code of a kind by its text.
    pub fn named(&self, py: Python<'_>, text: &str) -> Code {
        let (texts, indices) = &mut *self.texts.borrow_mut(py);
        if let Some(index) = indices.get(text) {
            return Code(NAMED | index << 8);
        }
        let index = texts.len() as u64;
        texts.push(text.to_owned());
        indices.insert(text.to_owned(), index);
        Code(NAMED | index << 8)
    }

    /// The kind's text.
    pub fn text(&self, py: Python<'_>, code: Code) -> String {
        match code.0 & 0xff {
            OBJECT_OF => format!("object {}", code.0 >> 8),
            NAMED => self.texts.borrow(py).0.get((code.0 >> 8) as usize).cloned().unwrap_or_default(),
            tag => PLAIN.get(tag as usize).copied().unwrap_or_default().to_owned(),
        }
    }
}
