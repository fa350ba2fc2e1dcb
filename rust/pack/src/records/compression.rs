//! zstd for blocks of records: feature `zstd`.

use alloc::string::String;
use alloc::vec::Vec;

/// How blocks of records are packed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Compression {
    /// They are not.
    #[default]
    None,
    /// By zstd at level 3, its own default. Needs the feature `zstd`; opening a writer is `unsupported` without.
    Zstd,
}

impl Compression {
    /// Whether this build has it.
    pub const fn is_available(self) -> bool {
        matches!(self, Compression::None) || cfg!(feature = "zstd")
    }
}

pub(super) const MISSING: &str =
    "zstd needs the feature `zstd` of samewire-pack (cargo add samewire-pack --features zstd)";

/// Returns one frame that states its content size.
#[cfg(feature = "zstd")]
pub(super) fn compress(content: &[u8]) -> Result<Vec<u8>, String> {
    let mut frame = Vec::with_capacity(zstd_safe::compress_bound(content.len()));
    zstd_safe::compress(&mut frame, content, zstd_safe::CLEVEL_DEFAULT).map_err(reason)?;
    Ok(frame)
}

/// Returns the content of a frame, `size` bytes. Nothing is allocated for a frame that states another size.
#[cfg(feature = "zstd")]
pub(super) fn expand(frame: &[u8], size: usize) -> Result<Vec<u8>, String> {
    let stated = zstd_safe::get_frame_content_size(frame).ok().flatten();
    if stated != Some(size as u64) {
        return Err(format!("expected a zstd frame that states a content of {size} bytes"));
    }
    if zstd_safe::find_frame_compressed_size(frame).map_err(reason)? != frame.len() {
        return Err("expected one zstd frame, and nothing behind it".into());
    }
    let mut content = Vec::with_capacity(size);
    zstd_safe::decompress(&mut content, frame).map_err(reason)?;
    if content.len() != size {
        return Err(format!("the zstd frame holds {} bytes, {size} are stated", content.len()));
    }
    Ok(content)
}

#[cfg(feature = "zstd")]
fn reason(code: zstd_safe::ErrorCode) -> String {
    format!("zstd: {}", zstd_safe::get_error_name(code))
}

#[cfg(not(feature = "zstd"))]
pub(super) fn compress(_: &[u8]) -> Result<Vec<u8>, String> {
    Err(MISSING.into())
}

#[cfg(not(feature = "zstd"))]
pub(super) fn expand(_: &[u8], _: usize) -> Result<Vec<u8>, String> {
    Err(MISSING.into())
}
