//! Writing texts (`spec/pack.md` section 6).

use super::bounds::{is_numbered, LEAST_UTF8, MAX_MISSES, SHORT_LATIN, SHORT_UTF8, SHORT_WIDE};
use super::buffer::{Buffer, Cursor, MIDDLE};
use super::dedup_table::{Blocks, Form, Found};
use super::header;
use super::number::{zigzag, Number};
use super::overread::{copy_ascii, is_short, tiny, MOST};
use super::scan::{Four, Text, Tiny, FOUR};
use super::token::{BACK, BACK2, BACK_FAR, FAR, LONG_LATIN, LONG_UTF8, LONG_WIDE, NEAR, UTF8_3, WIDE_1};
use super::transcode::{write_latin1, write_utf16, LAST_LATIN1_LEAD, SLACK};
use super::utf8::is_shorter_in_utf8;
use super::varint::VARINT;
use super::writer::Writer;

/// The cursors of both buffers while a row is written.
#[derive(Clone, Copy)]
pub(crate) struct Cursors {
    latin: Cursor,
    values: Cursor,
    next: u32,
}

impl Cursors {
    /// Appends a text of 1 to 32 bytes, or returns false and does nothing if it is not ASCII or cannot be copied so.
    ///
    /// # Safety
    /// There must be room for 32 bytes in the Latin-1 block and for a byte among the values.
    #[inline(always)]
    unsafe fn append(&mut self, bytes: &[u8]) -> bool {
        // SAFETY: the Latin-1 block has room for 32 bytes, and the values for one; a text borrowed from outside overlaps with
        // neither buffer.
        unsafe {
            if copy_ascii(bytes, self.latin.place()) != Some(true) {
                return false;
            }
            self.latin.advance(bytes.len());
            self.values.byte(bytes.len() as u8);
        }
        self.next += u32::from(bytes.len() >= 2);
        true
    }

    /// Appends a text of a disabled dedup slot, or returns false and does nothing if the writer has to.
    #[inline(always)]
    pub(crate) fn text(&mut self, bytes: &[u8]) -> bool {
        let room = self.latin.remaining() >= MOST && self.values.remaining() > 0;
        // SAFETY: `room` says so.
        is_short(bytes) && room && unsafe { self.append(bytes) }
    }

    /// Whether there is room for [`NUMBER`] bytes among the values.
    #[inline(always)]
    pub(crate) fn has_room(&self) -> bool {
        self.values.remaining() >= NUMBER
    }

    /// Appends bytes among the values.
    ///
    /// # Safety
    /// There must be room for them.
    #[inline(always)]
    pub(crate) unsafe fn bytes<const N: usize>(&mut self, bytes: [u8; N]) {
        // SAFETY: the values have room for `N` bytes.
        unsafe { self.values.array(bytes) };
    }

    /// Appends the first `n` of eight bytes among the values.
    ///
    /// # Safety
    /// There must be room for [`NUMBER`] bytes, and `n` be 8 at most.
    #[inline(always)]
    pub(crate) unsafe fn word(&mut self, word: u64, n: usize) {
        debug_assert!(n <= 8);
        // SAFETY: the values have room for eight bytes, which are stored; the cursor moves over at most so many.
        unsafe {
            self.values.place().cast::<[u8; 8]>().write_unaligned(word.to_le_bytes());
            self.values.advance(n);
        }
    }

    /// Appends an integer.
    ///
    /// # Safety
    /// There must be room for [`NUMBER`] bytes.
    #[inline(always)]
    pub(crate) unsafe fn integer<T: Number>(&mut self, value: T) {
        // SAFETY: there is room for a number of any length.
        unsafe {
            if T::WIDTH == 1 {
                self.values.byte(value.to_word() as u8);
            } else {
                self.values.varint(if T::SIGNED { zigzag(value.to_i64()) } else { value.to_word() });
            }
        }
    }
}

/// A place in a message being written.
pub(crate) struct Stand {
    latin: usize,
    wide: usize,
    utf8: usize,
    values: usize,
    next: u32,
}

