//! Builds a message, for the fastest way from Python's objects to `bytes`.
//!
//! It writes the same bytes as the core's `Writer`. It is separate since the core's writer joins the blocks in a vector
//! first, while here all parts are copied directly into the `bytes` object, and since rows reserve room once, not for
//! each byte. Packed rows of integers use the core.

mod buffer;
mod columns;
mod form;
mod row;
mod text;
mod text_column;
mod text_columns;
mod texts;
mod words;

pub use buffer::varint_at;
use buffer::{few_at, Buffer};
pub use form::{Choice, Form};
use samewire_pack::wire::{
    fraction, header, varint_len, DuplicateFilter, Number, Writer, WriterBudget, BIGINT_MAX, SHORT_LATIN,
};
use samewire_pack::{Code, Error, Fault, Limits, Profile};
use std::collections::HashMap;
pub use text_column::TextColumn;
use texts::Texts;
pub use words::bytes_of;

/// The most bytes of a header: itself, a digest, three lengths.
const HEAD: usize = 39;

/// Sites of most schemas.
const FEW_SITES: usize = 8;

/// The options of a message.
#[derive(Clone, Copy)]
pub struct Start {
    pub sites: usize,
    pub profile: Profile,
    pub limits: Limits,
}

/// Buffers for one message after another.
pub struct Sink {
    values: Buffer,
    latin: Buffer,
    wide: Buffer,
    utf8: Buffer,
    texts: Texts,
    /// The next number of a text; counted while texts are looked up.
    next: usize,
    /// Consecutive misses of each site; at least `FEW_SITES`, so that one store empties those of most schemas.
    misses: Vec<u8>,
    bits: u8,
    compact: bool,
    /// Sites whose texts are looked up, still, in this message.
    open: usize,
    marks: Option<DuplicateFilter>,
    depth: u32,
    budget: WriterBudget,
    /// `frame_bytes`, and whether the message exceeded it.
    most: usize,
    over: bool,
    /// Of the message that was ended: what it carries of the digest, and the zero bytes before its values.
    mark: header::Mark,
    padding: usize,
    /// Structs behind `ref`, by address.
    shared: HashMap<usize, u32>,
    fault: Code,
    /// Packs rows of integers.
    packer: Writer,
    packed: Vec<u8>,
    columns: Option<Box<columns::Scratch>>,
    /// Columns of texts whose memory is reused. Boxed, since they are larger than a cache line, and are moved often.
    #[allow(clippy::vec_box)]
    spare: Vec<Box<TextColumn>>,
}

/// The most room of a row of texts (of at most 95 characters) and numbers.
#[derive(Clone, Copy)]
pub struct Room {
    values: usize,
    latin: usize,
}

impl Room {
    /// The room of a row of `n` of them.
    pub const fn of(n: usize) -> Room {
        Room { values: n * 10, latin: n * SHORT_LATIN }
    }
}

/// The addresses of the next bytes, kept in registers during a row: in memory each append would wait for the previous
/// one (store forwarding).
#[derive(Clone, Copy)]
pub struct Cursors {
    pub values: *mut u8,
    latin: *mut u8,
    next: usize,
}

impl Sink {
    pub fn new() -> Self {
        Sink {
            values: Buffer::new(),
            latin: Buffer::new(),
            wide: Buffer::new(),
            utf8: Buffer::new(),
            texts: Texts::new(),
            next: 0,
            misses: Vec::new(),
            bits: 0,
            compact: true,
            open: 0,
            marks: None,
            depth: 0,
            budget: WriterBudget::default(),
            mark: header::Mark::default(),
            padding: 0,
            shared: HashMap::new(),
            most: 0,
            over: false,
            fault: Code::Misuse,
            packer: Writer::new(),
            packed: Vec::new(),
            columns: None,
            spare: Vec::new(),
        }
    }

