//! JSON's mixture of types, for peers. A text format holds it as it is; a format that does not say its types holds a tag.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};

/// Any JSON value.
#[derive(Clone, Debug, PartialEq)]
pub struct Loose(Tagged);

#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
enum Tagged {
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(String),
    List(Vec<Loose>),
    Map(Vec<(String, Loose)>),
}

impl Serialize for Loose {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if !serializer.is_human_readable() {
            return self.0.serialize(serializer);
        }
        match &self.0 {
            Tagged::Null => serializer.serialize_unit(),
            Tagged::Bool(value) => serializer.serialize_bool(*value),
            Tagged::Int(value) => serializer.serialize_i64(*value),
            Tagged::Float(value) => serializer.serialize_f64(*value),
            Tagged::Text(value) => serializer.serialize_str(value),
            Tagged::List(items) => serializer.collect_seq(items),
            Tagged::Map(entries) => {
                let mut map = serializer.serialize_map(Some(entries.len()))?;
                for (key, value) in entries {
                    map.serialize_entry(key, value)?;
                }
                map.end()
            }
        }
    }
}

impl<'de> Deserialize<'de> for Loose {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            deserializer.deserialize_any(Untagged).map(Loose)
        } else {
            Tagged::deserialize(deserializer).map(Loose)
        }
    }
}

struct Untagged;

impl<'de> Visitor<'de> for Untagged {
    type Value = Tagged;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON value")
    }

    fn visit_unit<E>(self) -> Result<Tagged, E> {
        Ok(Tagged::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Tagged, E> {
        Ok(Tagged::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Tagged, E> {
        Ok(Tagged::Int(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Tagged, E> {
        // Beyond i64 JSON's own tools fall back to a float too.
        Ok(i64::try_from(value).map_or(Tagged::Float(value as f64), Tagged::Int))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Tagged, E> {
        Ok(Tagged::Float(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Tagged, E> {
        Ok(Tagged::Text(value.into()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Tagged, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Tagged::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Tagged, A::Error> {
        let mut map = Vec::new();
        while let Some(entry) = entries.next_entry()? {
            map.push(entry);
        }
        Ok(Tagged::Map(map))
    }
}
