//! Types of the program's, of the language's and of other crates', written as others: the same bytes as of what they are made
//! into.

use samewire_pack::{As, Bytes, BytesRef, Code, Codec, Converter, Duration, Error, Pack, Profile, Unpack};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;

const PROFILES: [Profile; 2] = [Profile::Compact, Profile::Fast];

#[derive(Clone, PartialEq, Debug)]
struct Money {
    cents: i64,
}

fn refused(text: &'static str) -> Error {
    Error::new(Code::TypeMismatch, text)
}

macro_rules! ways {
    ($($name:ident: $wire:ty, |$value:ident| $encode:expr, |$read:ident| $decode:expr;)*) => {
        $(
            struct $name;

            impl Converter<Money> for $name {
                type Wire = $wire;

                fn encode($value: &Money) -> Result<$wire, Error> {
                    Ok($encode)
                }

                fn decode($read: $wire) -> Result<Money, Error> {
                    Ok(Money { cents: $decode })
                }
            }
        )*
    };
}

#[derive(Pack, Clone, PartialEq, Debug)]
struct Pair {
    first: i64,
    second: String,
}

ways! {
    AsInteger: i16, |value| value.cents as i16, |read| read.into();
    AsLong: i64, |value| value.cents, |read| read;
    AsDouble: f64, |value| value.cents as f64, |read| read as i64;
    AsText: String, |value| value.cents.to_string(), |read| read.parse().map_err(|_| refused("an amount in cents"))?;
    AsDuration: Duration, |value| Duration::new(value.cents, 7).unwrap(), |read| read.seconds();
    AsBytes: Bytes, |value| Bytes(value.cents.to_be_bytes().to_vec()), |read| i64::from_be_bytes(read.0.try_into().unwrap());
    AsPair: Pair, |value| Pair { first: value.cents, second: "x".into() }, |read| read.first;
    AsTuple: (u32, String), |value| (value.cents as u32, "x".into()), |read| read.0.into();
    AsList: Vec<i32>, |value| vec![value.cents as i32, 1], |read| read[0].into();
    AsMap: BTreeMap<String, i64>, |value| BTreeMap::from([("cents".into(), value.cents)]), |read| read["cents"];
}

fn money() -> Vec<Money> {
    [0, 1, 5, 5, 1_000, 77].into_iter().cycle().take(96).map(|cents| Money { cents }).collect()
}

/// A type with converters, and the same type of what they write.
macro_rules! same_bytes {
    ($($name:ident: $wire:ty, $way:ident;)*) => {
        $(
            #[test]
            fn $name() {
                #[derive(Pack, Clone, PartialEq, Debug)]
                struct Row {
                    id: String,
                    #[pack(with = $way)]
                    price: Money,
                    maybe: Option<As<Money, $way>>,
                    many: Vec<As<Money, $way>>,
                    named: BTreeMap<String, As<Money, $way>>,
                    both: (As<Money, $way>, u8),
                }
                mod plain {
                    use super::*;

                    #[derive(Pack, Clone, PartialEq, Debug)]
                    pub struct Row {
                        pub id: String,
                        pub price: $wire,
                        pub maybe: Option<$wire>,
                        pub many: Vec<$wire>,
                        pub named: BTreeMap<String, $wire>,
                        pub both: ($wire, u8),
                    }
                }
                let written = |one: &Money| <$way as Converter<Money>>::encode(one).unwrap();
                let all = money();
                let (mut own, mut theirs) = (Vec::new(), Vec::new());
                for (i, one) in all.iter().enumerate() {
                    let many = &all[..i % 7];
                    let named = format!("a{}", i % 5);
                    own.push(Row {
                        id: i.to_string(),
                        price: one.clone(),
                        maybe: (i % 3 > 0).then(|| As::new(one.clone())),
                        many: many.iter().cloned().map(As::new).collect(),
                        named: BTreeMap::from([(named.clone(), As::new(one.clone()))]),
                        both: (As::new(one.clone()), i as u8),
                    });
                    theirs.push(plain::Row {
                        id: i.to_string(),
                        price: written(one),
                        maybe: (i % 3 > 0).then(|| written(one)),
                        many: many.iter().map(written).collect(),
                        named: BTreeMap::from([(named, written(one))]),
                        both: (written(one), i as u8),
                    });
                }
                for profile in PROFILES {
                    let codec = Codec::<Vec<Row>>::new().profile(profile);
                    let other = Codec::<Vec<plain::Row>>::new().profile(profile);
                    assert_eq!(codec.schema().text(), other.schema().text());
                    for count in [1, 63, 96] {
                        let data = codec.encode(&own[..count].to_vec()).unwrap();
                        assert_eq!(data, other.encode(&theirs[..count].to_vec()).unwrap());
                        assert_eq!(codec.decode(&data).unwrap(), own[..count]);
                        let resolved = codec.resolve(codec.schema().text()).unwrap();
                        assert_eq!(resolved.decode(&data).unwrap(), own[..count]);
                    }
                }
            }
        )*
    };
}

