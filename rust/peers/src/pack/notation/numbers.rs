//! Numbers: decimal digits, or the bits of a float.

use super::{text, Notation, Reading, Unfit, Value, Writing};
use samewire_pack::{BigInt, Decimal};

macro_rules! integer {
    ($($name:ident)+) => {$(
        impl Notation for $name {
            fn from_json(value: &Value, _: &mut Reading) -> Result<Self, Unfit> {
                parsed(value, concat!("the digits of an ", stringify!($name)))
            }

            fn to_json(&self, _: &mut Writing) -> Value {
                self.to_string().into()
            }
        }
    )+};
}

integer!(i8 i16 i32 i64 u8 u16 u32 u64);

/// The number that the digits of `value` are. A sign must be a minus.
pub(super) fn parsed<N: std::str::FromStr>(value: &Value, what: &str) -> Result<N, Unfit> {
    let digits = text(value, what)?;
    let number = if digits.starts_with('+') { None } else { digits.parse().ok() };
    number.ok_or_else(|| Unfit::expected(what, value))
}

macro_rules! float {
    ($name:ident, $bits:ident, $digits:literal, $nan:literal) => {
        impl Notation for $name {
            fn from_json(value: &Value, _: &mut Reading) -> Result<Self, Unfit> {
                const WHAT: &str = concat!($digits, " hexadecimal digits");
                let digits = text(value, WHAT)?;
                let bits = if digits.len() == $digits { $bits::from_str_radix(digits, 16).ok() } else { None };
                bits.map($name::from_bits).ok_or_else(|| Unfit::expected(WHAT, value))
            }

            fn to_json(&self, _: &mut Writing) -> Value {
                let digits =
                    if self.is_nan() { $nan.into() } else { format!(concat!("{:0", $digits, "x}"), self.to_bits()) };
                Value::String(digits)
            }
        }
    };
}

float!(f32, u32, 8, "7fc00000");
float!(f64, u64, 16, "7ff8000000000000");

impl Notation for BigInt {
    fn from_json(value: &Value, _: &mut Reading) -> Result<Self, Unfit> {
        parsed(value, "a big integer")
    }

    fn to_json(&self, _: &mut Writing) -> Value {
        self.to_string().into()
    }
}

impl Notation for Decimal {
    fn from_json(value: &Value, _: &mut Reading) -> Result<Self, Unfit> {
        let parts = text(value, "a decimal")?.split_once('/');
        let made = parts.and_then(|(unscaled, scale)| Some((unscaled.parse::<BigInt>().ok()?, scale.parse().ok()?)));
        made.map(|(unscaled, scale)| Decimal::new(unscaled, scale)).ok_or_else(|| Unfit::expected("a decimal", value))
    }

    fn to_json(&self, _: &mut Writing) -> Value {
        format!("{}/{}", self.unscaled, self.scale).into()
    }
}
