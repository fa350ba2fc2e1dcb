//! Written values are read back, and on every input readers and skippers agree.

use proptest::collection::vec;
use proptest::prelude::*;
use samewire_bridge::frame::{self, FrameScanner};
use samewire_bridge::{
    flat, message, skip, Budget, Exports, Kind, Message, Passed, Reader, ReleaseQueue, Value, MOST_BLOB,
};
use samewire_core::{Code, Error, Limits};
use std::collections::BTreeMap;

/// Limits that short values reach.
const TIGHT: Limits = Limits { depth: 3, items: 12, cells: 40, ..Limits::DEFAULT };

const KINDS: [&str; 24] = [
    "void",
    "bool",
    "i8",
    "i64",
    "f32",
    "char",
    "string",
    "bytes",
    "list<bool>",
    "list<i16>",
    "array<f64>",
    "list<string>",
    "option<i32>",
    "option<string>",
    "option<array<i64>>",
    "object",
    "object 5",
    "peer",
    "any",
    "list",
    "set",
    "map",
    "class",
    "timestamp",
];

/// A tagged value as bytes, in all forms that there are for it.
fn tagged() -> impl Strategy<Value = Vec<u8>> {
    let text = |units: Vec<u16>| {
        let mut out = Vec::new();
        flat::put_utf16(&mut out, &units);
        out
    };
    let leaf = prop_oneof![
        (0..3u8).prop_map(|tag| vec![tag]),
        any::<u64>().prop_map(|bits| [&[0x03][..], &bits.to_le_bytes()].concat()),
        any::<u32>().prop_map(|bits| [&[0x19][..], &bits.to_le_bytes()].concat()),
        any::<u16>().prop_map(|bits| [&[0x1b][..], &bits.to_le_bytes()].concat()),
        vec(any::<u16>(), 0..6).prop_map(move |units| [&[0x06][..], &text(units)].concat()),
        vec(any::<u8>(), 0..90).prop_map(|bytes| {
            let mut out = vec![0x07];
            flat::put_bytes(&mut out, &bytes);
            out
        }),
        (prop::sample::select(vec![0x10u8, 0x12, 0x18, 0x20, 0x23, 0x27]), 0..4u8).prop_map(|(tag, count)| {
            let width =
                [1, 4, 8, 1, 4, 2][[0x10u8, 0x12, 0x18, 0x20, 0x23, 0x27].iter().position(|&t| t == tag).unwrap()];
            [&[tag, count * 2][..], &vec![1; usize::from(count) * width]].concat()
        }),
        (1..1u64 << 50).prop_map(|number| {
            let mut out = vec![0x30];
            flat::put_varint(&mut out, number << 1);
            out
        }),
    ];
    leaf.prop_recursive(4, 24, 5, |inner| {
        prop_oneof![
            (prop::sample::select(vec![0x08u8, 0x1c, 0x1d]), vec(inner.clone(), 0..5)).prop_map(|(tag, of)| [
                &[tag, of.len() as u8][..],
                &of.concat()
            ]
            .concat()),
            vec((inner.clone(), inner), 0..3).prop_map(|of| {
                let entries: Vec<u8> =
                    of.iter().flat_map(|(key, value)| [key.clone(), value.clone()].concat()).collect();
                [&[0x09, of.len() as u8][..], &entries].concat()
            }),
        ]
    })
}

/// What stands there as a value of a kind, written again; or what is wrong.
fn read(bytes: &[u8], kind: &Kind, limits: &Limits) -> Result<Vec<u8>, Error> {
    let mut reader = Reader::new(bytes, 0);
    let read = Value::read(&mut reader, kind, &mut Budget::new(limits, MOST_BLOB));
    let read = read.and_then(|value| reader.finish().map(|()| value)).map_err(|_| reader.error())?;
    let mut out = Vec::new();
    read.write(kind, &mut out);
    Ok(out)
}

fn skipped(bytes: &[u8], kind: &Kind, limits: &Limits) -> Result<(), Error> {
    let mut reader = Reader::new(bytes, 0);
    let mut passed = Passed { blobs: 0, received: &mut |_, _| {} };
    let done = skip(&mut reader, kind, &mut Budget::new(limits, MOST_BLOB), &mut passed);
    done.and_then(|()| reader.finish()).map_err(|_| reader.error())
}

