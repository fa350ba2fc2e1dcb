//! The reader of typed values.

use crate::describe::Describe;
use crate::link::Link;
use crate::resolve::ResolutionPlan;
use crate::schema::Type;
use crate::scratch_pool::Memory;
use crate::walker::{self, Begin, Host, Refused};
use crate::wire::columns::spare::Spare;
use crate::wire::columns::Lent;
use crate::wire::{header, latin1_to_utf8, utf16_to_utf8, Chars, Reader, ReferenceDepth, Token, CELL_BYTES, SLACK};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::any::Any;
use core::cell::RefCell;
use core::ops::{Deref, DerefMut};
use samewire_core::path::{path_text, Segment};
use samewire_core::Limits;
use samewire_core::{Code, Error, Fault};

/// Memory for texts that cannot be borrowed from the message, since they stand in it as Latin-1 beyond ASCII or as UTF-16, and
/// for columns until their values are made. It outlives the values that borrow from it, and can be used again for the next message.
#[derive(Default)]
pub struct Scratch {
    bytes: Vec<u8>,
    texts: Vec<&'static str>,
    spare: RefCell<Spare>,
}

impl Scratch {
    /// Returns empty scratch. It grows as needed, to at most twice the Latin-1 and UTF-16 blocks of a message and 8 MiB for
    /// columns.
    pub const fn new() -> Self {
        Scratch { bytes: Vec::new(), texts: Vec::new(), spare: RefCell::new(Spare::new()) }
    }
}

impl Memory for Scratch {
    fn footprint(&self) -> usize {
        self.bytes.capacity() + self.texts.capacity() * size_of::<&str>() + self.spare.borrow().footprint()
    }
}

/// Back references that there is room for from the start.
const FIRST_TEXTS: usize = 64;

/// Bytes of room for each byte of the message that all rows together may be given before their elements have come
/// (`spec/pack.md` section 12).
const CREDIT: usize = 64;

/// What an allocation takes beside its bytes, with rounding.
pub(crate) const ALLOCATION: usize = 24;

/// Bytes beyond [`CELL_BYTES`] a cell that are not counted.
const FREE_EXCESS: u64 = 64 << 10;

/// A struct behind a `ref` that has been read, or skipped.
enum Shared {
    /// `start`: where its row begins.
    Read {
        structure: usize,
        start: usize,
        value: Box<dyn Any>,
        height: usize,
    },
    Skipped {
        structure: usize,
        begin: Begin,
    },
}

impl Shared {
    /// Where its row begins. No two begin at the same place: a reference number stands before each.
    fn start(&self) -> usize {
        match self {
            Shared::Read { start, .. } => *start,
            Shared::Skipped { begin, .. } => begin.checkpoint.position(),
        }
    }
}

/// What [`Input::begin_shared`] returns and [`Input::share_read`] takes.
pub(crate) struct SharedStart {
    reach: ReferenceDepth,
    start: usize,
}

/// A [`Reader`] with texts as `&str`, shared structs, and the codec's table of links.
pub struct Input<'a, 'c> {
    reader: Reader<'a>,
    links: &'c [Link],
    /// Whether texts are kept for back references.
    keep: bool,
    /// Memory for texts that have to be transcoded, until it is known how much is needed.
    bytes: Option<&'a mut Vec<u8>>,
    space: &'a mut [u8],
    texts: Vec<&'a str>,
    /// Where the memory of `texts` comes from and goes to.
    kept: &'a mut Vec<&'static str>,
    /// Memory for columns.
    spare: &'a RefCell<Spare>,
    /// Bytes that may still be lent to rows whose elements have not come yet; no more than one allocation may have.
    credit: usize,
    /// Bytes taken beyond [`CELL_BYTES`] for each cell charged.
    excess: u64,
    limits: &'c Limits,
    rare: Option<Box<Rare>>,
}

