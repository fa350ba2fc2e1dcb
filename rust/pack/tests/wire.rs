//! Writer and reader of the low level against each other.

use samewire_pack::wire::{header, Cost, Message, Number, Reader, Token, Writer};
use samewire_pack::{Code, Limits, Profile};

fn message(dedup_slots: usize, profile: Profile) -> Message {
    Message { dedup_slots, profile, ..Message::default() }
}

fn written(m: &Message, write: impl FnOnce(&mut Writer)) -> Vec<u8> {
    let mut writer = Writer::new();
    let mut out = vec![1, 2, 3];
    writer.begin(&mut out, m);
    write(&mut writer);
    writer.finish(&mut out).unwrap();
    assert_eq!(out[..3], [1, 2, 3]);
    out.split_off(3)
}

fn reader(bytes: &[u8]) -> Reader<'_> {
    Reader::new(bytes, None, &Limits::DEFAULT).unwrap()
}

fn row<T: Number + std::fmt::Debug>(values: &[T]) {
    for profile in [Profile::Compact, Profile::Fast] {
        for dedup_slots in [0, 1] {
            let bytes = written(&message(dedup_slots, profile), |w| {
                if dedup_slots > 0 {
                    w.str(0, "é and some");
                }
                w.count(values.len()).unwrap();
                w.numbers(values);
            });
            let mut r = reader(&bytes);
            if dedup_slots > 0 {
                assert!(matches!(r.token(), Ok(Token::Latin1 { .. })));
            }
            let n = r.count(Cost::Flags, 1).unwrap();
            let mut skipping = r.clone();
            let mut back = Vec::new();
            r.numbers::<T>(n, &mut back).unwrap();
            r.finish().unwrap();
            assert_eq!(back, values);
            skipping.skip_numbers::<T>(n).unwrap();
            skipping.finish().unwrap();
            for cut in 0..bytes.len() {
                let Ok(mut r) = Reader::new(&bytes[..cut], None, &Limits::DEFAULT) else { continue };
                let read = (|| {
                    if dedup_slots > 0 {
                        r.token()?;
                    }
                    let n = r.count(Cost::Flags, 1)?;
                    r.numbers::<T>(n, &mut Vec::new())
                })();
                assert!(read.is_err());
                assert_eq!((r.fault().code, r.fault().at), (Code::Truncated, Some(cut)));
            }
        }
    }
}

#[test]
fn rows_of_every_kind_round_trip() {
    for n in [0, 1, 15, 16, 17, 31, 32, 127, 128, 129, 300] {
        row(&(0..n).map(|i| (i * i) as u8).collect::<Vec<_>>());
        row(&(0..n).map(|i| -i as i8).collect::<Vec<_>>());
        row(&(0..n).map(|i| (i * 37) as u16).collect::<Vec<_>>());
        row(&(0..n).map(|i| (i * 37 - 1000) as i16).collect::<Vec<_>>());
        row(&(0..n).map(|i| if i % 50 == 0 { u32::MAX } else { 7 }).collect::<Vec<_>>());
        row(&(0..n).map(|i| if i % 50 == 1 { i32::MIN } else { i }).collect::<Vec<_>>());
        row(&(0..n).map(|i| if i % 40 == 3 { i64::MIN } else { -i64::from(i) }).collect::<Vec<_>>());
        row(&(0..n).map(|i| if i % 40 == 3 { i64::MAX } else { 0 }).collect::<Vec<_>>());
        row(&(0..n).map(|i| u64::MAX >> (i % 64)).collect::<Vec<_>>());
        row(&(0..n).map(|i| i as f32 * 0.5).collect::<Vec<_>>());
        row(&(0..n).map(|i| f64::from(i) * -0.5).collect::<Vec<_>>());
    }
}

#[test]
fn exceptions_round_trip_at_every_place() {
    for n in [16, 127, 128, 129] {
        for position in 0..n {
            for shift in [9, 14, 40, 63] {
                let mut values = vec![5u64; n];
                values[position] = 1 << shift;
                values[n - 1] |= u64::MAX >> (63 - shift);
                for signs in [1, -1] {
                    packed_row(&values.iter().map(|&value| (value as i64).wrapping_mul(signs)).collect::<Vec<i64>>());
                    packed_row(
                        &values.iter().map(|&value| (value as i32).wrapping_mul(signs as i32)).collect::<Vec<i32>>(),
                    );
                    packed_row(
                        &values.iter().map(|&value| (value as i16).wrapping_mul(signs as i16)).collect::<Vec<i16>>(),
                    );
                }
                packed_row(&values);
                packed_row(&values.iter().map(|&value| value as u32).collect::<Vec<u32>>());
                packed_row(&values.iter().map(|&value| value as u16).collect::<Vec<u16>>());
            }
        }
    }
}

