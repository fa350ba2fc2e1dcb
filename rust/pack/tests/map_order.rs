//! Equal maps and sets are equal bytes, whatever the order in which a program filled them.

use samewire_pack::{Any, Code, Codec, Map, Pack, Profile};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

#[derive(Pack, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
enum Suit {
    Spades,
    Clubs,
    Hearts,
}

#[derive(Pack, Clone, PartialEq, Debug)]
struct Stock<M> {
    count: M,
}

fn bytes<T: Pack>(value: &T) -> [Vec<u8>; 2] {
    [Profile::Fast, Profile::Compact].map(|profile| Codec::<T>::new().profile(profile).encode(value).unwrap())
}

fn names() -> Vec<String> {
    (0..100).map(|i| format!("{}{i}", ["a", "\u{ffff}", "\u{1f600}", "é"][i % 4])).collect()
}

/// The order of `spec/pack.md` section 8, by UTF-16 code units.
fn in_order(mut names: Vec<String>) -> Vec<String> {
    names.sort_by(|a, b| a.encode_utf16().cmp(b.encode_utf16()));
    names
}

#[test]
fn hash_maps_are_written_in_order_of_keys() {
    let ordered: Vec<_> = in_order(names()).into_iter().map(|name| (name.clone(), name.len() as i32)).collect();
    let expected = bytes(&Map::try_from(ordered.clone()).unwrap());
    // Each hash map has a seed of its own, and so an order of its own.
    for _ in 0..4 {
        assert_eq!(bytes(&ordered.iter().rev().cloned().collect::<HashMap<_, _>>()), expected);
    }
    assert_eq!(bytes(&ordered.into_iter().collect::<BTreeMap<_, _>>()), expected);
}

#[test]
fn hash_maps_of_structs_are_written_in_order_of_keys_as_columns() {
    let entry = |i: i64| (i * 7 % 101 - 50, Stock { count: i });
    let mut ordered: Vec<_> = (0..100).map(entry).collect();
    ordered.sort_by_key(|(key, _)| *key);
    let expected = bytes(&Map::try_from(ordered.clone()).unwrap());
    assert_eq!(bytes(&ordered.iter().cloned().collect::<HashMap<_, _>>()), expected);
    assert_eq!(bytes(&ordered.into_iter().collect::<BTreeMap<_, _>>()), expected);
}

#[test]
fn columns_of_hash_maps_are_written_in_order_of_keys() {
    let names = in_order(names());
    let entries = |i: usize| names[i..].iter().cloned().map(move |name| (name, i as u16));
    let maps: Vec<_> =
        (0..80).map(|i| Stock { count: Map::try_from(entries(i).collect::<Vec<_>>()).unwrap() }).collect();
    let hashed: Vec<_> = (0..80).map(|i| Stock { count: entries(i).collect::<HashMap<_, _>>() }).collect();
    let trees: Vec<_> = (0..80).map(|i| Stock { count: entries(i).collect::<BTreeMap<_, _>>() }).collect();
    assert_eq!(bytes(&hashed), bytes(&maps));
    assert_eq!(bytes(&trees), bytes(&maps));
    let codec = Codec::<Vec<Stock<HashMap<String, u16>>>>::new();
    assert_eq!(codec.decode(&codec.encode(&hashed).unwrap()).unwrap(), hashed);
}

#[test]
fn keys_that_are_symbols_are_in_the_order_of_the_schema() {
    let ordered = [(Suit::Clubs, 1), (Suit::Hearts, 2), (Suit::Spades, 3)];
    let expected = bytes(&Map::try_from(ordered.to_vec()).unwrap());
    assert_eq!(bytes(&HashMap::from(ordered)), expected);
    assert_eq!(bytes(&BTreeMap::from(ordered)), expected);
}

#[test]
fn maps_that_keep_an_order_keep_it() {
    let there = Map::try_from(vec![("b".to_owned(), 1), ("a".into(), 2)]).unwrap();
    let codec = Codec::<Map<String, i32>>::new();
    assert_eq!(codec.decode(&codec.encode(&there).unwrap()).unwrap(), there);
}

#[test]
fn hash_sets_are_written_in_order() {
    let tree: BTreeSet<String> = names().into_iter().collect();
    assert_eq!(bytes(&names().into_iter().rev().collect::<HashSet<_>>()), bytes(&tree));
    let codec = Codec::<Vec<String>>::new().check(false);
    let message = Codec::<BTreeSet<String>>::new().check(false).encode(&tree).unwrap();
    assert_eq!(codec.decode(&message).unwrap(), in_order(names()));
}

#[test]
fn sort_keys_sorts_maps_that_have_an_order() {
    let there = Map::try_from(vec![("b".to_owned(), 1), ("a".into(), 2), ("c".into(), 3)]).unwrap();
    let sorted: BTreeMap<_, _> = there.iter().cloned().collect();
    for profile in [Profile::Fast, Profile::Compact] {
        let codec = Codec::<Map<String, i32>>::new().profile(profile).sort_keys(true);
        let trees = Codec::<BTreeMap<String, i32>>::new().profile(profile);
        let expected = trees.encode(&sorted).unwrap();
        assert_eq!(codec.encode(&there).unwrap(), expected);
        assert_eq!(codec.encoder().encode(&there).unwrap(), expected);
        assert_ne!(codec.sort_keys(false).encode(&there).unwrap(), expected);
        let columns = |map: Map<String, i32>| vec![Stock { count: map }; 80];
        let codec = Codec::<Vec<Stock<Map<String, i32>>>>::new().profile(profile);
        let ordered = Map::try_from(sorted.clone().into_iter().collect::<Vec<_>>()).unwrap();
        let expected = codec.encode(&columns(ordered)).unwrap();
        assert_eq!(codec.sort_keys(true).encode(&columns(there.clone())).unwrap(), expected);
    }
}

#[test]
fn sort_keys_sorts_maps_inside_any() {
    let any = |keys: &[&str]| {
        let inner = Any::Map(vec![(Any::Int(2), Any::Null), (Any::Int(-1), Any::Bool(true))]);
        Any::Map(keys.iter().map(|key| (Any::String((*key).into()), inner.clone())).collect())
    };
    let codec = Codec::<Any>::new().sort_keys(true);
    let message = codec.encode(&any(&["b", "\u{1f600}", "a", "\u{ffff}"])).unwrap();
    assert_eq!(message, codec.encode(&any(&["\u{ffff}", "a", "b", "\u{1f600}"])).unwrap());
    let Any::Map(read) = codec.decode(&message).unwrap() else { panic!("expected a map") };
    let keys: Vec<_> = read.iter().map(|(key, _)| key.clone()).collect();
    assert_eq!(keys, ["a", "b", "\u{1f600}", "\u{ffff}"].map(|key| Any::String(key.into())));
    assert!(matches!(&read[0].1, Any::Map(inner) if inner[0].0 == Any::Int(-1)));
    let twice = Any::Map(vec![(Any::Int(2), Any::Null), (Any::Int(1), Any::Null), (Any::Int(2), Any::Null)]);
    assert_eq!(codec.encode(&twice).unwrap_err().code, Code::TypeMismatch);
}
