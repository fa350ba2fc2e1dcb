//! `string`.

use crate::columns::assemble;
use crate::describe::Describe;
use crate::fast_row_reader::FastRowReader;
use crate::fast_row_writer::FastRowWriter;
use crate::input::Input;
use crate::link::Link;
use crate::order::compare_utf16;
use crate::output::Output;
use crate::pack::{Key, Pack, Unpack};
use crate::read_rows::{read_row, read_row_into};
use crate::resolve::{ResolutionPlan, StepId};
use crate::schema::Type;
use crate::wire::columns::{Lent, TextForm};
use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::hash::Hasher;
use core::marker::PhantomData;
use samewire_core::path::Segment;
use samewire_core::Fault;

macro_rules! text {
    ($type:ty) => {
        impl Pack for $type {
            const LINKS: usize = 1;
            const FAST: bool = true;

            fn describe(to: &mut Describe) {
                to.scalar(Type::String(0));
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

            fn write_column<'v, I>(values: I, out: &mut Output, at: usize) -> Result<(), Fault>
            where
                Self: 'v,
                I: ExactSizeIterator<Item = &'v Self> + Clone,
            {
                let mut texts: Vec<&str> = out.lend(values.len());
                texts.extend(values.map(|text| -> &str { text }));
                out.column_texts(at, &texts);
                out.give_back(texts);
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
text!(Rc<str>);
text!(Arc<str>);

macro_rules! unpack_text {
    ($type:ty, $copied:literal, $make:expr, $named:expr) => {
        impl<'a> Made<'a> for $type {
            #[inline(always)]
            fn made(text: &'a str) -> Self {
                $make(text)
            }
        }

        impl<'a> Unpack<'a> for $type {
            type Column = Texts<'a, Self>;

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

            fn read_column(input: &mut Input<'a, '_>, _: usize, m: usize) -> Result<Self::Column, Fault> {
                let TextColumn { at, texts, indices } = read_texts(input, m)?;
                if $copied {
                    let indices = indices.as_ref().map(|indices| &indices.values[..]);
                    charge_copies(input, at, size_of::<$type>(), &texts.values, indices)?;
                }
                Ok(match indices {
                    None => Texts::Each(texts, PhantomData),
                    Some(indices) => Texts::Dictionary(texts, indices),
                })
            }

            fn resolve_column(
                input: &mut Input<'a, '_>,
                _: &ResolutionPlan,
                _: StepId,
                m: usize,
            ) -> Result<Vec<Self>, Fault> {
                let mut column = Self::read_column(input, 0, m)?;
                Ok(assemble(m, || column.next()))
            }

            fn named(member: &str) -> Option<Self> {
                $named(member)
            }
        }
    };
}

/// A type that a text of a message can be made into.
pub trait Made<'a> {
    /// Makes it.
    fn made(text: &'a str) -> Self;
}

/// A column of texts.
pub enum Texts<'a, T> {
    /// Each on its own.
    Each(Lent<'a, &'a str>, PhantomData<T>),
    /// The distinct ones, and the indices of all.
    Dictionary(Lent<'a, &'a str>, Lent<'a, u32>),
}

impl<'a, T: Made<'a>> Iterator for Texts<'a, T> {
    type Item = T;

    #[inline(always)]
    fn next(&mut self) -> Option<T> {
        let text = match self {
            Texts::Each(texts, _) => texts.next()?,
            Texts::Dictionary(texts, indices) => texts.values[indices.next()? as usize],
        };
        Some(T::made(text))
    }
}

/// The texts of a column as they are read: all of them, or the distinct ones and the indices of all.
struct TextColumn<'a> {
    /// Where the first token stands.
    at: usize,
    texts: Lent<'a, &'a str>,
    indices: Option<Lent<'a, u32>>,
}

fn read_texts<'a>(input: &mut Input<'a, '_>, m: usize) -> Result<TextColumn<'a>, Fault> {
    let form = input.column_texts(m)?;
    let at = input.position();
    let mut texts = input.column();
    read_row_into(input, 0, form.tokens(m), &mut texts.values)?;
    let TextForm::Dictionary(size) = form else { return Ok(TextColumn { at, texts, indices: None }) };
    let mut indices = input.column();
    input.column_indices(size, m, &mut indices.values)?;
    Ok(TextColumn { at, texts, indices: Some(indices) })
}

/// Compares the memory of copies with the cells of a `string`. A text of a dictionary may be as long as the message and be
/// copied for each bit of it.
fn charge_copies(
    input: &mut Input<'_, '_>,
    at: usize,
    handle: usize,
    texts: &[&str],
    indices: Option<&[u32]>,
) -> Result<(), Fault> {
    if texts.iter().all(|text| text.len() <= COVERED) {
        return Ok(());
    }
    let mut charge =
        |text: &str| if text.len() > COVERED { input.charge_text(at, handle + text.len()) } else { Ok(()) };
    match indices {
        None => texts.iter().try_for_each(|text| charge(text)),
        Some(indices) => indices.iter().try_for_each(|&index| charge(texts[index as usize])),
    }
}

/// The longest text whose copy the cells of a `string` cover: a back reference of a byte may name a longer one.
const COVERED: usize = 88;

unpack_text!(String, true, String::from, |member| Some(String::from(member)));
// The name of a member does not stand in the message.
unpack_text!(&'a str, false, |text| text, |_| None);
unpack_text!(Cow<'a, str>, false, Cow::Borrowed, |member| Some(Cow::Owned(String::from(member))));
unpack_text!(Box<str>, true, Box::from, |member| Some(Box::from(member)));
unpack_text!(Rc<str>, true, Rc::from, |member| Some(Rc::from(member)));
unpack_text!(Arc<str>, true, Arc::from, |member| Some(Arc::from(member)));
