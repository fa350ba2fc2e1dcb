//! Samewire: a codec for owned bytes and values, an encoder and a scratch that are kept for the rest.

use crate::arguments::Plan;
use crate::library::{Borrowing, Codec as Peer, Library};
use crate::records::{Book, Event, Node, View};
use crate::reference;
use crate::report::report;
use crate::shapes;
use samewire_pack::{Codec, Encoder, Map, Pack, Profile, Scratch, Unpack};
use std::hint::black_box;

const LIBRARY: Library = Library::serde("samewire-pack", "typed", "all bounds, text, schema types, limits");

pub const ROWS: &[(&str, Library)] = &[("samewire-compact", LIBRARY), ("samewire-fast", LIBRARY)];

/// Reports one row on one shape.
pub fn run(row: &str, shape: &str, plan: Plan) {
    let map = || Map::try_from(reference::map()).expect("distinct keys");
    shapes!(viewed, LIBRARY, shape, plan, |value| viewing(&value, profile(row)), map: map());
}

fn profile(row: &str) -> Profile {
    if row == "samewire-fast" {
        Profile::Fast
    } else {
        Profile::Compact
    }
}

/// Reports one row on the user's own data, which come as our message.
pub fn message<T: PartialEq + Pack + for<'a> Unpack<'a>>(row: &str, data: &[u8], plan: Plan) {
    let mut codec = Samewire::<T>::new(profile(row));
    let value = codec.decode(data);
    report(&value, &mut codec, &LIBRARY, plan, None);
}

/// One type in one profile.
pub struct Samewire<T> {
    codec: Codec<T>,
    encoder: Encoder<T>,
    scratch: Scratch,
}

impl<T: Pack> Samewire<T> {
    /// With all that is kept between messages.
    pub fn new(profile: Profile) -> Self {
        let codec = Codec::<T>::new().profile(profile);
        Samewire {
            encoder: codec.encoder(),
            codec,
            scratch: Scratch::new(),
        }
    }
}

/// A borrowed value's lifetime ends before the scratch is used again, so each call needs a codec of its own lifetime:
/// codecs are covariant, which only a concrete type can show.
pub trait Shorten: View {
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

impl<T: Pack + for<'a> Unpack<'a>> Peer<T> for Samewire<T> {
    fn encode(&mut self, value: &T) -> Vec<u8> {
        self.codec.encode(value).expect("any value of these types")
    }

    fn into(&mut self, value: &T) -> Option<usize> {
        Some(self.encoder.encode(value).expect("any value of these types").len())
    }

    fn decode(&mut self, data: &[u8]) -> T {
        self.codec.decode(data).expect("bytes of encode")
    }
}

/// With a codec for views beside.
pub struct Viewing<T: View>(Samewire<T>, Codec<T::Of<'static>>);

/// For values like this one.
pub fn viewing<T: Shorten + Pack>(_: &T, profile: Profile) -> Viewing<T>
where
    for<'a> T::Of<'a>: Pack,
{
    Viewing(Samewire::new(profile), Codec::new())
}

impl<T: Shorten + Pack + for<'a> Unpack<'a>> Peer<T> for Viewing<T> {
    fn encode(&mut self, value: &T) -> Vec<u8> {
        self.0.encode(value)
    }

    fn into(&mut self, value: &T) -> Option<usize> {
        Peer::into(&mut self.0, value)
    }

    fn decode(&mut self, data: &[u8]) -> T {
        self.0.decode(data)
    }
}

impl<T> Borrowing<T> for Viewing<T>
where
    T: Shorten + Pack + for<'a> Unpack<'a>,
    for<'a> T::Of<'a>: Unpack<'a>,
{
    fn borrowed(&mut self, data: &[u8]) {
        let codec = T::shorten(&self.1);
        black_box(
            codec
                .decode_borrowed(data, &mut self.0.scratch)
                .expect("bytes of encode"),
        );
    }
}
