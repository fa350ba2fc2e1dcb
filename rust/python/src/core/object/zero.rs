//! Memory of new objects is zeroed.

use std::ptr;

/// Zeroes so many words. They are few: a call of the system's function would cost more than the stores.
#[inline(always)]
pub(super) unsafe fn zero(words: *mut usize, n: usize) {
    // SAFETY: each arm stores W words at 0 and at n - W with W <= n.
    unsafe {
        match n {
            0 => {}
            1 => *words = 0,
            2..4 => {
                words.cast::<[usize; 2]>().write_unaligned([0; 2]);
                words.add(n - 2).cast::<[usize; 2]>().write_unaligned([0; 2]);
            }
            4..=8 => {
                words.cast::<[usize; 4]>().write_unaligned([0; 4]);
                words.add(n - 4).cast::<[usize; 4]>().write_unaligned([0; 4]);
            }
            _ => ptr::write_bytes(words, 0, n),
        }
    }
}
