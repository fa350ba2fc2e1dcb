//! `own PEER data --data FILE --schema FILE …` times one peer on the user's own data. It is compiled against `types.rs` in the folder that
//! `SAMEWIRE_BENCH_TYPES` names: `own::Root` for us and `plain::Root`, with what they derive, for the peers.

#[allow(dead_code)] // data without mixtures has no use for it
#[path = "../../../../tour/rust/src/loose.rs"]
mod loose;

use samewire_bench_peers::arguments::{parse, Plan};
use samewire_bench_peers::peers::{file_of, with_samewire};
use samewire_bench_peers::report::line;
use serde_json::json;
use std::fs;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::path::Path;

include!(concat!(env!("SAMEWIRE_BENCH_TYPES"), "/types.rs"));

/// The value is in files beside: JSON for peers and our own message for us.
fn run(row: &str, data: &Path, plan: Plan) {
    let stem = file_of(row).stem;
    if stem == "samewire" {
        let message = fs::read(data.with_file_name("value.pack")).expect("the value as a message");
        with_samewire::message::<own::Root>(row, &message, plan);
        return;
    }
    let text = fs::read(data.with_file_name("peers.json")).expect("the value as JSON");
    let value: plain::Root = serde_json::from_slice(&text).expect("a value of its type");
    if !carried::own(stem, row, &value, plan) {
        line(&json!({ "cannot": "its types have no derive of their own for the user's data" }));
    }
}

fn main() {
    let arguments = parse().expect("PEER data --data FILE");
    let data = arguments.data.expect("--data FILE");
    std::panic::set_hook(Box::new(|panic| {
        let text = panic.payload_as_str().unwrap_or("it failed");
        line(&json!({ "cannot": text }));
    }));
    let _ = catch_unwind(AssertUnwindSafe(|| run(&arguments.peer, &data, arguments.plan)));
}
