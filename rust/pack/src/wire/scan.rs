//! Short texts in registers: ASCII or not, hashed, compared and copied without a loop over bytes.
//!
//! A text of fewer than 8 bytes is one word, one of 8 to 32 is four overlapping words, whatever its length: a branch for
//! each length would be guessed wrong again and again on real texts.

/// The longest text that is four words.
pub(crate) const FOUR: usize = 32;
const HIGH: u64 = 0x8080_8080_8080_8080;

/// Odd numbers with as many ones as zeros.
const KEYS: [u64; 4] = [0xa076_1d64_78bd_642f, 0xe703_7ed1_a0b4_28db, 0x8ebc_6af0_9c88_c6e3, 0x5899_65cc_7537_4cc3];

/// Secret numbers that make collisions unpredictable: the table of texts must not become quadratic under attack.
#[derive(Clone, Copy)]
pub(crate) struct Seed(pub(crate) [u64; 4]);

impl Seed {
    /// A seed that an attacker cannot predict. The bytes written do not depend on it.
    pub(crate) fn random() -> Self {
        #[cfg(feature = "std")]
        let noise = std::hash::BuildHasher::hash_one(&std::hash::RandomState::new(), 0);
        // Without a source of randomness the address of a fresh allocation has to do.
        #[cfg(not(feature = "std"))]
        let noise = core::ptr::from_ref(&*alloc::boxed::Box::new(0u8)) as usize as u64;
        let noise = noise.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut turn = 0;
        Seed(KEYS.map(|key| {
            turn += 16;
            mix(key ^ noise.rotate_left(turn), key ^ noise)
        }))
    }
}

/// A hasher of keys. It has no secret: who uses it needs a way around keys that were chosen to collide.
#[derive(Default)]
pub(crate) struct Folded(u64);

impl core::hash::Hasher for Folded {
    #[inline(always)]
    fn write(&mut self, bytes: &[u8]) {
        self.write_u64(match bytes.len() {
            0..8 => Tiny::of(bytes).hash(Seed(KEYS)),
            8..=FOUR => Four::of(bytes).hash(Seed(KEYS)),
            _ => bytes.hash(Seed(KEYS)),
        });
    }

    // The end of a text: its length is part of its hash.
    #[inline]
    fn write_u8(&mut self, byte: u8) {
        self.0 ^= u64::from(byte);
    }

