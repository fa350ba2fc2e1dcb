//! Equal maps are written as one message, independent of the order of their entries.

use super::{same, works, Checker, Failure};
use crate::pack::codecs::Options;
use crate::pack::hex;
use crate::pack::vectors::Vector;
use samewire_pack::{Codec, Profile, Unpack};
use std::collections::HashMap;

pub(super) fn is_one_message(checker: &Checker, vector: &Vector) -> Result<(), Failure> {
    let profile = vector.profile();
    let codec = checker.codec(vector, Options { profile, sort_keys: true, ..Options::default() })?;
    let plain = checker.codec(vector, Options { profile, ..Options::default() })?;
    let data = vector.bytes("hex");
    for notation in vector.values() {
        let value = codec.read(notation).map_err(|unfit| unfit.0)?;
        same("encoding", hex::text(&works("encoding", codec.encode(&*value))?), hex::text(&data))?;
        let joined = works("encoding into pieces", codec.encode_chunks(&*value, 7))?;
        same("encoding into pieces", hex::text(&joined), hex::text(&data))?;
    }
    let value = works("decoding", plain.decode(&data))?;
    same("encoding what was decoded", hex::text(&works("encoding", plain.encode(&*value))?), hex::text(&data))?;
    match vector.text("schema") {
        "map<string, i32>" => without_order::<HashMap<String, i32>>(profile, &data),
        "map<bool, string>" => without_order::<HashMap<bool, String>>(profile, &data),
        "list<map<string, u8>>" => without_order::<Vec<HashMap<String, u8>>>(profile, &data),
        "map<i32, map<i32, bool>>" => without_order::<HashMap<i32, HashMap<i32, bool>>>(profile, &data),
        _ => Ok(()),
    }
}

/// Equal hash maps encode to one message by default, though each `HashMap` has a seed of its own.
fn without_order<T: for<'a> Unpack<'a>>(profile: Profile, data: &[u8]) -> Result<(), Failure> {
    let codec = Codec::<T>::new().profile(profile).check(false);
    (0..4).try_for_each(|_| {
        let value = works("decoding hash maps", codec.decode(data))?;
        same("encoding hash maps", hex::text(&works("encoding", codec.encode(&value))?), hex::text(data))
    })
}
