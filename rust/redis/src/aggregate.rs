//! Which elements of a reply contain others.

/// The kinds of elements that contain others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aggregate {
    /// `*`
    Array,
    /// `~`
    Set,
    /// `%`
    Map,
    /// `>`: out-of-band data, at the top level only.
    Push,
    /// `|`: stands before the element that it describes.
    Attribute,
}

impl Aggregate {
    /// Elements that one entry is made of: 2 for maps and attributes.
    pub const fn arity(self) -> usize {
        match self {
            Aggregate::Map | Aggregate::Attribute => 2,
            Aggregate::Array | Aggregate::Set | Aggregate::Push => 1,
        }
    }
}
