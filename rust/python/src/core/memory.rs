//! Memory that there may not be: `MemoryError` where Rust alone would end the process.
//!
//! What grows with a message asks for its memory here. What stays small does not: where that fails, little of the interpreter works
//! either. A failure leaves by unwinding, quietly, up to the method that was called (`fault::guarded`): a result would cost each
//! append a branch.

use std::panic::resume_unwind;

/// What is thrown.
pub struct NoMemory;

/// There is none.
#[cold]
pub fn fail() -> ! {
    resume_unwind(Box::new(NoMemory))
}

/// Makes room for `more`, at least doubling if there is memory for that.
#[inline(never)]
pub fn reserve<T>(vector: &mut Vec<T>, more: usize) {
    if vector.try_reserve(more).is_err() && vector.try_reserve_exact(more).is_err() {
        fail();
    }
}

/// Appends an item.
#[inline(always)]
pub fn push<T>(vector: &mut Vec<T>, item: T) {
    if vector.len() == vector.capacity() {
        reserve(vector, 1);
    }
    vector.push(item);
}

/// An empty vector with room for so many.
pub fn room<T>(count: usize) -> Vec<T> {
    let mut vector = Vec::new();
    if vector.try_reserve_exact(count).is_err() {
        fail();
    }
    vector
}
