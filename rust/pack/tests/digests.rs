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
    assert_eq!(digest_of(b"\x40"), Ok(None));
}

#[test]
fn what_is_no_message_has_no_digest() {
    for (bytes, code, at) in [
        (&b""[..], "truncated", 0),
        (b"\x50", "truncated", 1),
        (b"\x50\x01\x02\x03\x04\x05\x06\x07", "truncated", 8),
        (b"\x00\x02", "unsupported", 0),
        (b"{}", "truncated", 2),
        (b"\xff", "unsupported", 0),
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
    assert_eq!(place(&strict.decode(b"\x40\x02\x00\x00").unwrap_err()), ("limit_size", Some(0)));
    assert_eq!(place(&strict.decode(b"\x80\x02").unwrap_err()), ("unsupported", Some(0)));
    assert_eq!(place(&strict.decode(b"").unwrap_err()), ("truncated", Some(0)));
    // Before all the rest: this value is cut.
    assert_eq!(place(&strict.decode(b"\x40").unwrap_err()), ("schema_mismatch", Some(0)));
}
