//! Messages and their values.

use super::{fails, frames, limits, same, works, Checker, Failure};
use crate::pack::codecs::{AnyCodec, Options};
use crate::pack::hex;
use crate::pack::vectors::Vector;
use samewire_pack::{walker, Limits, Profile};
use serde_json::Value;

pub(super) fn canonical(checker: &Checker, vector: &Vector) -> Result<(), Failure> {
    read_and_written(checker, vector, vector.value())
}

/// The value is a message in rows.
pub(super) fn rewritten(checker: &Checker, vector: &Vector) -> Result<(), Failure> {
    let fast = checker.codec(vector, Options { profile: Profile::Fast, ..Options::default() })?;
    let rows = vector.bytes("rows");
    let value = works("decoding rows", fast.decode(&rows))?;
    let notation = fast.write(&*value);
    drop(value);
    let columns = works("decoding columns", fast.decode(&vector.bytes("hex")))?;
    same("rows of columns", hex::text(&works("encoding rows", fast.encode(&*columns))?), hex::text(&rows))?;
    drop(columns);
    read_and_written(checker, vector, &notation)
}

fn read_and_written(checker: &Checker, vector: &Vector, notation: &Value) -> Result<(), Failure> {
    let options = Options {
        profile: vector.profile(),
        digest: vector.flag("digest"),
        check: vector.flag("check"),
        ..Options::default()
    };
    let codec = checker.codec(vector, options)?;
    let data = vector.bytes("hex");

    encodes(&*codec, notation, &data)?;
    let value = works("decoding", codec.decode(&data))?;
    same("the decoded value", &codec.write(&*value), notation)?;
    same("encoding what was decoded", hex::text(&works("encoding", codec.encode(&*value))?), hex::text(&data))?;
    drop(value);
    works("walking", walker::check(codec.schema(), &data, &Limits::DEFAULT))?;

    cut_short(&*codec, &data)?;
    for more in [0, 0xff] {
        let longer = [&data[..], &[more]].concat();
        fails("one byte more", codec.decode(&longer), "trailing", Some(data.len()), Some("$"))?;
    }
    limits::are_exact(checker, vector, options, notation)?;
    frames::back_to_back(&data)
}

fn encodes(codec: &dyn AnyCodec, notation: &Value, data: &[u8]) -> Result<(), Failure> {
    let value = codec.read(notation).map_err(|unfit| unfit.0)?;
    same("the notation", &codec.write(&*value), notation)?;
    same("encoding", hex::text(&works("encoding", codec.encode(&*value))?), hex::text(data))?;

    for size in [1, 7, usize::MAX] {
        let joined = works("encoding into pieces", codec.encode_chunks(&*value, size))?;
        same("encoding into pieces", hex::text(&joined), hex::text(data))?;
    }

    let mut out = b"before".to_vec();
    for times in 1..=2 {
        works("encoding into a buffer", codec.encode_into(&*value, &mut out))?;
        let wanted = [b"before", &data.repeat(times)[..]].concat();
        same("encoding into a buffer", hex::text(&out), hex::text(&wanted))?;
    }
    Ok(())
}

fn cut_short(codec: &dyn AnyCodec, data: &[u8]) -> Result<(), Failure> {
    (0..data.len()).try_for_each(|size| fails("a prefix", codec.decode(&data[..size]), "truncated", Some(size), None))
}

pub(super) fn accepted(checker: &Checker, vector: &Vector) -> Result<(), Failure> {
    let codec = checker.codec(vector, Options::default())?;
    let data = vector.bytes("hex");
    let canonical = vector.bytes("canonical");

    works("walking", walker::check(codec.schema(), &data, &Limits::DEFAULT))?;
    let value = works("decoding", codec.decode(&data))?;
    same("the decoded value", &codec.write(&*value), vector.value())?;
    same("encoding what was decoded", hex::text(&works("encoding", codec.encode(&*value))?), hex::text(&canonical))?;
    encodes(&*codec, vector.value(), &canonical)
}

pub(super) fn rejected(checker: &Checker, vector: &Vector) -> Result<(), Failure> {
    let options = Options { limits: vector.limits(), ..Options::default() };
    let codec = checker.codec(vector, options)?;
    let data = vector.bytes("hex");
    let (code, path) = (vector.text("error"), vector.optional("path"));
    fails("decoding", codec.decode(&data), code, vector.at(), path)?;
    fails("walking", walker::check(codec.schema(), &data, &options.limits), code, vector.at(), path)
}
