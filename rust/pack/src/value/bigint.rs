//! `bigint`.

use super::number::{wide_integer, widened_column, widened_row};
use crate::describe::Describe;
use crate::input::Input;
use crate::link::Link;
use crate::output::Output;
use crate::pack::{read_slots, Key, Pack, Slot, Unpack};
use crate::resolve::{Action, ResolutionPlan, StepId};
use crate::schema::Type;
use crate::wire::BIGINT_MAX;
use alloc::string::String;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::str::FromStr;
use samewire_core::path::Segment;
use samewire_core::{Code, Error, Fault};

/// An integer of at most 4,096 bytes in two's complement.
///
/// ```
/// use samewire_pack::BigInt;
///
/// let large: BigInt = "-340282366920938463463374607431768211456".parse().unwrap();
/// assert_eq!(large.as_bytes().len(), 17);
/// assert_eq!(i128::try_from(&BigInt::from(-5i64)).unwrap(), -5);
/// assert!(large < BigInt::from(-5i64));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct BigInt {
    /// Big-endian two's complement, as short as possible; zero: none.
    bytes: Vec<u8>,
}

impl BigInt {
    /// The integer with these bytes of big-endian two's complement, which may be longer than needed.
    ///
    /// # Errors
    /// `limit_size` over 4,096 bytes (in the shortest form).
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let mut rest = bytes;
        while let [first, tail @ ..] = rest {
            let sign = tail.first().map_or(0, |second| second & 0x80);
            match (*first, sign) {
                (0, 0) => rest = tail,
                (0xff, 0x80) => rest = tail,
                _ => break,
            }
        }
        if rest.len() > BIGINT_MAX {
            return Err(Error::new(Code::LimitSize, "an integer over 4,096 bytes, the most that the format holds"));
        }
        Ok(BigInt { bytes: rest.to_vec() })
    }

    /// Big-endian two's complement, as short as possible; of zero no bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Bytes known to be the shortest form.
    pub(super) fn shortest(bytes: &[u8]) -> Self {
        BigInt { bytes: bytes.to_vec() }
    }

    /// Whether it is below zero.
    pub fn is_negative(&self) -> bool {
        self.bytes.first().is_some_and(|&first| first >= 0x80)
    }

    /// The absolute value, big-endian.
    fn magnitude(&self) -> Vec<u8> {
        let mut bytes = self.bytes.clone();
        if self.is_negative() {
            negate(&mut bytes);
        }
        bytes
    }
}

/// Two's complement of the negated number. (The lowest number of a length becomes an unsigned one.)
fn negate(bytes: &mut [u8]) {
    let mut carry = true;
    for byte in bytes.iter_mut().rev() {
        (*byte, carry) = (!*byte).overflowing_add(u8::from(carry));
    }
}

macro_rules! from_integers {
    ($($type:ident),*) => {$(
        impl From<$type> for BigInt {
            fn from(value: $type) -> Self {
                let bytes = i128::from(value).to_be_bytes();
                let sign = if bytes[0] >= 0x80 { 0xff } else { 0 };
                let mut start = bytes.iter().take_while(|&&byte| byte == sign).count();
                if start > 0 && (start == 16 || bytes[start] & 0x80 != sign & 0x80) && (sign == 0xff || start < 16) {
                    start -= 1;
                }
                BigInt { bytes: bytes[start..].to_vec() }
            }
        }
    )*};
}

from_integers!(i8, i16, i32, i64, i128, u8, u16, u32, u64);

impl From<u128> for BigInt {
    fn from(value: u128) -> Self {
        match i128::try_from(value) {
            Ok(small) => BigInt::from(small),
            // The highest bit is no sign.
            Err(_) => BigInt { bytes: core::iter::once(0).chain(value.to_be_bytes()).collect() },
        }
    }
}

impl TryFrom<&BigInt> for u128 {
    type Error = Error;