/// A row in `compact` comes back, also into a list that holds others already.
fn packed_row<T: Number + std::fmt::Debug>(values: &[T]) {
    let bytes = written(&message(0, Profile::Compact), |w| w.numbers(values));
    let mut r = reader(&bytes);
    let mut back = vec![T::default(); 3];
    r.numbers::<T>(values.len(), &mut back).unwrap();
    r.finish().unwrap();
    assert_eq!(back[3..], *values);
}

#[test]
fn raw_runs_are_aligned_and_viewed() {
    let values: Vec<f64> = (0..100).map(f64::from).collect();
    let bytes = written(&message(2, Profile::Fast), |w| {
        w.str(0, "seven!");
        w.count(values.len()).unwrap();
        w.numbers(&values);
    });
    assert_eq!(bytes[0] & header::ALIGNED, header::ALIGNED);
    // A copy at an aligned address can be viewed in place.
    let mut words = vec![0u64; bytes.len() / 8 + 1];
    for (i, &byte) in bytes.iter().enumerate() {
        words[i / 8] |= u64::from(byte) << (i % 8 * 8);
    }
    // SAFETY: the words cover at least the message, and any bytes are valid.
    let aligned = unsafe { std::slice::from_raw_parts(words.as_ptr().cast::<u8>(), bytes.len()) };
    assert_eq!(aligned, bytes);
    let mut r = reader(aligned);
    r.token().unwrap();
    let n = r.count(Cost::Eight, 1).unwrap();
    let view = r.view::<f64>(n).unwrap();
    assert!(matches!(view, std::borrow::Cow::Borrowed(_)));
    assert_eq!(view, values);
    r.finish().unwrap();
}

#[test]
fn dedup_slots_are_disabled_after_128_misses() {
    let texts = ["ab", "ab", "a", "a", "日本", "日本", "é!", "é!", "x", "日"];
    let bytes = written(&message(1, Profile::Compact), |w| texts.iter().for_each(|text| w.str(0, text)));
    let mut r = reader(&bytes);
    let tokens: Vec<_> = texts.iter().map(|_| r.token().unwrap()).collect();
    r.finish().unwrap();
    let back = |i: usize| match tokens[i] {
        Token::Back(number) => Some(number),
        _ => None,
    };
    assert_eq!([1, 3, 5, 7, 9].map(back), [Some(0), None, Some(1), Some(2), None]);

    let unique: Vec<String> = (0..200).map(|i| format!("text {i}")).collect();
    let bytes = written(&message(2, Profile::Compact), |w| {
        unique.iter().for_each(|text| w.str(0, text));
        w.str(0, "text 0");
        w.str(1, "text 0");
        w.str(1, "text 150");
    });
    let mut r = reader(&bytes);
    for _ in &unique {
        assert!(matches!(r.token(), Ok(Token::Latin1 { numbered: true, .. })));
    }
    // The first dedup slot is closed after 128 misses; the other finds what was recorded before that, and only that.
    assert!(matches!(r.token(), Ok(Token::Latin1 { .. })));
    assert_eq!(r.token(), Ok(Token::Back(0)));
    assert!(matches!(r.token(), Ok(Token::Latin1 { .. })));
    r.finish().unwrap();
}

/// A row that does not know its length.
struct Unsure<'t, I: Iterator<Item = &'t str>>(I, usize);

impl<'t, I: Iterator<Item = &'t str>> Iterator for Unsure<'t, I> {
    type Item = &'t str;

    fn next(&mut self) -> Option<&'t str> {
        self.0.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.1, Some(self.1))
    }
}

impl<'t, I: Iterator<Item = &'t str>> ExactSizeIterator for Unsure<'t, I> {}

