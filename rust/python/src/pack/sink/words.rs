//! Texts to be looked up, hashed, compared and copied a word at a time.
//!
//! Most are of 2 to 32 bytes: two words, or pairs of words, that overlap. They are loaded once for all three, which a loop over
//! records, being bound by the number of its instructions, notices.

use super::buffer::few_at;

/// Secret numbers: without them a stranger could choose texts that make every look-up walk over all of them.
pub type Seed = (u64, u64);

/// A text of 2 to 95 bytes.
pub trait Text: Copy {
    /// Its length in bytes.
    fn len(self) -> usize;
    /// A hash of all its bytes, the same whatever the text is held as.
    fn hash(self, seed: Seed) -> u64;
    /// Whether the text at `other` is equal.
    ///
    /// # Safety
    /// As many bytes must be readable there.
    unsafe fn same(self, other: *const u8) -> bool;
    /// Writes the text at `to`, and returns where it ends.
    ///
    /// # Safety
    /// As many bytes must be writable there.
    unsafe fn put(self, to: *mut u8) -> *mut u8;
}

macro_rules! two_words {
    ($(#[$doc:meta])* $name:ident, $word:ty, $lengths:expr) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub struct $name {
            first: $word,
            last: $word,
            length: usize,
        }

        impl $name {
            #[inline(always)]
            pub fn of(text: &[u8]) -> Self {
                const LENGTHS: std::ops::RangeInclusive<usize> = $lengths;
                debug_assert!(LENGTHS.contains(&text.len()));
                // SAFETY: the text is at least as long as a word.
                unsafe { Self::at(text.as_ptr(), text.len()) }
            }

            /// # Safety
            /// So many bytes, at least a word's, must be readable.
            #[inline(always)]
            unsafe fn at(text: *const u8, length: usize) -> Self {
                // SAFETY: `length` bytes are readable, at least a word's.
                unsafe {
                    $name {
                        first: text.cast::<$word>().read_unaligned(),
                        last: text.add(length - size_of::<$word>()).cast::<$word>().read_unaligned(),
                        length,
                    }
                }
            }
        }

        impl Text for $name {
            #[inline(always)]
            fn len(self) -> usize {
                self.length
            }

            #[inline(always)]
            fn hash(self, seed: Seed) -> u64 {
                hash_pair(u64::from(self.first), u64::from(self.last), self.length, seed)
            }

            #[inline(always)]
            unsafe fn same(self, other: *const u8) -> bool {
                // SAFETY: as many bytes are readable at `other` as this text has.
                let other = unsafe { Self::at(other, self.length) };
                (self.first ^ other.first) | (self.last ^ other.last) == 0
            }

            #[inline(always)]
            unsafe fn put(self, to: *mut u8) -> *mut u8 {
                // SAFETY: as many bytes are writable at `to` as this text has, at least a word's.
                unsafe {
                    to.cast::<$word>().write_unaligned(self.first);
                    let end = to.add(self.length);
                    end.sub(size_of::<$word>()).cast::<$word>().write_unaligned(self.last);
                    end
                }
            }
        }
    };
}

two_words!(
    /// A text of 8 to 16 bytes.
    Eights,
    u64,
    8..=16
);
two_words!(
    /// A text of 4 to 7 bytes.
    Fours,
    u32,
    4..=7
);
two_words!(
    /// A text of 2 or 3 bytes.
    Twos,
    u16,
    2..=3
);

