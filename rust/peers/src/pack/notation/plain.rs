//! Booleans, text, bytes and UUIDs.

use super::{text, Notation, Reading, Unfit, Value, Writing};
use crate::pack::hex;
use samewire_pack::{Bytes, Uuid};

impl Notation for bool {
    fn from_json(value: &Value, _: &mut Reading) -> Result<Self, Unfit> {
        value.as_bool().ok_or_else(|| Unfit::expected("true or false", value))
    }

    fn to_json(&self, _: &mut Writing) -> Value {
        (*self).into()
    }
}

impl Notation for String {
    fn from_json(value: &Value, _: &mut Reading) -> Result<Self, Unfit> {
        text(value, "a text").map(String::from)
    }

    fn to_json(&self, _: &mut Writing) -> Value {
        self.as_str().into()
    }
}

impl Notation for Bytes {
    fn from_json(value: &Value, _: &mut Reading) -> Result<Self, Unfit> {
        let bytes = hex::bytes(text(value, "hexadecimal digits")?);
        bytes.map(Bytes).ok_or_else(|| Unfit::expected("hexadecimal digits", value))
    }

    fn to_json(&self, _: &mut Writing) -> Value {
        hex::text(&self.0).into()
    }
}

impl Notation for Uuid {
    fn from_json(value: &Value, _: &mut Reading) -> Result<Self, Unfit> {
        text(value, "a UUID")?.parse().map_err(|_| Unfit::expected("a UUID", value))
    }

    fn to_json(&self, _: &mut Writing) -> Value {
        self.to_string().into()
    }
}
