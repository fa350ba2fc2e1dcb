//! The codecs of all emitted types, without their types: one runner serves them all and is compiled once.

use crate::pack::notation::{self, Notation, Unfit, Value};
use crate::pack::types::*;
use samewire_pack::schema::Schema;
use samewire_pack::{Codec, Decoder, Error, Limits, Profile, Unpack};
use std::any::Any;
use std::collections::BTreeMap;

/// How a codec is set up.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// The profile in which it writes.
    pub profile: Profile,
    /// Whether its messages carry the digest of the schema.
    pub digest: bool,
    /// Whether they carry the check, where they carry no digest.
    pub check: bool,
    /// The limits it holds.
    pub limits: Limits,
    /// Whether it sorts all maps.
    pub sort_keys: bool,
}

/// A native value.
pub type Native = Box<dyn Any>;

/// The codec of one type.
pub trait AnyCodec {
    /// The schema of the type.
    fn schema(&self) -> &Schema;

    /// The native value of a notation.
    ///
    /// # Errors
    /// The notation does not fit the type.
    fn read(&self, notation: &Value) -> Result<Native, Unfit>;

    /// The notation of a native value.
    ///
    /// # Panics
    /// The value is of another type.
    fn write(&self, value: &dyn Any) -> Value;

    /// Encodes into memory of its own.
    ///
    /// # Errors
    /// As `Codec::encode`.
    ///
    /// # Panics
    /// As [`write`](Self::write).
    fn encode(&self, value: &dyn Any) -> Result<Vec<u8>, Error>;

    /// Encodes into pieces of at most `size` bytes and joins them.
    ///
    /// # Errors
    /// As `Codec::encode_chunks`.
    ///
    /// # Panics
    /// As [`write`](Self::write).
    fn encode_chunks(&self, value: &dyn Any, size: usize) -> Result<Vec<u8>, Error>;

    /// Appends the message to `out`.
    ///
    /// # Errors
    /// As `Codec::encode_into`.
    ///
    /// # Panics
    /// As [`write`](Self::write).
    fn encode_into(&self, value: &dyn Any, out: &mut Vec<u8>) -> Result<(), Error>;

    /// Decodes a message.
    ///
    /// # Errors
    /// As `Codec::decode`.
    fn decode(&self, data: &[u8]) -> Result<Native, Error>;

    /// Compiles a reader of what another schema wrote.
    ///
    /// # Errors
    /// As `Codec::resolve`.
    fn resolve(&self, writer: &str) -> Result<Box<dyn AnyDecoder>, Error>;
}

/// A decoder of messages that another schema wrote.
pub trait AnyDecoder {
    /// Decodes a message of the writer's.
    ///
    /// # Errors
    /// As `Decoder::decode`.
    fn decode(&self, data: &[u8]) -> Result<Native, Error>;
}

/// A type and how to make its codec.
pub struct Case {
    /// The id of its schema in `schemas.json`, and its module in [`crate::pack::types`].
    pub id: &'static str,
    /// Makes a codec.
    pub codec: fn(Options) -> Result<Box<dyn AnyCodec>, Error>,
}

/// A type that the runner can handle.
pub trait Packable: Notation + for<'a> Unpack<'a> {}

impl<T: Notation + for<'a> Unpack<'a>> Packable for T {}

fn make<T: Packable>(options: Options) -> Result<Box<dyn AnyCodec>, Error> {
    let codec = Codec::<T>::try_new()?
        .profile(options.profile)
        .digest(options.digest)
        .check(options.check)
        .limits(options.limits)
        .sort_keys(options.sort_keys);
    Ok(Box::new(codec))
}

fn native<T: 'static>(value: &dyn Any) -> &T {
    value.downcast_ref().unwrap_or_else(|| panic!("the value is not a {}", std::any::type_name::<T>()))
}

impl<T: Packable> AnyCodec for Codec<T> {
    fn schema(&self) -> &Schema {
        self.schema()
    }

    fn read(&self, notation: &Value) -> Result<Native, Unfit> {
        Ok(Box::new(notation::read::<T>(notation)?))
    }

    fn write(&self, value: &dyn Any) -> Value {
        notation::write(native::<T>(value))
    }

    fn encode(&self, value: &dyn Any) -> Result<Vec<u8>, Error> {
        self.encode(native(value))
    }

    fn encode_chunks(&self, value: &dyn Any, size: usize) -> Result<Vec<u8>, Error> {
        Ok(self.encode_chunks(native(value), size)?.iter().flatten().copied().collect())
    }

    fn encode_into(&self, value: &dyn Any, out: &mut Vec<u8>) -> Result<(), Error> {
        self.encode_into(native(value), out)
    }

    fn decode(&self, data: &[u8]) -> Result<Native, Error> {
        Ok(Box::new(self.decode(data)?))
    }

    fn resolve(&self, writer: &str) -> Result<Box<dyn AnyDecoder>, Error> {
        Ok(Box::new(self.resolve(writer)?))
    }
}

impl<T: Packable> AnyDecoder for Decoder<T> {
    fn decode(&self, data: &[u8]) -> Result<Native, Error> {
        Ok(Box::new(self.decode(data)?))
    }
}

macro_rules! cases {
    ($(($id:literal, $module:ident))*) => {
        /// All types, in the order of `schemas.json`. A static, so that only this crate holds their code.
        pub static CASES: &[Case] = &[$(Case { id: $id, codec: make::<$module::Root> }),*];
    };
}

for_each_schema!(cases);

/// The types by their canonical schema text, with its annotations.
///
/// # Panics
/// A type has no schema.
pub fn by_schema() -> BTreeMap<String, &'static Case> {
    let text = |case: &Case| (case.codec)(Options::default()).map(|codec| codec.schema().annotated());
    CASES.iter().map(|case| (text(case).unwrap_or_else(|error| panic!("{}: {error}", case.id)), case)).collect()
}