same_bytes! {
    as_an_integer: i16, AsInteger;
    as_a_long: i64, AsLong;
    as_a_double: f64, AsDouble;
    as_a_text: String, AsText;
    as_a_duration: Duration, AsDuration;
    as_bytes: Bytes, AsBytes;
    as_a_struct: Pair, AsPair;
    as_a_tuple: (u32, String), AsTuple;
    as_a_list: Vec<i32>, AsList;
    as_a_map: BTreeMap<String, i64>, AsMap;
}

#[derive(Pack, PartialEq, Debug)]
enum Event {
    Paid {
        #[pack(with = AsText)]
        price: Money,
    },
    Left,
}

#[test]
fn members_of_unions_have_converters() {
    let codec = Codec::<Vec<Event>>::new();
    assert!(codec.schema().text().contains("struct Paid { price: string }"));
    let events = vec![Event::Paid { price: Money { cents: 7 } }, Event::Left];
    let data = codec.encode(&events).unwrap();
    assert_eq!(codec.decode(&data).unwrap(), events);
    assert_eq!(codec.resolve(codec.schema().text()).unwrap().decode(&data).unwrap(), events);
}

#[test]
fn another_writers_schema_resolves() {
    #[derive(Pack)]
    #[pack(name = "Item")]
    struct Before {
        price: i16,
        was: Option<i16>,
        gone: String,
    }
    #[derive(Pack, PartialEq, Debug)]
    #[pack(name = "Item")]
    struct After {
        #[pack(with = AsText, default = Money { cents: 9 })]
        added: Money,
        #[pack(with = AsLong, default = Money { cents: 7 })]
        was: Money,
        #[pack(with = AsLong)]
        price: Money,
    }
    for profile in PROFILES {
        let before = Codec::<Vec<Before>>::new().profile(profile);
        let rows: Vec<_> =
            (0..70).map(|i| Before { price: i, was: (i % 2 > 0).then_some(3), gone: "x".into() }).collect();
        let after = Codec::<Vec<After>>::new().resolve(before.schema().text()).unwrap();
        let read = after.decode(&before.encode(&rows).unwrap()).unwrap();
        let expected =
            |price, was| After { added: Money { cents: 9 }, was: Money { cents: was }, price: Money { cents: price } };
        assert_eq!(read[..2], [expected(0, 7), expected(1, 3)]);
    }
}

#[test]
fn what_converters_refuse_has_their_code_text_and_path() {
    struct Refusing;
    impl Converter<Money> for Refusing {
        type Wire = i64;

        fn encode(value: &Money) -> Result<i64, Error> {
            if value.cents < 0 {
                return Err(Error::new(Code::BadNumber, format!("{} cents", value.cents)));
            }
            Ok(value.cents)
        }

        fn decode(wire: i64) -> Result<Money, Error> {
            if wire > 5 {
                return Err(Error::new(Code::TypeMismatch, "too much"));
            }
            Ok(Money { cents: wire })
        }
    }
    #[derive(Pack, Debug)]
    struct Item {
        #[pack(with = Refusing)]
        price: Money,
        all: Vec<As<Money, Refusing>>,
    }
    let item = |price, all: &[i64]| Item {
        price: Money { cents: price },
        all: all.iter().map(|&cents| As::new(Money { cents })).collect(),
    };
    let codec = Codec::<Vec<Item>>::new();
    for (items, path, text) in [
        (vec![item(0, &[]), item(-1, &[])], "$[1].price", "-1 cents"),
        (vec![item(0, &[]), item(1, &[0, 1, -2])], "$[1].all[2]", "-2 cents"),
    ] {
        let error = codec.encode(&items).unwrap_err();
        assert_eq!((error.code, error.path.as_deref(), &*error.text), (Code::BadNumber, Some(path), text));
    }
    // It is forgotten with the message.
    codec.encode(&vec![item(0, &[])]).unwrap();
    let data = codec.encode(&vec![item(0, &[]), item(1, &[0, 7])]).unwrap();
    let error = codec.decode(&data).unwrap_err();
    let expected = (Code::TypeMismatch, Some("$[1].all[1]"), "too much");
    assert_eq!((error.code, error.path.as_deref(), &*error.text), expected);
    let error = codec.resolve(codec.schema().text()).unwrap().decode(&data).unwrap_err();
    assert_eq!((error.code, error.path.as_deref(), &*error.text), expected);
    assert_eq!(codec.decode(&data[..data.len() - 1]).unwrap_err().code, Code::Truncated);
}

