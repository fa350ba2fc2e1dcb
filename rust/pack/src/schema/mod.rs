//! Schemas: text, types, digest (`spec/pack.md` sections 2 and 3).
//!
//! ```
//! use samewire_pack::schema::Schema;
//!
//! let schema = Schema::parse("list<struct Node{name:string,kids:list<Node>}>").unwrap();
//! assert_eq!(schema.text(), "list<struct Node { name: string, kids: list<Node> }>");
//! assert!(schema.structs()[0].recursive);
//! assert_eq!(schema.dedup_slots(), 1);
//! ```

mod canonical;
mod cells;
mod cycles;
mod difference;
mod digest;
mod draft;
mod lexer;
mod parse;
mod syntax;
mod types;
mod widths;

pub use difference::Difference;
pub(crate) use difference::{label, named};
pub use digest::fnv1a;
pub(crate) use draft::Draft;
pub use types::{Cells, Enum, Field, Members, Schema, Struct, Type, TypeId, NESTING_MAX, NODES_MAX, TEXT_MAX};
