//! `peers list` names the peers; `peers PEER WORKLOAD --warm S --samples N --sample S` times one of them on one workload.

use samewire_bench_peers::arguments::parse;
use samewire_bench_peers::library::Library;
use samewire_bench_peers::peers::{file_of, FILES};
use samewire_bench_peers::report::line;
use samewire_bench_peers::sampling;
use serde_json::{json, Map, Value};

fn main() {
    if let Some(arguments) = parse() {
        (file_of(&arguments.peer).run)(&arguments.peer, &arguments.workload, arguments.plan);
        return;
    }
    let rows = FILES.iter().flat_map(|file| file.rows);
    let peers: Map<String, Value> = rows
        .map(|(name, library)| ((*name).to_owned(), library.describe()))
        .collect();
    let criterion = Library::serde(sampling::PACKAGE, "", "").version();
    line(&json!({ "harness": format!("criterion {criterion}"), "peers": peers }));
}
