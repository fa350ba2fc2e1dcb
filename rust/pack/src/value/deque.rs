//! `VecDeque<T>`: a list.

use super::list::write_lists;
use crate::columns::{is_list_columnar, within};
use crate::describe::Describe;
use crate::link::Link;
use crate::output::Output;
use crate::pack::Pack;
use alloc::collections::VecDeque;
use samewire_core::path::Segment;
use samewire_core::Fault;

impl<T: Pack> Pack for VecDeque<T> {
    const LINKS: usize = T::LINKS;

    fn describe(to: &mut Describe) {
        <[T]>::describe(to);
    }

    fn write(&self, out: &mut Output, at: usize) -> Result<(), Fault> {
        let (front, back) = self.as_slices();
        if back.is_empty() {
            return <[T]>::write(front, out, at);
        }
        let mut elements = out.lend(self.len());
        elements.extend(self);
        let cells = T::slot_cells(out.links(), at);
        if is_list_columnar::<T>(elements.len(), out, at) {
            out.columnar_count(elements.len(), cells)?;
            within(T::write_column(elements.iter().copied(), out, at), out, Segment::Elements)?;
        } else {
            out.container(elements.len(), cells)?;
            T::write_row(elements.iter().copied(), out, at, Segment::Index)?;
        }
        out.give_back(elements);
        Ok(())
    }

    fn width(links: &[Link], at: usize) -> usize {
        <[T]>::width(links, at)
    }

    fn write_column<'v, I>(values: I, out: &mut Output, at: usize) -> Result<(), Fault>
    where
        Self: 'v,
        I: ExactSizeIterator<Item = &'v Self> + Clone,
    {
        write_lists(values, out, at)
    }
}
