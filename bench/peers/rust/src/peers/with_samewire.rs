//! Samewire: a codec for owned bytes and values, an encoder and a scratch that are kept for the rest.

use crate::records::{Event, Node, View};
use crate::reference::{self, Dump};
use crate::report::{report, Codec as Peer};
use crate::timing::Plan;
use crate::Book;
use samewire_pack::{Codec, Encoder, Map, Pack, Profile, Scratch, Unpack};
use std::hint::black_box;

struct Samewire<T: View> {
    codec: Codec<T>,
    encoder: Encoder<T>,
    views: Codec<T::Of<'static>>,
    scratch: Scratch,
}

/// A borrowed value's lifetime ends before the scratch is used again, so each call needs a codec of its own lifetime:
/// codecs are covariant, which only a concrete type can show.
trait Shorten: View {
    fn shorten<'c, 'a>(codec: &'c Codec<Self::Of<'static>>) -> &'c Codec<Self::Of<'a>>;
}

macro_rules! shorten {
    ($($type:ty),*) => {$(
        impl Shorten for $type {
            fn shorten<'c, 'a>(codec: &'c Codec<Self::Of<'static>>) -> &'c Codec<Self::Of<'a>> {
                codec
            }
        }
    )*};
}

shorten!(Event, Node, Vec<i32>, Vec<f64>, Vec<String>, Vec<Book>, Map<String, i32>);

impl<T> Peer<T> for Samewire<T>
where
    T: Shorten + Pack + for<'a> Unpack<'a>,
    for<'a> T::Of<'a>: Unpack<'a>,
{
    const VERSION: &'static str = "0.1.0";

    fn encode(&mut self, value: &T) -> Vec<u8> {
        self.codec.encode(value).expect("any value of these types")
    }

    fn into(&mut self, value: &T) -> usize {
        self.encoder.encode(value).expect("any value of these types").len()
    }

    fn decode(&mut self, data: &[u8]) -> T {
        self.codec.decode(data).expect("bytes of encode")
    }

    fn borrowed(&mut self, data: &[u8]) {
        let codec = T::shorten(&self.views);
        black_box(codec.decode_borrowed(data, &mut self.scratch).expect("bytes of encode"));
    }
}

fn run<T>(value: T, profile: Profile, plan: Plan)
where
    T: Shorten + Dump + PartialEq + Pack + for<'a> Unpack<'a>,
    for<'a> T::Of<'a>: Pack + Unpack<'a>,
{
    let codec = Codec::<T>::new().profile(profile);
    let mut peer = Samewire {
        encoder: codec.encoder(),
        codec,
        views: Codec::new(),
        scratch: Scratch::new(),
    };
    report(value, &mut peer, plan);
}

/// Reports one shape in one profile.
pub fn shape(shape: &str, profile: Profile, plan: Plan) {
    match shape {
        "event" => run(reference::event(), profile, plan),
        "ints" => run(reference::ints(), profile, plan),
        "doubles" => run(reference::doubles(), profile, plan),
        "strings" => run(reference::strings(), profile, plan),
        "map" => run(Map::try_from(reference::map()).expect("distinct keys"), profile, plan),
        "tree" => run(reference::tree(), profile, plan),
        "booksRandom" => run(reference::books_random(), profile, plan),
        "booksNum" => run(reference::books_num(), profile, plan),
        "uniqueStrings" => run(reference::unique_strings(), profile, plan),
        "uniqueRecords" => run(reference::unique_records(), profile, plan),
        _ => panic!("no shape {shape}"),
    }
}
