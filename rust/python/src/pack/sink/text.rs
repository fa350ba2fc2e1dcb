//! Texts: their tokens, numbers and back references (`spec/pack.md` section 6).

use super::buffer::{text_at, varint_at};
use super::form::Form;
use super::words::{Pairs, Short, Text};
use super::{Cursors, Room, Sink};
use samewire_pack::wire::{
    header, is_numbered, DuplicateCheck, BACK, BACK2, BACK_FAR, FAR, LEAST_UTF8, LONG_LATIN, LONG_UTF8, LONG_WIDE,
    MAX_MISSES, MOST_NUMBERED, NEAR, SHORT_LATIN, SHORT_UTF8, SHORT_WIDE, UTF8_3, WIDE_1,
};
use samewire_pack::Fault;

/// The most bytes of a token.
pub const TOKEN: usize = 6;

impl Sink {
    /// A text in Latin-1.
    ///
    /// # Errors
    /// `limit_size` if the message is longer than it may be already.
    #[inline(always)]
    pub fn latin1(&mut self, site: usize, chars: &[u8]) -> Result<(), Fault> {
        if chars.len() > SHORT_LATIN {
            return self.long_latin1(chars);
        }
        let mut cursors = self.lend(Room::of(1));
        // SAFETY: there is room for one short text.
        unsafe {
            if self.looks() {
                self.short_latin1::<true>(&mut cursors, site, chars);
            } else {
                self.short_latin1::<false>(&mut cursors, site, chars);
            }
            self.take_back(cursors);
        }
        Ok(())
    }

    /// Whether any texts are still looked up in this message.
    #[inline(always)]
    pub fn looks(&self) -> bool {
        self.open > 0
    }

    /// Whether this is the only enabled dedup slot, and no text was numbered yet, so that it can find only its own
    /// texts.
    #[inline(always)]
    pub fn is_untouched(&self, site: usize) -> bool {
        self.open == 1 && self.next == 0 && self.is_open(site)
    }