#[test]
fn text_rows_may_misstate_their_length() {
    let many = if cfg!(miri) { 200 } else { 3000 };
    let texts: Vec<String> = (0..many).map(|n| format!("{}{n}", "é".repeat(n % 3 / 2))).collect();
    for profile in [Profile::Compact, Profile::Fast] {
        let one_by_one = written(&message(1, profile), |w| texts.iter().for_each(|text| w.str(0, text)));
        for said in [0, 1, many - 1, many, many + 1, 30 * many] {
            let row = Unsure(texts.iter().map(String::as_str), said);
            assert_eq!(written(&message(1, profile), |w| w.strs(0, row)), one_by_one, "{said}");
        }
    }
}

#[test]
fn references_of_every_size() {
    let many: Vec<String> = (0..9000).map(|i| format!("t{i}")).collect();
    let bytes = written(&message(9000, Profile::Compact), |w| {
        many.iter().enumerate().for_each(|(dedup_slot, text)| w.str(dedup_slot, text));
        many.iter().enumerate().for_each(|(dedup_slot, text)| w.str(dedup_slot, text));
    });
    let mut r = reader(&bytes);
    for _ in &many {
        r.token().unwrap();
    }
    for i in 0..many.len() {
        assert_eq!(r.token(), Ok(Token::Back(i as u32)));
    }
    r.finish().unwrap();
}

/// Bytes that such counts need are more than 32 bits can say.
#[test]
fn impossible_counts_are_truncated() {
    let limits = Limits { items: u64::MAX, ..Limits::DEFAULT };
    for count in [1u64 << 28, 1 << 29, 1 << 30, (1 << 31) - 1] {
        let bytes = written(&message(0, Profile::Compact), |w| w.varint(count));
        for cost in [Cost::Flags, Cost::Integers, Cost::One, Cost::Four, Cost::Eight] {
            let mut r = Reader::new(&bytes, None, &limits).unwrap();
            assert!(r.count(cost, 1).is_err());
            assert_eq!((r.fault().code, r.fault().at), (Code::Truncated, Some(bytes.len())));
            let mut r = Reader::new(&bytes, None, &limits).unwrap();
            assert!(r.map_count(cost, Cost::Eight, 4).is_err());
            assert_eq!(r.fault().code, Code::Truncated);
        }
        // A raw run, after its mode.
        let mut r = reader(&[header::VERSION, 0, 0, 0]);
        assert!(r.skip_numbers::<i64>(count as usize).is_err());
    }
}

#[test]
fn message_over_the_limit_leaves_output_unchanged() {
    let limits = Limits { frame_bytes: 4, ..Limits::DEFAULT };
    for dedup_slots in [0, 1] {
        let mut writer = Writer::new();
        let mut out = vec![9];
        for text in ["abc", "ab"] {
            writer.begin(&mut out, &Message { dedup_slots, limits, ..Message::default() });
            writer.raw(text.as_bytes());
            if dedup_slots > 0 {
                writer.raw(b"1");
            }
            let end = writer.finish(&mut out);
            assert_eq!(
                end.map_err(|e| e.code),
                if text == "ab" || dedup_slots == 0 { Ok(()) } else { Err(Code::LimitSize) }
            );
            if dedup_slots == 1 && text == "abc" {
                assert_eq!(out, [9]);
            }
        }
    }
}

#[test]
fn writer_changes_profile_between_messages() {
    let write = |w: &mut Writer| (0..4).for_each(|_| w.str(0, "again"));
    let mut writer = Writer::new();
    for profile in [Profile::Compact, Profile::Fast, Profile::Compact, Profile::Fast, Profile::Fast] {
        let mut out = Vec::new();
        writer.begin(&mut out, &message(1, profile));
        write(&mut writer);
        writer.finish(&mut out).unwrap();
        assert_eq!(out, written(&message(1, profile), write));
    }
}

#[test]
fn writer_takes_long_and_short_messages() {
    let mut writer = Writer::new();
    let mut out = Vec::new();
    let mut ends = Vec::new();
    for n in [3, 200, 20_000, 1, 0, 127, 128] {
        writer.begin(&mut out, &Message { dedup_slots: 1, digest: Some(7), check: Some(7), ..Message::default() });
        writer.str(0, &"é".repeat(n));
        writer.finish(&mut out).unwrap();
        ends.push((out.len(), n));
    }
    let mut start = 0;
    for (end, n) in ends {
        let mut r = Reader::new(&out[start..end], Some(7), &Limits::DEFAULT).unwrap();
        let Ok(Token::Latin1 { chars, .. }) = r.token() else { panic!("{n}") };
        assert_eq!(chars, vec![0xe9; n]);
        r.finish().unwrap();
        start = end;
    }
}