/// What most messages never need.
#[derive(Default)]
struct Rare {
    shared: Vec<Shared>,
    /// The reference number of the next struct: the length of `shared`, but while a skipped struct is read again.
    next: usize,
    reach: ReferenceDepth,
    path: Vec<Segment<'static>>,
    /// Where in the struct that `path` leads to a walk over a skipped field ended: the text of that part of the path.
    skipped: String,
    /// Whether it failed at an integer that the reader's float does not have.
    inexact: bool,
    /// What a converter refused a value with, and which.
    refusal: Option<(Error, Option<Refused>)>,
}

impl<'a, 'c> Input<'a, 'c> {
    /// An input at the start of a message that has not been looked at: [`open`](Self::open) is to be called next.
    #[inline(always)]
    pub(crate) fn new(data: &'a [u8], scratch: &'a mut Scratch, links: &'c [Link], limits: &'c Limits) -> Self {
        Input {
            reader: Reader::closed(data, limits),
            links,
            keep: false,
            bytes: Some(&mut scratch.bytes),
            space: &mut [],
            texts: Vec::new(),
            kept: &mut scratch.texts,
            spare: &scratch.spare,
            credit: data.len().saturating_mul(CREDIT).min(isize::MAX as usize),
            excess: 0,
            limits,
            rare: None,
        }
    }

    /// Reads all that stands before the values.
    ///
    /// # Errors
    /// As [`Reader::new`].
    #[inline(always)]
    pub(crate) fn open(&mut self, digest: u64) -> Result<(), Fault> {
        if self.reader.open_header(Some(digest), self.limits)? {
            self.open_blocks(digest)?;
        }
        Ok(())
    }

    #[inline(never)]
    fn open_blocks(&mut self, digest: u64) -> Result<(), Fault> {
        self.reader.open_blocks(Some(digest), self.limits)?;
        if self.reader.header() & (header::TEXT | header::WIDE | header::UTF8) != 0 {
            self.prepare()?;
        }
        Ok(())
    }

    fn prepare(&mut self) -> Result<(), Fault> {
        let latin = self.reader.latin_block();
        let wide = self.reader.wide_block();
        let ascii = latin.is_ascii();
        if ascii {
            self.reader.all_ascii();
        } else {
            self.reader.look_ahead();
        }
        if !ascii || !wide.is_empty() {
            // Two bytes a character, three a unit.
            let latin = if ascii { Some(0) } else { latin.len().checked_mul(2) };
            let need = latin.and_then(|latin| latin.checked_add(wide.len() / 2 * 3 + SLACK));
            let Some(need) = need.filter(|&need| need <= isize::MAX as usize) else {
                // Where addresses have 32 bits, and `text_bytes` was raised.
                return Err(self.reader.fail(Code::LimitSize, self.reader.position()));
            };
            if let Some(bytes) = self.bytes.take() {
                if bytes.len() < need {
                    bytes.resize(need, 0);
                }
                self.space = bytes;
            }
        }
        self.keep = self.reader.header() & header::REFS != 0;
        if self.keep {
            self.texts = recycle(core::mem::take(self.kept));
            self.texts.reserve(FIRST_TEXTS);
        }
        Ok(())
    }

    /// Keeps texts even without back references: a part of the message may be read twice.
    pub(crate) fn keep_texts(&mut self) {
        self.keep = true;
    }

    /// Gives the memory of the table of texts back.
    #[inline]
    pub(crate) fn retire(self) {
        if self.texts.capacity() > 0 {
            *self.kept = recycle(self.texts);
        }
    }

    #[cold]
    fn rare(&mut self) -> &mut Rare {
        self.rare.get_or_insert_with(Box::default)
    }

    fn shared_entry(&self, number: usize) -> Option<&Shared> {
        self.rare.as_ref().and_then(|rare| rare.shared.get(number))
    }

    /// The failure with the path collected on the way out.
    pub(crate) fn failure(&self) -> Error {
        let mut path = path_text(self.rare.iter().flat_map(|rare| rare.path.iter().rev().copied()));
        path.extend(self.rare.iter().map(|rare| rare.skipped.as_str()));
        let mut error = self.reader.fault();
        if self.rare.as_ref().is_some_and(|rare| rare.inexact) {
            error.text = "an integer that lies between two numbers of the reader's float type".into();
        }
        if let Some((refusal, _)) = self.rare.as_ref().and_then(|rare| rare.refusal.clone()) {
            error = refusal;
        }
        error.path(path)
    }

