//! `map<K, V>`.

use super::distinct::is_repeated;
#[cfg(feature = "std")]
use super::table::hash_bytes;
use super::table::{row_bytes, tree_bytes};
use crate::describe::Describe;
use crate::input::{unplanned, Input};
use crate::output::Output;
use crate::pack::{Key, Pack, Slot, Unpack};
use crate::resolve::{Action, ResolutionPlan, StepId};
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
            return Err(Error::new(Code::TypeMismatch, "a map has every key once"));
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

/// Writes the row of keys, then that of values.
fn write_rows<'v, K: Pack + 'v, V: Pack + 'v>(
    keys: impl ExactSizeIterator<Item = &'v K> + Clone,
    values: impl ExactSizeIterator<Item = &'v V> + Clone,
    out: &mut Output,
    at: usize,
) -> Result<(), Fault> {
    out.count(keys.len())?;
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
    let cells = KEY_CELLS + K::slot_cells(links, at) + V::slot_cells(links, at + K::LINKS);
    let count = input.map_count(K::COST, V::COST, cells)?;
    let least = KEY_CELLS + K::least_cells(links, at) + V::least_cells(links, at + K::LINKS);
    input.charge_memory(input.position(), table(size_of::<(K, V)>(), count), least.saturating_mul(count as u64))?;
    let keys = K::read_row(input, at, count)?;
    if !check(&keys) {
        return Err(input.fail(Code::Malformed, start));
    }
    let values = V::read_row(input, at + K::LINKS, count)?;
    Ok(make(keys, values))
}

/// The same, as another schema wrote them.
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
    let count = input.map_count(keys.writer.cost(), values.writer.cost(), cells)?;
    let least = KEY_CELLS + plan.least_cells(key) + plan.least_cells(value);
    input.charge_memory(input.position(), table(size_of::<(K, V)>(), count), least.saturating_mul(count as u64))?;
    let keys = K::resolve_row(input, plan, key, count, Segment::Key)?;
    if !check(&keys) {
        return Err(input.fail(Code::Malformed, start));
    }
    let values = V::resolve_row(input, plan, value, count, Segment::Value)?;
    Ok(make(keys, values))
}

/// What all three maps share: the schema, and the two rows.
macro_rules! map {
    ([$($bounds:tt)*] $type:ty, [$($ord:tt)*] $keys:expr, $values:expr, $table:expr, $make:expr) => {
        impl<K: Key, V: Pack, $($bounds)*> Pack for $type {
            const LINKS: usize = K::LINKS + V::LINKS;

            fn describe(to: &mut Describe) {
                to.generic("map", &[K::describe, V::describe]);
            }

            fn write(&self, out: &mut Output, at: usize) -> Result<(), Fault> {
                write_rows($keys(self), $values(self), out, at)
            }
        }

        impl<'a, K: Key + Unpack<'a> $($ord)*, V: Unpack<'a>, $($bounds)*> Unpack<'a> for $type {
            fn read(input: &mut Input<'a, '_>, at: usize) -> Result<Self, Fault> {
                read_rows(input, at, |keys: &[K]| !is_repeated(keys.iter()), $table, $make)
            }

            fn resolve(input: &mut Input<'a, '_>, plan: &ResolutionPlan, step: StepId, _: Slot) -> Result<Self, Fault> {
                resolve_rows(input, plan, step, |keys: &[K]| !is_repeated(keys.iter()), $table, $make)
            }
        }
    };
}

map!(
    [] Map<K, V>, [] Map::keys,
    Map::values,
    row_bytes,
    |keys: Vec<K>, values| Map { entries: keys.into_iter().zip::<Vec<V>>(values).collect() }
);
map!(
    [] BTreeMap<K, V>, [+ Ord] BTreeMap::keys,
    BTreeMap::values,
    tree_bytes,
    |keys: Vec<K>, values: Vec<V>| keys.into_iter().zip(values).collect()
);
#[cfg(feature = "std")]
map!(
    [S: core::hash::BuildHasher + Default] std::collections::HashMap<K, V, S>, [+ Eq + core::hash::Hash] std::collections::HashMap::keys,
    std::collections::HashMap::values,
    hash_bytes,
    |keys: Vec<K>, values: Vec<V>| keys.into_iter().zip(values).collect()
);
