//! The strict reader: follows a schema over the bytes of a message, checks everything and keeps the path.
//!
//! Fast decoders only notice that something is wrong. [`check`] then reads the same bytes from the start and decides code,
//! offset and path. The same walk [skips](skip) fields that the reader's type lacks (`spec/pack.md` section 13).

mod columns;

use crate::key::{has_repeated, Key};
use crate::schema::{Cells, Schema, Type, TypeId};
use crate::wire::columns::Count;
use crate::wire::{deepest, Chars, Checkpoint, Cost, Number, Reader, Token};
use crate::wire::{ANY_BYTES_CELLS, ANY_CELLS, ANY_DECIMAL_CELLS, KEY_CELLS};
use alloc::vec::Vec;
use samewire_core::path::{path_text, Segment};
use samewire_core::Limits;
use samewire_core::{Code, Error, Fault};

/// Checks a whole message that was written with `schema`.
///
/// # Errors
/// The first error in the order of the bytes, with code, offset and path.
pub fn check(schema: &Schema, data: &[u8], limits: &Limits) -> Result<(), Error> {
    check_with(schema, schema.cells(), data, limits)
}

/// Checks a whole message that was written with `schema`, counting `cells` as the weights of its types.
///
/// # Errors
/// As [`check`].
pub fn check_with(schema: &Schema, cells: &Cells, data: &[u8], limits: &Limits) -> Result<(), Error> {
    check_up_to(None, schema, cells, data, limits)
}

/// As [`check_with`], but fails with `limit_items` at the offset `stop`, to find the path of a value whose memory a native
/// reader refused.
pub(crate) fn check_up_to(
    stop: Option<usize>,
    schema: &Schema,
    cells: &Cells,
    data: &[u8],
    limits: &Limits,
) -> Result<(), Error> {
    let mut reader = Reader::new(data, Some(schema.digest()), limits)?;
    let mut table = Table::default();
    let mut walker = Walker { stop, ..Walker::new(schema, cells, &mut table, limits.depth) };
    let done = walker.root(&mut reader);
    done.map_err(|Fault| reader.fault().path(path_text(walker.path.iter().copied())))
}

/// A value that a converter refused, as far as its reader knows.
#[derive(Clone, Debug)]
pub(crate) struct Refused {
    /// Where it, or its row or column, starts and ends.
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// Its place in a row or column.
    pub(crate) place: Option<usize>,
    /// The schema of what is written for it.
    pub(crate) written: Schema,
}

impl Refused {
    /// Whether it is what lies between these offsets. A value may lie at the same ones as the struct that holds nothing
    /// else, so types are compared: two that contain each other and nothing more differ in kind or name.
    fn is(&self, schema: &Schema, ty: TypeId, start: usize, end: usize) -> bool {
        if (self.start, self.end) != (start, end) {
            return false;
        }
        match (schema.ty(ty), self.written.ty(self.written.root())) {
            (Type::Struct(one), Type::Struct(other)) => {
                schema.structs()[*one].name == self.written.structs()[*other].name
            }
            (one, other) => core::mem::discriminant(one) == core::mem::discriminant(other),
        }
    }
}

/// Returns the path of the value that a converter refused, in a message that is whole. `None` if it is not found.
#[cfg(feature = "paths")]
pub(crate) fn path_of(
    refused: &Refused,
    schema: &Schema,
    data: &[u8],
    limits: &Limits,
) -> Option<alloc::string::String> {
    let mut reader = Reader::new(data, Some(schema.digest()), limits).ok()?;
    let mut table = Table::default();
    let mut walker = Walker { refused: Some(refused), ..Walker::new(schema, schema.cells(), &mut table, limits.depth) };
    let done = walker.root(&mut reader);
    done.err().map(|Fault| path_text(walker.path.iter().copied()))
}

/// Skips and checks one slot of type `ty`. Its flag, if the type has one, has been read and is set.
///
/// # Errors
/// The path from the slot to the fault; code and offset are in the reader.
pub fn skip<'a, 's>(
    schema: &'s Schema,
    cells: &'s Cells,
    ty: TypeId,
    reader: &mut Reader<'a>,
    host: &mut impl Host<'a>,
    limits: &Limits,
) -> Result<(), Vec<Segment<'s>>> {
    let mut walker = Walker::new(schema, cells, host, limits.depth);
    let done = match schema.ty(ty) {
        Type::Bool => Ok(()),
        Type::Option(inner) => walker.present(reader, *inner),
        _ => walker.slot(reader, ty),
    };
    done.map_err(|Fault| walker.path)
}

