//! Paths of files: their texts, which must be UTF-8.

use crate::describe::Describe;
use crate::input::Input;
use crate::link::Link;
use crate::output::Output;
use crate::pack::{Pack, Slot, Unpack};
use crate::resolve::{ResolutionPlan, StepId};
use alloc::string::String;
use alloc::vec::Vec;
use samewire_core::path::Segment;
use samewire_core::{Code, Error, Fault};
use std::path::{Path, PathBuf};

fn text<'v>(path: &'v Path, out: &mut Output) -> Result<&'v str, Fault> {
    path.to_str().ok_or_else(|| {
        let began: String = path.to_string_lossy().chars().take(48).collect();
        let text = format!("expected a path of valid UTF-8, got {began:?}: write its bytes by a converter");
        out.refuse(Error::new(Code::TypeMismatch, text))
    })
}

macro_rules! path {
    ($type:ty) => {
        impl Pack for $type {
            const LINKS: usize = <str as Pack>::LINKS;

            fn describe(to: &mut Describe) {
                str::describe(to);
            }

            #[inline(always)]
            fn slot_cells(links: &[Link], at: usize) -> u64 {
                str::slot_cells(links, at)
            }

            fn write(&self, out: &mut Output, at: usize) -> Result<(), Fault> {
                let text = text(self, out)?;
                out.str(at, text);
                Ok(())
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
                let mut texts: Vec<&str> = out.lend(row.len());
                for (i, path) in row.enumerate() {
                    texts.push(text(path, out).map_err(|Fault| out.inside(segment(i)))?);
                }
                out.strs(at, texts.iter().copied());
                out.give_back(texts);
                Ok(())
            }

            fn write_column<'v, I>(values: I, out: &mut Output, at: usize) -> Result<(), Fault>
            where
                Self: 'v,
                I: ExactSizeIterator<Item = &'v Self> + Clone,
            {
                let mut texts: Vec<&str> = out.lend(values.len());
                for path in values {
                    texts.push(text(path, out)?);
                }
                out.column_texts(at, &texts);
                out.give_back(texts);
                Ok(())
            }
        }
    };
}

path!(Path);
path!(PathBuf);

impl<'a> Unpack<'a> for PathBuf {
    type Column = alloc::vec::IntoIter<Self>;

    fn read(input: &mut Input<'a, '_>, at: usize) -> Result<Self, Fault> {
        Ok(String::read(input, at)?.into())
    }

    fn resolve(input: &mut Input<'a, '_>, plan: &ResolutionPlan, step: StepId, slot: Slot) -> Result<Self, Fault> {
        Ok(String::resolve(input, plan, step, slot)?.into())
    }

    fn read_column(input: &mut Input<'a, '_>, at: usize, m: usize) -> Result<Self::Column, Fault> {
        Ok(String::read_column(input, at, m)?.map(PathBuf::from).collect::<Vec<_>>().into_iter())
    }

    fn resolve_column(
        input: &mut Input<'a, '_>,
        plan: &ResolutionPlan,
        step: StepId,
        m: usize,
    ) -> Result<Vec<Self>, Fault> {
        Ok(String::resolve_column(input, plan, step, m)?.into_iter().map(PathBuf::from).collect())
    }
}
