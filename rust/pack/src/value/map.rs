//! `map<K, V>`.

use super::distinct::is_repeated;
use super::list::write_some;
use super::sorted::{is_ascending, sorted};
#[cfg(feature = "std")]
use super::table::hash_bytes;
use super::table::{charge_tables, row_bytes, tree_bytes};
use crate::columns::{assemble, read_part, within};
use crate::describe::Describe;
use crate::input::{unplanned, Input};
use crate::link::Link;
use crate::output::Output;
use crate::pack::{Key, Pack, Slot, Unpack};
use crate::resolve::{Action, ResolutionPlan, StepId};
use crate::wire::columns::{is_columnar, Count};
use crate::wire::KEY_CELLS;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::ops::Deref;
use samewire_core::path::Segment;
use samewire_core::{Code, Error, Fault};

/// Entries with distinct keys, in order.
///
/// A list of pairs that is known to have no key twice; it reads like a slice.
///
/// ```
/// use samewire_pack::Map;
///
/// let map = Map::try_from(vec![("b", 1), ("a", 2)]).unwrap();
/// assert_eq!(map[0], ("b", 1));
/// assert!(Map::try_from(vec![("b", 1), ("b", 2)]).is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Map<K, V> {
    entries: Vec<(K, V)>,
}

impl<K, V> Map<K, V> {
    /// A map without entries.
    pub const fn new() -> Self {
        Map { entries: Vec::new() }
    }

    /// The keys in order.
    pub fn keys(&self) -> impl ExactSizeIterator<Item = &K> + Clone {
        self.entries.iter().map(|entry| &entry.0)
    }

    /// The values in order.
    pub fn values(&self) -> impl ExactSizeIterator<Item = &V> + Clone {
        self.entries.iter().map(|entry| &entry.1)
    }

    /// The entries in order.
    pub fn into_entries(self) -> Vec<(K, V)> {
        self.entries
    }
}

impl<K, V> Default for Map<K, V> {
    fn default() -> Self {
        Map::new()
    }
}

impl<K: Key, V> TryFrom<Vec<(K, V)>> for Map<K, V> {
    type Error = Error;

    /// # Errors
    /// `type_mismatch` if a key is repeated.
    fn try_from(entries: Vec<(K, V)>) -> Result<Self, Error> {
        if is_repeated(entries.iter().map(|entry| &entry.0)) {
            return Err(Error::new(
                Code::TypeMismatch,
                "expected every key once, got one again: remove it, or use a list of pairs",
            ));
        }
        Ok(Map { entries })
    }
}

impl<K, V> Deref for Map<K, V> {
    type Target = [(K, V)];

    fn deref(&self) -> &[(K, V)] {
        &self.entries
    }
}

impl<K, V> IntoIterator for Map<K, V> {
    type Item = (K, V);
    type IntoIter = alloc::vec::IntoIter<(K, V)>;

    fn into_iter(self) -> Self::IntoIter {
        self.entries.into_iter()
    }
}

/// The cells that an entry takes.
#[inline(always)]
fn entry_cells<K: Pack, V: Pack>(links: &[Link], at: usize) -> u64 {
    KEY_CELLS + K::slot_cells(links, at) + V::slot_cells(links, at + K::LINKS)
}

/// Writes the row of keys, then that of values.
fn write_rows<'v, K: Pack + 'v, V: Pack + 'v>(
    keys: impl ExactSizeIterator<Item = &'v K> + Clone,
    values: impl ExactSizeIterator<Item = &'v V> + Clone,
    out: &mut Output,
    at: usize,
) -> Result<(), Fault> {
    let cells = entry_cells::<K, V>(out.links(), at);
    if V::ROW && out.writes_columns() {
        let links = out.links();
        let width = K::width(links, at).saturating_add(V::width(links, at + K::LINKS));
        if V::is_flat(links, at + K::LINKS) && is_columnar(keys.len(), width) {
            out.columnar_count(keys.len(), cells)?;
            within(K::write_column(keys, out, at), out, Segment::Keys)?;
            return within(V::write_column(values, out, at + K::LINKS), out, Segment::Values);
        }
    }
    out.container(keys.len(), cells)?;
    K::write_row(keys, out, at, Segment::Key)?;
    V::write_row(values, out, at + K::LINKS, Segment::Value)
}

