//! Messages from Arrow columns, without an object for each row (`spec/tables.md` section 3).
//!
//! [`RowSource`] compares the Arrow type of a table with a schema. [`Rows`] gathers the values of its arrays, in the
//! order in which a message has them, and writes them: as one message of a list, or as a message for each row.

mod arrays;
mod big;
mod formats;
mod gather;
mod keys;
mod leaves;
mod refused;
mod rows;
mod runs;
mod source;
mod values;
mod writing;

pub use arrays::{OwnedArray, OwnedSchema};
pub use rows::{RowSource, Rows};
