//! Numbers that the format fixes (`spec/pack.md`).

/// The longest text that may be numbered, in Latin-1 characters.
pub const SHORT_LATIN: usize = 95;
/// The longest text that may be numbered, in wide units.
pub const SHORT_WIDE: usize = 28;
/// Consecutive misses after which a dedup slot is disabled.
pub const MAX_MISSES: u8 = 128;
/// Raw runs from this many bytes on are aligned.
pub const ALIGN_FROM: usize = 64;
/// Integer rows from this many values on have a mode byte.
pub const MODE_FROM: usize = 16;
/// Values of a packed block.
pub(crate) const BLOCK: usize = 128;
/// The longest `bigint` or unscaled part.
pub const BIGINT_MAX: usize = 4096;
