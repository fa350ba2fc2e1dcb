//! Values as a message has them, in rows or in columns: what `Pack` writes for values of native types.

use super::values::Values;
use crate::schema::{Cells, Schema, Type, TypeId};
use crate::wire::columns::is_columnar;
use crate::wire::{Message, Writer};
use alloc::vec::Vec;
use samewire_core::path::{path_text, Segment};
use samewire_core::{Code, Error, Fault};

/// One message being written.
pub(super) struct Writing<'w, 's> {
    w: &'w mut Writer,
    schema: &'s Schema,
    cells: &'s Cells,
    /// From the inside to the outside, where something fails.
    path: Vec<Segment<'s>>,
}

/// Appends the message of one list of so many elements.
pub(super) fn write_list(
    w: &mut Writer,
    schema: &Schema,
    message: &Message,
    count: usize,
    values: &mut Values<'_>,
    out: &mut Vec<u8>,
) -> Result<(), Error> {
    write(w, schema, message, out, |writing| match schema.ty(schema.root()) {
        Type::List(item) => writing.list(*item, count, values),
        _ => Err(writing.lost()),
    })
}

/// Appends the message of one struct, the next of these.
pub(super) fn write_row(
    w: &mut Writer,
    schema: &Schema,
    message: &Message,
    values: &mut Values<'_>,
    out: &mut Vec<u8>,
) -> Result<(), Error> {
    write(w, schema, message, out, |writing| writing.slot(schema.root(), values))
}

fn write<'s>(
    w: &mut Writer,
    schema: &'s Schema,
    message: &Message,
    out: &mut Vec<u8>,
    values: impl FnOnce(&mut Writing<'_, 's>) -> Result<(), Fault>,
) -> Result<(), Error> {
    w.begin(out, message);
    let mut writing = Writing { w, schema, cells: schema.cells(), path: Vec::new() };
    let root = u64::from(writing.cells.slot(schema.root()));
    let done = writing.w.charge(root).and_then(|()| values(&mut writing));
    let path = core::mem::take(&mut writing.path);
    if done.is_ok() {
        return w.finish(out);
    }
    w.abort(out);
    let error = w.fault();
    // A message that is too long has the path `$`.
    if error.code == Code::LimitSize {
        return Err(error);
    }
    Err(error.path(path_text(path.into_iter().rev())))
}

