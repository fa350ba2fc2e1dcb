//! Texts to be looked up, hashed, compared and copied a word at a time.
//!
//! Most texts have 2 to 16 bytes, with varying lengths: two words, the second padded with zeros, loaded once for all
//! three. Code for each range of lengths would take fewer instructions, but its branches would be mispredicted.

use super::buffer::few_at;
use samewire_pack::wire::short_words;

/// Secret numbers: without them an attacker could choose texts that make every look-up walk over all of them.
pub type Seed = (u64, u64);

/// Texts of up to two words.
const SHORT: usize = 16;

/// The bytes of units, as they are in memory.
#[inline(always)]
pub fn bytes_of(units: &[u16]) -> &[u8] {
    // SAFETY: units are plain memory.
    unsafe { std::slice::from_raw_parts(units.as_ptr().cast(), size_of_val(units)) }
}

/// A text of 2 to 95 bytes.
pub trait Text: Copy {
    /// Its length in bytes.
    fn len(self) -> usize;
    /// A hash of all its bytes, the same for every form of the text.
    fn hash(self, seed: Seed) -> u32;
    /// Whether the text at `other` is equal.
    ///
    /// # Safety
    /// As many bytes must be readable there.
    unsafe fn same(self, other: *const u8) -> bool;
    /// Writes the text at `to`, and returns where it ends.
    ///
    /// # Safety
    /// As many bytes must be writable there, at least 16.
    unsafe fn put(self, to: *mut u8) -> *mut u8;
}

/// A text of 1 to 16 bytes.
#[derive(Clone, Copy)]
pub struct Short {
    words: [u64; 2],
    length: usize,
}

impl Short {
    #[inline(always)]
    pub fn of(text: &[u8]) -> Self {
        debug_assert!((1..=SHORT).contains(&text.len()));
        // SAFETY: the text has 1 to 16 bytes.
        Short { words: unsafe { words(text.as_ptr(), text.len()) }, length: text.len() }
    }
}

impl Text for Short {
    #[inline(always)]
    fn len(self) -> usize {
        self.length
    }

    #[inline(always)]
    fn hash(self, seed: Seed) -> u32 {
        let [first, last] = self.words;
        (mix(first ^ seed.0, last ^ seed.1 ^ (self.length as u64) << 56) >> 32) as u32
    }

    #[inline(always)]
    unsafe fn same(self, other: *const u8) -> bool {
        // SAFETY: as many bytes are readable at `other` as this text has.
        differences(self.words, unsafe { words(other, self.length) }) == 0
    }

    #[inline(always)]
    unsafe fn put(self, to: *mut u8) -> *mut u8 {
        // SAFETY: 16 bytes are writable at `to`.
        unsafe {
            to.cast::<[u64; 2]>().write_unaligned(self.words);
            to.add(self.length)
        }
    }
}

/// A text of 17 to 32 bytes: two pairs of words that overlap.
#[derive(Clone, Copy)]
pub struct Pairs {
    first: [u64; 2],
    last: [u64; 2],
    length: usize,
}

impl Pairs {
    #[inline(always)]
    pub fn of(text: &[u8]) -> Self {
        debug_assert!((SHORT + 1..=2 * SHORT).contains(&text.len()));
        // SAFETY: the text has 17 to 32 bytes.
        unsafe { Self::at(text.as_ptr(), text.len()) }
    }

    /// # Safety
    /// So many bytes, at least 16, must be readable.
    #[inline(always)]
    unsafe fn at(text: *const u8, length: usize) -> Self {
        // SAFETY: `length` bytes are readable, at least 16.
        unsafe { Pairs { first: pair(text), last: pair(text.add(length - 16)), length } }
    }
}

impl Text for Pairs {
    #[inline(always)]
    fn len(self) -> usize {
        self.length
    }

    #[inline(always)]
    fn hash(self, seed: Seed) -> u32 {
        ((mix_last(self.last, self.length, seed) ^ mix_at(0, self.first, seed)) >> 32) as u32
    }

    #[inline(always)]
    unsafe fn same(self, other: *const u8) -> bool {
        // SAFETY: as many bytes are readable at `other` as this text has.
        let other = unsafe { Self::at(other, self.length) };
        differences(self.first, other.first) | differences(self.last, other.last) == 0
    }

