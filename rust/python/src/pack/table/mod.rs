//! Messages as Arrow tables, and back: a producer and a consumer of the PyCapsule interface.

mod capsule;
mod encode;
mod message;
mod rows;
mod source;
mod stream;

pub use encode::{encode_table, RowMessages};
pub use message::{table_of, Table};
pub use rows::RowTables;