/// Skips and checks the row of a struct behind a `ref`, an index into [`Schema::structs`].
///
/// # Errors
/// As [`skip`], the path from the row to the fault.
pub fn skip_shared<'a, 's>(
    schema: &'s Schema,
    cells: &'s Cells,
    structure: usize,
    reader: &mut Reader<'a>,
    host: &mut impl Host<'a>,
    limits: &Limits,
) -> Result<(), Vec<Segment<'s>>> {
    let mut walker = Walker::new(schema, cells, host, limits.depth);
    walker.placed(reader, structure).map_err(|Fault| walker.path)
}

/// Skips and checks a column of `m` values of type `ty` (`spec/columns.md`).
///
/// # Errors
/// As [`skip`], the path from the column to the fault.
pub fn skip_column<'a, 's>(
    schema: &'s Schema,
    cells: &'s Cells,
    ty: TypeId,
    m: usize,
    reader: &mut Reader<'a>,
    host: &mut impl Host<'a>,
    limits: &Limits,
) -> Result<(), Vec<Segment<'s>>> {
    let mut walker = Walker::new(schema, cells, host, limits.depth);
    walker.column(reader, ty, m).map_err(|Fault| walker.path)
}

/// The state of a decoder that a skip continues: numbered texts and shared structs.
pub trait Host<'a> {
    /// A new text got a number: the next one, unless this part of the message is read again.
    fn numbered(&mut self, number: u32, token: Token<'a>);
    /// Returns the characters of a numbered text.
    fn text(&self, number: u32) -> Chars<'a>;
    /// Returns the struct (an index into [`Schema::structs`]) with this reference number, if there is one.
    fn shared(&self, number: u32) -> Option<usize>;
    /// Returns how many structs have a reference number so far.
    fn given(&self) -> usize;
    /// A struct behind a `ref` has ended: gives it the next number.
    fn share(&mut self, structure: usize, begin: Begin);
}

/// The state at the start of a struct behind a `ref`, for reading it again.
#[derive(Clone, Copy, Debug)]
pub struct Begin {
    /// Where the struct's row begins.
    pub checkpoint: Checkpoint,
    /// The reference numbers given before it.
    pub given: usize,
}

/// Texts and shared structs of a message that is only checked.
#[derive(Default)]
struct Table<'a> {
    texts: Vec<Chars<'a>>,
    shared: Vec<usize>,
}

impl<'a> Host<'a> for Table<'a> {
    fn numbered(&mut self, _: u32, token: Token<'a>) {
        self.texts.extend(Chars::of(token));
    }

    fn text(&self, number: u32) -> Chars<'a> {
        self.texts[number as usize]
    }

    fn shared(&self, number: u32) -> Option<usize> {
        self.shared.get(number as usize).copied()
    }

    fn given(&self) -> usize {
        self.shared.len()
    }

    fn share(&mut self, structure: usize, _: Begin) {
        self.shared.push(structure);
    }
}

struct Walker<'s, 'h, H> {
    /// Where to stop with `limit_items`, if anywhere.
    stop: Option<usize>,
    /// What to stop behind, if anything: its path is then that of the failure.
    refused: Option<&'h Refused>,
    schema: &'s Schema,
    cells: &'s Cells,
    host: &'h mut H,
    path: Vec<Segment<'s>>,
    /// How many more slots may nest. Depth bounds recursive structs only; an untrusted schema may chain thousands
    /// that are not, and the walk must not exhaust the stack on them.
    nesting: usize,
}

impl<'s, 'h, H> Walker<'s, 'h, H> {
    fn new(schema: &'s Schema, cells: &'s Cells, host: &'h mut H, depth: u32) -> Self {
        Walker { stop: None, refused: None, schema, cells, host, path: Vec::new(), nesting: deepest(depth) }
    }

    fn inside<R>(
        &mut self,
        segment: Option<Segment<'s>>,
        walk: impl FnOnce(&mut Self) -> Result<R, Fault>,
    ) -> Result<R, Fault> {
        let length = self.path.len();
        self.path.extend(segment);
        let done = walk(self)?;
        self.path.truncate(length);
        Ok(done)
    }
}

