//! The types of every schema of the vectors and the matrix are written by the Python emitter, not by cargo.

use std::path::Path;

const FOLDER: &str = "../../build/peers/rust";

fn main() {
    for file in ["types.rs", "notations.rs"] {
        let path = Path::new(FOLDER).join(file);
        println!("cargo::rerun-if-changed={}", path.display());
        assert!(path.exists(), "build/peers/rust/{file} is missing: run `make peer-types`");
    }
}
