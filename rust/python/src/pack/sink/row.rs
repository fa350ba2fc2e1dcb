//! Rows of numbers (`spec/pack.md` section 9).

use super::Sink;
use samewire_pack::wire::{header, Message, Number, ALIGN_FROM, MODE_FROM};
use samewire_pack::{Limits, Profile};

impl Sink {
    /// A row of numbers, without its count.
    pub fn numbers<T: Number>(&mut self, row: &[T]) {
        if !T::RAW {
            if row.len() < MODE_FROM {
                for &number in row {
                    self.number(number);
                }
                return;
            }
            if self.compact && self.packed(row) {
                return;
            }
            self.byte(0);
        }
        let bytes = size_of_val(row);
        // SAFETY: every byte of the run is written: numbers have no padding, and on machines of the other order each
        // is written in its turn.
        unsafe {
            self.raw(bytes, T::WIDTH, |to| {
                if cfg!(target_endian = "little") {
                    std::ptr::copy_nonoverlapping(row.as_ptr().cast(), to, bytes);
                } else {
                    for (i, number) in row.iter().enumerate() {
                        let word = number.to_word().to_le_bytes();
                        std::ptr::copy_nonoverlapping(word.as_ptr(), to.add(i * T::WIDTH), T::WIDTH);
                    }
                }
                true
            });
        }
    }

    /// A raw run of `bytes` bytes, aligned if it is long enough; `write` fills it, or returns false to take it back.
    ///
    /// # Safety
    /// `write` must write to every byte, or return false.
    #[inline(always)]
    pub unsafe fn raw(&mut self, bytes: usize, width: usize, write: impl FnOnce(*mut u8) -> bool) -> bool {
        if width > 1 && bytes >= ALIGN_FROM {
            self.bits |= header::ALIGNED;
            // Values start one byte after a multiple of 8.
            let padding = (self.values.len() + 1).wrapping_neg() & 7;
            self.values.zeros(padding);
        }
        // SAFETY: `write` writes to every byte, or returns false.
        unsafe { self.values.extend_with(bytes, write) }
    }

    /// Writes a packed row. Returns false, and writes nothing, if raw numbers are not longer.
    fn packed<T: Number>(&mut self, row: &[T]) -> bool {
        self.packed.clear();
        let limits = Limits { frame_bytes: usize::MAX, ..Limits::DEFAULT };
        let message = Message { dedup_slots: 0, profile: Profile::Compact, limits, ..Message::default() };
        self.packer.begin(&mut self.packed, &message);
        self.packer.numbers(row);
        if self.packer.finish(&mut self.packed).is_err() {
            return false;
        }
        // The core's header, then the mode: 0 for a raw run, whose padding depends on its offset.
        match self.packed.get(1) {
            Some(1 | 2) => {
                self.values.extend(&self.packed[1..]);
                true
            }
            _ => false,
        }
    }
}