/// Refuses the amount 13 of what is read.
macro_rules! superstitious {
    ($($name:ident: $wire:ty, |$value:ident| $encode:expr, |$read:ident| $decode:expr;)*) => {
        $(
            struct $name;

            impl Converter<Money> for $name {
                type Wire = $wire;

                fn encode($value: &Money) -> Result<$wire, Error> {
                    Ok($encode)
                }

                fn decode($read: $wire) -> Result<Money, Error> {
                    let cents = $decode;
                    if cents == 13 { Err(refused("thirteen")) } else { Ok(Money { cents }) }
                }
            }
        )*
    };
}

superstitious! {
    LuckyLong: i64, |value| value.cents, |read| read;
    LuckyText: String, |value| value.cents.to_string(), |read| read.parse().unwrap();
    LuckyPair: Pair, |value| Pair { first: value.cents, second: String::new() }, |read| read.first;
    LuckyList: Vec<i64>, |value| vec![value.cents], |read| read[0];
}

/// The path of the one amount of 13 that a value holds, by the codec and by a decoder that resolves.
#[track_caller]
fn path_of_refusal<T: Pack + for<'a> Unpack<'a>>(value: &T) -> String {
    let mut paths = BTreeSet::new();
    for profile in PROFILES {
        let codec = Codec::<T>::new().profile(profile);
        let data = codec.encode(value).unwrap();
        let decoder = codec.resolve(codec.schema().text()).unwrap();
        for answer in [codec.decode(&data), decoder.decode(&data)] {
            let error = answer.err().expect("a refusal");
            assert_eq!((error.code, &*error.text), (Code::TypeMismatch, "thirteen"));
            paths.extend(error.path);
        }
    }
    assert_eq!(paths.len(), 1, "{paths:?}");
    paths.into_iter().collect()
}

macro_rules! refusals_have_the_path_of_their_value {
    ($($name:ident: $way:ident;)*) => {
        $(
            #[test]
            fn $name() {
                type Amount = As<Money, $way>;

                #[derive(Pack)]
                struct Alone {
                    #[pack(with = $way)]
                    price: Money,
                }

                #[derive(Pack)]
                struct Row {
                    before: i64,
                    #[pack(with = $way)]
                    price: Money,
                    maybe: Option<Amount>,
                    many: Vec<Amount>,
                    named: BTreeMap<String, Amount>,
                    both: (i64, Amount),
                    alone: Option<Alone>,
                }

                let amount = |cents| Amount::new(Money { cents });
                let row = || Row {
                    before: 13,
                    price: Money { cents: 1 },
                    maybe: Some(amount(2)),
                    many: (3..9).map(amount).collect(),
                    named: BTreeMap::from([("a".into(), amount(4)), ("b".into(), amount(5))]),
                    both: (13, amount(6)),
                    alone: Some(Alone { price: Money { cents: 7 } }),
                };
                let rows = |change: fn(&mut Row)| {
                    let mut rows = vec![row(), row(), row()];
                    change(&mut rows[1]);
                    rows
                };
                assert_eq!(path_of_refusal(&amount(13)), "$");
                assert_eq!(path_of_refusal(&Alone { price: Money { cents: 13 } }), "$.price");
                assert_eq!(path_of_refusal(&rows(|row| row.price.cents = 13)), "$[1].price");
                assert_eq!(path_of_refusal(&rows(|row| row.maybe = Some(Amount::new(Money { cents: 13 })))), "$[1].maybe");
                assert_eq!(path_of_refusal(&rows(|row| row.many[4].value.cents = 13)), "$[1].many[4]");
                assert_eq!(path_of_refusal(&rows(|row| row.both.1.value.cents = 13)), "$[1].both[1]");
                let alone = rows(|row| row.alone = Some(Alone { price: Money { cents: 13 } }));
                assert_eq!(path_of_refusal(&alone), "$[1].alone.price");
                let named = rows(|row| row.named = BTreeMap::from([("b".into(), Amount::new(Money { cents: 13 }))]));
                assert!(path_of_refusal(&named).starts_with("$[1].named"), "{}", path_of_refusal(&named));
            }
        )*
    };
}