    /// A check for duplicate texts, with reused memory.
    pub fn marker(&mut self) -> DuplicateCheck<'_> {
        self.marks.get_or_insert_default().check()
    }

    /// Ends all look-ups of this message, as would the misses that are about to be written at its only enabled dedup
    /// slot.
    pub fn close(&mut self, site: usize) {
        self.misses[site] = MAX_MISSES;
        self.open = 0;
    }

    /// A text of at most `SHORT_LATIN` Latin-1 characters, through lent cursors. Without `LOOKS` all sites must be closed: nothing is
    /// numbered any more.
    ///
    /// # Safety
    /// There must be room for it; the characters are an object's.
    #[inline(always)]
    pub unsafe fn short_latin1<const LOOKS: bool>(&mut self, cursors: &mut Cursors, site: usize, chars: &[u8]) {
        // SAFETY: there is room for it; the characters are an object's, as this function asks.
        unsafe {
            if LOOKS && chars.len() >= 2 && self.is_open(site) {
                let seed = self.texts.seed();
                return match chars.len() {
                    ..=16 => {
                        let text = Short::of(chars);
                        self.look_up(cursors, site, text, text.hash(seed));
                    }
                    17..=32 => {
                        let text = Pairs::of(chars);
                        self.look_up(cursors, site, text, text.hash(seed));
                    }
                    _ => self.look_up(cursors, site, chars, self.texts.hash(chars)),
                };
            }
            self.new_latin1::<LOOKS>(cursors, chars);
        }
    }

    /// A short Latin-1 text whose hash is known, while texts of any site are looked up.
    ///
    /// # Safety
    /// As [`short_latin1`](Self::short_latin1).
    #[inline(always)]
    pub unsafe fn hashed_latin1(&mut self, cursors: &mut Cursors, site: usize, chars: &[u8], hash: u32) {
        // SAFETY: there is room for it, and the characters are an object's, as this function asks.
        unsafe {
            if chars.len() >= 2 && self.is_open(site) {
                return match chars.len() {
                    ..=16 => self.look_up(cursors, site, Short::of(chars), hash),
                    17..=32 => self.look_up(cursors, site, Pairs::of(chars), hash),
                    _ => self.look_up(cursors, site, chars, hash),
                };
            }
            self.new_latin1::<true>(cursors, chars);
        }
    }

    /// The hash of a text, in the bytes of its form, and a prefetch of its entry.
    #[inline(always)]
    pub fn hash_ahead(&self, text: &[u8]) -> u32 {
        let hash = self.texts.hash(text);
        self.texts.prefetch(hash);
        hash
    }

    /// Prefetches the entry of a text with this hash.
    #[inline(always)]
    pub fn look_ahead(&self, hash: u32) {
        self.texts.prefetch(hash);
    }

    /// A text that is not looked up.
    ///
    /// # Safety
    /// As [`short_latin1`](Self::short_latin1).
    #[inline(always)]
    unsafe fn new_latin1<const LOOKS: bool>(&mut self, cursors: &mut Cursors, chars: &[u8]) {
        let n = chars.len();
        // SAFETY: there is room.
        unsafe {
            cursors.latin = text_at(cursors.latin, chars.as_ptr(), n);
            if LOOKS {
                cursors.next += usize::from(n >= 2);
            }
            *cursors.values = n as u8;
            cursors.values = cursors.values.add(1);
        }
    }

    /// A text of 2 to `SHORT_LATIN` characters at an open site.
    ///
    /// # Safety
    /// There must be room for it.
    #[inline(always)]
    unsafe fn look_up(&mut self, cursors: &mut Cursors, site: usize, text: impl Text, hash: u32) {
        // SAFETY: there is room; recorded texts stand in the block before the cursor.
        unsafe {
            let misses = self.misses.as_mut_ptr().add(site);
            match self.texts.find(text, hash, Form::Latin1, self.latin.as_slice().as_ptr()) {
                Ok(number) => {
                    *misses = 0;
                    self.bits |= header::REFS;
                    cursors.values = back_at(cursors.values, number);
                }
                Err(place) => {
                    *misses += 1;
                    self.open -= usize::from(*misses == MAX_MISSES);
                    let start = self.latin.until(cursors.latin).len();
                    cursors.latin = text.put(cursors.latin);
                    self.texts.record(place, start, cursors.next as u32);
                    cursors.next += 1;
                    *cursors.values = text.len() as u8;
                    cursors.values = cursors.values.add(1);
                }
            }
        }
    }

    /// Whether texts of a dedup slot are still looked up in this message.
    #[inline(always)]
    pub fn looks_up(&self, site: usize) -> bool {
        self.looks() && self.is_open(site)
    }

    #[inline(always)]
    fn is_open(&self, site: usize) -> bool {
        debug_assert!(site < self.misses.len());
        // SAFETY: `begin` made as many counts as the plan has sites.
        unsafe { *self.misses.get_unchecked(site) < MAX_MISSES }
    }

    #[cold]
    #[inline(never)]
    fn long_latin1(&mut self, chars: &[u8]) -> Result<(), Fault> {
        self.bounded()?;
        self.latin.extend(chars);
        self.values.room(TOKEN);
        // SAFETY: there is room.
        unsafe {
            self.values.put(LONG_LATIN);
            self.values.put_varint((chars.len() - SHORT_LATIN - 1) as u64);
        }
        Ok(())
    }

    /// A text that is not Latin-1, in the bytes of its form's block.
    ///
    /// # Errors
    /// `limit_size` if the message is longer than it may be already.
    pub fn other(&mut self, site: usize, form: Form, text: &[u8]) -> Result<(), Fault> {
        let hash = if is_numbered(text.len()) && self.looks_up(site) { self.texts.hash(text) } else { 0 };
        self.hashed(site, form, text, hash)
    }

    /// A text that is not Latin-1, by its hash, which counts only if it is numbered and looked up.
    ///
    /// # Errors
    /// As [`other`](Self::other).
    #[inline(never)]
    pub fn hashed(&mut self, site: usize, form: Form, text: &[u8], hash: u32) -> Result<(), Fault> {
        self.bounded()?;
        self.values.room(TOKEN);
        let n = text.len();
        if is_numbered(n) {
            if self.looks_up(site) {
                let block = if form == Form::Wide { &self.wide } else { &self.utf8 }.as_slice();
                // SAFETY: recorded texts stand in their block; there is room for a token; the place is that of the look-up.
                unsafe {
                    match self.texts.find(text, hash, form, block.as_ptr()) {
                        Ok(number) => {
                            self.misses[site] = 0;
                            self.bits |= header::REFS;
                            self.values.move_to(back_at(self.values.cursor(), number));
                            return Ok(());
                        }
                        Err(place) => {
                            self.misses[site] += 1;
                            self.open -= usize::from(self.misses[site] == MAX_MISSES);
                            self.texts.record(place, block.len(), self.next as u32);
                        }
                    }
                }
            }
            self.next += 1;
        }
        let block = if form == Form::Wide { &mut self.wide } else { &mut self.utf8 };
        if n <= MOST_NUMBERED {
            block.room(n);
            // SAFETY: there is room.
            unsafe { block.move_to(text_at(block.cursor(), text.as_ptr(), n)) };
        } else {
            block.extend(text);
        }
        let (length, short, first, long) = match form {
            Form::Wide => (n / 2 - 1, SHORT_WIDE - 1, WIDE_1, LONG_WIDE),
            _ => (n - LEAST_UTF8, SHORT_UTF8 - LEAST_UTF8, UTF8_3, LONG_UTF8),
        };
        // SAFETY: there is room.
        unsafe {
            if length <= short {
                self.values.put(first + length as u8);
            } else {
                self.values.put(long);
                self.values.put_varint((length - short - 1) as u64);
            }
        }
        Ok(())
    }
}

/// Writes a back reference at `to`, and returns where it ends.
///
/// # Safety
/// `TOKEN` bytes must be writable there.
#[inline(always)]
unsafe fn back_at(to: *mut u8, number: u32) -> *mut u8 {
    // SAFETY: `TOKEN` bytes are writable at `to`.
    unsafe {
        if number < NEAR {
            *to = BACK + number as u8;
            return to.add(1);
        }
        if number < FAR {
            let far = number - NEAR;
            to.cast::<[u8; 2]>().write_unaligned([BACK2 + (far >> 8) as u8, far as u8]);
            return to.add(2);
        }
        *to = BACK_FAR;
        varint_at(to.add(1), u64::from(number - FAR))
    }
}
