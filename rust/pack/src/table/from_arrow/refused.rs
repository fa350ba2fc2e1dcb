//! Why an array is refused, and where in it.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use samewire_core::path::{path_text, Segment};
use samewire_core::{Code, Error};

/// A value that cannot be written. While it travels outwards each array makes the index in its child one of its own.
pub(super) struct Refused(Box<Reason>);

struct Reason {
    code: Code,
    text: String,
    /// Which value of the array; `None`: the array as a whole.
    at: Option<usize>,
    /// From the inside to the outside.
    path: Vec<Step>,
}

/// A segment of its own.
enum Step {
    Field(String),
    Index(usize),
    Key(usize),
    Value(usize),
    Elements,
    Keys,
    Values,
}

/// An array that breaks the rules of the interface.
#[cold]
pub(super) fn broken(text: impl Into<Cow<'static, str>>) -> Refused {
    let text = format!("expected an array that keeps to the Arrow C data interface: {}", text.into());
    Refused::new(Code::Malformed, text, None)
}

impl Refused {
    #[cold]
    pub(super) fn new(code: Code, text: impl Into<String>, at: Option<usize>) -> Self {
        Refused(Box::new(Reason { code, text: text.into(), at, path: Vec::new() }))
    }

    /// A value that does not fit its type.
    #[cold]
    pub(super) fn value(text: impl Into<String>, at: usize) -> Self {
        Refused::new(Code::TypeMismatch, text, Some(at))
    }

    /// Adds a step of the path.
    #[cold]
    pub(super) fn inside(mut self, segment: Segment<'_>) -> Self {
        self.0.path.push(match segment {
            Segment::Field(name) => Step::Field(name.to_string()),
            Segment::Index(i) => Step::Index(i),
            Segment::Key(i) => Step::Key(i),
            Segment::Value(i) => Step::Value(i),
            Segment::Elements => Step::Elements,
            Segment::Keys => Step::Keys,
            Segment::Values => Step::Values,
        });
        self
    }

    pub(super) fn at(&self) -> Option<usize> {
        self.0.at
    }

    /// Names the value of an outer array.
    #[cold]
    pub(super) fn moved(mut self, at: Option<usize>) -> Self {
        self.0.at = at;
        self
    }

    /// The error, of a path below `root`.
    pub(super) fn error(self, root: Option<Segment<'_>>) -> Error {
        let Reason { code, text, path, .. } = *self.0;
        let steps = path.iter().rev().map(|step| match step {
            Step::Field(name) => Segment::Field(name),
            Step::Index(i) => Segment::Index(*i),
            Step::Key(i) => Segment::Key(*i),
            Step::Value(i) => Segment::Value(*i),
            Step::Elements => Segment::Elements,
            Step::Keys => Segment::Keys,
            Step::Values => Segment::Values,
        });
        Error::new(code, text).path(path_text(root.into_iter().chain(steps)))
    }
}
