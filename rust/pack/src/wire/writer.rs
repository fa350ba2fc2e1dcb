//! The writer of one message after another.

use super::bounds::{ALIGN_FROM, BIGINT_MAX, MAX_MISSES};
use super::buffer::Buffer;
use super::columns::scratch::Scratch;
use super::columns::spare::Spare;
use super::dedup_table::DedupTable;
use super::header;
use super::number::{one_nan_32, one_nan_64, zigzag};
use super::scan::Seed;
use super::shared_structs::SharedStructs;
use super::time::fraction;
use super::varint::varint_len;
use super::writer_budget::WriterBudget;
use crate::profile::Profile;
use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::vec::Vec;
use samewire_core::path::{path_text, Segment};
use samewire_core::Limits;
use samewire_core::{Code, Error, Fault};

/// One large message must not make all later ones reserve as much.
const EXPECTED_MAX: usize = 1 << 16;

/// What a message is begun with.
#[derive(Clone, Copy, Debug, Default)]
pub struct Message {
    /// The number of dedup slots of the schema (places that say `string` or `any`). With none, values are written to the output itself.
    pub dedup_slots: usize,
    /// How to write.
    pub profile: Profile,
    /// The schema's digest, if the header is to carry it.
    pub digest: Option<u64>,
    /// The schema's digest, if the header is to carry its first two bytes, the check. A header with the digest carries none.
    pub check: Option<u64>,
    /// `depth`, `frame_bytes`, `items` and `cells` hold for writers.
    pub limits: Limits,
    /// Whether the caller is to write every map in ascending order of its keys, also one that has an order of its own.
    pub sort_keys: bool,
}

/// One of the buffers that a message was made in.
#[derive(Debug)]
pub struct Part {
    bytes: Vec<u8>,
    start: usize,
}

impl Part {
    /// Its bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[self.start..]
    }
}

/// Writes messages, one after another, into buffers that it keeps: after the first few nothing is allocated but the
/// output.
///
/// Between [`begin`](Self::begin) and [`finish`](Self::finish) the caller writes one slot, the root, by calls that
/// follow the schema. The output moves into the writer meanwhile; [`abort`](Self::abort) gives it back as it was.
pub struct Writer {
    /// The values, or, without text, the whole output.
    pub(super) values: Buffer,
    /// Where the values of this message start in `values`.
    pub(super) start: usize,
    /// With text: the output, on which the Latin-1 block is written in place, after a guess of the header's length.
    pub(super) latin: Buffer,
    /// Where this message starts in the output.
    origin: usize,
    /// Where the Latin-1 block starts in `latin`.
    block: usize,
    /// The header's length in the last message with text: the guess for the next.
    head: usize,
    /// The header's length in the last message without text, with the padding: 1 to 9 bytes.
    plain_head: usize,
    /// The length of the last message.
    last: usize,
    pub(super) wide: Buffer,
    pub(super) utf8: Buffer,
    pub(super) texts: DedupTable,
    /// The number for the next text that is numbered.
    pub(super) next: u32,
    /// Consecutive misses of each dedup slot.
    pub(crate) misses: Vec<u8>,
    /// Whether all of them were disabled from the start.
    all_disabled: bool,
    /// How many dedup slots this message has disabled.
    pub(crate) disabled: usize,
    /// Header bits found out while writing.
    pub(super) bits: u8,
    textual: bool,
    pub(super) compact: bool,
    sort_keys: bool,
    mark: header::Mark,
    pub(super) frame_bytes: usize,
    /// Whether the message was given up because it was too long.
    over: bool,
    depth: u32,
    budget: WriterBudget,
    shared: SharedStructs,
    /// Made at the first column.
    pub(super) columns: Option<Box<Scratch>>,
    pub(super) spare: Spare,
    fault: Code,
    path: Vec<Segment<'static>>,
}

impl Default for Writer {
    fn default() -> Self {
        Self::new()
    }
}

impl Writer {
    /// A writer without a message.
    pub fn new() -> Self {
        Writer {
            values: Buffer::default(),
            start: 0,
            latin: Buffer::default(),
            origin: 0,
            block: 0,
            head: 2,
            plain_head: 1,
            last: 0,
            wide: Buffer::default(),
            utf8: Buffer::default(),
            texts: DedupTable::new(Seed::random()),
            next: 0,
            misses: Vec::new(),
            all_disabled: false,
            disabled: 0,
            bits: 0,
            textual: false,
            compact: true,
            sort_keys: false,
            mark: header::Mark::default(),
            frame_bytes: 0,
            over: false,
            depth: 0,
            budget: WriterBudget::default(),
            shared: SharedStructs::default(),
            columns: None,
            spare: Spare::default(),
            fault: Code::Misuse,
            path: Vec::new(),
        }
    }

