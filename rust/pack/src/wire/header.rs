//! Bits of the header byte (`spec/pack.md` section 5).

/// There is a Latin-1 block.
pub const TEXT: u8 = 1;
/// There is a wide block.
pub const WIDE: u8 = 2;
/// Text back references occur.
pub const REFS: u8 = 4;
/// Numeric arrays are aligned.
pub const ALIGNED: u8 = 8;
/// The schema's digest follows.
pub const DIGEST: u8 = 16;
/// Written in the `fast` profile.
pub const FAST: u8 = 32;
/// The version in its place.
pub const VERSION: u8 = 1 << 6;

/// Whether the header of a message names a text block.
#[inline]
pub(crate) fn has_text(message: &[u8]) -> bool {
    message.first().is_some_and(|header| header & (TEXT | WIDE) != 0)
}
