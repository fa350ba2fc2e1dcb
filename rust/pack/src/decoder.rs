//! The decoder of a pair of schemas.

use crate::input::{Input, Scratch};
use crate::pack::{Slot, Unpack};
use crate::resolve::ResolutionPlan;
use crate::schema::Schema;
use crate::walker;
use crate::wire::header;
use core::marker::PhantomData;
use samewire_core::Limits;
use samewire_core::{Code, Error, Fault};

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
/// let user = decoder.decode(b"\x81\x0ba@b.cEvelyn\x05\x06")?;
/// assert_eq!((user.name.as_str(), user.age), ("Evelyn", 18));
/// # Ok::<(), samewire_pack::Error>(())
/// ```
pub struct Decoder<T> {
    plan: ResolutionPlan,
    limits: Limits,
    digest_required: bool,
    types: PhantomData<fn() -> T>,
}

impl<T> Decoder<T> {
    pub(crate) fn new(plan: ResolutionPlan, limits: Limits, digest_required: bool) -> Self {
        Decoder { plan, limits, digest_required, types: PhantomData }
    }

    /// Returns the writer's schema.
    pub fn writer(&self) -> &Schema {
        self.plan.writer()
    }

    /// Decodes a value that owns all its parts.
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
        if self.digest_required && header::lacks_digest(bytes) && bytes.len() <= self.limits.frame_bytes {
            return Err(header::without_digest());
        }
        let mut input = Input::new(bytes, scratch, &[], &self.limits);
        match self.root(&mut input) {
            Ok(value) => {
                input.retire();
                Ok(value)
            }
            Err(Fault) => Err(self.explain(bytes, &input)),
        }
    }

    #[cold]
    fn explain(&self, bytes: &[u8], input: &Input<'_, '_>) -> Error {
        let failure = input.failure();
        if input.is_own_failure() {
            // What the reader lacks or cannot hold, or another digest, comes before any error behind it.
            return failure;
        }
        match walker::check_with(self.writer(), self.plan.cells(), bytes, &self.limits) {
            // A skipped struct may be too deep where it is referred to, but not where it stands.
            Err(error) if failure.code != Code::LimitDepth || error.at == failure.at => error,
            _ => failure,
        }
    }

    fn root<'a>(&self, input: &mut Input<'a, '_>) -> Result<T, Fault>
    where
        T: Unpack<'a>,
    {
        input.open(self.writer().digest())?;
        input.keep_texts();
        let step = self.plan.root();
        input.charge_here(self.plan.step(step).slot_cells.into())?;
        let slot =
            if self.plan.step(step).writer.flagged() { Slot::Flag(input.row_flags(1)?.next()) } else { Slot::Present };
        let value = T::resolve(input, &self.plan, step, slot)?;
        input.finish()?;
        Ok(value)
    }
}