    #[inline]
    fn write_u64(&mut self, word: u64) {
        self.0 = mix(self.0 ^ word ^ KEYS[3], KEYS[2]);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// A text that may be looked up.
pub(crate) trait Text: Copy {
    /// Its length in bytes.
    fn len(self) -> usize;
    /// A hash of all its bytes. A sample would be enough for friendly data; an unfriendly source of values could then
    /// choose texts that differ only elsewhere, and every look-up would walk over all of them.
    fn hash(self, seed: Seed) -> u64;
    /// Whether `other` is equal, which has the same length.
    fn same(self, other: &[u8]) -> bool;
}

/// A text of fewer than 8 bytes.
#[derive(Clone, Copy)]
pub(crate) struct Tiny {
    pub(crate) word: u64,
    pub(crate) length: usize,
}

/// A text of 8 to 32 bytes: the eight bytes at its start, after them, before its last eight, and the last eight, as far as the
/// text goes.
#[derive(Clone, Copy)]
pub(crate) struct Four {
    pub(crate) words: [u64; 4],
    pub(crate) length: usize,
}

/// Where the four words of a text of that length stand.
#[inline(always)]
pub(crate) fn places(length: usize) -> [usize; 4] {
    [0, (length - 8).min(8), length.saturating_sub(16), length - 8]
}

impl Tiny {
    /// # Panics
    /// If there are eight bytes or more.
    #[inline(always)]
    pub(crate) fn of(bytes: &[u8]) -> Self {
        let n = bytes.len();
        assert!(n < 8);
        let half = |at: usize| u64::from(u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes")));
        let byte = |at: usize| u64::from(bytes[at]) << (8 * at);
        // Where parts overlap they bring the same bits.
        let word = match n {
            4.. => half(0) | half(n - 4) << (8 * (n - 4)),
            1.. => byte(0) | byte(n / 2) | byte(n - 1),
            0 => 0,
        };
        Tiny { word, length: n }
    }

    #[inline(always)]
    pub(crate) fn is_ascii(self) -> bool {
        self.word & HIGH == 0
    }
}

impl Four {
    /// # Panics
    /// If there are fewer than 8 or more than 32 bytes.
    #[inline(always)]
    pub(crate) fn of(bytes: &[u8]) -> Self {
        let length = bytes.len();
        assert!((8..=FOUR).contains(&length));
        let words = places(length).map(|at| {
            // SAFETY: every place is at most length - 8, so the eight bytes read are inside `bytes`.
            let word = unsafe { bytes.as_ptr().add(at).cast::<[u8; 8]>().read() };
            u64::from_le_bytes(word)
        });
        Four { words, length }
    }

    #[inline(always)]
    pub(crate) fn is_ascii(self) -> bool {
        let [a, b, c, d] = self.words;
        (a | b | c | d) & HIGH == 0
    }
}

impl Text for Tiny {
    #[inline(always)]
    fn len(self) -> usize {
        self.length
    }

    #[inline(always)]
    fn hash(self, Seed(seed): Seed) -> u64 {
        mix(self.word ^ seed[0], self.length as u64 ^ seed[1])
    }

    #[inline(always)]
    fn same(self, other: &[u8]) -> bool {
        Tiny::of(other).word == self.word
    }
}

impl Text for Four {
    #[inline(always)]
    fn len(self) -> usize {
        self.length
    }

    #[inline(always)]
    fn hash(self, Seed(seed): Seed) -> u64 {
        let [a, b, c, d] = self.words;
        mix(a ^ seed[0], d ^ seed[1] ^ (self.length as u64) << 56) ^ mix(b ^ seed[2], c ^ seed[3])
    }

    #[inline(always)]
    fn same(self, other: &[u8]) -> bool {
        let ([a, b, c, d], [e, f, g, h]) = (self.words, Four::of(other).words);
        (a ^ e) | (b ^ f) | (c ^ g) | (d ^ h) == 0
    }
}

/// A text of any length from 8 to 95 bytes.
impl Text for &[u8] {
    #[inline(always)]
    fn len(self) -> usize {
        <[u8]>::len(self)
    }

    #[inline]
    fn hash(self, seed: Seed) -> u64 {
        let Seed(keys) = seed;
        if self.len() < 8 {
            return Tiny::of(self).hash(seed);
        }
        if self.len() <= FOUR {
            return Four::of(self).hash(seed);
        }
        let word = |at: usize| u64::from_le_bytes(self[at..at + 8].try_into().expect("eight bytes"));
        let mut state = keys[1] ^ self.len() as u64;
        let mut at = 0;
        while at + 16 < self.len() {
            state = mix(word(at) ^ keys[0], word(at + 8) ^ state);
            at += 16;
        }
        mix(word(self.len() - 16) ^ keys[2], word(self.len() - 8) ^ state)
    }

    #[inline]
    fn same(self, other: &[u8]) -> bool {
        self == other
    }
}

/// A number that equal texts share, and few others: not all of a long text's bytes count.
#[inline(always)]
pub(crate) fn sample(text: &[u8], Seed(seed): Seed) -> u64 {
    let length = text.len();
    if length < 8 {
        return Tiny::of(text).hash(Seed(seed));
    }
    let word = |at: usize| u64::from_le_bytes(text[at..at + 8].try_into().expect("eight bytes"));
    // Multiplied, so that no change of a character makes up for one of the length.
    mix(word(0) ^ seed[0], word(length - 8) ^ seed[1] ^ (length as u64).wrapping_mul(KEYS[2]))
}

#[inline(always)]
fn mix(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    const SEED: Seed = Seed([0x1234_5678_9abc_def1, 0xfedc_ba98_7654_3210, 5, 7 << 40]);

    #[test]
    fn every_byte_and_the_length_change_the_hash() {
        for n in (0..96).step_by(if cfg!(miri) { 19 } else { 1 }) {
            let mut text: Vec<u8> = (0..n).map(|i| i as u8).collect();
            let plain = (&text[..]).hash(SEED);
            for i in 0..n {
                text[i] ^= 1;
                assert_ne!((&text[..]).hash(SEED), plain, "{n} {i}");
                text[i] ^= 1;
            }
            text.push(0);
            if n < 95 {
                assert_ne!((&text[..]).hash(SEED), plain);
            }
        }
    }

    #[test]
    fn texts_in_registers_equal_only_themselves() {
        for n in (0..=FOUR).step_by(if cfg!(miri) { 8 } else { 1 }) {
            let text: Vec<u8> = (0..n).map(|i| i as u8).collect();
            let same = |other: &[u8]| if n < 8 { Tiny::of(&text).same(other) } else { Four::of(&text).same(other) };
            assert!(same(&text));
            for i in 0..n {
                let mut other = text.clone();
                other[i] ^= 0x10;
                assert!(!same(&other), "{n} {i}");
            }
        }
    }
}
