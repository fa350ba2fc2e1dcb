//! Bits of the header byte (`spec/pack.md` section 5), and the digest that follows it.

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
/// Written in the `fast` profile.
pub const FAST: u8 = 32;
/// The version in its place.
pub const VERSION: u8 = 1 << 6;

/// Where the digest ends in a message that carries one.
pub const DIGEST_END: usize = 9;

/// Returns the digest of the schema that a message was written with, or none if the message carries none. Nothing behind
/// the digest is looked at.
///
/// # Errors
/// `truncated` for a message that ends before the digest does, `unsupported` for one of another version.
pub fn digest_of(message: &[u8]) -> Result<Option<[u8; 8]>, Error> {
    let truncated = || Error::new(Code::Truncated, "the message ends before its digest").at(message.len()).path("$");
    let header = *message.first().ok_or_else(truncated)?;
    if header >> 6 != VERSION >> 6 {
        return Err(Error::new(Code::Unsupported, "this is not a message of version 1").at(0).path("$"));
    }
    if header & DIGEST == 0 {
        return Ok(None);
    }
    let digest = message.get(1..DIGEST_END).ok_or_else(truncated)?;
    Ok(Some(digest.try_into().expect("eight bytes")))
}

/// Whether a message of this version carries no digest: one that [`digest_of`] returns none for.
#[inline]
pub fn lacks_digest(message: &[u8]) -> bool {
    message.first().is_some_and(|header| header >> 6 == VERSION >> 6 && header & DIGEST == 0)
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

/// Whether the header of a message names a text block.
#[inline]
pub(crate) fn has_text(message: &[u8]) -> bool {
    message.first().is_some_and(|header| header & (TEXT | WIDE) != 0)
}
