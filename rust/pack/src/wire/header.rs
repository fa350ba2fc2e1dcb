//! Bits of the header byte (`spec/pack.md` section 5), and the digest or check that follows it.

use samewire_core::{Code, Error};

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
/// There is a UTF-8 block.
pub const UTF8: u8 = 32;
/// The first bytes of the schema's digest follow.
pub const CHECK: u8 = 64;
/// The version in its place.
pub const VERSION: u8 = 1 << 7;

/// What a header carries of the digest of its message's schema.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mark {
    /// The header's bit for it; none if it carries nothing.
    pub bit: u8,
    /// How many bytes: 0, 2 or 8.
    pub length: usize,
    /// These, and zeros or others behind them.
    pub bytes: [u8; 8],
}

impl Mark {
    /// Of what a message is begun with.
    #[inline]
    pub fn of(digest: Option<u64>, check: Option<u64>) -> Self {
        let (bit, length, digest) = match (digest, check) {
            (Some(digest), _) => (DIGEST, 8, digest),
            (None, Some(digest)) => (CHECK, 2, digest),
            (None, None) => (0, 0, 0),
        };
        Mark { bit, length, bytes: digest.to_be_bytes() }
    }

    /// Writes them to the start of `to`, which has so many at least.
    #[inline(always)]
    pub(crate) fn put(&self, to: &mut [u8]) {
        // Copies of known lengths are no calls.
        match self.length {
            0 => {}
            2 => to[..2].copy_from_slice(&self.bytes[..2]),
            _ => to[..8].copy_from_slice(&self.bytes),
        }
    }
}

/// Where the digest ends in a message that carries one.
pub const DIGEST_END: usize = 9;

/// Returns the digest of the schema that a message was written with, or none if the message carries none, or only a check.
/// Nothing behind the digest is looked at.
///
/// # Errors
/// `truncated` for a message that ends before the digest does, `unsupported` for one of another version.
pub fn digest_of(message: &[u8]) -> Result<Option<[u8; 8]>, Error> {
    let truncated = || Error::new(Code::Truncated, "the message ends before its digest").at(message.len()).path("$");
    let header = *message.first().ok_or_else(truncated)?;
    if header & VERSION == 0 {
        return Err(Error::new(Code::Unsupported, "this is not a message of version 1").at(0).path("$"));
    }
    if header & DIGEST == 0 {
        return Ok(None);
    }
    let digest = message.get(1..DIGEST_END).ok_or_else(truncated)?;
    Ok(Some(digest.try_into().expect("eight bytes")))
}

/// The check of a schema: the first bytes of its digest.
#[inline]
pub fn check_of(digest: u64) -> [u8; 2] {
    let [first, second, ..] = digest.to_be_bytes();
    [first, second]
}

/// Whether a message of this version carries no digest: one that [`digest_of`] returns none for.
#[inline]
pub fn lacks_digest(message: &[u8]) -> bool {
    message.first().is_some_and(|header| header & (VERSION | DIGEST) == VERSION)
}

/// The error for a message without a digest where one is required.
#[cold]
pub fn without_digest() -> Error {
    Error::new(
        Code::SchemaMismatch,
        "the message carries no digest of its schema, and this codec requires one: encode with `digest`",
    )
    .at(0)
    .path("$")
}

/// Whether the header of a message names a block of texts.
#[inline]
pub(crate) fn has_text(message: &[u8]) -> bool {
    message.first().is_some_and(|header| header & (TEXT | WIDE | UTF8) != 0)
}