    /// Begins a message that is appended to `out`. Whatever an unfinished message had written is dropped.
    #[inline]
    pub fn begin(&mut self, out: &mut Vec<u8>, message: &Message) {
        self.compact = message.profile.is_compact();
        self.sort_keys = message.sort_keys;
        self.bits = header::VERSION;
        self.mark = header::Mark::of(message.digest, message.check);
        self.frame_bytes = message.limits.frame_bytes;
        self.over = false;
        self.depth = message.limits.depth;
        self.budget.begin(&message.limits);
        self.shared.clear();
        self.origin = out.len();
        self.textual = message.dedup_slots > 0;
        // A vector goes in and out part by part (see `release`).
        if self.textual {
            self.latin.adopt(core::mem::take(out));
            return self.begin_texts(message.dedup_slots);
        }
        self.values.adopt(core::mem::take(out));
        self.values.byte(0);
        self.values.word(0, self.plain_head - 1);
        self.start = self.values.len();
        self.values.limit(self.start.saturating_add(self.frame_bytes));
    }

    /// Begins a message with text on the output adopted.
    #[inline(never)]
    fn begin_texts(&mut self, dedup_slots: usize) {
        self.next = 0;
        self.texts.clear();
        self.disabled = 0;
        // In `fast` every dedup slot is disabled from the start, and stays so from message to message.
        if self.compact || !self.all_disabled || self.misses.len() != dedup_slots {
            self.misses.clear();
            self.misses.resize(dedup_slots, if self.compact { 0 } else { MAX_MISSES });
            self.all_disabled = !self.compact;
        }
        self.wide.clear();
        self.wide.limit(self.frame_bytes);
        self.utf8.clear();
        self.utf8.limit(self.frame_bytes);
        self.block = self.origin + self.head;
        self.latin.zeros(self.head);
        self.latin.limit(self.block.saturating_add(self.frame_bytes));
        self.values.clear();
        self.values.limit(self.frame_bytes);
        self.start = 0;
    }

    /// Whether long lists of structs are to be written as columns.
    #[inline(always)]
    pub fn writes_columns(&self) -> bool {
        self.compact
    }

    /// Whether maps that have an order of their own are to be written in ascending order of their keys.
    #[inline(always)]
    pub fn sorts_keys(&self) -> bool {
        self.sort_keys
    }

    /// Ends the message and gives the output back with the message appended.
    ///
    /// # Errors
    /// `limit_size` if the message is longer than `frame_bytes`; the output is then as it was.
    #[inline]
    pub fn finish(&mut self, out: &mut Vec<u8>) -> Result<(), Error> {
        let length = self.seal();
        *out = self.release();
        let admitted = self.admit(length);
        if admitted.is_err() {
            out.truncate(self.origin);
        }
        admitted
    }

    /// Completes the output where it is, and returns the message's length.
    #[inline]
    fn seal(&mut self) -> usize {
        let end = if self.textual {
            self.join();
            self.latin.len()
        } else {
            self.bits |= self.mark.bit;
            let blocks = 1 + self.mark.length;
            let head = blocks + padding(self.bits, blocks);
            if head != self.plain_head {
                self.move_values(head);
            }
            let to = &mut self.values.as_mut_slice()[self.origin..];
            to[0] = self.bits;
            self.mark.put(&mut to[1..]);
            self.values.len()
        };
        self.last = end - self.origin;
        self.last
    }

    /// Moves the values of a message without text behind a header of another length, of zeros.
    #[cold]
    #[inline(never)]
    fn move_values(&mut self, head: usize) {
        let length = self.values.len() - self.start;
        let start = self.origin + head;
        self.values.zeros(head.saturating_sub(self.plain_head));
        self.values.as_mut_slice().copy_within(self.start..self.start + length, start);
        self.values.as_mut_slice()[self.origin..start].fill(0);
        self.values.truncate(start + length);
        self.plain_head = head;
    }

