//! The hop through Rust: decodes what came to typed values, encodes them again, and times it beside serde's formats.
//!
//! usage: samewire-tour WORK INCOMING (the language whose messages it takes)

#[allow(dead_code)] // data without mixtures has no use for it
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

/// Decodes and drops.
type Decode<'a> = dyn Fn(&[u8]) + 'a;

/// One way to write a data set.
struct Way<'a> {
    name: &'static str,
    data: Vec<u8>,
    encode: Box<dyn Fn() + 'a>,
    decode: Box<Decode<'a>>,
}

/// Both functions are tried once; what has worked is taken to work again.
fn way<'a, T, E: Into<Failure>, D: Into<Failure>>(
    name: &'static str,
    encode: impl Fn() -> Result<Vec<u8>, E> + 'a,
    decode: impl Fn(&[u8]) -> Result<T, D> + 'a,
) -> Result<Way<'a>, Failure> {
    let data = encode().map_err(Into::into)?;
    decode(&data).map_err(Into::into)?;
    Ok(Way {
        name,
        data,
        encode: Box::new(move || drop(black_box(encode().map_err(|_| ())))),
        decode: Box::new(move |data| drop(black_box(decode(data).map_err(|_| ())))),
    })
}

const TYPED: [&str; 3] = ["JSON (serde_json)", "msgpack (rmp-serde)", "postcard"];
const UNTYPED: [&str; 3] = ["JSON (serde_json, untyped)", "msgpack (rmp-serde, untyped)", "postcard (untyped)"];

/// One data set: `T` is its type, `P` that of the peers, `untyped` if that is any JSON.
fn carry<T, P>(work: &Path, incoming: &str, id: &str, untyped: bool, plan: &Plan) -> Result<Value, Failure>
where
    T: Pack + for<'x> Unpack<'x>,
    P: Serialize + DeserializeOwned,
{
    let folder = work.join(id);
    let compact = Codec::<T>::new();
    let fast = Codec::<T>::new().profile(Profile::Fast);
    let value = compact.decode(&fs::read(folder.join(format!("{incoming}.pack")))?)?;
    let text = fs::read(folder.join("plain.json"))?;
    let plain = serde_json::from_slice::<P>(&text).map_err(|error| error.to_string());
    let plain = || plain.as_ref().map_err(|error| Failure::from(error.as_str()));
    let ours = [
        way("Samewire compact", || compact.encode(&value), |data| compact.decode(data))?,
        way("Samewire fast", || fast.encode(&value), |data| fast.decode(data))?,
    ];
    let names = if untyped { UNTYPED } else { TYPED };
    let peers = [
        plain().and_then(|plain| way(names[0], || serde_json::to_vec(plain), |data| serde_json::from_slice::<P>(data))),
        plain().and_then(|plain| way(names[1], || rmp_serde::to_vec(plain), |data| rmp_serde::from_slice::<P>(data))),
        plain().and_then(|plain| way(names[2], || postcard::to_stdvec(plain), |data| postcard::from_bytes::<P>(data))),
    ];
    fs::write(folder.join("rust.pack"), &ours[0].data)?;
    let (mut ways, mut refused) = (Vec::from(ours), Vec::new());
    for (name, peer) in names.into_iter().zip(peers) {
        match peer {
            Ok(way) => ways.push(way),
            Err(reason) => refused.push(json!({ "name": name, "refused": reason.to_string() })),
        }
    }
    let mut rows = time(&ways, plan, &folder)?;
    rows.extend(refused);
    Ok(Value::Array(rows))
}

/// Times all ways, keeps their bytes, and returns a row for each.
fn time(ways: &[Way<'_>], plan: &Plan, folder: &Path) -> Result<Vec<Value>, Failure> {
    let mut operations: Vec<Operation<'_>> = ways
        .iter()
        .map(|way| Operation::new(&way.encode))
        .chain(ways.iter().map(|way| Operation::new(|| (way.decode)(&way.data))))
        .collect();
    measure(&mut operations, plan.warm, plan.rounds, plan.round);
    let mut rows = Vec::new();
    for (index, way) in ways.iter().enumerate() {
        let file = format!("rust-{index}.bin");
        fs::write(folder.join(&file), &way.data)?;
        rows.push(json!({
            "name": way.name, "ours": way.name.starts_with("Samewire"), "file": file,
            "encode": operations[index].cpu, "decode": operations[ways.len() + index].cpu,
        }));
    }
    Ok(rows)
}

macro_rules! carry_all {
    ($(($id:literal, $types:ident, $plain:ident))*) => {
        fn carry_all(work: &Path, incoming: &str, plan: &Plan) -> Result<Value, Failure> {
            let mut sets = serde_json::Map::new();
            $(sets.insert($id.into(), carry::<$types::Root, $plain::Root>(work, incoming, $id, $plain::UNTYPED, plan)?);)*
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
