//! The traits between native types and the wire.

use crate::describe::Describe;
use crate::fast_row_reader::FastRowReader;
use crate::fast_row_writer::FastRowWriter;
use crate::input::Input;
use crate::link::Link;
use crate::output::{Flags, Output};
use crate::resolve::{ResolutionPlan, StepId};
use crate::wire::Cost;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::hash::Hasher;
use samewire_core::path::Segment;
use samewire_core::{Code, Fault};

/// A type that has a schema and can be written.
///
/// Derive it for structs and enums (`#[derive(Pack)]`). It is implemented for the native types of every schema type:
///
/// | schema | Rust |
/// |---|---|
/// | `bool`, `i8` … `u64`, `f32`, `f64` | the same; `usize` as `u64`, `isize` as `i64`; `NonZero*` as their integers |
/// | `bigint`, `decimal` | [`BigInt`](crate::BigInt), `i128`, `u128`; [`Decimal`](crate::Decimal) |
/// | `string` | `String`, `&str`, `Cow<str>`, `Box<str>`, `Rc<str>`, `Arc<str>`; `char`, of one character; `IpAddr`, `Ipv4Addr`, `Ipv6Addr`, `SocketAddr`; `PathBuf`, `&Path`, of valid UTF-8 |
/// | `bytes`, `uuid` | [`Bytes`](crate::Bytes), [`BytesRef`](crate::BytesRef), `[u8; N]`; [`Uuid`](crate::Uuid) |
/// | `date`, `time`, `timestamp`, `duration` | [`Date`](crate::Date), [`Time`](crate::Time), [`Timestamp`](crate::Timestamp) or `SystemTime`, [`Duration`](crate::Duration), `core::time::Duration` |
/// | `option<T>` | `Option<T>` |
/// | `list<T>` | `Vec<T>`, `VecDeque<T>`, `[T; N]` of another type than `u8`, of N elements, `&[T]`, `Box<[T]>`, `Rc<[T]>`, `Arc<[T]>`, `Cow<[T]>` of numbers (in place where aligned) |
/// | `set<K>` | `BTreeSet<K>`, `HashSet<K>` |
/// | `map<K, V>` | [`Map`](crate::Map) (keeps its order), `BTreeMap`, `HashMap` (in ascending order of keys) |
/// | `tuple<…>` | tuples of 1 to 24 |
/// | `enum`, `struct`, `union` | derived |
/// | `any` | [`Any`](crate::Any) |
/// | `ref<S>` | `Rc<S>`, `Arc<S>`, by identity |
///
/// With the features `bytes`, `chrono`, `time` and `uuid` also for `Bytes`; `NaiveDate`, `NaiveTime`, `DateTime<Utc>`,
/// `TimeDelta`; `Date`, `Time`, `OffsetDateTime` in UTC, `Duration`; `Uuid` of these crates. What a type cannot hold, or the
/// format, is refused with `type_mismatch`. Any other type is written by a [`Converter`](crate::Converter).
///
/// The methods are for derived code; call a [`Codec`](crate::Codec) instead.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no schema",
    label = "this type is not `Pack`",
    note = "add `#[derive(Pack)]` to a type of your own; write another by a `Converter`: `#[pack(with = …)]` on a field, `As<T, C>` elsewhere"
)]
pub trait Pack {
    /// The places of the codec's table of links that one occurrence of this type takes: one for each `string`, `any` or
    /// struct in it, structs not entered.
    const LINKS: usize;
    /// Whether a slot of this type has a flag in its row.
    const FLAGGED: bool = false;
    /// What a row of this type takes at least.
    const COST: Cost = Cost::One;
    /// Whether slots of this type can go through a [`FastRowWriter`] and a [`FastRowReader`]: texts, numbers, times, symbols,
    /// options of them, and structs of all these. Writing one cannot fail.
    const FAST: bool = false;

    /// Whether a value is a row of slots, a struct or a tuple: in an `option` it does not lie inline.
    const ROW: bool = false;

    /// Whether arrays of this type are `bytes`, not lists.
    const IS_BYTE: bool = false;

    /// Elements of an array as bytes, if the type [is a byte](Self::IS_BYTE).
    #[inline(always)]
    fn as_bytes(array: &[Self]) -> Option<&[u8]>
    where
        Self: Sized,
    {
        let _ = array;
        None
    }

