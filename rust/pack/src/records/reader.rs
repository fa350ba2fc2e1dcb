//! Reading record files (`spec/records.md` section 3).

use super::block::{saturated, BlockKind, Messages};
use super::block_input::BlockInput;
use super::block_scanner::BlockScanner;
use super::places::{Places, RecordBlock};
use super::record_error::RecordError;
use super::walk::walk;
use crate::codec::Codec;
use crate::decoder::Decoder;
use crate::pack::{Pack, Unpack};
use crate::schema::Schema;
use alloc::boxed::Box;
use samewire_core::{Code, Error, Limits};
use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::path::Path;

/// How a record file is read.
#[derive(Clone, Debug, Default)]
pub struct RecordReaderOptions {
    growing: bool,
    complete: bool,
}

impl RecordReaderOptions {
    /// A file that does not grow any more.
    pub fn new() -> Self {
        Self::default()
    }

    /// A block that is not whole yet is no error. Iteration ends before it; iterate again to go on.
    ///
    /// A file that was opened by its path is then read again from where that block starts: its writer may have crashed, and
    /// another one have cut it off and appended another. Any other source would have to keep what it gave: where it does
    /// not, the replaced block is `malformed`.
    #[must_use]
    pub fn growing(mut self, growing: bool) -> Self {
        self.growing = growing;
        self
    }

    /// Insists on the index that closing a writer leaves at the end. Behind the last record of a file without one, which
    /// was cut off between two blocks or whose writer has not closed it, iteration gives `truncated` at the file's length.
    /// Not together with [`growing`](Self::growing).
    #[must_use]
    pub fn complete(mut self, complete: bool) -> Self {
        self.complete = complete;
        self
    }

    /// Opens a file and reads its schema. The codec's limits hold: `buffered_bytes` bounds a block, the others each message.
    ///
    /// # Errors
    /// `schema_mismatch` with the path if the type cannot be read from the file's; `malformed`, `unsupported`,
    /// `bad_number`, `limit_size` or `truncated` at the offset in a file that is broken; `misuse` for
    /// [`complete`](Self::complete) with [`growing`](Self::growing); what the file fails with.
    pub fn open<T: Pack>(&self, path: impl AsRef<Path>, codec: Codec<T>) -> Result<RecordReader<T, File>, RecordError> {
        self.read(File::open(path)?, codec, Some(rewind))
    }

    /// As [`open`](Self::open), of anything that gives bytes: a pipe, memory. It needs no buffer of its own.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn read_from<T: Pack, R: Read>(&self, source: R, codec: Codec<T>) -> Result<RecordReader<T, R>, RecordError> {
        self.read(source, codec, None)
    }

    fn read<T: Pack, R: Read>(
        &self,
        source: R,
        codec: Codec<T>,
        rewind: Option<Rewind<R>>,
    ) -> Result<RecordReader<T, R>, RecordError> {
        if self.complete && self.growing {
            let text =
                "expected complete(true) or growing(true), got both: a file that grows has no index at its end yet; \
                        leave one out";
            return Err(Error::new(Code::Misuse, text).into());
        }
        let limits = *codec.limits_used();
        let mut input = BlockInput::new(source, &limits);
        let (schema, head) = input.schema()?;
        // The file has the schema: a message need not carry its digest.
        let codec = codec.require_digest(false);
        let decoding = if codec.schema().text() == schema.text() {
            Decoding::Own(Box::new(codec))
        } else {
            Decoding::Resolved(Box::new(codec.resolve(schema.text())?))
        };
        Ok(RecordReader {
            input,
            schema,
            head,
            decoding,
            limits,
            growing: self.growing,
            complete: self.complete,
            indexed: false,
            rewind,
            number: 0,
            messages: Messages::default(),
            ended: false,
            failed: None,
        })
    }
}

/// Reads the records of a file one after another, holding one block at a time.
///
/// A type that differs from the file's is resolved (`spec/pack.md` section 13), once. Types that borrow are not read: use an
/// owned one.
///
/// It is an iterator. The error of a record has the offset and path of its message, and its text the record's number:
/// iteration goes on behind it. All other errors end the iteration: those of [`RecordError::Pack`] are of the file, with its
/// offset, and final; after one of [`RecordError::File`] [`seek`](Self::seek) goes on.
pub struct RecordReader<T, R> {
    input: BlockInput<R>,
    schema: Schema,
    /// Where the schema's block ends.
    head: u64,
    decoding: Decoding<T>,
    limits: Limits,
    growing: bool,
    complete: bool,
    /// The block that was read last is an index.
    indexed: bool,
    /// How the source of a growing file goes back, if it can.
    rewind: Option<Rewind<R>>,
    /// The number of the next record.
    number: u64,
    messages: Messages,
    /// The source has failed.
    ended: bool,
    failed: Option<Error>,
}

/// Goes back to an offset, or returns false and does nothing where the source is a pipe.
type Rewind<R> = fn(&mut R, u64) -> io::Result<bool>;

fn rewind(file: &mut File, at: u64) -> io::Result<bool> {
    match file.seek(SeekFrom::Start(at)) {
        Err(error) if error.kind() == ErrorKind::NotSeekable => Ok(false),
        sought => sought.map(|_| true),
    }
}

enum Decoding<T> {
    Own(Box<Codec<T>>),
    Resolved(Box<Decoder<T>>),
}

impl<T: Pack> RecordReader<T, File> {
    /// As [`RecordReaderOptions::open`], with default options.
    ///
    /// # Errors
    /// As [`RecordReaderOptions::open`].
    pub fn open(path: impl AsRef<Path>, codec: Codec<T>) -> Result<Self, RecordError> {
        RecordReaderOptions::new().open(path, codec)
    }
}

