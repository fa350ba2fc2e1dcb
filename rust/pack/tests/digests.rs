//! The digest that a message carries, and codecs that require one (`spec/pack.md` section 3).

use samewire_pack::{digest_of, Codec, Error, Limits};

fn place(error: &Error) -> (&str, Option<usize>) {
    (error.code.as_str(), error.at)
}

#[test]
fn the_digest_of_a_message_is_that_of_its_schema() {
    let codec = Codec::<i32>::new().digest(true);
    let message = codec.encode(&1).unwrap();
    assert_eq!(digest_of(&message), Ok(Some(codec.schema().digest().to_be_bytes())));
    // What follows is not looked at.
    assert_eq!(digest_of(&message[..9]), digest_of(&message));
    assert_eq!(digest_of(&Codec::<i32>::new().encode(&1).unwrap()), Ok(None));
    assert_eq!(digest_of(b"\x80"), Ok(None));
}

#[test]
fn what_is_no_message_has_no_digest() {
    for (bytes, code, at) in [
        (&b""[..], "truncated", 0),
        (b"\x90", "truncated", 1),
        (b"\x90\x01\x02\x03\x04\x05\x06\x07", "truncated", 8),
        (b"\x00\x02", "unsupported", 0),
        (b"\x7f", "unsupported", 0),
        (b"{}", "unsupported", 0),
    ] {
        assert_eq!(place(&digest_of(bytes).unwrap_err()), (code, Some(at)), "{bytes:?}");
    }
}

#[test]
fn a_required_digest_must_be_there() {
    let plain = Codec::<i64>::new().encode(&7).unwrap();
    let carried = Codec::<i64>::new().digest(true).encode(&7).unwrap();
    let strict = Codec::<i64>::new().require_digest(true);
    assert_eq!(strict.decode(&carried), Ok(7));
    let error = strict.decode(&plain).unwrap_err();
    assert_eq!((place(&error), error.path.as_deref()), (("schema_mismatch", Some(0)), Some("$")));
    let other = Codec::<i32>::new().digest(true).encode(&7).unwrap();
    assert_eq!(place(&strict.decode(&other).unwrap_err()), ("schema_mismatch", Some(1)));
    assert_eq!(strict.resolve("i32").unwrap().decode(&other), Ok(7));
    let plain = Codec::<i32>::new().encode(&7).unwrap();
    assert_eq!(place(&strict.resolve("i32").unwrap().decode(&plain).unwrap_err()), ("schema_mismatch", Some(0)));
}

#[test]
fn the_length_and_the_version_are_checked_first() {
    let strict = Codec::<i64>::new().require_digest(true).limits(Limits { frame_bytes: 3, ..Limits::default() });
    assert_eq!(place(&strict.decode(b"\x80\x02\x00\x00").unwrap_err()), ("limit_size", Some(0)));
    assert_eq!(place(&strict.decode(b"\x40\x02").unwrap_err()), ("unsupported", Some(0)));
    assert_eq!(place(&strict.decode(b"").unwrap_err()), ("truncated", Some(0)));
    // Before all the rest: this value is cut.
    assert_eq!(place(&strict.decode(b"\x80").unwrap_err()), ("schema_mismatch", Some(0)));
}

#[test]
fn a_message_carries_the_check_unless_it_carries_the_digest_or_neither() {
    let digest = Codec::<i32>::new().schema().digest().to_be_bytes();
    let encode = |codec: Codec<i32>| codec.encode(&-300).unwrap();
    let checked = [&[0xc0][..], &digest[..2], &[0xd7, 4]].concat();
    let carried = [&[0x90][..], &digest, &[0xd7, 4]].concat();
    assert_eq!(encode(Codec::new()), checked);
    assert_eq!(encode(Codec::new().check(true)), checked);
    assert_eq!(encode(Codec::new().digest(true)), carried);
    assert_eq!(encode(Codec::new().digest(true).check(false)), carried);
    assert_eq!(encode(Codec::new().check(false)), [0x80, 0xd7, 4]);
    for message in [&checked[..], &carried, &[0x80, 0xd7, 4]] {
        assert_eq!(Codec::<i32>::new().check(false).decode(message), Ok(-300));
    }
    assert_eq!(digest_of(&checked), Ok(None));
    let strict = Codec::<i32>::new().require_digest(true);
    assert_eq!(place(&strict.decode(&checked).unwrap_err()), ("schema_mismatch", Some(0)));
}

#[test]
fn a_check_is_that_of_the_writers_schema() {
    let message = Codec::<i32>::new().encode(&7).unwrap();
    let error = Codec::<i64>::new().decode(&message).unwrap_err();
    assert_eq!((place(&error), error.path.as_deref()), (("schema_mismatch", Some(1)), Some("$")));
    assert_eq!(Codec::<i64>::new().resolve("i32").unwrap().decode(&message), Ok(7));
    let own = Codec::<i64>::new().encode(&7).unwrap();
    assert_eq!(
        place(&Codec::<i64>::new().resolve("i32").unwrap().decode(&own).unwrap_err()),
        ("schema_mismatch", Some(1))
    );
    // With texts, and cut within the check.
    let text = Codec::<String>::new().encode(&"Łódź, as a text".into()).unwrap();
    assert_eq!(Codec::<String>::new().decode(&text).unwrap(), "Łódź, as a text");
    assert_eq!(place(&Codec::<Option<String>>::new().decode(&text).unwrap_err()), ("schema_mismatch", Some(1)));
    assert_eq!(place(&Codec::<i32>::new().decode(&message[..2]).unwrap_err()), ("truncated", Some(2)));
    assert_eq!(place(&Codec::<i32>::new().decode(&message[..1]).unwrap_err()), ("truncated", Some(1)));
}

/// Behind a check of two bytes the values of a message without text need padding.
#[test]
fn aligned_arrays_behind_each_header() {
    let long: Vec<f64> = (0..20).map(f64::from).collect();
    let values = [vec![], long.clone(), vec![1.5], long.clone(), long, vec![], vec![2.5; 7], vec![2.5; 8]];
    for (check, digest) in [(true, false), (false, false), (false, true)] {
        let codec = Codec::<Vec<f64>>::new().check(check).digest(digest);
        let mut encoder = codec.encoder();
        let mut all = Vec::new();
        // One writer, whose messages change between aligned ones and others.
        for value in &values {
            let message = codec.encode(value).unwrap();
            assert_eq!(encoder.encode(value).unwrap(), message);
            assert_eq!(codec.encode_chunks(value, 10).unwrap().iter().collect::<Vec<_>>().concat(), message);
            assert_eq!(codec.decode(&message).as_ref(), Ok(value));
            let aligned = value.len() >= 8;
            assert_eq!(message[0] & 8 != 0, aligned);
            let head = if digest || check && aligned {
                9
            } else if check {
                3
            } else {
                1
            };
            assert_eq!(usize::from(message[head]), value.len());
            let before = all.len();
            encoder.encode_into(value, &mut all).unwrap();
            assert_eq!(all[before..], message);
        }
        // The longest that is allowed, whatever was written before.
        let most = codec.encode(&values[7]).unwrap().len();
        for (limit, fits) in [(most, true), (most - 1, false)] {
            let limits = Limits { frame_bytes: limit, ..Limits::default() };
            let mut encoder = Codec::<Vec<f64>>::new().check(check).digest(digest).limits(limits).encoder();
            for value in [&values[7], &values[6], &values[7], &values[0], &values[7]] {
                let wanted = if value.len() == 8 { fits } else { true };
                assert_eq!(encoder.encode(value).is_ok(), wanted);
            }
        }
    }
}