#[inline(always)]
fn mix(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

#[inline(always)]
fn hash_pair(first: u64, last: u64, length: usize, seed: Seed) -> u64 {
    mix(first ^ seed.0, last ^ seed.1 ^ (length as u64) << 56)
}

/// The product of the pair of words at a place, which has a number of its own.
#[inline(always)]
fn mix_at(at: usize, first: u64, second: u64, seed: Seed) -> u64 {
    let own = (at as u64 + 16).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mix(first ^ seed.0.wrapping_add(own), second ^ seed.1 ^ own)
}

#[inline(always)]
fn word(text: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(text[at..at + 8].try_into().expect("eight bytes"))
}

/// A text of 17 to 32 bytes: two pairs that overlap.
#[derive(Clone, Copy)]
pub struct Pairs {
    first: [u64; 2],
    last: [u64; 2],
    length: usize,
}

impl Pairs {
    #[inline(always)]
    pub fn of(text: &[u8]) -> Self {
        debug_assert!((17..=32).contains(&text.len()));
        // SAFETY: the text is at least as long as a pair.
        unsafe { Self::at(text.as_ptr(), text.len()) }
    }

    /// # Safety
    /// So many bytes, at least 16, must be readable.
    #[inline(always)]
    unsafe fn at(text: *const u8, length: usize) -> Self {
        // SAFETY: `length` bytes are readable, at least 16.
        unsafe {
            let pair = |at: *const u8| at.cast::<[u64; 2]>().read_unaligned();
            Pairs { first: pair(text), last: pair(text.add(length - 16)), length }
        }
    }
}

impl Text for Pairs {
    #[inline(always)]
    fn len(self) -> usize {
        self.length
    }

    #[inline(always)]
    fn hash(self, seed: Seed) -> u64 {
        let [one, two] = self.first.map(u64::from_le);
        let [three, four] = self.last.map(u64::from_le);
        mix(three ^ seed.0 ^ self.length as u64, four ^ seed.1) ^ mix_at(0, one, two, seed)
    }

    #[inline(always)]
    unsafe fn same(self, other: *const u8) -> bool {
        // SAFETY: as many bytes are readable at `other` as this text has.
        let other = unsafe { Self::at(other, self.length) };
        let differ = |a: [u64; 2], b: [u64; 2]| (a[0] ^ b[0]) | (a[1] ^ b[1]);
        differ(self.first, other.first) | differ(self.last, other.last) == 0
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

    #[inline]
    fn hash(self, seed: Seed) -> u64 {
        let n = Text::len(self);
        match n {
            0..4 => return Twos::of(self).hash(seed),
            4..8 => return Fours::of(self).hash(seed),
            8..=16 => return Eights::of(self).hash(seed),
            _ => {}
        }
        // Products that do not wait for each other, each with a number of its own.
        let mut state = mix(word(self, n - 16) ^ seed.0 ^ n as u64, word(self, n - 8) ^ seed.1);
        let mut at = 0;
        while at + 16 < n {
            state ^= mix_at(at, word(self, at), word(self, at + 8), seed);
            at += 16;
        }
        state
    }

    #[inline]
    unsafe fn same(self, other: *const u8) -> bool {
        // SAFETY: as many bytes are readable at `other` as this text has.
        self == unsafe { std::slice::from_raw_parts(other, Text::len(self)) }
    }

    #[inline]
    unsafe fn put(self, to: *mut u8) -> *mut u8 {
        // SAFETY: as many bytes are writable at `to` as this text has.
        unsafe { few_at(to, self.as_ptr(), Text::len(self)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(held: impl Text, text: &[u8]) {
        const SEED: Seed = (0x1234_5678_9abc_def1, 0xfedc_ba98_7654_3210);
        let mut copy = [0xee; 128];
        // SAFETY: a text has at most 95 bytes.
        unsafe {
            let end = held.put(copy.as_mut_ptr());
            assert_eq!(end.cast_const(), copy.as_ptr().add(text.len()));
            assert_eq!(&copy[..text.len()], text);
            assert!(copy[text.len()..].iter().all(|&byte| byte == 0xee));
            assert_eq!((held.len(), held.hash(SEED)), (text.len(), text.hash(SEED)));
            assert!(held.same(copy.as_ptr()));
            for i in 0..text.len() {
                copy[i] ^= 0x10;
                assert!(!held.same(copy.as_ptr()), "{i} of {}", text.len());
                assert_ne!(copy[..text.len()].hash(SEED), text.hash(SEED));
                copy[i] ^= 0x10;
            }
        }
    }

    #[test]
    fn texts_of_every_length_are_held_whole() {
        for n in 2..=95 {
            let text: Vec<u8> = (0..n as u8).collect();
            holds(&text[..], &text);
            match n {
                2..=3 => holds(Twos::of(&text), &text),
                4..=7 => holds(Fours::of(&text), &text),
                8..=16 => holds(Eights::of(&text), &text),
                17..=32 => holds(Pairs::of(&text), &text),
                _ => {}
            }
        }
    }
}