    #[inline(always)]
    unsafe fn put(self, to: *mut u8) -> *mut u8 {
        // SAFETY: as many bytes are writable at `to` as this text has, at least 16.
        unsafe {
            to.cast::<[u64; 2]>().write_unaligned(self.first);
            let end = to.add(self.length);
            end.sub(16).cast::<[u64; 2]>().write_unaligned(self.last);
            end
        }
    }
}

/// Any.
impl Text for &[u8] {
    #[inline(always)]
    fn len(self) -> usize {
        <[u8]>::len(self)
    }

    #[inline(always)]
    fn hash(self, seed: Seed) -> u32 {
        hash(self, seed)
    }

    #[inline(always)]
    unsafe fn same(self, other: *const u8) -> bool {
        // SAFETY: as many bytes as the text has are readable at `other`.
        unsafe { same(self.as_ptr(), other, Text::len(self)) }
    }

    #[inline(always)]
    unsafe fn put(self, to: *mut u8) -> *mut u8 {
        // SAFETY: there is room for the text's characters at `to`, as `few_at` wants it.
        unsafe { few_at(to, self.as_ptr(), Text::len(self)) }
    }
}

/// A hash of all bytes of a text.
#[inline(always)]
pub fn hash(text: &[u8], seed: Seed) -> u32 {
    match text.len() {
        0 => 0,
        1..=SHORT => Short::of(text).hash(seed),
        _ => long_hash(text, seed),
    }
}

/// Whether two texts of `n` bytes are equal.
///
/// # Safety
/// Both must be readable for `n` bytes.
#[inline(always)]
pub unsafe fn same(one: *const u8, other: *const u8, n: usize) -> bool {
    // SAFETY: both are readable for `n` bytes; pairs of words start 16 bytes before their end at the latest.
    unsafe {
        if n <= SHORT {
            return n == 0 || differences(words(one, n), words(other, n)) == 0;
        }
        let mut differ = differences(pair(one.add(n - 16)), pair(other.add(n - 16)));
        let mut at = 0;
        while at + 16 < n {
            differ |= differences(pair(one.add(at)), pair(other.add(at)));
            at += 16;
        }
        differ == 0
    }
}

/// Which bits of two pairs of words differ, in either. (`==` of arrays puts both into memory first.)
#[inline(always)]
fn differences(one: [u64; 2], other: [u64; 2]) -> u64 {
    (one[0] ^ other[0]) | (one[1] ^ other[1])
}

/// The 16 bytes at a place.
#[inline(always)]
unsafe fn pair(at: *const u8) -> [u64; 2] {
    // SAFETY: the caller's: 16 bytes are readable.
    unsafe { at.cast::<[u64; 2]>().read_unaligned() }
}

/// A text of 1 to 16 bytes, followed by zeros.
#[inline(always)]
pub(super) unsafe fn words(text: *const u8, n: usize) -> [u64; 2] {
    // SAFETY: `text` is readable for `n` bytes, 1 to 16.
    unsafe { short_words(text, n).unwrap_or_else(|| exact_words(text, n)) }
}

/// A text of 1 to 16 bytes, followed by zeros, without an overread behind the text.
#[cfg_attr(target_arch = "x86_64", cold)]
#[inline(never)]
unsafe fn exact_words(text: *const u8, n: usize) -> [u64; 2] {
    // SAFETY: `text` is readable for `n` bytes: loads start at 0 or end there.
    unsafe {
        let one = |at: usize| u64::from(*text.add(at));
        let four = |at: usize| u64::from(u32::from_le(text.add(at).cast::<u32>().read_unaligned()));
        let eight = |at: usize| u64::from_le(text.add(at).cast::<u64>().read_unaligned());
        let [first, last] = match n {
            8.. => [eight(0), eight(n - 8).checked_shr(8 * (16 - n) as u32).unwrap_or(0)],
            4.. => [four(0) | four(n - 4) << (8 * (n - 4)), 0],
            _ => [one(0) | one(n / 2) << (8 * (n / 2)) | one(n - 1) << (8 * (n - 1)), 0],
        };
        [first.to_le(), last.to_le()]
    }
}

