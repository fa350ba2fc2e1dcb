//! Numbers as RESP writes them: decimal text.

/// An integer of 64 bits: an optional sign, then digits without a leading zero. `None` if it is not one.
#[inline]
pub(crate) fn integer(text: &[u8]) -> Option<i64> {
    let (negative, digits) = match text {
        [b'-', digits @ ..] => (true, digits),
        [b'+', digits @ ..] => (false, digits),
        digits => (false, digits),
    };
    // 19 digits at most: no sum of them overflows 64 bits.
    if digits.is_empty() || digits.len() > 19 || (digits[0] == b'0' && (digits.len() > 1 || negative)) {
        return None;
    }
    let mut value = 0u64;
    for &byte in digits {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        value = value * 10 + u64::from(digit);
    }
    if negative {
        (value <= 1 << 63).then(|| (value as i64).wrapping_neg())
    } else {
        i64::try_from(value).ok()
    }
}

/// A double: `inf`, `-inf`, `nan`, or `[+-] digits [. digits] [e [+-] digits]` with a digit before or after the point.
/// `None` if it is not one, or a finite text beyond the range of a double.
pub(crate) fn double(text: &[u8]) -> Option<f64> {
    let unsigned = text.strip_prefix(b"-").or_else(|| text.strip_prefix(b"+")).unwrap_or(text);
    match unsigned {
        b"inf" => return Some(if text[0] == b'-' { f64::NEG_INFINITY } else { f64::INFINITY }),
        b"nan" => return Some(f64::NAN),
        // Every other word that `f64` would take starts with a letter.
        [b'0'..=b'9' | b'.', ..] => {}
        _ => return None,
    }
    let value: f64 = core::str::from_utf8(text).ok()?.parse().ok()?;
    value.is_finite().then_some(value)
}

/// How many digits a big number has, after an optional sign. `None` if it is not one.
pub(crate) fn big_digits(text: &[u8]) -> Option<usize> {
    let digits = text.strip_prefix(b"-").or_else(|| text.strip_prefix(b"+")).unwrap_or(text);
    (!digits.is_empty() && digits.iter().all(u8::is_ascii_digit)).then_some(digits.len())
}

/// Room for the decimal form of any `u64` or `i64`.
pub(crate) const DIGITS: usize = 20;

/// Writes the decimal form of `value` to the end of `room` and returns it.
#[inline]
pub(crate) fn decimal(mut value: u64, room: &mut [u8; DIGITS]) -> &[u8] {
    let mut at = DIGITS;
    loop {
        at -= 1;
        room[at] = b'0' + (value % 10) as u8;
        value /= 10;
        if value == 0 {
            return &room[at..];
        }
    }
}

/// The decimal form of `value` with its sign.
#[inline]
pub(crate) fn signed(value: i64, room: &mut [u8; DIGITS]) -> &[u8] {
    let start = DIGITS - decimal(value.unsigned_abs(), room).len();
    if value < 0 {
        // 19 digits at most: the sign has a place.
        room[start - 1] = b'-';
        return &room[start - 1..];
    }
    &room[start..]
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn reads_every_integer_that_it_writes() {
        let mut room = [0; DIGITS];
        for value in [0, 1, -1, 9, 10, -10, i64::MAX, i64::MIN, i64::MIN + 1, 1_000_000_007] {
            assert_eq!(signed(value, &mut room), value.to_string().as_bytes());
            assert_eq!(integer(value.to_string().as_bytes()), Some(value));
        }
    }

    #[test]
    fn refuses_what_is_not_an_integer() {
        for text in
            ["", "-", "+", "-0", "00", "01", "1 ", " 1", "1_0", "9223372036854775808", "-9223372036854775809", "0x1"]
        {
            assert_eq!(integer(text.as_bytes()), None, "{text}");
        }
        assert_eq!(integer(b"+5"), Some(5));
    }

    #[test]
    fn reads_doubles_of_the_grammar_only() {
        for (text, value) in [("1", 1.0), ("-.5", -0.5), ("1.", 1.0), ("+1e3", 1000.0), ("-inf", f64::NEG_INFINITY)] {
            assert_eq!(double(text.as_bytes()), Some(value), "{text}");
        }
        assert!(double(b"nan").unwrap().is_nan());
        for text in ["", ".", "infinity", "NaN", "1e999", "0x1p3", "1e", "--1", "1 ", "e5", "-"] {
            assert_eq!(double(text.as_bytes()), None, "{text}");
        }
    }
}
