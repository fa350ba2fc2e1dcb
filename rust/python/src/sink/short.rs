//! Short texts copied without looking at their length.
//!
//! Texts of random lengths defeat the branch predictor: whatever depends on whether a text has 7 bytes or 8 costs more than
//! copying it. So 32 bytes are copied always, and what came from behind the text is overwritten by the next one.

use super::buffer::few_at;

/// The longest text that is copied so.
#[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
const MOST: usize = 32;

/// Copies at most 95 bytes to `to`, and answers where they end.
///
/// # Safety
/// `n` bytes must be readable at `from`, and 95 writable at `to`, without overlap.
#[inline(always)]
pub unsafe fn short_at(to: *mut u8, from: *const u8, n: usize) -> *mut u8 {
    #[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
    if n <= MOST && from as usize % PAGE <= PAGE - MOST {
        // SAFETY: the first of the 32 bytes is readable, a zero follows a text of none, and all are in its page.
        unsafe { copy(to, from) };
        // SAFETY: the caller's.
        return unsafe { to.add(n) };
    }
    // SAFETY: the caller's.
    unsafe { few_at(to, from, n) }
}

#[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
const PAGE: usize = 4096;

/// Copies 32 bytes, of which those behind the text may be anything.
#[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
#[inline(always)]
unsafe fn copy(to: *mut u8, from: *const u8) {
    use core::arch::x86_64::{__m128i, _mm_storeu_si128};
    let (low, high): (__m128i, __m128i);
    // SAFETY: the caller's; assembly may read what no object of the program's is.
    unsafe {
        core::arch::asm!(
            "movdqu {low}, [{from}]",
            "movdqu {high}, [{from} + 16]",
            low = out(xmm_reg) low,
            high = out(xmm_reg) high,
            from = in(reg) from,
            options(pure, readonly, nostack, preserves_flags),
        );
        _mm_storeu_si128(to.cast(), low);
        _mm_storeu_si128(to.add(16).cast(), high);
    }
}
