//! `list<T>`.

use crate::columns::{cut, is_list_columnar, read_list, read_lists, resolve_list, within, write_list};
use crate::describe::Describe;
use crate::input::{unplanned, Input};
use crate::link::Link;
use crate::output::Output;
use crate::pack::{Pack, Slot, Unpack};
use crate::resolve::{Action, ResolutionPlan, StepId};
use crate::wire::columns::Count;
use crate::wire::Number;
use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::collections::VecDeque;
use alloc::rc::Rc;
use alloc::sync::Arc;
use alloc::vec::Vec;
use samewire_core::path::Segment;
use samewire_core::Fault;

impl<T: Pack> Pack for [T] {
    const LINKS: usize = T::LINKS;

    fn describe(to: &mut Describe) {
        to.list(T::describe);
    }

    #[inline]
    fn write(&self, out: &mut Output, at: usize) -> Result<(), Fault> {
        if is_list_columnar::<T>(self.len(), out, at) {
            return write_list(self, out, at);
        }
        let cells = T::slot_cells(out.links(), at);
        out.container(self.len(), cells)?;
        T::write_slice(self, out, at)
    }

    fn width(links: &[Link], at: usize) -> usize {
        T::width(links, at).saturating_add(1)
    }

    fn write_column<'v, I>(values: I, out: &mut Output, at: usize) -> Result<(), Fault>
    where
        Self: 'v,
        I: ExactSizeIterator<Item = &'v Self> + Clone,
    {
        write_lists(values, out, at)
    }
}

/// Writes a column of lists: their counts, then all their elements as one column.
pub(super) fn write_lists<'v, T: Pack + 'v, L>(
    lists: impl ExactSizeIterator<Item = L> + Clone,
    out: &mut Output,
    at: usize,
) -> Result<(), Fault>
where
    L: IntoIterator<Item = &'v T, IntoIter: ExactSizeIterator>,
{
    let cells = T::slot_cells(out.links(), at);
    let total = out.column_counts(lists.clone().map(|list| list.into_iter().len()), cells)?;
    let mut flat = out.lend(total);
    lists.for_each(|list| flat.extend(list));
    within(write_some(&flat, out, at), out, Segment::Elements)?;
    out.give_back(flat);
    Ok(())
}

/// Writes the column of values that references lead to.
pub(super) fn write_some<T: Pack>(values: &[&T], out: &mut Output, at: usize) -> Result<(), Fault> {
    if values.is_empty() {
        return Ok(());
    }
    T::write_column(values.iter().copied(), out, at)
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

            fn width(links: &[Link], at: usize) -> usize {
                <[T]>::width(links, at)
            }

            fn write_column<'v, I>(values: I, out: &mut Output, at: usize) -> Result<(), Fault>
            where
                Self: 'v,
                I: ExactSizeIterator<Item = &'v Self> + Clone,
            {
                let mut lists: Vec<&[T]> = out.lend(values.len());
                lists.extend(values.map(|list| &list[..]));
                <[T]>::write_column(lists.iter().copied(), out, at)?;
                out.give_back(lists);
                Ok(())
            }
        }
    };
}

