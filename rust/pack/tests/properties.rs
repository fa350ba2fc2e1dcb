//! What holds for all values, and for all bytes.

use proptest::collection::vec;
use proptest::prelude::*;
use samewire_pack::{Any, Codec, Map, Pack, Profile, Scratch, Unpack};
use std::collections::BTreeSet;
use std::fmt::Debug;

fn config() -> ProptestConfig {
    ProptestConfig { failure_persistence: None, cases: if cfg!(miri) { 4 } else { 400 }, ..ProptestConfig::default() }
}

#[derive(Pack, Clone, Debug, PartialEq)]
struct Record {
    name: String,
    note: Option<String>,
    tags: Vec<String>,
    year: i32,
    total: Option<u64>,
    seen: bool,
    kids: Vec<Record>,
}

#[derive(Pack, Debug, PartialEq)]
struct View<'a> {
    name: &'a str,
    other: &'a str,
}

/// What is written and read with cursors in registers.
#[derive(Pack, Clone, Debug, PartialEq)]
struct Flat {
    id: u64,
    name: String,
    year: i16,
    other: String,
    total: i64,
}

/// Texts of every length class and of every kind of characters: often the same ones, so that references occur.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[a-c]{0,3}",
        4 => "[ -~]{0,130}",
        4 => "[ -ÿ]{0,130}",
        2 => "[ -~]{20,70}[é-ÿ]?[ -~]{0,30}",
        2 => "[a-zĀ-ſ日-本😀-😎]{0,40}",
        1 => "\\PC{0,20}",
    ]
}

fn record() -> impl Strategy<Value = Record> {
    let leaf = (
        text(),
        proptest::option::of(text()),
        vec(text(), 0..6),
        any::<i32>(),
        proptest::option::of(any::<u64>()),
        any::<bool>(),
    )
        .prop_map(|(name, note, tags, year, total, seen)| Record {
            name,
            note,
            tags,
            year,
            total,
            seen,
            kids: Vec::new(),
        });
    leaf.prop_recursive(3, 24, 4, |kid| {
        (kid.clone(), vec(kid, 0..4)).prop_map(|(record, kids)| Record { kids, ..record })
    })
}

fn flat() -> impl Strategy<Value = Flat> {
    (any::<u64>(), text(), any::<i16>(), text(), any::<i64>()).prop_map(|(id, name, year, other, total)| Flat {
        id,
        name,
        year,
        other,
        total,
    })
}

/// A value comes back in every profile, plainly and as another's, and is then written as the same bytes.
fn round_trips<T: Pack + for<'x> Unpack<'x> + PartialEq + Debug>(value: &T) -> Result<(), TestCaseError> {
    for profile in [Profile::Compact, Profile::Fast] {
        let codec = Codec::<T>::new().profile(profile);
        let bytes = codec.encode(value).unwrap();
        let again = codec.decode(&bytes).unwrap();
        prop_assert_eq!(&again, value);
        prop_assert_eq!(&codec.resolve(codec.schema().text()).unwrap().decode(&bytes).unwrap(), value);
        prop_assert_eq!(codec.encode(&again).unwrap(), bytes);
    }
    Ok(())
}

/// Bytes are a value that can be written again, or a coded error within them.
fn judgements_agree<T: Pack + for<'x> Unpack<'x> + PartialEq + Debug>(bytes: &[u8]) -> Result<(), TestCaseError> {
    let codec = Codec::<T>::new();
    match codec.decode(bytes) {
        Ok(value) => {
            let written = codec.encode(&value).unwrap();
            prop_assert_eq!(codec.encode(&codec.decode(&written).unwrap()).unwrap(), written);
        }
        Err(error) => prop_assert!(error.at.is_some_and(|at| at <= bytes.len()) && error.path.is_some(), "{}", error),
    }
    Ok(())
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn texts_round_trip(texts in vec(text(), 0..40)) {
        round_trips(&texts)?;
    }

    #[test]
    fn records_round_trip(records in vec(record(), 0..5)) {
        round_trips(&records)?;
    }

    #[test]
    fn flat_records_round_trip(records in vec(flat(), 0..100)) {
        round_trips(&records)?;
    }

    #[test]
    fn maps_round_trip(keys in proptest::collection::hash_set(text(), 0..40)) {
        let entries: Vec<_> = keys.into_iter().zip(0i64..).collect();
        round_trips(&Map::try_from(entries).unwrap())?;
    }

    #[test]
    fn a_repeated_key_is_refused(keys in vec(0u8..40, 0..20)) {
        let distinct = keys.iter().collect::<BTreeSet<_>>().len() == keys.len();
        let entries: Vec<_> = keys.iter().map(|key| (format!("key {key}"), true)).collect();
        let made = Map::try_from(entries);
        prop_assert_eq!(made.is_ok(), distinct);
    }

    /// Borrowed texts are those that were written, message after message in the same scratch.
    #[test]
    fn borrowed_texts_are_the_same(pairs in vec(vec((text(), text()), 0..12), 1..4)) {
        let codec = Codec::<Vec<View<'static>>>::new();
        let mut scratch = Scratch::new();
        for pairs in &pairs {
            let views: Vec<View<'_>> = pairs.iter().map(|(name, other)| View { name, other }).collect();
            let bytes = Codec::<Vec<View<'_>>>::new().encode(&views).unwrap();
            prop_assert!(reads_the_same(&codec, &bytes, &mut scratch, &views));
        }
    }

    #[test]
    fn codec_and_strict_reader_agree_on_any_bytes(bytes in vec(any::<u8>(), 0..80)) {
        judgements_agree::<Vec<Record>>(&bytes)?;
        judgements_agree::<Vec<String>>(&bytes)?;
        judgements_agree::<Vec<Flat>>(&bytes)?;
        judgements_agree::<Map<String, i32>>(&bytes)?;
        judgements_agree::<Any>(&bytes)?;
    }

    /// A good message in which some bytes are others.
    #[test]
    fn damaged_messages_are_judged(
        records in vec(record(), 0..4), flat in vec(flat(), 0..12), damage in vec((any::<usize>(), any::<u8>()), 1..4)
    ) {
        judgements_agree::<Vec<Record>>(&damaged(Codec::<Vec<Record>>::new().encode(&records).unwrap(), &damage))?;
        judgements_agree::<Vec<Flat>>(&damaged(Codec::<Vec<Flat>>::new().encode(&flat).unwrap(), &damage))?;
    }
}

fn damaged(mut bytes: Vec<u8>, damage: &[(usize, u8)]) -> Vec<u8> {
    for (place, byte) in damage {
        let place = place % bytes.len();
        bytes[place] = *byte;
    }
    bytes
}

fn reads_the_same<'a>(
    codec: &Codec<Vec<View<'a>>>,
    bytes: &'a [u8],
    scratch: &'a mut Scratch,
    views: &[View<'_>],
) -> bool {
    codec.decode_borrowed(bytes, scratch).unwrap() == views
}