    /// Begins a message; a previous one is dropped.
    #[inline(always)]
    pub fn begin(&mut self, start: &Start) {
        self.values.clear();
        self.bits = header::VERSION;
        self.compact = start.profile == Profile::Compact;
        self.open = if self.compact { start.sites } else { 0 };
        self.depth = start.limits.depth;
        self.budget.begin(&start.limits);
        self.most = start.limits.frame_bytes;
        self.over = false;
        if start.sites > 0 {
            self.latin.clear();
            self.wide.clear();
            self.utf8.clear();
            self.next = 0;
            if self.compact {
                self.texts.clear();
                match self.misses.first_chunk_mut() {
                    Some(few) if start.sites <= FEW_SITES => *few = [0; FEW_SITES],
                    _ => {
                        self.misses.clear();
                        self.misses.resize(start.sites.max(FEW_SITES), 0);
                    }
                }
            }
        }
        if !self.shared.is_empty() {
            self.shared.clear();
        }
    }

    /// Ends the message and returns its length.
    ///
    /// # Errors
    /// `limit_size` over `frame_bytes`.
    #[inline(always)]
    pub fn finish(&mut self, mark: &header::Mark, limits: &Limits) -> Result<usize, Error> {
        self.mark = *mark;
        self.bits |= mark.bit;
        let mut blocks = 1 + mark.length;
        let (chars, units) = (self.latin.len(), self.wide.len() / 2);
        if chars > 0 {
            self.bits |= header::TEXT;
            blocks += varint_len(chars as u64) + chars;
        }
        if units > 0 {
            self.bits |= header::WIDE;
            blocks += varint_len(units as u64) + 2 * units;
        }
        let bytes = self.utf8.len();
        if bytes > 0 {
            self.bits |= header::UTF8;
            blocks += varint_len(bytes as u64) + bytes;
        }
        self.padding = if self.bits & header::ALIGNED != 0 { 1usize.wrapping_sub(blocks) & 7 } else { 0 };
        let length = blocks + self.padding + self.values.len();
        if length > limits.frame_bytes {
            return Err(too_long(length, limits));
        }
        Ok(length)
    }

    /// Writes the header of the message that was ended at `to`, and returns where it ends.
    ///
    /// # Safety
    /// `HEAD` bytes must be writable there, or as many as the message has.
    #[inline(always)]
    unsafe fn head_at(&self, mut to: *mut u8) -> *mut u8 {
        // SAFETY: `HEAD` bytes are writable at `to`, or as many as the message has.
        unsafe {
            *to = self.bits;
            to = to.add(1);
            let [first, second, ..] = self.mark.bytes;
            match self.mark.length {
                2 => to.cast::<[u8; 2]>().write_unaligned([first, second]),
                8 => to.cast::<[u8; 8]>().write_unaligned(self.mark.bytes),
                _ => {}
            }
            to = to.add(self.mark.length);
            if self.latin.len() > 0 {
                to = varint_at(to, self.latin.len() as u64);
            }
            if self.wide.len() > 0 {
                to = varint_at(to, self.wide.len() as u64 / 2);
            }
            if self.utf8.len() > 0 {
                to = varint_at(to, self.utf8.len() as u64);
            }
            to
        }
    }

    /// Writes the message that was ended to `to`.
    ///
    /// # Safety
    /// As many bytes as [`finish`](Self::finish) answered must be writable there.
    #[inline(always)]
    pub unsafe fn emit(&self, to: *mut u8) {
        // SAFETY: as many bytes are writable as the message has; the parts' lengths add up to that.
        unsafe {
            let mut to = self.head_at(to);
            if self.latin.len() > 0 {
                to = copy_at(to, self.latin.as_slice());
            }
            if self.wide.len() > 0 {
                to = copy_at(to, self.wide.as_slice());
            }
            if self.utf8.len() > 0 {
                to = copy_at(to, self.utf8.as_slice());
            }
            if self.padding > 0 {
                to = copy_at(to, &[0; 8][..self.padding]);
            }
            copy_at(to, self.values.as_slice());
        }
    }

