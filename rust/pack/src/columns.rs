//! Columns of typed values (`spec/columns.md`): columnar lists, and what their parts share.

use crate::input::Input;
use crate::link::Link;
use crate::output::Output;
use crate::pack::{read_slots, Pack, Unpack, UnpackRecord};
use crate::resolve::{ResolutionPlan, StepId};
use crate::wire::columns::{is_columnar, Lent};
use crate::wire::Number;
use alloc::vec::{IntoIter, Vec};
use core::marker::PhantomData;
use core::ops::RangeInclusive;
use samewire_core::path::Segment;
use samewire_core::Fault;

/// Whether a list of `count` elements is to be written as columns.
#[inline(always)]
pub(crate) fn is_list_columnar<T: Pack + ?Sized>(count: usize, out: &Output, at: usize) -> bool {
    T::ROW && out.writes_columns() && T::is_flat(out.links(), at) && is_columnar(count, T::width(out.links(), at))
}

/// Writes the elements of a columnar list, its count first.
///
/// # Errors
/// As [`Pack::write`].
#[inline(never)]
pub(crate) fn write_list<T: Pack>(list: &[T], out: &mut Output, at: usize) -> Result<(), Fault> {
    let cells = T::slot_cells(out.links(), at);
    out.columnar_count(list.len(), cells)?;
    within(T::write_column(list.iter(), out, at), out, Segment::Elements)
}

/// Adds a step of the path to a failure.
#[inline(always)]
pub(crate) fn within(done: Result<(), Fault>, out: &mut Output, segment: Segment<'static>) -> Result<(), Fault> {
    done.map_err(|Fault| out.inside(segment))
}

/// Reads the elements of a columnar list whose count has been read and checked.
///
/// # Errors
/// As [`Unpack::read`].
#[inline(never)]
pub(crate) fn read_list<'a, T: Unpack<'a>>(
    input: &mut Input<'a, '_>,
    at: usize,
    count: usize,
) -> Result<Vec<T>, Fault> {
    input.charge_row::<T>(count, T::least_cells(input.links(), at))?;
    let mut column = T::read_column(input, at, count)?;
    Ok(assemble(count, || column.next()))
}

/// Reads a column of keys or values.
///
/// # Errors
/// As [`Unpack::read`].
pub(crate) fn read_part<'a, T: Unpack<'a>>(input: &mut Input<'a, '_>, at: usize, m: usize) -> Result<Vec<T>, Fault> {
    if m == 0 {
        return Ok(Vec::new());
    }
    let mut column = T::read_column(input, at, m)?;
    Ok(assemble(m, || column.next()))
}

/// Reads a column of lists whose counts have been read and checked: their elements stand in one column, of `total`.
///
/// # Errors
/// As [`Unpack::read`].
#[inline(never)]
pub(crate) fn read_lists<'a, T: Unpack<'a>>(
    input: &mut Input<'a, '_>,
    at: usize,
    counts: &[u32],
    total: usize,
) -> Result<Vec<Vec<T>>, Fault> {
    if total == 0 {
        return Ok(counts.iter().map(|_| Vec::new()).collect());
    }
    input.charge_row::<T>(total, T::least_cells(input.links(), at))?;
    let mut column = T::read_column(input, at, total)?;
    Ok(counts.iter().map(|&count| assemble(count as usize, || column.next())).collect())
}

/// Reads a column of lists that another schema wrote.
///
/// # Errors
/// As [`Unpack::read`].
pub(crate) fn resolve_list<'a, T: Unpack<'a>>(
    input: &mut Input<'a, '_>,
    plan: &ResolutionPlan,
    step: StepId,
    count: usize,
) -> Result<Vec<T>, Fault> {
    input.charge_row::<T>(count, plan.least_cells(step))?;
    T::resolve_column(input, plan, step, count).map_err(|Fault| input.inside(Segment::Elements))
}

