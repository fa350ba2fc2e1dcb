//! The notation of the structs, enums and unions of [`crate::pack::types`].

use crate::pack::types;

#[cfg(not(clippy))]
include!("../../../../build/peers/rust/notations.rs");

#[cfg(clippy)]
mod s0 {
    use super::types::s0::*;

    notation_struct!(Book { color = "color", place = "place" });
    notation_struct!(Shelf { number = "number" });
    notation_enum!(Color { Red = "red" });
    notation_union!(Place { Shelf = "Shelf" });
}
