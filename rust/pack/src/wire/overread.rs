//! Thirty-two bytes at once from a text that may be shorter.
//!
//! Texts of random lengths defeat the branch predictor: whatever depends on whether a text has 7 bytes or 8 costs more
//! than copying it. So the copy always takes 32 bytes, and what came from behind the text is overwritten by the next one.

/// The longest text that is copied so.
pub(super) const MOST: usize = 32;

/// Whether a text has 1 to 32 bytes.
#[inline(always)]
pub(super) fn is_short(text: &[u8]) -> bool {
    text.len().wrapping_sub(1) < MOST
}

/// For each length, which of 32 bytes belong to the text. (A shift would need a certain register.)
#[cfg(all(target_arch = "x86_64", not(miri), not(debug_assertions)))]
static OWN: [u32; MOST + 1] = {
    let mut own = [0; MOST + 1];
    let mut length = 1;
    while length <= MOST {
        own[length] = own[length - 1] << 1 | 1;
        length += 1;
    }
    own
};

/// Copies `text`, of 1 to 32 bytes, to `to`, where it may overwrite 32 bytes. Answers whether the text is ASCII; `None` if
/// nothing was copied, because it has another length, or because 32 bytes would reach into another page of memory, which
/// may not be there.
///
/// # Safety
/// `to` must be writable for 32 bytes, and must not overlap with `text`.
#[cfg(all(target_arch = "x86_64", not(miri), not(debug_assertions)))]
#[inline(always)]
pub(super) unsafe fn copy_ascii(text: &[u8], to: *mut u8) -> Option<bool> {
    use core::arch::x86_64::{__m128i, _mm_movemask_epi8, _mm_storeu_si128};
    const PAGE: usize = 4096;
    let from = text.as_ptr();
    if !is_short(text) || from as usize % PAGE > PAGE - MOST {
        return None;
    }
    let (low, high): (__m128i, __m128i);
    // SAFETY: the first of the 32 bytes belongs to `text` (which is not empty), and all are in its page, so that the
    // loads cannot fault. Of what they bring only the text's own bytes are looked at; the others are arbitrary values
    // as far as the program is concerned, stored where the caller lets 32 bytes be overwritten.
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
        let signs = _mm_movemask_epi8(low) as u32 | (_mm_movemask_epi8(high) as u32) << 16;
        Some(signs & OWN[text.len()] == 0)
    }
}

/// The same where memory behind a text must not be looked at, or cannot.
///
/// # Safety
/// `to` must be writable for 32 bytes, and must not overlap with `text`.
#[cfg(not(all(target_arch = "x86_64", not(miri), not(debug_assertions))))]
#[inline(always)]
pub(super) unsafe fn copy_ascii(text: &[u8], to: *mut u8) -> Option<bool> {
    use super::scan::{places, Four, Tiny};
    if !is_short(text) {
        return None;
    }
    if text.len() < 8 {
        let tiny = Tiny::of(text);
        // SAFETY: the caller lets 32 bytes be overwritten.
        unsafe { to.cast::<[u8; 8]>().write_unaligned(tiny.word.to_le_bytes()) };
        return Some(tiny.is_ascii());
    }
    let four = Four::of(text);
    for (at, word) in places(text.len()).into_iter().zip(four.words) {
        // SAFETY: every place is at most length - 8, and the caller lets 32 bytes be overwritten.
        unsafe { to.add(at).cast::<[u8; 8]>().write_unaligned(word.to_le_bytes()) };
    }
    Some(four.is_ascii())
}
