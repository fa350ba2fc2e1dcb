//! Numbers of one type read as numbers of another (`spec/pack.md` section 13).

use crate::schema::Type;

/// Whether the numbers of one type are read as those of another.
pub(crate) fn widens(writer: &Type, reader: &Type) -> bool {
    let signed = |ty: &Type| match ty {
        Type::I8 => 8,
        Type::I16 => 16,
        Type::I32 => 32,
        Type::I64 => 64,
        Type::BigInt => u32::MAX,
        _ => 0,
    };
    let unsigned = |ty: &Type| match ty {
        Type::U8 => 8,
        Type::U16 => 16,
        Type::U32 => 32,
        Type::U64 => 64,
        _ => 0,
    };
    let float = matches!(reader, Type::F32 | Type::F64);
    match (signed(writer), unsigned(writer)) {
        (u32::MAX, _) => false,
        (0, 0) => matches!((writer, reader), (Type::F32, Type::F64)),
        (0, bits) => float || signed(reader) > bits || unsigned(reader) > bits,
        (bits, _) => float || signed(reader) > bits,
    }
}

/// The `f64` of exactly this integer, which has at most 64 bits, if there is one.
#[inline]
pub fn exact_f64(number: i128) -> Option<f64> {
    (significant(number) <= f64::MANTISSA_DIGITS).then_some(number as f64)
}

/// The `f32` of exactly this integer, which has at most 64 bits, if there is one.
#[inline]
pub fn exact_f32(number: i128) -> Option<f32> {
    (significant(number) <= f32::MANTISSA_DIGITS).then_some(number as f32)
}

/// The number of bits from the highest to the lowest that is set. No integer of 64 bits is too large for an exponent.
#[inline]
fn significant(number: i128) -> u32 {
    let magnitude = number.unsigned_abs() as u64;
    (u64::BITS - magnitude.leading_zeros()).saturating_sub(magnitude.trailing_zeros())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_float_is_exact_or_none() {
        for (number, double, single) in [
            (0, true, true),
            (-1, true, true),
            (1 << 24, true, true),
            ((1 << 24) + 1, true, false),
            ((1 << 53) - 1, true, false),
            ((1 << 53) + 1, false, false),
            (i64::MIN.into(), true, true),
            (i64::MAX.into(), false, false),
            (u64::MAX.into(), false, false),
            (1 << 63, true, true),
            ((1 << 63) + (1 << 11), true, false),
        ] {
            assert_eq!(exact_f64(number).map(|float| float as i128), double.then_some(number), "{number}");
            assert_eq!(exact_f32(number).map(|float| float as i128), single.then_some(number), "{number}");
        }
    }
}
