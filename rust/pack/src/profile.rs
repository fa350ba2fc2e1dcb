//! Profiles (`spec/pack.md` section 11).

/// How a writer writes. Every reader reads both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Profile {
    /// Repeated short texts become back references, integer rows are packed, long lists of structs are columns
    /// (`spec/columns.md`).
    #[default]
    Compact,
    /// None of these: larger and faster.
    Fast,
}

impl Profile {
    /// Whether texts are looked up, integers packed, and long lists of structs written as columns.
    pub const fn is_compact(self) -> bool {
        matches!(self, Profile::Compact)
    }
}