    /// The header of the message that was ended.
    pub fn head(&self) -> Vec<u8> {
        let mut head = vec![0; HEAD];
        // SAFETY: there are that many bytes.
        let end = unsafe { self.head_at(head.as_mut_ptr()) };
        head.truncate(end as usize - head.as_ptr() as usize);
        head
    }

    /// What follows the header, in order.
    pub fn parts(&self) -> [&[u8]; 5] {
        let [latin, wide, utf8] = [&self.latin, &self.wide, &self.utf8].map(|block| block.as_slice());
        [latin, wide, utf8, &[0; 8][..self.padding], self.values.as_slice()]
    }

    /// Bytes that are kept between messages.
    pub fn footprint(&self) -> usize {
        let blocks = self.latin.capacity() + self.wide.capacity() + self.utf8.capacity();
        let buffers = self.values.capacity() + blocks;
        let columns = self.columns.as_ref().map_or(0, |columns| columns.footprint())
            + self.spare.iter().map(|column| column.footprint()).sum::<usize>();
        buffers + columns + self.texts.footprint() + self.packed.capacity() + self.packer.footprint()
    }

    // Failing

    /// Stores the reason of a failure.
    #[cold]
    pub fn fail(&mut self, code: Code) -> Fault {
        self.fault = code;
        Fault
    }

    /// The last failure.
    pub fn fault(&self) -> Error {
        let text = match self.fault {
            Code::LimitDepth => "nested deeper than limits.depth: a cycle, or raise it on both sides",
            Code::LimitSize if self.over => {
                "the message takes more bytes than limits.frame_bytes: write a record file, or raise it on both sides"
            }
            Code::LimitSize => "larger than the format allows",
            Code::LimitItems => "more elements than a count can say",
            _ => "the value cannot be written",
        };
        match self.budget.refusal() {
            Some(refusal) => Error::new(self.fault, refusal),
            None => Error::new(self.fault, text),
        }
    }

    /// Fails if one block is too long already, before more memory is allocated: a value whose parts occur many times
    /// could make a huge message. (The sum of the blocks is not checked: its loads of pointer pairs would stall on
    /// store forwarding, just after one of each pair was stored.)
    ///
    /// # Errors
    /// `limit_size` over `frame_bytes`.
    #[inline(always)]
    pub fn bounded(&mut self) -> Result<(), Fault> {
        let most = self.most;
        let Sink { values, latin, wide, utf8, .. } = self;
        if values.len() > most || latin.len() > most || wide.len() > most || utf8.len() > most {
            return Err(self.endless());
        }
        Ok(())
    }

    /// Fails if the message will have at least so many bytes, and is then too long.
    ///
    /// # Errors
    /// `limit_size` over `frame_bytes`.
    #[inline(always)]
    pub fn bounded_by(&mut self, bytes: usize) -> Result<(), Fault> {
        if bytes > self.most {
            return Err(self.endless());
        }
        Ok(())
    }

    #[cold]
    fn endless(&mut self) -> Fault {
        self.over = true;
        self.fail(Code::LimitSize)
    }

    /// Whether the failure is the message's length, whose path is the root.
    pub fn is_over(&self) -> bool {
        self.over
    }

    // Rows

    /// Reserves room for a row, and lends the cursors for writing it.
    #[inline(always)]
    pub fn lend(&mut self, room: Room) -> Cursors {
        self.values.just_room(room.values);
        self.latin.just_room(room.latin);
        Cursors { values: self.values.cursor(), latin: self.latin.cursor(), next: self.next }
    }

    /// Reserves room for another row, and lends the cursors again.
    ///
    /// # Errors
    /// As [`bounded`](Self::bounded), where the blocks have to grow.
    ///
    /// # Safety
    /// As [`take_back`](Self::take_back).
    #[inline(always)]
    pub unsafe fn more(&mut self, cursors: Cursors, room: Room) -> Result<Cursors, Fault> {
        if self.values.has(cursors.values, room.values) && self.latin.has(cursors.latin, room.latin) {
            return Ok(cursors);
        }
        // SAFETY: the cursors were lent last, and no more was written than there was room for.
        unsafe { self.take_back(cursors) };
        self.bounded()?;
        Ok(self.lend(room))
    }

