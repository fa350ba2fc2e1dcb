//! `string`.

use crate::describe::Describe;
use crate::fast_row_reader::FastRowReader;
use crate::fast_row_writer::FastRowWriter;
use crate::input::Input;
use crate::link::Link;
use crate::order::compare_utf16;
use crate::output::Output;
use crate::pack::{Key, Pack, Unpack};
use crate::read_rows::read_row;
use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::hash::Hasher;
use samewire_core::path::Segment;
use samewire_core::Fault;

macro_rules! text {
    ($type:ty) => {
        impl Pack for $type {
            const LINKS: usize = 1;
            const FAST: bool = true;

            fn describe(to: &mut Describe) {
                to.dedup_slot("string");
            }

            #[inline(always)]
            fn slot_cells(_: &[Link], _: usize) -> u64 {
                2
            }

            #[inline(always)]
            fn dedup_disabled(out: &Output, at: usize) -> bool {
                out.dedup_disabled(at)
            }

            #[inline(always)]
            fn each_text(&self, _: &[Link], at: usize, to: &mut impl FnMut(usize, &str)) {
                to(at, self);
            }

            #[inline(always)]
            fn write_fast(&self, to: &mut FastRowWriter<'_>, at: usize) {
                to.text(at, self);
            }

            #[inline(always)]
            fn write(&self, out: &mut Output, at: usize) -> Result<(), Fault> {
                out.str(at, self);
                Ok(())
            }

            #[inline]
            fn write_row<'v, I>(
                row: I,
                out: &mut Output,
                at: usize,
                _: fn(usize) -> Segment<'static>,
            ) -> Result<(), Fault>
            where
                Self: 'v,
                I: ExactSizeIterator<Item = &'v Self> + Clone,
            {
                out.strs(at, row.map(|text| -> &str { text }));
                Ok(())
            }
        }

        impl Key for $type {
            fn order(&self, other: &Self) -> Ordering {
                compare_utf16(self, other)
            }

            fn feed<H: Hasher>(&self, state: &mut H) {
                state.write(self.as_bytes());
            }
        }
    };
}

text!(str);
text!(String);
text!(Cow<'_, str>);

macro_rules! unpack_text {
    ($type:ty, $copied:literal, $make:expr) => {
        impl<'a> Unpack<'a> for $type {
            #[inline(always)]
            fn read(input: &mut Input<'a, '_>, _: usize) -> Result<Self, Fault> {
                let at = input.position();
                let text = input.str()?;
                if $copied && text.len() > COVERED {
                    input.charge_text(at, size_of::<$type>() + text.len())?;
                }
                Ok($make(text))
            }

            #[inline(always)]
            fn read_fast<const KEEP: bool>(from: &mut FastRowReader<'a, KEEP>) -> Option<Self> {
                from.text().filter(|text| !$copied || text.len() <= COVERED).map($make)
            }

            #[inline]
            fn read_row(input: &mut Input<'a, '_>, at: usize, count: usize) -> Result<Vec<Self>, Fault> {
                read_row(input, at, count)
            }
        }
    };
}

/// The longest text whose copy the cells of a `string` cover: a back reference of a byte may name a longer one.
const COVERED: usize = 88;

unpack_text!(String, true, String::from);
unpack_text!(&'a str, false, |text| text);
unpack_text!(Cow<'a, str>, false, Cow::Borrowed);
unpack_text!(Box<str>, true, Box::from);
