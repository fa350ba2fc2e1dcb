//! Where the blocks of records of a file are.

use super::varint::{read_varint, write_varint, COUNT_BITS};
use alloc::vec::Vec;

/// The bytes of the smallest block of records: kind, size, count, a frame of one byte, checksum.
const LEAST_BYTES: u64 = 1 + 1 + 1 + 2 + 4;

/// Where a block of records starts, in bytes from the start of the file, and how many records it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordBlock {
    /// The offset of its kind.
    pub start: u64,
    /// At least 1.
    pub count: u32,
}

/// Where the blocks of records of a file are, in the bytes that an index takes: a file may have millions of blocks.
#[derive(Clone, Debug, Default)]
pub struct Places {
    /// The distance and count of each.
    fields: Vec<u8>,
    blocks: u32,
    records: u64,
    /// Where the last one starts.
    last: u64,
}

impl Places {
    /// Returns the places of a file without records.
    pub fn new() -> Self {
        Places::default()
    }

    /// Adds a block.
    ///
    /// # Panics
    /// If it does not start behind those before it.
    pub fn push(&mut self, block: RecordBlock) {
        assert!(block.start > self.last, "blocks are added in the order of the file");
        write_varint(block.start - self.last, &mut self.fields);
        write_varint(block.count.into(), &mut self.fields);
        self.blocks += 1;
        self.records += u64::from(block.count);
        self.last = block.start;
    }

    /// Returns how many records the blocks hold.
    pub fn records(&self) -> u64 {
        self.records
    }

    /// Returns the blocks in their order.
    pub fn iter(&self) -> impl Iterator<Item = RecordBlock> + '_ {
        let (mut start, mut position) = (0, 0);
        core::iter::from_fn(move || {
            let (block, after) = block_at(&self.fields, position, start)?;
            (start, position) = (block.start, after);
            Some(block)
        })
    }

    /// Appends the fields of an index that will start at `start`.
    pub(super) fn write_to(&self, start: u64, body: &mut Vec<u8>) {
        write_varint(self.blocks.into(), body);
        body.extend_from_slice(&self.fields);
        body.extend_from_slice(&start.to_le_bytes());
    }

    /// Returns the places of an index's fields before its start; `None` unless they are that and no more, and the blocks
    /// lie one behind the other between `first` and `end`.
    pub(super) fn of(fields: &[u8], first: u64, end: u64) -> Option<Places> {
        let (number, begin) = read_varint(fields, 0, COUNT_BITS).ok()??;
        let (mut position, mut start, mut least, mut records) = (begin, 0u64, first, 0u64);
        for _ in 0..number {
            let (block, after) = block_at(fields, position, start)?;
            if block.start < least || block.count == 0 {
                return None;
            }
            least = block.start.checked_add(LEAST_BYTES)?;
            records += u64::from(block.count);
            (start, position) = (block.start, after);
        }
        let whole = position == fields.len() && (number == 0 || least <= end);
        let fields = if whole { fields[begin..].to_vec() } else { return None };
        Some(Places { fields, blocks: number as u32, records, last: start })
    }
}

/// The block whose fields are at `position`, and where they end; the block before it starts at `start`.
fn block_at(fields: &[u8], position: usize, start: u64) -> Option<(RecordBlock, usize)> {
    let (distance, after) = read_varint(fields, position, u64::BITS).ok()??;
    let (count, after) = read_varint(fields, after, COUNT_BITS).ok()??;
    Some((RecordBlock { start: start.checked_add(distance)?, count: count as u32 }, after))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(starts: &[u64]) -> Places {
        let mut places = Places::new();
        starts.iter().for_each(|&start| places.push(RecordBlock { start, count: 3 }));
        places
    }

    fn fields(places: &Places) -> Vec<u8> {
        let mut body = Vec::new();
        places.write_to(0, &mut body);
        body.truncate(body.len() - 8);
        body
    }

    #[test]
    fn an_index_takes_no_more_memory_than_in_the_file() {
        let many: Vec<u64> = (0..10_000).map(|n| 50 + 9 * n).collect();
        let fields = fields(&places(&many));
        let read = Places::of(&fields, 50, 1 << 20).unwrap();
        assert!(read.fields.capacity() <= fields.len());
        assert_eq!((read.records(), read.iter().count()), (30_000, 10_000));
        assert!(read.iter().map(|block| block.start).eq(many));
        let mut longer = read.clone();
        longer.push(RecordBlock { start: 1 << 20, count: 1 });
        assert_eq!(longer.iter().last(), Some(RecordBlock { start: 1 << 20, count: 1 }));
    }

    #[test]
    fn blocks_that_cannot_be_there_are_refused() {
        for (starts, fits) in [
            (&[53u64, 62][..], true),
            (&[53, 61], false), // closer than the smallest block
            (&[52, 62], false), // within the schema's block
            (&[53, 92], false), // beyond the index
            (&[53, 91], true),
            (&[], true),
        ] {
            assert_eq!(Places::of(&fields(&places(starts)), 53, 100).is_some(), fits, "{starts:?}");
        }
        let mut short = fields(&places(&[53, 62]));
        short.pop();
        assert!(Places::of(&short, 53, 100).is_none());
    }
}
