//! Columns (`spec/columns.md`): the values of one field of a long list of structs, side by side.
//!
//! A columnar list is read in two steps. The [reader](reader.rs) takes one column after the other from the message and
//! checks it. The [maker](maker.rs) then makes the objects, a block of elements at a time.

mod column;
mod maker;
mod reader;
