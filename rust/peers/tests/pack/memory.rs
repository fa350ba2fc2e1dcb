//! Counts that lie, one inside the other, make no decoder take more than a small multiple of its input, and a value whose
//! parts are one and the same makes no encoder take more than one of `frame_bytes`.

use samewire_pack::schema::Schema;
use samewire_pack::{walker, Any, Code, Codec, Limits, Map, Pack, Profile, Unpack};
use samewire_peers::memory::{measured, Counting};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

#[global_allocator]
static MEMORY: Counting = Counting;

/// Bytes of every message.
const LENGTH: usize = 1 << 20;
/// Room for 64 bytes for each byte of the message (`spec/pack.md` section 12) in all rows that are open, as much for one
/// row of numbers inside them, and a little for everything else.
const MOST: usize = 130 * LENGTH;

#[derive(Pack)]
struct Tree {
    kids: Vec<Tree>,
}

#[derive(Pack)]
struct Pair {
    at: Vec<(i32, Pair)>,
}

#[derive(Pack)]
struct Wide {
    kids: Vec<Wide>,
    a: Option<String>,
    b: Option<String>,
    c: Option<String>,
    d: Option<String>,
    e: Option<String>,
}

#[derive(Pack, Clone)]
struct Chain {
    kids: Vec<Rc<Chain>>,
}

#[derive(Pack)]
struct Named {
    kids: Vec<Named>,
    names: BTreeMap<String, Rc<Chain>>,
}

type Eight<T> = Vec<Vec<Vec<Vec<Vec<Vec<Vec<Vec<T>>>>>>>>;

/// A message of lists of which each claims to fill all that is left, and at the end nothing that is of any type.
/// `before` stands before a count, `after` behind it.
fn nested(levels: usize, before: &[u8], after: &[u8]) -> Vec<u8> {
    let mut reversed = vec![0xff; LENGTH - 8 * levels];
    for _ in 0..levels {
        reversed.extend(after.iter().rev());
        let mut count = reversed.len();
        let mut varint = Vec::new();
        while count >= 0x80 {
            varint.push(count as u8 | 0x80);
            count >>= 7;
        }
        varint.push(count as u8);
        reversed.extend(varint.iter().rev());
        reversed.extend(before.iter().rev());
    }
    reversed.push(0x80);
    reversed.reverse();
    reversed
}

fn bounded<T: for<'a> Unpack<'a>>(data: &[u8]) {
    let codec = Codec::<T>::new();
    let text = codec.schema().text().to_owned();
    let (_, peak) = measured(|| drop(codec.decode(data)));
    assert!(peak <= MOST, "decoding {text} took {peak} bytes for {}", data.len());

    let decoder = codec.resolve(&text).unwrap();
    let (_, peak) = measured(|| drop(decoder.decode(data)));
    assert!(peak <= MOST, "decoding {text} as another's took {peak} bytes for {}", data.len());

    let schema = Schema::parse(&text).unwrap();
    let (_, peak) = measured(|| drop(walker::check(&schema, data, &Limits::DEFAULT)));
    assert!(peak <= MOST, "walking {text} took {peak} bytes for {}", data.len());
}

/// Honest rows, one inside the other, get all their room at once: nothing is taken twice while they grow.
fn exact() {
    type Rows = Vec<Vec<(i32, bool, Option<i64>)>>;
    let rows: Rows = (0..300).map(|n| vec![(n, n % 2 == 0, None); 500]).collect();
    let codec = Codec::<Rows>::new();
    let data = Codec::<Rows>::new().profile(Profile::Fast).encode(&rows).unwrap();
    let held = size_of_val(&rows[..]) + rows.iter().map(|row| size_of_val(&row[..])).sum::<usize>();
    let (_, peak) = measured(|| drop(codec.decode(&data).unwrap()));
    assert_eq!(peak, held);
}

/// Parts that occur again and again are given up before they take more than what the buffers grow by.
fn endless() {
    fn given_up<T: Pack>(value: &T) {
        let codec = Codec::<T>::new().limits(Limits { frame_bytes: LENGTH, ..Limits::DEFAULT });
        let (error, peak) = measured(|| codec.encode(value).unwrap_err());
        assert_eq!(error.code, Code::LimitSize);
        assert!(peak <= 6 * LENGTH, "encoding {} took {peak} bytes", codec.schema().text());
    }
    let long = "x".repeat(10_000);
    given_up(&vec![&long[..]; 100_000]);
    let short: Vec<String> = (0..1000).map(|n| format!("{n:095}")).collect();
    let row: Vec<&str> = short.iter().map(String::as_str).collect();
    given_up(&vec![&row[..]; 100_000]);
}

/// One test, since the allocator counts for all threads together.
#[test]
fn lying_counts_do_not_add_up() {
    exact();
    endless();
    for levels in [1, 2, 8, 63] {
        bounded::<Tree>(&nested(levels, &[], &[]));
        bounded::<Pair>(&nested(levels, &[], &[0]));
        bounded::<Wide>(&nested(levels, &[0], &[]));
        bounded::<Chain>(&nested(levels, &[], &[0]));
        bounded::<Rc<Chain>>(&nested(levels, &[0], &[]));
        bounded::<Named>(&nested(levels, &[], &[]));
        bounded::<Any>(&nested(levels, &[0x08], &[]));
        bounded::<Any>(&nested(levels, &[0x09], &[0x03, 0x02]));
        bounded::<Vec<Any>>(&nested(levels, &[], &[0x08]));
    }
    bounded::<Eight<f64>>(&nested(8, &[], &[]));
    bounded::<Eight<u64>>(&nested(8, &[], &[]));
    bounded::<Eight<Option<i64>>>(&nested(8, &[], &[]));
    bounded::<Eight<String>>(&nested(8, &[], &[]));
    // The keys of a map come before its values, so that what claims too many is the last that is opened.
    bounded::<Eight<Map<String, u8>>>(&nested(9, &[], &[]));
    bounded::<Eight<BTreeMap<u32, Vec<u8>>>>(&nested(9, &[], &[]));
    bounded::<Eight<HashMap<i64, bool>>>(&nested(9, &[], &[]));
    bounded::<Eight<BTreeSet<u64>>>(&nested(9, &[], &[]));
    bounded::<Eight<Rc<Chain>>>(&nested(9, &[], &[0]));
}
