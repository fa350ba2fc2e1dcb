//! Integers of 256 bits, as decimals and big integers hold them.

use super::super::field::DECIMAL_PRECISION;
use alloc::string::{String, ToString};

/// Big-endian two's complement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Big(pub(super) [u8; 32]);

impl Big {
    fn sign(&self) -> u8 {
        if self.0[0] >= 0x80 {
            0xff
        } else {
            0
        }
    }

    /// As short as possible; of zero no bytes.
    pub(super) fn shortest(&self) -> &[u8] {
        let (bytes, sign) = (&self.0, self.sign());
        let idle = (0..bytes.len())
            .take_while(|&i| bytes[i] == sign && bytes.get(i + 1).map_or(sign == 0, |next| next & 0x80 == sign & 0x80))
            .count();
        &bytes[idle..]
    }

    /// The number, if it fits 128 bits.
    pub(super) fn narrow(&self) -> Option<i128> {
        let (high, low) = self.0.split_at(16);
        let low = i128::from_be_bytes(low.try_into().ok()?);
        (high.iter().all(|&byte| byte == self.sign()) && (low < 0) == (self.sign() != 0)).then_some(low)
    }

    /// The number as an error shows it.
    pub(super) fn shown(&self) -> String {
        self.narrow().map_or_else(|| format!("an integer of more than {DECIMAL_PRECISION} digits"), |n| n.to_string())
    }
}

impl From<i128> for Big {
    fn from(value: i128) -> Self {
        let mut bytes = [if value < 0 { 0xff } else { 0 }; 32];
        bytes[16..].copy_from_slice(&value.to_be_bytes());
        Big(bytes)
    }
}

impl Ord for Big {
    fn cmp(&self, other: &Self) -> core::cmp::Ordering {
        // Below zero, two's complement orders as it does above.
        (self.sign() == 0, self.0).cmp(&(other.sign() == 0, other.0))
    }
}

impl PartialOrd for Big {
    fn partial_cmp(&self, other: &Self) -> Option<core::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BigInt;

    #[test]
    fn integers_are_those_of_bigint() {
        let mut values = vec![0, i128::MAX, i128::MIN];
        for shift in 0..126 {
            for near in [-1, 0, 1] {
                values.extend([(1i128 << shift) + near, -(1i128 << shift) + near]);
            }
        }
        for &value in &values {
            let big = Big::from(value);
            assert_eq!(big.shortest(), BigInt::from(value).as_bytes());
            assert_eq!(big.narrow(), Some(value));
            for &other in &values[..40] {
                assert_eq!(big.cmp(&Big::from(other)), value.cmp(&other));
            }
        }
        let mut beyond = [0; 32];
        beyond[16] = 0x80;
        assert_eq!((Big(beyond).narrow(), Big(beyond).shortest().len()), (None, 17));
        assert!(Big(beyond) > Big::from(i128::MAX) && Big([0x80; 32]) < Big::from(i128::MIN));
    }
}
