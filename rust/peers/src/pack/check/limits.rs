//! Each limit lets through what uses it up and refuses one more.

use super::{same, works, Checker, Failure};
use crate::pack::codecs::Options;
use crate::pack::vectors::{set_limit, Vector};
use samewire_pack::{Error, Limits};
use serde_json::Value;

pub(super) fn are_exact(checker: &Checker, vector: &Vector, options: Options, notation: &Value) -> Result<(), Failure> {
    let data = vector.bytes("hex");
    let mut limits = Limits::DEFAULT;
    for (name, used) in vector.uses() {
        set_limit(&mut limits, name, used.max(1));
    }
    let codec = checker.codec(vector, Options { limits, ..options })?;
    let value = works("decoding at the limits", codec.decode(&data))?;
    same("the value at the limits", &codec.write(&*value), notation)?;
    same("encoding at the limits", works("encoding at the limits", codec.encode(&*value))?, data.clone())?;

    for (name, used) in vector.uses().filter(|(_, used)| *used >= 2) {
        let mut limits = Limits::DEFAULT;
        set_limit(&mut limits, name, used - 1);
        let codec = checker.codec(vector, Options { limits, ..options })?;
        refused("decoding", name, codec.decode(&data))?;
        if matches!(name, "frame_bytes" | "depth" | "items" | "cells") {
            refused("encoding", name, codec.encode(&*value))?;
        }
    }
    Ok(())
}

fn refused<T>(what: &str, name: &str, got: Result<T, Error>) -> Result<(), Failure> {
    let code = match name {
        "depth" => "limit_depth",
        "items" | "cells" => "limit_items",
        _ => "limit_size",
    };
    match got {
        Ok(_) => Err(format!("{what} over the limit {name}: accepted")),
        Err(error) => same(&format!("{what} over the limit {name}"), error.code.as_str(), code),
    }
}
