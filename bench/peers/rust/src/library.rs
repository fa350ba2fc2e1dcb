//! What the lab shows of a library beside its figures, and how one library carries values of one type.

use serde_json::{json, Value};

/// One library in one set-up.
pub struct Library {
    /// Of the crate, which tells the version; empty for what is no library.
    pub package: &'static str,
    /// typed, dynamic, schema or limit.
    pub kind: &'static str,
    /// What is validated while decoding.
    pub checks: &'static str,
    /// Whether it assumes that its input is friendly.
    pub trusted: bool,
    /// Whether it carries recursive types.
    pub recursive: bool,
    /// Whether it carries the user's own data, whose types have what serde derives.
    pub own: bool,
}

impl Library {
    /// One that works by serde's derive and trusts nobody.
    pub const fn serde(package: &'static str, kind: &'static str, checks: &'static str) -> Self {
        Library {
            package,
            kind,
            checks,
            trusted: false,
            recursive: true,
            own: true,
        }
    }

    /// The version that this program was built with.
    pub fn version(&self) -> &'static str {
        let lock = include_str!("../Cargo.lock");
        let after = lock.split(&format!("name = \"{}\"\nversion = \"", self.package)).nth(1);
        after.and_then(|text| text.split('"').next()).unwrap_or("built here")
    }

    /// What `list` prints of it.
    pub fn describe(&self) -> Value {
        let mut workloads = vec![
            "event",
            "ints",
            "doubles",
            "strings",
            "map",
            "booksRandom",
            "booksNum",
            "uniqueStrings",
            "uniqueRecords",
        ];
        workloads.extend(self.recursive.then_some("tree"));
        workloads.extend(self.own.then_some("data"));
        json!({
            "workloads": workloads, "version": self.version(), "kind": self.kind, "checks": self.checks,
            "trusted": self.trusted,
        })
    }
}

/// How one library carries values of type `T`. It panics at values that its format cannot carry.
pub trait Codec<T> {
    /// Owned bytes.
    fn encode(&mut self, value: &T) -> Vec<u8>;
    /// Encodes into memory that is kept; returns the number of bytes, none if the library has no such call.
    fn into(&mut self, value: &T) -> Option<usize>;
    /// An owned value.
    fn decode(&mut self, data: &[u8]) -> T;
}

/// One that can also decode to a value whose texts point into `data`.
pub trait Borrowing<T>: Codec<T> {
    /// Decodes and drops.
    fn borrowed(&mut self, data: &[u8]);
}
