//! What a case of the vectors proves, by its kind (`spec/vectors/README.md`).

mod frames;
mod limits;
mod messages;
mod resolution;
mod schemas;
mod sorted;

use crate::pack::codecs::{by_schema, AnyCodec, Case, Options};
use crate::pack::vectors::Vector;
use samewire_pack::Error;
use std::collections::BTreeMap;

/// Why a case does not hold.
pub type Failure = String;

/// The types that cases name by their schema.
pub struct Checker {
    cases: BTreeMap<String, &'static Case>,
}

impl Default for Checker {
    fn default() -> Self {
        Checker { cases: by_schema() }
    }
}

impl Checker {
    /// Runs all checks of a case.
    ///
    /// # Errors
    /// The first check that fails.
    pub fn run(&self, vector: &Vector) -> Result<(), Failure> {
        match vector.text("kind") {
            "canonical" => messages::canonical(self, vector),
            "rewritten" => messages::rewritten(self, vector),
            "accepted" => messages::accepted(self, vector),
            "rejected" => messages::rejected(self, vector),
            "sorted" => sorted::is_one_message(self, vector),
            "resolved" => resolution::resolved(self, vector),
            "unresolved" => resolution::unresolved(self, vector),
            "schema" => schemas::read(vector),
            "bad_schema" => schemas::refused(vector),
            "difference" => schemas::differ(vector),
            "frames" => frames::scanned(vector),
            kind => Err(format!("no check for the kind {kind:?}")),
        }
    }

    fn codec(&self, vector: &Vector, options: Options) -> Result<Box<dyn AnyCodec>, Failure> {
        let schema = vector.text("schema");
        let case = self.cases.get(schema).ok_or_else(|| format!("no type was emitted for {schema}"))?;
        (case.codec)(options).map_err(|error| error.to_string())
    }
}

/// Whether something is as it should be.
fn same<T: PartialEq + std::fmt::Debug>(what: &str, got: T, wanted: T) -> Result<(), Failure> {
    if got == wanted {
        Ok(())
    } else {
        Err(format!("{what}: got {}, wanted {}", shown(&got), shown(&wanted)))
    }
}

fn shown(value: &impl std::fmt::Debug) -> String {
    let text = format!("{value:?}");
    if text.len() > 600 {
        text.chars().take(600).chain("...".chars()).collect()
    } else {
        text
    }
}

/// Whether there is an error of this code and offset, and of this path if one is given.
fn fails<T>(
    what: &str,
    got: Result<T, Error>,
    code: &str,
    at: Option<usize>,
    path: Option<&str>,
) -> Result<(), Failure> {
    let Err(error) = got else { return Err(format!("{what}: accepted, wanted {code} at {at:?} in {path:?}")) };
    let path_of_error = path.and(error.path.as_deref());
    same(what, (error.code.as_str(), error.at, path_of_error), (code, at, path))
}

fn works<T>(what: &str, got: Result<T, Error>) -> Result<T, Failure> {
    got.map_err(|error| format!("{what}: {error}"))
}
