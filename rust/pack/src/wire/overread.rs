//! Copies of fixed size from texts that may be shorter.
//!
//! Texts of random lengths defeat the branch predictor: whatever depends on whether a text has 7 bytes or 8 costs more
//! than copying it. So the copy always takes 16 or 32 bytes, and the next one overwrites what came from behind the text.
//!
//! A read beyond an object is undefined in Rust, whatever memory is there. So the loads are assembly, which the compiler
//! takes for a function of the pointer; they stay within the page of the text's first byte and thus cannot fault. Off
//! x86-64, under Miri and with debug assertions nothing is read beyond a text.
//!
//! Built for AVX, the loads are written in its encoding as all code around them is: an instruction of the older one
//! keeps the upper half of its register, so that after a 32-byte instruction it waits for whatever wrote that, or for
//! all registers to be saved (Intel's optimization manual, "Mixing AVX code with SSE code").

/// The longest text that [`copy_ascii`] copies.
pub(super) const MOST: usize = 32;

/// Returns whether a text has 1 to 32 bytes.
#[inline(always)]
pub(super) fn is_short(text: &[u8]) -> bool {
    text.len().wrapping_sub(1) < MOST
}

#[cfg(all(target_arch = "x86_64", not(miri), not(debug_assertions)))]
mod block {
    use crate::wire::overread::{is_short, MOST};
    use crate::wire::scan::Tiny;
    use core::arch::asm;
    use core::arch::x86_64::{__m128i, _mm_movemask_epi8, _mm_storeu_si128};

    /// The smallest page of x86-64: memory is mapped or not by the page.
    const PAGE: usize = 4096;

    /// The load of 16 bytes, in the encoding of the code around it.
    #[cfg(not(target_feature = "avx"))]
    macro_rules! load {
        () => {
            "movdqu"
        };
    }

    /// The load of 16 bytes, in the encoding of the code around it.
    #[cfg(target_feature = "avx")]
    macro_rules! load {
        () => {
            "vmovdqu"
        };
    }

    /// For each length, which of 32 bytes belong to the text. (A shift would need a certain register.)
    static OWN: [u32; MOST + 1] = {
        let mut own = [0; MOST + 1];
        let mut length = 1;
        while length <= MOST {
            own[length] = own[length - 1] << 1 | 1;
            length += 1;
        }
        own
    };

    /// For each length, which of 8 bytes belong to the text.
    static TINY: [u64; 8] = {
        let mut own = [0; 8];
        let mut length = 1;
        while length < 8 {
            own[length] = own[length - 1] << 8 | 0xff;
            length += 1;
        }
        own
    };

    /// For each length, which of 16 bytes belong to the text, as two words.
    static SHORT: [[u64; 2]; 17] = {
        let mut own = [[0; 2]; 17];
        let mut length = 1;
        while length <= 16 {
            own[length] = own[length - 1];
            own[length][(length - 1) / 8] = own[length - 1][(length - 1) / 8] << 8 | 0xff;
            length += 1;
        }
        own
    };

    /// Returns a text of 1 to 16 bytes as two words, followed by zeros; `None` if 16 bytes would reach into the next page.
    ///
    /// # Safety
    /// `text` must be readable for `length` bytes, 1 to 16.
    #[inline(always)]
    pub unsafe fn short_words(text: *const u8, length: usize) -> Option<[u64; 2]> {
        if text as usize % PAGE > PAGE - 16 {
            return None;
        }
        let (first, second): (u64, u64);
        // SAFETY: the first of the 16 bytes is readable and all lie in its page, so the loads cannot fault. Only the text's own
        // bytes are looked at: `SHORT`, which has a row for each length, masks the others.
        unsafe {
            asm!(
                "mov {first}, [{text}]",
                "mov {second}, [{text} + 8]",
                first = out(reg) first,
                second = lateout(reg) second,
                text = in(reg) text,
                options(pure, readonly, nostack, preserves_flags),
            );
            let own = SHORT.get_unchecked(length);
            Some([first & own[0], second & own[1]])
        }
    }

    /// Copies 16 bytes, of which only the first must belong to an object. Returns false and copies nothing if they would
    /// reach into the next page.
    ///
    /// # Safety
    /// `from` must be readable for one byte, and `to` writable for 16 bytes that do not overlap with those behind `from`.
    #[inline(always)]
    pub unsafe fn copy_block(from: *const u8, to: *mut u8) -> bool {
        if from as usize % PAGE > PAGE - 16 {
            return false;
        }
        let block: __m128i;
        // SAFETY: the first of the 16 bytes is readable and all lie in its page, so the load cannot fault; `to` is writable
        // for 16 bytes.
        unsafe {
            asm!(
                concat!(load!(), " {block}, [{from}]"),
                block = out(xmm_reg) block,
                from = in(reg) from,
                options(pure, readonly, nostack, preserves_flags),
            );
            _mm_storeu_si128(to.cast(), block);
        }
        true
    }