    /// # Errors
    /// `type_mismatch` if it does not fit.
    fn try_from(value: &BigInt) -> Result<u128, Error> {
        match value.bytes.as_slice() {
            [0, rest @ ..] if rest.len() == 16 => {
                Ok(rest.iter().fold(0, |number, &byte| number << 8 | u128::from(byte)))
            }
            _ => i128::try_from(value)
                .ok()
                .and_then(|number| u128::try_from(number).ok())
                .ok_or_else(|| Error::new(Code::TypeMismatch, "the integer does not fit 128 bits without a sign")),
        }
    }
}

impl TryFrom<&BigInt> for i128 {
    type Error = Error;

    /// # Errors
    /// `type_mismatch` if it does not fit.
    fn try_from(value: &BigInt) -> Result<i128, Error> {
        if value.bytes.len() > 16 {
            return Err(Error::new(Code::TypeMismatch, "the integer does not fit 128 bits"));
        }
        let sign = if value.is_negative() { -1 } else { 0 };
        Ok(value.bytes.iter().fold(sign, |number, &byte| number << 8 | i128::from(byte)))
    }
}

impl Ord for BigInt {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.is_negative(), other.is_negative()) {
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
            (false, false) => self.bytes.len().cmp(&other.bytes.len()).then_with(|| self.bytes.cmp(&other.bytes)),
            (true, true) => other.bytes.len().cmp(&self.bytes.len()).then_with(|| self.bytes.cmp(&other.bytes)),
        }
    }
}

impl PartialOrd for BigInt {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Nine decimal digits at a time.
const CHUNK: u32 = 1_000_000_000;

impl fmt::Display for BigInt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.magnitude();
        let mut chunks = Vec::new();
        while rest.iter().any(|&byte| byte != 0) {
            let mut remainder = 0u64;
            for byte in &mut rest {
                let value = remainder << 8 | u64::from(*byte);
                *byte = (value / u64::from(CHUNK)) as u8;
                remainder = value % u64::from(CHUNK);
            }
            chunks.push(remainder);
        }
        let mut digits = String::new();
        for (i, chunk) in chunks.iter().rev().enumerate() {
            digits += &if i == 0 { alloc::format!("{chunk}") } else { alloc::format!("{chunk:09}") };
        }
        if digits.is_empty() {
            digits.push('0');
        }
        f.pad_integral(!self.is_negative(), "", &digits)
    }
}

impl FromStr for BigInt {
    type Err = Error;

    /// Reads decimal digits with an optional sign.
    ///
    /// # Errors
    /// `type_mismatch` if it is no integer, `limit_size` if it is too large.
    fn from_str(text: &str) -> Result<Self, Error> {
        let (negative, digits) = match text.strip_prefix('-') {
            Some(digits) => (true, digits),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
            return Err(Error::new(Code::TypeMismatch, "an integer is written in decimal digits"));
        }
        if digits.len() > BIGINT_MAX * 3 {
            return Err(Error::new(Code::LimitSize, "an integer over 4,096 bytes, the most that the format holds"));
        }
        // Little-endian while it grows.
        let mut bytes: Vec<u8> = Vec::new();
        for digit in digits.bytes() {
            let mut carry = u32::from(digit - b'0');
            for byte in &mut bytes {
                carry += u32::from(*byte) * 10;
                *byte = carry as u8;
                carry >>= 8;
            }
            if carry > 0 {
                bytes.push(carry as u8);
            }
        }
        bytes.push(0);
        bytes.reverse();
        if negative {
            negate(&mut bytes);
        }
        BigInt::from_bytes(&bytes)
    }
}

impl Pack for BigInt {
    const LINKS: usize = 0;

    fn describe(to: &mut Describe) {
        to.scalar(Type::BigInt);
    }

    #[inline(always)]
    fn slot_cells(_: &[Link], _: usize) -> u64 {
        2
    }

