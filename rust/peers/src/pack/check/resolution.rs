//! Reading what another schema wrote.

use super::{fails, same, works, Checker, Failure};
use crate::pack::codecs::Options;
use crate::pack::vectors::Vector;

pub(super) fn resolved(checker: &Checker, vector: &Vector) -> Result<(), Failure> {
    let codec = checker.codec(vector, Options { limits: vector.limits(), ..Options::default() })?;
    let decoder = works("resolving", codec.resolve(vector.text("writer")))?;
    let data = vector.bytes("hex");
    let value = works("decoding", decoder.decode(&data))?;
    same("the decoded value", &codec.write(&*value), vector.value())?;
    (0..data.len()).try_for_each(|size| fails("a prefix", decoder.decode(&data[..size]), "truncated", Some(size), None))
}

pub(super) fn unresolved(checker: &Checker, vector: &Vector) -> Result<(), Failure> {
    let codec = checker.codec(vector, Options { limits: vector.limits(), ..Options::default() })?;
    let (code, path) = (vector.text("error"), vector.optional("path"));
    let decoder = codec.resolve(vector.text("writer"));
    if vector.optional("hex").is_none() {
        return fails("resolving", decoder.map(|_| ()), code, vector.at(), path);
    }
    let decoder = works("resolving", decoder)?;
    fails("decoding", decoder.decode(&vector.bytes("hex")), code, vector.at(), path)
}
