//! Writing record files (`spec/records.md` sections 4 and 5).

use super::block::{write_block, write_index, write_records, BlockKind, MAGIC};
use super::compression::{Compression, MISSING};
use super::places::{Places, RecordBlock};
use super::record_error::RecordError;
use super::record_file::RecordFile;
use super::varint::SIZE_BYTES;
use super::walk::{read_up_to, walk, Walk};
use crate::codec::Codec;
use crate::encoder::Encoder;
use crate::pack::Pack;
use crate::schema::Schema;
#[cfg(feature = "arrow")]
use crate::wire::Message;
use alloc::vec::Vec;
use samewire_core::frame::write_frame;
use samewire_core::{Code, Error};
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// How a record file is written.
///
/// ```
/// use samewire_pack::records::RecordWriterOptions;
/// use samewire_pack::Codec;
///
/// let mut out = RecordWriterOptions::new().block_bytes(4096).write_to(Vec::new(), Codec::<i32>::new())?;
/// out.write(&7)?;
/// assert_eq!(out.record_count(), 1);
/// # Ok::<(), samewire_pack::records::RecordError>(())
/// ```
#[derive(Clone, Debug)]
pub struct RecordWriterOptions {
    compression: Compression,
    block_bytes: usize,
}

impl Default for RecordWriterOptions {
    fn default() -> Self {
        // Large enough for zstd, small beside a process.
        RecordWriterOptions { compression: Compression::None, block_bytes: 65_536 }
    }
}

impl RecordWriterOptions {
    /// Blocks of 65,536 bytes, not compressed.
    pub fn new() -> Self {
        Self::default()
    }

    /// Packs blocks of records, where that makes them smaller.
    #[must_use]
    pub fn compression(mut self, compression: Compression) -> Self {
        self.compression = compression;
        self
    }

    /// How many bytes of records a block collects, from 1 to the codec's `frame_bytes`, and to 5 less than its
    /// `buffered_bytes`. A larger record has a block of its own.
    #[must_use]
    pub fn block_bytes(mut self, bytes: usize) -> Self {
        self.block_bytes = bytes;
        self
    }

    /// Opens a file and writes its schema. A file that exists is replaced.
    ///
    /// # Errors
    /// `misuse` for an impossible option, `unsupported` for compression that this build lacks, and what the file fails with.
    pub fn create<T: Pack>(
        &self,
        path: impl AsRef<Path>,
        codec: Codec<T>,
    ) -> Result<RecordWriter<T, File>, RecordError> {
        self.check(&codec)?;
        self.start(File::create(path)?, codec, Some(File::cut))
    }

    /// Opens a file of the same schema to add to it, or begins one. An unfinished block at its end, of a writer that
    /// crashed, is cut off.
    ///
    /// # Errors
    /// As [`create`](Self::create); `schema_mismatch` with the first difference for a file of another schema; as
    /// [`RecordReader`](super::RecordReader) for one that is broken.
    pub fn append<T: Pack>(
        &self,
        path: impl AsRef<Path>,
        codec: Codec<T>,
    ) -> Result<RecordWriter<T, File>, RecordError> {
        self.check(&codec)?;
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        self.append_to(file, codec)
    }

    /// Writes the schema to anything that takes bytes: a pipe, memory.
    ///
    /// # Errors
    /// As [`create`](Self::create).
    pub fn write_to<T: Pack, W: Write>(&self, sink: W, codec: Codec<T>) -> Result<RecordWriter<T, W>, RecordError> {
        self.check(&codec)?;
        self.start(sink, codec, None)
    }