    /// The output. It goes where it is wanted part by part, by code that stands there: a vector that another function has
    /// just stored would be moved sixteen bytes at a time, and such a load waits for both stores.
    #[inline(always)]
    fn release(&mut self) -> Vec<u8> {
        if self.textual {
            self.latin.take()
        } else {
            self.values.take()
        }
    }

    /// Puts the header before the Latin-1 block and the rest after it.
    #[inline(never)]
    fn join(&mut self) {
        let lengths = self.block_lengths();
        let head = self.note_header(lengths);
        let [chars, units, bytes] = lengths;
        if head != self.head {
            let target = self.origin + head;
            self.latin.zeros(head.saturating_sub(self.head));
            self.latin.as_mut_slice().copy_within(self.block..self.block + chars, target);
            self.latin.truncate(target + chars);
            self.head = head;
        }
        put_header(&mut self.latin.as_mut_slice()[self.origin..], self.bits, &self.mark, lengths);
        if units > 0 {
            self.latin.bytes(self.wide.as_slice());
        }
        if bytes > 0 {
            self.latin.bytes(self.utf8.as_slice());
        }
        self.latin.zeros(padding(self.bits, self.latin.len() - self.origin));
        self.latin.bytes(self.values.as_slice());
    }

    /// Characters of the Latin-1 block, units of the wide one, bytes of the UTF-8 one.
    fn block_lengths(&self) -> [usize; 3] {
        [self.latin.len() - self.block, self.wide.len() / 2, self.utf8.len()]
    }

    /// Notes what the header of a message with text says, and returns its length.
    fn note_header(&mut self, lengths: [usize; 3]) -> usize {
        self.bits |= self.mark.bit;
        let mut length = 1 + self.mark.length;
        for (bit, block) in [header::TEXT, header::WIDE, header::UTF8].into_iter().zip(lengths) {
            if block > 0 {
                self.bits |= bit;
                length += varint_len(block as u64);
            }
        }
        length
    }

    /// Ends a message that was begun on an empty output and hands out the buffers it was made in, without joining them.
    ///
    /// # Errors
    /// As [`finish`](Self::finish).
    pub fn finish_parts(&mut self) -> Result<Vec<Part>, Error> {
        if !self.textual {
            let mut out = Vec::new();
            self.finish(&mut out)?;
            return Ok(vec![Part { bytes: out, start: 0 }]);
        }
        let lengths = self.block_lengths();
        let mut head = vec![0; self.note_header(lengths)];
        put_header(&mut head, self.bits, &self.mark, lengths);
        let blocks = head.len() + lengths[0] + self.wide.len() + self.utf8.len();
        let padding = padding(self.bits, blocks);
        self.admit(blocks + padding + self.values.len())?;
        let whole = |bytes| Part { bytes, start: 0 };
        Ok(vec![
            whole(head),
            Part { bytes: self.latin.take(), start: self.block },
            whole(self.wide.take()),
            whole(self.utf8.take()),
            whole(vec![0; padding]),
            whole(self.values.take()),
        ])
    }

    #[inline]
    fn admit(&self, length: usize) -> Result<(), Error> {
        if length > self.frame_bytes || self.over {
            return Err(self.too_long());
        }
        Ok(())
    }

    #[cold]
    fn too_long(&self) -> Error {
        let most = self.frame_bytes;
        let text = alloc::format!(
            "the message takes more than the {most} bytes of limits.frame_bytes: write a record file, or raise it on both sides"
        );
        Error::new(Code::LimitSize, text).path("$")
    }

    /// Drops the message and gives the output back as it was.
    #[inline]
    pub fn abort(&mut self, out: &mut Vec<u8>) {
        *out = self.release();
        out.truncate(self.origin);
    }

    /// Bytes that the writer keeps between messages, for who wants to drop a writer that has become large.
    #[inline]
    pub fn footprint(&self) -> usize {
        let columns = self.columns.as_ref().map_or(0, |columns| columns.footprint()) + self.spare.footprint();
        let texts = self.wide.capacity() + self.utf8.capacity() + self.texts.footprint() + self.misses.capacity();
        self.values.capacity() + texts + columns
    }

    /// Room for a message like the last one: its length, and what short texts may be stored over.
    pub fn expected(&self) -> usize {
        self.last.min(EXPECTED_MAX) + 2 * size_of::<u64>()
    }

    // Failing