    /// Returns a text of fewer than 8 bytes as a word. Which of [`Tiny::of`]'s ways a length takes is guessed wrong too often
    /// where texts of 2 and 3 bytes, as codes have, stand in one column.
    ///
    /// # Panics
    /// If there are eight bytes or more.
    #[inline(always)]
    pub(in crate::wire) fn tiny(text: &[u8]) -> Tiny {
        let from = text.as_ptr();
        if text.is_empty() || from as usize % PAGE > PAGE - 8 {
            return Tiny::of(text);
        }
        let word: u64;
        // SAFETY: the first of the 8 bytes belongs to `text`, which is not empty, and all lie in its page, so the load cannot
        // fault. Only the text's own bytes are looked at: `TINY` masks the others.
        unsafe {
            asm!(
                "mov {word}, [{from}]",
                word = out(reg) word,
                from = in(reg) from,
                options(pure, readonly, nostack, preserves_flags),
            );
        }
        Tiny { word: word & TINY[text.len()], length: text.len() }
    }

    /// Copies `text`, of 1 to 32 bytes, to `to`, and overwrites 32 bytes there. Returns whether the text is ASCII, or `None`
    /// if nothing was copied, because it has another length, or because 32 bytes would reach into the next page.
    ///
    /// # Safety
    /// `to` must be writable for 32 bytes, and must not overlap with `text`.
    #[inline(always)]
    pub(in crate::wire) unsafe fn copy_ascii(text: &[u8], to: *mut u8) -> Option<bool> {
        let from = text.as_ptr();
        if !is_short(text) || from as usize % PAGE > PAGE - MOST {
            return None;
        }
        let (low, high): (__m128i, __m128i);
        // SAFETY: the first of the 32 bytes belongs to `text`, which is not empty, and all lie in its page, so the loads
        // cannot fault; `to` is writable for 32 bytes. Only the text's own bytes are looked at: `OWN` masks the others.
        unsafe {
            asm!(
                concat!(load!(), " {low}, [{from}]"),
                concat!(load!(), " {high}, [{from} + 16]"),
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
}

#[cfg(not(all(target_arch = "x86_64", not(miri), not(debug_assertions))))]
mod block {
    use crate::wire::overread::is_short;
    use crate::wire::scan::{places, Four, Tiny};

    /// Returns false: nothing is read beyond a text here.
    ///
    /// # Safety
    /// None; as that of the function for x86-64.
    #[inline(always)]
    pub unsafe fn copy_block(_: *const u8, _: *mut u8) -> bool {
        false
    }

    /// Returns `None`, likewise.
    ///
    /// # Safety
    /// None; as that of the function for x86-64.
    #[inline(always)]
    pub unsafe fn short_words(_: *const u8, _: usize) -> Option<[u64; 2]> {
        None
    }

    /// Returns a text of fewer than 8 bytes as a word.
    ///
    /// # Panics
    /// If there are eight bytes or more.
    #[inline(always)]
    pub(in crate::wire) fn tiny(text: &[u8]) -> Tiny {
        Tiny::of(text)
    }

    /// Copies `text`, of 1 to 32 bytes, to `to`. Returns whether the text is ASCII, or `None` if nothing was copied because
    /// it has another length.
    ///
    /// # Safety
    /// `to` must be writable for 32 bytes, and must not overlap with `text`.
    #[inline(always)]
    pub(in crate::wire) unsafe fn copy_ascii(text: &[u8], to: *mut u8) -> Option<bool> {
        if !is_short(text) {
            return None;
        }
        if text.len() < 8 {
            let tiny = Tiny::of(text);
            // SAFETY: `to` is writable for 32 bytes.
            unsafe { to.cast::<[u8; 8]>().write_unaligned(tiny.word.to_le_bytes()) };
            return Some(tiny.is_ascii());
        }
        let four = Four::of(text);
        for (at, word) in places(text.len()).into_iter().zip(four.words) {
            // SAFETY: every place is at most length - 8, so at most 24, and `to` is writable for 32 bytes.
            unsafe { to.add(at).cast::<[u8; 8]>().write_unaligned(word.to_le_bytes()) };
        }
        Some(four.is_ascii())
    }
}

pub(super) use block::{copy_ascii, tiny};
pub use block::{copy_block, short_words};
