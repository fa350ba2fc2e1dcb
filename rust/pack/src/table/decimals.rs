//! Decimals and big integers in 128 bits.

use super::field::DECIMAL_SCALE;
use alloc::string::String;

/// Above all that 38 digits can say.
const TOO_LARGE: i128 = 10i128.pow(super::field::DECIMAL_PRECISION);

/// The integer of at most 38 digits with this big-endian two's complement.
pub(super) fn integer(bytes: &[u8]) -> Option<i128> {
    let negative = bytes.first().is_some_and(|&first| first >= 0x80);
    if bytes.len() > 16 {
        return None;
    }
    let value = bytes.iter().fold(if negative { -1 } else { 0i128 }, |value, &byte| value << 8 | i128::from(byte));
    (value > -TOO_LARGE && value < TOO_LARGE).then_some(value)
}

/// The decimal with that many digits behind its point, in units of the column's scale.
pub(super) fn decimal(scale: i32, unscaled: &[u8]) -> Result<i128, String> {
    let too_long = || {
        format!("a decimal of more than {} digits before the point", super::field::DECIMAL_PRECISION - DECIMAL_SCALE)
    };
    let value = integer(unscaled).ok_or_else(too_long)?;
    let shift = i64::from(DECIMAL_SCALE) - i64::from(scale);
    let power = |digits: i64| 10i128.checked_pow(u32::try_from(digits).unwrap_or(u32::MAX));
    if value == 0 {
        return Ok(0);
    }
    if shift >= 0 {
        let scaled = power(shift).and_then(|power| value.checked_mul(power));
        return scaled.filter(|value| value.abs() < TOO_LARGE).ok_or_else(too_long);
    }
    match power(-shift) {
        Some(power) if value % power == 0 => Ok(value / power),
        _ => Err(format!("a decimal of more than {DECIMAL_SCALE} digits behind the point")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_take_the_scale_of_the_column() {
        let one = 10i128.pow(18);
        assert_eq!(decimal(2, &[0x7d]), Ok(125 * one / 100));
        assert_eq!(decimal(-3, &[0xff]), Ok(-1000 * one));
        assert_eq!(decimal(19, &[10]), Ok(1));
        assert_eq!(decimal(4000, &[]), Ok(0));
        assert!(decimal(19, &[11]).is_err());
        assert!(decimal(-20, &[1]).is_err());
        assert!(decimal(0, &[1; 17]).is_err());
    }
}