    /// Notes why writing fails. The first function that fails calls this, the ones around it add their
    /// [`segment`](Self::inside) of the path.
    #[cold]
    pub fn fail(&mut self, code: Code) -> Fault {
        self.fault = code;
        self.path.clear();
        Fault
    }

    /// Adds the place inside which the failure happened.
    #[cold]
    pub fn inside(&mut self, segment: Segment<'static>) -> Fault {
        self.path.push(segment);
        Fault
    }

    /// Notes why a row or a level is refused: for `code`, or because the message is too long already. That is looked for in
    /// one branch with what else may be wrong, before the message takes the memory: where a value shares its parts, it may
    /// have no end. A block of texts that is too long shows in the values too ([`leave_out`](Self::leave_out)).
    #[cold]
    pub(super) fn refuse(&mut self, code: Code) -> Fault {
        self.over |= self.values.is_over();
        self.fail(if self.over { Code::LimitSize } else { code })
    }

    /// Leaves a text out with which the message would be longer than it may be, and all that follows from the next count on.
    #[cold]
    pub(super) fn leave_out(&mut self) {
        self.over = true;
        self.values.limit(0);
    }

    /// The failure that was noted last, with its path. That of a message that was too long is `$`, wherever it was noticed.
    pub fn fault(&self) -> Error {
        if self.over {
            return self.too_long();
        }
        let text = match self.fault {
            Code::LimitDepth => "nested deeper than limits.depth: a cycle, or raise it on both sides",
            Code::LimitSize => "larger than the format allows",
            Code::LimitItems => "more elements than a count can say",
            Code::TypeMismatch => {
                "keys occur once each; in an Any they are all strings or all i64s (write the integers as strings, or use \
                 two maps), others need a Map<K, V>"
            }
            _ => "the value cannot be written",
        };
        let text = self.budget.refusal().map_or(text.into(), Cow::from);
        Error::new(self.fault, text).path(path_text(self.path.iter().rev().copied()))
    }

    // Numbers

    /// One byte as it is.
    #[inline(always)]
    pub fn byte(&mut self, value: u8) {
        self.values.byte(value);
    }

    /// An unsigned number as a varint.
    #[inline(always)]
    pub fn varint(&mut self, value: u64) {
        self.values.varint(value);
    }

    /// A signed number as a zigzag varint.
    #[inline(always)]
    pub fn zigzag(&mut self, value: i64) {
        self.values.varint(zigzag(value));
    }

    /// The count of a list, set or map, or a length.
    ///
    /// # Errors
    /// `limit_items` at 2^31 and above; `limit_size` if the message is longer than `frame_bytes` already.
    #[inline(always)]
    pub fn count(&mut self, count: usize) -> Result<(), Fault> {
        if (count >= 1 << 31) | self.values.is_over() {
            return Err(self.refuse(Code::LimitItems));
        }
        self.values.varint(count as u64);
        Ok(())
    }

    /// The count of a container whose elements, or entries, take so many cells each.
    ///
    /// # Errors
    /// As [`hold`](Self::hold) and [`count`](Self::count).
    #[inline(always)]
    pub fn container(&mut self, count: usize, cells: u64) -> Result<(), Fault> {
        self.hold(count, 1, cells)?;
        self.count(count)
    }

    /// Takes the elements, of so many cells each, of so many containers from what the message's readers allow.
    ///
    /// # Errors
    /// `limit_items` if that is less; `limit_size` if the message is longer than `frame_bytes` already.
    #[inline(always)]
    pub fn hold(&mut self, count: usize, containers: usize, cells: u64) -> Result<(), Fault> {
        self.budget.hold(count, containers, cells).map_err(|Fault| self.refuse(Code::LimitItems))
    }

    /// Takes cells from what the message's readers allow, for what begins here.
    ///
    /// # Errors
    /// As [`hold`](Self::hold).
    #[inline(always)]
    pub fn charge(&mut self, cells: u64) -> Result<(), Fault> {
        self.budget.charge(cells).map_err(|Fault| self.refuse(Code::LimitItems))
    }

    /// A number of 32 bits; a NaN becomes the one NaN.
    #[inline(always)]
    pub fn f32(&mut self, value: f32) {
        self.values.array(one_nan_32(value).to_le_bytes());
    }

    /// A number of 64 bits; a NaN becomes the one NaN.
    #[inline(always)]
    pub fn f64(&mut self, value: f64) {
        self.values.array(one_nan_64(value).to_le_bytes());
    }

