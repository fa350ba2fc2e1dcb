//! Schema text as it is read, before its names are resolved.

use super::types::Type;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

/// A type as it is read, before names are known.
pub(super) enum Raw {
    Scalar(Type),
    Option(Box<Part>),
    List(Box<Part>),
    Set(Box<Part>),
    Ref(Box<Part>),
    Map(Box<Part>, Box<Part>),
    Tuple(Vec<Part>),
    /// Members, and the place of the one with the annotation `@fallback`, and where that stands.
    Union(Vec<Part>, Option<(usize, usize)>),
    /// A definition, or the use of one: the index into the definitions.
    Defined(usize),
    /// The use of a name that is not defined so far.
    Named(String),
}

/// A type and the offset at which it stands.
pub(super) struct Part {
    pub(super) raw: Raw,
    pub(super) at: usize,
}

/// A struct or enum.
pub(super) struct Definition {
    pub(super) name: String,
    pub(super) aliases: Vec<String>,
    pub(super) body: Body,
}

/// A field with its annotations.
pub(super) struct RawField {
    pub(super) name: String,
    pub(super) part: Part,
    pub(super) defaulted: bool,
    pub(super) aliases: Vec<String>,
}

/// The symbols of an enum, in canonical order.
#[derive(Default)]
pub(super) struct Symbols {
    pub(super) names: Vec<String>,
    /// The index of the one with the annotation `@fallback`.
    pub(super) fallback: Option<usize>,
}

pub(super) enum Body {
    Struct(Vec<RawField>),
    Enum(Symbols),
}