    /// Takes the cursors back.
    ///
    /// # Safety
    /// They must be the ones that were lent last, with no more written than there was room for.
    #[inline(always)]
    pub unsafe fn take_back(&mut self, cursors: Cursors) {
        // SAFETY: the cursors were lent last, and no more was written than there was room for.
        unsafe {
            self.values.move_to(cursors.values);
            self.latin.move_to(cursors.latin);
        }
        self.next = cursors.next;
    }

    // Values

    /// An integer that stands alone.
    #[inline(always)]
    pub fn number<T: Number>(&mut self, value: T) {
        self.values.room(10);
        // SAFETY: there is room.
        unsafe { self.values.move_to(number_at(self.values.cursor(), value)) };
    }

    /// One byte.
    #[inline(always)]
    pub fn byte(&mut self, byte: u8) {
        self.values.room(1);
        // SAFETY: there is room.
        unsafe { self.values.put(byte) };
    }

    /// An unsigned number.
    #[inline(always)]
    pub fn varint(&mut self, value: u64) {
        self.values.room(10);
        // SAFETY: there is room.
        unsafe { self.values.put_varint(value) };
    }

    /// A signed number.
    #[inline(always)]
    pub fn zigzag(&mut self, value: i64) {
        self.varint((value << 1 ^ value >> 63) as u64);
    }