impl<'s> Writing<'_, 's> {
    #[cold]
    fn inside(&mut self, segment: Segment<'s>) -> Fault {
        self.path.push(segment);
        Fault
    }

    /// Values that are not of their type: `Values::of` makes none.
    #[cold]
    fn lost(&mut self) -> Fault {
        self.w.fail(Code::Unsupported)
    }

    /// A slot. Its flag, if it has one, is written.
    fn slot(&mut self, ty: TypeId, values: &mut Values<'_>) -> Result<(), Fault> {
        let schema = self.schema;
        match (schema.ty(ty), values) {
            (Type::Bool, Values::Bool(values)) => {
                values.one();
            }
            (Type::I8, Values::I8(values)) => self.w.number(values.one()),
            (Type::I16, Values::I16(values)) => self.w.number(values.one()),
            (Type::I32, Values::I32(values)) => self.w.number(values.one()),
            (Type::I64, Values::I64(values)) => self.w.number(values.one()),
            (Type::U8, Values::U8(values)) => self.w.number(values.one()),
            (Type::U16, Values::U16(values)) => self.w.number(values.one()),
            (Type::U32, Values::U32(values)) => self.w.number(values.one()),
            (Type::U64, Values::U64(values)) => self.w.number(values.one()),
            (Type::F32, Values::F32(values)) => self.w.f32(values.one()),
            (Type::F64, Values::F64(values)) => self.w.f64(values.one()),
            (Type::BigInt, Values::Big(values, _)) => self.w.bigint(values.one().shortest())?,
            (Type::Decimal, Values::Big(values, scale)) => {
                self.w.zigzag((*scale).into());
                self.w.bigint(values.one().shortest())?;
            }
            (Type::String(dedup_slot), Values::Text(values)) => self.w.str(*dedup_slot as usize, values.one()),
            (Type::Bytes, Values::Bytes(values)) => self.w.bytes(values.one())?,
            (Type::Uuid, Values::Uuid(values)) => self.w.array(values.one()),
            (Type::Date, Values::I32(values)) => self.w.zigzag(values.one().into()),
            (Type::Time, Values::U64(values)) => self.w.varint(values.one()),
            (Type::Timestamp | Type::Duration, Values::Time(values)) => {
                let (seconds, nanos) = values.one();
                self.w.seconds(seconds, nanos);
            }
            (Type::Enum(_), Values::U32(values)) => self.w.varint(values.one().into()),
            (Type::Option(inner), Values::Option(flags, held)) => {
                if flags.one() {
                    let cells = self.cells.present(schema, *inner);
                    self.w.charge(cells.into())?;
                    match (schema.ty(*inner), &mut **held) {
                        (Type::Bool, Values::Bool(values)) => self.w.byte(values.one().into()),
                        (_, held) => self.slot(*inner, held)?,
                    }
                }
            }
            (Type::List(item), Values::List(counts, items)) => {
                let count = counts.one();
                self.list(*item, count, items)?;
            }
            (Type::Set(key), Values::List(counts, keys)) => {
                let count = counts.one();
                self.w.container(count, self.cells.key(*key))?;
                self.row(*key, count, keys, Segment::Index)?;
            }
            (Type::Map(key, value), Values::Map(counts, held)) => {
                let count = counts.one();
                self.map(*key, *value, count, held)?;
            }
            (Type::Tuple(types), Values::Struct(parts)) => {
                let flagged = types.iter().filter(|&&ty| schema.ty(ty).flagged()).count();
                self.fields(flagged, types.iter().copied(), parts, Segment::Index)?;
            }
            (Type::Struct(index), Values::Struct(parts)) => self.structure(*index, parts)?,
            (Type::Union(members), Values::Union(tags, parts)) => {
                let member = usize::from(tags.one());
                self.w.varint(member as u64);
                let (index, Values::Struct(fields)) = (members.structs[member], &mut parts[member]) else {
                    return Err(self.lost());
                };
                self.w.charge(self.cells.row(index).into())?;
                self.structure(index, fields)?;
            }
            _ => return Err(self.lost()),
        }
        Ok(())
    }

    fn structure(&mut self, index: usize, parts: &mut [Values<'_>]) -> Result<(), Fault> {
        let schema = self.schema;
        let made = &schema.structs()[index];
        self.fields(made.flags, made.fields.iter().map(|field| field.ty), parts, |i| {
            Segment::Field(&made.fields[i].name)
        })
    }

    /// The slots of a struct or tuple.
    fn fields(
        &mut self,
        flagged: usize,
        types: impl Iterator<Item = TypeId>,
        parts: &mut [Values<'_>],
        segment: impl Fn(usize) -> Segment<'s>,
    ) -> Result<(), Fault> {
        if flagged > 0 {
            let (at, mut flag) = (self.w.flags(flagged), 0);
            for part in parts.iter() {
                if let Values::Bool(flags) | Values::Option(flags, _) = part {
                    if flags.first() {
                        self.w.set_flag(at, flag);
                    }
                    flag += 1;
                }
            }
        }
        for (i, (ty, part)) in types.zip(parts).enumerate() {
            self.slot(ty, part).map_err(|Fault| self.inside(segment(i)))?;
        }
        Ok(())
    }

    fn list(&mut self, item: TypeId, count: usize, items: &mut Values<'_>) -> Result<(), Fault> {
        let cells = self.cells.slot(item).into();
        if self.schema.is_flat(item) && self.columnar(count, || width(self.schema, item)) {
            self.w.columnar_count(count, cells)?;
            return self.column(item, count, items).map_err(|Fault| self.inside(Segment::Elements));
        }
        self.w.container(count, cells)?;
        self.row(item, count, items, Segment::Index)
    }

    fn map(&mut self, key: TypeId, value: TypeId, count: usize, held: &mut [Values<'_>; 2]) -> Result<(), Fault> {
        let [keys, values] = held;
        let cells = self.cells.entry(key, value);
        let both = || width(self.schema, key).saturating_add(width(self.schema, value));
        if self.schema.is_flat(value) && self.columnar(count, both) {
            self.w.columnar_count(count, cells)?;
            self.column(key, count, keys).map_err(|Fault| self.inside(Segment::Keys))?;
            return self.column(value, count, values).map_err(|Fault| self.inside(Segment::Values));
        }
        self.w.container(count, cells)?;
        self.row(key, count, keys, Segment::Key)?;
        self.row(value, count, values, Segment::Value)
    }

    /// Whether so many values, which need so many columns, are written as these.
    fn columnar(&self, count: usize, width: impl Fn() -> usize) -> bool {
        // A width is 1 at least, and is summed up where it matters.
        self.w.writes_columns() && is_columnar(count, 1) && is_columnar(count, width())
    }

    /// A row of so many slots of one type.
    fn row(
        &mut self,
        ty: TypeId,
        count: usize,
        values: &mut Values<'_>,
        segment: fn(usize) -> Segment<'s>,
    ) -> Result<(), Fault> {
        if let Values::Bool(flags) | Values::Option(flags, _) = values {
            let at = self.w.flags(count);
            for (i, _) in flags.front(count).iter().enumerate().filter(|(_, flag)| **flag) {
                self.w.set_flag(at, i);
            }
        }
        match (self.schema.ty(ty), &mut *values) {
            (Type::I8, Values::I8(values)) => self.w.numbers(values.many(count)),
            (Type::I16, Values::I16(values)) => self.w.numbers(values.many(count)),
            (Type::I32, Values::I32(values)) => self.w.numbers(values.many(count)),
            (Type::I64, Values::I64(values)) => self.w.numbers(values.many(count)),
            (Type::U8, Values::U8(values)) => self.w.numbers(values.many(count)),
            (Type::U16, Values::U16(values)) => self.w.numbers(values.many(count)),
            (Type::U32, Values::U32(values)) => self.w.numbers(values.many(count)),
            (Type::U64, Values::U64(values)) => self.w.numbers(values.many(count)),
            (Type::F32, Values::F32(values)) => self.w.numbers(values.many(count)),
            (Type::F64, Values::F64(values)) => self.w.numbers(values.many(count)),
            (Type::String(dedup_slot), Values::Text(values)) => {
                self.w.strs(*dedup_slot as usize, values.many(count).iter().copied());
            }
            _ => {
                return (0..count).try_for_each(|i| self.slot(ty, values).map_err(|Fault| self.inside(segment(i))));
            }
        }
        Ok(())
    }

    /// A column of so many values.
    fn column(&mut self, ty: TypeId, m: usize, values: &mut Values<'_>) -> Result<(), Fault> {
        if m == 0 {
            return Ok(());
        }
        let schema = self.schema;
        match (schema.ty(ty), &mut *values) {
            (Type::Bool, Values::Bool(values)) => {
                self.w.column_bits(values.many(m).iter().copied());
            }
            (Type::I8, Values::I8(values)) => self.w.column_integers(values.many(m)),
            (Type::I16, Values::I16(values)) => self.w.column_integers(values.many(m)),
            (Type::I32 | Type::Date, Values::I32(values)) => self.w.column_integers(values.many(m)),
            (Type::I64, Values::I64(values)) => self.w.column_integers(values.many(m)),
            (Type::U8, Values::U8(values)) => self.w.column_integers(values.many(m)),
            (Type::U16, Values::U16(values)) => self.w.column_integers(values.many(m)),
            (Type::U32 | Type::Enum(_), Values::U32(values)) => self.w.column_integers(values.many(m)),
            (Type::U64 | Type::Time, Values::U64(values)) => self.w.column_integers(values.many(m)),
            (Type::F32, Values::F32(values)) => self.w.column_singles(values.many(m)),
            (Type::F64, Values::F64(values)) => self.w.column_doubles(values.many(m)),
            (Type::Timestamp | Type::Duration, Values::Time(values)) => {
                self.w.column_times(values.many(m).iter().copied());
            }
            (Type::String(dedup_slot), Values::Text(values)) => {
                self.w.column_texts(*dedup_slot as usize, values.many(m));
            }
            (Type::Bytes, Values::Bytes(values)) => {
                let all = values.many(m);
                self.w.column_lengths(all.iter().map(|bytes| bytes.len()))?;
                all.iter().for_each(|bytes| self.w.raw(bytes));
            }
            (Type::Option(inner), Values::Option(flags, held)) => {
                let ones = self.w.column_bits(flags.many(m).iter().copied());
                let cells = u64::from(self.cells.present(schema, *inner));
                self.w.charge(cells.saturating_mul(ones as u64))?;
                self.column(*inner, ones, held)?;
            }
            (Type::List(item), Values::List(counts, items)) => {
                let cells = self.cells.slot(*item).into();
                let total = self.w.column_counts(counts.many(m).iter().copied(), cells)?;
                self.column(*item, total, items).map_err(|Fault| self.inside(Segment::Elements))?;
            }
            (Type::Set(key), Values::List(counts, keys)) => {
                let total = self.w.column_counts(counts.many(m).iter().copied(), self.cells.key(*key))?;
                self.column(*key, total, keys).map_err(|Fault| self.inside(Segment::Elements))?;
            }
            (Type::Map(key, value), Values::Map(counts, held)) => {
                let cells = self.cells.entry(*key, *value);
                let total = self.w.column_counts(counts.many(m).iter().copied(), cells)?;
                let [keys, values] = &mut **held;
                self.column(*key, total, keys).map_err(|Fault| self.inside(Segment::Keys))?;
                self.column(*value, total, values).map_err(|Fault| self.inside(Segment::Values))?;
            }
            (Type::Tuple(types), Values::Struct(parts)) => {
                for (i, (&ty, part)) in types.iter().zip(parts).enumerate() {
                    self.column(ty, m, part).map_err(|Fault| self.inside(Segment::Index(i)))?;
                }
            }
            (Type::Struct(index), Values::Struct(parts)) => {
                for (field, part) in schema.structs()[*index].fields.iter().zip(parts) {
                    self.column(field.ty, m, part).map_err(|Fault| self.inside(Segment::Field(&field.name)))?;
                }
            }
            // Slots: bigint, decimal, uuid, union.
            _ => (0..m).try_for_each(|_| self.slot(ty, values))?,
        }
        Ok(())
    }
}

/// The columns that values of a type need (`spec/columns.md` section 1).
fn width(schema: &Schema, ty: TypeId) -> usize {
    match schema.ty(ty) {
        Type::Option(inner) | Type::List(inner) | Type::Set(inner) => width(schema, *inner).saturating_add(1),
        Type::Map(key, value) => width(schema, *key).saturating_add(width(schema, *value)).saturating_add(1),
        Type::Tuple(types) => types.iter().fold(0, |sum: usize, &ty| sum.saturating_add(width(schema, ty))),
        Type::Struct(index) => schema.width(*index) as usize,
        _ => 1,
    }
}
