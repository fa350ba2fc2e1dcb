//! No message under the limits makes a reader take more memory than the limit on cells stands for: 60 bytes a cell.
//!
//! The test encodes lists of many element types, as long as the limits allow, and lets a process of its own decode each. The
//! limits are a thirty-second of the default ones: what is measured grows with them.

use samewire_pack::{Any, BigInt, Bytes, Codec, Decimal, Duration, Limits, Map, Pack, Timestamp, Unpack, Uuid};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::process::Command;
use std::rc::Rc;
use std::{env, fs};

const PART: u64 = 32;
const LIMITS: Limits = Limits {
    frame_bytes: Limits::DEFAULT.frame_bytes / PART as usize,
    text_bytes: Limits::DEFAULT.text_bytes / PART as usize,
    items: Limits::DEFAULT.items / PART,
    cells: Limits::DEFAULT.cells / PART,
    ..Limits::DEFAULT
};
/// 60 bytes a cell, and what the process needs besides.
const MOST: u64 = LIMITS.cells * 60 + (4 << 20);

#[derive(Pack, Clone)]
struct Flag {
    on: bool,
}

#[derive(Pack, Clone, Default)]
struct Node {
    kids: Vec<Node>,
}

#[derive(Pack, Clone)]
struct Chain {
    next: Option<Box<Chain>>,
    large: Option<Lists>,
}

/// Little on the wire, much in memory: twelve absent lists.
#[derive(Pack, Clone, Default)]
struct Lists {
    a: Option<Vec<u8>>,
    b: Option<Vec<u8>>,
    c: Option<Vec<u8>>,
    d: Option<Vec<u8>>,
    e: Option<Vec<u8>>,
    f: Option<Vec<u8>>,
    g: Option<HashMap<u8, u8>>,
    h: Option<HashMap<u8, u8>>,
    i: Option<HashMap<u8, u8>>,
    j: Option<HashMap<u8, u8>>,
    k: Option<HashMap<u8, u8>>,
    l: Option<HashMap<u8, u8>>,
}

#[derive(Pack, Clone)]
#[allow(clippy::large_enum_variant, dead_code)]
enum Choice {
    Large(Lists),
    Small {},
}

/// A list of an element type and one value, again and again.
struct Shape {
    name: &'static str,
    message: fn() -> Vec<u8>,
    decode: fn(&[u8]) -> u64,
}

macro_rules! shapes {
    ($($name:literal: $type:ty = $value:expr;)*) => {
        const SHAPES: &[Shape] = &[$(Shape {
            name: $name,
            message: || message::<$type>(&|| $value),
            decode: decode::<$type>,
        }),*];
    };
}

shapes! {
    "bool": bool = false;
    "i8": i8 = 0;
    "option of i64": Option<i64> = None;
    "option of bool": Option<bool> = Some(true);
    "f64": f64 = 0.0;
    "empty string": String = String::new();
    "a string of one": String = "x".into();
    "ASCII named again": String = "x".repeat(95);
    "Latin-1 named again": String = "é".repeat(95);
    "boxed text": Box<str> = "é".repeat(95).into();
    "bigint": BigInt = BigInt::from(1i64);
    "decimal": Decimal = Decimal::new(1i64, 1);
    "uuid": Uuid = Uuid::default();
    "timestamp": Option<Timestamp> = None;
    "duration": Duration = Duration::new(0, 0).unwrap();
    "bytes": Bytes = Bytes(vec![1]);
    "empty list": Vec<i8> = Vec::new();
    "list of one": Vec<i8> = vec![1];
    "option of list": Option<Vec<i8>> = None;
    "list of empty lists": Vec<Vec<Vec<i8>>> = vec![Vec::new()];
    "option of hash map": Option<HashMap<i8, i8>> = None;
    "empty hash map": HashMap<i8, i8> = HashMap::new();
    "hash map of one": HashMap<i64, String> = HashMap::from([(1, String::new())]);
    "hash set of one": HashSet<String> = HashSet::from([String::new()]);
    "B-tree of one": BTreeMap<i64, String> = BTreeMap::from([(1, String::new())]);
    "B-tree set of one": BTreeSet<String> = BTreeSet::from([String::new()]);
    "B-tree of large values": BTreeMap<i8, Lists> = BTreeMap::from([(1, Lists::default())]);
    "hash map of large values": HashMap<i8, Lists> = HashMap::from([(1, Lists::default())]);
    "map of large values": Map<i8, Lists> = Map::try_from(vec![(1, Lists::default())]).unwrap();
    "large struct": Lists = Lists::default();
    "option of large struct": Option<Lists> = None;
    "option of large tuple": Option<(Lists, Lists)> = None;
    "box of large struct": Box<Lists> = Box::default();
    "union": Choice = Choice::Small {};
    "recursive": Node = Node::default();
    "boxed recursive": Chain = Chain { next: Some(Box::new(Chain { next: None, large: None })), large: None };
    "shared": Rc<Flag> = Rc::new(Flag { on: true });
    "shared large": Rc<Lists> = Rc::default();
    "box": Box<i8> = Box::new(1);
    "tuple": (i8,) = (1,);
    "any null": Any = Any::Null;
    "any text": Any = Any::String("é".repeat(95));
    "any bytes": Any = Any::Bytes(Bytes(vec![1]));
    "any list": Any = Any::List(vec![Any::Null]);
    "any map": Any = Any::Map(vec![(Any::Int(1), Any::Null)]);
    "any numbers": Any = Any::I8s(vec![1]);
    "any decimal": Any = Any::Decimal(Decimal::new(1i64, 1));
}

