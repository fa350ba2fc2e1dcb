//! The memory of maps and sets of so many entries of a size, together with the rows that they are made of.

use crate::input::Input;
use samewire_core::Fault;

/// Of a row of entries.
pub(super) fn row_bytes(entry: usize, count: usize) -> usize {
    count.saturating_mul(2 * entry)
}

/// Of a B-tree: nodes of eleven places, and inner nodes for one in twelve.
pub(super) fn tree_bytes(entry: usize, count: usize) -> usize {
    let node = entry.saturating_mul(11).saturating_add(16);
    let nodes = count.div_ceil(11);
    nodes.saturating_add(nodes / 11).saturating_mul(node).saturating_add(count.saturating_mul(entry))
}

/// Of a hash table: a power of two places, at most seven in eight of them taken, and a byte for each.
#[cfg(feature = "std")]
pub(super) fn hash_bytes(entry: usize, count: usize) -> usize {
    if count == 0 {
        return 0;
    }
    let places = (count.saturating_mul(8) / 7 + 1).next_power_of_two().max(4);
    places.saturating_mul(entry.saturating_add(1)).saturating_add(count.saturating_mul(entry))
}

/// Compares the memory of the maps or sets of a column with the cells of their entries, each for itself.
///
/// # Errors
/// `limit_items` behind their counts.
pub(super) fn charge_tables(
    input: &mut Input<'_, '_>,
    counts: &[u32],
    cells: u64,
    bytes: impl Fn(usize) -> usize,
) -> Result<(), Fault> {
    let at = input.position();
    counts
        .iter()
        .try_for_each(|&count| input.charge_memory(at, bytes(count as usize), cells.saturating_mul(count.into())))
}