    /// The name of the struct that a variant of this one value is in a union, if the value is a struct. Else the variant is
    /// a struct of its own, whose field `value` this is.
    const MEMBER: Option<&'static str> = None;

    /// The name of an enum.
    const ENUM: Option<&'static str> = None;

    /// Writes the type's schema text.
    fn describe(to: &mut Describe);

    /// Writes the schema text of a variant of this one value. `native` names the variant.
    fn describe_member(to: &mut Describe, variant: &'static str, native: &'static str, aliases: &[&str]) {
        to.structure(variant, &[], native, aliases, |to| to.field(VALUE, Self::describe, false, &[]));
    }

    /// Writes the row of a variant of this one value.
    ///
    /// # Errors
    /// As [`write`](Self::write).
    #[inline]
    fn write_member(&self, out: &mut Output, link: Link) -> Result<(), Fault> {
        write_value(self, out, link)
    }

    /// The cells that a slot of this type takes (`spec/pack.md` section 8), `at` being its first place in the table of
    /// links.
    #[inline(always)]
    fn slot_cells(links: &[Link], at: usize) -> u64 {
        let _ = (links, at);
        1
    }

    /// The cells that a value of this type is charged at least, wherever it stands: what its memory is compared with.
    #[inline(always)]
    fn least_cells(links: &[Link], at: usize) -> u64 {
        Self::slot_cells(links, at)
    }

    /// The cells that are charged where a present `option` of this type is read: a row that does not lie inline. A
    /// recursive struct charges them itself.
    #[inline(always)]
    fn present_cells(links: &[Link], at: usize) -> u64 {
        let _ = (links, at);
        0
    }

    /// The flag of this value, if the type has one.
    #[inline(always)]
    fn flag(&self) -> bool {
        true
    }

    /// Writes the slot. `at` is the type's first place in the table of links.
    ///
    /// # Errors
    /// The reason is noted in the output.
    fn write(&self, out: &mut Output, at: usize) -> Result<(), Fault>;

    /// Writes the slot inside an `option`: of a `bool`, a byte.
    ///
    /// # Errors
    /// As [`write`](Self::write).
    #[inline(always)]
    fn write_present(&self, out: &mut Output, at: usize) -> Result<(), Fault> {
        self.write(out, at)
    }

    /// Whether the dedup slots of all texts of this type are disabled.
    #[inline(always)]
    fn dedup_disabled(out: &Output, at: usize) -> bool {
        let _ = (out, at);
        true
    }

    /// Calls `to` with the dedup slot and the characters of each text in the slot of a [fast](Self::FAST) type.
    #[inline(always)]
    fn each_text(&self, links: &[Link], at: usize, to: &mut impl FnMut(usize, &str)) {
        let _ = (links, at, to);
    }

    /// Writes the slot of a [fast](Self::FAST) type whose [dedup is disabled](Self::dedup_disabled), as
    /// [`write`](Self::write) does, but faster.
    #[inline(always)]
    fn write_fast(&self, to: &mut FastRowWriter<'_>, at: usize) {
        let _ = (to, at);
        unreachable!("not a fast type");
    }

