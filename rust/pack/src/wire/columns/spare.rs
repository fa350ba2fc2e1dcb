//! Memory for the columns that a writer gathers, kept from one to the next.
//!
//! A list of structs is gathered field by field, and what lies in lists within it again. Memory that is freed after each column
//! goes back to the system, from where it comes page by page: that was half of the time of a catalog of lists within lists.

use alloc::vec::Vec;
use core::mem::ManuallyDrop;

/// As many as columns within columns commonly need at once.
const MOST: usize = 16;

/// Empty vectors.
#[derive(Default)]
pub(in crate::wire) struct Spare {
    /// For elements that are aligned as words of 8 bytes are, as references.
    words: Vec<Vec<u64>>,
    /// For those aligned as words of 4 bytes.
    halves: Vec<Vec<u32>>,
}

impl Spare {
    /// An empty vector with room for `n` elements, which the spare ones may bring.
    #[inline]
    pub(in crate::wire) fn take<T: Copy>(&mut self, n: usize) -> Vec<T> {
        let found = if align_of::<T>() == align_of::<u64>() {
            self.words.pop().and_then(recast)
        } else if align_of::<T>() == align_of::<u32>() {
            self.halves.pop().and_then(recast)
        } else {
            None
        };
        // One that is too small makes room for a larger one: so the spare ones become as large as they need to be.
        found.filter(|vector: &Vec<T>| vector.capacity() >= n).unwrap_or_else(|| Vec::with_capacity(n))
    }

    /// Keeps the memory of a vector.
    #[inline]
    pub(in crate::wire) fn put<T: Copy>(&mut self, vector: Vec<T>) {
        if align_of::<T>() == align_of::<u64>() {
            keep(&mut self.words, vector);
        } else if align_of::<T>() == align_of::<u32>() {
            keep(&mut self.halves, vector);
        }
    }

    /// Bytes held.
    pub(in crate::wire) fn footprint(&self) -> usize {
        let words: usize = self.words.iter().map(|vector| size_of::<u64>() * vector.capacity()).sum();
        let halves: usize = self.halves.iter().map(|vector| size_of::<u32>() * vector.capacity()).sum();
        words + halves
    }
}

fn keep<T: Copy, W: Copy>(kept: &mut Vec<Vec<W>>, vector: Vec<T>) {
    if vector.capacity() > 0 && kept.len() < MOST {
        kept.extend(recast(vector));
    }
}

/// The memory of a vector for elements of another type with the same alignment, if it takes a whole number of them.
fn recast<A: Copy, B: Copy>(vector: Vec<A>) -> Option<Vec<B>> {
    let bytes = vector.capacity() * size_of::<A>();
    if size_of::<B>() == 0 || bytes % size_of::<B>() != 0 || align_of::<A>() != align_of::<B>() {
        return None;
    }
    let mut vector = ManuallyDrop::new(vector);
    // SAFETY: the allocation is the global allocator's, of so many bytes and with that alignment, which are those of a vector of
    // `bytes / size_of::<B>()` elements; it is not freed by `vector` any more. No element is initialised in the new one, and
    // those of `A` need no drop, since they are `Copy`.
    Some(unsafe { Vec::from_raw_parts(vector.as_mut_ptr().cast(), 0, bytes / size_of::<B>()) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_goes_from_column_to_column() {
        let mut spare = Spare::default();
        let texts: Vec<&str> = spare.take(100);
        let place = texts.as_ptr().cast::<u8>();
        spare.put(texts);
        assert_eq!(spare.footprint(), 100 * size_of::<&str>());
        let mut numbers: Vec<i64> = spare.take(200);
        numbers.push(-1);
        assert_eq!((numbers.as_ptr().cast(), numbers.capacity(), spare.footprint()), (place, 200, 0));
        spare.put(numbers);
        assert!(spare.take::<i32>(1).is_empty(), "another alignment");
        assert_eq!(spare.footprint(), 1600);
        assert_eq!(spare.take::<f64>(10).len(), 0);
    }

    #[test]
    fn memory_that_does_not_fit_is_freed() {
        let mut spare = Spare::default();
        spare.put::<u64>(Vec::with_capacity(3));
        assert_eq!(spare.take::<&str>(1).capacity(), 1, "24 bytes are no whole number of texts");
        spare.put::<u32>(Vec::with_capacity(3));
        assert!(spare.take::<f32>(4).capacity() >= 4);
        assert_eq!(spare.footprint(), 0);
        spare.put::<u8>(Vec::with_capacity(3));
        spare.put::<u64>(Vec::new());
        assert_eq!(spare.footprint(), 0);
        for _ in 0..2 * MOST {
            spare.put::<u64>(Vec::with_capacity(1));
        }
        assert_eq!(spare.footprint(), MOST * size_of::<u64>());
    }
}