    /// As [`append`](Self::append), to a file that is open.
    ///
    /// # Errors
    /// As [`append`](Self::append).
    pub fn append_to<T: Pack, F: RecordFile>(
        &self,
        mut file: F,
        codec: Codec<T>,
    ) -> Result<RecordWriter<T, F>, RecordError> {
        self.check(&codec)?;
        let found = walk(&mut file, codec.limits_used())?;
        if found.schema.is_none() {
            check_begun(&mut file, &head(&codec)?)?;
        }
        // What a writer left of a schema's block is cut off, too.
        let end = if found.schema.is_some() { found.end } else { 0 };
        if let Some(difference) = found.schema.as_ref().and_then(|theirs| codec.schema().difference(theirs)) {
            let text =
                format!("records of another type are in the file: {difference}; write them to a file of their own");
            return Err(Error::new(Code::SchemaMismatch, text).path(difference.path).into());
        }
        file.cut(end)?;
        file.seek(SeekFrom::Start(end))?;
        if found.schema.is_none() {
            return self.start(file, codec, Some(F::cut));
        }
        Ok(self.resume(file, codec, Some(F::cut), found))
    }

    fn check<T: Pack>(&self, codec: &Codec<T>) -> Result<(), Error> {
        // A larger block would meet `buffered_bytes` in a reader with the same limits. Its count stands before its frames.
        let limits = codec.limits_used();
        let most = limits.frame_bytes.min(limits.buffered_bytes.saturating_sub(SIZE_BYTES));
        if !(1..=most).contains(&self.block_bytes) {
            let text = format!(
                "block_bytes({}): expected a number of bytes from 1 to {most}, the less of limits.frame_bytes and \
                 limits.buffered_bytes - {SIZE_BYTES}",
                self.block_bytes
            );
            return Err(Error::new(Code::Misuse, text));
        }
        if !self.compression.is_available() {
            return Err(Error::new(Code::Unsupported, format!("writing {MISSING}")));
        }
        Ok(())
    }

    fn start<T: Pack, W: Write>(
        &self,
        sink: W,
        codec: Codec<T>,
        cut: Option<Cut<W>>,
    ) -> Result<RecordWriter<T, W>, RecordError> {
        let head = head(&codec)?;
        let mut writer = self.resume(sink, codec, cut, Walk::default());
        writer.put(&head)?;
        Ok(writer)
    }

    fn resume<T: Pack, W: Write>(
        &self,
        sink: W,
        codec: Codec<T>,
        cut: Option<Cut<W>>,
        found: Walk,
    ) -> RecordWriter<T, W> {
        RecordWriter {
            sink: Some(sink),
            cut,
            schema: codec.schema().clone(),
            buffered_bytes: codec.limits_used().buffered_bytes,
            // The file has the schema: no message carries its digest.
            encoder: codec.digest(false).check(false).encoder(),
            options: self.clone(),
            frames: Vec::new(),
            count: 0,
            places: found.places,
            position: found.end,
            indexed: found.indexed,
        }
    }
}

/// Magic and the block of the schema.
fn head<T: Pack>(codec: &Codec<T>) -> Result<Vec<u8>, Error> {
    let mut head = MAGIC.to_vec();
    write_block(BlockKind::Schema, codec.schema().text().as_bytes(), &mut head)?;
    Ok(head)
}

/// Checks that a file without one whole block is the beginning of this head: any other holds records, whatever its sizes say.
fn check_begun(file: &mut (impl Read + Seek), head: &[u8]) -> Result<(), RecordError> {
    let mut there = vec![0; head.len()];
    file.seek(SeekFrom::Start(0))?;
    let length = read_up_to(file, &mut there)?;
    let Some(at) = (0..length).find(|&at| there[at] != head[at]) else { return Ok(()) };
    let text =
        "the schema's block does not end in the file, and is not what this writer writes: nothing is cut off; is \
                its size damaged, or was it of another type?";
    Err(Error::new(Code::Malformed, text).at(at).into())
}

type Cut<W> = fn(&mut W, u64) -> io::Result<()>;