refusals_have_the_path_of_their_value! {
    refused_integers_have_their_path: LuckyLong;
    refused_texts_have_their_path: LuckyText;
    refused_structs_have_their_path: LuckyPair;
    refused_lists_have_their_path: LuckyList;
}

#[test]
fn refusals_in_columns_have_the_path_of_the_column() {
    #[derive(Pack)]
    struct Item {
        id: i64,
        #[pack(with = LuckyText)]
        price: Money,
    }
    let mut items: Vec<Item> = (0..100).map(|id| Item { id, price: Money { cents: 100 + id } }).collect();
    items[70].price.cents = 13;
    let codec = Codec::<Vec<Item>>::new();
    let data = codec.encode(&items).unwrap();
    let decoder = codec.resolve(codec.schema().text()).unwrap();
    for answer in [codec.decode(&data), decoder.decode(&data)] {
        let error = answer.err().expect("a refusal");
        assert_eq!((error.path.as_deref(), &*error.text), (Some("$[].price"), "thirteen"));
    }
}

/// A converter whose wire type is an enum with a fallback, in a field with a default: each does its part, in order.
#[test]
fn converters_defaults_and_fallbacks_work_together() {
    #[derive(Pack, Clone, PartialEq, Debug)]
    enum Grade {
        Good,
        Poor,
        #[pack(fallback)]
        Unknown,
    }

    #[derive(Clone, PartialEq, Debug)]
    struct Score(u8);

    struct AsGrade;

    impl Converter<Score> for AsGrade {
        type Wire = Grade;

        fn encode(value: &Score) -> Result<Grade, Error> {
            Ok(if value.0 > 5 { Grade::Good } else { Grade::Poor })
        }

        fn decode(wire: Grade) -> Result<Score, Error> {
            match wire {
                Grade::Good => Ok(Score(10)),
                Grade::Poor => Err(refused("poor")),
                Grade::Unknown => Ok(Score(0)),
            }
        }
    }

    #[derive(Pack, PartialEq, Debug)]
    struct Film {
        name: String,
        #[pack(with = AsGrade, default = Score(7))]
        score: Score,
    }

    let codec = Codec::<Vec<Film>>::new();
    for count in [3, 100] {
        // The writer has no such field, or null and more symbols.
        let missing = codec.resolve("list<struct Film { name: string }>").unwrap();
        let nullable = "list<struct Film { name: string, score: option<enum Grade { Good, Poor, Great }> }>";
        let nullable = codec.resolve(nullable).unwrap();
        mod old {
            #[derive(samewire_pack::Pack)]
            pub struct Film {
                pub name: String,
            }
        }
        let films: Vec<_> = (0..count).map(|i| old::Film { name: i.to_string() }).collect();
        let read = missing.decode(&Codec::<Vec<old::Film>>::new().encode(&films).unwrap()).unwrap();
        assert!(read.iter().all(|film| film.score == Score(7)));

        mod new {
            #[derive(samewire_pack::Pack, Clone)]
            pub enum Grade {
                Good,
                Poor,
                Great,
            }

            #[derive(samewire_pack::Pack)]
            pub struct Film {
                pub name: String,
                pub score: Option<Grade>,
            }
        }
        let scores = [None, Some(new::Grade::Good), Some(new::Grade::Great)];
        let films: Vec<_> =
            (0..count).map(|i| new::Film { name: i.to_string(), score: scores[i % 3].clone() }).collect();
        let read = nullable.decode(&Codec::<Vec<new::Film>>::new().encode(&films).unwrap()).unwrap();
        let expected = [Score(7), Score(10), Score(0)];
        assert!(read.iter().enumerate().all(|(i, film)| film.score == expected[i % 3]), "{read:?}");

        let mut films = films;
        films[1].score = Some(new::Grade::Poor);
        let error = nullable.decode(&Codec::<Vec<new::Film>>::new().encode(&films).unwrap()).unwrap_err();
        let path = if count == 3 { "$[1].score" } else { "$[].score" };
        assert_eq!((error.path.as_deref(), &*error.text), (Some(path), "poor"));
    }
}

