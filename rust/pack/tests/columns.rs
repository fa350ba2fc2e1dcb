//! The wire layer of columns (`spec/columns.md`): what is written comes back, and hostile bytes fail where they should.

use samewire_pack::schema::Schema;
use samewire_pack::walker::check;
use samewire_pack::wire::columns::{time_range, write_integers, Count, TextForm, Times, Unit, MARK};
use samewire_pack::wire::{Cost, Message, Number, Reader, Token, Writer};
use samewire_pack::{Code, Fault, Limits};
use std::fmt::Debug;

const ROWS: usize = if cfg!(miri) { 140 } else { 700 };

/// The message of no text that `write` makes.
fn written(write: impl FnOnce(&mut Writer)) -> Vec<u8> {
    let (mut writer, mut out) = (Writer::new(), Vec::new());
    writer.begin(&mut out, &Message { dedup_slots: 2, ..Message::default() });
    write(&mut writer);
    writer.finish(&mut out).unwrap();
    out
}

/// Reads a whole message.
fn read<'a, T>(message: &'a [u8], read: impl FnOnce(&mut Reader<'a>) -> Result<T, Fault>) -> Result<T, (Code, usize)> {
    let mut reader = Reader::new(message, None, &Limits::DEFAULT).unwrap();
    let done = read(&mut reader).and_then(|value| reader.finish().map(|()| value));
    done.map_err(|Fault| (reader.fault().code, reader.fault().at.unwrap()))
}

/// Writes a column of integers, reads it back, and returns its mode.
fn mode<T: Number + Debug>(values: &[T], low: T, high: T) -> u8 {
    let mut column = Vec::new();
    write_integers(values, &mut column);
    let message = written(|writer| writer.column_integers(values));
    assert_eq!(message[1..], column);
    let mut out = vec![values[0]];
    read(&message, |reader| reader.column_integers(&(low..=high), values.len(), &mut out)).unwrap();
    assert_eq!(out[1..], *values);
    for end in 1..message.len() {
        let mut out = Vec::new();
        let cut = read(&message[..end], |reader| reader.column_integers(&(low..=high), values.len(), &mut out));
        assert_eq!(cut, Err((Code::Truncated, end)));
    }
    column[0]
}