    /// Notes that a converter refuses what was read from `start` on: the value at a place of it, or all of it.
    #[cold]
    pub(crate) fn refuse(
        &mut self,
        error: Error,
        start: usize,
        place: Option<usize>,
        written: fn(&mut Describe),
    ) -> Fault {
        let end = self.reader.position();
        let fault = self.reader.fail(error.code, end);
        let refused = Describe::of(written).ok().map(|made| Refused { start, end, place, written: made.schema });
        self.rare().refusal = Some((error, refused));
        fault
    }

    /// Where the value lies that a converter refused, if that is the failure.
    #[cfg(feature = "paths")]
    pub(crate) fn refused(&self) -> Option<&Refused> {
        self.rare.as_ref()?.refusal.as_ref()?.1.as_ref()
    }

    /// Whether the failure is one that only this reader can find: the bytes are good up to there.
    pub(crate) fn is_own_failure(&self) -> bool {
        self.reader.fault().code == Code::SchemaMismatch || self.rare.as_ref().is_some_and(|rare| rare.inexact)
    }

    /// Fails at an integer, or a row or column of them, that the reader's float type does not have.
    #[cold]
    pub(crate) fn inexact(&mut self, at: usize) -> Fault {
        self.rare().inexact = true;
        self.reader.fail(Code::BadNumber, at)
    }

    /// Adds the place inside which the failure happened.
    #[cold]
    pub fn inside(&mut self, segment: Segment<'static>) -> Fault {
        self.rare().path.push(segment);
        Fault
    }

