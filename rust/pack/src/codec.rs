//! The codec of a type: what users call.

use crate::chunks::Chunks;
use crate::decoder::Decoder;
use crate::describe::{Describe, Description};
use crate::encoder::{encode, write_root, Encoder};
#[cfg(feature = "paths")]
use crate::explain::explain;
use crate::input::{Input, Scratch};
use crate::link::Link;
use crate::output::Output;
use crate::pack::{Pack, Unpack};
use crate::profile::Profile;
use crate::resolve::ResolutionPlan;
use crate::schema::Schema;
use crate::scratch_pool::ScratchPool;
use crate::wire::{header, Message};
use alloc::vec::Vec;
use core::marker::PhantomData;
use samewire_core::Limits;
use samewire_core::{Error, Fault};

/// Encodes and decodes values of one type. Make it once per type; threads may share it.
///
/// ```
/// use samewire_pack::{Codec, Pack, Scratch};
///
/// #[derive(Pack, PartialEq, Debug)]
/// struct Book<'a> {
///     id: &'a str,
///     name: &'a str,
///     year: i32,
/// }
///
/// let codec = Codec::<Vec<Book>>::new();
/// let books = vec![Book { id: "1001", name: "Carrie", year: 1974 }];
/// let bytes = codec.encode(&books)?;
/// let mut scratch = Scratch::new();
/// assert_eq!(codec.decode_borrowed(&bytes, &mut scratch)?, books);
/// assert_eq!(codec.schema().text(), "list<struct Book { id: string, name: string, year: i32 }>");
/// # Ok::<(), samewire_pack::Error>(())
/// ```
pub struct Codec<T> {
    description: Description,
    message: Message,
    output: ScratchPool<Output>,
    scratch: ScratchPool<Scratch>,
    digest_required: bool,
    /// Covariant, so that a codec of `Book<'static>` is one of `Book<'a>` too.
    types: PhantomData<fn() -> T>,
}

impl<T: Pack> Default for Codec<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Pack> Codec<T> {
    /// Returns the codec of a type: profile `compact`, a check and no digest in the header, default limits.
    ///
    /// # Panics
    /// If the type has no schema: a mistake in the program. [`try_new`](Self::try_new) returns the reason.
    pub fn new() -> Self {
        match Self::try_new() {
            Ok(codec) => codec,
            Err(error) => panic!("{error}"),
        }
    }

    /// Returns the codec of a type.
    ///
    /// # Errors
    /// `misuse` if the type has no schema: an `option` of an `option` or an empty struct outside a union, with the path of
    /// either; two types of one name, an enum behind a `ref`, and the like. `limit_depth`, `limit_size` or `limit_items` at 0 for one whose schema text
    /// would be refused so (`spec/limits.md`).
    pub fn try_new() -> Result<Self, Error> {
        let description = Describe::of(T::describe)?;
        // A dedup slot has a place among the links; places of structs go unused.
        let dedup_slots = if description.schema.dedup_slots() > 0 { description.links.len() } else { 0 };
        let check = Some(description.schema.digest());
        Ok(Codec {
            message: Message { dedup_slots, check, ..Message::default() },
            description,
            output: ScratchPool::new(),
            scratch: ScratchPool::new(),
            digest_required: false,
            types: PhantomData,
        })
    }

    /// Writes in another profile.
    #[must_use]
    pub fn profile(mut self, profile: Profile) -> Self {
        self.message.profile = profile;
        self
    }

    /// Puts the schema's digest into every header, 8 bytes, instead of the [check](Self::check), or not. [`digest_of`] and a
    /// store of schemas find the writer's schema by it. Turn it on wherever types change, and where messages are kept.
    ///
    /// [`digest_of`]: crate::digest_of
    #[must_use]
    pub fn digest(mut self, carried: bool) -> Self {
        self.message.digest = carried.then_some(self.description.schema.digest());
        self
    }

    /// Puts a check into every header, the first two bytes of the schema's digest, where the [digest](Self::digest) itself is
    /// not put; the default. A reader of another type refuses the message with `schema_mismatch`, all but one in 65,536.
    /// Without both nothing in a message says which schema it is of: a reader whose type has changed reads other values
    /// without an error, say two fields of one type that have changed places. Turn it off only where the schema is known
    /// otherwise.
    #[must_use]
    pub fn check(mut self, carried: bool) -> Self {
        self.message.check = carried.then_some(self.description.schema.digest());
        self
    }

    /// Refuses messages that carry no digest, with `schema_mismatch` at 0, or not.
    #[must_use]
    pub fn require_digest(mut self, required: bool) -> Self {
        self.digest_required = required;
        self
    }

    /// Writes every map in ascending order of its keys, the order of sets (`spec/pack.md` section 8), or only those that
    /// have no order of their own; the default. With it a [`Map`](crate::Map) and a map in an [`Any`](crate::Any) lose
    /// their order, and equal maps are equal bytes. A `HashMap` and a `BTreeMap` are sorted in any case.
    #[must_use]
    pub fn sort_keys(mut self, sorted: bool) -> Self {
        self.message.sort_keys = sorted;
        self
    }