    /// Writes a row of this type.
    ///
    /// # Errors
    /// As [`write`](Self::write).
    #[inline]
    fn write_row<'v, I>(
        row: I,
        out: &mut Output,
        at: usize,
        segment: fn(usize) -> Segment<'static>,
    ) -> Result<(), Fault>
    where
        Self: 'v,
        I: ExactSizeIterator<Item = &'v Self> + Clone,
    {
        if Self::FLAGGED {
            let flags = out.flags(row.len());
            for (i, _) in row.clone().enumerate().filter(|(_, value)| value.flag()) {
                out.set_flag(flags, i);
            }
        }
        for (i, value) in row.enumerate() {
            if value.write(out, at).is_err() {
                return Err(out.inside(segment(i)));
            }
        }
        Ok(())
    }

    /// The number of columns that values of this type need (`spec/columns.md` section 1).
    #[inline]
    fn width(links: &[Link], at: usize) -> usize {
        let _ = (links, at);
        1
    }

    /// Whether values are written as the columns of their parts: a tuple, or a struct that is not recursive.
    #[inline]
    fn is_flat(links: &[Link], at: usize) -> bool {
        let _ = (links, at);
        false
    }

    /// Writes a column of values; here slot after slot.
    ///
    /// Types with values of other types inside gather references to these: a column's iterator must not grow with the
    /// nesting of types, which has no end where a struct is recursive.
    ///
    /// # Errors
    /// As [`write`](Self::write).
    fn write_column<'v, I>(values: I, out: &mut Output, at: usize) -> Result<(), Fault>
    where
        Self: 'v,
        I: ExactSizeIterator<Item = &'v Self> + Clone,
    {
        for value in values {
            value.write(out, at)?;
        }
        Ok(())
    }

    /// Writes the row of a list.
    ///
    /// # Errors
    /// As [`write`](Self::write).
    #[inline]
    fn write_slice(row: &[Self], out: &mut Output, at: usize) -> Result<(), Fault>
    where
        Self: Sized,
    {
        Self::write_row(row.iter(), out, at, Segment::Index)
    }
}

/// A type that can be read from a message that lives as long as `'a`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be decoded",
    label = "this type is not `Unpack`",
    note = "where another error says that it has no schema, what mends that mends this, too",
    note = "a type that borrows, as with `&str`, is read by `decode_borrowed`; one of `#[pack(encode_only)]` is not read at all"
)]
pub trait Unpack<'a>: Pack + Sized {
    /// The values of a column that has been read, in order: as many as there are.
    ///
    /// Structs, options, texts, enums and times are made as they are asked for, so that nothing is copied from a column of them
    /// to where they belong. What a struct may hold of its own type (in a list, a box) is made at once: the type of a column
    /// cannot contain itself. (In a box it could; lists of lists that are made row by row take 1.15 of the time.)
    type Column: Iterator<Item = Self>;

    /// Reads a slot that is there: of a `bool`, the byte of an `option<bool>`.
    ///
    /// # Errors
    /// The reason is noted in the input.
    fn read(input: &mut Input<'a, '_>, at: usize) -> Result<Self, Fault>;

    /// Reads a slot whose flag, if the type has one, is `flag`.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    #[inline(always)]
    fn read_flagged(input: &mut Input<'a, '_>, at: usize, flag: bool) -> Result<Self, Fault> {
        let _ = flag;
        Self::read(input, at)
    }

    /// Reads a slot of a [fast](Pack::FAST) type; `None` if that needs the reader.
    #[inline(always)]
    fn read_fast<const KEEP: bool>(from: &mut FastRowReader<'a, KEEP>) -> Option<Self> {
        let _ = from;
        None
    }

    /// Reads a slot of a [fast](Pack::FAST) type whose flag, if the type has one, is given.
    #[inline(always)]
    fn read_fast_flagged<const KEEP: bool>(from: &mut FastRowReader<'a, KEEP>, flag: bool) -> Option<Self> {
        let _ = flag;
        Self::read_fast(from)
    }

    /// Reads a row of `count` slots; the count has been checked against the bytes present.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    #[inline]
    fn read_row(input: &mut Input<'a, '_>, at: usize, count: usize) -> Result<Vec<Self>, Fault> {
        input.charge_row::<Self>(count, Self::least_cells(input.links(), at))?;
        let (mut row, lent) = input.lend::<Self>(count);
        if Self::FLAGGED {
            let mut flags = input.row_flags(count)?;
            for _ in 0..count {
                row.push(Self::read_flagged(input, at, flags.next())?);
            }
        } else {
            for _ in 0..count {
                row.push(Self::read(input, at)?);
            }
        }
        input.give_back(lent);
        Ok(row)
    }

    /// Reads a slot as another schema wrote it.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    fn resolve(input: &mut Input<'a, '_>, plan: &ResolutionPlan, step: StepId, slot: Slot) -> Result<Self, Fault> {
        let _ = (plan, step, slot);
        Self::read(input, 0)
    }

    /// Reads a row as another schema wrote it.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    fn resolve_row(
        input: &mut Input<'a, '_>,
        plan: &ResolutionPlan,
        step: StepId,
        count: usize,
        segment: fn(usize) -> Segment<'static>,
    ) -> Result<Vec<Self>, Fault> {
        input.charge_row::<Self>(count, plan.least_cells(step))?;
        let (mut row, lent) = input.lend::<Self>(count);
        let flagged = plan.step(step).writer.flagged();
        let mut flags = input.row_flags(if flagged { count } else { 0 })?;
        for i in 0..count {
            let slot = if flagged { Slot::Flag(flags.next()) } else { Slot::Present };
            match Self::resolve(input, plan, step, slot) {
                Ok(value) => row.push(value),
                Err(Fault) => return Err(input.inside(segment(i))),
            }
        }
        input.give_back(lent);
        Ok(row)
    }

    /// Reads a column of `m` values.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    fn read_column(input: &mut Input<'a, '_>, at: usize, m: usize) -> Result<Self::Column, Fault>;

    /// Reads a column of `m` values as another schema wrote it.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    fn resolve_column(
        input: &mut Input<'a, '_>,
        plan: &ResolutionPlan,
        step: StepId,
        m: usize,
    ) -> Result<Vec<Self>, Fault> {
        resolve_slots(input, plan, step, m)
    }

    /// Reads the row of a variant of this one value.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    #[inline]
    fn read_member(input: &mut Input<'a, '_>, link: Link) -> Result<Self, Fault> {
        read_value(input, link)
    }

    /// Reads the row of the plan's struct with this index as a variant of this one value.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    fn resolve_member(input: &mut Input<'a, '_>, plan: &ResolutionPlan, structure: usize) -> Result<Self, Fault> {
        resolve_value(input, plan, structure)
    }

    /// Elements of an array from bytes, if the type [is a byte](Pack::IS_BYTE).
    #[inline(always)]
    fn from_bytes(bytes: Vec<u8>) -> Option<Vec<Self>> {
        let _ = bytes;
        None
    }

    /// The value of a field that the writer lacks and that declares no default.
    fn missing() -> Option<Self> {
        None
    }

    /// The value of the field of a union's fallback that holds the name of the writer's member.
    fn named(member: &str) -> Option<Self> {
        let _ = member;
        None
    }
}

