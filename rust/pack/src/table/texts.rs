//! Columns of texts as string views: a text of up to 12 bytes stands in its view, a longer one once in a buffer, however
//! often it is referred to.

use super::bits::{spread, Mask};
use crate::wire::{latin1_to_utf8, utf16_to_utf8, Chars, SLACK};
use alloc::vec::Vec;

/// The longest text that stands in its view.
const INLINE: usize = 12;
/// Offsets into a buffer are `i32`.
const MOST_BYTES: usize = i32::MAX as usize;

#[derive(Debug, Default)]
pub(super) struct Texts {
    pub(super) views: Vec<u128>,
    pub(super) buffers: Vec<Vec<u8>>,
}

/// A text that back references name.
pub(super) struct Numbered<'a> {
    chars: Chars<'a>,
    /// The column that has it, by its address, and the view there: columns stay where they are while a message is read.
    owner: usize,
    view: u128,
}

impl<'a> Numbered<'a> {
    pub(super) fn new(chars: Chars<'a>, owner: &Texts, view: u128) -> Self {
        Numbered { chars, owner: core::ptr::from_ref(owner) as usize, view }
    }

    /// Its view in a column. Where another column has it, it is copied: it is short (`MOST_NUMBERED`).
    #[inline]
    pub(super) fn view_in(&mut self, texts: &mut Texts) -> u128 {
        let owner = core::ptr::from_ref(texts) as usize;
        if self.owner != owner {
            self.view = texts.keep(self.chars);
            self.owner = owner;
        }
        self.view
    }
}

impl Texts {
    pub(super) fn len(&self) -> usize {
        self.views.len()
    }

    pub(super) fn push_empty(&mut self) {
        self.views.push(0);
    }

    pub(super) fn spread(&mut self, mask: Mask<'_>) {
        spread(&mut self.views, mask, 0);
    }

    /// All texts one behind the other: their ends, 0 in front, and the bytes, if these are at most `left` and 2^31.
    pub(super) fn flat(&self, left: usize) -> Option<(Vec<i32>, Vec<u8>)> {
        let total = self.views.iter().map(|&view| length(view)).sum::<usize>();
        if total > left.min(MOST_BYTES) {
            return None;
        }
        let (mut ends, mut bytes) = (Vec::with_capacity(self.views.len() + 1), Vec::with_capacity(total));
        ends.push(0);
        for &view in &self.views {
            let (length, words) = (length(view), view.to_ne_bytes());
            if length <= INLINE {
                bytes.extend_from_slice(&words[4..4 + length]);
            } else {
                let [buffer, start] = [8, 12].map(|at| word(&words, at));
                bytes.extend_from_slice(&self.buffers[buffer][start..start + length]);
            }
            ends.push(bytes.len() as i32);
        }
        Some((ends, bytes))
    }

    /// Puts a text into a buffer, if it is too long for a view, and returns its view.
    pub(super) fn keep(&mut self, chars: Chars<'_>) -> u128 {
        match chars {
            Chars::Latin1(bytes) if bytes.is_ascii() => self.keep_utf8(bytes),
            Chars::Utf8(text) => self.keep_utf8(text.as_bytes()),
            Chars::Latin1(bytes) => self.transcode(2 * bytes.len(), |out| latin1_to_utf8(bytes, out)),
            // The reader has checked that the units are well-formed.
            Chars::Wide(units) => {
                self.transcode(units.len() / 2 * 3, |out| utf16_to_utf8(units, out).unwrap_or_default())
            }
        }
    }

    fn keep_utf8(&mut self, text: &[u8]) -> u128 {
        if text.len() <= INLINE {
            return inline(text);
        }
        let (index, buffer) = self.room(text.len());
        let start = buffer.len();
        buffer.extend_from_slice(text);
        view(text, index, start)
    }

    #[cold]
    fn transcode(&mut self, most: usize, write: impl FnOnce(&mut [u8]) -> usize) -> u128 {
        let (index, buffer) = self.room(most + SLACK);
        let start = buffer.len();
        buffer.resize(start + most + SLACK, 0);
        let end = start + write(&mut buffer[start..]);
        buffer.truncate(end);
        let text = &buffer[start..];
        if text.len() > INLINE {
            return view(text, index, start);
        }
        let made = inline(text);
        buffer.truncate(start);
        made
    }

    /// A buffer with room for `more`, and its index.
    fn room(&mut self, more: usize) -> (usize, &mut Vec<u8>) {
        let full = self.buffers.last().is_none_or(|last| last.len() + more > MOST_BYTES);
        if full {
            self.buffers.push(Vec::new());
        }
        let index = self.buffers.len() - 1;
        (index, &mut self.buffers[index])
    }
}

fn word(view: &[u8; 16], at: usize) -> usize {
    u32::from_ne_bytes([view[at], view[at + 1], view[at + 2], view[at + 3]]) as usize
}

fn length(view: u128) -> usize {
    word(&view.to_ne_bytes(), 0)
}

fn inline(text: &[u8]) -> u128 {
    let mut view = [0; 16];
    view[..4].copy_from_slice(&(text.len() as u32).to_ne_bytes());
    view[4..4 + text.len()].copy_from_slice(text);
    u128::from_ne_bytes(view)
}

/// Length, the first four bytes, the buffer, the place in it.
fn view(text: &[u8], buffer: usize, start: usize) -> u128 {
    let mut view = [0; 16];
    view[..4].copy_from_slice(&(text.len() as u32).to_ne_bytes());
    view[4..8].copy_from_slice(&text[..4]);
    view[8..12].copy_from_slice(&(buffer as u32).to_ne_bytes());
    view[12..].copy_from_slice(&(start as u32).to_ne_bytes());
    u128::from_ne_bytes(view)
}
