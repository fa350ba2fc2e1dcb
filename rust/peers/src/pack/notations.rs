//! The notation of the structs, enums and unions of [`crate::pack::types`].

use crate::pack::types;

include!("../../../../build/conformance/rust/notations.rs");