impl<T: Pack, R: Read> RecordReader<T, R> {
    /// As [`RecordReaderOptions::read_from`], with default options.
    ///
    /// # Errors
    /// As [`RecordReaderOptions::read_from`].
    pub fn new(source: R, codec: Codec<T>) -> Result<Self, RecordError> {
        RecordReaderOptions::new().read_from(source, codec)
    }

    /// Returns the schema that the records were written with.
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// Makes the messages of the next block of records the next ones. Returns false at the end of the file.
    fn next_block(&mut self) -> Result<bool, RecordError> {
        loop {
            let Some(block) = self.input.next()? else {
                self.pause()?;
                self.check_complete()?;
                return Ok(false);
            };
            self.indexed = block.kind() == BlockKind::Index;
            if self.indexed {
                block.index(self.head)?;
                continue;
            }
            self.messages = block.messages(&self.limits)?;
            return Ok(true);
        }
    }

    /// Checks what stands at the end of the file. Of a growing one it may be written, or cut off and replaced, before the
    /// next attempt.
    fn pause(&mut self) -> Result<(), RecordError> {
        let scanner = &mut self.input.scanner;
        if !self.growing {
            return Ok(scanner.end()?);
        }
        scanner.check_unfinished()?;
        if let (true, Some(rewind)) = (scanner.is_inside(), self.rewind) {
            let at = scanner.at();
            if rewind(&mut self.input.source, at)? {
                self.input.scanner = BlockScanner::starting_at(at, &self.limits);
            }
        }
        Ok(())
    }

    /// At the end of a file that must have its index.
    fn check_complete(&self) -> Result<(), Error> {
        if self.indexed || !self.complete {
            return Ok(());
        }
        let text =
            "expected an index as the last block, as closing the writer leaves it, got the end of the file: the file \
                    was cut off, or its writer has not closed it; copy it again, or read it without complete(true)";
        Err(Error::new(Code::Truncated, text).at(saturated(self.input.scanner.at())))
    }

    /// Ends the iteration, and keeps an error of the file: what follows it cannot be read.
    fn fail(&mut self, error: RecordError) -> RecordError {
        self.ended = true;
        if let RecordError::Pack(error) = &error {
            self.failed = Some(error.clone());
        }
        error
    }
}

impl<T, R> Iterator for RecordReader<T, R>
where
    T: Pack + for<'x> Unpack<'x>,
    R: Read,
{
    type Item = Result<T, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        while self.messages.left() == 0 {
            match self.next_block() {
                Ok(true) => {}
                Ok(false) => return None,
                Err(error) => return Some(Err(self.fail(error))),
            }
        }
        let message = self.messages.next()?;
        let number = self.number;
        self.number += 1;
        let decoded = match &self.decoding {
            Decoding::Own(codec) => codec.decode(message),
            Decoding::Resolved(decoder) => decoder.decode(message),
        };
        Some(decoded.map_err(|mut error| {
            error.text = format!("record {number}: {}", error.text).into();
            error.into()
        }))
    }
}

impl<T: Pack, R: Read + Seek> RecordReader<T, R> {
    /// Returns how many records the whole blocks of the file hold: from its index, or by walking over its blocks.
    ///
    /// # Errors
    /// The errors of a broken file, with its offset, and what the file fails with.
    pub fn record_count(&mut self) -> Result<u64, RecordError> {
        Ok(self.located()?.records())
    }

    /// Makes the record of this number, from 0, the next one; the number of records makes it the end. Reads one block.
    ///
    /// # Errors
    /// As [`record_count`](Self::record_count), and `misuse` for a number that is not in the file.
    pub fn seek(&mut self, number: u64) -> Result<(), RecordError> {
        let places = self.located()?;
        let mut first = 0;
        // The block of the record; of the number of records, the last one.
        let mut place: Option<RecordBlock> = None;
        for block in places.iter() {
            let before = first + place.map_or(0, |block| u64::from(block.count));
            if place.is_some() && before > number {
                break;
            }
            (first, place) = (before, Some(block));
        }
        let records = places.records();
        if number > records {
            let text = format!("seek({number}): the file has {records} records");
            return Err(Error::new(Code::Misuse, text).into());
        }
        let start = place.map_or(self.input.scanner.at(), |block| block.start);
        self.input.source.seek(SeekFrom::Start(start))?;
        self.input.scanner = BlockScanner::starting_at(start, &self.limits);
        self.messages = Messages::default();
        self.ended = false;
        self.number = first;
        let Some(block) = place else { return Ok(()) };
        let found = self.next_block().map_err(|error| self.fail(error))?;
        if !found || self.messages.left() != block.count {
            let text = "the index names a block of records that is not here";
            return Err(self.fail(Error::new(Code::Malformed, text).at(saturated(start)).into()));
        }
        // Less than the count of one block.
        self.messages.skip((number - first) as u32);
        self.number = number;
        Ok(())
    }

    /// Where the blocks of records are. Leaves the file where it was.
    fn located(&mut self) -> Result<Places, RecordError> {
        if let Some(error) = &self.failed {
            return Err(error.clone().into());
        }
        let here = self.input.source.stream_position()?;
        let found = walk(&mut self.input.source, &self.limits);
        self.input.source.seek(SeekFrom::Start(here))?;
        Ok(found?.places)
    }
}

impl<T, R> core::fmt::Debug for RecordReader<T, R> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("RecordReader")
            .field("schema", &self.schema.text())
            .field("next_record", &self.number)
            .finish_non_exhaustive()
    }
}