    /// A count or a length.
    ///
    /// # Errors
    /// `limit_items` at 2^31 and above; `limit_size` as [`bounded`](Self::bounded).
    #[inline(always)]
    pub fn count(&mut self, count: usize) -> Result<(), Fault> {
        if count >= 1 << 31 {
            return Err(self.fail(Code::LimitItems));
        }
        self.bounded()?;
        self.varint(count as u64);
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

    /// Charges elements, of so many cells each, of so many containers to the readers' limits.
    ///
    /// # Errors
    /// `limit_items` if that is less.
    #[inline(always)]
    pub fn hold(&mut self, count: usize, containers: usize, cells: u64) -> Result<(), Fault> {
        self.budget.hold(count, containers, cells).map_err(|Fault| self.fail(Code::LimitItems))
    }

    /// Charges cells to the readers' limits, for the value that begins here.
    ///
    /// # Errors
    /// As [`hold`](Self::hold).
    #[inline(always)]
    pub fn charge(&mut self, cells: u64) -> Result<(), Fault> {
        self.budget.charge(cells).map_err(|Fault| self.fail(Code::LimitItems))
    }

    /// A number of 32 bits; a NaN becomes the one NaN.
    #[inline(always)]
    pub fn f32(&mut self, value: f32) {
        let bits = if value.is_nan() { 0x7fc0_0000 } else { value.to_bits() };
        self.array(bits.to_le_bytes());
    }

    /// A number of 64 bits; a NaN becomes the one NaN.
    #[inline(always)]
    pub fn f64(&mut self, value: f64) {
        let bits = if value.is_nan() { 0x7ff8_0000_0000_0000 } else { value.to_bits() };
        self.array(bits.to_le_bytes());
    }

    /// Bytes of a known number.
    #[inline(always)]
    pub fn array<const N: usize>(&mut self, bytes: [u8; N]) {
        self.values.room(N);
        // SAFETY: there is room.
        unsafe { self.values.put_array(bytes) };
    }

    /// A length and that many bytes.
    ///
    /// # Errors
    /// As [`count`](Self::count).
    pub fn bytes(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        self.count(bytes.len())?;
        self.values.extend(bytes);
        Ok(())
    }

    /// An integer in the shortest big-endian two's complement.
    ///
    /// # Errors
    /// `limit_size` over 4,096 bytes.
    pub fn bigint(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        if bytes.len() > BIGINT_MAX {
            return Err(self.fail(Code::LimitSize));
        }
        self.bytes(bytes)
    }

    /// Whole seconds, rounded down, and nanoseconds in their coarsest exact unit.
    pub fn seconds(&mut self, seconds: i64, nanos: u32) {
        self.zigzag(seconds);
        self.varint(fraction(nanos));
    }

    // Flags, nesting, sharing

    /// Reserves the flags of a row with `slots` flagged slots, all zero, and returns their offset.
    #[inline(always)]
    pub fn flags(&mut self, slots: usize) -> usize {
        let at = self.values.len();
        self.values.zeros(slots.div_ceil(8));
        at
    }

    /// Sets flag number `slot` of the flags at `at`.
    ///
    /// # Safety
    /// `at` must come from [`flags`](Self::flags), of this message, for more than `slot` slots.
    #[inline(always)]
    pub unsafe fn set_flag(&mut self, at: usize, slot: usize) {
        // SAFETY: `flags` has written a byte for each eight slots from `at` on, and the message has only grown.
        unsafe { self.values.set(at + slot / 8, 1 << (slot % 8)) };
    }

    /// Enters a recursive struct, or a container of an `any`.
    ///
    /// # Errors
    /// `limit_depth`.
    #[inline(always)]
    pub fn enter(&mut self) -> Result<(), Fault> {
        self.bounded()?;
        self.descend()
    }

    /// Enters a recursive struct, or a container of an `any`, while cursors are lent.
    ///
    /// # Errors
    /// `limit_depth`.
    #[inline(always)]
    pub fn descend(&mut self) -> Result<(), Fault> {
        if self.depth == 0 {
            return Err(self.fail(Code::LimitDepth));
        }
        self.depth -= 1;
        Ok(())
    }

    /// Leaves what was entered.
    #[inline(always)]
    pub fn leave(&mut self) {
        self.depth += 1;
    }

    /// Begins a `ref`. Returns true if the struct has to follow, then [`end_ref`](Self::end_ref).
    pub fn begin_ref(&mut self, address: usize) -> bool {
        let number = self.shared.get(&address).copied();
        self.varint(number.map_or(0, |number| u64::from(number) + 1));
        number.is_none()
    }

    /// Ends a struct behind a `ref`: it gets the next number.
    pub fn end_ref(&mut self, address: usize) {
        let number = self.shared.len() as u32;
        if self.shared.try_reserve(1).is_err() {
            crate::core::memory::fail();
        }
        self.shared.insert(address, number);
    }
}

/// Writes an integer that stands alone at `to`, and returns where it ends.
///
/// # Safety
/// Ten bytes must be writable there.
#[inline(always)]
pub unsafe fn number_at<T: Number>(to: *mut u8, value: T) -> *mut u8 {
    // SAFETY: ten bytes are writable at `to`.
    unsafe {
        if T::WIDTH == 1 {
            *to = value.to_word() as u8;
            to.add(1)
        } else if T::SIGNED {
            let value = value.to_i64();
            varint_at(to, (value << 1 ^ value >> 63) as u64)
        } else {
            varint_at(to, value.to_word())
        }
    }
}

/// Copies bytes to `to`, and returns where they end. The blocks of small messages are too short for a call.
#[inline(always)]
unsafe fn copy_at(to: *mut u8, bytes: &[u8]) -> *mut u8 {
    // SAFETY: as many bytes as the slice has are writable at `to`, outside the slice.
    unsafe {
        if bytes.len() <= 16 {
            return few_at(to, bytes.as_ptr(), bytes.len());
        }
        std::ptr::copy_nonoverlapping(bytes.as_ptr(), to, bytes.len());
        to.add(bytes.len())
    }
}

#[cold]
fn too_long(length: usize, limits: &Limits) -> Error {
    let most = limits.frame_bytes;
    let text = format!(
        "the message takes {length} bytes, limits.frame_bytes is {most}: write a record file, or raise it on both sides"
    );
    Error::new(Code::LimitSize, text).path("$")
}
