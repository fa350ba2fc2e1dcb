//! Numbers that the format fixes (`spec/pack.md`).

/// The longest text of a token of one byte, in Latin-1 characters.
pub const SHORT_LATIN: usize = 95;
/// The longest text of a token of one byte, in wide units.
pub const SHORT_WIDE: usize = 14;
/// The longest text of a token of one byte, in bytes of UTF-8.
pub const SHORT_UTF8: usize = 16;
/// The shortest text in UTF-8 that a token can name: a shorter one is written in another form.
pub const LEAST_UTF8: usize = 3;
/// The longest text that is numbered, in bytes of its block, and so what a reference stands for at most.
pub const MOST_NUMBERED: usize = 95;

/// Whether a text that takes so many bytes of its block gets a number.
#[inline(always)]
pub const fn is_numbered(bytes: usize) -> bool {
    bytes >= 2 && bytes <= MOST_NUMBERED
}
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
