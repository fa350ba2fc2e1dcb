//! The decoder of a pair of schemas.

use crate::error::{Code, Error, Fault};
use crate::input::{Input, Scratch};
use crate::limits::Limits;
use crate::pack::{Slot, Unpack};
use crate::resolve::Plan;
use crate::schema::Schema;
use crate::walk;
use crate::wire::Reader;
use core::marker::PhantomData;

/// Reads messages of another schema as values of `T` (`spec/pack.md` section 13). Made by
/// [`Codec::resolve`](crate::Codec::resolve).
///
/// ```
/// use samewire_pack::{Codec, Pack};
///
/// #[derive(Pack)]
/// struct User {
///     name: String,
///     #[pack(default = 18)]
///     age: i64,
/// }
///
/// let old = "struct User { email: string, name: string }";
/// let decoder = Codec::<User>::new().resolve(old)?;
/// let user = decoder.decode(b"\x41\x0ba@b.cEvelyn\x05\x06")?;
/// assert_eq!((user.name.as_str(), user.age), ("Evelyn", 18));
/// # Ok::<(), samewire_pack::Error>(())
/// ```
pub struct Decoder<T> {
    plan: Plan,
    limits: Limits,
    types: PhantomData<fn() -> T>,
}

impl<T> Decoder<T> {
    pub(crate) fn new(plan: Plan, limits: Limits) -> Self {
        Decoder { plan, limits, types: PhantomData }
    }

    /// The writer's schema.
    pub fn writer(&self) -> &Schema {
        self.plan.writer()
    }

    /// Decodes a value that owns all it holds.
    ///
    /// # Errors
    /// As [`Codec::decode`](crate::Codec::decode); `schema_mismatch` at a symbol or member that the reader lacks.
    pub fn decode(&self, bytes: &[u8]) -> Result<T, Error>
    where
        T: for<'x> Unpack<'x>,
    {
        self.decode_borrowed(bytes, &mut Scratch::new())
    }

    /// Decodes a value that borrows from `bytes`, and from `scratch` where a text is not ASCII.
    ///
    /// # Errors
    /// As [`decode`](Self::decode).
    pub fn decode_borrowed<'a>(&self, bytes: &'a [u8], scratch: &'a mut Scratch) -> Result<T, Error>
    where
        T: Unpack<'a>,
    {
        let reader = Reader::new(bytes, Some(self.writer().digest()), &self.limits)?;
        let (mut input, texts) = Input::new(reader, scratch, &[], &self.limits);
        input.keep_texts();
        let value = self.root(&mut input);
        let failure = if value.is_err() { Some(input.failure()) } else { None };
        input.retire(texts);
        match (value, failure) {
            (Ok(value), _) => Ok(value),
            // What the reader lacks is found before anything that is wrong behind it.
            (Err(Fault), Some(error)) if error.code == Code::SchemaMismatch => Err(error),
            (Err(Fault), failure) => Err(walk::check(self.writer(), bytes, &self.limits)
                .err()
                .or(failure)
                .unwrap_or_else(|| Error::new(Code::TypeMismatch, "the declared type cannot hold what came"))),
        }
    }

    fn root<'a>(&self, input: &mut Input<'a, '_>) -> Result<T, Fault>
    where
        T: Unpack<'a>,
    {
        let step = self.plan.root();
        let slot =
            if self.plan.step(step).writer.flagged() { Slot::Flag(input.row_flags(1)?.next()) } else { Slot::Present };
        let value = T::resolve(input, &self.plan, step, slot)?;
        input.finish()?;
        Ok(value)
    }
}
