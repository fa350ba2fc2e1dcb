//! Lends columns of texts, and writes them when they are filled (`spec/columns.md` section 6).

use super::text_column::{Entry, TextColumn};
use super::{Form, Room, Sink};
use samewire_pack::wire::columns::write_integers;
use samewire_pack::wire::SHORT_LATIN;
use samewire_pack::Fault;

/// How many tokens are written through one pair of cursors.
const FEW: usize = 16;
/// The most columns whose memory is kept.
const SPARE: usize = 64;

impl Sink {
    /// An empty column.
    pub fn lend_column(&mut self) -> Box<TextColumn> {
        let mut column = self.spare.pop().unwrap_or_else(|| Box::new(TextColumn::new(self.texts.seed())));
        column.clear();
        column
    }

    /// Takes back a column that was written.
    pub fn take_back_column(&mut self, column: Box<TextColumn>) {
        if self.spare.len() < SPARE {
            self.spare.push(column);
        }
    }

    /// A column of texts.
    ///
    /// # Errors
    /// `limit_size` if the message is longer than it may be.
    pub fn text_column(&mut self, site: usize, column: &TextColumn) -> Result<(), Fault> {
        if column.len() == 0 {
            return Ok(());
        }
        if column.is_dictionary() {
            self.byte(1);
            self.varint(column.entries.len() as u64);
            self.tokens(site, column, column.entries.len(), |i| i)?;
            write_integers(&column.indices, &mut self.values);
            return Ok(());
        }
        self.byte(0);
        self.tokens(site, column, column.len(), |i| column.indices[i] as usize)
    }

    fn tokens(
        &mut self,
        site: usize,
        column: &TextColumn,
        count: usize,
        entry: impl Fn(usize) -> usize + Copy,
    ) -> Result<(), Fault> {
        for start in (0..count).step_by(FEW) {
            let few = (start..count.min(start + FEW)).map(|i| column.entries[entry(i)]);
            if self.looks() {
                if self.looks_up(site) {
                    few.clone().for_each(|entry| self.look_ahead(entry.hash));
                }
                self.few_tokens::<true>(site, column, few)?;
            } else {
                self.few_tokens::<false>(site, column, few)?;
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn few_tokens<const LOOKS: bool>(
        &mut self,
        site: usize,
        column: &TextColumn,
        few: impl Iterator<Item = Entry>,
    ) -> Result<(), Fault> {
        let mut cursors = self.lend(Room::of(FEW));
        for entry in few {
            let (form, text) = (entry.form(), column.text(entry));
            // SAFETY: there is room for short texts, and it is made again after another.
            unsafe {
                if form == Form::Latin1 && text.len() <= SHORT_LATIN {
                    if LOOKS {
                        self.hashed_latin1(&mut cursors, site, text, entry.hash);
                    } else {
                        self.short_latin1::<false>(&mut cursors, site, text);
                    }
                    continue;
                }
                self.take_back(cursors);
                if form == Form::Latin1 {
                    self.latin1(site, text)?;
                } else {
                    self.hashed(site, form, text, entry.hash)?;
                }
            }
            cursors = self.lend(Room::of(FEW));
        }
        // SAFETY: these cursors are those that were lent last.
        unsafe { self.take_back(cursors) };
        Ok(())
    }
}
