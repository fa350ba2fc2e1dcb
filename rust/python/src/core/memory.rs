//! Fallible allocation: raises `MemoryError` where Rust would abort the process.
//!
//! Allocations that grow with a message are made here. Small ones are not: if they fail, most of the interpreter fails,
//! too. A failure unwinds silently to the called method (`fault::guarded`): a `Result` would cost a branch for each
//! append.

use std::panic::resume_unwind;

/// The payload of the unwinding.
pub struct NoMemory;

/// Unwinds: there is no memory.
#[cold]
pub fn fail() -> ! {
    resume_unwind(Box::new(NoMemory))
}

/// Reserves room for `more`, and at least doubles the capacity if there is memory for that.
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

/// Appends the result of `make` for each item; on an error appends nothing and returns it.
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

/// Bytes of a cache line.
pub const LINE: usize = 64;

/// Prefetches the cache line of an address, which takes as long as writing a few values.
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
