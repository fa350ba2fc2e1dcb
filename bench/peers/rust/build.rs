//! Finds the peers: every file `src/peers/with_NAME.rs`, which has `ROWS` and `run`, and `own` where it carries the user's own data.

use std::fmt::Write;
use std::path::PathBuf;
use std::{env, fs};

fn main() {
    let folder = PathBuf::from(env::var("CARGO_MANIFEST_DIR").expect("cargo's own")).join("src/peers");
    println!("cargo:rerun-if-changed={}", folder.display());
    let (mut modules, mut files, mut own) = (String::new(), String::new(), String::new());
    let mut paths: Vec<PathBuf> = fs::read_dir(&folder)
        .expect("the peers")
        .map(|entry| entry.expect("a file").path())
        .collect();
    paths.sort();
    for path in paths {
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let Some(stem) = name.strip_prefix("with_") else {
            continue;
        };
        writeln!(modules, "#[path = {path:?}]\npub mod {name};").expect("a String");
        writeln!(
            files,
            "    File {{ stem: {stem:?}, rows: {name}::ROWS, run: {name}::run }},"
        )
        .expect("a String");
        if fs::read_to_string(&path).expect("a peer").contains("pub fn own<") {
            writeln!(own, "        {stem:?} => {name}::own(row, value, plan),").expect("a String");
        }
    }
    let text = format!(
        "{modules}\n/// Every file of peers.\npub const FILES: &[File] = &[\n{files}];\n\n\
         /// Reports a peer on a value of the user's own type; returns false if its file carries none.\n\
         pub fn own<T: serde::Serialize + serde::de::DeserializeOwned + PartialEq>(stem: &str, row: &str, value: &T, plan: Plan) -> bool {{\n    \
         match stem {{\n{own}        _ => return false,\n    }}\n    true\n}}\n"
    );
    fs::write(
        PathBuf::from(env::var("OUT_DIR").expect("cargo's own")).join("peers.rs"),
        text,
    )
    .expect("a file");
}
