//! Misuse (`spec/errors.md`): the compiler rejects most of it; the rest fails with `misuse` and changes nothing.

use samewire_pack::{Code, Codec, Error, Limits, Pack};

#[derive(Pack)]
struct Named {
    _x: i32,
}

#[derive(Pack)]
#[pack(name = "Named")]
struct Other {
    _x: i32,
}

fn misuse<T>(answer: Result<T, Error>) {
    let error = answer.err().expect("an error");
    assert_eq!((error.code, error.at, error.path), (Code::Misuse, None, None));
}

#[test]
fn impossible_arguments_are_misuse() {
    let codec = Codec::<Vec<i32>>::new();
    misuse(codec.encode_chunks(&vec![1], 0));
    misuse(Codec::<(Named, Other)>::try_new());
}

type Four<T> = Vec<Vec<Vec<Vec<T>>>>;
type Sixteen<T> = Four<Four<Four<Four<T>>>>;
type SixtyFour<T> = Sixteen<Sixteen<Sixteen<Sixteen<T>>>>;

#[test]
fn rejects_type_nested_beyond_schema_text() {
    assert!(Codec::<SixtyFour<i8>>::try_new().is_ok());
    let error = Codec::<Vec<SixtyFour<i8>>>::try_new().expect_err("an error");
    assert_eq!((error.code, error.at, error.path), (Code::LimitDepth, Some(0), None));
}

#[test]
fn limit_of_zero_rejects_everything() {
    let codec = |limits| Codec::<Vec<i32>>::new().limits(limits);
    let message = Codec::<Vec<i32>>::new().encode(&vec![1]).unwrap();
    let error = codec(Limits { items: 0, ..Limits::DEFAULT }).decode(&message).unwrap_err();
    assert_eq!(error.code, Code::LimitItems);
    let error = codec(Limits { frame_bytes: 0, ..Limits::DEFAULT }).encode(&vec![1]).unwrap_err();
    assert_eq!((error.code, error.path.as_deref()), (Code::LimitSize, Some("$")));
}
