//! How long a wait spins before it blocks.

/// The longest that an adaptive wait spins, in nanoseconds, if the peer is awake.
pub const MOST_SPIN_NANOS: u32 = 20_000;
/// The longest if the peer has to wake first. It exceeds the time of a wake-up, also on a machine whose idle cores
/// sleep deeply. With a shorter spin, both sides would never be awake at the same time again once one was descheduled:
/// on a virtual machine with two cores a call without arguments took 6 to 14 µs (median) with 20 µs here, and takes 0.9
/// µs.
pub const MOST_WAKE_NANOS: u32 = 60_000;

/// A policy of waiting, one for each side of a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waiting {
    /// Blocks at once: the least CPU, and a wake-up for each message.
    Block,
    /// Spins for so many microseconds each time, then blocks.
    Spin {
        /// At most 1,000,000; higher values are capped.
        micros: u32,
    },
    /// Starts blocking, and spins only while spinning has lately been rewarded, for at most [`MOST_SPIN_NANOS`], or
    /// [`MOST_WAKE_NANOS`] if the peer has to wake.
    Adaptive,
}

/// How many waits of a fresh channel block before the first probe.
const FIRST_PROBE: u32 = 2;
/// The most waits between two probes: with this many, probes in vain cost a hundredth of the blocking waits.
const MOST_BETWEEN: u32 = 1024;
/// How many waits a probe spins: the first one may be in vain only because the other side sleeps, and wakes too late.
const PROBE: i32 = 3;
/// What a reward adds to the credit, and what a spin in vain takes from it: it costs as much as two wake-ups.
const REWARD: i32 = 1;
const VAIN: i32 = 2;
/// The most credit: eight rewards, which pay for four spins in vain.
const MOST_CREDIT: i32 = 8;

/// How one side of a channel waits, and its state. Queried before each wait, updated after it.
///
/// An adaptive side keeps a credit. With credit left it spins; without, it blocks, and probes now and then: after 2
/// blocking waits, then after twice as many each time that a probe was in vain: a machine without a free core for the
/// other side rarely gets one. On one core it never spins.
#[derive(Clone, Debug)]
pub struct Patience {
    waiting: Waiting,
    alone: bool,
    credit: i32,
    between: u32,
    blocks: u32,
}

impl Patience {
    /// The patience of a fresh channel, on so many cores.
    pub fn new(waiting: Waiting, cores: usize) -> Self {
        Patience { waiting, alone: cores < 2, credit: 0, between: FIRST_PROBE, blocks: FIRST_PROBE }
    }

    /// For how many nanoseconds the next wait spins: 0 if it blocks at once.
    ///
    /// `wakes`: the peer slept, and was just woken.
    pub fn nanos(&mut self, wakes: bool) -> u32 {
        match self.waiting {
            Waiting::Block => 0,
            Waiting::Spin { micros } => micros.min(1_000_000) * 1000,
            Waiting::Adaptive => match self.credit > 0 || self.probes() {
                true if wakes => MOST_WAKE_NANOS,
                true => MOST_SPIN_NANOS,
                false => 0,
            },
        }
    }

    fn probes(&mut self) -> bool {
        if self.alone {
            return false;
        }
        if self.blocks > 0 {
            self.blocks -= 1;
            return false;
        }
        self.credit = VAIN * (PROBE - 1) + 1;
        true
    }

    /// Reports whether a wait ended while it spun, before it had to block.
    pub fn spun(&mut self, rewarded: bool) {
        if rewarded {
            self.credit = (self.credit + REWARD).min(MOST_CREDIT);
            self.between = FIRST_PROBE;
            return;
        }
        self.credit -= VAIN;
        if self.credit <= 0 {
            self.blocks = self.between;
            self.between = (self.between * 2).min(MOST_BETWEEN);
        }
    }
}