/// Reading and skipping agree, and what is written is read as the same bytes.
fn judge(bytes: &[u8], kind: &Kind, limits: &Limits) -> Result<Option<Code>, TestCaseError> {
    let read = self::read(bytes, kind, limits);
    prop_assert_eq!(read.clone().map(drop), skipped(bytes, kind, limits));
    match read {
        Ok(written) => {
            prop_assert!(written.len() <= bytes.len(), "the canonical form is the shortest");
            prop_assert_eq!(self::read(&written, kind, limits), Ok(written));
            Ok(None)
        }
        Err(error) => {
            prop_assert!(error.at.unwrap() <= bytes.len());
            Ok(Some(error.code))
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 800, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn tagged_values_are_read_as_they_were_written(value in tagged(), cut in any::<prop::sample::Index>()) {
        let any = Kind::Any;
        prop_assert_eq!(judge(&value, &any, &Limits::DEFAULT)?, None);
        judge(&value, &any, &TIGHT)?;
        let cut = cut.index(value.len());
        prop_assert_eq!(judge(&value[..cut], &any, &Limits::DEFAULT)?, Some(Code::Truncated));
    }

    #[test]
    fn readers_agree_on_damaged_values(
        value in tagged(), at in any::<prop::sample::Index>(), byte in any::<u8>(), how in 0..3, tight in any::<bool>(),
    ) {
        let mut value = value;
        let at = at.index(value.len());
        match how {
            0 => value[at] = byte,
            1 => value.insert(at, byte),
            _ => drop(value.remove(at)),
        }
        judge(&value, &Kind::Any, if tight { &TIGHT } else { &Limits::DEFAULT })?;
    }

    #[test]
    fn readers_agree_on_anything(kind in prop::sample::select(KINDS.to_vec()), bytes in vec(0..20u8, 0..40)) {
        judge(&bytes, &Kind::parse(kind).unwrap(), &Limits::DEFAULT)?;
    }

    #[test]
    fn messages_have_errors_within_them(byte in 0..0x36u8, bytes in vec(any::<u8>(), 0..60)) {
        let whole = [&[byte][..], &bytes].concat();
        if let Err(error) = Message::read(&whole, &mut Budget::new(&Limits::DEFAULT, MOST_BLOB)) {
            prop_assert!(error.at.unwrap() <= whole.len());
        }
    }

    #[test]
    fn kinds_print_as_they_are_read(text in "(option<|list<|array<|object |peer )?(i32|bool|string|bytes|7|a\\.B c|u8)?>?") {
        if let Ok(kind) = Kind::parse(&text) {
            prop_assert_eq!(kind.to_string(), text);
        }
    }

    #[test]
    fn strings_are_the_same_whoever_writes_them(text in any::<String>()) {
        let points: Vec<u32> = text.chars().map(u32::from).collect();
        let (mut one, mut other) = (Vec::new(), Vec::new());
        flat::put_str(&mut one, &text);
        if points.iter().any(|&point| point > 0xff) {
            flat::put_code_points(&mut other, &points);
        } else {
            flat::put_latin1(&mut other, &points.iter().map(|&point| point as u8).collect::<Vec<_>>());
        }
        prop_assert_eq!(&one, &other);
        prop_assert_eq!(Reader::new(&one, 0).name().unwrap(), text);
    }

    #[test]
    fn varints_are_read_as_they_were_written(number in any::<u64>(), shift in 0..64u32) {
        let mut out = Vec::new();
        flat::put_varint(&mut out, number >> shift);
        let mut reader = Reader::new(&out, 0);
        prop_assert_eq!(reader.varint(), Ok(number >> shift));
        prop_assert_eq!(reader.left(), 0);
    }

    #[test]
    fn frames_come_out_wherever_the_stream_is_cut(messages in vec(vec(any::<u8>(), 1..30), 0..6), step in 1..40usize) {
        let mut stream = Vec::new();
        for message in &messages {
            let start = frame::begin(&mut stream);
            stream.extend_from_slice(message);
            frame::end(&mut stream, start, 30).unwrap();
        }
        let mut scanner = FrameScanner::new(30);
        let mut found: Vec<Vec<u8>> = Vec::new();
        for piece in stream.chunks(step) {
            scanner.feed(piece);
            while let Some(message) = scanner.next().unwrap() {
                found.push(message.to_vec());
            }
        }
        prop_assert_eq!(scanner.end(), Ok(()));
        prop_assert_eq!(found, messages);
    }

    /// A peer that sends objects and one that releases them, whose messages cross in any order.
    #[test]
    fn an_object_lives_until_all_counts_are_back(steps in vec((0..3u8, any::<prop::sample::Index>()), 0..120)) {
        let mut exports = Exports::new();
        let mut queue = ReleaseQueue::new();
        let mut held: BTreeMap<u64, u64> = BTreeMap::new();
        for (step, which) in steps {
            let numbers: Vec<u64> = held.keys().copied().collect();
            match step {
                0 => {
                    let number = exports.add(held.len()).unwrap();
                    prop_assert_eq!(held.insert(number, 1), None, "a number is given twice");
                }
                1 if !numbers.is_empty() => {
                    let number = *which.get(&numbers);
                    prop_assert!(exports.again(number));
                    *held.get_mut(&number).unwrap() += 1;
                }
                _ if !numbers.is_empty() => {
                    let number = *which.get(&numbers);
                    queue.push(number, held.remove(&number).unwrap());
                }
                _ => {}
            }
            for number in held.keys() {
                prop_assert!(exports.get(*number).is_some());
            }
        }
        let mut out = Vec::new();
        while queue.write(&mut out) {}
        if let Ok(Message::Release(pairs)) = Message::read(&out, &mut Budget::new(&Limits::DEFAULT, MOST_BLOB)) {
            for (number, count) in pairs {
                prop_assert!(exports.release(number, count).unwrap().is_some());
                prop_assert_eq!(exports.release(number, 1).unwrap_err().code, Code::Malformed);
            }
        }
        prop_assert_eq!(exports.len(), held.len());
    }
}

#[test]
fn a_release_has_one_pair_for_an_object() {
    let mut queue = ReleaseQueue::new();
    for number in [3, 1, 3, 2, 1, 3] {
        queue.push(number, 2);
    }
    let mut out = Vec::new();
    assert!(queue.write(&mut out));
    assert!(!queue.write(&mut out));
    let pairs = Message::read(&out, &mut Budget::new(&Limits::DEFAULT, MOST_BLOB)).unwrap();
    assert_eq!(pairs, Message::Release(vec![(1, 4), (2, 2), (3, 6)]));
    assert_eq!(out[0], message::RELEASE);
}

#[test]
fn refuses_a_release_of_more_than_was_sent() {
    let mut exports = Exports::new();
    let number = exports.add("a").unwrap();
    assert_eq!(exports.release(number, 2).unwrap_err().code, Code::Malformed);
    assert_eq!(exports.get(number), Some(&"a"), "a refused release changes nothing");
    assert_eq!(exports.release(number, 1).unwrap(), Some("a"));
    assert_eq!(exports.release(number, 1).unwrap_err().code, Code::Malformed);
}

#[test]
fn a_frame_that_is_too_long_is_taken_back() {
    let mut out = b"before".to_vec();
    let start = frame::begin(&mut out);
    out.extend_from_slice(&[0; 9]);
    assert_eq!(frame::end(&mut out, start, 8).unwrap_err().code, Code::LimitSize);
    assert_eq!(out, b"before");
    let start = frame::begin(&mut out);
    assert_eq!(frame::end(&mut out, start, 8).unwrap_err().code, Code::Misuse);
}

#[test]
fn a_dead_scanner_stays_dead() {
    let mut scanner = FrameScanner::new(8);
    scanner.feed(&[0; 4]);
    let error = scanner.next().unwrap_err();
    scanner.feed(b"\x01\0\0\0a");
    assert_eq!(scanner.next().unwrap_err(), error);
    assert_eq!(scanner.end().unwrap_err(), error);
}
