//! The blocks of what is read.

use super::block::Block;
use super::block_scanner::BlockScanner;
use super::record_error::RecordError;
use super::walk::{read_some, PIECE};
use crate::schema::Schema;
use alloc::vec::Vec;
use samewire_core::{Code, Error, Limits};
use std::io::Read;

/// The blocks of what is read.
pub(super) struct BlockInput<R> {
    pub(super) source: R,
    pub(super) scanner: BlockScanner,
    piece: Vec<u8>,
}

impl<R: Read> BlockInput<R> {
    pub(super) fn new(source: R, limits: &Limits) -> Self {
        BlockInput { source, scanner: BlockScanner::new(limits), piece: vec![0; PIECE] }
    }

    /// Reads the block of the schema, the first, and returns where it ends.
    pub(super) fn schema(&mut self) -> Result<(Schema, u64), RecordError> {
        let Some(first) = self.next()? else {
            self.scanner.end()?;
            return Err(Error::new(Code::Truncated, "the file ends within its schema").into());
        };
        Ok((first.schema()?, first.end()))
    }

    /// Returns the next block, `None` if there is no more to read now.
    pub(super) fn next(&mut self) -> Result<Option<Block>, RecordError> {
        loop {
            if let Some(block) = self.scanner.next()? {
                return Ok(Some(block));
            }
            let length = read_some(&mut self.source, &mut self.piece)?;
            if length == 0 {
                return Ok(None);
            }
            self.scanner.feed(&self.piece[..length]);
        }
    }
}