/// Writes records of one type into a file that says what they are.
///
/// A record is encoded at once, and reaches the file with its block: when the block is full, on [`flush`](Self::flush) and on
/// [`close`](Self::close). What a crash finds unflushed is lost; the blocks before it are whole. One writer a file at a time:
/// there is no lock.
///
/// Dropping a writer closes it and ignores errors: call [`close`](Self::close) to see them.
pub struct RecordWriter<T: Pack, W: Write> {
    /// `None` after the writer has ended.
    sink: Option<W>,
    /// How the file is cut, if it can be.
    cut: Option<Cut<W>>,
    schema: Schema,
    encoder: Encoder<T>,
    options: RecordWriterOptions,
    buffered_bytes: usize,
    /// The records that are not written yet.
    frames: Vec<u8>,
    count: u32,
    places: Places,
    position: u64,
    /// An index ends at `position`.
    indexed: bool,
}

impl<T: Pack> RecordWriter<T, File> {
    /// As [`RecordWriterOptions::create`], with default options.
    ///
    /// # Errors
    /// As [`RecordWriterOptions::create`].
    pub fn create(path: impl AsRef<Path>, codec: Codec<T>) -> Result<Self, RecordError> {
        RecordWriterOptions::new().create(path, codec)
    }

    /// As [`RecordWriterOptions::append`], with default options.
    ///
    /// # Errors
    /// As [`RecordWriterOptions::append`].
    pub fn append(path: impl AsRef<Path>, codec: Codec<T>) -> Result<Self, RecordError> {
        RecordWriterOptions::new().append(path, codec)
    }
}

impl<T: Pack, W: Write> RecordWriter<T, W> {
    /// As [`RecordWriterOptions::write_to`], with default options.
    ///
    /// # Errors
    /// As [`RecordWriterOptions::write_to`].
    pub fn new(sink: W, codec: Codec<T>) -> Result<Self, RecordError> {
        RecordWriterOptions::new().write_to(sink, codec)
    }

    /// As [`RecordWriterOptions::append_to`], with default options.
    ///
    /// # Errors
    /// As [`RecordWriterOptions::append_to`].
    pub fn append_to(file: W, codec: Codec<T>) -> Result<Self, RecordError>
    where
        W: RecordFile,
    {
        RecordWriterOptions::new().append_to(file, codec)
    }

    /// How many records the file holds with those that are not flushed yet.
    pub fn record_count(&self) -> u64 {
        self.places.records() + u64::from(self.count)
    }

    /// Adds a record.
    ///
    /// # Errors
    /// As [`Codec::encode`], and `limit_size` for a record whose block is larger than `buffered_bytes`: the file is as it
    /// was and can be written on. `closed` after the file could not be written. What the file fails with.
    pub fn write(&mut self, record: &T) -> Result<(), RecordError> {
        self.check_open()?;
        let start = self.frames.len();
        write_frame(self.encoder.encode(record)?, &mut self.frames)?;
        self.framed(start)
    }

    /// Adds a record that is encoded.
    #[cfg(feature = "arrow")]
    pub(super) fn write_message(&mut self, message: &[u8]) -> Result<(), RecordError> {
        self.check_open()?;
        let start = self.frames.len();
        write_frame(message, &mut self.frames)?;
        self.framed(start)
    }

    /// Counts the frame that begins at `start`, and writes the block that is full.
    fn framed(&mut self, start: usize) -> Result<(), RecordError> {
        // Alone in a block, it stands behind a count of one byte.
        let size = 1 + self.frames.len() - start;
        if size > self.buffered_bytes {
            self.frames.truncate(start);
            let text = format!(
                "a record that needs a block of {size} bytes, limits.buffered_bytes is {}: raise it on both sides",
                self.buffered_bytes
            );
            return Err(Error::new(Code::LimitSize, text).path("$").into());
        }
        if self.count > 0 && self.frames.len() > self.options.block_bytes {
            // The record begins the next block.
            let frame = self.frames.split_off(start);
            self.flush()?;
            self.frames = frame;
        }
        self.count += 1;
        if self.frames.len() >= self.options.block_bytes {
            self.flush()?;
        }
        Ok(())
    }

