//! Values that share their parts: small in memory, and without end on the wire.

use samewire_pack::{BytesRef, Code, Codec, Limits, Pack, Profile};

const LIMITS: Limits = Limits { frame_bytes: 1 << 16, ..Limits::DEFAULT };

#[derive(Pack, Clone, Copy)]
#[pack(encode_only)]
struct Node<'a> {
    name: &'a str,
    kids: &'a [Node<'a>],
}

#[derive(Pack, Clone, Copy)]
#[pack(encode_only)]
struct Bare<'a> {
    kids: &'a [Bare<'a>],
}

/// A tree of so many levels, every two nodes of one level the same one: `found` gets the root.
fn tree(levels: usize, kids: &[Node<'_>], found: &dyn Fn(&Node<'_>)) {
    let node = Node { name: "", kids };
    match levels {
        0 => found(&node),
        _ => tree(levels - 1, &[node; 2], found),
    }
}

fn bare(levels: usize, kids: &[Bare<'_>], found: &dyn Fn(&Bare<'_>)) {
    match levels {
        0 => found(&Bare { kids }),
        _ => bare(levels - 1, &[Bare { kids }; 2], found),
    }
}

/// Every way to encode refuses the value as too long, and leaves what there was.
fn is_too_long<T: Pack>(value: &T) {
    is_too_long_in(&[Profile::Compact, Profile::Fast], value);
}

fn is_too_long_in<T: Pack>(profiles: &[Profile], value: &T) {
    for &profile in profiles {
        let codec = Codec::<T>::new().limits(LIMITS).profile(profile);
        let mut out = vec![7; 100];
        let mut encoder = codec.encoder();
        let errors = [
            codec.encode(value).err(),
            codec.encode_into(value, &mut out).err(),
            codec.encode_chunks(value, 1 << 10).err(),
            encoder.encode(value).err(),
            encoder.encode_into(value, &mut out).err(),
        ];
        for error in errors {
            let error = error.expect("is too long");
            assert_eq!((error.code, error.path.as_deref(), error.at), (Code::LimitSize, Some("$"), None));
        }
        assert_eq!(out, [7; 100]);
    }
}

#[test]
fn abandons_nested_parts_that_exceed_frame_bytes() {
    tree(60, &[], &|root| is_too_long(root));
    bare(60, &[], &|root| is_too_long(root));
    let bytes = [1u8; 1000];
    let once = [&bytes[..]; 1000];
    let twice = [&once[..]; 1000];
    let often = [&twice[..]; 1000];
    is_too_long(&vec![&often[..]; 1000]);
    let numbers = [1u64 << 60; 10_000];
    is_too_long(&vec![&numbers[..]; 100_000]);
}

#[derive(Pack, Clone, Copy)]
#[pack(encode_only)]
struct Outer<'a> {
    inner: &'a [Inner<'a>],
}

#[derive(Pack, Clone, Copy)]
#[pack(encode_only)]
struct Inner<'a> {
    leaves: &'a [(i32, bool)],
}

#[test]
fn abandons_columns_of_shared_parts_before_it_gathers_them() {
    let leaves = [(1, true); 1000];
    let inner = [Inner { leaves: &leaves }; 1000];
    let outer = vec![Outer { inner: &inner }; 1000];
    let codec = Codec::<Vec<Outer>>::new().limits(LIMITS);
    let error = codec.encode(&outer).unwrap_err();
    assert_eq!((error.code, error.path.as_deref()), (Code::LimitSize, Some("$")));
}

#[test]
fn abandons_repeated_long_texts() {
    let (long, wide, mixed) = ("x".repeat(10_000), "\u{5b57}".repeat(10_000), "\u{e9}".repeat(10_000));
    for text in [&long, &wide, &mixed] {
        is_too_long(&vec![&text[..]; 100_000]);
        // In columns it stands once.
        is_too_long_in(&[Profile::Fast], &vec![(1u8, &text[..]); 100_000]);
        assert!(
            Codec::<Vec<(u8, &str)>>::new().encode(&vec![(1, &text[..]); 100_000]).unwrap().len() < LIMITS.frame_bytes
        );
    }
    is_too_long(&vec![BytesRef(long.as_bytes()); 100_000]);
    // A text of 95 characters is the longest that takes one byte among the values.
    let short: Vec<String> = (0..1000).map(|n| format!("{n:095}")).collect();
    let row: Vec<&str> = short.iter().map(String::as_str).collect();
    is_too_long(&vec![&row[..]; 100_000]);
}

#[test]
fn encodes_an_exact_fit_after_an_overflow() {
    let texts = vec!["0123456789".repeat(10), "\u{5b57}".repeat(100)];
    let whole = Codec::<Vec<String>>::new().encode(&texts).unwrap();
    let codec = |frame_bytes| Codec::<Vec<String>>::new().limits(Limits { frame_bytes, ..LIMITS });
    assert_eq!(codec(whole.len()).encode(&texts).unwrap(), whole);
    assert_eq!(codec(whole.len() - 1).encode(&texts).unwrap_err().code, Code::LimitSize);
    let mut encoder = codec(whole.len()).encoder();
    let mut out = vec![1, 2, 3];
    for _ in 0..3 {
        assert!(encoder.encode(&vec!["x".repeat(whole.len()); 3]).is_err());
        encoder.encode_into(&texts, &mut out).unwrap();
    }
    assert_eq!(out[3..], [&whole[..]; 3].concat());
}

#[test]
fn a_text_that_is_longer_than_the_message_may_be_is_not_left_out_of_it() {
    let codec = Codec::<String>::new().limits(Limits { frame_bytes: 1000, ..LIMITS });
    for text in ["é".repeat(2001), "日".repeat(2001), "x".repeat(2002)] {
        let error = codec.encode(&text).unwrap_err();
        assert_eq!((error.code, error.path.as_deref()), (Code::LimitSize, Some("$")));
        let mut out = vec![7];
        assert_eq!(codec.encode_into(&text, &mut out).unwrap_err().code, Code::LimitSize);
        assert_eq!(out, [7]);
    }
}
