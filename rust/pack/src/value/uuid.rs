//! `uuid`.

use crate::describe::Describe;
use crate::fast_row_reader::FastRowReader;
use crate::fast_row_writer::FastRowWriter;
use crate::input::Input;
use crate::link::Link;
use crate::output::Output;
use crate::pack::{Key, Pack, Unpack};
use crate::resolve::{ResolutionPlan, StepId};
use crate::schema::Type;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::slice::ChunksExact;
use core::str::FromStr;
use samewire_core::{Code, Error, Fault};

/// 128 bits, in the order of RFC 9562's text form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Uuid(pub [u8; 16]);

impl Pack for Uuid {
    const LINKS: usize = 0;
    const FAST: bool = true;

    #[inline(always)]
    fn write_fast(&self, to: &mut FastRowWriter<'_>, _: usize) {
        to.array(self.0);
    }

    fn describe(to: &mut Describe) {
        to.scalar(Type::Uuid);
    }

    #[inline(always)]
    fn slot_cells(_: &[Link], _: usize) -> u64 {
        2
    }

    #[inline]
    fn write(&self, out: &mut Output, _: usize) -> Result<(), Fault> {
        out.array(self.0);
        Ok(())
    }

    fn write_column<'v, I>(values: I, out: &mut Output, _: usize) -> Result<(), Fault>
    where
        I: ExactSizeIterator<Item = &'v Self> + Clone,
    {
        values.for_each(|uuid| out.array(uuid.0));
        Ok(())
    }
}

impl<'a> Unpack<'a> for Uuid {
    #[inline]
    fn read(input: &mut Input<'a, '_>, _: usize) -> Result<Self, Fault> {
        Ok(Uuid(input.array()?))
    }

    #[inline(always)]
    fn read_fast<const KEEP: bool>(from: &mut FastRowReader<'a, KEEP>) -> Option<Self> {
        from.array().map(Uuid)
    }

    type Column = Uuids<'a>;

    fn read_column(input: &mut Input<'a, '_>, _: usize, m: usize) -> Result<Self::Column, Fault> {
        let bytes = input.take(m.saturating_mul(size_of::<Uuid>()))?;
        Ok(Uuids(bytes.chunks_exact(size_of::<Uuid>())))
    }

    fn resolve_column(input: &mut Input<'a, '_>, _: &ResolutionPlan, _: StepId, m: usize) -> Result<Vec<Self>, Fault> {
        Ok(Self::read_column(input, 0, m)?.collect())
    }
}

/// A column of UUIDs, where it stands in the message.
pub struct Uuids<'a>(ChunksExact<'a, u8>);

impl Iterator for Uuids<'_> {
    type Item = Uuid;

    #[inline(always)]
    fn next(&mut self) -> Option<Uuid> {
        self.0.next().map(|uuid| Uuid(uuid.try_into().expect("16 bytes")))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl Key for Uuid {
    const NATURAL: bool = true;

    fn order(&self, other: &Self) -> Ordering {
        self.cmp(other)
    }

    fn feed<H: Hasher>(&self, state: &mut H) {
        self.hash(state);
    }
}

impl fmt::Display for Uuid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, byte) in self.0.iter().enumerate() {
            if matches!(i, 4 | 6 | 8 | 10) {
                f.write_str("-")?;
            }
            write!(f, "{byte:02x}")?;
        }
        Ok(())
    }
}

impl FromStr for Uuid {
    type Err = Error;

    /// Reads the text form: 32 hexadecimal digits with hyphens after the 8th, 12th, 16th and 20th.
    fn from_str(text: &str) -> Result<Self, Error> {
        let refused = || Error::new(Code::TypeMismatch, "the text form of a UUID is 8-4-4-4-12 hexadecimal digits");
        let hyphens = [8, 13, 18, 23];
        if text.len() != 36 || hyphens.iter().any(|&i| text.as_bytes()[i] != b'-') {
            return Err(refused());
        }
        let mut digits = text.bytes().enumerate().filter(|(i, _)| !hyphens.contains(i)).map(|(_, byte)| byte);
        let mut bytes = [0; 16];
        for byte in &mut bytes {
            for _ in 0..2 {
                let digit = digits.next().and_then(|digit| char::from(digit).to_digit(16)).ok_or_else(refused)?;
                *byte = *byte << 4 | digit as u8;
            }
        }
        Ok(Uuid(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn text_form() {
        let text = "00112233-4455-6677-8899-aabbccddeeff";
        assert_eq!(text.parse::<Uuid>().unwrap().to_string(), text);
        for wrong in [
            "",
            "00112233-4455-6677-8899-aabbccddeef",
            "00112233-4455-6677-8899-aabbccddeefg",
            "0011223344-55-6677-8899-aabbccddeeff",
        ] {
            assert!(wrong.parse::<Uuid>().is_err());
        }
    }
}
