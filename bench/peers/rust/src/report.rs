//! What one peer shows on one shape, one JSON object a line: the data's digest, the encoded bytes, a cost for each operation.

use crate::reference::{digest, Dump};
use crate::timing::{repeated, Cost, Plan};
use std::fmt::Write;
use std::hint::black_box;

/// How one library carries values of type `T`.
pub trait Codec<T> {
    /// The library's version.
    const VERSION: &'static str;
    /// Owned bytes.
    fn encode(&mut self, value: &T) -> Vec<u8>;
    /// Encodes into memory that is kept; answers the number of bytes.
    fn into(&mut self, value: &T) -> usize;
    /// An owned value.
    fn decode(&mut self, data: &[u8]) -> T;
    /// Decodes to a value whose texts point into `data`, and drops it.
    fn borrowed(&mut self, data: &[u8]);
}

/// Verifies the round trip, then times every operation.
pub fn report<T: PartialEq + Dump, C: Codec<T>>(value: T, codec: &mut C, plan: Plan) {
    println!("{{\"digest\": \"{:016x}\"}}", digest(&value));
    let data = codec.encode(&value);
    let hex = data.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").expect("writing to a String");
        text
    });
    println!("{{\"version\": \"{}\", \"hex\": \"{hex}\"}}", C::VERSION);
    if codec.decode(&data) != value {
        println!("{{\"wrong\": \"the decoded value differs from the encoded one\"}}");
        return;
    }
    if codec.into(&value) != data.len() {
        println!("{{\"wrong\": \"encoding into a buffer gives another length\"}}");
        return;
    }
    line("encode", &repeated(|| codec.encode(black_box(&value)), plan));
    line("into", &repeated(|| codec.into(black_box(&value)), plan));
    line("decode", &repeated(|| codec.decode(black_box(&data)), plan));
    line("borrowed", &repeated(|| codec.borrowed(black_box(&data)), plan));
}

fn line(op: &str, cost: &Cost) {
    println!(
        "{{\"op\": \"{op}\", \"cpu\": {:?}, \"wall\": {:?}}}",
        cost.cpu, cost.wall
    );
}