as_slice!([] Vec<T>);
as_slice!([+ Clone] Cow<'_, [T]>);
as_slice!([] Rc<[T]>);
as_slice!([] Arc<[T]>);

impl<'a, T: Unpack<'a>> Unpack<'a> for Vec<T> {
    #[inline]
    fn read(input: &mut Input<'a, '_>, at: usize) -> Result<Self, Fault> {
        let links = input.links();
        let cells = T::slot_cells(links, at);
        if T::ROW && T::is_flat(links, at) {
            return match input.list_count(T::COST, cells)? {
                Count::Rows(count) => T::read_row(input, at, count),
                Count::Columns(count) => read_list(input, at, count),
            };
        }
        let count = input.count(T::COST, cells)?;
        T::read_row(input, at, count)
    }

    type Column = alloc::vec::IntoIter<Self>;

    fn read_column(input: &mut Input<'a, '_>, at: usize, m: usize) -> Result<Self::Column, Fault> {
        let (cells, mut counts) = (T::slot_cells(input.links(), at), input.column());
        let total = input.column_counts(1, cells, m, &mut counts.values)?;
        Ok(read_lists(input, at, &counts.values, total)?.into_iter())
    }

    fn resolve_column(
        input: &mut Input<'a, '_>,
        plan: &ResolutionPlan,
        step: StepId,
        m: usize,
    ) -> Result<Vec<Self>, Fault> {
        let Action::List(item) = plan.step(step).action else { return Err(unplanned(input)) };
        let mut counts = Vec::new();
        let total = input.column_counts(1, plan.step(item).slot_cells.into(), m, &mut counts)?;
        let flat = if total == 0 { Vec::new() } else { resolve_list(input, plan, item, total)? };
        Ok(cut(flat, &counts, |list| list))
    }

    fn resolve(input: &mut Input<'a, '_>, plan: &ResolutionPlan, step: StepId, _: Slot) -> Result<Self, Fault> {
        let Action::List(item) = plan.step(step).action else { return Err(unplanned(input)) };
        let item_step = plan.step(item);
        let (cost, cells) = (item_step.writer.cost(), item_step.slot_cells.into());
        if plan.is_flat(item) {
            return match input.list_count(cost, cells)? {
                Count::Rows(count) => T::resolve_row(input, plan, item, count, Segment::Index),
                Count::Columns(count) => resolve_list(input, plan, item, count),
            };
        }
        let count = input.count(cost, cells)?;
        T::resolve_row(input, plan, item, count, Segment::Index)
    }
}

/// A type that a vector is made into.
macro_rules! of_list {
    ($type:ty) => {
        impl<'a, T: Unpack<'a>> Unpack<'a> for $type {
            #[inline]
            fn read(input: &mut Input<'a, '_>, at: usize) -> Result<Self, Fault> {
                Ok(Vec::read(input, at)?.into())
            }

            fn resolve(
                input: &mut Input<'a, '_>,
                plan: &ResolutionPlan,
                step: StepId,
                slot: Slot,
            ) -> Result<Self, Fault> {
                Ok(Vec::resolve(input, plan, step, slot)?.into())
            }

            type Column = alloc::vec::IntoIter<Self>;

            fn read_column(input: &mut Input<'a, '_>, at: usize, m: usize) -> Result<Self::Column, Fault> {
                Ok(Vec::read_column(input, at, m)?.map(Vec::into).collect::<Vec<_>>().into_iter())
            }

            fn resolve_column(
                input: &mut Input<'a, '_>,
                plan: &ResolutionPlan,
                step: StepId,
                m: usize,
            ) -> Result<Vec<Self>, Fault> {
                Ok(Vec::resolve_column(input, plan, step, m)?.into_iter().map(Vec::into).collect())
            }
        }
    };
}

of_list!(Box<[T]>);
of_list!(Rc<[T]>);
of_list!(Arc<[T]>);
of_list!(VecDeque<T>);

/// Numbers are viewed in place where they are raw and aligned in memory, and this machine is little-endian.
impl<'a, T: Number + Unpack<'a>> Unpack<'a> for Cow<'a, [T]> {
    fn read(input: &mut Input<'a, '_>, _: usize) -> Result<Self, Fault> {
        let count = input.count(T::COST, 1)?;
        input.view(count)
    }

    fn resolve(input: &mut Input<'a, '_>, plan: &ResolutionPlan, step: StepId, slot: Slot) -> Result<Self, Fault> {
        Ok(Cow::Owned(Vec::resolve(input, plan, step, slot)?))
    }

    type Column = alloc::vec::IntoIter<Self>;

    fn read_column(input: &mut Input<'a, '_>, at: usize, m: usize) -> Result<Self::Column, Fault> {
        Ok(Vec::read_column(input, at, m)?.map(Cow::Owned).collect::<Vec<_>>().into_iter())
    }

    fn resolve_column(
        input: &mut Input<'a, '_>,
        plan: &ResolutionPlan,
        step: StepId,
        m: usize,
    ) -> Result<Vec<Self>, Fault> {
        Ok(Vec::resolve_column(input, plan, step, m)?.into_iter().map(Cow::Owned).collect())
    }
}