/// The most bytes that a number takes.
const NUMBER: usize = VARINT;

impl Writer {
    /// A text in UTF-8.
    ///
    /// # Panics
    /// If the message was not begun with so many dedup slots; so do the other functions for texts.
    #[cfg_attr(debug_assertions, inline)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn str(&mut self, dedup_slot: usize, text: &str) {
        let bytes = text.as_bytes();
        // Everything rare is one call at the end, so that the fast path needs neither stack nor saved registers.
        if is_short(bytes) && self.ready(dedup_slot) {
            let mut at = self.cursors();
            // SAFETY: `ready` has looked for 32 bytes of room in the one buffer and a byte in the other; the cursors were
            // made just now.
            unsafe {
                if at.append(bytes) {
                    return self.settle(at);
                }
            }
        }
        self.other_str(dedup_slot, text);
    }

    /// A row of texts in UTF-8 at one dedup slot: as [`str`](Self::str) for each, with all cursors in registers. The row may be
    /// longer or shorter than it says.
    #[inline]
    pub fn strs<'t>(&mut self, dedup_slot: usize, mut row: impl ExactSizeIterator<Item = &'t str>) {
        let mut at = self.row_cursors(dedup_slot, row.len());
        while let Some(text) = row.next() {
            let bytes = text.as_bytes();
            if is_short(bytes) && at.latin.remaining() >= MOST {
                // SAFETY: there is room for 32 bytes in the one buffer, and so for a byte in the other (`row_cursors`).
                let short = unsafe { at.append(bytes) };
                if short {
                    continue;
                }
            }
            // SAFETY: the cursors were made since the buffers were touched, and what they passed was stored.
            unsafe { self.settle(at) };
            self.other_str(dedup_slot, text);
            at = self.row_cursors(dedup_slot, row.len());
        }
        // SAFETY: the cursors were made since the buffers were touched, and what they passed was stored.
        unsafe { self.settle(at) };
    }

    /// A text in Latin-1.
    #[inline]
    pub fn latin1(&mut self, dedup_slot: usize, chars: &[u8]) {
        if is_short(chars) && self.ready(dedup_slot) {
            if chars.len() < 8 {
                self.append_tiny(Tiny::of(chars));
            } else {
                self.append_four(Four::of(chars));
            }
        } else {
            self.other_latin1(dedup_slot, chars);
        }
    }

    /// Returns both cursors.
    #[inline(always)]
    pub(crate) fn cursors(&self) -> Cursors {
        Cursors { latin: self.latin.cursor(), values: self.values.cursor(), next: self.next }
    }

    /// Returns both cursors. For an enabled dedup slot they have no room: every text has to be looked up.
    ///
    /// Elsewhere room in the Latin-1 block is room among the values. A short text takes a byte there and one at least in the
    /// block, and is written where 32 are left in the block; so the block is given 31 bytes more than there are among the
    /// values. That holds however many texts there are; checking both cursors for each costs a tenth of its time.
    #[inline(always)]
    fn row_cursors(&mut self, dedup_slot: usize, texts: usize) -> Cursors {
        let mut at = self.cursors();
        if self.misses[dedup_slot] < MAX_MISSES {
            at.latin.keep(0);
            return at;
        }
        self.values.room(texts.saturating_mul(MOST).min(at.latin.remaining()));
        at.values = self.values.cursor();
        at.latin.keep(at.values.remaining().saturating_add(MOST - 1));
        at
    }

    /// Puts both cursors back.
    ///
    /// # Safety
    /// As [`Buffer::settle`](super::buffer::Buffer::settle), of both.
    #[inline(always)]
    pub(crate) unsafe fn settle(&mut self, at: Cursors) {
        // SAFETY: both cursors were made by this writer since its buffers were touched, and every byte they passed is stored.
        unsafe {
            self.latin.settle(at.latin);
            self.values.settle(at.values);
        }
        self.next = at.next;
    }

    /// Appends any text while the cursors are out of the writer. They are passed by value: a reference would keep them in
    /// memory, for the texts of the fast path too.
    ///
    /// # Safety
    /// As [`settle`](Self::settle).
    #[inline(never)]
    pub(crate) unsafe fn str_from(&mut self, cursors: Cursors, dedup_slot: usize, text: &str) -> Cursors {
        // SAFETY: both cursors were made by this writer since its buffers were touched, and every byte they passed is stored.
        unsafe { self.settle(cursors) };
        self.other_str(dedup_slot, text);
        self.cursors()
    }

    /// Makes room for a number while the cursors are out of the writer.
    ///
    /// # Safety
    /// As [`settle`](Self::settle).
    #[cold]
    #[inline(never)]
    pub(crate) unsafe fn room_from(&mut self, cursors: Cursors) -> Cursors {
        // SAFETY: both cursors were made by this writer since its buffers were touched, and every byte they passed is stored.
        unsafe { self.settle(cursors) };
        self.values.room(NUMBER);
        self.cursors()
    }

    /// Whether no text of the message has been looked up, nor is there a dedup slot where none will be.
    pub(crate) fn is_untouched(&self) -> bool {
        self.texts.is_empty() && self.disabled == 0
    }

    /// Where the message stands.
    pub(crate) fn stand(&self) -> Stand {
        Stand {
            latin: self.latin.len(),
            wide: self.wide.len(),
            utf8: self.utf8.len(),
            values: self.values.len(),
            next: self.next,
        }
    }

    /// The texts that have been numbered since the message stood there.
    pub(crate) fn numbered_since(&self, stand: &Stand) -> usize {
        (self.next - stand.next) as usize
    }

    /// Forgets what was written since the message stood there, when it had no back reference and no dedup slot was disabled.
    pub(crate) fn go_back(&mut self, stand: &Stand) {
        self.latin.truncate(stand.latin);
        self.wide.truncate(stand.wide);
        self.utf8.truncate(stand.utf8);
        self.values.truncate(stand.values);
        self.next = stand.next;
        self.misses.fill(0);
        self.disabled = 0;
    }

    /// Whether texts of a dedup slot are not looked up any more, and there is room for a short one.
    #[inline(always)]
    fn ready(&self, dedup_slot: usize) -> bool {
        self.misses[dedup_slot] >= MAX_MISSES && self.latin.remaining() >= MOST && self.values.remaining() > 0
    }

    #[inline(always)]
    fn append_tiny(&mut self, text: Tiny) {
        self.latin.tiny(text);
        self.values.byte(text.length as u8);
        self.next += u32::from(text.length >= 2);
    }

    #[inline(always)]
    fn append_four(&mut self, text: Four) {
        self.latin.four(text);
        self.values.byte(text.length as u8);
        self.next += 1;
    }

    #[inline(never)]
    fn other_str(&mut self, dedup_slot: usize, text: &str) {
        let bytes = text.as_bytes();
        let disabled = self.misses[dedup_slot] >= MAX_MISSES;
        match bytes.len() {
            0..8 if !disabled => {
                let text = tiny(bytes);
                if text.is_ascii() {
                    return self.tiny(dedup_slot, text);
                }
            }
            8..=FOUR if !disabled => {
                let text = Four::of(bytes);
                if text.is_ascii() {
                    return self.four(dedup_slot, text);
                }
            }
            33..=MIDDLE if disabled && !self.latin.is_over() && self.latin.middle(bytes) => {
                self.values.byte(bytes.len() as u8);
                self.next += 1;
                return;
            }
            _ => {}
        }
        if self.latin.is_over() || self.wide.is_over() || self.utf8.is_over() {
            return self.leave_out();
        }
        let held = self.latin.len().max(self.wide.len()).max(self.utf8.len());
        let Some(room) = room_for(bytes.len(), self.frame_bytes, held) else {
            return self.leave_out();
        };
        // A text that is wide mostly begins so, as those of scripts without Latin letters do: it is not tried in Latin-1.
        if bytes.first().is_none_or(|&first| first <= LAST_LATIN1_LEAD) {
            let at = self.latin.len();
            self.latin.room(bytes.len() + SLACK);
            let mut end = self.latin.cursor();
            // SAFETY: `room` made room for the text and the slack, and the cursor was made after it; a text borrowed from outside
            // does not overlap with it. The characters that were written are fewer than the bytes there is room for.
            let is_latin1 = unsafe {
                let chars = write_latin1(text, end.place());
                let fits = chars.map(|chars| end.advance(chars)).is_some();
                self.latin.settle(end);
                fits
            };
            if is_latin1 {
                return self.placed_latin1(dedup_slot, at);
            }
        }
        if is_shorter_in_utf8(bytes) {
            return self.utf8(dedup_slot, bytes);
        }
        let at = self.wide.len();
        self.wide.room(room);
        let mut end = self.wide.cursor();
        // SAFETY: as above, with twice as much room.
        unsafe {
            end.advance(write_utf16(text, end.place()));
            self.wide.settle(end);
        }
        self.placed_wide(dedup_slot, at);
    }

    #[inline(never)]
    fn other_latin1(&mut self, dedup_slot: usize, chars: &[u8]) {
        match chars.len() {
            0..8 => self.tiny(dedup_slot, Tiny::of(chars)),
            8..=FOUR => self.four(dedup_slot, Four::of(chars)),
            33..=SHORT_LATIN => {
                if !self.found(dedup_slot, chars) {
                    self.values.byte(chars.len() as u8);
                    self.latin.bytes(chars);
                    self.next += 1;
                }
            }
            _ if self.latin.is_over() => self.leave_out(),
            _ => {
                self.values.byte(LONG_LATIN);
                self.values.varint((chars.len() - SHORT_LATIN - 1) as u64);
                self.latin.bytes(chars);
            }
        }
    }

    #[inline(always)]
    fn tiny(&mut self, dedup_slot: usize, text: Tiny) {
        if text.length < 2 || !self.found(dedup_slot, text) {
            self.append_tiny(text);
        }
    }

    #[inline(always)]
    fn four(&mut self, dedup_slot: usize, text: Four) {
        if !self.found(dedup_slot, text) {
            self.append_four(text);
        }
    }

    /// Looks a text up that is about to be appended to the Latin-1 block. Found: the back reference is written. Not
    /// found: it is recorded, if its dedup slot is open.
    #[inline(always)]
    fn found(&mut self, dedup_slot: usize, text: impl Text) -> bool {
        let misses = &mut self.misses[dedup_slot];
        if *misses >= MAX_MISSES {
            return false;
        }
        let at = self.latin.len();
        let found = self.texts.find(text, Form::Latin1, blocks(&self.latin, &self.wide, &self.utf8));
        let earlier = note(found, misses, at, self.next, &mut self.disabled);
        self.refer(earlier)
    }

    /// Looks a text up that stands at the end of its block already, from byte `at` on.
    fn found_placed(&mut self, dedup_slot: usize, form: Form, at: usize) -> bool {
        let misses = &mut self.misses[dedup_slot];
        if *misses >= MAX_MISSES {
            return false;
        }
        let blocks = blocks(&self.latin, &self.wide, &self.utf8);
        let found = self.texts.find(&blocks.of(form)[at..], form, blocks);
        let earlier = note(found, misses, at, self.next, &mut self.disabled);
        self.refer(earlier)
    }

    #[inline(always)]
    fn refer(&mut self, earlier: Option<u32>) -> bool {
        if let Some(number) = earlier {
            self.back(number);
        }
        earlier.is_some()
    }

    /// A Latin-1 text whose characters already stand at the end of the block, from `at` on.
    fn placed_latin1(&mut self, dedup_slot: usize, at: usize) {
        let chars = self.latin.len() - at;
        if chars > SHORT_LATIN {
            self.values.byte(LONG_LATIN);
            self.values.varint((chars - SHORT_LATIN - 1) as u64);
            return;
        }
        if chars >= 2 {
            if self.found_placed(dedup_slot, Form::Latin1, at) {
                self.latin.truncate(at);
                return;
            }
            self.next += 1;
        }
        self.values.byte(chars as u8);
    }

    /// A wide text whose units already stand at the end of the block, from byte `at` on.
    fn placed_wide(&mut self, dedup_slot: usize, at: usize) {
        let bytes = self.wide.len() - at;
        if is_numbered(bytes) {
            if self.found_placed(dedup_slot, Form::Wide, at) {
                self.wide.truncate(at);
                return;
            }
            self.next += 1;
        }
        let units = bytes / 2;
        if units > SHORT_WIDE {
            self.values.byte(LONG_WIDE);
            self.values.varint((units - SHORT_WIDE - 1) as u64);
        } else {
            self.values.byte(WIDE_1 + (units - 1) as u8);
        }
    }

    /// A text that is written in UTF-8.
    fn utf8(&mut self, dedup_slot: usize, bytes: &[u8]) {
        let at = self.utf8.len();
        self.utf8.bytes(bytes);
        if is_numbered(bytes.len()) {
            if self.found_placed(dedup_slot, Form::Utf8, at) {
                self.utf8.truncate(at);
                return;
            }
            self.next += 1;
        }
        if bytes.len() > SHORT_UTF8 {
            self.values.byte(LONG_UTF8);
            self.values.varint((bytes.len() - SHORT_UTF8 - 1) as u64);
        } else {
            self.values.byte(UTF8_3 + (bytes.len() - LEAST_UTF8) as u8);
        }
    }

    #[inline]
    fn back(&mut self, number: u32) {
        self.bits |= header::REFS;
        if number < FAR {
            // Which of both forms it is would often be guessed wrong.
            let far = number.wrapping_sub(NEAR);
            let far = [BACK2.wrapping_add((far >> 8) as u8), far as u8];
            let near = [BACK.wrapping_add(number as u8), 0];
            let token = u16::from_le_bytes(if number < NEAR { near } else { far });
            self.values.word(u64::from(token), 1 + usize::from(number >= NEAR));
        } else {
            self.values.byte(BACK_FAR);
            self.values.varint(u64::from(number - FAR));
        }
    }
}