/// Reads the row of keys, which must be distinct by `check`, then that of values.
fn read_rows<'a, K: Unpack<'a>, V: Unpack<'a>, M>(
    input: &mut Input<'a, '_>,
    at: usize,
    check: impl FnOnce(&[K]) -> bool,
    table: fn(usize, usize) -> usize,
    make: impl FnOnce(Vec<K>, Vec<V>) -> M,
) -> Result<M, Fault> {
    let start = input.position();
    let links = input.links();
    let cells = entry_cells::<K, V>(links, at);
    let count = if V::ROW && V::is_flat(links, at + K::LINKS) {
        input.map_count_of(K::COST, V::COST, cells)?
    } else {
        Count::Rows(input.map_count(K::COST, V::COST, cells)?)
    };
    let (Count::Rows(length) | Count::Columns(length)) = count;
    let least = KEY_CELLS + K::least_cells(links, at) + V::least_cells(links, at + K::LINKS);
    input.charge_memory(input.position(), table(size_of::<(K, V)>(), length), least.saturating_mul(length as u64))?;
    let keys = match count {
        Count::Rows(count) => K::read_row(input, at, count)?,
        Count::Columns(count) => read_part(input, at, count)?,
    };
    if !check(&keys) {
        return Err(input.fail(Code::Malformed, start));
    }
    let values = match count {
        Count::Rows(count) => V::read_row(input, at + K::LINKS, count)?,
        Count::Columns(count) => read_part(input, at + K::LINKS, count)?,
    };
    Ok(make(keys, values))
}

/// Reads a map, or a row of maps, that another schema wrote.
fn resolve_rows<'a, K: Unpack<'a>, V: Unpack<'a>, M>(
    input: &mut Input<'a, '_>,
    plan: &ResolutionPlan,
    step: StepId,
    check: impl FnOnce(&[K]) -> bool,
    table: fn(usize, usize) -> usize,
    make: impl FnOnce(Vec<K>, Vec<V>) -> M,
) -> Result<M, Fault> {
    let Action::Map(key, value) = plan.step(step).action else { return Err(unplanned(input)) };
    let start = input.position();
    let (keys, values) = (plan.step(key), plan.step(value));
    let cells = KEY_CELLS + u64::from(keys.slot_cells) + u64::from(values.slot_cells);
    let count = if plan.is_flat(value) {
        input.map_count_of(keys.writer.cost(), values.writer.cost(), cells)?
    } else {
        Count::Rows(input.map_count(keys.writer.cost(), values.writer.cost(), cells)?)
    };
    let (Count::Rows(length) | Count::Columns(length)) = count;
    let least = KEY_CELLS + plan.least_cells(key) + plan.least_cells(value);
    input.charge_memory(input.position(), table(size_of::<(K, V)>(), length), least.saturating_mul(length as u64))?;
    let keys = match count {
        Count::Rows(count) => K::resolve_row(input, plan, key, count, Segment::Key)?,
        Count::Columns(count) => resolve_part(input, plan, key, count, Segment::Keys)?,
    };
    if !check(&keys) {
        return Err(input.fail(Code::Malformed, start));
    }
    let values = match count {
        Count::Rows(count) => V::resolve_row(input, plan, value, count, Segment::Value)?,
        Count::Columns(count) => resolve_part(input, plan, value, count, Segment::Values)?,
    };
    Ok(make(keys, values))
}

/// Reads a column of keys or values as another schema wrote it.
fn resolve_part<'a, T: Unpack<'a>>(
    input: &mut Input<'a, '_>,
    plan: &ResolutionPlan,
    step: StepId,
    m: usize,
    segment: Segment<'static>,
) -> Result<Vec<T>, Fault> {
    if m == 0 {
        return Ok(Vec::new());
    }
    T::resolve_column(input, plan, step, m).map_err(|Fault| input.inside(segment))
}

