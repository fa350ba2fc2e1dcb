//! Reading texts (`spec/pack.md` section 6).

use super::bounds::{is_numbered, LEAST_UTF8, SHORT_LATIN, SHORT_UTF8, SHORT_WIDE};
use super::header;
use super::lanes::ascii_run;
use super::reader::Reader;
use super::token::{Token, BACK, BACK2, BACK_FAR, FAR, LONG_LATIN, LONG_UTF8, LONG_WIDE, NEAR, UTF8_3, WIDE_1};
use super::transcode::is_well_formed;
use samewire_core::{Code, Fault};

/// How far to look for a character that is not ASCII.
const AHEAD: usize = 512;

/// The text whose token stands at `at` and whose characters begin at `latin`, if it is new, its token takes one byte, and its
/// characters end at `plain` at the latest.
///
/// # Safety
/// The bytes from `latin` to `plain`, if there are any, must be inside `data` and ASCII.
#[inline(always)]
pub(crate) unsafe fn ascii_at(data: &[u8], at: usize, latin: usize, plain: usize) -> Option<&str> {
    let length = usize::from(*data.get(at)?);
    let end = latin + length;
    if length > SHORT_LATIN || end > plain {
        return None;
    }
    // SAFETY: latin <= end <= plain <= data.len(), and ASCII is UTF-8.
    Some(unsafe { core::str::from_utf8_unchecked(data.get_unchecked(latin..end)) })
}

