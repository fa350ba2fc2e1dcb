//! `bytes`.

use crate::describe::Describe;
use crate::input::Input;
use crate::link::Link;
use crate::output::Output;
use crate::pack::{Pack, Unpack};
use crate::resolve::{ResolutionPlan, StepId};
use crate::schema::Type;
use alloc::vec::Vec;
use core::ops::Deref;
use samewire_core::Fault;

/// A sequence of bytes of its own. (`Vec<u8>` is a `list<u8>`: the same bytes on the wire, another schema.)
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Bytes(pub Vec<u8>);

/// A sequence of bytes that borrows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BytesRef<'a>(pub &'a [u8]);

macro_rules! bytes {
    ($type:ty) => {
        impl Deref for $type {
            type Target = [u8];

            fn deref(&self) -> &[u8] {
                &self.0
            }
        }

        impl Pack for $type {
            const LINKS: usize = 0;

            fn describe(to: &mut Describe) {
                to.scalar(Type::Bytes);
            }

            #[inline(always)]
            fn slot_cells(_: &[Link], _: usize) -> u64 {
                6
            }

            fn write(&self, out: &mut Output, _: usize) -> Result<(), Fault> {
                out.bytes(self)
            }

            fn write_column<'v, I>(values: I, out: &mut Output, _: usize) -> Result<(), Fault>
            where
                Self: 'v,
                I: ExactSizeIterator<Item = &'v Self> + Clone,
            {
                out.column_lengths(values.clone().map(|bytes| bytes.len()))?;
                values.for_each(|bytes| out.raw(bytes));
                Ok(())
            }
        }
    };
}

bytes!(Bytes);
bytes!(BytesRef<'_>);

/// Reads a column of so many runs of bytes.
fn read_all<'a, T>(input: &mut Input<'a, '_>, m: usize, make: impl Fn(&'a [u8]) -> T) -> Result<Vec<T>, Fault> {
    let mut lengths = Vec::new();
    input.column_lengths(m, &mut lengths)?;
    lengths.into_iter().map(|length| Ok(make(input.take(length as usize)?))).collect()
}

impl<'a> Unpack<'a> for Bytes {
    type Column = alloc::vec::IntoIter<Self>;

    fn read(input: &mut Input<'a, '_>, _: usize) -> Result<Self, Fault> {
        Ok(Bytes(input.bytes()?.to_vec()))
    }

    fn read_column(input: &mut Input<'a, '_>, _: usize, m: usize) -> Result<Self::Column, Fault> {
        Ok(read_all(input, m, |bytes| Bytes(bytes.to_vec()))?.into_iter())
    }

    fn resolve_column(input: &mut Input<'a, '_>, _: &ResolutionPlan, _: StepId, m: usize) -> Result<Vec<Self>, Fault> {
        Ok(Self::read_column(input, 0, m)?.collect())
    }
}

impl<'a> Unpack<'a> for BytesRef<'a> {
    type Column = alloc::vec::IntoIter<Self>;

    fn read(input: &mut Input<'a, '_>, _: usize) -> Result<Self, Fault> {
        Ok(BytesRef(input.bytes()?))
    }

    fn read_column(input: &mut Input<'a, '_>, _: usize, m: usize) -> Result<Self::Column, Fault> {
        Ok(read_all(input, m, BytesRef)?.into_iter())
    }

    fn resolve_column(input: &mut Input<'a, '_>, _: &ResolutionPlan, _: StepId, m: usize) -> Result<Vec<Self>, Fault> {
        Ok(Self::read_column(input, 0, m)?.collect())
    }
}

impl From<Vec<u8>> for Bytes {
    fn from(bytes: Vec<u8>) -> Self {
        Bytes(bytes)
    }
}

impl From<&[u8]> for Bytes {
    fn from(bytes: &[u8]) -> Self {
        Bytes(bytes.to_vec())
    }
}
