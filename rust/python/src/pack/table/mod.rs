//! Messages as Arrow tables: what the PyCapsule interface asks of a producer.

mod capsule;
mod message;
mod rows;
mod stream;

pub use message::{table_of, Table};
pub use rows::RowTables;
