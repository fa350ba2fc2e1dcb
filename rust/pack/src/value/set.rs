//! `set<K>`.

use super::list::write_some;
use super::sorted::is_ascending;
#[cfg(feature = "std")]
use super::table::hash_bytes;
use super::table::{charge_tables, tree_bytes};
use crate::columns::{read_part, within};
use crate::describe::Describe;
use crate::input::{unplanned, Input};
use crate::link::Link;
use crate::output::Output;
use crate::pack::{Key, Pack, Slot, Unpack};
use crate::resolve::{Action, ResolutionPlan, StepId};
use crate::wire::KEY_CELLS;
use alloc::collections::BTreeSet;
use alloc::vec::Vec;
use core::cmp::Ordering;
use samewire_core::path::Segment;
use samewire_core::{Code, Fault};

/// Writes keys in ascending order.
fn write_keys<'v, K: Key + 'v>(
    keys: impl ExactSizeIterator<Item = &'v K> + Clone,
    out: &mut Output,
    at: usize,
) -> Result<(), Fault> {
    let cells = KEY_CELLS + K::slot_cells(out.links(), at);
    out.container(keys.len(), cells)?;
    if is_ascending(keys.clone()) {
        return K::write_row(keys, out, at, Segment::Index);
    }
    let mut sorted: Vec<&K> = keys.collect();
    sort(&mut sorted, out)?;
    K::write_row(sorted.into_iter(), out, at, Segment::Index)
}

/// Puts keys in ascending order. They must be distinct.
fn sort<K: Key>(keys: &mut [&K], out: &mut Output) -> Result<(), Fault> {
    keys.sort_unstable_by(|a, b| a.order(b));
    if keys.windows(2).any(|pair| pair[0].order(pair[1]) == Ordering::Equal) {
        return Err(out.fail(Code::TypeMismatch));
    }
    Ok(())
}

/// Makes sets of the flat keys of a column, whose counts stand at `start`.
fn sets<K, S: FromIterator<K>>(
    input: &mut Input<'_, '_>,
    start: usize,
    flat: Vec<K>,
    counts: &[u32],
    len: fn(&S) -> usize,
) -> Result<Vec<S>, Fault> {
    let mut flat = flat.into_iter();
    let mut sets = Vec::with_capacity(counts.len());
    for &count in counts {
        let keys: S = flat.by_ref().take(count as usize).collect();
        if len(&keys) < count as usize {
            return Err(input.fail(Code::Malformed, start));
        }
        sets.push(keys);
    }
    Ok(sets)
}

macro_rules! set {
    ([$($bounds:tt)*] $type:ty, $table:path, $($key:tt)*) => {
        impl<K: Key, $($bounds)*> Pack for $type {
            const LINKS: usize = K::LINKS;

            fn describe(to: &mut Describe) {
                to.set(K::describe);
            }

            fn write(&self, out: &mut Output, at: usize) -> Result<(), Fault> {
                write_keys(Keys { keys: self.iter(), left: self.len() }, out, at)
            }

            fn width(links: &[Link], at: usize) -> usize {
                K::width(links, at).saturating_add(1)
            }

            fn write_column<'v, I>(values: I, out: &mut Output, at: usize) -> Result<(), Fault>
            where
                Self: 'v,
                I: ExactSizeIterator<Item = &'v Self> + Clone,
            {
                let cells = KEY_CELLS + K::slot_cells(out.links(), at);
                let total = out.column_counts(values.clone().map(|keys| keys.len()), cells)?;
                let mut flat: Vec<&K> = out.lend(total);
                for keys in values {
                    let start = flat.len();
                    flat.extend(keys);
                    sort(&mut flat[start..], out)?;
                }
                within(write_some(&flat, out, at), out, Segment::Elements)?;
                out.give_back(flat);
                Ok(())
            }
        }

        impl<'a, K: Key + Unpack<'a> + $($key)*, $($bounds)*> Unpack<'a> for $type {
            fn read(input: &mut Input<'a, '_>, at: usize) -> Result<Self, Fault> {
                let start = input.position();
                let cells = KEY_CELLS + K::slot_cells(input.links(), at);
                let count = input.count(K::COST, cells)?;
                input.charge_memory(input.position(), $table(size_of::<K>(), count), cells.saturating_mul(count as u64))?;
                let keys: Self = K::read_row(input, at, count)?.into_iter().collect();
                if keys.len() < count {
                    return Err(input.fail(Code::Malformed, start));
                }
                Ok(keys)
            }

            type Column = alloc::vec::IntoIter<Self>;

            fn read_column(input: &mut Input<'a, '_>, at: usize, m: usize) -> Result<Self::Column, Fault> {
                let start = input.position();
                let cells = KEY_CELLS + K::slot_cells(input.links(), at);
                let mut counts = Vec::new();
                let total = input.column_counts(1, cells, m, &mut counts)?;
                charge_tables(input, &counts, cells, |count| $table(size_of::<K>(), count))?;
                let flat = read_part(input, at, total)?;
                Ok(sets(input, start, flat, &counts, |keys: &Self| keys.len())?.into_iter())
            }

            fn resolve_column(
                input: &mut Input<'a, '_>,
                plan: &ResolutionPlan,
                step: StepId,
                m: usize,
            ) -> Result<Vec<Self>, Fault> {
                let Action::Set(key) = plan.step(step).action else { return Err(unplanned(input)) };
                let start = input.position();
                let cells = KEY_CELLS + u64::from(plan.step(key).slot_cells);
                let mut counts = Vec::new();
                let total = input.column_counts(1, cells, m, &mut counts)?;
                charge_tables(input, &counts, cells, |count| $table(size_of::<K>(), count))?;
                let flat = if total == 0 {
                    Vec::new()
                } else {
                    let flat = K::resolve_column(input, plan, key, total);
                    flat.map_err(|Fault| input.inside(Segment::Elements))?
                };
                sets(input, start, flat, &counts, |keys: &Self| keys.len())
            }

            fn resolve(input: &mut Input<'a, '_>, plan: &ResolutionPlan, step: StepId, _: Slot) -> Result<Self, Fault> {
                let Action::Set(key) = plan.step(step).action else { return Err(unplanned(input)) };
                let start = input.position();
                let writer = plan.step(key);
                let cells = KEY_CELLS + u64::from(writer.slot_cells);
                let count = input.count(writer.writer.cost(), cells)?;
                input.charge_memory(input.position(), $table(size_of::<K>(), count), cells.saturating_mul(count as u64))?;
                let keys: Self = K::resolve_row(input, plan, key, count, Segment::Index)?.into_iter().collect();
                if keys.len() < count {
                    return Err(input.fail(Code::Malformed, start));
                }
                Ok(keys)
            }
        }
    };
}

set!([] BTreeSet<K>, tree_bytes, Ord);
#[cfg(feature = "std")]
set!([S: core::hash::BuildHasher + Default] std::collections::HashSet<K, S>, hash_bytes, Eq + core::hash::Hash);

/// An iterator with its length, which those of sets do not all promise.
#[derive(Clone)]
struct Keys<I> {
    keys: I,
    left: usize,
}

impl<I: Iterator> Iterator for Keys<I> {
    type Item = I::Item;

    fn next(&mut self) -> Option<I::Item> {
        let key = self.keys.next()?;
        self.left = self.left.saturating_sub(1);
        Some(key)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl<I: Iterator> ExactSizeIterator for Keys<I> {}