/// The flat elements of the lists in a column, cut into these.
pub(crate) fn cut<T, L>(flat: Vec<T>, counts: &[u32], make: impl Fn(Vec<T>) -> L) -> Vec<L> {
    let mut flat = flat.into_iter();
    counts.iter().map(|&count| make(next(&mut flat, count))).collect()
}

/// The next `count` values.
pub(crate) fn next<T>(flat: &mut IntoIter<T>, count: u32) -> Vec<T> {
    let mut list = Vec::with_capacity(flat.len().min(count as usize));
    list.extend(flat.take(count as usize));
    list
}

/// Makes `m` values, each with one call.
#[inline(always)]
pub fn assemble<T>(m: usize, mut make: impl FnMut() -> Option<T>) -> Vec<T> {
    let mut rows = Vec::with_capacity(m);
    while rows.len() < m {
        let Some(row) = make() else { break };
        rows.push(row);
    }
    rows
}

/// A column of structs.
pub enum Rows<'a, T: UnpackRecord<'a>> {
    /// The columns of their fields.
    Columns(T::Columns),
    /// Those of a recursive struct, which stand one after another.
    Slots(IntoIter<T>),
}

impl<'a, T: UnpackRecord<'a>> Rows<'a, T> {
    /// Reads a column of `m` structs.
    ///
    /// # Errors
    /// As [`Unpack::read`].
    #[inline(always)]
    pub fn read(input: &mut Input<'a, '_>, at: usize, link: Link, m: usize) -> Result<Self, Fault> {
        if link.recursive() {
            return Ok(Rows::Slots(read_slots(input, at, m)?.into_iter()));
        }
        Ok(Rows::Columns(T::read_columns(input, link, m)?))
    }
}

impl<'a, T: UnpackRecord<'a>> Iterator for Rows<'a, T> {
    type Item = T;

    #[inline(always)]
    fn next(&mut self) -> Option<T> {
        match self {
            Rows::Columns(columns) => T::next_of(columns),
            Rows::Slots(slots) => slots.next(),
        }
    }
}

/// A type whose columns are numbers, or pairs of them.
pub trait OfNumber<N>: Sized {
    /// The value of a number; `None` if it is out of range.
    fn of_number(number: N) -> Option<Self>;
}

/// A column of what numbers stand for.
pub struct Numbers<'a, N: Copy, T> {
    numbers: Lent<'a, N>,
    made: PhantomData<T>,
}

impl<'a, N: Number, T> Numbers<'a, N, T> {
    /// Reads a column of `m` numbers, all of them in a range in which each has its value.
    ///
    /// # Errors
    /// As of integers.
    pub(crate) fn read(input: &mut Input<'a, '_>, range: &RangeInclusive<N>, m: usize) -> Result<Self, Fault> {
        let mut numbers = input.column();
        input.column_integers(range, m, &mut numbers.values)?;
        Ok(Numbers { numbers, made: PhantomData })
    }
}

impl<'a, T> Numbers<'a, u32, T> {
    /// Reads a column of `m` indices below `count`, which must not be 0.
    ///
    /// # Errors
    /// As of integers.
    pub fn indices(input: &mut Input<'a, '_>, count: usize, m: usize) -> Result<Self, Fault> {
        Self::read(input, &(0..=count as u32 - 1), m)
    }
}

impl<N: Copy, T: OfNumber<N>> Iterator for Numbers<'_, N, T> {
    type Item = T;

    #[inline(always)]
    fn next(&mut self) -> Option<T> {
        T::of_number(self.numbers.next()?)
    }
}

/// A column of flags.
pub struct Bits<'a> {
    bytes: &'a [u8],
    next: usize,
}

impl<'a> Bits<'a> {
    /// The flags, least significant first, of whole bytes.
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Bits { bytes, next: 0 }
    }
}

impl Iterator for Bits<'_> {
    type Item = bool;

    #[inline(always)]
    fn next(&mut self) -> Option<bool> {
        let byte = *self.bytes.get(self.next / 8)?;
        let bit = byte >> (self.next % 8) & 1 == 1;
        self.next += 1;
        Some(bit)
    }
}