/// The bytes that a text of so many bytes takes at most in any block, with slack: two of UTF-16 for a byte of ASCII. `None`
/// if it is longer than the message may be, in which it takes a byte for two at least, or than a block that holds `held`
/// bytes can become, which comes first where addresses have 32 bits.
fn room_for(length: usize, frame_bytes: usize, held: usize) -> Option<usize> {
    if length / 2 > frame_bytes {
        return None;
    }
    let room = length.checked_mul(2)?.checked_add(SLACK)?;
    let most = isize::MAX as usize;
    (room.checked_add(held)? <= most).then_some(room)
}

#[inline(always)]
fn blocks<'b>(latin: &'b Buffer, wide: &'b Buffer, utf8: &'b Buffer) -> Blocks<'b> {
    Blocks { latin: latin.as_slice(), wide: wide.as_slice(), utf8: utf8.as_slice() }
}

/// Counts a hit or a miss of a look-up, and records a text that was not found: it starts at `at` and is to get `number`.
/// Counts a dedup slot that is disabled, too.
#[inline(always)]
fn note(found: Found<'_>, misses: &mut u8, at: usize, number: u32, disabled: &mut usize) -> Option<u32> {
    match found {
        Found::Number(earlier) => {
            *misses = 0;
            Some(earlier)
        }
        Found::Vacant(vacant) => {
            *misses += 1;
            *disabled += usize::from(*misses == MAX_MISSES);
            vacant.record(at, number);
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_no_block_can_hold_is_given_no_room() {
        assert_eq!(room_for(10, 5, 0), Some(20 + SLACK));
        assert_eq!(room_for(12, 5, 0), None);
        let half = isize::MAX as usize / 2;
        assert_eq!(room_for(half - SLACK, usize::MAX, 0), Some(2 * half - SLACK));
        assert_eq!(room_for(half - SLACK, usize::MAX, SLACK + 2), None);
        // Twice as many bytes, and slack, would wrap around.
        for length in [half, isize::MAX as usize, usize::MAX / 2 + 1, usize::MAX] {
            assert_eq!(room_for(length, usize::MAX, 0), None);
        }
    }
}
