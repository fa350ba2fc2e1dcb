//! The entries of maps in ascending order of their keys (`spec/pack.md` section 8), so that equal maps are equal bytes.

use crate::output::Output;
use crate::pack::Key;
use alloc::vec::Vec;
use core::cmp::Ordering;
use samewire_core::{Code, Fault};

/// Whether each key is below the next.
pub(super) fn is_ascending<'v, K: Key + 'v>(keys: impl Iterator<Item = &'v K> + Clone) -> bool {
    keys.clone().zip(keys.skip(1)).all(|(key, next)| key.order(next) == Ordering::Less)
}

/// The entries in ascending order of keys, in memory that is [lent](Output::lend).
///
/// # Errors
/// `type_mismatch` if two keys are written alike: no reader would take the map.
pub(super) fn sorted<'v, K: Key, V>(
    entries: impl ExactSizeIterator<Item = (&'v K, &'v V)>,
    out: &mut Output,
) -> Result<Vec<(&'v K, &'v V)>, Fault> {
    let mut sorted = out.lend(entries.len());
    sorted.extend(entries);
    sorted.sort_unstable_by(|a, b| a.0.order(b.0));
    if sorted.windows(2).any(|pair| pair[0].0.order(pair[1].0) == Ordering::Equal) {
        return Err(out.fail(Code::TypeMismatch));
    }
    Ok(sorted)
}