/// Reads a column of slots.
///
/// # Errors
/// As [`Unpack::read`].
pub fn read_slots<'a, T: Unpack<'a>>(input: &mut Input<'a, '_>, at: usize, m: usize) -> Result<Vec<T>, Fault> {
    input.need(m)?;
    let (mut column, lent) = input.lend::<T>(m);
    for _ in 0..m {
        column.push(T::read(input, at)?);
    }
    input.give_back(lent);
    Ok(column)
}

/// Reads a column of slots that another schema wrote.
///
/// # Errors
/// As [`Unpack::read`].
pub fn resolve_slots<'a, T: Unpack<'a>>(
    input: &mut Input<'a, '_>,
    plan: &ResolutionPlan,
    step: StepId,
    m: usize,
) -> Result<Vec<T>, Fault> {
    input.need(m)?;
    let (mut column, lent) = input.lend::<T>(m);
    for _ in 0..m {
        column.push(T::resolve(input, plan, step, Slot::Present)?);
    }
    input.give_back(lent);
    Ok(column)
}

/// The field of the struct that a variant of one value is.
const VALUE: &str = "value";

/// A derived union.
pub trait Union {
    /// For each variant, in declared order, its place among the members in canonical order.
    const ORDER: &'static [usize];
    /// The inverse of `ORDER`.
    const PLACES: &'static [usize];
}

/// Writes the row of a variant of one value.
#[inline]
fn write_value<T: Pack + ?Sized>(value: &T, out: &mut Output, link: Link) -> Result<(), Fault> {
    if link.recursive() {
        out.enter()?;
        out.charge(link.row_cells())?;
    }
    let mut flags = Flags::default();
    flags.add(T::FLAGGED, value.flag(), out);
    flags.end(out);
    if value.write(out, link.base()).is_err() {
        return Err(out.inside(Segment::Field(VALUE)));
    }
    if link.recursive() {
        out.leave();
    }
    Ok(())
}

