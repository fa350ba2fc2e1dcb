//! Texts: their tokens, numbers and back references (`spec/pack.md` section 6).

use super::buffer::{text_at, varint_at};
use super::words::{Eights, Fours, Pairs, Text, Twos};
use super::{Cursors, Room, Sink};
use samewire_pack::wire::{
    header, DuplicateCheck, BACK, BACK2, BACK_FAR, FAR, LONG_LATIN, LONG_WIDE, MAX_MISSES, NEAR, SHORT_LATIN,
    SHORT_WIDE, WIDE_1,
};
use samewire_pack::Fault;

/// Bytes that a token takes at most.
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

    /// Whether any texts are looked up, still, in this message.
    #[inline(always)]
    pub fn looks(&self) -> bool {
        self.open > 0
    }

    /// Whether this is the only site at which texts are looked up, and no other text could be found there than its own: none was
    /// numbered yet.
    #[inline(always)]
    pub fn is_untouched(&self, site: usize) -> bool {
        self.open == 1 && self.next == 0 && self.is_open(site)
    }

    /// Something to tell texts apart with.
    pub fn marker(&mut self) -> DuplicateCheck<'_> {
        self.marks.get_or_insert_default().check()
    }

    /// Ends all look-ups of this message, as the misses would that are about to be written at its only open site.
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
        let n = chars.len();
        // SAFETY: there is room.
        unsafe {
            if LOOKS && n >= 2 && self.is_open(site) {
                return match n {
                    2..4 => self.look_up(cursors, site, Twos::of(chars)),
                    4..8 => self.look_up(cursors, site, Fours::of(chars)),
                    8..=16 => self.look_up(cursors, site, Eights::of(chars)),
                    17..=32 => self.look_up(cursors, site, Pairs::of(chars)),
                    _ => self.look_up(cursors, site, chars),
                };
            }
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
    unsafe fn look_up(&mut self, cursors: &mut Cursors, site: usize, text: impl Text) {
        // SAFETY: there is room; recorded texts stand in the block before the cursor.
        unsafe {
            let misses = self.misses.as_mut_ptr().add(site);
            match self.texts.find(text, false, self.latin.as_slice().as_ptr()) {
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
                    if self.texts.record(place, start, cursors.next as u32) {
                        self.texts.grow(self.latin.until(cursors.latin), self.wide.as_slice());
                    }
                    cursors.next += 1;
                    *cursors.values = text.len() as u8;
                    cursors.values = cursors.values.add(1);
                }
            }
        }
    }

    /// Whether texts of a site are looked up, still, in this message.
    fn looks_up(&self, site: usize) -> bool {
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

    /// A text of well-formed UTF-16 units, at least one of them above U+00FF.
    ///
    /// # Errors
    /// `limit_size` if the message is longer than it may be already.
    pub fn wide(&mut self, site: usize, units: &[u16]) -> Result<(), Fault> {
        self.bounded()?;
        let start = self.wide.len();
        if cfg!(target_endian = "little") {
            // SAFETY: units are plain memory, in the order of the wire.
            self.wide.extend(unsafe { std::slice::from_raw_parts(units.as_ptr().cast(), 2 * units.len()) });
        } else {
            for unit in units {
                self.wide.extend(&unit.to_le_bytes());
            }
        }
        self.values.room(TOKEN);
        // SAFETY: there is room; a looked-up text is cut off again, so recorded ones stand in the block.
        unsafe {
            if units.len() > SHORT_WIDE {
                self.values.put(LONG_WIDE);
                self.values.put_varint((units.len() - SHORT_WIDE - 1) as u64);
                return Ok(());
            }
            if units.len() >= 2 {
                if self.looks_up(site) {
                    let (before, text) = self.wide.as_slice().split_at(start);
                    match self.texts.find(text, true, before.as_ptr()) {
                        Ok(number) => {
                            self.misses[site] = 0;
                            self.wide.truncate(start);
                            self.bits |= header::REFS;
                            self.values.move_to(back_at(self.values.cursor(), number));
                            return Ok(());
                        }
                        Err(place) => {
                            self.misses[site] += 1;
                            self.open -= usize::from(self.misses[site] == MAX_MISSES);
                            if self.texts.record(place, start, self.next as u32) {
                                self.texts.grow(self.latin.as_slice(), self.wide.as_slice());
                            }
                        }
                    }
                }
                self.next += 1;
            }
            self.values.put(WIDE_1 + units.len() as u8 - 1);
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
