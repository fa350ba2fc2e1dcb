//! Where the blocks of a record file that can be sought are: by its index, else by walking over them.

use super::block::{Block, BlockKind, CHECKSUM_BYTES};
use super::block_scanner::BlockScanner;
use super::places::{Places, RecordBlock};
use super::record_error::RecordError;
use super::varint::{read_varint, COUNT_BITS, SIZE_BYTES};
use crate::schema::Schema;
use alloc::vec::Vec;
use samewire_core::Limits;
use std::io::{ErrorKind, Read, Result, Seek, SeekFrom};

/// An index ends with the offset of its block; the checksum follows.
const INDEX_TAIL_BYTES: usize = 8 + CHECKSUM_BYTES;
/// A file is read in pieces of this size.
pub(super) const PIECE: usize = 65_536;

/// What is known of a file without decoding its records.
#[derive(Default)]
pub(super) struct Walk {
    /// `None` if not even its block is whole.
    pub schema: Option<Schema>,
    pub places: Places,
    /// Where the last whole block ends.
    pub end: u64,
    /// An index ends there.
    pub indexed: bool,
}

/// Walks over a file's blocks. Those of records are not read if an index names them; an unfinished block is left out.
///
/// # Errors
/// As [`BlockScanner`], its [check of what is unfinished](BlockScanner::check_unfinished), and [`Block::schema`].
pub(super) fn walk(file: &mut (impl Read + Seek), limits: &Limits) -> core::result::Result<Walk, RecordError> {
    let size = file.seek(SeekFrom::End(0))?;
    let mut blocks = Blocks::at(0, file, limits)?;
    let Some(first) = blocks.next()? else { return Ok(Walk::default()) };
    let mut found = Walk { schema: Some(first.schema()?), end: first.end(), ..Walk::default() };
    let behind = blocks.fed;
    if let Some((end, places)) = last_index(blocks.file, first.end(), size, limits)? {
        return Ok(Walk { places, end, indexed: true, ..found });
    }
    blocks.file.seek(SeekFrom::Start(behind))?;
    while let Some(block) = blocks.next()? {
        if matches!(block.kind(), BlockKind::Records | BlockKind::Zstd) {
            found.places.push(RecordBlock { start: block.start(), count: block.record_count()? });
        }
        found.end = block.end();
        found.indexed = block.kind() == BlockKind::Index;
    }
    blocks.scanner.check_unfinished()?;
    Ok(found)
}

/// The blocks of a file from an offset on.
struct Blocks<'f, F> {
    file: &'f mut F,
    scanner: BlockScanner,
    /// Where in the file the scanner's bytes end.
    fed: u64,
    piece: Vec<u8>,
}

impl<'f, F: Read + Seek> Blocks<'f, F> {
    fn at(start: u64, file: &'f mut F, limits: &Limits) -> Result<Self> {
        file.seek(SeekFrom::Start(start))?;
        Ok(Blocks { file, scanner: BlockScanner::starting_at(start, limits), fed: start, piece: vec![0; PIECE] })
    }

    /// Returns the next block, `None` if the file ends before it does.
    fn next(&mut self) -> core::result::Result<Option<Block>, RecordError> {
        loop {
            if let Some(block) = self.scanner.next()? {
                return Ok(Some(block));
            }
            let length = read_some(self.file, &mut self.piece)?;
            if length == 0 {
                return Ok(None);
            }
            self.scanner.feed(&self.piece[..length]);
            self.fed += length as u64;
        }
    }
}

/// Returns where the index at the end of the file ends, and what it names. `None` if there is none: another block may end
/// in any bytes. `head` is where the schema's block ends.
fn last_index<F: Read + Seek>(file: &mut F, head: u64, size: u64, limits: &Limits) -> Result<Option<(u64, Places)>> {
    let tail = INDEX_TAIL_BYTES as u64;
    if size < head + tail {
        return Ok(None);
    }
    let mut start = [0; 8];
    file.seek(SeekFrom::Start(size - tail))?;
    if read_up_to(file, &mut start)? < start.len() {
        return Ok(None);
    }
    let start = u64::from_le_bytes(start);
    if start < head || start >= size - tail {
        return Ok(None);
    }
    let mut begin = [0; 1 + SIZE_BYTES];
    file.seek(SeekFrom::Start(start))?;
    let length = read_up_to(file, &mut begin)?;
    let begin = &begin[..length];
    let Ok(Some((body, at))) = read_varint(begin, 1, COUNT_BITS) else { return Ok(None) };
    let ends = start + at as u64 + body + CHECKSUM_BYTES as u64;
    if begin[0] != BlockKind::Index as u8 || ends != size {
        return Ok(None);
    }
    let block = match Blocks::at(start, file, limits)?.next() {
        Ok(Some(block)) => block,
        Err(RecordError::File(error)) => return Err(error),
        Ok(None) | Err(RecordError::Pack(_)) => return Ok(None),
    };
    Ok(block.index(head).ok().map(|places| (block.end(), places)))
}

/// Reads what there is, at least a byte unless the file ends.
pub(super) fn read_some(file: &mut impl Read, into: &mut [u8]) -> Result<usize> {
    loop {
        match file.read(into) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            length => return length,
        }
    }
}

/// Fills `into`, or reads up to the end of the file.
pub(super) fn read_up_to(file: &mut impl Read, into: &mut [u8]) -> Result<usize> {
    let mut filled = 0;
    while filled < into.len() {
        match read_some(file, &mut into[filled..])? {
            0 => break,
            length => filled += length,
        }
    }
    Ok(filled)
}
