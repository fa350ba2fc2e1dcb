//! `option<T>`.

use super::list::write_some;
use crate::columns::{assemble, Bits};
use crate::describe::Describe;
use crate::fast_row_reader::FastRowReader;
use crate::fast_row_writer::FastRowWriter;
use crate::input::{unplanned, Input};
use crate::link::Link;
use crate::output::Output;
use crate::pack::{Pack, Slot, Unpack};
use crate::resolve::{Action, ResolutionPlan, StepId};
use crate::wire::Cost;
use alloc::vec::Vec;
use samewire_core::path::Segment;
use samewire_core::Fault;

impl<T: Pack> Pack for Option<T> {
    const LINKS: usize = T::LINKS;
    const FLAGGED: bool = true;
    const COST: Cost = Cost::Flags;
    // A row in an option is charged when it is there, and a flag in one takes a byte.
    const FAST: bool = T::FAST && !T::ROW && !T::FLAGGED;

    fn describe(to: &mut Describe) {
        to.option(T::describe);
    }

    #[inline(always)]
    fn slot_cells(links: &[Link], at: usize) -> u64 {
        if T::ROW {
            1
        } else {
            T::slot_cells(links, at)
        }
    }

    #[inline(always)]
    fn flag(&self) -> bool {
        self.is_some()
    }

    #[inline(always)]
    fn dedup_disabled(out: &Output, at: usize) -> bool {
        T::dedup_disabled(out, at)
    }

    #[inline(always)]
    fn each_text(&self, links: &[Link], at: usize, to: &mut impl FnMut(usize, &str)) {
        if let Some(value) = self {
            value.each_text(links, at, to);
        }
    }

    #[inline(always)]
    fn write_fast(&self, to: &mut FastRowWriter<'_>, at: usize) {
        if let Some(value) = self {
            value.write_fast(to, at);
        }
    }

    #[inline(always)]
    fn write(&self, out: &mut Output, at: usize) -> Result<(), Fault> {
        match self {
            Some(value) => {
                if T::ROW {
                    let cells = T::present_cells(out.links(), at);
                    out.charge(cells)?;
                }
                value.write_present(out, at)
            }
            None => Ok(()),
        }
    }

    fn width(links: &[Link], at: usize) -> usize {
        T::width(links, at).saturating_add(1)
    }

    fn write_column<'v, I>(values: I, out: &mut Output, at: usize) -> Result<(), Fault>
    where
        Self: 'v,
        I: ExactSizeIterator<Item = &'v Self> + Clone,
    {
        let Some(any) = values.clone().find_map(Option::as_ref) else {
            out.column_bits(values.map(|_| false));
            return Ok(());
        };
        // Each place is written, and kept where the value is there: a branch would be guessed wrong again and again.
        let (mut present, mut count) = (out.lend(values.len()), 0);
        present.resize(values.len(), any);
        out.column_bits(values.map(|value| {
            present[count] = value.as_ref().unwrap_or(any);
            count += usize::from(value.is_some());
            value.is_some()
        }));
        present.truncate(count);
        if T::ROW {
            let cells = T::present_cells(out.links(), at);
            out.charge(cells.saturating_mul(count as u64))?;
        }
        write_some(&present, out, at)?;
        out.give_back(present);
        Ok(())
    }
}

/// A column of options: the values that are there, in the places that the bits name.
pub struct Options<'a, C> {
    bits: Bits<'a>,
    /// `None` if there are no values.
    present: Option<C>,
}

impl<C: Iterator> Iterator for Options<'_, C> {
    type Item = Option<C::Item>;

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        Some(if self.bits.next()? { self.present.as_mut()?.next() } else { None })
    }
}

fn ones(bits: &[u8]) -> usize {
    bits.iter().map(|byte| byte.count_ones() as usize).sum()
}

