//! Rows of structs with flags, times, symbols and UUIDs, through the fast paths: the bytes and errors of single slots.
//! Lists are too short for columns.

use samewire_pack::wire::{fraction, Message, Writer};
use samewire_pack::{walker, Codec, Date, Duration, Limits, Pack, Profile, Time, Timestamp, Uuid};

#[derive(Clone, Copy, Debug, PartialEq, Pack)]
enum Level {
    Debug,
    Info,
    Warning,
}

#[derive(Clone, Debug, PartialEq, Pack)]
struct Event {
    host: Option<String>,
    seen: bool,
    level: Level,
    day: Date,
    at: Timestamp,
    code: Option<u16>,
    took: Duration,
    id: Uuid,
    since: Time,
    last: Option<Level>,
}

fn events(n: usize) -> Vec<Event> {
    (0..n as i32)
        .map(|i| Event {
            host: (i % 3 > 0).then(|| format!("host {}", i % 4)),
            seen: i % 2 == 0,
            level: [Level::Debug, Level::Info, Level::Warning][i as usize % 3],
            day: Date::from_days(i * 1000 - 9000).unwrap(),
            at: Timestamp::new(i64::from(i) << (i % 30), [0, 5_000_000, 7000, 1][i as usize % 4]).unwrap(),
            code: (i % 5 > 1).then_some(1 << (i % 16)),
            took: Duration::new(-i64::from(i), 999_999_999).unwrap(),
            id: Uuid([i as u8; 16]),
            since: Time::from_nanos(1 << (i % 46)).unwrap(),
            last: (i % 7 == 0).then_some(Level::Info),
        })
        .collect()
}

fn by_hand(events: &[Event], profile: Profile) -> Vec<u8> {
    let mut writer = Writer::new();
    let mut out = Vec::new();
    writer.begin(&mut out, &Message { dedup_slots: 1, profile, ..Message::default() });
    writer.count(events.len()).unwrap();
    for event in events {
        let flags = [event.host.is_some(), event.seen, event.code.is_some(), event.last.is_some()];
        writer.flag_word((0..4).map(|i| u64::from(flags[i]) << i).sum(), 4);
        if let Some(host) = &event.host {
            writer.str(0, host);
        }
        writer.varint(event.level as u64);
        writer.zigzag(event.day.days().into());
        writer.zigzag(event.at.seconds());
        writer.varint(fraction(event.at.nanos()));
        if let Some(code) = event.code {
            writer.number(code);
        }
        writer.zigzag(event.took.seconds());
        writer.varint(fraction(event.took.nanos()));
        writer.array(event.id.0);
        writer.varint(event.since.nanos());
        if let Some(last) = event.last {
            writer.varint(last as u64);
        }
    }
    writer.finish(&mut out).unwrap();
    out
}

#[test]
fn rows_equal_single_slots() {
    for n in [0, 1, 20, 40] {
        let events = events(n);
        for profile in [Profile::Fast, Profile::Compact] {
            let codec = Codec::<Vec<Event>>::new().check(false).profile(profile);
            let bytes = codec.encode(&events).unwrap();
            assert_eq!(bytes, by_hand(&events, profile), "{n}, {profile:?}");
            assert_eq!(codec.decode(&bytes).unwrap(), events, "{n}, {profile:?}");
        }
    }
}

#[test]
fn errors_equal_the_strict_readers() {
    let codec = Codec::<Vec<Event>>::new().check(false);
    let (n, step) = if cfg!(miri) { (2, 7) } else { (6, 1) };
    for profile in [Profile::Fast, Profile::Compact] {
        let bytes = by_hand(&events(n), profile);
        for at in (0..bytes.len()).step_by(step) {
            for wrong in [0, 1, 2, 3, 0x0f, 0x10, 0x7f, 0x80, 0x81, 0xff] {
                let mut changed = bytes.clone();
                changed[at] = wrong;
                for message in [&changed[..], &bytes[..at]] {
                    let told = codec.decode(message).err();
                    assert_eq!(told, walker::check(codec.schema(), message, &Limits::DEFAULT).err(), "{message:x?}");
                }
            }
        }
    }
}

macro_rules! flags {
    ($($field:ident)*) => {
        /// More flags than a word holds: its rows are written and read slot by slot.
        #[derive(Clone, Debug, Default, PartialEq, Pack)]
        struct Flags { $($field: bool),* }
    };
}
flags!(
    a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 b0 b1 b2 b3 b4 b5 b6 b7 b8 b9 c0 c1 c2 c3 c4 c5 c6 c7 c8 c9 d0 d1 d2 d3 d4 d5 d6 d7
    d8 d9 e0 e1 e2 e3 e4 e5 e6 e7 e8 e9 f0 f1 f2 f3 f4 f5 f6 f7 f8 f9 g0 g1 g2 g3 g4
);

#[test]
fn rows_of_more_flags_than_a_word_holds() {
    let codec = Codec::<Vec<Flags>>::new().check(false).profile(Profile::Fast);
    let rows =
        [Flags::default(), Flags { a0: true, g4: true, ..Flags::default() }, Flags { f9: true, ..Flags::default() }];
    let bytes = codec.encode(&rows.to_vec()).unwrap();
    assert_eq!(bytes.len(), 1 + 1 + 3 * 9);
    assert_eq!(codec.decode(&bytes).unwrap(), rows);
    assert_eq!(walker::check(codec.schema(), &bytes, &Limits::DEFAULT), Ok(()));
}