impl<'a> Reader<'a> {
    /// A text: its token, and its characters from their block.
    ///
    /// # Errors
    /// `malformed` or `bad_utf8` at the token, `bad_number`, `truncated`.
    #[inline(always)]
    pub fn token(&mut self) -> Result<Token<'a>, Fault> {
        let start = self.at;
        let token = self.byte()?;
        if usize::from(token) <= SHORT_LATIN {
            let chars = self.latin_chars(start, usize::from(token))?;
            let numbered = token >= 2;
            self.texts += u32::from(numbered);
            return Ok(Token::Latin1 { chars, numbered });
        }
        if (BACK..BACK2).contains(&token) {
            return self.back(start, u32::from(token - BACK));
        }
        self.rare_token(start, token)
    }

    /// A new Latin-1 text whose token is one byte and whose characters are known to be ASCII, if that comes next; otherwise
    /// nothing is read.
    #[inline(always)]
    pub(crate) fn ascii(&mut self) -> Option<&'a str> {
        // SAFETY: plain <= latin_end <= data.len(), and what stands between latin and plain is ASCII.
        let text = unsafe { ascii_at(self.data, self.at, self.latin, self.plain) }?;
        self.at += 1;
        self.latin += text.len();
        self.texts += u32::from(text.len() >= 2);
        Some(text)
    }

    /// The number of a back reference of one byte, if that comes next. It is not read yet.
    #[inline(always)]
    pub(crate) fn near(&self) -> Option<u32> {
        let number = u32::from(self.data.get(self.at)?.wrapping_sub(BACK));
        (number < NEAR.min(self.texts) && self.header() & header::REFS != 0).then_some(number)
    }

    /// Reads the back reference that [`near`](Self::near) has seen.
    #[inline(always)]
    pub(crate) fn take_near(&mut self) {
        self.at += 1;
    }

    /// The number of a back reference of two bytes, if that comes next; otherwise nothing is read.
    #[inline(always)]
    pub(crate) fn take_far(&mut self) -> Option<u32> {
        let &[token @ BACK2..=0xff, low] = self.peek(2)? else { return None };
        let number = NEAR + (u32::from(token - BACK2) << 8) + u32::from(low);
        let known = number < self.texts && self.header() & header::REFS != 0;
        self.at += if known { 2 } else { 0 };
        known.then_some(number)
    }

    /// Notes that all characters not read yet are ASCII.
    pub(crate) fn all_ascii(&mut self) {
        self.plain = self.latin_end;
    }

    /// From where to where in the message the next characters, if any, are known to be ASCII.
    #[inline(always)]
    pub(crate) fn known_ascii(&self) -> (usize, usize) {
        (self.latin, self.plain)
    }

    /// Moves forth over texts and numbers that were read elsewhere: to the byte `at` and the character `latin`, when `texts` are
    /// numbered.
    ///
    /// # Safety
    /// `latin` must not be less than where the next character stands.
    #[inline(always)]
    pub(crate) unsafe fn settle(&mut self, at: usize, latin: usize, texts: u32) {
        debug_assert!(self.at <= at && self.latin <= latin && latin <= self.latin_end && self.texts <= texts);
        self.at = at;
        self.latin = latin;
        self.texts = texts;
    }

    /// Looks for the next character that is not ASCII, unless it is known. The look goes so far and no further, so that
    /// its cost is bounded, wherever the reader is set back to.
    pub(crate) fn look_ahead(&mut self) {
        if self.latin < self.plain {
            return;
        }
        let ahead = &self.data[self.latin..self.latin_end.min(self.latin + AHEAD)];
        self.plain = self.latin + ascii_run(ahead);
    }

    #[inline(never)]
    fn rare_token(&mut self, start: usize, token: u8) -> Result<Token<'a>, Fault> {
        match token {
            LONG_LATIN => {
                let chars = self.length()? + SHORT_LATIN + 1;
                Ok(Token::Latin1 { chars: self.latin_chars(start, chars)?, numbered: false })
            }
            LONG_WIDE => {
                let units = self.length()? + SHORT_WIDE + 1;
                self.wide_text(start, units)
            }
            LONG_UTF8 => {
                let bytes = self.length()? + SHORT_UTF8 + 1;
                self.utf8_text(start, bytes)
            }
            BACK_FAR => {
                let far = self.length()? as u32;
                self.back(start, far + FAR)
            }
            WIDE_1..UTF8_3 => self.wide_text(start, usize::from(token - WIDE_1) + 1),
            UTF8_3..LONG_UTF8 => self.utf8_text(start, usize::from(token - UTF8_3) + LEAST_UTF8),
            BACK2.. => {
                let low = self.byte()?;
                self.back(start, NEAR + (u32::from(token - BACK2) << 8) + u32::from(low))
            }
            // `token` takes these itself.
            ..LONG_LATIN | BACK..BACK2 => Err(self.fail(Code::Malformed, start)),
        }
    }

    #[inline(always)]
    fn back(&mut self, start: usize, number: u32) -> Result<Token<'a>, Fault> {
        if number >= self.texts || self.header() & header::REFS == 0 {
            return Err(self.fail(Code::Malformed, start));
        }
        Ok(Token::Back(number))
    }

    #[inline(always)]
    fn latin_chars(&mut self, start: usize, n: usize) -> Result<&'a [u8], Fault> {
        if n > self.latin_end - self.latin {
            return Err(self.fail(Code::Malformed, start));
        }
        let chars = &self.data[self.latin..self.latin + n];
        self.latin += n;
        Ok(chars)
    }

    fn wide_text(&mut self, start: usize, n: usize) -> Result<Token<'a>, Fault> {
        if n > (self.wide_end - self.wide) / 2 {
            return Err(self.fail(Code::Malformed, start));
        }
        let units = &self.data[self.wide..self.wide + 2 * n];
        if !is_well_formed(units) {
            return Err(self.fail(Code::BadUtf8, start));
        }
        self.wide += 2 * n;
        let numbered = is_numbered(2 * n);
        self.texts += u32::from(numbered);
        Ok(Token::Wide { units, numbered })
    }

    fn utf8_text(&mut self, start: usize, n: usize) -> Result<Token<'a>, Fault> {
        if n > self.utf8_end - self.utf8 {
            return Err(self.fail(Code::Malformed, start));
        }
        let text = if self.utf8_block.is_empty() {
            core::str::from_utf8(&self.data[self.utf8..self.utf8 + n]).ok()
        } else {
            let from = self.utf8 - self.wide_end;
            self.utf8_block.get(from..from + n)
        };
        let Some(text) = text else { return Err(self.fail(Code::BadUtf8, start)) };
        self.utf8 += n;
        let numbered = is_numbered(n);
        self.texts += u32::from(numbered);
        Ok(Token::Utf8 { text, numbered })
    }
}