/// Reads a column of options, whose present values `inner` reads.
pub(crate) fn resolve_present<'a, T: Unpack<'a>>(
    input: &mut Input<'a, '_>,
    plan: &ResolutionPlan,
    inner: StepId,
    m: usize,
) -> Result<Vec<Option<T>>, Fault> {
    let start = input.position();
    let bits = input.flags(m)?;
    let count = ones(bits);
    let cells = u64::from(plan.step(inner).present_cells);
    input.charge(start, cells.saturating_mul(count as u64))?;
    let present = if count == 0 { Vec::new() } else { T::resolve_column(input, plan, inner, count)? };
    let mut column = Options { bits: Bits::new(bits), present: Some(present.into_iter()) };
    Ok(assemble(m, || column.next()))
}

impl<'a, T: Unpack<'a>> Unpack<'a> for Option<T> {
    type Column = Options<'a, T::Column>;

    #[inline(always)]
    fn read(input: &mut Input<'a, '_>, at: usize) -> Result<Self, Fault> {
        if T::ROW {
            let cells = T::present_cells(input.links(), at);
            input.charge_here(cells)?;
        }
        Ok(Some(T::read(input, at)?))
    }

    #[inline(always)]
    fn read_flagged(input: &mut Input<'a, '_>, at: usize, flag: bool) -> Result<Self, Fault> {
        if flag {
            Self::read(input, at)
        } else {
            Ok(None)
        }
    }

    #[inline(always)]
    fn read_fast_flagged<const KEEP: bool>(from: &mut FastRowReader<'a, KEEP>, flag: bool) -> Option<Self> {
        if flag {
            T::read_fast(from).map(Some)
        } else {
            Some(None)
        }
    }

    fn resolve(input: &mut Input<'a, '_>, plan: &ResolutionPlan, step: StepId, slot: Slot) -> Result<Self, Fault> {
        match (&plan.step(step).action, slot) {
            (Action::Present(inner), slot) => Ok(Some(T::resolve(input, plan, *inner, slot)?)),
            (Action::Option(_), Slot::Flag(false)) => Ok(None),
            (Action::Option(inner), _) => {
                input.charge_here(plan.step(*inner).present_cells.into())?;
                Ok(Some(T::resolve(input, plan, *inner, Slot::Present)?))
            }
            _ => Err(unplanned(input)),
        }
    }

    fn resolve_row(
        input: &mut Input<'a, '_>,
        plan: &ResolutionPlan,
        step: StepId,
        count: usize,
        segment: fn(usize) -> Segment<'static>,
    ) -> Result<Vec<Self>, Fault> {
        if let Action::Present(inner) = plan.step(step).action {
            // The writer's row may be one of numbers.
            let row = T::resolve_row(input, plan, inner, count, segment)?;
            return Ok(row.into_iter().map(Some).collect());
        }
        input.charge_row::<Self>(count, plan.least_cells(step))?;
        let (mut row, lent) = input.lend::<Self>(count);
        let mut flags = input.row_flags(count)?;
        for i in 0..count {
            match Self::resolve(input, plan, step, Slot::Flag(flags.next())) {
                Ok(value) => row.push(value),
                Err(Fault) => return Err(input.inside(segment(i))),
            }
        }
        input.give_back(lent);
        Ok(row)
    }

    fn read_column(input: &mut Input<'a, '_>, at: usize, m: usize) -> Result<Self::Column, Fault> {
        let start = input.position();
        let bits = input.flags(m)?;
        let count = ones(bits);
        if T::ROW {
            let cells = T::present_cells(input.links(), at);
            input.charge(start, cells.saturating_mul(count as u64))?;
        }
        let present = if count == 0 { None } else { Some(T::read_column(input, at, count)?) };
        Ok(Options { bits: Bits::new(bits), present })
    }

    fn resolve_column(
        input: &mut Input<'a, '_>,
        plan: &ResolutionPlan,
        step: StepId,
        m: usize,
    ) -> Result<Vec<Self>, Fault> {
        match plan.step(step).action {
            Action::Present(inner) => Ok(T::resolve_column(input, plan, inner, m)?.into_iter().map(Some).collect()),
            Action::Option(inner) => resolve_present(input, plan, inner, m),
            _ => Err(unplanned(input)),
        }
    }

    fn missing() -> Option<Self> {
        Some(None)
    }
}