    /// The codec's table of links.
    #[inline(always)]
    pub fn links(&self) -> &'c [Link] {
        self.links
    }

    /// The link of a struct that stands at place `at`.
    #[inline(always)]
    pub fn link(&self, at: usize) -> Link {
        self.links[at]
    }

    /// The flags of a row with `slots` flagged slots.
    ///
    /// # Errors
    /// `malformed`, `truncated`.
    #[inline(always)]
    pub fn row_flags(&mut self, slots: usize) -> Result<RowFlags<'a>, Fault> {
        let bytes = if slots == 0 { &[] } else { self.reader.flags(slots)? };
        Ok(RowFlags { bytes, next: 0 })
    }

    /// An empty row with room for `count` elements, and what was lent for it: to be [given back](Self::give_back) when all
    /// of them have come.
    ///
    /// Counts that lie, one inside the other, must not add up. So all rows that are open share one credit, which the
    /// message's length sets; when it is spent, a row grows as its elements come. A row that is complete holds what was
    /// read, byte for byte, and needs no credit any more: an honest message never spends it all but where elements are
    /// far larger in memory than on the wire.
    #[inline(always)]
    pub fn lend<T>(&mut self, count: usize) -> (Vec<T>, usize) {
        let bytes = count.saturating_mul(size_of::<T>());
        if bytes > self.credit {
            return self.lend_the_rest();
        }
        self.credit -= bytes;
        (Vec::with_capacity(count), bytes)
    }

    /// Compares the memory of a row with the `cells` that each element is charged at least.
    ///
    /// # Errors
    /// `limit_items` here.
    #[inline(always)]
    pub(crate) fn charge_row<T>(&mut self, count: usize, cells: u64) -> Result<(), Fault> {
        // One comparison with a constant, for the sake of short rows: most types need no more.
        if cells < (size_of::<T>() as u64).div_ceil(CELL_BYTES) {
            return self.charge_large_row(count.saturating_mul(size_of::<T>()), cells.saturating_mul(count as u64));
        }
        Ok(())
    }

    /// Compares the memory of a copied text, of so many bytes with its handle, with the cells of a `string`.
    ///
    /// # Errors
    /// `limit_items` at `at`.
    #[cold]
    #[inline(never)]
    pub(crate) fn charge_text(&mut self, at: usize, bytes: usize) -> Result<(), Fault> {
        self.charge_memory(at, bytes + ALLOCATION, 2)
    }

    #[cold]
    #[inline(never)]
    fn charge_large_row(&mut self, bytes: usize, cells: u64) -> Result<(), Fault> {
        self.charge_memory(self.position(), bytes, cells)
    }

    /// Compares memory with the cells charged for what it holds, and charges cells for what is over [`CELL_BYTES`] each.
    ///
    /// A native type holds an `option` or union of structs in place, in as many bytes as the largest of them takes, and the
    /// smallest node of a tree has room for eleven entries; cells know nothing of either. The first 64 KiB are free, so that
    /// a small message is charged the same in every language.
    ///
    /// # Errors
    /// `limit_items` at `at`.
    #[inline(always)]
    pub(crate) fn charge_memory(&mut self, at: usize, bytes: usize, cells: u64) -> Result<(), Fault> {
        let covered = cells.saturating_mul(CELL_BYTES);
        if bytes as u64 > covered {
            return self.charge_excess(at, bytes as u64 - covered);
        }
        Ok(())
    }

    /// [Compares the memory](Self::charge_memory) of one value of its own, in a box.
    ///
    /// # Errors
    /// `limit_items` here.
    #[inline(always)]
    pub(crate) fn charge_box<T>(&mut self, cells: u64) -> Result<(), Fault> {
        if size_of::<T>() as u64 > CELL_BYTES {
            self.charge_memory(self.position(), size_of::<T>(), cells)?;
        }
        Ok(())
    }

    #[cold]
    fn charge_excess(&mut self, at: usize, excess: u64) -> Result<(), Fault> {
        let counted = |excess: u64| excess.saturating_sub(FREE_EXCESS) / CELL_BYTES;
        let before = counted(self.excess);
        self.excess = self.excess.saturating_add(excess);
        let cells = counted(self.excess) - before;
        self.reader.charge(at, cells)
    }

    #[cold]
    fn lend_the_rest<T>(&mut self) -> (Vec<T>, usize) {
        let bytes = core::mem::take(&mut self.credit);
        (Vec::with_capacity(bytes / size_of::<T>().max(1)), bytes)
    }

    /// A column without values, for those that are about to be read.
    #[inline]
    pub(crate) fn column<T: Copy>(&self) -> Lent<'a, T> {
        Lent::new(self.spare)
    }

    /// Takes back what was lent for a row that is complete now.
    #[inline(always)]
    pub fn give_back(&mut self, bytes: usize) {
        self.credit += bytes;
    }

    // Text

    /// Reads a text.
    ///
    /// # Errors
    /// As [`Reader::token`].
    #[inline]
    pub fn str(&mut self) -> Result<&'a str, Fault> {
        // All that is rare is left to a call at the end, a table of texts that has to grow included.
        if !self.keep {
            if let Some(text) = self.reader.ascii() {
                return Ok(text);
            }
        } else if self.texts.len() < self.texts.capacity() {
            if let Some(text) = self.reader.ascii() {
                // When a skipped struct is read again, its texts are there already.
                if text.len() >= 2 && self.reader.texts() as usize > self.texts.len() {
                    self.texts.push(text);
                }
                return Ok(text);
            }
            if let Some(text) = self.reader.near().and_then(|number| self.texts.get(number as usize)) {
                self.reader.take_near();
                return Ok(text);
            }
        }
        self.any_str()
    }

    /// Whether texts are kept for back references.
    #[inline(always)]
    pub(crate) fn keeps_texts(&self) -> bool {
        self.keep
    }

    /// Whether all texts numbered so far are kept, and no more.
    #[inline(always)]
    pub(crate) fn keeps_all(&self) -> bool {
        self.texts.len() == self.reader.texts() as usize
    }

    /// The places for texts that are kept, and their number.
    #[inline(always)]
    pub(crate) fn kept(&mut self) -> (*mut &'a str, u32) {
        (self.texts.as_mut_ptr(), self.texts.capacity().min(u32::MAX as usize) as u32)
    }

    /// Keeps the texts in the first places.
    ///
    /// # Safety
    /// `texts` must be at most the table's capacity, and the first `texts` places initialised.
    #[inline(always)]
    pub(crate) unsafe fn keep_first(&mut self, texts: u32) {
        // SAFETY: `texts <= capacity`, and so many places are initialised.
        unsafe { self.texts.set_len(texts as usize) };
    }

    #[inline(never)]
    fn any_str(&mut self) -> Result<&'a str, Fault> {
        if let Some(number) = self.reader.take_far() {
            return self.earlier(number);
        }
        match self.reader.token()? {
            Token::Back(number) => self.earlier(number),
            token => {
                self.reader.look_ahead();
                self.other(token)
            }
        }
    }

    #[inline(always)]
    fn earlier(&mut self, number: u32) -> Result<&'a str, Fault> {
        match self.texts.get(number as usize) {
            Some(text) => Ok(text),
            None => Err(self.reader.fail(Code::Malformed, self.reader.position())),
        }
    }

    fn other(&mut self, token: Token<'a>) -> Result<&'a str, Fault> {
        let text = match token {
            Token::Back(number) => return self.earlier(number),
            Token::Latin1 { numbered: true, .. }
            | Token::Wide { numbered: true, .. }
            | Token::Utf8 { numbered: true, .. }
                if self.keep =>
            {
                let number = self.reader.texts() - 1;
                self.numbered(number, token);
                return self.earlier(number);
            }
            Token::Latin1 { chars, .. } => self.latin1(chars),
            Token::Wide { units, .. } => self.wide(units),
            Token::Utf8 { text, .. } => Some(text),
        };
        text.ok_or_else(|| self.reader.fail(Code::BadUtf8, self.reader.position()))
    }

    fn latin1(&mut self, chars: &'a [u8]) -> Option<&'a str> {
        if chars.is_ascii() {
            return core::str::from_utf8(chars).ok();
        }
        self.transcode(chars.len() * 2 + SLACK, |space| Some(latin1_to_utf8(chars, space)))
    }

    fn wide(&mut self, units: &'a [u8]) -> Option<&'a str> {
        self.transcode(units.len() / 2 * 3 + SLACK, |space| utf16_to_utf8(units, space))
    }

    /// Takes what was written from the space. Every character of a message is transcoded once at most, so the space
    /// made by [`prepare`](Self::prepare) suffices: texts with a number are kept, also those of skipped structs, and a
    /// struct behind a `ref` is [read once](Self::read_before).
    fn transcode(&mut self, most: usize, write: impl FnOnce(&mut [u8]) -> Option<usize>) -> Option<&'a str> {
        let space = core::mem::take(&mut self.space);
        if space.len() < most {
            return None;
        }
        let length = write(space)?;
        let (text, rest) = space.split_at_mut(length);
        self.space = rest;
        // SAFETY: `latin1_to_utf8` and `utf16_to_utf8` write UTF-8 and return its length.
        Some(unsafe { core::str::from_utf8_unchecked(text) })
    }

    // Sharing

    /// The struct with a reference number, which must be of the kind `structure` and of the native type `S`.
    ///
    /// # Errors
    /// `malformed` at `at` if it is no such struct, `type_mismatch` if it was read as another native type, `limit_depth` if
    /// a [chain](ReferenceDepth) gets too long.
    pub(crate) fn known<S: Clone + 'static>(
        &mut self,
        number: usize,
        structure: usize,
        at: usize,
    ) -> Result<Option<S>, Fault> {
        let (open, depth) = (self.open_structs(), self.limits.depth);
        let rare = self.rare();
        let found = match rare.shared.get(number) {
            Some(Shared::Read { structure: known, value, height, .. }) if *known == structure => {
                match value.downcast_ref::<S>() {
                    Some(value) if rare.reach.follow(*height, open, depth) => Ok(Some(value.clone())),
                    Some(_) => Err(Code::LimitDepth),
                    None => Err(Code::TypeMismatch),
                }
            }
            Some(Shared::Skipped { structure: known, .. }) if *known == structure => Ok(None),
            _ => Err(Code::Malformed),
        };
        found.map_err(|code| self.reader.fail(code, at))
    }

    fn open_structs(&self) -> usize {
        (self.limits.depth - self.reader.depth_left()) as usize
    }

    /// A struct behind a `ref` begins here; [`share_read`](Self::share_read) must follow.
    pub(crate) fn begin_shared(&mut self) -> SharedStart {
        let (open, start) = (self.open_structs(), self.position());
        SharedStart { reach: self.rare().reach.begin(open), start }
    }

    /// Gives a struct that has been read the next reference number, which a struct that was skipped has already.
    pub(crate) fn share_read<S: Clone + 'static>(&mut self, structure: usize, made: &S, begin: SharedStart) {
        let open = self.open_structs();
        let rare = self.rare();
        let height = rare.reach.end(begin.reach, open);
        let read = Shared::Read { structure, start: begin.start, value: Box::new(made.clone()), height };
        match rare.shared.get_mut(rare.next) {
            Some(entry) => *entry = read,
            None => rare.shared.push(read),
        }
        rare.next += 1;
    }
}

