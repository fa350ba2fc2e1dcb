//! The shared structs of a value, while it is read or written.

use std::any::Any;
use std::collections::HashMap;
use std::rc::Rc;

/// The shared structs of a value that is being read, by number. Numbers count the structs in the order in which they end.
#[derive(Default)]
pub struct Reading {
    pub(super) known: Vec<Rc<dyn Any>>,
}

/// The shared structs of a value that is being written: the number of each address.
///
/// Addresses are those of living, distinct values: an `Rc` has room of its own, and the whole value is borrowed.
#[derive(Default)]
pub struct Writing {
    pub(super) numbers: HashMap<usize, u64>,
}
