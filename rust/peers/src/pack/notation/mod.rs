//! Values as JSON, in the notation of `spec/vectors/README.md`.
//!
//! The emitter of the types writes a `notation_struct!`, `notation_enum!` or `notation_union!` after each of them.

mod any;
mod containers;
#[macro_use]
mod definitions;
mod labels;
mod numbers;
mod plain;
mod times;
mod tuples;

pub use definitions::{members, of_member, symbol, Fields};
pub use labels::{Reading, Writing};
pub use serde_json::Value;

/// What does not fit the type: the sentence says where and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfit(pub String);

impl Unfit {
    /// For a value that should be something else.
    pub fn expected(what: &str, value: &Value) -> Self {
        let mut text = value.to_string();
        if text.len() > 200 {
            text = text.chars().take(200).chain("...".chars()).collect();
        }
        Unfit(format!("expected {what}, got {text}"))
    }
}

/// A native type whose values can be written as JSON and read again.
pub trait Notation: Sized + 'static {
    /// Reads a value; `labels` holds the shared structs read so far.
    ///
    /// # Errors
    /// The JSON is not the notation of a value of this type.
    fn from_json(value: &Value, labels: &mut Reading) -> Result<Self, Unfit>;

    /// Writes a value; `labels` holds the shared structs written so far.
    fn to_json(&self, labels: &mut Writing) -> Value;
}

/// The value of a whole message.
///
/// # Errors
/// As [`Notation::from_json`].
pub fn read<T: Notation>(value: &Value) -> Result<T, Unfit> {
    T::from_json(value, &mut Reading::default())
}

/// The notation of a whole message's value.
pub fn write<T: Notation>(value: &T) -> Value {
    value.to_json(&mut Writing::default())
}

fn text<'v>(value: &'v Value, what: &str) -> Result<&'v str, Unfit> {
    value.as_str().ok_or_else(|| Unfit::expected(what, value))
}

fn array<'v>(value: &'v Value, what: &str) -> Result<&'v [Value], Unfit> {
    value.as_array().map(Vec::as_slice).ok_or_else(|| Unfit::expected(what, value))
}