#[inline(always)]
fn mix(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

/// The product of the last pair of words of a text.
#[inline(always)]
fn mix_last([first, last]: [u64; 2], length: usize, seed: Seed) -> u64 {
    mix(first ^ seed.0 ^ length as u64, last ^ seed.1)
}

/// The product of the pair of words at a place, with a secret number for each place.
#[inline(always)]
fn mix_at(at: usize, [first, last]: [u64; 2], seed: Seed) -> u64 {
    let own = (at as u64 + 16).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mix(first ^ seed.0.wrapping_add(own), last ^ seed.1 ^ own)
}

/// Independent products, which run in parallel.
#[inline(always)]
fn long_hash(text: &[u8], seed: Seed) -> u32 {
    let n = text.len();
    debug_assert!(n > SHORT);
    // SAFETY: pairs of words start 16 bytes before the text's end at the latest.
    unsafe {
        let mut state = mix_last(pair(text.as_ptr().add(n - 16)), n, seed);
        let mut at = 0;
        while at + 16 < n {
            state ^= mix_at(at, pair(text.as_ptr().add(at)), seed);
            at += 16;
        }
        (state >> 32) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEED: Seed = (0x1234_5678_9abc_def1, 0xfedc_ba98_7654_3210);

    #[test]
    fn every_byte_of_a_text_counts_and_none_behind_it() {
        for n in 1..=95 {
            let text: Vec<u8> = (1..=n as u8).collect();
            let mut copy = [0xee; 128];
            copy[..n].copy_from_slice(&text);
            assert_eq!(hash(&copy[..n], SEED), hash(&text, SEED));
            match n {
                ..=16 => holds(Short::of(&text), &text),
                17..=32 => holds(Pairs::of(&text), &text),
                _ => holds(&text[..], &text),
            }
            // SAFETY: both have as many bytes.
            assert!(unsafe { same(copy.as_ptr(), text.as_ptr(), n) });
            for i in 0..n {
                copy[i] ^= 0x10;
                assert_ne!(hash(&copy[..n], SEED), hash(&text, SEED), "{i} of {n}");
                // SAFETY: both have as many bytes.
                assert!(!unsafe { same(copy.as_ptr(), text.as_ptr(), n) }, "{i} of {n}");
                copy[i] ^= 0x10;
            }
            assert_ne!(hash(&[&text[..], &[0]].concat(), SEED), hash(&text, SEED), "{n} and a zero");
        }
    }

    fn holds(held: impl Text, text: &[u8]) {
        let mut copy = [0xee; 128];
        assert_eq!((held.len(), held.hash(SEED)), (text.len(), hash(text, SEED)));
        // SAFETY: a text has at most 95 bytes.
        unsafe {
            let end = held.put(copy.as_mut_ptr());
            assert_eq!(end.cast_const(), copy.as_ptr().add(text.len()));
            assert_eq!(&copy[..text.len()], text);
            assert!(held.same(copy.as_ptr()));
            for i in 0..text.len() {
                copy[i] ^= 0x10;
                assert!(!held.same(copy.as_ptr()), "{i} of {}", text.len());
                copy[i] ^= 0x10;
            }
        }
    }

    #[test]
    fn words_are_the_same_wherever_the_page_ends() {
        let page: Vec<u8> = (0..3 * 4096).map(|i| (i % 251) as u8).collect();
        let end = 2 * 4096 - page.as_ptr() as usize % 4096;
        for n in 1..=16 {
            for start in end - n - 20..=end - n {
                let mut padded = [0; 16];
                padded[..n].copy_from_slice(&page[start..start + n]);
                // SAFETY: the text is readable.
                let words = unsafe { [words(page[start..].as_ptr(), n), exact_words(page[start..].as_ptr(), n)] };
                assert_eq!(words, [pair_of(padded); 2], "{n} at {start}");
            }
        }
    }

    fn pair_of(bytes: [u8; 16]) -> [u64; 2] {
        // SAFETY: there are 16 bytes.
        unsafe { pair(bytes.as_ptr()) }
    }
}