impl<'a> Input<'a, '_> {
    /// Reads a skipped struct again, from where it began, and goes on where the input stands now.
    ///
    /// A skipped struct may name a skipped one before it, and so on: it counts against the depth allowed as if it stood
    /// here, or a message could exhaust the stack.
    pub(crate) fn again<S>(
        &mut self,
        number: usize,
        read: impl FnOnce(&mut Self) -> Result<S, Fault>,
    ) -> Result<S, Fault> {
        let Some(Shared::Skipped { begin, .. }) = self.shared_entry(number) else { return Err(unplanned(self)) };
        let begin = *begin;
        let (here, given) = (self.reader.checkpoint(), self.given());
        self.reader.visit(&begin.checkpoint);
        self.rare().next = begin.given;
        let value = read(self)?;
        self.rare().next = given;
        self.reader.reset(&here);
        Ok(value)
    }

    /// The struct of the kind `structure` that begins here, if it lies within a skipped one that is read again and has itself
    /// been read before. It is walked over once more, since it must keep the depth limit here too, and stays the same one.
    ///
    /// # Errors
    /// As `walker::skip_shared`, and as [`known`](Self::known) at `at`.
    pub(crate) fn read_before<S: Clone + 'static>(
        &mut self,
        plan: &ResolutionPlan,
        structure: usize,
        at: usize,
    ) -> Result<Option<S>, Fault> {
        let (start, limits) = (self.position(), self.limits);
        let Some(rare) = &self.rare else { return Ok(None) };
        // What got a number before it did lies within it: the search takes no longer than the walk.
        let number = (rare.next..rare.shared.len()).find(|&number| rare.shared[number].start() == start);
        let Some(number) = number.filter(|&number| matches!(rare.shared[number], Shared::Read { .. })) else {
            return Ok(None);
        };
        self.pass(None, |reader, host| {
            walker::skip_shared(plan.writer(), plan.cells(), structure, reader, host, limits)
        })?;
        self.rare().next = number + 1;
        self.known(number, structure, at)
    }

    /// Skips the field at a place of the writer's struct of that plan ([`ResolutionPlan::structs`]), whose flag, if it has one, is given.
    ///
    /// # Errors
    /// As `walker::skip`.
    pub fn skip(&mut self, plan: &ResolutionPlan, structure: usize, place: usize, flag: bool) -> Result<(), Fault> {
        let writer = plan.writer();
        let field = &writer.structs()[plan.structs()[structure].writer].fields[place];
        if matches!(writer.ty(field.ty), Type::Bool) || !flag {
            return Ok(());
        }
        let limits = self.limits;
        self.pass(Some(Segment::Field(&field.name)), |reader, host| {
            walker::skip(writer, plan.cells(), field.ty, reader, host, limits)
        })
    }

    /// Skips the column of `m` values of the field at a place of the writer's struct of that plan.
    ///
    /// # Errors
    /// As `walker::skip_column`.
    pub fn skip_column(
        &mut self,
        plan: &ResolutionPlan,
        structure: usize,
        place: usize,
        m: usize,
    ) -> Result<(), Fault> {
        let writer = plan.writer();
        let field = &writer.structs()[plan.structs()[structure].writer].fields[place];
        let limits = self.limits;
        self.pass(Some(Segment::Field(&field.name)), |reader, host| {
            walker::skip_column(writer, plan.cells(), field.ty, m, reader, host, limits)
        })
    }

    /// Walks over a part of the message, a field's or what begins here.
    fn pass<'s>(
        &mut self,
        field: Option<Segment<'s>>,
        walk: impl FnOnce(&mut Reader<'a>, &mut Self) -> Result<(), Vec<Segment<'s>>>,
    ) -> Result<(), Fault> {
        // A copy of the reader, since the input itself keeps what the walk finds.
        let mut reader = self.reader.clone();
        let walked = walk(&mut reader, self);
        self.reader = reader;
        walked.map_err(|inside| {
            let path = path_text(field.into_iter().chain(inside));
            self.rare().skipped = path[1..].into();
            Fault
        })
    }
}

