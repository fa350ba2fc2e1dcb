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
#[inline(always)]
pub fn reserve<T>(vector: &mut Vec<T>, more: usize) {
    if vector.capacity() - vector.len() < more {
        grow(vector, more);
    }
}

#[cold]
#[inline(never)]
fn grow<T>(vector: &mut Vec<T>, more: usize) {
    if vector.try_reserve(more).is_err() && vector.try_reserve_exact(more).is_err() {
        fail();
    }
}

/// Appends what `make` returns of each item, or nothing and its error.
#[inline(always)]
pub fn extend<I: Copy, T: Copy, E>(
    vector: &mut Vec<T>,
    items: &[I],
    mut make: impl FnMut(I) -> Result<T, E>,
) -> Result<(), E> {
    reserve(vector, items.len());
    let start = vector.len();
    for (place, &item) in vector.spare_capacity_mut().iter_mut().zip(items) {
        place.write(make(item)?);
    }
    // SAFETY: there is room for all items, and what each was made into has been written.
    unsafe { vector.set_len(start + items.len()) };
    Ok(())
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

/// Bytes that come near together.
pub const LINE: usize = 64;

/// Asks for the line of an address to be brought near, which takes as long as writing a few values does.
#[inline(always)]
pub fn prefetch<T>(at: *const T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: any address may be asked for.
    unsafe {
        std::arch::x86_64::_mm_prefetch::<{ std::arch::x86_64::_MM_HINT_T0 }>(at.cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = at;
}