fn spread(count: usize) -> impl Iterator<Item = u64> {
    (1..=count as u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

#[test]
fn integers_come_back_in_every_mode() {
    let rows = ROWS as i64;
    assert_eq!(mode(&(0..rows).map(|i| i * 7919 % 100 - 50).collect::<Vec<i64>>(), i64::MIN, i64::MAX), 1);
    assert_eq!(mode(&(0..rows as u64).map(|i| (1 << 63) + 5 * i).collect::<Vec<u64>>(), 0, u64::MAX), 2);
    let wrapping: Vec<i64> = (0..rows).map(|i| if i / 50 % 2 == 0 { i64::MAX } else { i64::MIN }).collect();
    assert_eq!(mode(&wrapping, i64::MIN, i64::MAX), 2);
    assert_eq!(mode(&spread(ROWS).collect::<Vec<u64>>(), 0, u64::MAX), 0);
    assert_eq!(mode(&[200u8], 0, 200), 0);
    assert_eq!(mode(&[7i32; ROWS], 7, 7), 1);
    assert_eq!(mode(&spread(ROWS).map(|n| n as i16).collect::<Vec<_>>(), i16::MIN, i16::MAX), 0);
    assert_eq!(mode(&(0..ROWS).map(|i| i as i32 / 3).collect::<Vec<_>>(), 0, ROWS as i32), 2);
    // Blocks of their own widths, with exceptions.
    assert_eq!(mode(&(0..rows as u64).map(|i| i.wrapping_pow(5)).collect::<Vec<u64>>(), 0, u64::MAX), 2);
    assert_eq!(
        mode(&(0..rows).map(|i| if i % 99 == 5 { 1 << 50 } else { i % 7 }).collect::<Vec<i64>>(), 0, 1 << 50),
        1
    );
}

#[test]
fn integers_out_of_range_are_refused_where_they_stand() {
    let refused = |range: std::ops::RangeInclusive<i8>, m: usize, bytes: &[u8]| {
        let message = [&[0x80], bytes].concat();
        read(&message, |reader| reader.column_integers(&range, m, &mut Vec::new())).unwrap_err()
    };
    let all = i8::MIN..=i8::MAX;
    assert_eq!(refused(all.clone(), 1, &[3, 0]), (Code::Malformed, 1));
    assert_eq!(refused(0..=3, 2, &[0, 3, 4]), (Code::BadNumber, 1));
    assert_eq!(refused(0..=3, 2, &[1, 4, 1, 0]), (Code::BadNumber, 2));
    assert_eq!(refused(0..=3, 2, &[1, 3, 1, 2]), (Code::BadNumber, 3));
    // 127 + 1, and 0 - 1: modulo 2^64 outside, modulo 2^8 inside.
    assert_eq!(refused(all.clone(), 2, &[1, 0x7f, 8, 1, 0xff]), (Code::BadNumber, 3));
    assert_eq!(refused(all.clone(), 2, &[2, 0x7f, 8, 2]), (Code::BadNumber, 3));
    assert_eq!(refused(all, 1 << 20, &[1, 0, 0]), (Code::Truncated, 4));
}

#[test]
fn doubles_come_back_bit_by_bit() {
    let nan = f64::from_bits(0x7ff8_dead_beef_0001);
    for (mode, values) in [
        (1, (0..ROWS).map(|i| (i * 37 % 1000) as f64 / 100.0).collect::<Vec<f64>>()),
        (1, (0..ROWS).map(|i| if i % 11 == 3 { -0.0 } else { i as f64 / 10.0 }).collect()),
        (1, (0..ROWS).map(|i| ((1u64 << 52) - i as u64) as f64).collect()),
        (1, (0..ROWS).map(|i| -((1u64 << 53) as f64) + 2.0 * i as f64).collect()),
        // An odd number of 53 bits has no half beside it.
        (0, (0..ROWS).map(|i| ((1u64 << 53) - i as u64) as f64).collect()),
        (2, (0..ROWS).map(|i| (i as f64 % 4.0 + 2.0).sqrt()).collect()),
        (2, (0..ROWS).map(|i| [nan, f64::INFINITY, -0.0][i % 3]).collect()),
        (0, (0..ROWS).map(|i| 1.0 / (i as f64 + 3.0).sqrt()).collect()),
        (0, (0..ROWS).map(|i| f64::from_bits(0x7ff8_0000_0000_0001 + i as u64)).collect()),
    ] {
        let message = written(|writer| writer.column_doubles(&values));
        assert_eq!(message[1], mode);
        let mut out = Vec::new();
        read(&message, |reader| reader.column_doubles(ROWS, &mut out)).unwrap();
        let bits = |numbers: &[f64]| numbers.iter().map(|number| number.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&out), bits(&values));
        for end in (1..message.len()).step_by(7) {
            let cut = read(&message[..end], |reader| reader.column_doubles(ROWS, &mut Vec::new()));
            assert_eq!(cut, Err((Code::Truncated, end)));
        }
    }
}

#[test]
fn times_take_the_coarsest_unit() {
    let last = 253_402_300_799;
    for (unit, times) in [
        (Unit::Seconds, vec![(-62_135_596_800, 0), (last, 0)]),
        (Unit::Millis, vec![(-1, 999_000_000), (last, 5_000_000)]),
        (Unit::Micros, vec![(0, 1_000), (7, 0)]),
        (Unit::Nanos, vec![(0, 1), (1 << 33, 999_999_999)]),
        (Unit::Split, vec![(-62_135_596_800, 1), (0, 0)]),
        // The least time of an i64 of nanoseconds, whose whole seconds are beyond.
        (Unit::Nanos, vec![(-9_223_372_037, 145_224_192)]),
        (Unit::Split, vec![(-9_223_372_037, 145_224_191)]),
        (Unit::Nanos, vec![(9_223_372_036, 854_775_807)]),
        (Unit::Split, vec![(9_223_372_036, 854_775_808)]),
    ] {
        let message = written(|writer| writer.column_times(times.iter().copied()));
        let mut column = Times::default();
        let found = read(&message, |reader| reader.column_times(true, times.len(), &mut column)).unwrap();
        assert_eq!((found, column.each(found, |seconds, nanos| (seconds, nanos))), (unit, times));
    }
    assert_eq!(time_range(true, Unit::Nanos), i64::MIN..=i64::MAX);
    assert_eq!(time_range(true, Unit::Millis), -62_135_596_800_000..=253_402_300_799_999);
    let unit = |bytes: &[u8]| read(bytes, |reader| reader.column_times(true, 1, &mut Times::default())).unwrap_err();
    assert_eq!(unit(&[0x80, 5, 0]), (Code::Malformed, 1));
    assert_eq!(unit(&[0x80, 0, 1, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 1, 0]), (Code::BadNumber, 3));
}

/// Reads a column of texts.
fn texts(reader: &mut Reader<'_>, m: usize) -> Result<(TextForm, Vec<String>), Fault> {
    let form = reader.column_texts(m)?;
    let (mut numbered, mut found) = (Vec::new(), Vec::new());
    for _ in 0..form.tokens(m) {
        let text = match reader.token()? {
            Token::Latin1 { chars, .. } => String::from_utf8(chars.to_vec()).unwrap(),
            Token::Wide { units, .. } => {
                let units: Vec<u16> = units.chunks(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect();
                String::from_utf16(&units).unwrap()
            }
            Token::Utf8 { text, .. } => text.into(),
            Token::Back(number) => Clone::clone(&numbered[number as usize]),
        };
        if reader.texts() as usize > numbered.len() {
            numbered.push(text.clone());
        }
        found.push(text);
    }
    if let TextForm::Dictionary(size) = form {
        let mut indices = Vec::new();
        reader.column_indices(size, m, &mut indices)?;
        found = indices.iter().map(|&index| found[index as usize].clone()).collect();
    }
    Ok((form, found))
}

#[test]
fn texts_that_repeat_stand_once() {
    let repeated: Vec<String> = (0..ROWS).map(|i| ["north", "south", "東", "Łódź"][i % 4].into()).collect();
    let distinct: Vec<String> = (0..ROWS).map(|i| format!("text {i}")).collect();
    for (form, column) in [(TextForm::Dictionary(4), repeated), (TextForm::Tokens, distinct)] {
        let borrowed: Vec<&str> = column.iter().map(String::as_str).collect();
        let message = written(|writer| writer.column_texts(1, &borrowed));
        assert_eq!(read(&message, |reader| texts(reader, ROWS)).unwrap(), (form, column));
    }
    let refused = |bytes: &[u8]| read(bytes, |reader| texts(reader, 2)).unwrap_err();
    assert_eq!(refused(&[0x80, 2, 0, 0]), (Code::Malformed, 1));
    assert_eq!(refused(&[0x80, 1, 0, 0]), (Code::Malformed, 2));
    assert_eq!(refused(&[0x80, 1, 3, 0]), (Code::Malformed, 2));
    assert_eq!(refused(&[0x80, 1, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0]), (Code::BadNumber, 4));
    assert_eq!(refused(&[0x80, 0, 0]), (Code::Truncated, 3));
}

#[test]
fn bits_and_empty_columns() {
    for rows in [0, 1, 7, 8, 63, 64, 65, 130] {
        let message = written(|writer| {
            writer.column_bits((0..rows).map(|i| i % 3 == 0));
        });
        let flags = read(&message, |reader| reader.flags(rows)).unwrap();
        assert!((0..rows).all(|i| flags[i / 8] >> (i % 8) & 1 == u8::from(i % 3 == 0)));
    }
    let message = written(|writer| {
        writer.column_integers::<i8>(&[]);
        writer.column_doubles(&[]);
        writer.column_times([].into_iter());
        writer.column_texts(0, &[]);
    });
    assert_eq!(message, [0x80]);
    let nothing = read(&message, |reader| {
        reader.column_integers(&(0..=0), 0, &mut Vec::<u8>::new())?;
        reader.column_doubles(0, &mut Vec::new())?;
        reader.column_times(true, 0, &mut Times::default())?;
        reader.column_texts(0)
    });
    assert_eq!(nothing, Ok(TextForm::Tokens));
}

#[test]
fn counts_carry_a_mark() {
    let message = written(|writer| {
        writer.columnar_count(64, 0).unwrap();
        writer.column_bits([true; 64].into_iter());
    });
    let counted = read(&message, |reader| {
        let count = reader.list_count(Cost::One, 1)?;
        reader.flags(64)?;
        Ok(count)
    });
    assert_eq!(counted, Ok(Count::Columns(64)));
    let count = |bytes: &[u8]| read(bytes, |reader| reader.list_count(Cost::One, 1)).unwrap_err();
    assert_eq!(count(&[0x80, 0x80, 0x80, 0x80, 0x80, 8]), (Code::BadNumber, 1));
    assert_eq!(count(&[0x80, 0x89, 0x80, 0x80, 0x80, 8, 0]), (Code::Truncated, 7));
    assert_eq!(count(&[0x80, 0xff, 0xff, 0xff, 0xff, 15, 0]), (Code::LimitItems, 1));
    let refused = written(|writer| assert!(writer.columnar_count(MARK as usize, 0).is_err()));
    assert_eq!(refused, [0x80]);
}

#[test]
fn counts_within_a_column_are_checked_before_anything_is_allocated() {
    let counts = |m: usize, columns: usize, cells: u64, bytes: &[u8]| {
        let message = [&[0x80, 0], bytes].concat();
        read(&message, |reader| reader.column_counts(columns, cells, m, &mut Vec::new()))
    };
    assert_eq!(counts(2, 1, 1, &[0, 0, 0, 0, 0, 0, 0, 0]), Ok(0));
    assert_eq!(counts(1, 1, 1, &[8, 0, 0, 0]), Err((Code::Truncated, 6)));
    assert_eq!(counts(1, 1, 1, &[0xff, 0xff, 0xff, 0x7f]), Err((Code::LimitItems, 1)));
    assert_eq!(counts(1, 1, 1, &[0, 0, 0, 0x80]), Err((Code::BadNumber, 1)));
    assert_eq!(counts(1, 1, u64::MAX, &[1, 0, 0, 0, 0]), Err((Code::LimitItems, 1)));
    assert_eq!(counts(1, 2, 1, &[1, 0, 0, 0, 0]), Err((Code::Truncated, 7)));
    let lengths = |bytes: &[u8]| {
        let message = [&[0x80, 0], bytes].concat();
        read(&message, |reader| reader.column_lengths(2, &mut Vec::new()))
    };
    assert_eq!(lengths(&[0, 0, 0, 0, 1, 0, 0, 0]), Err((Code::Truncated, 10)));
}

#[test]
fn the_walker_checks_columns_with_code_offset_and_path() {
    let check = |schema: &str, bytes: &[u8]| {
        let schema = Schema::parse(schema).unwrap();
        let data = [&[0x80], bytes].concat();
        check(&schema, &data, &Limits::DEFAULT).map_err(|error| (error.code, error.at.unwrap(), error.path.unwrap()))
    };
    let of = |ty: &str| format!("list<struct Row {{ a: {ty} }}>");
    let two = [0x82, 0x80, 0x80, 0x80, 8];
    let rows = |bytes: &[u8]| [&two, bytes].concat();
    assert_eq!(check(&of("i8"), &rows(&[1, 5, 1, 0b10])), Ok(()));
    let fails = |ty: &str, bytes: &[u8], code: Code, at: usize, path: &str| {
        assert_eq!(check(&of(ty), &rows(bytes)), Err((code, at, path.into())), "{ty}");
    };
    fails("i8", &[3], Code::Malformed, 6, "$[].a");
    fails("list<i8>", &[0, 1, 0, 0, 0, 0, 0, 0, 0, 3], Code::Malformed, 15, "$[].a[]");
    fails("set<bool>", &[0, 2, 0, 0, 0, 0, 0, 0, 0, 0], Code::Malformed, 6, "$[].a");
    fails("map<u8, bool>", &[0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 5, 2], Code::Malformed, 17, "$[].a[].value");
    fails("option<struct B { b: date }>", &[1, 0, 255, 255, 255, 127], Code::BadNumber, 7, "$[].a.b");
    fails("any", &[0, 0x7f], Code::Malformed, 7, "$[].a");
    let map = "map<u8, tuple<bool>>";
    assert_eq!(check(map, &rows(&[0, 5, 5, 0])), Err((Code::Malformed, 1, "$".into())));
    assert_eq!(check(map, &rows(&[0, 5, 6, 4])), Err((Code::Malformed, 9, "$[].value[0]".into())));
    assert_eq!(check("list<i8>", &two), Err((Code::BadNumber, 1, "$".into())));
    assert_eq!(check("list<struct N { n: list<N> }>", &two), Err((Code::BadNumber, 1, "$".into())));
}