    /// Sets the limits.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.message.limits = limits;
        self
    }

    #[cfg(feature = "std")]
    pub(crate) fn limits_used(&self) -> &Limits {
        &self.message.limits
    }

    /// What messages are begun with. Its dedup slots are those of native types.
    #[cfg(feature = "arrow")]
    pub(crate) fn message(&self) -> &Message {
        &self.message
    }

    #[cfg(feature = "arrow")]
    pub(crate) fn is_digest_required(&self) -> bool {
        self.digest_required
    }

    /// Returns the type's schema.
    pub fn schema(&self) -> &Schema {
        &self.description.schema
    }

    /// Encodes a value.
    ///
    /// # Errors
    /// `limit_size` (a message longer than `frame_bytes` is abandoned as soon as it is), `limit_depth`, `limit_items` (more
    /// elements or cells than a reader with these limits takes), `type_mismatch` (a repeated key), with the path.
    pub fn encode(&self, value: &T) -> Result<Vec<u8>, Error> {
        let mut fresh = None;
        let mut guard = self.output.acquire(&mut fresh);
        let output = guard.memory(|| self.new_output());
        let mut out = Vec::with_capacity(output.expected());
        encode(value, output, &self.message, &mut out)?;
        Ok(out)
    }

    /// Appends an encoded value to `out`. Clear and pass the same vector again to reuse its memory.
    ///
    /// # Errors
    /// As [`encode`](Self::encode); `out` is then unchanged.
    #[inline]
    pub fn encode_into(&self, value: &T, out: &mut Vec<u8>) -> Result<(), Error> {
        let mut fresh = None;
        let mut guard = self.output.acquire(&mut fresh);
        encode(value, guard.memory(|| self.new_output()), &self.message, out)
    }

    /// Encodes a value in pieces of at most `size` bytes, without a copy of the whole message.
    ///
    /// # Errors
    /// As [`encode`](Self::encode); `misuse` if `size` is 0.
    pub fn encode_chunks(&self, value: &T, size: usize) -> Result<Chunks, Error> {
        let mut output = self.new_output();
        let mut out = Vec::new();
        output.begin(&mut out, &self.message);
        match write_root(value, &mut output) {
            Ok(()) => Chunks::new(output.finish_parts()?, size),
            Err(Fault) => Err(output.failure()),
        }
    }

    /// Returns an encoder with scratch memory of its own: a little faster than the codec, for one thread.
    pub fn encoder(&self) -> Encoder<T> {
        Encoder::new(self.links().into(), self.message)
    }

    /// Decodes a value that owns all its parts.
    ///
    /// # Errors
    /// Every code of `spec/errors.md` that a message can cause, with offset and path.
    pub fn decode(&self, bytes: &[u8]) -> Result<T, Error>
    where
        T: for<'x> Unpack<'x>,
    {
        if !header::has_text(bytes) {
            return self.decode_borrowed(bytes, &mut Scratch::new());
        }
        let mut fresh = None;
        let mut guard = self.scratch.acquire(&mut fresh);
        self.decode_borrowed(bytes, guard.memory(Scratch::new))
    }

    /// Decodes a value that borrows from `bytes`, and from `scratch` where a text is not ASCII.
    ///
    /// # Errors
    /// As [`decode`](Self::decode).
    #[inline]
    pub fn decode_borrowed<'a>(&self, bytes: &'a [u8], scratch: &'a mut Scratch) -> Result<T, Error>
    where
        T: Unpack<'a>,
    {
        if self.digest_required && header::lacks_digest(bytes) && bytes.len() <= self.message.limits.frame_bytes {
            return Err(header::without_digest());
        }
        let mut input = Input::new(bytes, scratch, self.links(), &self.message.limits);
        match input.open(self.schema().digest()).and_then(|()| read_root(&mut input)) {
            Ok(value) => {
                input.retire();
                Ok(value)
            }
            Err(Fault) => Err(self.explain(bytes, &input)),
        }
    }

    #[cold]
    #[inline(never)]
    fn explain(&self, bytes: &[u8], input: &Input<'_, '_>) -> Error {
        #[cfg(feature = "paths")]
        return explain(self.schema(), bytes, &self.message.limits, input);
        #[cfg(not(feature = "paths"))]
        {
            let _ = bytes;
            input.failure()
        }
    }

    /// Compiles a decoder for messages that another schema wrote.
    ///
    /// # Errors
    /// As [`Schema::parse`]; `schema_mismatch` with the path of the first difference that no rule bridges.
    pub fn resolve(&self, writer_schema: &str) -> Result<Decoder<T>, Error> {
        let plan = ResolutionPlan::new(Schema::parse(writer_schema)?, self.schema())?;
        Ok(Decoder::new(plan, self.message.limits, self.digest_required))
    }

    #[cold]
    fn new_output(&self) -> Output {
        Output::new(self.links().into())
    }

    fn links(&self) -> &[Link] {
        &self.description.links
    }
}

impl<T> core::fmt::Debug for Codec<T> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Codec").field("schema", &self.description.schema.text()).finish_non_exhaustive()
    }
}

/// Reads the root and the end of the message.
#[inline(always)]
fn read_root<'a, T: Unpack<'a>>(input: &mut Input<'a, '_>) -> Result<T, Fault> {
    let cells = T::slot_cells(input.links(), 0);
    input.charge_here(cells)?;
    let flag = if T::FLAGGED { input.row_flags(1)?.next() } else { true };
    let value = T::read_flagged(input, 0, flag)?;
    input.finish()?;
    Ok(value)
}