/// The longest message of a list of this value that a reader takes.
fn message<T>(value: &dyn Fn() -> T) -> Vec<u8>
where
    T: Pack + for<'a> Unpack<'a>,
{
    let codec = |cells| Codec::<Vec<T>>::new().limits(Limits { cells, ..LIMITS });
    let encode = |count| codec(LIMITS.cells).encode(&(0..count).map(|_| value()).collect::<Vec<T>>());
    // The least cells that a list of so many takes, so that what another element takes is known.
    let cells = |count| {
        let data = encode(count).unwrap();
        let (mut low, mut high) = (0, 1 << 24);
        while low < high {
            let middle = (low + high) / 2;
            match codec(middle).decode(&data) {
                Ok(_) => high = middle,
                Err(_) => low = middle + 1,
            }
        }
        low
    };
    let each = (cells(4000) - cells(2000)).div_ceil(2000);
    let bytes = encode(2000).unwrap().len().div_ceil(2000);
    let count = ((LIMITS.cells - 100) / each).min(LIMITS.items).min((LIMITS.frame_bytes / bytes) as u64);
    encode(count as usize).unwrap()
}

/// Decodes a message and returns by how many bytes the process has grown at most.
fn decode<T: for<'a> Unpack<'a>>(data: &[u8]) -> u64 {
    let codec = Codec::<Vec<T>>::new().limits(LIMITS);
    let before = status("VmRSS:");
    let value = codec.decode(data);
    let peak = status("VmHWM:");
    drop(value);
    peak.saturating_sub(before)
}

/// A number of bytes from what Linux tells of this process.
fn status(name: &str) -> u64 {
    let text = fs::read_to_string("/proc/self/status").unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix(name)).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() * 1024
}

#[test]
fn no_message_takes_more_than_its_cells() {
    if let Ok(index) = env::var("SHAPE") {
        let shape = &SHAPES[index.parse::<usize>().unwrap()];
        println!("grown by {}", (shape.decode)(&fs::read(env::var("MESSAGE").unwrap()).unwrap()));
        return;
    }
    let file = env::temp_dir().join(format!("samewire-shape-{}", std::process::id()));
    let mut over = Vec::new();
    for (index, shape) in SHAPES.iter().enumerate() {
        fs::write(&file, (shape.message)()).unwrap();
        let child = Command::new(env::current_exe().unwrap())
            .args(["--nocapture", "no_message_takes_more_than_its_cells"])
            .env("SHAPE", index.to_string())
            .env("MESSAGE", &file)
            .output()
            .unwrap();
        let text = String::from_utf8(child.stdout).unwrap();
        let grown = text.split("grown by ").nth(1).and_then(|rest| rest.lines().next()).expect("a number");
        let grown: u64 = grown.trim().parse().unwrap();
        println!("{:>6.1} bytes a cell: {}", grown as f64 / LIMITS.cells as f64, shape.name);
        if grown > MOST {
            over.push(format!("{}: {grown} bytes, more than {MOST}", shape.name));
        }
    }
    fs::remove_file(&file).unwrap();
    assert!(over.is_empty(), "{}", over.join("\n"));
}
