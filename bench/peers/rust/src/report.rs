//! What one peer shows on one workload, one JSON object a line: the encoded bytes, then a cost for each operation.

use crate::allocations;
use crate::arguments::Plan;
use crate::library::{Codec, Library};
use crate::sampling::{once, repeated, Cost};
use serde_json::{json, Value};
use std::fmt::Write;
use std::hint::black_box;

/// Prints one line of the report.
pub fn line(object: &Value) {
    println!("{object}");
}

fn cost(op: &str, cost: &Cost, (allocs, heap): (u64, u64)) {
    line(&json!({ "op": op, "unit": "ns/op", "cpu": cost.cpu, "wall": cost.wall, "allocs": allocs, "heap": heap }));
}

fn time<R>(op: &str, plan: Plan, mut operation: impl FnMut() -> R) {
    black_box(operation());
    let counted = allocations::of(|| black_box(operation()));
    cost(op, &repeated(op, plan, operation), counted);
}

/// Verifies the round trip, then times every operation. `borrowed`: decodes to a value that points into the bytes.
pub fn report<T: PartialEq, C: Codec<T>>(
    value: &T,
    codec: &mut C,
    library: &Library,
    plan: Plan,
    borrowed: Option<fn(&mut C, &[u8])>,
) {
    if plan.samples == 0 {
        if library.kind != "limit" {
            let first = once(|| {
                let data = codec.encode(value);
                codec.decode(&data)
            });
            line(
                &json!({ "op": "first", "unit": "ns/op", "cpu": first.cpu, "wall": first.wall, "allocs": null, "heap": null }),
            );
        }
        return;
    }
    let data = codec.encode(value);
    let back = codec.decode(&data);
    let hex = data.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").expect("writing to a String");
        text
    });
    line(&json!({ "version": library.version(), "hex": hex }));
    if back != *value {
        line(&json!({ "wrong": "the decoded value differs from the encoded one" }));
        return;
    }
    let kept = codec.into(value);
    if kept.is_some_and(|length| length != data.len()) {
        line(&json!({ "wrong": "encoding into a buffer gives another length" }));
        return;
    }
    time("encode", plan, || codec.encode(black_box(value)));
    if kept.is_some() {
        time("into", plan, || codec.into(black_box(value)));
    }
    time("decode", plan, || codec.decode(black_box(&data)));
    if let Some(borrowed) = borrowed {
        time("borrowed", plan, || borrowed(codec, black_box(&data)));
    }
}
