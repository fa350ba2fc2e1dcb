//! `tuple<…>`.

use crate::columns::{assemble, within};
use crate::describe::Describe;
use crate::input::{unplanned, Input};
use crate::link::Link;
use crate::output::{Flags, Output};
use crate::pack::{Pack, Slot, Unpack};
use crate::resolve::{Action, ResolutionPlan, StepId};
use crate::wire::{MOST_CELLS, OBJECT_CELLS};
use alloc::vec::Vec;
use samewire_core::path::Segment;
use samewire_core::Fault;

/// A column of tuples: the columns of their elements.
pub struct Tuples<C>(C);

macro_rules! tuple {
    ($($type:ident $i:tt),*) => {
        impl<$($type: Pack),*> Pack for ($($type,)*) {
            const LINKS: usize = 0 $(+ $type::LINKS)*;
            const ROW: bool = true;

            fn describe(to: &mut Describe) {
                to.tuple(&[$($type::describe),*]);
            }

            #[inline(always)]
            fn slot_cells(links: &[Link], at: usize) -> u64 {
                let mut next = at;
                let cells = OBJECT_CELLS $(+ {
                    let place = next;
                    next += $type::LINKS;
                    $type::slot_cells(links, place)
                })*;
                let _ = next;
                cells.min(MOST_CELLS)
            }

            #[inline(always)]
            fn present_cells(links: &[Link], at: usize) -> u64 {
                Self::slot_cells(links, at)
            }

            #[inline]
            fn write(&self, out: &mut Output, at: usize) -> Result<(), Fault> {
                let mut flags = Flags::default();
                $(flags.add($type::FLAGGED, self.$i.flag(), out);)*
                flags.end(out);
                let mut next = at;
                $(
                    let place = next;
                    next += $type::LINKS;
                    if self.$i.write(out, place).is_err() {
                        return Err(out.inside(Segment::Index($i)));
                    }
                )*
                let _ = next;
                Ok(())
            }

            fn width(links: &[Link], at: usize) -> usize {
                let mut next = at;
                let width = 0usize $(.saturating_add({
                    let place = next;
                    next += $type::LINKS;
                    $type::width(links, place)
                }))*;
                let _ = next;
                width
            }

            fn is_flat(_: &[Link], _: usize) -> bool {
                true
            }

            fn write_column<'v, I_>(values: I_, out: &mut Output, at: usize) -> Result<(), Fault>
            where
                Self: 'v,
                I_: ExactSizeIterator<Item = &'v Self> + Clone,
            {
                let mut next = at;
                $(
                    let place = next;
                    next += $type::LINKS;
                    within($type::write_column(values.clone().map(|value| &value.$i), out, place), out, Segment::Index($i))?;
                )*
                let _ = next;
                Ok(())
            }
        }

        impl<$($type: Iterator),*> Iterator for Tuples<($($type,)*)> {
            type Item = ($($type::Item,)*);

            #[inline(always)]
            fn next(&mut self) -> Option<Self::Item> {
                Some(($(self.0.$i.next()?,)*))
            }
        }

        impl<'a, $($type: Unpack<'a>),*> Unpack<'a> for ($($type,)*) {
            type Column = Tuples<($($type::Column,)*)>;

            #[inline]
            fn read(input: &mut Input<'a, '_>, at: usize) -> Result<Self, Fault> {
                let mut flags = input.row_flags(0 $(+ usize::from($type::FLAGGED))*)?;
                let mut next = at;
                let read = ($({
                    let place = next;
                    next += $type::LINKS;
                    let flag = if $type::FLAGGED { flags.next() } else { true };
                    $type::read_flagged(input, place, flag)?
                },)*);
                let _ = next;
                Ok(read)
            }

            fn read_column(input: &mut Input<'a, '_>, at: usize, m: usize) -> Result<Self::Column, Fault> {
                let mut next = at;
                let columns = ($({
                    let place = next;
                    next += $type::LINKS;
                    $type::read_column(input, place, m)?
                },)*);
                let _ = next;
                Ok(Tuples(columns))
            }

            fn resolve_column(
                input: &mut Input<'a, '_>,
                plan: &ResolutionPlan,
                step: StepId,
                m: usize,
            ) -> Result<Vec<Self>, Fault> {
                let Action::Tuple(steps) = &plan.step(step).action else { return Err(unplanned(input)) };
                let mut columns = ($(
                    match $type::resolve_column(input, plan, steps[$i], m) {
                        Ok(column) => column.into_iter(),
                        Err(Fault) => return Err(input.inside(Segment::Index($i))),
                    },
                )*);
                Ok(assemble(m, || Some(($(columns.$i.next()?,)*))))
            }

            fn resolve(input: &mut Input<'a, '_>, plan: &ResolutionPlan, step: StepId, _: Slot) -> Result<Self, Fault> {
                let Action::Tuple(steps) = &plan.step(step).action else { return Err(unplanned(input)) };
                let flagged = |i: usize| plan.step(steps[i]).writer.flagged();
                let mut flags = input.row_flags(0 $(+ usize::from(flagged($i)))*)?;
                Ok(($({
                    let slot = if flagged($i) { Slot::Flag(flags.next()) } else { Slot::Present };
                    match $type::resolve(input, plan, steps[$i], slot) {
                        Ok(value) => value,
                        Err(Fault) => return Err(input.inside(Segment::Index($i))),
                    }
                },)*))
            }
        }
    };
}

/// Each prefix of the list is a tuple.
macro_rules! tuples {
    (($($done:tt)*)) => {};
    (($($done:tt)*) $type:ident $i:tt $($rest:tt)*) => {
        tuple!($($done)* $type $i);
        tuples!(($($done)* $type $i,) $($rest)*);
    };
}

tuples!(() A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10 L 11 M 12 N 13 O 14 P 15 Q 16 R 17 S 18 T 19 U 20 V 21 W 22 X 23);