    /// Bytes of a fixed number, as those of a UUID.
    #[inline(always)]
    pub fn array<const N: usize>(&mut self, bytes: [u8; N]) {
        self.values.array(bytes);
    }

    /// Bytes without a length.
    pub fn raw(&mut self, bytes: &[u8]) {
        self.values.bytes(bytes);
    }

    /// A length and that many bytes.
    ///
    /// # Errors
    /// As [`count`](Self::count).
    pub fn bytes(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        self.count(bytes.len())?;
        self.values.bytes(bytes);
        Ok(())
    }

    /// An integer in the shortest big-endian two's complement (zero: no bytes).
    ///
    /// # Errors
    /// `limit_size` over 4,096 bytes.
    pub fn bigint(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        if bytes.len() > BIGINT_MAX {
            return Err(self.fail(Code::LimitSize));
        }
        self.bytes(bytes)
    }

    /// Whole seconds, rounded down, and nanoseconds below a thousand million.
    pub fn seconds(&mut self, seconds: i64, nanos: u32) {
        self.zigzag(seconds);
        self.varint(fraction(nanos));
    }

    // Flags

    /// Reserves the flags of a row with `slots` flagged slots, all zero, and returns where they stand.
    #[inline(always)]
    pub fn flags(&mut self, slots: usize) -> usize {
        let at = self.values.len();
        let bytes = slots.div_ceil(8);
        if bytes <= 8 {
            self.values.word(0, bytes);
        } else {
            self.values.zeros(bytes);
        }
        at
    }

    /// Sets flag number `slot` of the flags reserved at `at`.
    #[inline(always)]
    pub fn set_flag(&mut self, at: usize, slot: usize) {
        self.values.as_mut_slice()[at + slot / 8] |= 1 << (slot % 8);
    }

    /// The flags of a row of at most 64 flagged slots at once, the first in the lowest bit.
    #[inline(always)]
    pub fn flag_word(&mut self, flags: u64, slots: usize) {
        self.values.word(flags, slots.div_ceil(8));
    }

    // Nesting and sharing

    /// Enters a recursive struct, or a list or map inside an `any`.
    ///
    /// # Errors
    /// `limit_depth`; `limit_size` if the message is longer than `frame_bytes` already.
    #[inline(always)]
    pub fn enter(&mut self) -> Result<(), Fault> {
        if (self.depth == 0) | self.values.is_over() {
            return Err(self.refuse(Code::LimitDepth));
        }
        self.depth -= 1;
        Ok(())
    }

    /// Leaves what was entered.
    #[inline(always)]
    pub fn leave(&mut self) {
        self.depth += 1;
    }

    /// Begins a `ref` to the struct at `address`. Returns true if the struct has to follow, then
    /// [`end_ref`](Self::end_ref).
    pub fn begin_ref(&mut self, address: usize) -> bool {
        match self.shared.find(address) {
            Some(number) => {
                self.varint(u64::from(number) + 1);
                false
            }
            None => {
                self.varint(0);
                true
            }
        }
    }

    /// Ends a struct behind a `ref`: it gets the next reference number.
    pub fn end_ref(&mut self, address: usize) {
        self.shared.add(address);
    }

    // Raw runs

    /// Padding before a raw run of `bytes` bytes.
    pub(super) fn align(&mut self, bytes: usize) {
        if bytes >= ALIGN_FROM {
            self.bits |= header::ALIGNED;
            // Values start one byte after a multiple of 8.
            let offset = self.values.len() - self.start + 1;
            self.values.word(0, offset.wrapping_neg() & 7);
        }
    }
}

/// The zero bytes between the blocks, which end at `length`, and the values.
fn padding(bits: u8, length: usize) -> usize {
    if bits & header::ALIGNED == 0 {
        return 0;
    }
    1usize.wrapping_sub(length) & 7
}

/// Writes the header of a message with text to the start of `to`.
fn put_header(to: &mut [u8], bits: u8, mark: &header::Mark, lengths: [usize; 3]) {
    to[0] = bits;
    mark.put(&mut to[1..]);
    let mut at = 1 + mark.length;
    for mut length in lengths.into_iter().filter(|&length| length > 0) {
        while length >= 0x80 {
            to[at] = length as u8 | 0x80;
            length >>= 7;
            at += 1;
        }
        to[at] = length as u8;
        at += 1;
    }
}
