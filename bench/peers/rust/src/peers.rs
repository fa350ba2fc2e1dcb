//! One file a peer, `peers/with_NAME.rs`; its rows are called NAME or NAME-…. `build.rs` finds them.

use crate::arguments::Plan;
use crate::library::Library;

include!(concat!(env!("OUT_DIR"), "/peers.rs"));

/// One file: its rows, and what reports one of them on a shape of the reference data.
pub struct File {
    pub stem: &'static str,
    pub rows: &'static [(&'static str, Library)],
    pub run: fn(&str, &str, Plan),
}

/// The file of a row.
///
/// # Panics
///
/// If there is no such row.
pub fn file_of(row: &str) -> &'static File {
    let found = FILES.iter().find(|file| file.rows.iter().any(|(name, _)| *name == row));
    found.unwrap_or_else(|| panic!("no peer {row}"))
}
