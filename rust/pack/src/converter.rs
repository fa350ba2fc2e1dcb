//! Types of the program's that are written as others.

use crate::columns::assemble;
use crate::describe::Describe;
use crate::input::Input;
use crate::link::Link;
use crate::output::Output;
use crate::pack::{Pack, Slot, Unpack};
use crate::resolve::{ResolutionPlan, StepId};
use crate::wire::Cost;
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;
use samewire_core::path::Segment;
use samewire_core::{Error, Fault};

/// Writes values of a type that has no schema as one that has: the same bytes as of what they are made into.
///
/// ```
/// use samewire_pack::{Code, Codec, Converter, Error, Pack};
///
/// #[derive(PartialEq, Debug)]
/// struct Money {
///     cents: i64,
/// }
///
/// struct AsText;
///
/// impl Converter<Money> for AsText {
///     type Wire = String;
///
///     fn encode(value: &Money) -> Result<String, Error> {
///         Ok(value.cents.to_string())
///     }
///
///     fn decode(wire: String) -> Result<Money, Error> {
///         let cents = wire.parse().map_err(|_| Error::new(Code::TypeMismatch, "an amount is a number of cents"))?;
///         Ok(Money { cents })
///     }
/// }
///
/// #[derive(Pack, PartialEq, Debug)]
/// struct Item {
///     #[pack(with = AsText)]
///     price: Money,
/// }
///
/// let codec = Codec::<Item>::new();
/// assert_eq!(codec.schema().text(), "struct Item { price: string }");
/// let item = Item { price: Money { cents: 5 } };
/// assert_eq!(codec.decode(&codec.encode(&item)?)?, item);
/// # Ok::<(), Error>(())
/// ```
///
/// Inside other types [`As`] stands for it: `Vec<As<Money, AsText>>`.
pub trait Converter<T> {
    /// What is written: any type with a schema but `bool` and options (`Option<As<T, C>>` may be `None`).
    type Wire;

    /// Returns what is written for a value.
    ///
    /// # Errors
    /// Any; encoding fails with its code and text, and the path of the value.
    fn encode(value: &T) -> Result<Self::Wire, Error>;

    /// Returns the value of what was read, which may be whatever an untrusted message holds.
    ///
    /// # Errors
    /// Any; decoding fails with its code and text, and the path of the value (in a column that of the column).
    fn decode(wire: Self::Wire) -> Result<T, Error>;
}

/// A `T` that is written by the converter `C`.
#[repr(transparent)]
pub struct As<T, C> {
    /// The value.
    pub value: T,
    converter: PhantomData<fn() -> C>,
}

impl<T, C> As<T, C> {
    /// A value that is written by the converter.
    pub const fn new(value: T) -> Self {
        As { value, converter: PhantomData }
    }

    /// A reference to a value as one to a value that is written by the converter.
    #[inline(always)]
    pub const fn of(value: &T) -> &Self {
        // SAFETY: `As` is transparent: it has the layout of its only field that takes room, and adds no condition to it.
        unsafe { &*core::ptr::from_ref(value).cast::<Self>() }
    }
}

impl<T, C> From<T> for As<T, C> {
    fn from(value: T) -> Self {
        As::new(value)
    }
}

impl<T: Clone, C> Clone for As<T, C> {
    fn clone(&self) -> Self {
        As::new(self.value.clone())
    }
}

impl<T: Copy, C> Copy for As<T, C> {}

impl<T: PartialEq, C> PartialEq for As<T, C> {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl<T: Eq, C> Eq for As<T, C> {}

impl<T: fmt::Debug, C> fmt::Debug for As<T, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(f)
    }
}

impl<T, C> As<T, C>
where
    C: Converter<T>,
    C::Wire: Pack,
{
    fn encoded(&self, out: &mut Output) -> Result<C::Wire, Fault> {
        C::encode(&self.value).map_err(|error| out.refuse(error))
    }

    fn all_encoded<'v>(
        values: impl ExactSizeIterator<Item = &'v Self>,
        out: &mut Output,
        segment: impl Fn(usize) -> Segment<'static>,
    ) -> Result<Vec<C::Wire>, Fault>
    where
        Self: 'v,
    {
        let mut encoded = Vec::with_capacity(values.len());
        for (i, value) in values.enumerate() {
            match value.encoded(out) {
                Ok(wire) => encoded.push(wire),
                Err(Fault) => return Err(out.inside(segment(i))),
            }
        }
        Ok(encoded)
    }

    /// The value of what was read from `start` on; `place` is its place in a row or column.
    #[inline]
    fn decoded(wire: C::Wire, start: usize, place: Option<usize>, input: &mut Input<'_, '_>) -> Result<Self, Fault> {
        C::decode(wire).map(As::new).map_err(|error| input.refuse(error, start, place, C::Wire::describe))
    }

    /// The values of a row or column, read from `start` on, whose elements have been charged `cells` each.
    fn all_decoded(
        wires: Vec<C::Wire>,
        start: usize,
        cells: u64,
        input: &mut Input<'_, '_>,
        segment: impl Fn(usize) -> Option<Segment<'static>>,
    ) -> Result<Vec<Self>, Fault> {
        let count = wires.len();
        let both = count.saturating_mul(size_of::<C::Wire>() + size_of::<T>());
        input.charge_memory(input.position(), both, cells.saturating_mul(count as u64))?;
        let mut values = Vec::with_capacity(count);
        for (i, wire) in wires.into_iter().enumerate() {
            match Self::decoded(wire, start, Some(i), input) {
                Ok(value) => values.push(value),
                Err(Fault) => return Err(segment(i).map_or(Fault, |segment| input.inside(segment))),
            }
        }
        Ok(values)
    }
}