#[derive(Pack, PartialEq, Debug)]
struct Names<'v, 'a, I: PartialEq, const KEEP: usize> {
    first: &'v str,
    second: &'a str,
    third: I,
}

#[derive(Pack, PartialEq, Debug)]
struct Wrapper<'v>(&'v str);

#[test]
fn types_may_name_their_parameters_as_derived_code_once_did() {
    let codec = Codec::<Vec<Names<'_, '_, Wrapper<'_>, 3>>>::new();
    let names = vec![Names { first: "a", second: "b", third: Wrapper("c") }];
    let data = codec.encode(&names).unwrap();
    assert_eq!(codec.decode_borrowed(&data, &mut samewire_pack::Scratch::new()).unwrap(), names);
}

/// In lists long and short, in rows and columns, as keys where they may be.
fn crosses<T, W>(schema: &str, values: &[T], written: &[W])
where
    T: for<'a> Unpack<'a> + Clone + PartialEq + Debug,
    W: for<'a> Unpack<'a> + Clone + PartialEq + Debug,
{
    assert_eq!(Codec::<T>::new().schema().text(), schema);
    for profile in PROFILES {
        let own = Codec::<Vec<(T, Option<T>)>>::new().profile(profile);
        let plain = Codec::<Vec<(W, Option<W>)>>::new().profile(profile);
        for count in [1, 70] {
            let pairs = |i: usize| (values[i % values.len()].clone(), (i % 2 > 0).then(|| values[0].clone()));
            let other = |i: usize| (written[i % values.len()].clone(), (i % 2 > 0).then(|| written[0].clone()));
            let rows: Vec<_> = (0..count).map(pairs).collect();
            let data = own.encode(&rows).unwrap();
            assert_eq!(data, plain.encode(&(0..count).map(other).collect()).unwrap());
            assert_eq!(own.decode(&data).unwrap(), rows);
            assert_eq!(own.resolve(own.schema().text()).unwrap().decode(&data).unwrap(), rows);
        }
        let list = Codec::<Vec<T>>::new().profile(profile).encode(&values.to_vec()).unwrap();
        assert_eq!(list, Codec::<Vec<W>>::new().profile(profile).encode(&written.to_vec()).unwrap());
        assert_eq!(Codec::<Vec<T>>::new().decode(&list).unwrap(), values);
    }
}

fn mismatches<T: for<'a> Unpack<'a> + Debug, W: Pack>(written: &W, text: &str) {
    let error = Codec::<T>::new().decode(&Codec::<W>::new().encode(written).unwrap()).unwrap_err();
    assert_eq!(error.code, Code::TypeMismatch);
    assert!(error.text.contains(text), "{error}");
}

#[test]
fn types_of_the_language() {
    crosses("u64", &[0, 5, usize::MAX], &[0, 5, usize::MAX as u64]);
    crosses("i64", &[0, -5, isize::MIN], &[0, -5, isize::MIN as i64]);
    crosses("bytes", &[[1u8, 2, 3], [0, 0, 0]], &[Bytes(vec![1, 2, 3]), Bytes(vec![0; 3])]);
    let durations = [std::time::Duration::ZERO, std::time::Duration::new(5, 7)];
    crosses("duration", &durations, &[Duration::default(), Duration::new(5, 7).unwrap()]);
    assert_eq!(Codec::<BTreeSet<usize>>::new().schema().text(), "set<u64>");
    mismatches::<[u8; 4], _>(&BytesRef(b"abc"), "expected 4 bytes for [u8; 4], got 3");
    mismatches::<std::time::Duration, _>(&Duration::new(-1, 0).unwrap(), "negative");
    let long = Codec::<std::time::Duration>::new().encode(&std::time::Duration::MAX).unwrap_err();
    assert_eq!((long.code, long.path.as_deref()), (Code::TypeMismatch, Some("$")));
}

