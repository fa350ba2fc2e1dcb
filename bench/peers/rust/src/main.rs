//! `peers list` names the peers; `peers PEER WORKLOAD --warm S --samples N --sample S` times one of them on one shape.

mod peers;
mod records;
mod reference;
mod report;
mod timing;

use peers::{with_bincode, with_bitcode::Bitcode, with_postcard::Postcard, with_samewire};
use records::{Book, Event, Node};
use report::{report, Codec};
use samewire_pack::Profile;
use timing::Plan;

const PEERS: [&str; 6] = [
    "samewire-compact",
    "samewire-fast",
    "bitcode",
    "postcard",
    "bincode",
    "bincode-fixed",
];
const SHAPES: &str =
    r#""event", "ints", "doubles", "strings", "map", "booksRandom", "booksNum", "uniqueStrings", "uniqueRecords""#;

/// Every shape but the tree.
fn flat<C>(mut codec: C, shape: &str, plan: Plan)
where
    C: Codec<Event>
        + Codec<Vec<i32>>
        + Codec<Vec<f64>>
        + Codec<Vec<String>>
        + Codec<Vec<(String, i32)>>
        + Codec<Vec<Book>>,
{
    match shape {
        "event" => report(reference::event(), &mut codec, plan),
        "ints" => report(reference::ints(), &mut codec, plan),
        "doubles" => report(reference::doubles(), &mut codec, plan),
        "strings" => report(reference::strings(), &mut codec, plan),
        "map" => report(reference::map(), &mut codec, plan),
        "booksRandom" => report(reference::books_random(), &mut codec, plan),
        "booksNum" => report(reference::books_num(), &mut codec, plan),
        "uniqueStrings" => report(reference::unique_strings(), &mut codec, plan),
        "uniqueRecords" => report(reference::unique_records(), &mut codec, plan),
        _ => panic!("no shape {shape}"),
    }
}

/// Every shape.
fn all<C>(mut codec: C, shape: &str, plan: Plan)
where
    C: Codec<Event>
        + Codec<Vec<i32>>
        + Codec<Vec<f64>>
        + Codec<Vec<String>>
        + Codec<Vec<(String, i32)>>
        + Codec<Vec<Book>>
        + Codec<Node>,
{
    match shape {
        "tree" => report(reference::tree(), &mut codec, plan),
        _ => flat(codec, shape, plan),
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [peer, shape, flags @ ..] = &arguments[..] else {
        // bitcode, which works by columns, has no recursive types.
        let tree = |peer| if peer == "bitcode" { "" } else { r#", "tree""# };
        let peers = PEERS.map(|peer| format!(r#""{peer}": {{"workloads": [{SHAPES}{}]}}"#, tree(peer)));
        println!(r#"{{"peers": {{{}}}}}"#, peers.join(", "));
        return;
    };
    let number = |flag: &str, default: f64| {
        let at = flags.iter().position(|word| word == flag);
        at.map_or(default, |at| flags[at + 1].parse().expect("a number after each flag"))
    };
    let plan = Plan {
        warm: number("--warm", 0.2),
        samples: number("--samples", 5.0) as usize,
        sample: number("--sample", 0.05),
    };
    match (peer.as_str(), shape.as_str()) {
        ("samewire-compact", shape) => with_samewire::shape(shape, Profile::Compact, plan),
        ("samewire-fast", shape) => with_samewire::shape(shape, Profile::Fast, plan),
        ("bitcode", shape) => flat(Bitcode::new(), shape, plan),
        ("postcard", shape) => all(Postcard::new(), shape, plan),
        ("bincode", shape) => all(with_bincode::varint(), shape, plan),
        ("bincode-fixed", shape) => all(with_bincode::fixed(), shape, plan),
        _ => panic!("no peer {peer}"),
    }
}
