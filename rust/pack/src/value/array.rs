//! Arrays: `[T; N]` as a list of N elements, `[u8; N]` as so many `bytes`.

use super::list::write_lists;
use super::{Bytes, BytesRef};
use crate::describe::Describe;
use crate::input::Input;
use crate::link::Link;
use crate::output::Output;
use crate::pack::{Pack, Slot, Unpack};
use crate::resolve::{ResolutionPlan, StepId};
use alloc::vec::Vec;
use samewire_core::{Code, Error, Fault};

impl<T: Pack, const N: usize> Pack for [T; N] {
    const LINKS: usize = T::LINKS;

    fn describe(to: &mut Describe) {
        if T::IS_BYTE {
            Bytes::describe(to);
        } else {
            <[T]>::describe(to);
        }
    }

    #[inline(always)]
    fn slot_cells(links: &[Link], at: usize) -> u64 {
        if T::IS_BYTE {
            Bytes::slot_cells(links, at)
        } else {
            <[T]>::slot_cells(links, at)
        }
    }

    #[inline]
    fn write(&self, out: &mut Output, at: usize) -> Result<(), Fault> {
        match T::as_bytes(self) {
            Some(bytes) => out.bytes(bytes),
            None => <[T]>::write(self, out, at),
        }
    }

    fn width(links: &[Link], at: usize) -> usize {
        if T::IS_BYTE {
            Bytes::width(links, at)
        } else {
            <[T]>::width(links, at)
        }
    }

    fn write_column<'v, I>(values: I, out: &mut Output, at: usize) -> Result<(), Fault>
    where
        Self: 'v,
        I: ExactSizeIterator<Item = &'v Self> + Clone,
    {
        if T::IS_BYTE {
            let runs: Vec<BytesRef<'_>> =
                values.map(|array| BytesRef(T::as_bytes(array).unwrap_or_default())).collect();
            return BytesRef::write_column(runs.iter(), out, at);
        }
        write_lists(values, out, at)
    }
}

/// The array of what was read from `start` on; `place` is its place in a column.
fn array<'a, T: Unpack<'a>, const N: usize>(
    list: Vec<T>,
    start: usize,
    place: Option<usize>,
    input: &mut Input<'a, '_>,
) -> Result<[T; N], Fault> {
    list.try_into().map_err(|list: Vec<T>| {
        let came = list.len();
        let text = if T::IS_BYTE {
            format!("expected {N} bytes for [u8; {N}], got {came}")
        } else {
            format!("expected a list of {N} for an array of {N}, got one of {came}")
        };
        input.refuse(Error::new(Code::TypeMismatch, text), start, place, <[T; N]>::describe)
    })
}

/// The arrays of a column that was read from `start` on.
fn arrays<'a, T: Unpack<'a>, const N: usize>(
    lists: impl IntoIterator<Item = Vec<T>>,
    start: usize,
    input: &mut Input<'a, '_>,
) -> Result<Vec<[T; N]>, Fault> {
    lists.into_iter().enumerate().map(|(i, list)| array(list, start, Some(i), input)).collect()
}

/// The bytes as elements: of a type that [is a byte](Pack::IS_BYTE).
fn elements<'a, T: Unpack<'a>>(bytes: Bytes) -> Vec<T> {
    T::from_bytes(bytes.0).unwrap_or_default()
}

impl<'a, T: Unpack<'a>, const N: usize> Unpack<'a> for [T; N] {
    type Column = alloc::vec::IntoIter<Self>;

    fn read(input: &mut Input<'a, '_>, at: usize) -> Result<Self, Fault> {
        let start = input.position();
        let list = if T::IS_BYTE { elements(Bytes::read(input, at)?) } else { Vec::read(input, at)? };
        array(list, start, None, input)
    }

    fn resolve(input: &mut Input<'a, '_>, plan: &ResolutionPlan, step: StepId, slot: Slot) -> Result<Self, Fault> {
        let start = input.position();
        let list = if T::IS_BYTE {
            elements(Bytes::resolve(input, plan, step, slot)?)
        } else {
            Vec::resolve(input, plan, step, slot)?
        };
        array(list, start, None, input)
    }

    fn read_column(input: &mut Input<'a, '_>, at: usize, m: usize) -> Result<Self::Column, Fault> {
        let start = input.position();
        let made = if T::IS_BYTE {
            let column = Bytes::read_column(input, at, m)?;
            arrays(column.map(elements), start, input)
        } else {
            let column = Vec::read_column(input, at, m)?;
            arrays(column, start, input)
        };
        Ok(made?.into_iter())
    }

    fn resolve_column(
        input: &mut Input<'a, '_>,
        plan: &ResolutionPlan,
        step: StepId,
        m: usize,
    ) -> Result<Vec<Self>, Fault> {
        let start = input.position();
        if T::IS_BYTE {
            let column = Bytes::resolve_column(input, plan, step, m)?;
            return arrays(column.into_iter().map(elements), start, input);
        }
        let column = Vec::resolve_column(input, plan, step, m)?;
        arrays(column, start, input)
    }
}