#[cfg(feature = "uuid")]
#[test]
fn uuids_of_their_crate() {
    let text = "00112233-4455-6677-8899-aabbccddeeff";
    crosses(
        "uuid",
        &[text.parse::<uuid::Uuid>().unwrap(), uuid::Uuid::nil()],
        &[text.parse::<samewire_pack::Uuid>().unwrap(), samewire_pack::Uuid::default()],
    );
    assert_eq!(Codec::<BTreeSet<uuid::Uuid>>::new().schema().text(), "set<uuid>");
}

#[cfg(feature = "bytes")]
#[test]
fn bytes_of_their_crate() {
    crosses(
        "bytes",
        &[bytes::Bytes::from_static(b"abc"), bytes::Bytes::new()],
        &[Bytes(b"abc".to_vec()), Bytes::default()],
    );
}

#[cfg(feature = "chrono")]
#[test]
fn dates_and_times_of_chrono() {
    use chrono::{DateTime, NaiveDate, NaiveTime, TimeDelta, Timelike};
    use samewire_pack::{Date, Time, Timestamp};
    let date = NaiveDate::from_ymd_opt(2026, 1, 2).unwrap();
    crosses(
        "date",
        &[date, NaiveDate::from_ymd_opt(1, 1, 1).unwrap()],
        &[Date::from_days(20_455).unwrap(), Date::from_days(-719_162).unwrap()],
    );
    let time = NaiveTime::from_hms_nano_opt(1, 2, 3, 4).unwrap();
    crosses("time", &[time, NaiveTime::MIN], &[Time::from_nanos(3_723_000_000_004).unwrap(), Time::default()]);
    let instant = DateTime::from_timestamp(-5, 7).unwrap();
    crosses("timestamp", &[instant, DateTime::UNIX_EPOCH], &[Timestamp::new(-5, 7).unwrap(), Timestamp::default()]);
    let short = TimeDelta::new(-5, 7).unwrap();
    crosses("duration", &[short, TimeDelta::zero()], &[Duration::new(-5, 7).unwrap(), Duration::default()]);
    mismatches::<TimeDelta, _>(&Duration::new(i64::MAX, 0).unwrap(), "beyond those of chrono");
    let leap = NaiveTime::from_hms_nano_opt(23, 59, 59, 0).unwrap().with_nanosecond(1_500_000_000).unwrap();
    assert!(Codec::<NaiveTime>::new().encode(&leap).unwrap_err().text.contains("leap second"));
    let early = Codec::<Vec<NaiveDate>>::new().encode(&vec![date, NaiveDate::MIN]).unwrap_err();
    assert_eq!((early.code, early.path.as_deref()), (Code::TypeMismatch, Some("$[1]")));
}

#[cfg(feature = "time")]
#[test]
fn dates_and_times_of_time() {
    use samewire_pack::{Date, Time, Timestamp};
    use time::{OffsetDateTime, UtcOffset};
    let date = time::Date::from_ordinal_date(2026, 2).unwrap();
    crosses(
        "date",
        &[date, time::Date::from_ordinal_date(1, 1).unwrap()],
        &[Date::from_days(20_455).unwrap(), Date::from_days(-719_162).unwrap()],
    );
    let clock = time::Time::from_hms_nano(1, 2, 3, 4).unwrap();
    crosses("time", &[clock, time::Time::MIDNIGHT], &[Time::from_nanos(3_723_000_000_004).unwrap(), Time::default()]);
    let instant = OffsetDateTime::from_unix_timestamp_nanos(-4_999_999_993).unwrap();
    crosses(
        "timestamp",
        &[instant, OffsetDateTime::UNIX_EPOCH],
        &[Timestamp::new(-5, 7).unwrap(), Timestamp::default()],
    );
    let short = time::Duration::new(-4, -999_999_993);
    crosses(
        "duration",
        &[short, time::Duration::ZERO, time::Duration::new(5, 7)],
        &[Duration::new(-5, 7).unwrap(), Duration::default(), Duration::new(5, 7).unwrap()],
    );
    let elsewhere = vec![instant, instant.to_offset(UtcOffset::from_hms(1, 0, 0).unwrap())];
    let error = Codec::<Vec<OffsetDateTime>>::new().encode(&elsewhere).unwrap_err();
    assert_eq!((error.code, error.path.as_deref()), (Code::TypeMismatch, Some("$[1]")));
    assert!(error.text.contains("would lose its own"));
}
