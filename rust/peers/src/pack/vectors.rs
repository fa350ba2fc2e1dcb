//! The vectors as they stand in `spec/vectors` (`spec/vectors/README.md`).

use crate::pack::hex;
use samewire_pack::schema::Difference;
use samewire_pack::{Limits, Profile};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// The root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// One case.
#[derive(Clone, Debug)]
pub struct Vector {
    /// Its file, as in `pack/integers.json`.
    pub file: String,
    fields: Value,
}

impl Vector {
    /// A text.
    ///
    /// # Panics
    /// The case has none of this name.
    pub fn text(&self, name: &str) -> &str {
        self.optional(name).unwrap_or_else(|| panic!("{self}: no text {name:?}"))
    }

    /// A text that may be missing.
    pub fn optional(&self, name: &str) -> Option<&str> {
        self.fields[name].as_str()
    }

    /// Bytes.
    ///
    /// # Panics
    /// The case has none of this name.
    pub fn bytes(&self, name: &str) -> Vec<u8> {
        hex::bytes(self.text(name)).unwrap_or_else(|| panic!("{self}: {name:?} is not hexadecimal"))
    }

    /// A list of bytes.
    ///
    /// # Panics
    /// The case has none of this name.
    pub fn list(&self, name: &str) -> Vec<Vec<u8>> {
        let items = self.fields[name].as_array().unwrap_or_else(|| panic!("{self}: no list {name:?}"));
        items
            .iter()
            .map(|item| item.as_str().and_then(hex::bytes).unwrap_or_else(|| panic!("{self}: {name:?}")))
            .collect()
    }

    /// The notations of the values of a `sorted` case.
    ///
    /// # Panics
    /// The case has none.
    pub fn values(&self) -> &[Value] {
        self.fields["values"].as_array().unwrap_or_else(|| panic!("{self}: no values"))
    }

    /// The notation of the value.
    pub fn value(&self) -> &Value {
        &self.fields["value"]
    }

    /// A field, null if it is missing.
    pub fn field(&self, name: &str) -> &Value {
        &self.fields[name]
    }

    /// Whether a flag is there and set.
    pub fn flag(&self, name: &str) -> bool {
        self.fields[name].as_bool().unwrap_or(false)
    }

    /// The offset of the error.
    pub fn at(&self) -> Option<usize> {
        number(&self.fields["at"])
    }

    /// The profile; `compact` where the case names none.
    pub fn profile(&self) -> Profile {
        profile(self.optional("profile").unwrap_or("compact")).unwrap_or_else(|| panic!("{self}: the profile"))
    }

    /// The limits: the default but for those that the case names.
    pub fn limits(&self) -> Limits {
        let mut limits = Limits::DEFAULT;
        for (name, value) in self.entries("limits") {
            set_limit(&mut limits, name, value);
        }
        limits
    }

    /// The first difference of two schemas, if the case has one.
    pub fn difference(&self) -> Option<Difference> {
        let found = self.fields["difference"].as_object()?;
        let text = |name: &str| found[name].as_str().unwrap_or_else(|| panic!("{self}: no text {name:?}")).to_owned();
        Some(Difference { path: text("path"), here: text("here"), there: text("there") })
    }

    /// What the message uses of each limit.
    pub fn uses(&self) -> impl Iterator<Item = (&str, usize)> {
        self.entries("uses")
    }

    fn entries<'v>(&'v self, name: &'v str) -> impl Iterator<Item = (&'v str, usize)> {
        let entries = self.fields[name].as_object().into_iter().flatten();
        entries.map(move |(key, value)| (key.as_str(), number(value).unwrap_or_else(|| panic!("{self}: {name}"))))
    }
}

impl std::fmt::Display for Vector {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let name = self.optional("name").unwrap_or_default();
        write!(f, "{}: {name} ({})", self.file, self.optional("kind").unwrap_or_default())
    }
}

fn number(value: &Value) -> Option<usize> {
    value.as_u64().and_then(|value| usize::try_from(value).ok())
}

/// The profile of this name.
pub fn profile(name: &str) -> Option<Profile> {
    match name {
        "compact" => Some(Profile::Compact),
        "fast" => Some(Profile::Fast),
        _ => None,
    }
}

/// Sets the limit of this name.
///
/// # Panics
/// There is none.
pub fn set_limit(limits: &mut Limits, name: &str, value: usize) {
    match name {
        "depth" => limits.depth = value as u32,
        "frame_bytes" => limits.frame_bytes = value,
        "text_bytes" => limits.text_bytes = value,
        "items" => limits.items = value as u64,
        "cells" => limits.cells = value as u64,
        "buffered_bytes" => limits.buffered_bytes = value,
        _ => panic!("no limit is called {name:?}"),
    }
}

/// All cases of all files, files in the order of their names.
///
/// # Panics
/// If the files are missing or are not vectors.
pub fn all() -> Vec<Vector> {
    ["pack", "columns"].into_iter().flat_map(of_part).collect()
}

/// All cases of one part, files in the order of their names.
///
/// # Panics
/// As [`all`].
pub fn of_part(part: &str) -> Vec<Vector> {
    let folder = root().join("spec/vectors").join(part);
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    paths.sort();
    paths.iter().flat_map(|path| of_file(part, path)).collect()
}

fn of_file(part: &str, path: &Path) -> Vec<Vector> {
    let file = format!("{part}/{}", path.file_name().unwrap_or_default().to_string_lossy());
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{file}: {error}"));
    let mut topic = read_json(&text).unwrap_or_else(|error| panic!("{file}: {error}"));
    let Value::Array(cases) = topic["cases"].take() else { panic!("{file}: no cases") };
    cases.into_iter().map(|fields| Vector { file: file.clone(), fields }).collect()
}

/// Reads JSON of any depth: a notation nests deeper than the value.
///
/// # Errors
/// If the text is not JSON.
pub fn read_json(text: &str) -> serde_json::Result<Value> {
    let mut reader = serde_json::Deserializer::from_str(text);
    reader.disable_recursion_limit();
    let value = serde::Deserialize::deserialize(&mut reader)?;
    reader.end()?;
    Ok(value)
}
