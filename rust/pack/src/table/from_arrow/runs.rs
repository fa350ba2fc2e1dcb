//! Which values of an array are wanted.

use alloc::vec::Vec;

/// So many values of an array, one behind the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) start: usize,
    pub(super) len: usize,
}

impl Run {
    pub(super) fn indices(self) -> core::ops::Range<usize> {
        self.start..self.start + self.len
    }
}

/// Appends a run, to the last one where it goes on there.
#[inline]
pub(super) fn push(runs: &mut Vec<Run>, start: usize, len: usize) {
    match runs.last_mut() {
        _ if len == 0 => {}
        Some(last) if last.start + last.len == start => last.len += len,
        _ => runs.push(Run { start, len }),
    }
}

/// How many values.
pub(super) fn total(runs: &[Run]) -> usize {
    runs.iter().map(|run| run.len).sum()
}

/// The indices of all values.
pub(super) fn indices(runs: &[Run]) -> impl Iterator<Item = usize> + Clone + '_ {
    runs.iter().flat_map(|run| run.indices())
}
