//! A module for every schema, `s0`, `s1`, …, each with a type `Root`.

include!("../../../../build/peers/rust/types.rs");
