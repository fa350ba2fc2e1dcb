//! Memory for the columns that are gathered or have been read, kept from one to the next.
//!
//! A list of structs is gathered field by field, and what lies in lists within it again; and all columns of a list are read
//! before its first struct is made. Memory that is freed afterwards goes back to the system, from where it comes page by page:
//! that was half of the time of a catalog of lists within lists, and of reading a list of records of numbers and texts.

use alloc::vec::Vec;
use core::cell::RefCell;
use core::mem::ManuallyDrop;

/// As many as the columns of a wide struct need at once.
const MOST: usize = 64;
/// Large messages, one after another, might each leave another vector large.
const MOST_BYTES: usize = 8 << 20;

/// Empty vectors.
#[derive(Default)]
pub(crate) struct Spare {
    /// For elements of two words, as slices.
    pairs: Vec<Vec<[u64; 2]>>,
    /// For elements of 8 bytes.
    words: Vec<Vec<u64>>,
    /// For those of 4 bytes.
    halves: Vec<Vec<u32>>,
    /// The bytes of all.
    bytes: usize,
}

impl Spare {
    pub(crate) const fn new() -> Self {
        Spare { pairs: Vec::new(), words: Vec::new(), halves: Vec::new(), bytes: 0 }
    }

    /// An empty vector with room for `n` elements, which the spare ones may bring.
    #[inline]
    pub(crate) fn take<T: Copy>(&mut self, n: usize) -> Vec<T> {
        let found: Option<Vec<T>> = if alike::<T, [u64; 2]>() {
            self.pairs.pop().and_then(recast)
        } else if alike::<T, u64>() {
            self.words.pop().and_then(recast)
        } else if alike::<T, u32>() {
            self.halves.pop().and_then(recast)
        } else {
            None
        };
        let Some(vector) = found else { return Vec::with_capacity(n) };
        self.bytes -= vector.capacity() * size_of::<T>();
        // One that is too small makes room for a larger one: so the spare ones become as large as they need to be.
        if vector.capacity() < n {
            return Vec::with_capacity(n);
        }
        vector
    }

    /// Keeps the memory of a vector, if all together have no more than [`MOST_BYTES`].
    #[inline]
    pub(crate) fn put<T: Copy>(&mut self, vector: Vec<T>) {
        let bytes = vector.capacity() * size_of::<T>();
        if bytes > MOST_BYTES - self.bytes {
            return;
        }
        let kept = if alike::<T, [u64; 2]>() {
            keep(&mut self.pairs, vector)
        } else if alike::<T, u64>() {
            keep(&mut self.words, vector)
        } else {
            alike::<T, u32>() && keep(&mut self.halves, vector)
        };
        if kept {
            self.bytes += bytes;
        }
    }

    /// Bytes held.
    pub(crate) fn footprint(&self) -> usize {
        self.bytes
    }
}

/// Whether the vector was kept.
fn keep<T: Copy, W: Copy>(kept: &mut Vec<Vec<W>>, vector: Vec<T>) -> bool {
    if vector.capacity() == 0 || kept.len() == MOST {
        return false;
    }
    kept.extend(recast(vector));
    true
}

/// Whether elements of both types take the same memory.
const fn alike<A, B>() -> bool {
    size_of::<A>() == size_of::<B>() && align_of::<A>() == align_of::<B>()
}

/// The memory of a vector for elements of another type, if they take the same.
pub(super) fn recast<A: Copy, B: Copy>(vector: Vec<A>) -> Option<Vec<B>> {
    if !alike::<A, B>() {
        return None;
    }
    let mut vector = ManuallyDrop::new(vector);
    // SAFETY: the allocation is the global allocator's, with the size and the alignment of a vector of as many `B`; it is not
    // freed by `vector` any more. No element is initialised in the new one, and those of `A` need no drop, since they are `Copy`.
    Some(unsafe { Vec::from_raw_parts(vector.as_mut_ptr().cast(), 0, vector.capacity()) })
}

/// The values of a column that has been read, in order. Its memory goes back when it is dropped.
pub struct Lent<'s, T: Copy> {
    pub(crate) values: Vec<T>,
    next: usize,
    home: &'s RefCell<Spare>,
}

impl<'s, T: Copy> Lent<'s, T> {
    /// Nothing yet, in memory that is there: whoever appends makes room, once it is known that the values can have come.
    #[inline]
    pub(crate) fn new(home: &'s RefCell<Spare>) -> Self {
        Lent { values: home.borrow_mut().take(0), next: 0, home }
    }
}

impl<T: Copy> Iterator for Lent<'_, T> {
    type Item = T;

    #[inline(always)]
    fn next(&mut self) -> Option<T> {
        let value = *self.values.get(self.next)?;
        self.next += 1;
        Some(value)
    }
}

impl<T: Copy> Drop for Lent<'_, T> {
    fn drop(&mut self) {
        self.home.borrow_mut().put(core::mem::take(&mut self.values));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_goes_from_column_to_column() {
        let mut spare = Spare::default();
        let mut names: Vec<&u8> = spare.take(100);
        names.push(&7);
        let place = names.as_ptr().cast::<u8>();
        spare.put(names);
        assert_eq!(spare.footprint(), 100 * size_of::<&u8>());
        let numbers: Vec<usize> = spare.take(100);
        assert_eq!((numbers.as_ptr().cast(), numbers.len(), spare.footprint()), (place, 0, 0));
        spare.put(numbers);
        assert_eq!(spare.take::<[u8; 3]>(1).len(), 0, "another size");
        assert_eq!(spare.footprint(), 100 * size_of::<usize>());
    }

    #[test]
    fn what_does_not_fit_is_freed_and_few_are_kept() {
        let mut spare = Spare::default();
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
        let mut spare = Spare::new();
        for _ in 0..4 {
            spare.put::<u64>(Vec::with_capacity(MOST_BYTES / 24));
        }
        assert_eq!(spare.footprint(), MOST_BYTES / 24 * 24, "three of four");
    }

    #[test]
    fn a_column_that_was_read_gives_its_memory_back() {
        let home = RefCell::new(Spare::default());
        let mut column: Lent<'_, f64> = Lent::new(&home);
        column.values.extend([0.5, -1.0]);
        let place = column.values.as_ptr();
        assert_eq!((column.next(), column.next(), column.next()), (Some(0.5), Some(-1.0), None));
        drop(column);
        assert_eq!(Lent::<f64>::new(&home).values.as_ptr(), place);
        assert!(Lent::<f64>::new(&home).next().is_none());
    }
}
