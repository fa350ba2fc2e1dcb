//! Long rows of structs in which no text repeats, written without a look at the table of texts.
//!
//! A site is closed after so many misses. Where a row begins before any text has been recorded, where every slot has one text
//! for each site of the message, and where all texts of the first slots are new, all sites close together, and nothing asks
//! for what the table would hold. So it is enough to know that these texts differ from one another, which is told at a third
//! of the price; the slots are then written as fast as those behind them.

use crate::output::Output;
use crate::pack::{Link, Pack};
use crate::wire::CLOSED;

/// Misses that close a site.
const MISSES: usize = CLOSED as usize;

impl Output {
    /// Writes so many slots that all sites are closed by them, if every text in them is new; else writes nothing.
    #[inline(always)]
    pub(crate) fn unrepeated<'v, T: Pack + ?Sized + 'v>(
        &mut self,
        row: &mut (impl ExactSizeIterator<Item = &'v T> + Clone),
        at: usize,
    ) {
        if row.len() < MISSES || !self.is_untouched() {
            return;
        }
        let stand = self.stand();
        let Some(texts) = row.clone().next().and_then(|value| self.close_all(value, at)) else {
            return self.go_back(&stand);
        };
        if self.differ(row.clone().take(MISSES), at) {
            self.put(row.clone().take(MISSES), at);
            if self.numbered_since(&stand) == MISSES * texts {
                row.nth(MISSES - 1);
                return;
            }
        }
        self.go_back(&stand);
    }

    /// Closes the sites of a slot's texts, and answers their number, if these are all sites that there are.
    fn close_all<T: Pack + ?Sized>(&mut self, value: &T, at: usize) -> Option<usize> {
        let (writer, links) = self.parts();
        let mut texts = 0;
        value.each_text(links, at, &mut |site, _| {
            writer.misses[site] = CLOSED;
            texts += 1;
        });
        writer.closed = texts;
        let mut sites = links.iter().zip(&writer.misses).filter(|(link, _)| **link == Link::default());
        let all = sites.clone().count() == texts && sites.all(|(_, &misses)| misses >= CLOSED);
        all.then_some(texts)
    }

    /// Whether all texts of these slots are known to differ from one another.
    fn differ<'v, T: Pack + ?Sized + 'v>(&mut self, row: impl Iterator<Item = &'v T>, at: usize) -> bool {
        let (links, marks) = self.marks();
        let mut marker = marks.marker();
        for value in row {
            value.each_text(links, at, &mut |_, text| marker.take(text.as_bytes()));
            if !marker.differ() {
                return false;
            }
        }
        true
    }
}