impl<'a, 's, H: Host<'a>> Walker<'s, '_, H> {
    /// All values of the message.
    fn root(&mut self, r: &mut Reader<'a>) -> Result<(), Fault> {
        let root = self.schema.root();
        r.charge_here(self.cells.slot(root).into())?;
        self.row(r, &[root], |_| None)?;
        r.finish()
    }

    /// The slots of a tuple, or the root.
    fn row(
        &mut self,
        r: &mut Reader<'a>,
        types: &[TypeId],
        segment: impl Fn(usize) -> Option<Segment<'s>>,
    ) -> Result<(), Fault> {
        let schema = self.schema;
        let flags = r.flags(types.iter().filter(|&&ty| schema.ty(ty).flagged()).count())?;
        let mut flag = 0;
        for (i, &ty) in types.iter().enumerate() {
            let flagged = schema.ty(ty).flagged();
            let set = !flagged || flags[flag / 8] >> (flag % 8) & 1 == 1;
            flag += usize::from(flagged);
            if set {
                self.inside(segment(i), |walker| walker.flagged_slot(r, ty))?;
            }
        }
        Ok(())
    }

    /// A row of `count` slots of one type.
    fn run(
        &mut self,
        r: &mut Reader<'a>,
        ty: TypeId,
        count: usize,
        segment: fn(usize) -> Segment<'s>,
    ) -> Result<(), Fault> {
        let start = r.position();
        self.run_inside(r, ty, count, segment)?;
        self.stop_behind(r, ty, start, true, |i| Some(segment(i)))
    }

    fn run_inside(
        &mut self,
        r: &mut Reader<'a>,
        ty: TypeId,
        count: usize,
        segment: fn(usize) -> Segment<'s>,
    ) -> Result<(), Fault> {
        match self.schema.ty(ty) {
            Type::Bool => r.flags(count).map(|_| ()),
            Type::Option(inner) => {
                let flags = r.flags(count)?;
                for i in (0..count).filter(|i| flags[i / 8] >> (i % 8) & 1 == 1) {
                    self.inside(Some(segment(i)), |walker| walker.present(r, *inner))?;
                }
                Ok(())
            }
            Type::I8 => r.skip_numbers::<i8>(count),
            Type::I16 => r.skip_numbers::<i16>(count),
            Type::I32 => r.skip_numbers::<i32>(count),
            Type::I64 => r.skip_numbers::<i64>(count),
            Type::U8 => r.skip_numbers::<u8>(count),
            Type::U16 => r.skip_numbers::<u16>(count),
            Type::U32 => r.skip_numbers::<u32>(count),
            Type::U64 => r.skip_numbers::<u64>(count),
            Type::F32 => r.skip_numbers::<f32>(count),
            Type::F64 => r.skip_numbers::<f64>(count),
            _ => (0..count).try_for_each(|i| self.inside(Some(segment(i)), |walker| walker.slot(r, ty))),
        }
    }

    /// A slot in a row, whose flag, if its type has one, is set.
    fn flagged_slot(&mut self, r: &mut Reader<'a>, ty: TypeId) -> Result<(), Fault> {
        match self.schema.ty(ty) {
            Type::Bool => Ok(()),
            Type::Option(inner) => self.present(r, *inner),
            _ => self.slot(r, ty),
        }
    }

    /// The value of a present `option` of this type.
    fn present(&mut self, r: &mut Reader<'a>, ty: TypeId) -> Result<(), Fault> {
        r.charge_here(self.cells.present(self.schema, ty).into())?;
        self.slot(r, ty)
    }

    /// Fails where the walk has to stop.
    fn pass(&self, r: &mut Reader<'a>) -> Result<(), Fault> {
        match self.stop {
            Some(stop) if stop == r.position() => Err(r.fail(Code::LimitItems, stop)),
            _ => Ok(()),
        }
    }

    /// Fails if what lies between `start` and here, a slot or `many` of them, is what a converter refused.
    fn stop_behind(
        &mut self,
        r: &mut Reader<'a>,
        ty: TypeId,
        start: usize,
        many: bool,
        segment: impl Fn(usize) -> Option<Segment<'s>>,
    ) -> Result<(), Fault> {
        match self.refused {
            Some(refused) if refused.place.is_some() == many && refused.is(self.schema, ty, start, r.position()) => {
                self.path.extend(refused.place.and_then(segment));
                Err(r.fail(Code::TypeMismatch, start))
            }
            _ => Ok(()),
        }
    }

    /// A slot that is there: of `bool`, the byte of an `option<bool>`.
    fn slot(&mut self, r: &mut Reader<'a>, ty: TypeId) -> Result<(), Fault> {
        if self.nesting == 0 {
            return Err(r.fail(Code::LimitDepth, r.position()));
        }
        self.nesting -= 1;
        self.pass(r)?;
        let start = r.position();
        self.slot_inside(r, ty)?;
        self.stop_behind(r, ty, start, false, |_| None)?;
        self.nesting += 1;
        Ok(())
    }

    fn slot_inside(&mut self, r: &mut Reader<'a>, ty: TypeId) -> Result<(), Fault> {
        let schema = self.schema;
        let at = r.position();
        match schema.ty(ty) {
            Type::Bool => r.bool().map(drop),
            Type::I8 | Type::U8 => r.byte().map(drop),
            Type::I16 => r.number::<i16>().map(drop),
            Type::I32 => r.number::<i32>().map(drop),
            Type::I64 => r.number::<i64>().map(drop),
            Type::U16 => r.number::<u16>().map(drop),
            Type::U32 => r.number::<u32>().map(drop),
            Type::U64 => r.number::<u64>().map(drop),
            Type::F32 => r.take(4).map(drop),
            Type::F64 => r.take(8).map(drop),
            Type::BigInt => r.bigint().map(drop),
            Type::Decimal => r.zigzag32().and_then(|_| r.bigint()).map(drop),
            Type::String(_) => self.text(r).map(drop),
            Type::Bytes => r.bytes().map(drop),
            Type::Uuid => r.take(16).map(drop),
            Type::Date => r.date().map(drop),
            Type::Time => r.time().map(drop),
            Type::Timestamp => r.timestamp().map(drop),
            Type::Duration => r.duration().map(drop),
            Type::Any(_) => self.any(r),
            Type::Enum(index) => r.index(schema.enums()[*index].symbols.len()).map(drop),
            Type::Option(inner) => self.present(r, *inner),
            Type::List(item) => {
                let (cost, cells) = (schema.ty(*item).cost(), self.cells.slot(*item).into());
                let count =
                    if schema.is_flat(*item) { r.list_count(cost, cells)? } else { Count::Rows(r.count(cost, cells)?) };
                self.pass(r)?;
                match count {
                    Count::Rows(count) => self.run(r, *item, count, Segment::Index),
                    Count::Columns(count) => {
                        self.inside(Some(Segment::Elements), |walker| walker.column(r, *item, count))
                    }
                }
            }
            Type::Set(key) => {
                let count = r.count(schema.ty(*key).cost(), self.cells.key(*key))?;
                self.pass(r)?;
                self.keys(r, *key, count, at, Segment::Index)
            }
            Type::Map(key, value) => {
                let cells = self.cells.entry(*key, *value);
                let costs = (schema.ty(*key).cost(), schema.ty(*value).cost());
                let count = if schema.is_flat(*value) {
                    r.map_count_of(costs.0, costs.1, cells)?
                } else {
                    Count::Rows(r.map_count(costs.0, costs.1, cells)?)
                };
                self.pass(r)?;
                match count {
                    Count::Rows(count) => {
                        self.keys(r, *key, count, at, Segment::Key)?;
                        self.run(r, *value, count, Segment::Value)
                    }
                    Count::Columns(count) => self.map_columns(r, *key, *value, count, at),
                }
            }
            Type::Tuple(types) => self.row(r, types, |i| Some(Segment::Index(i))),
            Type::Struct(index) => self.structure(r, *index),
            Type::Union(members) => {
                let index = r.index(members.structs.len())?;
                self.placed(r, members.structs[index])
            }
            Type::Ref(index) => {
                let number = r.varint32()?;
                if number == 0 {
                    let begin = Begin { checkpoint: r.checkpoint(), given: self.host.given() };
                    self.placed(r, *index)?;
                    self.host.share(*index, begin);
                } else if self.host.shared(number - 1) != Some(*index) {
                    return Err(r.fail(Code::Malformed, at));
                }
                Ok(())
            }
        }
    }

    /// The row of a struct that does not lie inline.
    fn placed(&mut self, r: &mut Reader<'a>, index: usize) -> Result<(), Fault> {
        if !self.schema.structs()[index].recursive {
            r.charge_here(self.cells.row(index).into())?;
        }
        self.structure(r, index)
    }

    fn structure(&mut self, r: &mut Reader<'a>, index: usize) -> Result<(), Fault> {
        let made = &self.schema.structs()[index];
        if made.recursive {
            r.enter(r.position())?;
            r.charge_here(self.cells.row(index).into())?;
        }
        let flags = r.flags(made.flags)?;
        let mut flag = 0;
        for field in &made.fields {
            let flagged = self.schema.ty(field.ty).flagged();
            let set = !flagged || flags[flag / 8] >> (flag % 8) & 1 == 1;
            flag += usize::from(flagged);
            if set {
                self.inside(Some(Segment::Field(&field.name)), |walker| walker.flagged_slot(r, field.ty))?;
            }
        }
        if made.recursive {
            r.leave();
        }
        Ok(())
    }

    fn text(&mut self, r: &mut Reader<'a>) -> Result<Chars<'a>, Fault> {
        let token = r.token()?;
        Ok(match token {
            Token::Back(number) => self.host.text(number),
            Token::Latin1 { chars, numbered } => {
                if numbered {
                    self.host.numbered(r.texts() - 1, token);
                }
                Chars::Latin1(chars)
            }
            Token::Wide { units, numbered } => {
                if numbered {
                    self.host.numbered(r.texts() - 1, token);
                }
                Chars::Wide(units)
            }
            Token::Utf8 { text, numbered } => {
                if numbered {
                    self.host.numbered(r.texts() - 1, token);
                }
                Chars::Utf8(text)
            }
        })
    }

    // Keys

    /// A row of keys that must be distinct; the count stands at `at`.
    fn keys(
        &mut self,
        r: &mut Reader<'a>,
        ty: TypeId,
        count: usize,
        at: usize,
        segment: fn(usize) -> Segment<'s>,
    ) -> Result<(), Fault> {
        let start = r.position();
        let repeated = match self.schema.ty(ty) {
            Type::Bool => {
                let flags = r.flags(count)?;
                count > 2 || count == 2 && matches!(flags[0], 0 | 3)
            }
            Type::I8 => repeated_number::<i8>(r, count)?,
            Type::I16 => repeated_number::<i16>(r, count)?,
            Type::I32 => repeated_number::<i32>(r, count)?,
            Type::I64 => repeated_number::<i64>(r, count)?,
            Type::U8 => repeated_number::<u8>(r, count)?,
            Type::U16 => repeated_number::<u16>(r, count)?,
            Type::U32 => repeated_number::<u32>(r, count)?,
            Type::U64 => repeated_number::<u64>(r, count)?,
            _ => {
                let mut keys = Vec::new();
                for i in 0..count {
                    keys.push(self.inside(Some(segment(i)), |walker| walker.key(r, ty))?);
                }
                has_repeated(keys)
            }
        };
        if repeated {
            return Err(r.fail(Code::Malformed, at));
        }
        self.stop_behind(r, ty, start, true, |i| Some(segment(i)))
    }

    /// A key of a type that has neither flags nor numeric rows.
    fn key(&mut self, r: &mut Reader<'a>, ty: TypeId) -> Result<Key<'a>, Fault> {
        Ok(match self.schema.ty(ty) {
            Type::String(_) => Key::Text(self.text(r)?),
            Type::BigInt => Key::Bytes(r.bigint()?),
            Type::Uuid => Key::Bytes(r.take(16)?),
            Type::Date => Key::Int(i64::from(r.date()?)),
            Type::Time => Key::Int(r.time()? as i64),
            Type::Timestamp => r.timestamp().map(|(seconds, nanos)| Key::Time(seconds, nanos))?,
            Type::Duration => r.duration().map(|(seconds, nanos)| Key::Time(seconds, nanos))?,
            Type::Enum(index) => Key::Int(r.index(self.schema.enums()[*index].symbols.len())? as i64),
            _ => return Err(r.fail(Code::Unsupported, r.position())),
        })
    }

    // any

    fn any(&mut self, r: &mut Reader<'a>) -> Result<(), Fault> {
        let at = r.position();
        self.pass(r)?;
        match r.byte()? {
            0x00..=0x02 | 0x80.. => {}
            0x03 => drop(r.zigzag64()?),
            0x04 => drop(r.bigint()?),
            0x05 => drop(r.take(8)?),
            0x06 => drop(self.text(r)?),
            0x07 => {
                r.charge(at, ANY_BYTES_CELLS)?;
                r.bytes()?;
            }
            0x08 => self.any_list(r, at)?,
            0x09 => self.any_map(r, at)?,
            0x0a => {
                r.charge(at, ANY_DECIMAL_CELLS)?;
                r.zigzag32().and_then(|_| r.bigint())?;
            }
            0x0b => drop(r.take(16)?),
            0x0c => drop(r.date()?),
            0x0d => drop(r.time()?),
            0x0e => drop(r.timestamp()?),
            0x0f => drop(r.duration()?),
            0x10 => any_numbers::<i8>(r, Cost::One)?,
            0x11 => any_numbers::<i16>(r, Cost::Integers)?,
            0x12 => any_numbers::<i32>(r, Cost::Integers)?,
            0x13 => any_numbers::<i64>(r, Cost::Integers)?,
            0x14 => any_numbers::<u16>(r, Cost::Integers)?,
            0x15 => any_numbers::<u32>(r, Cost::Integers)?,
            0x16 => any_numbers::<u64>(r, Cost::Integers)?,
            0x17 => any_numbers::<f32>(r, Cost::Four)?,
            0x18 => any_numbers::<f64>(r, Cost::Eight)?,
            // Other parts' extensions.
            0x30..=0x3f => return Err(r.fail(Code::Unsupported, at)),
            _ => return Err(r.fail(Code::Malformed, at)),
        }
        Ok(())
    }

    /// The key of a map inside an `any`, of the same kind as the `first`.
    fn any_key(&mut self, r: &mut Reader<'a>, first: Option<Key<'a>>) -> Result<Key<'a>, Fault> {
        let at = r.position();
        Ok(match (r.byte()?, first) {
            (0x03, None | Some(Key::Int(_))) => Key::Int(r.zigzag64()?),
            (0x06, None | Some(Key::Text(_))) => Key::Text(self.text(r)?),
            (tag @ 0x80.., None | Some(Key::Int(_))) => Key::Int(i64::from(tag - 0x80)),
            _ => return Err(r.fail(Code::Malformed, at)),
        })
    }

    fn any_list(&mut self, r: &mut Reader<'a>, at: usize) -> Result<(), Fault> {
        r.enter(at)?;
        for i in 0..r.count(Cost::One, ANY_CELLS)? {
            self.inside(Some(Segment::Index(i)), |walker| walker.any(r))?;
        }
        r.leave();
        Ok(())
    }

    fn any_map(&mut self, r: &mut Reader<'a>, at: usize) -> Result<(), Fault> {
        r.enter(at)?;
        let count_at = r.position();
        let count = r.map_count(Cost::One, Cost::One, KEY_CELLS + 2 * ANY_CELLS)?;
        let mut keys = Vec::new();
        for i in 0..count {
            let first = keys.first().copied();
            keys.push(self.inside(Some(Segment::Key(i)), |walker| walker.any_key(r, first))?);
        }
        if has_repeated(keys) {
            return Err(r.fail(Code::Malformed, count_at));
        }
        for i in 0..count {
            self.inside(Some(Segment::Value(i)), |walker| walker.any(r))?;
        }
        r.leave();
        Ok(())
    }
}

fn any_numbers<T: Number>(r: &mut Reader<'_>, cost: Cost) -> Result<(), Fault> {
    let count = r.count(cost, 1)?;
    r.skip_numbers::<T>(count)
}

fn repeated_number<T: Number + Ord>(r: &mut Reader<'_>, count: usize) -> Result<bool, Fault> {
    let mut numbers = Vec::new();
    r.numbers::<T>(count, &mut numbers)?;
    numbers.sort_unstable();
    Ok(numbers.windows(2).any(|pair| pair[0] == pair[1]))
}
