//! The hop through Rust: decodes what came to typed values, encodes them again, and times it beside serde's formats.
//!
//! usage: samewire-tour WORK INCOMING (the language whose messages it takes)

mod loose;
mod timing;

use std::error::Error;
use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::time::Duration;

use samewire_pack::{Codec, Pack, Profile, Unpack};
use serde::de::DeserializeOwned;
use serde::Serialize;
use serde_json::{json, Value};
use timing::{measure, Operation};

include!(concat!(env!("SAMEWIRE_TOUR_TYPES"), "/types.rs"));

type Failure = Box<dyn Error>;

/// How long to measure.
struct Plan {
    warm: Duration,
    rounds: usize,
    round: Duration,
}

/// One way to write a data set.
struct Way<'a> {
    name: &'static str,
    ours: bool,
    data: Vec<u8>,
    encode: Box<dyn Fn() -> Vec<u8> + 'a>,
    decode: Box<dyn Fn(&[u8]) + 'a>,
}

fn way<'a, T>(
    name: &'static str,
    ours: bool,
    encode: impl Fn() -> Vec<u8> + 'a,
    decode: impl Fn(&[u8]) -> T + 'a,
) -> Way<'a> {
    Way {
        name,
        ours,
        data: encode(),
        encode: Box::new(encode),
        decode: Box::new(move |data| {
            black_box(decode(data));
        }),
    }
}

/// One data set: `T` is its type, `P` that of the peers.
fn carry<T, P>(work: &Path, incoming: &str, id: &str, plan: &Plan) -> Result<Value, Failure>
where
    T: Pack + for<'x> Unpack<'x>,
    P: Serialize + DeserializeOwned,
{
    let folder = work.join(id);
    let compact = Codec::<T>::new();
    let fast = Codec::<T>::new().profile(Profile::Fast);
    let value = compact.decode(&fs::read(folder.join(format!("{incoming}.pack")))?)?;
    let plain: P = serde_json::from_slice(&fs::read(folder.join("plain.json"))?)?;
    let ways = [
        way("Samewire compact", true, || compact.encode(&value).unwrap(), |data| compact.decode(data).unwrap()),
        way("Samewire fast", true, || fast.encode(&value).unwrap(), |data| fast.decode(data).unwrap()),
        way("JSON (serde_json)", false, || serde_json::to_vec(&plain).unwrap(), |data| serde_json::from_slice::<P>(data).unwrap()),
        way("msgpack (rmp-serde)", false, || rmp_serde::to_vec(&plain).unwrap(), |data| rmp_serde::from_slice::<P>(data).unwrap()),
        way("postcard", false, || postcard::to_stdvec(&plain).unwrap(), |data| postcard::from_bytes::<P>(data).unwrap()),
    ];
    fs::write(folder.join("rust.pack"), &ways[0].data)?;
    let mut operations: Vec<Operation<'_>> = ways
        .iter()
        .map(|way| Operation::new(|| drop(black_box((way.encode)()))))
        .chain(ways.iter().map(|way| Operation::new(|| (way.decode)(&way.data))))
        .collect();
    measure(&mut operations, plan.warm, plan.rounds, plan.round);
    let mut rows = Vec::new();
    for (index, way) in ways.iter().enumerate() {
        let file = format!("rust-{index}.bin");
        fs::write(folder.join(&file), &way.data)?;
        rows.push(json!({
            "name": way.name, "ours": way.ours, "file": file,
            "encode": operations[index].cpu, "decode": operations[ways.len() + index].cpu,
        }));
    }
    Ok(Value::Array(rows))
}

macro_rules! carry_all {
    ($(($id:literal, $types:ident, $plain:ident))*) => {
        fn carry_all(work: &Path, incoming: &str, plan: &Plan) -> Result<Value, Failure> {
            let mut sets = serde_json::Map::new();
            $(sets.insert($id.into(), carry::<$types::Root, $plain::Root>(work, incoming, $id, plan)?);)*
            Ok(Value::Object(sets))
        }
    };
}
for_each_set!(carry_all);

fn main() -> Result<(), Failure> {
    let mut arguments = std::env::args().skip(1);
    let (Some(work), Some(incoming)) = (arguments.next(), arguments.next()) else {
        return Err("usage: samewire-tour WORK INCOMING".into());
    };
    let work = Path::new(&work);
    let found: Value = serde_json::from_slice(&fs::read(work.join("tour.json"))?)?;
    let plan = Plan {
        warm: Duration::from_secs_f64(found["warm"].as_f64().unwrap_or(0.0)),
        rounds: found["rounds"].as_u64().unwrap_or(1) as usize,
        round: Duration::from_secs_f64(found["round"].as_f64().unwrap_or(0.0)),
    };
    let sets = carry_all(work, &incoming, &plan)?;
    let report = json!({ "runtime": env!("SAMEWIRE_TOUR_RUSTC"), "sets": sets });
    fs::write(work.join("rust.json"), format!("{report}\n"))?;
    Ok(())
}
