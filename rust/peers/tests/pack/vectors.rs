//! Runs every case of the vectors and says how many of each file hold.

use samewire_peers::pack::check::Checker;
use samewire_peers::pack::vectors::{self, root};
use serde_json::json;
use std::collections::BTreeMap;
use std::fs;

#[test]
fn every_case_holds() {
    let checker = Checker::default();
    let mut executed: BTreeMap<String, usize> = BTreeMap::new();
    let mut failures = Vec::new();
    for vector in vectors::all() {
        let count = executed.entry(vector.file.clone()).or_default();
        match checker.run(&vector) {
            Ok(()) => *count += 1,
            Err(failure) => failures.push(format!("{vector}\n    {failure}")),
        }
    }
    let folder = root().join("build/executed");
    fs::create_dir_all(&folder).unwrap();
    let report = json!({"language": "rust", "vectors": executed, "tests": 0});
    fs::write(folder.join("rust.json"), format!("{report:#}\n")).unwrap();
    assert!(failures.is_empty(), "{} cases do not hold:\n{}", failures.len(), failures.join("\n"));
}
