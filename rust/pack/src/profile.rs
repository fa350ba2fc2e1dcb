//! Profiles (`spec/pack.md` section 11).

/// How a writer writes. Every reader reads both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Profile {
    /// Repeated short texts become back references, integer rows are packed.
    #[default]
    Compact,
    /// Neither: larger and faster.
    Fast,
    /// `Compact` with long lists of structs in columns (`spec/columns.md`). A draft: the bytes may change until `Compact` writes
    /// them.
    Columns,
}

impl Profile {
    /// Whether texts are looked up and integers packed.
    pub const fn is_compact(self) -> bool {
        !matches!(self, Profile::Fast)
    }

    /// Whether long lists of structs are written as columns.
    pub const fn writes_columns(self) -> bool {
        matches!(self, Profile::Columns)
    }
}
