//! `bool`, the eight integers and the two floats.

use crate::columns::Bits;
use crate::describe::Describe;
use crate::fast_row_reader::FastRowReader;
use crate::fast_row_writer::FastRowWriter;
use crate::input::{unplanned, Input};
use crate::output::Output;
use crate::pack::{Key, Pack, Slot, Unpack};
use crate::resolve::{Action, ResolutionPlan, StepId};
use crate::schema::Type;
use crate::widening::{exact_f32, exact_f64};
use crate::wire::columns::Lent;
use crate::wire::{Cost, Number};
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::hash::{Hash, Hasher};
use core::ops::RangeInclusive;
use samewire_core::path::Segment;
use samewire_core::Fault;

impl Pack for bool {
    const LINKS: usize = 0;
    const FLAGGED: bool = true;
    const COST: Cost = Cost::Flags;
    const FAST: bool = true;

    #[inline(always)]
    fn write_fast(&self, _: &mut FastRowWriter<'_>, _: usize) {}

    fn describe(to: &mut Describe) {
        to.scalar(Type::Bool);
    }

    #[inline(always)]
    fn flag(&self) -> bool {
        *self
    }

    fn write_column<'v, I>(values: I, out: &mut Output, _: usize) -> Result<(), Fault>
    where
        I: ExactSizeIterator<Item = &'v Self> + Clone,
    {
        out.column_bits(values.copied());
        Ok(())
    }

    #[inline(always)]
    fn write(&self, _: &mut Output, _: usize) -> Result<(), Fault> {
        Ok(())
    }

    #[inline(always)]
    fn write_present(&self, out: &mut Output, _: usize) -> Result<(), Fault> {
        out.byte(u8::from(*self));
        Ok(())
    }
}

impl<'a> Unpack<'a> for bool {
    type Column = Bits<'a>;

    fn read_column(input: &mut Input<'a, '_>, _: usize, m: usize) -> Result<Self::Column, Fault> {
        Ok(Bits::new(input.flags(m)?))
    }

    fn resolve_column(input: &mut Input<'a, '_>, _: &ResolutionPlan, _: StepId, m: usize) -> Result<Vec<Self>, Fault> {
        Ok(Self::read_column(input, 0, m)?.take(m).collect())
    }

    #[inline(always)]
    fn read(input: &mut Input<'a, '_>, _: usize) -> Result<Self, Fault> {
        input.bool()
    }

    #[inline(always)]
    fn read_flagged(_: &mut Input<'a, '_>, _: usize, flag: bool) -> Result<Self, Fault> {
        Ok(flag)
    }

    #[inline(always)]
    fn read_fast_flagged<const KEEP: bool>(_: &mut FastRowReader<'a, KEEP>, flag: bool) -> Option<Self> {
        Some(flag)
    }

    fn resolve(input: &mut Input<'a, '_>, _: &ResolutionPlan, _: StepId, slot: Slot) -> Result<Self, Fault> {
        match slot {
            Slot::Flag(flag) => Ok(flag),
            Slot::Present => input.bool(),
        }
    }
}

impl Key for bool {
    const NATURAL: bool = true;

    fn order(&self, other: &Self) -> Ordering {
        self.cmp(other)
    }