    fn write(&self, out: &mut Output, _: usize) -> Result<(), Fault> {
        out.bigint(&self.bytes)
    }
}

impl<'a> Unpack<'a> for BigInt {
    type Column = alloc::vec::IntoIter<Self>;

    fn read_column(input: &mut Input<'a, '_>, at: usize, m: usize) -> Result<Self::Column, Fault> {
        Ok(read_slots(input, at, m)?.into_iter())
    }

    fn resolve_column(
        input: &mut Input<'a, '_>,
        plan: &ResolutionPlan,
        step: StepId,
        m: usize,
    ) -> Result<Vec<Self>, Fault> {
        match plan.step(step).action {
            Action::Same => read_slots(input, 0, m),
            _ => widened_column(input, &plan.step(step).writer, m, |n| Some(BigInt::from(n)), |_| None),
        }
    }

    fn read(input: &mut Input<'a, '_>, _: usize) -> Result<Self, Fault> {
        Ok(BigInt { bytes: input.bigint()?.to_vec() })
    }

    fn resolve(input: &mut Input<'a, '_>, plan: &ResolutionPlan, step: StepId, _: Slot) -> Result<Self, Fault> {
        let step = plan.step(step);
        match step.action {
            Action::Same => Self::read(input, 0),
            _ => Ok(BigInt::from(wide_integer(input, &step.writer)?)),
        }
    }

    fn resolve_row(
        input: &mut Input<'a, '_>,
        plan: &ResolutionPlan,
        step: StepId,
        count: usize,
        segment: fn(usize) -> Segment<'static>,
    ) -> Result<Vec<Self>, Fault> {
        if !matches!(plan.step(step).action, Action::Same) {
            return widened_row(input, &plan.step(step).writer, count, |n| Some(BigInt::from(n)), |_| None);
        }
        let mut row = Vec::new();
        for i in 0..count {
            match Self::read(input, 0) {
                Ok(value) => row.push(value),
                Err(Fault) => return Err(input.inside(segment(i))),
            }
        }
        Ok(row)
    }
}

impl Key for BigInt {
    const NATURAL: bool = true;

    fn order(&self, other: &Self) -> Ordering {
        self.cmp(other)
    }

    fn feed<H: Hasher>(&self, state: &mut H) {
        self.hash(state);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn integers_there_and_back_in_the_shortest_form() {
        let mut values = vec![0i128, i128::MAX, i128::MIN];
        for shift in 0..126 {
            for near in [-1, 0, 1] {
                values.extend([(1i128 << shift) + near, -(1i128 << shift) + near]);
            }
        }
        for &value in &values {
            let big = BigInt::from(value);
            assert_eq!(i128::try_from(&big).unwrap(), value);
            assert_eq!(BigInt::from_bytes(big.as_bytes()).unwrap(), big);
            assert_eq!(BigInt::from_bytes(&value.to_be_bytes()).unwrap(), big, "{value}");
            assert_eq!(big.to_string(), value.to_string());
            assert_eq!(value.to_string().parse::<BigInt>().unwrap(), big);
            for &other in &values[..40] {
                assert_eq!(big.cmp(&BigInt::from(other)), value.cmp(&other));
            }
        }
    }

    #[test]
    fn the_largest_and_one_more() {
        let mut bytes = vec![0x7f; 1];
        bytes.resize(BIGINT_MAX, 0xff);
        let large = BigInt::from_bytes(&bytes).unwrap();
        assert_eq!(large.to_string().parse::<BigInt>().unwrap(), large);
        bytes.insert(0, 1);
        assert_eq!(BigInt::from_bytes(&bytes).unwrap_err().code, Code::LimitSize);
        assert_eq!("9".repeat(9900).parse::<BigInt>().unwrap_err().code, Code::LimitSize);
        assert!("".parse::<BigInt>().is_err() && "1x".parse::<BigInt>().is_err());
    }
}
