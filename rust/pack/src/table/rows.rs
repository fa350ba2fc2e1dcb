//! Values in slots, appended one by one.

use super::column::{Column, Data};
use super::decimals;
use super::reading::Reading;
use super::times::time_of;
use crate::schema::{Type, TypeId};
use crate::wire::columns::Count;
use samewire_core::path::Segment;
use samewire_core::{Code, Fault};

impl<'s> Reading<'s, '_> {
    /// A slot that is there: of `bool`, the byte of an `option<bool>`.
    #[inline]
    pub(super) fn slot(&mut self, ty: TypeId, column: &mut Column) -> Result<(), Fault> {
        column.valid();
        self.value(ty, &mut column.data)
    }

    /// A slot in a row, and its flag.
    #[inline]
    fn flagged_slot(&mut self, ty: TypeId, set: bool, column: &mut Column) -> Result<(), Fault> {
        match (self.schema.ty(ty), &mut column.data) {
            (Type::Bool, Data::Bool(bits)) => {
                bits.push(set);
                Ok(())
            }
            (Type::Option(inner), _) if set => self.present(*inner, column),
            (Type::Option(_), _) => self.absent(column),
            _ => self.slot(ty, column),
        }
    }

    fn present(&mut self, inner: TypeId, column: &mut Column) -> Result<(), Fault> {
        self.r.charge_here(self.cells.present(self.schema, inner).into())?;
        self.slot(inner, column)
    }

    fn absent(&mut self, column: &mut Column) -> Result<(), Fault> {
        if let Some(validity) = &column.validity {
            self.charge_nulls(self.r.position(), 1, validity.null_cells)?;
        }
        column.push_null();
        Ok(())
    }

    pub(super) fn value(&mut self, ty: TypeId, data: &mut Data) -> Result<(), Fault> {
        let at = self.r.position();
        match (self.schema.ty(ty), data) {
            (Type::Bool, Data::Bool(bits)) => bits.push(self.r.bool()?),
            (Type::I8, Data::I8(out)) => out.push(self.r.number()?),
            (Type::I16, Data::I16(out)) => out.push(self.r.number()?),
            (Type::I32, Data::I32(out)) => out.push(self.r.number()?),
            (Type::I64, Data::I64(out)) => out.push(self.r.number()?),
            (Type::U8, Data::U8(out)) => out.push(self.r.number()?),
            (Type::U16, Data::U16(out)) => out.push(self.r.number()?),
            (Type::U32, Data::U32(out)) => out.push(self.r.number()?),
            (Type::U64, Data::U64(out)) => out.push(self.r.number()?),
            (Type::F32, Data::F32(out)) => out.push(self.r.number()?),
            (Type::F64, Data::F64(out)) => out.push(self.r.number()?),
            (Type::BigInt, Data::Decimal(out)) => {
                let bytes = self.r.bigint()?;
                out.push(decimals::integer(bytes).ok_or_else(|| self.refuse(at, "an integer of more than 38 digits"))?);
            }
            (Type::Decimal, Data::Decimal(out)) => {
                let (scale, unscaled) = (self.r.zigzag32()?, self.r.bigint()?);
                out.push(decimals::decimal(scale, unscaled).map_err(|text| self.refuse(at, text))?);
            }
            (Type::String(_), Data::Text(texts)) => {
                let view = self.text(texts)?;
                texts.views.push(view);
            }
            (Type::Bytes, Data::Bytes(ends, bytes)) => {
                bytes.extend_from_slice(self.r.bytes()?);
                ends.push(self.end(at, bytes.len())?);
            }
            (Type::Uuid, Data::Uuid(out)) => out.push(self.r.array()?),
            (Type::Date, Data::I32(out)) => out.push(self.r.date()?),
            (Type::Time, Data::I64(out)) => {
                let nanos = self.r.time()?;
                let time = time_of((nanos / 1_000_000_000) as i64, (nanos % 1_000_000_000) as u32, self.options);
                out.push(time.map_err(|misfit| self.misfit(at, &misfit))?);
            }
            (Type::Timestamp, Data::I64(out)) => {
                let (seconds, nanos) = self.r.timestamp()?;
                out.push(time_of(seconds, nanos, self.options).map_err(|misfit| self.misfit(at, &misfit))?);
            }
            (Type::Duration, Data::I64(out)) => {
                let (seconds, nanos) = self.r.duration()?;
                out.push(time_of(seconds, nanos, self.options).map_err(|misfit| self.misfit(at, &misfit))?);
            }
            (Type::Enum(index), Data::U32(out)) => {
                out.push(self.r.index(self.schema.enums()[*index].symbols.len())? as u32);
            }
            (Type::List(item), Data::List(ends, items)) => {
                self.list_items(*item, items)?;
                ends.push(self.end(at, items.len())?);
            }
            (Type::Set(key), Data::List(ends, items)) => {
                let count = self.r.count(self.schema.ty(*key).cost(), self.cells.key(*key))?;
                self.run(*key, count, items, Segment::Index)?;
                ends.push(self.end(at, items.len())?);
            }
            (Type::Map(key, value), Data::List(ends, entries)) => {
                self.entries(*key, *value, &mut entries.data)?;
                ends.push(self.end(at, entries.len())?);
            }
            (Type::Tuple(types), Data::Struct(len, columns)) => {
                *len += 1;
                let flagged = types.iter().filter(|&&ty| self.schema.ty(ty).flagged()).count();
                self.fields(flagged, types.iter().copied().zip(0..), columns, Segment::Index)?;
            }
            (Type::Struct(index), data) => self.structure(*index, data)?,
            (Type::Union(members), Data::Union(tags, columns)) => {
                let index = self.r.index(members.structs.len())?;
                let structure = members.structs[index];
                self.r.charge_here(self.cells.row(structure).into())?;
                let column = &mut columns[index];
                tags.push(index, column.len());
                column.valid();
                self.structure(structure, &mut column.data)?;
            }
            _ => return Err(self.r.fail(Code::Unsupported, at)),
        }
        Ok(())
    }

    fn structure(&mut self, index: usize, data: &mut Data) -> Result<(), Fault> {
        let Data::Struct(len, columns) = data else { return Err(self.r.fail(Code::Unsupported, self.r.position())) };
        *len += 1;
        let made = &self.schema.structs()[index];
        let fields = &made.fields;
        self.fields(made.flags, fields.iter().map(|field| field.ty).zip(0..), columns, |i| {
            Segment::Field(&fields[i].name)
        })
    }

    /// The slots of a struct or tuple.
    fn fields(
        &mut self,
        flagged: usize,
        types: impl Iterator<Item = (TypeId, usize)>,
        columns: &mut [Column],
        segment: impl Fn(usize) -> Segment<'s>,
    ) -> Result<(), Fault> {
        let flags = self.r.flags(flagged)?;
        let mut flag = 0;
        for ((ty, i), column) in types.zip(columns) {
            let flagged = self.schema.ty(ty).flagged();
            let set = !flagged || flags[flag / 8] >> (flag % 8) & 1 == 1;
            flag += usize::from(flagged);
            self.flagged_slot(ty, set, column).map_err(|Fault| self.inside(segment(i)))?;
        }
        Ok(())
    }

    /// The elements of one list. Returns how many.
    pub(super) fn list_items(&mut self, item: TypeId, items: &mut Column) -> Result<usize, Fault> {
        let (cost, cells) = (self.schema.ty(item).cost(), self.cells.slot(item).into());
        let count =
            if self.is_flat(item) { self.r.list_count(cost, cells)? } else { Count::Rows(self.r.count(cost, cells)?) };
        match count {
            Count::Rows(count) => self.run(item, count, items, Segment::Index).map(|()| count),
            Count::Columns(count) => {
                self.column(item, count, items).map_err(|Fault| self.inside(Segment::Elements))?;
                Ok(count)
            }
        }
    }

    /// The entries of one map, whose columns are in a struct.
    fn entries(&mut self, key: TypeId, value: TypeId, data: &mut Data) -> Result<(), Fault> {
        let Data::Struct(len, columns) = data else { return Err(self.r.fail(Code::Unsupported, self.r.position())) };
        let [keys, values] = &mut columns[..] else { return Err(self.r.fail(Code::Unsupported, self.r.position())) };
        let cells = self.cells.entry(key, value);
        let costs = (self.schema.ty(key).cost(), self.schema.ty(value).cost());
        let count = if self.is_flat(value) {
            self.r.map_count_of(costs.0, costs.1, cells)?
        } else {
            Count::Rows(self.r.map_count(costs.0, costs.1, cells)?)
        };
        match count {
            Count::Rows(count) => {
                self.run(key, count, keys, Segment::Key)?;
                self.run(value, count, values, Segment::Value)?;
                *len += count;
            }
            Count::Columns(count) => {
                self.column(key, count, keys).map_err(|Fault| self.inside(Segment::Keys))?;
                self.column(value, count, values).map_err(|Fault| self.inside(Segment::Values))?;
                *len += count;
            }
        }
        Ok(())
    }

    /// A row of `count` slots of one type.
    fn run(
        &mut self,
        ty: TypeId,
        count: usize,
        column: &mut Column,
        segment: fn(usize) -> Segment<'s>,
    ) -> Result<(), Fault> {
        let schema = self.schema;
        if let Type::Option(inner) = schema.ty(ty) {
            let flags = self.r.flags(count)?;
            for i in 0..count {
                let done =
                    if flags[i / 8] >> (i % 8) & 1 == 1 { self.present(*inner, column) } else { self.absent(column) };
                done.map_err(|Fault| self.inside(segment(i)))?;
            }
            return Ok(());
        }
        match (schema.ty(ty), &mut column.data) {
            (Type::Bool, Data::Bool(bits)) => {
                bits.extend(self.r.flags(count)?, count);
                Ok(())
            }
            (Type::I8, Data::I8(out)) => self.r.numbers(count, out),
            (Type::I16, Data::I16(out)) => self.r.numbers(count, out),
            (Type::I32, Data::I32(out)) => self.r.numbers(count, out),
            (Type::I64, Data::I64(out)) => self.r.numbers(count, out),
            (Type::U8, Data::U8(out)) => self.r.numbers(count, out),
            (Type::U16, Data::U16(out)) => self.r.numbers(count, out),
            (Type::U32, Data::U32(out)) => self.r.numbers(count, out),
            (Type::U64, Data::U64(out)) => self.r.numbers(count, out),
            (Type::F32, Data::F32(out)) => self.r.numbers(count, out),
            (Type::F64, Data::F64(out)) => self.r.numbers(count, out),
            _ => (0..count).try_for_each(|i| self.slot(ty, column).map_err(|Fault| self.inside(segment(i)))),
        }
    }
}
