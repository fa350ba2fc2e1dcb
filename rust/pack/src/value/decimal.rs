//! `decimal`.

use super::bigint::BigInt;
use crate::describe::Describe;
use crate::input::Input;
use crate::link::Link;
use crate::output::Output;
use crate::pack::{read_slots, Pack, Unpack};
use crate::schema::Type;
use samewire_core::Fault;

/// `unscaled × 10^−scale`. 1.0 and 1.00 are different values.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Decimal {
    /// All digits.
    pub unscaled: BigInt,
    /// How many of them stand after the point; may be negative.
    pub scale: i32,
}

impl Decimal {
    /// The number `unscaled × 10^−scale`.
    pub fn new(unscaled: impl Into<BigInt>, scale: i32) -> Self {
        Decimal { unscaled: unscaled.into(), scale }
    }
}

impl Pack for Decimal {
    const LINKS: usize = 0;

    fn describe(to: &mut Describe) {
        to.scalar(Type::Decimal);
    }

    #[inline(always)]
    fn slot_cells(_: &[Link], _: usize) -> u64 {
        3
    }

    fn write(&self, out: &mut Output, at: usize) -> Result<(), Fault> {
        out.zigzag(self.scale.into());
        self.unscaled.write(out, at)
    }
}

impl<'a> Unpack<'a> for Decimal {
    type Column = alloc::vec::IntoIter<Self>;

    fn read_column(input: &mut Input<'a, '_>, at: usize, m: usize) -> Result<Self::Column, Fault> {
        Ok(read_slots(input, at, m)?.into_iter())
    }

    fn read(input: &mut Input<'a, '_>, at: usize) -> Result<Self, Fault> {
        let scale = input.zigzag32()?;
        Ok(Decimal { unscaled: BigInt::read(input, at)?, scale })
    }
}
