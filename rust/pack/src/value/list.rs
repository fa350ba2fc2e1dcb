//! `list<T>`.

use crate::describe::Describe;
use crate::input::{unplanned, Input};
use crate::output::Output;
use crate::pack::{Pack, Slot, Unpack};
use crate::resolve::{Action, ResolutionPlan, StepId};
use crate::wire::Number;
use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::vec::Vec;
use samewire_core::path::Segment;
use samewire_core::Fault;

impl<T: Pack> Pack for [T] {
    const LINKS: usize = T::LINKS;

    fn describe(to: &mut Describe) {
        to.generic("list", &[T::describe]);
    }

    #[inline]
    fn write(&self, out: &mut Output, at: usize) -> Result<(), Fault> {
        out.count(self.len())?;
        T::write_slice(self, out, at)
    }
}

macro_rules! as_slice {
    ([$($clone:tt)*] $type:ty) => {
        impl<T: Pack $($clone)*> Pack for $type {
            const LINKS: usize = T::LINKS;

            fn describe(to: &mut Describe) {
                <[T]>::describe(to);
            }

            #[inline]
            fn write(&self, out: &mut Output, at: usize) -> Result<(), Fault> {
                <[T]>::write(self, out, at)
            }
        }
    };
}

as_slice!([] Vec<T>);
as_slice!([+ Clone] Cow<'_, [T]>);

impl<'a, T: Unpack<'a>> Unpack<'a> for Vec<T> {
    #[inline]
    fn read(input: &mut Input<'a, '_>, at: usize) -> Result<Self, Fault> {
        let cells = T::slot_cells(input.links(), at);
        let count = input.count(T::COST, cells)?;
        T::read_row(input, at, count)
    }

    fn resolve(input: &mut Input<'a, '_>, plan: &ResolutionPlan, step: StepId, _: Slot) -> Result<Self, Fault> {
        let Action::List(item) = plan.step(step).action else { return Err(unplanned(input)) };
        let item_step = plan.step(item);
        let count = input.count(item_step.writer.cost(), item_step.slot_cells.into())?;
        T::resolve_row(input, plan, item, count, Segment::Index)
    }
}

impl<'a, T: Unpack<'a>> Unpack<'a> for Box<[T]> {
    #[inline]
    fn read(input: &mut Input<'a, '_>, at: usize) -> Result<Self, Fault> {
        Ok(Vec::read(input, at)?.into())
    }

    fn resolve(input: &mut Input<'a, '_>, plan: &ResolutionPlan, step: StepId, slot: Slot) -> Result<Self, Fault> {
        Ok(Vec::resolve(input, plan, step, slot)?.into())
    }
}

/// Numbers are viewed in place where they are raw and aligned in memory, and this machine is little-endian.
impl<'a, T: Number + Unpack<'a>> Unpack<'a> for Cow<'a, [T]> {
    fn read(input: &mut Input<'a, '_>, _: usize) -> Result<Self, Fault> {
        let count = input.count(T::COST, 1)?;
        input.view(count)
    }

    fn resolve(input: &mut Input<'a, '_>, plan: &ResolutionPlan, step: StepId, slot: Slot) -> Result<Self, Fault> {
        Ok(Cow::Owned(Vec::resolve(input, plan, step, slot)?))
    }
}
