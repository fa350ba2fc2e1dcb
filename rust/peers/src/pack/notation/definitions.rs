//! Structs, enums and unions: what their macros call.

use super::{Notation, Reading, Unfit, Value};
use serde_json::Map;

/// The fields of a struct's JSON object: all of them and no others.
pub struct Fields<'v>(&'v Map<String, Value>);

impl<'v> Fields<'v> {
    /// The object `value`, with as many fields as the struct has.
    ///
    /// # Errors
    /// If the value is not an object of this size.
    pub fn of(value: &'v Value, count: usize) -> Result<Self, Unfit> {
        match value.as_object() {
            Some(object) if object.len() == count => Ok(Fields(object)),
            _ => Err(Unfit::expected(&format!("a struct of {count} fields"), value)),
        }
    }

    /// Reads one.
    ///
    /// # Errors
    /// It is missing, or does not fit.
    pub fn read<T: Notation>(&self, name: &str, labels: &mut Reading) -> Result<T, Unfit> {
        let value = self.0.get(name).ok_or_else(|| Unfit(format!("the field {name:?} is missing")))?;
        T::from_json(value, labels)
    }
}

/// The symbol of an enum.
///
/// # Errors
/// It is none of these.
pub fn symbol<T: Copy>(value: &Value, symbols: &[(&str, T)]) -> Result<T, Unfit> {
    let found = symbols.iter().find(|(name, _)| value.as_str() == Some(name));
    found.map(|(_, symbol)| *symbol).ok_or_else(|| Unfit::expected("a symbol of the enum", value))
}

/// The name of a union's member and its struct.
///
/// # Errors
/// If the value is not an object with one entry.
pub fn of_member(value: &Value) -> Result<(&str, &Value), Unfit> {
    let entry = value.as_object().filter(|object| object.len() == 1).and_then(|object| object.iter().next());
    entry.map(|(name, held)| (name.as_str(), held)).ok_or_else(|| Unfit::expected("a member of a union", value))
}

/// The object of one or more entries.
pub fn members<const N: usize>(entries: [(&str, Value); N]) -> Value {
    Value::Object(entries.into_iter().map(|(name, value)| (name.into(), value)).collect())
}

/// The notation of a struct: `notation_struct!(Native { field = "name in the schema", … });`.
#[macro_export]
macro_rules! notation_struct {
    ($native:ident { $($field:ident = $name:literal),* }) => {
        impl $crate::pack::notation::Notation for $native {
            fn from_json(
                value: &$crate::pack::notation::Value,
                labels: &mut $crate::pack::notation::Reading,
            ) -> Result<Self, $crate::pack::notation::Unfit> {
                const NAMES: &[&str] = &[$($name),*];
                let fields = $crate::pack::notation::Fields::of(value, NAMES.len())?;
                let _ = (&fields, &labels);
                Ok($native { $($field: fields.read($name, labels)?),* })
            }

            fn to_json(&self, labels: &mut $crate::pack::notation::Writing) -> $crate::pack::notation::Value {
                let _ = &labels;
                $crate::pack::notation::members([$(($name, $crate::pack::notation::Notation::to_json(&self.$field, labels))),*])
            }
        }
    };
}

/// The notation of an enum: `notation_enum!(Native { Variant = "symbol in the schema", … });`.
macro_rules! notation_enum {
    ($native:ident { $($variant:ident = $name:literal),+ }) => {
        impl $crate::pack::notation::Notation for $native {
            fn from_json(
                value: &$crate::pack::notation::Value,
                _: &mut $crate::pack::notation::Reading,
            ) -> Result<Self, $crate::pack::notation::Unfit> {
                $crate::pack::notation::symbol(value, &[$(($name, $native::$variant)),+])
            }

            fn to_json(&self, _: &mut $crate::pack::notation::Writing) -> $crate::pack::notation::Value {
                match self {
                    $($native::$variant => $name.into(),)+
                }
            }
        }
    };
}

/// The notation of a union: `notation_union!(Native { Variant = "member in the schema", … });`.
macro_rules! notation_union {
    ($native:ident { $($variant:ident = $name:literal),+ }) => {
        impl $crate::pack::notation::Notation for $native {
            fn from_json(
                value: &$crate::pack::notation::Value,
                labels: &mut $crate::pack::notation::Reading,
            ) -> Result<Self, $crate::pack::notation::Unfit> {
                match $crate::pack::notation::of_member(value)? {
                    $(($name, held) => Ok($native::$variant($crate::pack::notation::Notation::from_json(held, labels)?)),)+
                    _ => Err($crate::pack::notation::Unfit::expected("a member of the union", value)),
                }
            }

            fn to_json(&self, labels: &mut $crate::pack::notation::Writing) -> $crate::pack::notation::Value {
                match self {
                    $($native::$variant(held) => {
                        $crate::pack::notation::members([($name, $crate::pack::notation::Notation::to_json(held, labels))])
                    })+
                }
            }
        }
    };
}