/// Reads the row of a variant of one value.
#[inline]
fn read_value<'a, T: Unpack<'a>>(input: &mut Input<'a, '_>, link: Link) -> Result<T, Fault> {
    if link.recursive() {
        let start = input.position();
        input.enter(start)?;
        input.charge_here(link.row_cells())?;
    }
    let mut flags = input.row_flags(usize::from(T::FLAGGED))?;
    let flag = if T::FLAGGED { flags.next() } else { true };
    let value = T::read_flagged(input, link.base(), flag)?;
    if link.recursive() {
        input.leave();
    }
    Ok(value)
}

/// Reads the row of the plan's struct with this index as a variant of one value.
fn resolve_value<'a, T: Unpack<'a>>(
    input: &mut Input<'a, '_>,
    plan: &ResolutionPlan,
    structure: usize,
) -> Result<T, Fault> {
    let made = &plan.structs()[structure];
    if made.recursive {
        let start = input.position();
        input.enter(start)?;
        input.charge_here(made.row_cells.into())?;
    }
    let mut flags = input.row_flags(made.flags)?;
    let mut value = None;
    for (place, field) in made.fields.iter().enumerate() {
        let slot = if field.flagged { Slot::Flag(flags.next()) } else { Slot::Present };
        match field.target {
            Some((_, step)) => {
                value = match T::resolve(input, plan, step, slot) {
                    Ok(value) => Some(value),
                    Err(Fault) => return Err(input.inside(Segment::Field(VALUE))),
                };
            }
            None => input.skip(plan, structure, place, !matches!(slot, Slot::Flag(false)))?,
        }
    }
    if made.recursive {
        input.leave();
    }
    let missing = || made.stands_for.as_deref().map_or_else(T::missing, T::named);
    value.or_else(missing).ok_or_else(|| {
        let at = input.position();
        input.fail(Code::SchemaMismatch, at)
    })
}

/// A slot of another schema's row.
#[derive(Clone, Copy, Debug)]
pub enum Slot {
    /// Its type has a flag, and this is it.
    Flag(bool),
    /// It is there.
    Present,
}

/// A struct: what may stand behind a `ref`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a struct with named fields, as what an `Rc` or `Arc` shares must be",
    label = "this type is not `Record`",
    note = "write a `Box` for a value that is not shared, `Arc<str>` for a text, `Arc<[T]>` for a list, or a struct that holds it"
)]
pub trait Record: Pack {
    /// The struct's name in the schema.
    const NAME: &'static str;

    /// Writes the struct's row, its fields' links starting where `link` says.
    ///
    /// # Errors
    /// As [`Pack::write`].
    fn write_record(&self, out: &mut Output, link: Link) -> Result<(), Fault>;
}

/// A struct that can be read.
pub trait UnpackRecord<'a>: Record + Unpack<'a> {
    /// Reads the struct's row.
    ///
    /// # Errors
    /// As [`Unpack::read`].
    fn read_record(input: &mut Input<'a, '_>, link: Link) -> Result<Self, Fault>;

    /// The columns of all fields.
    type Columns;

    /// Reads the columns of the fields of `m` structs.
    ///
    /// # Errors
    /// As [`Unpack::read`].
    fn read_columns(input: &mut Input<'a, '_>, link: Link, m: usize) -> Result<Self::Columns, Fault>;

    /// Makes a struct of the next value of each column.
    fn next_of(columns: &mut Self::Columns) -> Option<Self>;

    /// Reads the row of the plan's struct with this index.
    ///
    /// # Errors
    /// As [`Unpack::read`].
    fn resolve_record(input: &mut Input<'a, '_>, plan: &ResolutionPlan, structure: usize) -> Result<Self, Fault>;
}

/// A type whose values may be keys of sets and maps.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the key of a map or an element of a set",
    label = "this type is not `Key`",
    note = "keys are integers, bool, texts, UUIDs, dates, times and enums without data (spec/pack.md section 1)"
)]
pub trait Key: Pack {
    /// Whether the order of the type's `Ord` is [`order`](Self::order), so that a `BTreeMap` has its keys in it. That of a
    /// text is another: `Ord` compares bytes.
    const NATURAL: bool = false;

    /// The order of set keys (`spec/pack.md` section 8).
    fn order(&self, other: &Self) -> Ordering;

    /// Feeds a hasher with the key: equal keys feed it equally.
    fn feed<H: Hasher>(&self, state: &mut H);
}