    fn feed<H: Hasher>(&self, state: &mut H) {
        self.hash(state);
    }
}

/// Reads a row of one of the writer's number types and hands out each as another type; `None` is a float that does not
/// have the integer.
pub(super) fn widened_row<T>(
    input: &mut Input<'_, '_>,
    writer: &Type,
    count: usize,
    integer: impl Fn(i128) -> Option<T>,
    float: impl Fn(f64) -> Option<T>,
) -> Result<Vec<T>, Fault> {
    fn row<W: Number, T>(
        input: &mut Input<'_, '_>,
        count: usize,
        widen: impl Fn(W) -> Option<T>,
    ) -> Result<Vec<T>, Fault> {
        let at = input.position();
        let mut numbers = Vec::<W>::new();
        input.numbers(count, &mut numbers)?;
        let wide: Option<Vec<T>> = numbers.into_iter().map(widen).collect();
        wide.ok_or_else(|| input.inexact(at))
    }
    match writer {
        Type::I8 => row(input, count, |n: i8| integer(n.into())),
        Type::I16 => row(input, count, |n: i16| integer(n.into())),
        Type::I32 => row(input, count, |n: i32| integer(n.into())),
        Type::I64 => row(input, count, |n: i64| integer(n.into())),
        Type::U8 => row(input, count, |n: u8| integer(n.into())),
        Type::U16 => row(input, count, |n: u16| integer(n.into())),
        Type::U32 => row(input, count, |n: u32| integer(n.into())),
        Type::U64 => row(input, count, |n: u64| integer(n.into())),
        Type::F32 => row(input, count, |n: f32| float(n.into())),
        _ => row(input, count, float),
    }
}

/// Reads a column of one of the writer's number types and hands out each as another type; `None` as in [`widened_row`].
pub(super) fn widened_column<T>(
    input: &mut Input<'_, '_>,
    writer: &Type,
    m: usize,
    integer: impl Fn(i128) -> Option<T>,
    float: impl Fn(f64) -> Option<T>,
) -> Result<Vec<T>, Fault> {
    fn column<W: Number, T>(
        input: &mut Input<'_, '_>,
        range: RangeInclusive<W>,
        m: usize,
        widen: impl Fn(W) -> Option<T>,
    ) -> Result<Vec<T>, Fault> {
        let at = input.position();
        let mut numbers = Vec::<W>::new();
        input.column_integers(&range, m, &mut numbers)?;
        let wide: Option<Vec<T>> = numbers.into_iter().map(widen).collect();
        wide.ok_or_else(|| input.inexact(at))
    }
    match writer {
        Type::I8 => column(input, i8::MIN..=i8::MAX, m, |n| integer(n.into())),
        Type::I16 => column(input, i16::MIN..=i16::MAX, m, |n| integer(n.into())),
        Type::I32 => column(input, i32::MIN..=i32::MAX, m, |n| integer(n.into())),
        Type::I64 => column(input, i64::MIN..=i64::MAX, m, |n| integer(n.into())),
        Type::U8 => column(input, 0..=u8::MAX, m, |n| integer(n.into())),
        Type::U16 => column(input, 0..=u16::MAX, m, |n| integer(n.into())),
        Type::U32 => column(input, 0..=u32::MAX, m, |n| integer(n.into())),
        Type::U64 => column(input, 0..=u64::MAX, m, |n| integer(n.into())),
        _ => {
            let at = input.position();
            let mut numbers = Vec::new();
            input.column_singles(m, &mut numbers)?;
            let wide: Option<Vec<T>> = numbers.into_iter().map(|n| float(n.into())).collect();
            wide.ok_or_else(|| input.inexact(at))
        }
    }
}

/// Reads one integer of the writer's type.
pub(super) fn wide_integer(input: &mut Input<'_, '_>, writer: &Type) -> Result<i128, Fault> {
    Ok(match writer {
        Type::I8 => input.number::<i8>()?.into(),
        Type::I16 => input.number::<i16>()?.into(),
        Type::I32 => input.number::<i32>()?.into(),
        Type::I64 => input.number::<i64>()?.into(),
        Type::U8 => input.number::<u8>()?.into(),
        Type::U16 => input.number::<u16>()?.into(),
        Type::U32 => input.number::<u32>()?.into(),
        Type::U64 => input.number::<u64>()?.into(),
        _ => return Err(unplanned(input)),
    })
}

/// What an array of `u8` is: bytes.
macro_rules! pack_array {
    (u8) => {
        const IS_BYTE: bool = true;

        #[inline(always)]
        fn as_bytes(array: &[u8]) -> Option<&[u8]> {
            Some(array)
        }
    };
    ($other:ident) => {};
}

macro_rules! unpack_array {
    (u8) => {
        #[inline(always)]
        fn from_bytes(bytes: Vec<u8>) -> Option<Vec<u8>> {
            Some(bytes)
        }
    };
    ($other:ident) => {};
}

macro_rules! number {
    (
        $type:ident, $word:literal, $cost:expr, $write:expr, $fast:ident, $integer:expr, $float:expr, $resolve:expr,
        $write_column:ident, $read_column:expr
    ) => {
        impl Pack for $type {
            const LINKS: usize = 0;
            const COST: Cost = $cost;
            const FAST: bool = true;

            pack_array!($type);

            fn describe(to: &mut Describe) {
                to.scalar(const { Type::scalar($word).unwrap() });
            }

            #[inline(always)]
            fn write_fast(&self, to: &mut FastRowWriter<'_>, _: usize) {
                to.$fast(*self);
            }

            #[inline(always)]
            fn write(&self, out: &mut Output, _: usize) -> Result<(), Fault> {
                $write(out, *self);
                Ok(())
            }

            fn write_row<'v, I>(
                row: I,
                out: &mut Output,
                _: usize,
                _: fn(usize) -> Segment<'static>,
            ) -> Result<(), Fault>
            where
                I: ExactSizeIterator<Item = &'v Self> + Clone,
            {
                let mut numbers: Vec<$type> = out.lend(row.len());
                numbers.extend(row.copied());
                out.numbers(&numbers);
                out.give_back(numbers);
                Ok(())
            }

            fn write_column<'v, I>(values: I, out: &mut Output, _: usize) -> Result<(), Fault>
            where
                I: ExactSizeIterator<Item = &'v Self> + Clone,
            {
                let mut column: Vec<$type> = out.lend(values.len());
                column.extend(values.copied());
                out.$write_column(&column);
                out.give_back(column);
                Ok(())
            }

            fn write_slice(row: &[Self], out: &mut Output, _: usize) -> Result<(), Fault> {
                out.numbers(row);
                Ok(())
            }
        }

        impl<'a> Unpack<'a> for $type {
            unpack_array!($type);

            #[inline(always)]
            fn read(input: &mut Input<'a, '_>, _: usize) -> Result<Self, Fault> {
                input.number()
            }

            #[inline(always)]
            fn read_fast<const KEEP: bool>(from: &mut FastRowReader<'a, KEEP>) -> Option<Self> {
                from.number()
            }

            fn read_row(input: &mut Input<'a, '_>, _: usize, count: usize) -> Result<Vec<Self>, Fault> {
                let mut row = Vec::new();
                input.numbers(count, &mut row)?;
                Ok(row)
            }

            type Column = Lent<'a, Self>;

            fn read_column(input: &mut Input<'a, '_>, _: usize, m: usize) -> Result<Self::Column, Fault> {
                let mut column = input.column();
                $read_column(input, m, &mut column.values)?;
                Ok(column)
            }

            fn resolve_column(
                input: &mut Input<'a, '_>,
                plan: &ResolutionPlan,
                step: StepId,
                m: usize,
            ) -> Result<Vec<Self>, Fault> {
                let step = plan.step(step);
                if matches!(step.action, Action::Same) {
                    return Ok(Self::read_column(input, 0, m)?.collect());
                }
                widened_column(input, &step.writer, m, $integer, $float)
            }

            fn resolve(input: &mut Input<'a, '_>, plan: &ResolutionPlan, step: StepId, _: Slot) -> Result<Self, Fault> {
                let step = plan.step(step);
                if matches!(step.action, Action::Same) {
                    return input.number();
                }
                $resolve(input, &step.writer)
            }

            fn resolve_row(
                input: &mut Input<'a, '_>,
                plan: &ResolutionPlan,
                step: StepId,
                count: usize,
                _: fn(usize) -> Segment<'static>,
            ) -> Result<Vec<Self>, Fault> {
                let step = plan.step(step);
                if matches!(step.action, Action::Same) {
                    return Self::read_row(input, 0, count);
                }
                widened_row(input, &step.writer, count, $integer, $float)
            }
        }
    };
}

