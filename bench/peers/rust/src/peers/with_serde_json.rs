//! serde_json, told to read back the floats that it wrote: by default they may differ in the last bit. Texts with escapes cannot point into
//! the bytes, so that it has no borrowed form.

use crate::arguments::Plan;
use crate::library::{Codec, Library};
use crate::report::report;
use crate::shapes;
use serde::{de::DeserializeOwned, Serialize};

const LIBRARY: Library = Library::serde("serde_json", "typed", "syntax, UTF-8, depth");

pub const ROWS: &[(&str, Library)] = &[("serde_json", LIBRARY)];

/// Reports one row on one shape.
pub fn run(_: &str, shape: &str, plan: Plan) {
    shapes!(owned, LIBRARY, shape, plan, |value| SerdeJson::default());
}

/// Reports one row on a value of the user's own type.
pub fn own<T: Serialize + DeserializeOwned + PartialEq>(_: &str, value: &T, plan: Plan) {
    report(value, &mut SerdeJson::default(), &LIBRARY, plan, None);
}

/// Keeps the buffer that `into` writes to.
#[derive(Default)]
pub struct SerdeJson(Vec<u8>);

impl<T: Serialize + DeserializeOwned> Codec<T> for SerdeJson {
    fn encode(&mut self, value: &T) -> Vec<u8> {
        serde_json::to_vec(value).expect("any value of these types")
    }

    fn into(&mut self, value: &T) -> Option<usize> {
        self.0.clear();
        serde_json::to_writer(&mut self.0, value).expect("any value of these types");
        Some(self.0.len())
    }

    fn decode(&mut self, data: &[u8]) -> T {
        serde_json::from_slice(data).expect("bytes of encode")
    }
}