/// Writes the columns of the maps in a column.
fn write_columns<K: Pack, V: Pack>(keys: &[&K], values: &[&V], out: &mut Output, at: usize) -> Result<(), Fault> {
    within(write_some(keys, out, at), out, Segment::Keys)?;
    within(write_some(values, out, at + K::LINKS), out, Segment::Values)
}

/// Reads the maps of a column: the counts, all keys, all values.
fn read_columns<'a, K: Unpack<'a>, V: Unpack<'a>, M>(
    input: &mut Input<'a, '_>,
    at: usize,
    m: usize,
    check: impl Fn(&[K]) -> bool,
    table: fn(usize, usize) -> usize,
    make: fn(Vec<(K, V)>) -> M,
) -> Result<Vec<M>, Fault> {
    let start = input.position();
    let links = input.links();
    let cells = entry_cells::<K, V>(links, at);
    let least = KEY_CELLS + K::least_cells(links, at) + V::least_cells(links, at + K::LINKS);
    let mut counts = input.column();
    let total = input.column_counts(2, cells, m, &mut counts.values)?;
    charge_tables(input, &counts.values, least, |count| table(size_of::<(K, V)>(), count))?;
    let keys = read_part(input, at, total)?;
    if !all_runs(&keys, &counts.values, check) {
        return Err(input.fail(Code::Malformed, start));
    }
    let mut values = if total == 0 { None } else { Some(V::read_column(input, at + K::LINKS, total)?) };
    Ok(maps(keys, || values.as_mut()?.next(), &counts.values, make))
}

/// Reads a column of maps that another schema wrote.
fn resolve_columns<'a, K: Unpack<'a>, V: Unpack<'a>, M>(
    input: &mut Input<'a, '_>,
    plan: &ResolutionPlan,
    step: StepId,
    m: usize,
    check: impl Fn(&[K]) -> bool,
    table: fn(usize, usize) -> usize,
    make: fn(Vec<(K, V)>) -> M,
) -> Result<Vec<M>, Fault> {
    let Action::Map(key, value) = plan.step(step).action else { return Err(unplanned(input)) };
    let start = input.position();
    let cells = KEY_CELLS + u64::from(plan.step(key).slot_cells) + u64::from(plan.step(value).slot_cells);
    let least = KEY_CELLS + plan.least_cells(key) + plan.least_cells(value);
    let mut counts = Vec::new();
    let total = input.column_counts(2, cells, m, &mut counts)?;
    charge_tables(input, &counts, least, |count| table(size_of::<(K, V)>(), count))?;
    let keys = resolve_part(input, plan, key, total, Segment::Keys)?;
    if !all_runs(&keys, &counts, check) {
        return Err(input.fail(Code::Malformed, start));
    }
    let mut values = resolve_part(input, plan, value, total, Segment::Values)?.into_iter();
    Ok(maps(keys, || values.next(), &counts, make))
}

/// Whether each run of keys keeps the check.
fn all_runs<K>(mut keys: &[K], counts: &[u32], check: impl Fn(&[K]) -> bool) -> bool {
    counts.iter().all(|&count| {
        let (run, rest) = keys.split_at(count as usize);
        keys = rest;
        check(run)
    })
}

/// Makes maps of the flat keys and values of a column: of each its entries at once, in memory of their own.
fn maps<K, V, M>(
    keys: Vec<K>,
    mut value: impl FnMut() -> Option<V>,
    counts: &[u32],
    make: fn(Vec<(K, V)>) -> M,
) -> Vec<M> {
    let mut keys = keys.into_iter();
    let count = |&count: &u32| make(assemble(count as usize, || Some((keys.next()?, value()?))));
    counts.iter().map(count).collect()
}