impl<'a> Host<'a> for Input<'a, '_> {
    fn numbered(&mut self, number: u32, token: Token<'a>) {
        // Where a part of the message is read again, its texts are there already.
        if self.keep && number as usize == self.texts.len() {
            let text = match token {
                Token::Latin1 { chars, .. } => self.latin1(chars),
                Token::Wide { units, .. } => self.wide(units),
                Token::Utf8 { text, .. } => Some(text),
                Token::Back(_) => None,
            };
            debug_assert!(text.is_some(), "the space holds every character once");
            self.texts.push(text.unwrap_or_default());
        }
    }

    fn text(&self, number: u32) -> Chars<'a> {
        Chars::Utf8(self.texts.get(number as usize).copied().unwrap_or_default())
    }

    fn shared(&self, number: u32) -> Option<usize> {
        self.shared_entry(number as usize).map(|shared| match shared {
            Shared::Read { structure, .. } | Shared::Skipped { structure, .. } => *structure,
        })
    }

    fn given(&self) -> usize {
        self.rare.as_ref().map_or(0, |rare| rare.next)
    }

    fn share(&mut self, structure: usize, begin: Begin) {
        let rare = self.rare();
        if rare.next == rare.shared.len() {
            rare.shared.push(Shared::Skipped { structure, begin });
        }
        rare.next += 1;
    }
}

/// The failure of a plan that asks for what the native type cannot be.
#[cold]
pub(crate) fn unplanned(input: &mut Input<'_, '_>) -> Fault {
    let at = input.position();
    input.fail(Code::SchemaMismatch, at)
}

/// Reuses the vector's memory for texts of another lifetime. The old ones are dropped.
#[inline]
fn recycle<'to>(mut texts: Vec<&str>) -> Vec<&'to str> {
    texts.clear();
    // Collecting in place from an empty vector keeps its memory.
    texts.into_iter().map(|_| "").collect()
}

impl<'a> Deref for Input<'a, '_> {
    type Target = Reader<'a>;

    #[inline(always)]
    fn deref(&self) -> &Reader<'a> {
        &self.reader
    }
}

impl DerefMut for Input<'_, '_> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.reader
    }
}

/// The flags of a row, one after another.
pub struct RowFlags<'a> {
    bytes: &'a [u8],
    next: usize,
}

impl RowFlags<'_> {
    /// The next flag. There must be one.
    #[inline(always)]
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> bool {
        let flag = self.bytes[self.next / 8] >> (self.next % 8) & 1 == 1;
        self.next += 1;
        flag
    }
}
