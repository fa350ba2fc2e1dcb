//! `own PEER data --data FILE --schema FILE …` times one peer on the user's own data. It is compiled against `types.rs` in the folder that
//! `SAMEWIRE_BENCH_TYPES` names: `own::Root` for us and `plain::Root`, with what serde derives, for the peers.

#[allow(dead_code)] // data without mixtures has no use for it
#[path = "../../../../tour/rust/src/loose.rs"]
mod loose;

use samewire_bench_peers::arguments::{parse, Plan};
use samewire_bench_peers::library::{Codec, Library};
use samewire_bench_peers::peers::{
    with_bincode, with_bitcode, with_postcard, with_rmp_serde, with_samewire, with_serde_json,
};
use samewire_bench_peers::report::{line, report};
use samewire_pack::Profile;
use serde_json::json;
use std::fs;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::path::Path;

include!(concat!(env!("SAMEWIRE_BENCH_TYPES"), "/types.rs"));

/// The value is JSON for peers and, in the file beside, our own message for us.
fn ours(data: &Path, profile: Profile, plan: Plan) {
    let message = fs::read(data.with_file_name("value.pack")).expect("the value as a message");
    let mut codec = with_samewire::Samewire::<own::Root>::new(profile);
    let value = codec.decode(&message);
    report(&value, &mut codec, &with_samewire::LIBRARY, plan, None);
}

fn theirs<C: Codec<plain::Root>>(data: &Path, mut codec: C, library: &Library, plan: Plan) {
    let text = fs::read(data).expect("the value as JSON");
    let value = serde_json::from_slice(&text).expect("a value of its type");
    report(&value, &mut codec, library, plan, None);
}

fn run(peer: &str, data: &Path, plan: Plan) {
    match peer {
        "samewire-compact" => ours(data, Profile::Compact, plan),
        "samewire-fast" => ours(data, Profile::Fast, plan),
        "bincode" => theirs(
            data,
            with_bincode::BySerde(with_bincode::varint()),
            &with_bincode::LIBRARY,
            plan,
        ),
        "bincode-fixed" => theirs(
            data,
            with_bincode::BySerde(with_bincode::fixed()),
            &with_bincode::LIBRARY,
            plan,
        ),
        "bitcode" => theirs(data, with_bitcode::BySerde, &with_bitcode::LIBRARY, plan),
        "postcard" => theirs(data, with_postcard::postcard(), &with_postcard::LIBRARY, plan),
        "rmp-serde" => theirs(
            data,
            with_rmp_serde::RmpSerde::default(),
            &with_rmp_serde::LIBRARY,
            plan,
        ),
        "serde_json" => theirs(
            data,
            with_serde_json::SerdeJson::default(),
            &with_serde_json::LIBRARY,
            plan,
        ),
        _ => line(&json!({ "cannot": "its types have no derive of their own for the user's data" })),
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