macro_rules! integers {
    ($($type:ident $word:literal $cost:ident),*) => {$(
        number!(
            $type,
            $word,
            Cost::$cost,
            |out: &mut Output, value| out.number::<$type>(value),
            integer,
            |n| $type::try_from(n).ok(),
            |_| None,
            |input: &mut Input<'_, '_>, writer| {
                let wide = wide_integer(input, writer)?;
                $type::try_from(wide).map_err(|_| unplanned(input))
            },
            column_integers,
            |input: &mut Input<'_, '_>, m, column: &mut Vec<$type>| {
                input.column_integers(&($type::MIN..=$type::MAX), m, column)
            }
        );

        impl Key for $type {
            const NATURAL: bool = true;

            fn order(&self, other: &Self) -> Ordering {
                self.cmp(other)
            }

            fn feed<H: Hasher>(&self, state: &mut H) {
                self.hash(state);
            }
        }
    )*};
}

integers!(
    i8 "i8" One, i16 "i16" Integers, i32 "i32" Integers, i64 "i64" Integers,
    u8 "u8" One, u16 "u16" Integers, u32 "u32" Integers, u64 "u64" Integers
);

/// Reads one integer of the writer's type as a float.
fn as_float<T>(input: &mut Input<'_, '_>, writer: &Type, exact: fn(i128) -> Option<T>) -> Result<T, Fault> {
    let at = input.position();
    let wide = wide_integer(input, writer)?;
    exact(wide).ok_or_else(|| input.inexact(at))
}

number!(
    f32,
    "f32",
    Cost::Four,
    |out: &mut Output, value| out.f32(value),
    f32,
    exact_f32,
    |_| None,
    |input: &mut Input<'_, '_>, writer: &Type| as_float(input, writer, exact_f32),
    column_singles,
    |input: &mut Input<'_, '_>, m, column: &mut Vec<f32>| input.column_singles(m, column)
);

number!(
    f64,
    "f64",
    Cost::Eight,
    |out: &mut Output, value| out.f64(value),
    f64,
    exact_f64,
    Some,
    |input: &mut Input<'_, '_>, writer: &Type| match writer {
        Type::F32 => Ok(f64::from(input.number::<f32>()?)),
        _ => as_float(input, writer, exact_f64),
    },
    column_doubles,
    |input: &mut Input<'_, '_>, m, column: &mut Vec<f64>| input.column_doubles(m, column)
);
