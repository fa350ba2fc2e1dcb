//! Rows of structs of texts and numbers, which are written and read in another way than single ones: the bytes are the same.
//! Long rows are columns in the profile `compact`, so these are lists of lists that are too short for that.

use samewire_pack::wire::{Message, Writer};
use samewire_pack::{walker, Codec, Limits, Pack, Profile, Scratch};

#[derive(Pack)]
struct Weight {
    unit: String,
    value: f64,
}

#[derive(Pack)]
struct Item {
    name: String,
    id: u32,
    weight: Weight,
    delta: i64,
    kind: String,
    small: i8,
    share: f32,
}

#[derive(Pack)]
struct View<'a> {
    unit: &'a str,
    value: f64,
}

#[derive(Pack)]
struct Borrowed<'a> {
    name: &'a str,
    id: u32,
    weight: View<'a>,
    delta: i64,
    kind: std::borrow::Cow<'a, str>,
    small: i8,
    share: f32,
}

#[derive(Pack)]
struct Point {
    x: i32,
    y: u64,
}

fn text(kind: usize, i: usize) -> String {
    match kind {
        0 => format!("n{i}"),
        1 => format!("{i:032}"),
        2 => format!("{i:050}"),
        3 => format!("{i:0140}"),
        4 => String::new(),
        5 => "x".into(),
        6 => format!("é{i}"),
        7 => format!("日本{i}"),
        _ => "again".into(),
    }
}

/// `odd`: how often a text is none of those that are written quickly.
fn items(n: usize, odd: usize, kind: impl Fn(usize) -> String) -> Vec<Item> {
    let mut state = 7usize;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 33
    };
    (0..n)
        .map(|i| {
            let mut mixed = |place: usize| if next() % odd == 0 { next() % 9 } else { place % 2 };
            Item {
                name: text(mixed(0), i),
                id: (i * i * i) as u32,
                weight: Weight { unit: text(mixed(1), i), value: if i % 5 == 0 { -f64::NAN } else { i as f64 } },
                delta: if i % 7 == 0 { i64::MIN } else { 50 - i as i64 },
                kind: kind(i),
                small: i as i8,
                share: if i % 11 == 0 { f32::NAN } else { 0.5 },
            }
        })
        .collect()
}

/// In lists that are too short for columns.
fn shelves<T>(mut items: Vec<T>) -> Vec<Vec<T>> {
    let mut shelves = Vec::new();
    while !items.is_empty() {
        let rest = items.split_off(items.len().min(63));
        shelves.push(std::mem::replace(&mut items, rest));
    }
    shelves
}

fn by_hand(shelves: &[Vec<Item>], profile: Profile) -> Vec<u8> {
    let mut writer = Writer::new();
    let mut out = Vec::new();
    writer.begin(&mut out, &Message { dedup_slots: 3, profile, ..Message::default() });
    writer.count(shelves.len()).unwrap();
    for items in shelves {
        writer.count(items.len()).unwrap();
        for item in items {
            writer.str(0, &item.name);
            writer.number(item.id);
            writer.str(1, &item.weight.unit);
            writer.f64(item.weight.value);
            writer.number(item.delta);
            writer.str(2, &item.kind);
            writer.number(item.small);
            writer.f32(item.share);
        }
    }
    writer.finish(&mut out).unwrap();
    out
}

#[test]
fn fast_rows_equal_single_writes() {
    type Kind = fn(usize) -> String;
    let kinds: [(&str, Kind); 8] = [
        ("new each time", |i| format!("kind {i}")),
        ("repeated by the last before its dedup slot is disabled", |i| format!("kind {}", i % 127)),
        ("repeated by the first after its dedup slot is disabled", |i| format!("kind {}", i % 128)),
        ("once too long to have a number", |i| text(if i == 90 { 3 } else { 0 }, i + 1_000_000)),
        ("once too short to have a number", |i| text(if i == 90 { 4 } else { 0 }, i + 1_000_000)),
        ("once too wide to have a number", |i| if i == 90 { "日本".repeat(20) } else { text(7, i) }),
        ("of a few", |i| format!("kind {}", i % 3)),
        ("repeated after its dedup slot is disabled", |i| format!("kind {}", if i % 2 == 0 { i } else { 3 })),
    ];
    let (few, odds, lengths): (usize, &[usize], &[usize]) = if cfg!(miri) {
        (1, &[3, usize::MAX], &[131])
    } else {
        (kinds.len(), &[1, 2, 10, usize::MAX], &[0, 1, 129, 700])
    };
    let codecs = [Profile::Fast, Profile::Compact]
        .map(|profile| (profile, Codec::<Vec<Vec<Item>>>::new().check(false).profile(profile)));
    for &(name, kind) in &kinds[..few] {
        for &odd in odds {
            for &n in lengths {
                let items = shelves(items(n, odd, kind));
                for (profile, codec) in &codecs {
                    let (profile, mut encoder) = (*profile, codec.encoder());
                    for _ in 0..2 {
                        // The second time all buffers have their room.
                        let bytes = encoder.encode(&items).unwrap();
                        assert!(bytes == by_hand(&items, profile), "{name}, {odd}, {n}, {profile:?}");
                    }
                    let bytes = codec.encode(&items).unwrap();
                    let again = codec.decode(&bytes).unwrap();
                    assert!(codec.encode(&again).unwrap() == bytes, "{name}, {odd}, {n}, {profile:?}");
                }
            }
        }
    }
}

