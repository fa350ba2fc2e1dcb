//! `string`.

use crate::describe::Describe;
use crate::direct::Direct;
use crate::input::Input;
use crate::output::Output;
use crate::pack::{compare_utf16, Key, Link, Pack, Unpack};
use crate::straight::Straight;
use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::String;
use core::cmp::Ordering;
use core::hash::Hasher;
use samewire_core::path::Segment;
use samewire_core::Fault;

macro_rules! text {
    ($type:ty) => {
        impl Pack for $type {
            const LINKS: usize = 1;
            const STRAIGHT: bool = true;

            fn describe(to: &mut Describe) {
                to.site("string");
            }

            #[inline(always)]
            fn slot_cells(_: &[Link], _: usize) -> u64 {
                2
            }

            #[inline(always)]
            fn is_closed(out: &Output, at: usize) -> bool {
                out.is_closed(at)
            }

            #[inline(always)]
            fn each_text(&self, _: &[Link], at: usize, to: &mut impl FnMut(usize, &str)) {
                to(at, self);
            }

            #[inline(always)]
            fn put(&self, to: &mut Straight<'_>, at: usize) {
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
    ($type:ty, $make:expr) => {
        impl<'a> Unpack<'a> for $type {
            #[inline(always)]
            fn read(input: &mut Input<'a, '_>, _: usize) -> Result<Self, Fault> {
                input.str().map($make)
            }

            #[inline(always)]
            fn read_direct<const KEEP: bool>(from: &mut Direct<'a, KEEP>) -> Option<Self> {
                from.text().map($make)
            }
        }
    };
}

unpack_text!(String, String::from);
unpack_text!(&'a str, |text| text);
unpack_text!(Cow<'a, str>, Cow::Borrowed);
unpack_text!(Box<str>, Box::from);
