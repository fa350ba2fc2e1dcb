//! Reproducible random numbers: splitmix64.

/// A generator. Its numbers follow from its seed.
pub struct Random(u64);

impl Random {
    /// The generator of a seed.
    pub fn new(seed: u64) -> Self {
        Random(seed)
    }

    /// 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// Eight bits.
    pub fn byte(&mut self) -> u8 {
        self.bits() as u8
    }

    /// A number below `bound`, which is not zero.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.bits() % bound as u64) as usize
    }

    /// Whether something that happens once in `times` happens.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// One of `items`, of which there is at least one.
    pub fn pick<'i, T>(&mut self, items: &'i [T]) -> &'i T {
        &items[self.below(items.len())]
    }
}
