//! Pointers that the schema does not see: `&T` and `Box<T>`.

use crate::columns::assemble;
use crate::describe::Describe;
use crate::fast_row_writer::FastRowWriter;
use crate::input::Input;
use crate::link::Link;
use crate::output::Output;
use crate::pack::{Key, Pack, Record, Slot, Unpack, UnpackRecord};
use crate::resolve::{ResolutionPlan, StepId};
use crate::wire::Cost;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::hash::Hasher;
use samewire_core::path::Segment;
use samewire_core::Fault;

macro_rules! transparent {
    ($type:ty, $fast:expr) => {
        impl<T: Pack + ?Sized> Pack for $type {
            const LINKS: usize = T::LINKS;
            const FLAGGED: bool = T::FLAGGED;
            const COST: Cost = T::COST;
            const FAST: bool = $fast;
            const ROW: bool = T::ROW;

            const MEMBER: Option<&'static str> = T::MEMBER;
            const ENUM: Option<&'static str> = T::ENUM;

            fn describe(to: &mut Describe) {
                T::describe(to);
            }

            fn describe_member(to: &mut Describe, variant: &'static str, native: &'static str, aliases: &[&str]) {
                T::describe_member(to, variant, native, aliases);
            }

            #[inline]
            fn write_member(&self, out: &mut Output, link: Link) -> Result<(), Fault> {
                (**self).write_member(out, link)
            }

            #[inline(always)]
            fn slot_cells(links: &[Link], at: usize) -> u64 {
                T::slot_cells(links, at)
            }

            #[inline(always)]
            fn least_cells(links: &[Link], at: usize) -> u64 {
                T::least_cells(links, at)
            }

            #[inline(always)]
            fn present_cells(links: &[Link], at: usize) -> u64 {
                T::present_cells(links, at)
            }

            #[inline(always)]
            fn flag(&self) -> bool {
                (**self).flag()
            }

            #[inline(always)]
            fn dedup_disabled(out: &Output, at: usize) -> bool {
                T::dedup_disabled(out, at)
            }

            #[inline(always)]
            fn each_text(&self, links: &[Link], at: usize, to: &mut impl FnMut(usize, &str)) {
                (**self).each_text(links, at, to);
            }

            #[inline(always)]
            fn write_fast(&self, to: &mut FastRowWriter<'_>, at: usize) {
                (**self).write_fast(to, at);
            }

            #[inline(always)]
            fn write(&self, out: &mut Output, at: usize) -> Result<(), Fault> {
                (**self).write(out, at)
            }

            #[inline(always)]
            fn write_present(&self, out: &mut Output, at: usize) -> Result<(), Fault> {
                (**self).write_present(out, at)
            }

            #[inline]
            fn write_row<'v, I>(
                row: I,
                out: &mut Output,
                at: usize,
                segment: fn(usize) -> Segment<'static>,
            ) -> Result<(), Fault>
            where
                Self: 'v,
                I: ExactSizeIterator<Item = &'v Self> + Clone,
            {
                T::write_row(row.map(|value| &**value), out, at, segment)
            }

            fn width(links: &[Link], at: usize) -> usize {
                T::width(links, at)
            }

            fn is_flat(links: &[Link], at: usize) -> bool {
                T::is_flat(links, at)
            }

            fn write_column<'v, I>(values: I, out: &mut Output, at: usize) -> Result<(), Fault>
            where
                Self: 'v,
                I: ExactSizeIterator<Item = &'v Self> + Clone,
            {
                let mut inner: Vec<&T> = out.lend(values.len());
                inner.extend(values.map(|value| &**value));
                T::write_column(inner.iter().copied(), out, at)?;
                out.give_back(inner);
                Ok(())
            }
        }

        impl<T: Record + ?Sized> Record for $type {
            const NAME: &'static str = T::NAME;

            #[inline(always)]
            fn write_record(&self, out: &mut Output, link: Link) -> Result<(), Fault> {
                (**self).write_record(out, link)
            }
        }

        impl<T: Key + ?Sized> Key for $type {
            const NATURAL: bool = T::NATURAL;

            fn order(&self, other: &Self) -> Ordering {
                (**self).order(other)
            }

            fn feed<H: Hasher>(&self, state: &mut H) {
                (**self).feed(state);
            }
        }
    };
}

