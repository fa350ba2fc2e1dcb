//! Shared structs that name one another in a long chain. (Tests run in threads with 2 MiB of stack.)

use samewire_pack::{Code, Codec, Pack};
use std::rc::Rc;

#[derive(Pack, Debug)]
struct Step {
    n: u8,
    before: Option<Rc<Step>>,
}

#[derive(Pack)]
struct Path {
    last: Rc<Step>,
}

const LONGEST: usize = 2048 + 16 * 64;

fn varint(mut value: usize, out: &mut Vec<u8>) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// So many structs in a list, each of which names the one before. The second value is where the last one does.
fn steps(length: usize) -> (Vec<u8>, usize) {
    let mut message = vec![0x80];
    varint(length, &mut message);
    let mut last = 0;
    for i in 0..length {
        message.extend([0, u8::from(i > 0), 7]);
        if i > 0 {
            last = message.len();
            varint(i, &mut message);
        }
    }
    (message, last)
}

#[test]
fn drops_the_longest_allowed_chain_of_references() {
    let codec = Codec::<Vec<Rc<Step>>>::new().check(false);
    let (message, _) = steps(LONGEST + 1);
    let made = codec.decode(&message).unwrap();
    assert_eq!(codec.encode(&made).unwrap(), message);
    assert_eq!((made[5].n, made.len()), (7, LONGEST + 1));
    drop(made);

    let (message, last) = steps(LONGEST + 2);
    let error = codec.decode(&message).unwrap_err();
    assert_eq!((error.code, error.at), (Code::LimitDepth, Some(last)));
    // Its count takes a byte more.
    let error = codec.decode(&steps(300_000).0).unwrap_err();
    assert_eq!((error.code, error.at), (Code::LimitDepth, Some(last + 1)));
}

#[test]
fn skipped_structs_add_no_reference_depth() {
    let writer = "struct Path { all: list<ref<struct Step { n: u8, before: option<ref<Step>> }>>, last: ref<Step> }";
    let decoder = Codec::<Path>::new().resolve(writer).unwrap();
    let (mut message, _) = steps(10_000);
    message.push(64);
    let last = decoder.decode(&message).unwrap().last;
    assert_eq!(std::iter::successors(Some(&last), |step| step.before.as_ref()).count(), 64);
    *message.last_mut().unwrap() = 65;
    assert_eq!(decoder.decode(&message).err().map(|error| error.code), Some(Code::LimitDepth));
}