impl<T, C> Pack for As<T, C>
where
    C: Converter<T>,
    C::Wire: Pack,
{
    const LINKS: usize = C::Wire::LINKS;
    const FLAGGED: bool = {
        assert!(!C::Wire::FLAGGED, "a converter writes neither a bool nor an option: put the option around it");
        false
    };
    const COST: Cost = C::Wire::COST;
    const ROW: bool = C::Wire::ROW;

    fn describe(to: &mut Describe) {
        C::Wire::describe(to);
    }

    #[inline(always)]
    fn slot_cells(links: &[Link], at: usize) -> u64 {
        C::Wire::slot_cells(links, at)
    }

    #[inline(always)]
    fn least_cells(links: &[Link], at: usize) -> u64 {
        C::Wire::least_cells(links, at)
    }

    #[inline(always)]
    fn present_cells(links: &[Link], at: usize) -> u64 {
        C::Wire::present_cells(links, at)
    }

    fn write(&self, out: &mut Output, at: usize) -> Result<(), Fault> {
        self.encoded(out)?.write(out, at)
    }

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
        let encoded = Self::all_encoded(row, out, segment)?;
        C::Wire::write_row(encoded.iter(), out, at, segment)
    }

    fn width(links: &[Link], at: usize) -> usize {
        C::Wire::width(links, at)
    }

    fn is_flat(links: &[Link], at: usize) -> bool {
        C::Wire::is_flat(links, at)
    }

    fn write_column<'v, I>(values: I, out: &mut Output, at: usize) -> Result<(), Fault>
    where
        Self: 'v,
        I: ExactSizeIterator<Item = &'v Self> + Clone,
    {
        let mut encoded = Vec::with_capacity(values.len());
        for value in values {
            encoded.push(value.encoded(out)?);
        }
        C::Wire::write_column(encoded.iter(), out, at)
    }
}

impl<'a, T, C> Unpack<'a> for As<T, C>
where
    C: Converter<T>,
    C::Wire: Unpack<'a>,
{
    fn read(input: &mut Input<'a, '_>, at: usize) -> Result<Self, Fault> {
        let start = input.position();
        let wire = C::Wire::read(input, at)?;
        Self::decoded(wire, start, None, input)
    }

    fn read_row(input: &mut Input<'a, '_>, at: usize, count: usize) -> Result<Vec<Self>, Fault> {
        let start = input.position();
        let wires = C::Wire::read_row(input, at, count)?;
        Self::all_decoded(wires, start, C::Wire::least_cells(input.links(), at), input, |_| None)
    }

    fn resolve(input: &mut Input<'a, '_>, plan: &ResolutionPlan, step: StepId, slot: Slot) -> Result<Self, Fault> {
        let start = input.position();
        let wire = C::Wire::resolve(input, plan, step, slot)?;
        Self::decoded(wire, start, None, input)
    }

    fn resolve_row(
        input: &mut Input<'a, '_>,
        plan: &ResolutionPlan,
        step: StepId,
        count: usize,
        segment: fn(usize) -> Segment<'static>,
    ) -> Result<Vec<Self>, Fault> {
        let start = input.position();
        let wires = C::Wire::resolve_row(input, plan, step, count, segment)?;
        Self::all_decoded(wires, start, plan.least_cells(step), input, |i| Some(segment(i)))
    }

    type Column = alloc::vec::IntoIter<Self>;

    fn read_column(input: &mut Input<'a, '_>, at: usize, m: usize) -> Result<Self::Column, Fault> {
        let start = input.position();
        let mut wires = C::Wire::read_column(input, at, m)?;
        let wires = assemble(m, || wires.next());
        Ok(Self::all_decoded(wires, start, C::Wire::least_cells(input.links(), at), input, |_| None)?.into_iter())
    }

    fn resolve_column(
        input: &mut Input<'a, '_>,
        plan: &ResolutionPlan,
        step: StepId,
        m: usize,
    ) -> Result<Vec<Self>, Fault> {
        let start = input.position();
        let wires = C::Wire::resolve_column(input, plan, step, m)?;
        Self::all_decoded(wires, start, plan.least_cells(step), input, |_| None)
    }
}

