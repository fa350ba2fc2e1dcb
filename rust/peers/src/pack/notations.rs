//! The notation of the structs, enums and unions of [`crate::types`].

use crate::types;

include!("../../../build/conformance/rust/notations.rs");
