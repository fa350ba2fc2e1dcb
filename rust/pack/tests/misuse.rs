//! Calls that make no sense (`spec/errors.md`): the compiler refuses most, the rest is `misuse`, and changes nothing.

use samewire_pack::{Code, Codec, Error, Limits, Pack};

#[derive(Pack)]
struct Named {
    #[pack(name = "")]
    _x: i32,
}

fn misuse<T>(answer: Result<T, Error>) {
    let error = answer.err().expect("an error");
    assert_eq!((error.code, error.at, error.path), (Code::Misuse, None, None));
}

#[test]
fn values_that_cannot_be() {
    let codec = Codec::<Vec<i32>>::new();
    misuse(codec.encode_chunks(&vec![1], 0));
    misuse(Codec::<Named>::try_new());
}

type Four<T> = Vec<Vec<Vec<Vec<T>>>>;
type Sixteen<T> = Four<Four<Four<Four<T>>>>;
type SixtyFour<T> = Sixteen<Sixteen<Sixteen<Sixteen<T>>>>;

#[test]
fn a_type_that_is_too_much_for_a_schema_text() {
    assert!(Codec::<SixtyFour<i8>>::try_new().is_ok());
    let error = Codec::<Vec<SixtyFour<i8>>>::try_new().expect_err("an error");
    assert_eq!((error.code, error.at, error.path), (Code::LimitDepth, Some(0), None));
}

#[test]
fn a_limit_of_0_refuses_all_that_it_counts() {
    let codec = |limits| Codec::<Vec<i32>>::new().limits(limits);
    let message = Codec::<Vec<i32>>::new().encode(&vec![1]).unwrap();
    let error = codec(Limits { items: 0, ..Limits::DEFAULT }).decode(&message).unwrap_err();
    assert_eq!(error.code, Code::LimitItems);
    let error = codec(Limits { frame_bytes: 0, ..Limits::DEFAULT }).encode(&vec![1]).unwrap_err();
    assert_eq!((error.code, error.path.as_deref()), (Code::LimitSize, Some("$")));
}