transparent!(&T, T::FAST);
// A struct may be boxed in itself: its `FAST` would depend on itself.
transparent!(Box<T>, false);

impl<'a, T: Unpack<'a>> Unpack<'a> for Box<T> {
    #[inline]
    fn read(input: &mut Input<'a, '_>, at: usize) -> Result<Self, Fault> {
        input.charge_box::<T>(T::least_cells(input.links(), at))?;
        Ok(Box::new(T::read(input, at)?))
    }

    #[inline]
    fn read_flagged(input: &mut Input<'a, '_>, at: usize, flag: bool) -> Result<Self, Fault> {
        Ok(Box::new(T::read_flagged(input, at, flag)?))
    }

    fn read_row(input: &mut Input<'a, '_>, at: usize, count: usize) -> Result<alloc::vec::Vec<Self>, Fault> {
        // The row and the boxes exist side by side.
        let cells = T::least_cells(input.links(), at).saturating_mul(count as u64);
        input.charge_memory(input.position(), count.saturating_mul(2 * size_of::<T>()), cells)?;
        Ok(T::read_row(input, at, count)?.into_iter().map(Box::new).collect())
    }

    fn resolve(input: &mut Input<'a, '_>, plan: &ResolutionPlan, step: StepId, slot: Slot) -> Result<Self, Fault> {
        input.charge_box::<T>(plan.least_cells(step))?;
        Ok(Box::new(T::resolve(input, plan, step, slot)?))
    }

    fn resolve_row(
        input: &mut Input<'a, '_>,
        plan: &ResolutionPlan,
        step: StepId,
        count: usize,
        segment: fn(usize) -> Segment<'static>,
    ) -> Result<alloc::vec::Vec<Self>, Fault> {
        let cells = plan.least_cells(step).saturating_mul(count as u64);
        input.charge_memory(input.position(), count.saturating_mul(2 * size_of::<T>()), cells)?;
        Ok(T::resolve_row(input, plan, step, count, segment)?.into_iter().map(Box::new).collect())
    }

    type Column = alloc::vec::IntoIter<Self>;

    fn read_column(input: &mut Input<'a, '_>, at: usize, m: usize) -> Result<Self::Column, Fault> {
        let cells = T::least_cells(input.links(), at).saturating_mul(m as u64);
        input.charge_memory(input.position(), m.saturating_mul(2 * size_of::<T>()), cells)?;
        let mut column = T::read_column(input, at, m)?;
        Ok(assemble(m, || column.next().map(Box::new)).into_iter())
    }

    fn resolve_column(
        input: &mut Input<'a, '_>,
        plan: &ResolutionPlan,
        step: StepId,
        m: usize,
    ) -> Result<Vec<Self>, Fault> {
        let cells = plan.least_cells(step).saturating_mul(m as u64);
        input.charge_memory(input.position(), m.saturating_mul(2 * size_of::<T>()), cells)?;
        Ok(T::resolve_column(input, plan, step, m)?.into_iter().map(Box::new).collect())
    }

    #[inline]
    fn read_member(input: &mut Input<'a, '_>, link: Link) -> Result<Self, Fault> {
        Ok(Box::new(T::read_member(input, link)?))
    }

    fn resolve_member(input: &mut Input<'a, '_>, plan: &ResolutionPlan, structure: usize) -> Result<Self, Fault> {
        Ok(Box::new(T::resolve_member(input, plan, structure)?))
    }

    fn missing() -> Option<Self> {
        T::missing().map(Box::new)
    }
}

impl<'a, T: UnpackRecord<'a>> UnpackRecord<'a> for Box<T> {
    type Columns = T::Columns;

    fn read_columns(input: &mut Input<'a, '_>, link: Link, m: usize) -> Result<Self::Columns, Fault> {
        T::read_columns(input, link, m)
    }

    fn next_of(columns: &mut Self::Columns) -> Option<Self> {
        T::next_of(columns).map(Box::new)
    }

    #[inline]
    fn read_record(input: &mut Input<'a, '_>, link: Link) -> Result<Self, Fault> {
        Ok(Box::new(T::read_record(input, link)?))
    }

    fn resolve_record(input: &mut Input<'a, '_>, plan: &ResolutionPlan, structure: usize) -> Result<Self, Fault> {
        Ok(Box::new(T::resolve_record(input, plan, structure)?))
    }
}