/// What all three maps share: the schema, and the two rows. A map that is not `$in_order`, which also asks whether all
/// are to be sorted, is written in ascending order of keys.
macro_rules! map {
    (
        [$($bounds:tt)*] $type:ty, [$($ord:tt)*] $keys:expr, $values:expr, $in_order:expr,
        $table:expr, $make:expr, $of:expr
    ) => {
        impl<K: Key, V: Pack, $($bounds)*> Pack for $type {
            const LINKS: usize = K::LINKS + V::LINKS;

            fn describe(to: &mut Describe) {
                to.map(K::describe, V::describe);
            }

            fn write(&self, out: &mut Output, at: usize) -> Result<(), Fault> {
                if $in_order(self, out.sorts_keys()) {
                    return write_rows($keys(self), $values(self), out, at);
                }
                let entries = sorted($keys(self).zip($values(self)), out)?;
                write_rows(entries.iter().map(|entry| entry.0), entries.iter().map(|entry| entry.1), out, at)?;
                out.give_back(entries);
                Ok(())
            }

            fn width(links: &[Link], at: usize) -> usize {
                K::width(links, at).saturating_add(V::width(links, at + K::LINKS)).saturating_add(1)
            }

            fn write_column<'v, I>(maps: I, out: &mut Output, at: usize) -> Result<(), Fault>
            where
                Self: 'v,
                I: ExactSizeIterator<Item = &'v Self> + Clone,
            {
                let cells = entry_cells::<K, V>(out.links(), at);
                let total = out.column_counts(maps.clone().map(|map| map.len()), cells)?;
                let (mut keys, mut values) = (out.lend(total), out.lend(total));
                for map in maps {
                    if $in_order(map, out.sorts_keys()) {
                        keys.extend($keys(map));
                        values.extend($values(map));
                    } else {
                        let entries = sorted($keys(map).zip($values(map)), out)?;
                        keys.extend(entries.iter().map(|entry| entry.0));
                        values.extend(entries.iter().map(|entry| entry.1));
                        out.give_back(entries);
                    }
                }
                write_columns(&keys, &values, out, at)?;
                out.give_back(keys);
                out.give_back(values);
                Ok(())
            }
        }

        impl<'a, K: Key + Unpack<'a> $($ord)*, V: Unpack<'a>, $($bounds)*> Unpack<'a> for $type {
            fn read(input: &mut Input<'a, '_>, at: usize) -> Result<Self, Fault> {
                read_rows(input, at, |keys: &[K]| !is_repeated(keys.iter()), $table, $make)
            }

            fn resolve(input: &mut Input<'a, '_>, plan: &ResolutionPlan, step: StepId, _: Slot) -> Result<Self, Fault> {
                resolve_rows(input, plan, step, |keys: &[K]| !is_repeated(keys.iter()), $table, $make)
            }

            type Column = alloc::vec::IntoIter<Self>;

            fn read_column(input: &mut Input<'a, '_>, at: usize, m: usize) -> Result<Self::Column, Fault> {
                Ok(read_columns(input, at, m, |keys: &[K]| !is_repeated(keys.iter()), $table, $of)?.into_iter())
            }

            fn resolve_column(
                input: &mut Input<'a, '_>,
                plan: &ResolutionPlan,
                step: StepId,
                m: usize,
            ) -> Result<Vec<Self>, Fault> {
                resolve_columns(input, plan, step, m, |keys: &[K]| !is_repeated(keys.iter()), $table, $of)
            }
        }
    };
}

map!(
    [] Map<K, V>, [] Map::keys,
    Map::values,
    |map: &Map<K, V>, sorts: bool| !sorts || is_ascending(map.keys()),
    row_bytes,
    |keys: Vec<K>, values| Map { entries: keys.into_iter().zip::<Vec<V>>(values).collect() },
    |entries| Map { entries }
);
map!(
    [] BTreeMap<K, V>, [+ Ord] BTreeMap::keys,
    BTreeMap::values,
    |map: &BTreeMap<K, V>, _| K::NATURAL || is_ascending(map.keys()),
    tree_bytes,
    |keys: Vec<K>, values: Vec<V>| keys.into_iter().zip(values).collect(),
    |entries| entries.into_iter().collect()
);
#[cfg(feature = "std")]
map!(
    [S: core::hash::BuildHasher + Default] std::collections::HashMap<K, V, S>, [+ Eq + core::hash::Hash] std::collections::HashMap::keys,
    std::collections::HashMap::values,
    |map: &std::collections::HashMap<K, V, S>, _| map.len() < 2,
    hash_bytes,
    |keys: Vec<K>, values: Vec<V>| keys.into_iter().zip(values).collect(),
    |entries| entries.into_iter().collect()
);
