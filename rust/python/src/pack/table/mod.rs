//! Messages as Arrow tables, and back: what the PyCapsule interface asks of a producer and of a consumer.

mod capsule;
mod encode;
mod message;
mod rows;
mod source;
mod stream;

pub use encode::{encode_table, RowMessages};
pub use message::{table_of, Table};
pub use rows::RowTables;