#[derive(Pack)]
struct Shelf {
    title: String,
    weights: Vec<Weight>,
    pairs: Vec<(Weight, Weight)>,
}

#[derive(Pack)]
struct Pair {
    one: Weight,
    other: Weight,
}

#[test]
fn dedup_slots_shared_by_two_rows() {
    let n = if cfg!(miri) { 2 } else { 50 };
    let weight = |i: usize| Weight { unit: format!("unit {i}"), value: i as f64 };
    let shelf = |first: usize| Shelf {
        title: "unit 300".into(),
        weights: (first..first + n).map(weight).collect(),
        pairs: (first + 150..first + 150 + n).map(|i| (weight(i), weight(i % 7 + 127))).collect(),
    };
    let shelves: Vec<Shelf> = (0..4).map(|i| shelf(i * n)).collect();
    let pairs = |first: usize| (first..first + n).map(|i| Pair { one: weight(i), other: weight(i + n) }).collect();
    let pairs: Vec<Vec<Pair>> = (0..4).map(|i| pairs(i * n)).collect();
    let message = |dedup_slots| Message { dedup_slots, ..Message::default() };
    let mut writer = Writer::new();
    let (mut one, mut other) = (Vec::new(), Vec::new());
    let write = |dedup_slot, weight: &Weight, writer: &mut Writer| {
        writer.str(dedup_slot, &weight.unit);
        writer.f64(weight.value);
    };
    writer.begin(&mut one, &message(2));
    writer.count(shelves.len()).unwrap();
    for shelf in &shelves {
        writer.str(0, &shelf.title);
        writer.count(n).unwrap();
        shelf.weights.iter().for_each(|weight| write(1, weight, &mut writer));
        writer.count(n).unwrap();
        shelf.pairs.iter().for_each(|(a, b)| [a, b].iter().for_each(|weight| write(1, weight, &mut writer)));
    }
    writer.finish(&mut one).unwrap();
    writer.begin(&mut other, &message(1));
    writer.count(pairs.len()).unwrap();
    for pairs in &pairs {
        writer.count(n).unwrap();
        pairs.iter().for_each(|pair| [&pair.one, &pair.other].iter().for_each(|weight| write(0, weight, &mut writer)));
    }
    writer.finish(&mut other).unwrap();
    assert!(Codec::<Vec<Shelf>>::new().check(false).encode(&shelves).unwrap() == one);
    assert!(Codec::<Vec<Vec<Pair>>>::new().check(false).encode(&pairs).unwrap() == other);
}

#[test]
fn number_rows_grow_the_output() {
    let points = shelves((0..500).map(|i| Point { x: i - 250, y: u64::MAX >> (i % 64) }).collect());
    for profile in [Profile::Fast, Profile::Compact] {
        let bytes = Codec::<Vec<Vec<Point>>>::new().check(false).profile(profile).encode(&points).unwrap();
        let mut writer = Writer::new();
        let mut out = Vec::new();
        writer.begin(&mut out, &Message { profile, ..Message::default() });
        writer.count(points.len()).unwrap();
        for shelf in &points {
            writer.count(shelf.len()).unwrap();
            for point in shelf {
                writer.number(point.x);
                writer.number(point.y);
            }
        }
        writer.finish(&mut out).unwrap();
        assert_eq!(bytes, out);
    }
}

#[test]
fn fast_rows_round_trip() {
    let codec = Codec::<Vec<Vec<Borrowed>>>::new().check(false);
    let (odds, n): (&[usize], usize) = if cfg!(miri) { (&[3], 9) } else { (&[1, 2, 10, usize::MAX], 700) };
    for &odd in odds {
        for repeated in [1, 3, 100, n] {
            let items = shelves(items(n, odd, |i| format!("kind {}", i % repeated)));
            for profile in [Profile::Fast, Profile::Compact] {
                let bytes = by_hand(&items, profile);
                let mut scratch = Scratch::new();
                let read = codec.decode_borrowed(&bytes, &mut scratch).unwrap();
                let (items, found) = (items.iter().flatten(), read.iter().flatten());
                assert!(items.zip(found).all(|(a, b)| (&a.name[..], &a.kind[..]) == (b.name, &b.kind)));
                let again = Codec::<Vec<Vec<Borrowed>>>::new().check(false).profile(profile).encode(&read).unwrap();
                assert!(again == bytes, "{odd}, {repeated}, {profile:?}");
            }
        }
    }
}

#[test]
fn fast_row_errors_equal_the_strict_readers() {
    let codec = Codec::<Vec<Vec<Borrowed>>>::new().check(false);
    let same = |message: &[u8]| {
        let told = codec.decode_borrowed(message, &mut Scratch::new()).err();
        assert_eq!(told, walker::check(codec.schema(), message, &Limits::DEFAULT).err(), "{message:x?}");
    };
    let (n, step, wrongs): (_, _, &[u8]) =
        if cfg!(miri) { (2, 5, &[0x60]) } else { (9, 1, &[0, 1, 0x5f, 0x60, 0x7f, 0x80, 0xff]) };
    for (odd, profile) in [(2, Profile::Fast), (usize::MAX, Profile::Fast), (usize::MAX, Profile::Compact)] {
        let bytes = by_hand(&shelves(items(n, odd, |i| format!("kind {}", i % 3))), profile);
        for at in (0..bytes.len()).step_by(step) {
            same(&bytes[..at]);
            for &wrong in wrongs {
                let mut changed = bytes.clone();
                changed[at] = wrong;
                same(&changed);
            }
        }
    }
}
