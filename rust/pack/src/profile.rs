//! Profiles (`spec/pack.md` section 11).

/// How a writer writes. Every reader reads both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Profile {
    /// Repeated short texts become back references, integer rows are packed.
    #[default]
    Compact,
    /// Neither: larger and faster.
    Fast,
}