/// Implements the traits for a type of another crate or of the language, written by a converter that it makes.
macro_rules! converted {
    (
        [$($generics:tt)*] $type:ty, $converter:ident, $wire:ty,
        |$value:ident| $encode:expr, |$written:ident| $decode:expr
    ) => {
        #[doc = concat!("Writes `", stringify!($type), "`.")]
        pub struct $converter;

        impl<$($generics)*> $crate::converter::Converter<$type> for $converter {
            type Wire = $wire;

            fn encode($value: &$type) -> Result<$wire, samewire_core::Error> {
                $encode
            }

            fn decode($written: $wire) -> Result<$type, samewire_core::Error> {
                $decode
            }
        }

        impl<$($generics)*> $crate::pack::Pack for $type {
            const LINKS: usize = <$wire as $crate::pack::Pack>::LINKS;
            const COST: $crate::wire::Cost = <$wire as $crate::pack::Pack>::COST;

            fn describe(to: &mut $crate::describe::Describe) {
                <$wire as $crate::pack::Pack>::describe(to);
            }

            #[inline(always)]
            fn slot_cells(links: &[$crate::link::Link], at: usize) -> u64 {
                <$wire as $crate::pack::Pack>::slot_cells(links, at)
            }

            #[inline]
            fn write(&self, out: &mut $crate::output::Output, at: usize) -> Result<(), samewire_core::Fault> {
                $crate::converter::As::<$type, $converter>::of(self).write(out, at)
            }

            fn write_row<'v, I>(
                row: I,
                out: &mut $crate::output::Output,
                at: usize,
                segment: fn(usize) -> samewire_core::path::Segment<'static>,
            ) -> Result<(), samewire_core::Fault>
            where
                Self: 'v,
                I: ExactSizeIterator<Item = &'v Self> + Clone,
            {
                $crate::converter::As::<$type, $converter>::write_row(row.map($crate::converter::As::of), out, at, segment)
            }

            fn write_column<'v, I>(values: I, out: &mut $crate::output::Output, at: usize) -> Result<(), samewire_core::Fault>
            where
                Self: 'v,
                I: ExactSizeIterator<Item = &'v Self> + Clone,
            {
                $crate::converter::As::<$type, $converter>::write_column(values.map($crate::converter::As::of), out, at)
            }
        }

        impl<'a, $($generics)*> $crate::pack::Unpack<'a> for $type {
            #[inline]
            fn read(input: &mut $crate::input::Input<'a, '_>, at: usize) -> Result<Self, samewire_core::Fault> {
                Ok($crate::converter::As::<$type, $converter>::read(input, at)?.value)
            }

            fn read_row(
                input: &mut $crate::input::Input<'a, '_>,
                at: usize,
                count: usize,
            ) -> Result<alloc::vec::Vec<Self>, samewire_core::Fault> {
                let row = $crate::converter::As::<$type, $converter>::read_row(input, at, count)?;
                Ok(row.into_iter().map(|one| one.value).collect())
            }

            fn resolve(
                input: &mut $crate::input::Input<'a, '_>,
                plan: &$crate::resolve::ResolutionPlan,
                step: $crate::resolve::StepId,
                slot: $crate::pack::Slot,
            ) -> Result<Self, samewire_core::Fault> {
                Ok($crate::converter::As::<$type, $converter>::resolve(input, plan, step, slot)?.value)
            }

            fn resolve_row(
                input: &mut $crate::input::Input<'a, '_>,
                plan: &$crate::resolve::ResolutionPlan,
                step: $crate::resolve::StepId,
                count: usize,
                segment: fn(usize) -> samewire_core::path::Segment<'static>,
            ) -> Result<alloc::vec::Vec<Self>, samewire_core::Fault> {
                let row = $crate::converter::As::<$type, $converter>::resolve_row(input, plan, step, count, segment)?;
                Ok(row.into_iter().map(|one| one.value).collect())
            }

            type Column = alloc::vec::IntoIter<Self>;

            fn read_column(
                input: &mut $crate::input::Input<'a, '_>,
                at: usize,
                m: usize,
            ) -> Result<Self::Column, samewire_core::Fault> {
                let column = $crate::converter::As::<$type, $converter>::read_column(input, at, m)?;
                Ok(column.map(|one| one.value).collect::<alloc::vec::Vec<_>>().into_iter())
            }

            fn resolve_column(
                input: &mut $crate::input::Input<'a, '_>,
                plan: &$crate::resolve::ResolutionPlan,
                step: $crate::resolve::StepId,
                m: usize,
            ) -> Result<alloc::vec::Vec<Self>, samewire_core::Fault> {
                let column = $crate::converter::As::<$type, $converter>::resolve_column(input, plan, step, m)?;
                Ok(column.into_iter().map(|one| one.value).collect())
            }
        }
    };
}

/// Makes a type a key whose own order is that of what is written.
macro_rules! ordered_key {
    ($type:ty) => {
        impl $crate::pack::Key for $type {
            const NATURAL: bool = true;

            fn order(&self, other: &Self) -> core::cmp::Ordering {
                self.cmp(other)
            }

            fn feed<H: core::hash::Hasher>(&self, state: &mut H) {
                core::hash::Hash::hash(self, state);
            }
        }
    };
}

pub(crate) use converted;
pub(crate) use ordered_key;
