//! `bytes`.

use crate::describe::Describe;
use crate::input::Input;
use crate::link::Link;
use crate::output::Output;
use crate::pack::{Pack, Unpack};
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
                to.word("bytes");
            }

            #[inline(always)]
            fn slot_cells(_: &[Link], _: usize) -> u64 {
                6
            }

            fn write(&self, out: &mut Output, _: usize) -> Result<(), Fault> {
                out.bytes(self)
            }
        }
    };
}

bytes!(Bytes);
bytes!(BytesRef<'_>);

impl<'a> Unpack<'a> for Bytes {
    fn read(input: &mut Input<'a, '_>, _: usize) -> Result<Self, Fault> {
        Ok(Bytes(input.bytes()?.to_vec()))
    }
}

impl<'a> Unpack<'a> for BytesRef<'a> {
    fn read(input: &mut Input<'a, '_>, _: usize) -> Result<Self, Fault> {
        Ok(BytesRef(input.bytes()?))
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
