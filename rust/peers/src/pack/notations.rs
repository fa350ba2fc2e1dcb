//! The notation of the structs, enums and unions of [`crate::pack::types`].

use crate::pack::types;

include!("../../../../build/peers/rust/notations.rs");
