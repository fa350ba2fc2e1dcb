//! `peers list` names the peers; `peers PEER WORKLOAD --warm S --samples N --sample S` times one of them on one workload.

use samewire_bench_peers::arguments::{parse, Plan};
use samewire_bench_peers::library::{Borrowing, Codec, Library};
use samewire_bench_peers::peers::{
    with_bincode, with_bitcode, with_limit, with_postcard, with_rkyv, with_rmp_serde, with_samewire, with_serde_json,
};
use samewire_bench_peers::reference::{self, digest, Dump};
use samewire_bench_peers::report::{line, report};
use samewire_bench_peers::sampling;
use samewire_pack::{Map, Profile};
use serde_json::json;

const PEERS: [(&str, Library); 10] = [
    ("samewire-compact", with_samewire::LIBRARY),
    ("samewire-fast", with_samewire::LIBRARY),
    ("bincode", with_bincode::LIBRARY),
    ("bincode-fixed", with_bincode::LIBRARY),
    ("bitcode", with_bitcode::LIBRARY),
    ("postcard", with_postcard::LIBRARY),
    ("rkyv", with_rkyv::LIBRARY),
    ("rmp-serde", with_rmp_serde::LIBRARY),
    ("serde_json", with_serde_json::LIBRARY),
    ("limit", with_limit::LIBRARY),
];

fn told<T: Dump>(value: T) -> T {
    line(&json!({ "digest": format!("{:016x}", digest(&value)) }));
    value
}

fn owned<T: PartialEq + Dump, C: Codec<T>>(value: T, mut codec: C, library: &Library, plan: Plan) {
    report(&told(value), &mut codec, library, plan, None)
}

fn viewed<T: PartialEq + Dump, C: Borrowing<T>>(value: T, mut codec: C, library: &Library, plan: Plan) {
    report(&told(value), &mut codec, library, plan, Some(C::borrowed))
}

/// Calls `$run` with the value of a shape and what `$codec` makes of it; shapes that not every library has, or not alike, are named last.
macro_rules! shapes {
    ($shape:expr, $plan:expr, $library:expr, $run:ident, |$value:ident| $codec:expr $(, $name:literal: $extra:expr)*) => {{
        macro_rules! with {
            ($made:expr) => {{
                let $value = $made;
                let codec = $codec;
                $run($value, codec, $library, $plan)
            }};
        }
        match $shape {
            "event" => with!(reference::event()),
            "ints" => with!(reference::ints()),
            "doubles" => with!(reference::doubles()),
            "strings" => with!(reference::strings()),
            "booksRandom" => with!(reference::books_random()),
            "booksNum" => with!(reference::books_num()),
            "uniqueStrings" => with!(reference::unique_strings()),
            "uniqueRecords" => with!(reference::unique_records()),
            $($name => with!($extra),)*
            shape => panic!("no shape {shape}"),
        }
    }};
}

fn run(peer: &str, library: &Library, shape: &str, plan: Plan) {
    let (tree, pairs) = (reference::tree, reference::map);
    let map = || Map::try_from(reference::map()).expect("distinct keys");
    match peer {
        "samewire-compact" => {
            shapes!(shape, plan, library, viewed, |value| with_samewire::viewing(&value, Profile::Compact), "tree": tree(), "map": map())
        }
        "samewire-fast" => {
            shapes!(shape, plan, library, viewed, |value| with_samewire::viewing(&value, Profile::Fast), "tree": tree(), "map": map())
        }
        "bincode" => {
            shapes!(shape, plan, library, viewed, |value| with_bincode::varint(), "tree": tree(), "map": pairs())
        }
        "bincode-fixed" => {
            shapes!(shape, plan, library, viewed, |value| with_bincode::fixed(), "tree": tree(), "map": pairs())
        }
        "bitcode" => shapes!(shape, plan, library, viewed, |value| with_bitcode::Bitcode::default(), "map": pairs()),
        "postcard" => {
            shapes!(shape, plan, library, viewed, |value| with_postcard::postcard(), "tree": tree(), "map": pairs())
        }
        "rkyv" => {
            shapes!(shape, plan, library, viewed, |value| with_rkyv::Rkyv::default(), "tree": tree(), "map": pairs())
        }
        "rmp-serde" => {
            shapes!(shape, plan, library, viewed, |value| with_rmp_serde::RmpSerde::default(), "tree": tree(), "map": pairs())
        }
        "serde_json" => {
            shapes!(shape, plan, library, owned, |value| with_serde_json::SerdeJson::default(), "tree": tree(), "map": pairs())
        }
        "limit" => {
            shapes!(shape, plan, library, owned, |value| with_limit::limit(&value), "tree": tree(), "map": pairs())
        }
        _ => panic!("no peer {peer}"),
    }
}

fn main() {
    let Some(arguments) = parse() else {
        let peers: serde_json::Map<String, serde_json::Value> = PEERS
            .iter()
            .map(|(name, library)| ((*name).to_owned(), library.describe()))
            .collect();
        let criterion = Library::serde(sampling::PACKAGE, "", "").version();
        line(&json!({ "harness": format!("criterion {criterion}"), "peers": peers }));
        return;
    };
    let found = PEERS.iter().find(|(name, _)| *name == arguments.peer);
    let (name, library) = found.unwrap_or_else(|| panic!("no peer {}", arguments.peer));
    run(name, library, &arguments.workload, arguments.plan);
}
