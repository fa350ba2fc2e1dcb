//! `any`: an object of one entry that names the kind.

use super::definitions::{members, of_member};
use super::{array, Notation, Reading, Unfit, Value, Writing};
use samewire_pack::{Any, BigInt};

/// The kinds whose entry holds the notation of the variant's own type.
macro_rules! kinds {
    ($($kind:literal $variant:ident),+ $(,)?) => {
        fn read_kind(kind: &str, held: &Value, labels: &mut Reading) -> Result<Option<Any>, Unfit> {
            Ok(Some(match kind {
                $($kind => Any::$variant(Notation::from_json(held, labels)?),)+
                _ => return Ok(None),
            }))
        }

        fn write_kind(value: &Any, labels: &mut Writing) -> Option<(&'static str, Value)> {
            match value {
                $(Any::$variant(held) => Some(($kind, held.to_json(labels))),)+
                _ => None,
            }
        }
    };
}

kinds! {
    "f64" F64, "string" String, "bytes" Bytes, "list" List, "decimal" Decimal, "uuid" Uuid, "date" Date, "time" Time,
    "timestamp" Timestamp, "duration" Duration, "i8s" I8s, "i16s" I16s, "i32s" I32s, "i64s" I64s, "u16s" U16s,
    "u32s" U32s, "u64s" U64s, "f32s" F32s, "f64s" F64s,
}

impl Notation for Any {
    fn from_json(value: &Value, labels: &mut Reading) -> Result<Self, Unfit> {
        match value {
            Value::Null => return Ok(Any::Null),
            Value::Bool(value) => return Ok(Any::Bool(*value)),
            _ => {}
        }
        let (kind, held) = of_member(value)?;
        match kind {
            "int" => i64::from_json(held, labels).map(Any::Int),
            "bigint" => BigInt::from_json(held, labels).map(Any::BigInt),
            "map" => {
                let pairs = array(held, "a map")?.iter().map(|pair| Notation::from_json(pair, labels));
                pairs.collect::<Result<_, _>>().map(Any::Map)
            }
            _ => read_kind(kind, held, labels)?.ok_or_else(|| Unfit::expected("a value of any kind", value)),
        }
    }

    fn to_json(&self, labels: &mut Writing) -> Value {
        let entry = match self {
            Any::Null => return Value::Null,
            Any::Bool(value) => return (*value).into(),
            Any::Int(value) => ("int", value.to_json(labels)),
            Any::BigInt(value) => {
                let small = i128::try_from(value).ok().and_then(|value| i64::try_from(value).ok());
                (if small.is_some() { "int" } else { "bigint" }, value.to_json(labels))
            }
            Any::Map(entries) => {
                let pair = |(key, value): &(Any, Any)| Value::Array(vec![key.to_json(labels), value.to_json(labels)]);
                ("map", Value::Array(entries.iter().map(pair).collect()))
            }
            other => match write_kind(other, labels) {
                Some(entry) => entry,
                None => return Value::Null,
            },
        };
        members([entry])
    }
}
