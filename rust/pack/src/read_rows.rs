//! Reading rows of structs and texts, through a [`FastRowReader`] where their types allow it.

use crate::fast_row_reader::FastRowReader;
use crate::input::Input;
use crate::pack::Unpack;
use crate::wire::header;
use alloc::vec::Vec;
use samewire_core::Fault;

/// Reads a row of structs or texts. `at` is their first place in the table of links.
///
/// # Errors
/// As [`Unpack::read`].
#[inline]
pub fn read_row<'a, T: Unpack<'a>>(input: &mut Input<'a, '_>, at: usize, count: usize) -> Result<Vec<T>, Fault> {
    input.charge_row::<T>(count, T::least_cells(input.links(), at))?;
    let (mut row, lent) = input.lend::<T>(count);
    fill(input, at, count, &mut row)?;
    input.give_back(lent);
    Ok(row)
}

/// Reads values that stand one after the other, into an empty vector.
///
/// # Errors
/// As [`Unpack::read`].
pub(crate) fn read_row_into<'a, T: Unpack<'a>>(
    input: &mut Input<'a, '_>,
    at: usize,
    count: usize,
    row: &mut Vec<T>,
) -> Result<(), Fault> {
    input.charge_row::<T>(count, T::least_cells(input.links(), at))?;
    let mut lent = 0;
    if row.capacity() < count {
        (*row, lent) = input.lend(count);
    }
    fill(input, at, count, row)?;
    input.give_back(lent);
    Ok(())
}

#[inline(always)]
fn fill<'a, T: Unpack<'a>>(input: &mut Input<'a, '_>, at: usize, count: usize, row: &mut Vec<T>) -> Result<(), Fault> {
    if !T::FAST {
        for _ in 0..count {
            row.push(T::read(input, at)?);
        }
        return Ok(());
    }
    loop {
        // The fast reader takes every back reference, those too of a message whose header has none.
        if !input.keeps_texts() {
            read_fast::<T, false>(input, row, count);
        } else if input.header() & header::REFS != 0 && input.keeps_all() {
            read_fast::<T, true>(input, row, count);
        }
        if row.len() >= count {
            return Ok(());
        }
        row.push(T::read(input, at)?);
    }
}

/// Reads as many values as the fast reader can, until the row has `count` of them or its room is used up.
#[inline(always)]
fn read_fast<'a, T: Unpack<'a>, const KEEP: bool>(input: &mut Input<'a, '_>, row: &mut Vec<T>, count: usize) {
    let mut reader = FastRowReader::<KEEP>::new(input);
    let (mut good, mut length) = (reader, row.len());
    for place in row.spare_capacity_mut().iter_mut().take(count.saturating_sub(length)) {
        let Some(value) = T::read_fast(&mut reader) else { break };
        place.write(value);
        length += 1;
        good = reader;
    }
    // SAFETY: `length <= capacity`, and every place below it holds a value: the row's own, and those written just now.
    unsafe { row.set_len(length) };
    good.settle(input);
}
