//! Columns of texts (`spec/columns.md` section 6): how they stand. The tokens are those of rows.

use super::form::{DICTIONARY, RAW};
use crate::wire::reader::Reader;
use alloc::vec::Vec;
use samewire_core::{Code, Fault};

/// How the texts of a column stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextForm {
    /// A token for each follows.
    Tokens,
    /// So many tokens follow, at least one, then the [indices](Reader::column_indices) of all texts among these.
    Dictionary(usize),
}

impl TextForm {
    /// The tokens that follow.
    pub fn tokens(self, m: usize) -> usize {
        match self {
            TextForm::Tokens => m,
            TextForm::Dictionary(size) => size,
        }
    }
}

impl Reader<'_> {
    /// Reads how the texts of a column of `m` values stand. Of none nothing follows.
    ///
    /// # Errors
    /// `malformed` at the mode byte or the size, `bad_number`, `truncated`.
    pub fn column_texts(&mut self, m: usize) -> Result<TextForm, Fault> {
        if m == 0 {
            return Ok(TextForm::Tokens);
        }
        let at = self.position();
        let form = match self.byte()? {
            RAW => TextForm::Tokens,
            DICTIONARY => TextForm::Dictionary(self.dictionary_size(m)?),
            _ => return Err(self.fail(Code::Malformed, at)),
        };
        self.need(form.tokens(m))?;
        Ok(form)
    }

    /// Reads the size of a dictionary of `m` values.
    pub(super) fn dictionary_size(&mut self, m: usize) -> Result<usize, Fault> {
        let at = self.position();
        let size = self.length()?;
        if size < 1 || size > m {
            return Err(self.fail(Code::Malformed, at));
        }
        Ok(size)
    }

    /// Reads `m` indices of a dictionary of that `size`, at least 1.
    ///
    /// # Errors
    /// As of integers.
    pub fn column_indices(&mut self, size: usize, m: usize, indices: &mut Vec<u32>) -> Result<(), Fault> {
        self.column_integers(&(0..=size as u32 - 1), m, indices)
    }
}