    /// Adds records one by one.
    ///
    /// # Errors
    /// As [`write`](Self::write); the records before the one at fault are added.
    pub fn write_many<'r>(&mut self, records: impl IntoIterator<Item = &'r T>) -> Result<(), RecordError>
    where
        T: 'r,
    {
        records.into_iter().try_for_each(|record| self.write(record))
    }

    /// Writes the records so far as a block, so that readers of the file see them.
    ///
    /// # Errors
    /// As [`write`](Self::write).
    pub fn flush(&mut self) -> Result<(), RecordError> {
        self.check_open()?;
        if self.count == 0 {
            return Ok(());
        }
        let mut block = Vec::new();
        write_records(self.count, &self.frames, self.options.compression, &mut block)?;
        let start = self.position;
        self.put(&block)?;
        self.places.push(RecordBlock { start, count: self.count });
        self.count = 0;
        self.frames.clear();
        self.indexed = false;
        Ok(())
    }

    /// [Flushes](Self::flush), and returns once the records so far would survive a power cut. Closing does not: call this
    /// before. Of a new file on a POSIX system the entry in its folder has to be synced, too (`File::open(folder)` and
    /// `sync_all`).
    ///
    /// # Errors
    /// As [`write`](Self::write).
    pub fn sync(&mut self) -> Result<(), RecordError>
    where
        W: RecordFile,
    {
        self.flush()?;
        if let Err(error) = self.sink.as_mut().ok_or_else(ended)?.sync() {
            // The system may have dropped what it could not write, and a second attempt would say that all is well.
            self.sink = None;
            return Err(error.into());
        }
        Ok(())
    }

    /// Writes what is left and the index, and returns what was written to. Of more blocks than an index within
    /// `buffered_bytes` names none is written: readers then walk over the blocks.
    ///
    /// # Errors
    /// As [`write`](Self::write).
    pub fn close(mut self) -> Result<W, RecordError> {
        self.finish()?;
        self.sink.take().ok_or_else(|| ended().into())
    }

    fn finish(&mut self) -> Result<(), RecordError> {
        self.flush()?;
        if !self.indexed {
            let mut block = Vec::new();
            write_index(&self.places, self.position, self.buffered_bytes, &mut block)?;
            self.put(&block)?;
            self.indexed = true;
        }
        Ok(())
    }

    #[cfg(feature = "arrow")]
    pub(super) fn schema(&self) -> &Schema {
        &self.schema
    }

    #[cfg(feature = "arrow")]
    pub(super) fn message(&self) -> &Message {
        self.encoder.message()
    }

    pub(super) fn check_open(&self) -> Result<(), Error> {
        self.sink.as_ref().map(|_| ()).ok_or_else(ended)
    }

    /// Writes all of the bytes, or ends the writer and leaves the file as it was.
    fn put(&mut self, bytes: &[u8]) -> Result<(), RecordError> {
        let sink = self.sink.as_mut().ok_or_else(ended)?;
        if let Err(error) = sink.write_all(bytes).and_then(|()| sink.flush()) {
            if let Some(cut) = self.cut {
                // What the file says now is less telling than why it could not be written.
                let _ = cut(sink, self.position);
            }
            self.sink = None;
            return Err(error.into());
        }
        self.position += bytes.len() as u64;
        Ok(())
    }
}

impl<T: Pack, W: Write> Drop for RecordWriter<T, W> {
    fn drop(&mut self) {
        // Ended writers have nothing to close; a panic may have left a record half encoded, but never half added.
        if self.sink.is_some() {
            let _ = self.finish();
        }
    }
}

impl<T: Pack, W: Write> core::fmt::Debug for RecordWriter<T, W> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("RecordWriter")
            .field("schema", &self.schema.text())
            .field("records", &self.record_count())
            .finish_non_exhaustive()
    }
}

fn ended() -> Error {
    Error::new(Code::Closed, "this writer has ended: open the file again to append to it")
}
