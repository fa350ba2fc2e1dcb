//! A module for every schema, `s0`, `s1`, …, each with a type `Root`.

#[cfg(not(clippy))]
include!("../../../../build/peers/rust/types.rs");

// Emitted code allows clippy all, which would spend minutes on it: clippy sees one type of each kind in its place.
#[cfg(clippy)]
#[allow(missing_docs)]
pub mod s0 {
    use samewire_pack::Pack;

    #[derive(Clone, Debug, PartialEq, Pack)]
    pub struct Book {
        pub color: Color,
        pub place: Place,
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq, Pack)]
    pub enum Color {
        Red,
    }

    #[derive(Clone, Debug, PartialEq, Pack)]
    pub enum Place {
        Shelf(Shelf),
    }

    #[derive(Clone, Debug, PartialEq, Pack)]
    pub struct Shelf {
        pub number: i32,
    }

    pub type Root = Book;
}

#[cfg(clippy)]
macro_rules! for_each_schema {
    ($visit:ident) => {
        $visit! {
            ("s0", s0)
        }
    };
}
