//! Texts: their tokens, numbers and back references (`spec/pack.md` section 6).

use super::Sink;
use samewire_pack::wire::header;

/// The longest texts that are numbered, in characters and in units.
const SHORT_LATIN: usize = 95;
const SHORT_WIDE: usize = 28;
/// Straight misses after which a site is closed.
const CLOSED: u8 = 128;
/// Tokens of long texts, of the first wide text, of back references.
const LONG_LATIN: u8 = 0x60;
const LONG_WIDE: u8 = 0x61;
const BACK_FAR: u8 = 0x62;
const WIDE_1: u8 = 0x63;
const BACK: u8 = 0x80;
const BACK2: u8 = 0xe0;
/// Numbers below these take one byte, two bytes.
const NEAR: u32 = 96;
const FAR: u32 = 8288;
/// Bytes that a token takes at most.
pub const TOKEN: usize = 6;

impl Sink {
    /// A text in Latin-1.
    #[inline(always)]
    pub fn latin1(&mut self, site: usize, chars: &[u8]) {
        self.values.room(TOKEN);
        // SAFETY: there is room.
        unsafe { self.roomy_latin1(site, chars) };
    }

    /// A text in Latin-1, with room made before.
    ///
    /// # Safety
    /// There must be room for `TOKEN` bytes of values.
    #[inline(always)]
    pub unsafe fn roomy_latin1(&mut self, site: usize, chars: &[u8]) {
        let n = chars.len();
        // SAFETY: there is room for the token, and made for the characters; the characters are the caller's.
        unsafe {
            if n > SHORT_LATIN {
                return self.long_latin1(chars);
            }
            self.latin.room(SHORT_LATIN);
            if n >= 2 {
                if self.compact && self.open(site) {
                    return self.looked_up_latin1(site, chars);
                }
                self.next += 1;
            }
            self.latin.put_few(chars.as_ptr(), n);
            self.values.put(n as u8);
        }
    }

    #[inline(always)]
    fn open(&self, site: usize) -> bool {
        debug_assert!(site < self.misses.len());
        // SAFETY: `begin` made as many counts as the plan has sites.
        unsafe { *self.misses.get_unchecked(site) < CLOSED }
    }

    #[inline(always)]
    unsafe fn looked_up_latin1(&mut self, site: usize, chars: &[u8]) {
        // SAFETY: as the caller's; recorded texts stand in the block that is passed.
        unsafe {
            match self.texts.find(chars, false, self.latin.as_slice()) {
                Ok(number) => {
                    *self.misses.get_unchecked_mut(site) = 0;
                    self.back(number);
                }
                Err(place) => {
                    *self.misses.get_unchecked_mut(site) += 1;
                    let start = self.latin.len();
                    self.latin.put_few(chars.as_ptr(), chars.len());
                    self.values.put(chars.len() as u8);
                    let number = self.next;
                    self.next += 1;
                    self.texts.record(place, start, number, self.latin.as_slice(), self.wide.as_slice());
                }
            }
        }
    }

    #[cold]
    #[inline(never)]
    unsafe fn long_latin1(&mut self, chars: &[u8]) {
        self.latin.extend(chars);
        // SAFETY: the caller's.
        unsafe {
            self.values.put(LONG_LATIN);
            self.values.put_varint((chars.len() - SHORT_LATIN - 1) as u64);
        }
    }

    /// A text of well-formed UTF-16 units, at least one of them above U+00FF.
    pub fn wide(&mut self, site: usize, units: &[u16]) {
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
                return;
            }
            if units.len() >= 2 {
                if self.compact && self.open(site) {
                    let (before, text) = self.wide.as_slice().split_at(start);
                    match self.texts.find(text, true, before) {
                        Ok(number) => {
                            self.misses[site] = 0;
                            self.wide.truncate(start);
                            return self.back(number);
                        }
                        Err(place) => {
                            self.misses[site] += 1;
                            let blocks = (self.latin.as_slice(), self.wide.as_slice());
                            self.texts.record(place, start, self.next, blocks.0, blocks.1);
                        }
                    }
                }
                self.next += 1;
            }
            self.values.put(WIDE_1 + units.len() as u8 - 1);
        }
    }

    /// A back reference.
    ///
    /// # Safety
    /// There must be room for `TOKEN` bytes of values.
    #[inline(always)]
    unsafe fn back(&mut self, number: u32) {
        self.bits |= header::REFS;
        // SAFETY: the caller's.
        unsafe {
            if number < NEAR {
                self.values.put(BACK + number as u8);
            } else if number < FAR {
                let far = number - NEAR;
                self.values.put_array([BACK2 + (far >> 8) as u8, far as u8]);
            } else {
                self.values.put(BACK_FAR);
                self.values.put_varint(u64::from(number - FAR));
            }
        }
    }
}
