//! The writer of typed values.

use crate::link::Link;
use crate::scratch_pool::Memory;
use crate::wire::{DuplicateFilter, Writer, MAX_MISSES};
use alloc::boxed::Box;
use core::ops::{Deref, DerefMut};
use samewire_core::{Error, Fault};

/// A [`Writer`] beside the codec's table of links.
pub struct Output {
    writer: Writer,
    links: Box<[Link]>,
    /// Made at the first use.
    filter: Option<DuplicateFilter>,
    /// What a converter refused a value with.
    refusal: Option<Error>,
}

impl Output {
    pub(crate) fn new(links: Box<[Link]>) -> Self {
        Output { writer: Writer::new(), links, filter: None, refusal: None }
    }

    /// Both.
    #[inline(always)]
    pub(crate) fn parts(&mut self) -> (&mut Writer, &[Link]) {
        (&mut self.writer, &self.links)
    }

    /// Returns the table of links, and the filter for texts.
    pub(crate) fn duplicate_filter(&mut self) -> (&[Link], &mut DuplicateFilter) {
        (&self.links, self.filter.get_or_insert_default())
    }

    /// Notes that a converter refuses a value.
    #[cold]
    pub(crate) fn refuse(&mut self, error: Error) -> Fault {
        let fault = self.writer.fail(error.code);
        self.refusal = Some(error);
        fault
    }

    /// The failure that was noted last, with its path.
    pub(crate) fn failure(&mut self) -> Error {
        let failure = self.writer.fault();
        match self.refusal.take() {
            Some(refusal) if refusal.code == failure.code => Error { path: failure.path, ..refusal },
            _ => failure,
        }
    }

    /// Whether the dedup slot of the text at place `at` is disabled.
    #[inline(always)]
    pub(crate) fn dedup_disabled(&self, at: usize) -> bool {
        self.misses[at] >= MAX_MISSES
    }

    /// The table of links.
    #[inline(always)]
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// The link of a struct that stands at place `at`.
    #[inline(always)]
    pub fn link(&self, at: usize) -> Link {
        self.links[at]
    }
}

impl Memory for Output {
    #[inline]
    fn footprint(&self) -> usize {
        self.writer.footprint()
    }
}

impl Deref for Output {
    type Target = Writer;

    #[inline(always)]
    fn deref(&self) -> &Writer {
        &self.writer
    }
}

impl DerefMut for Output {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut Writer {
        &mut self.writer
    }
}

/// The flags of a struct's or tuple's row while they are collected; all of it folds away at compile time but the bits.
#[derive(Default)]
pub struct Flags {
    word: u64,
    slots: usize,
}

impl Flags {
    /// Adds the flag of a slot, if its type has one.
    #[inline(always)]
    pub fn add(&mut self, flagged: bool, flag: bool, out: &mut Output) {
        self.put(flagged, flag);
        if self.slots == 64 {
            out.flag_word(self.word, 64);
            *self = Flags::default();
        }
    }

    /// As [`add`](Self::add), for a row with at most 64 flags.
    #[inline(always)]
    pub fn put(&mut self, flagged: bool, flag: bool) {
        if flagged {
            self.word |= u64::from(flag) << self.slots;
            self.slots += 1;
        }
    }

    /// Returns the flags not written yet, the first in the lowest bit, and their number.
    #[inline(always)]
    pub(crate) fn word(self) -> (u64, usize) {
        (self.word, self.slots)
    }

    /// Writes the flags not written yet.
    #[inline(always)]
    pub fn end(self, out: &mut Output) {
        if self.slots > 0 {
            out.flag_word(self.word, self.slots);
        }
    }
}
