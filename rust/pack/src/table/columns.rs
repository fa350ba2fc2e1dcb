//! Values that stand in columns (`spec/columns.md`), appended column by column.

use super::bits::Mask;
use super::column::{Column, Data};
use super::reading::Reading;
use super::times::push_times;
use crate::schema::{Type, TypeId};
use crate::wire::columns::{TextForm, Times, Unit};
use crate::wire::{Number, DATE_MAX, DATE_MIN, TIME_MAX};
use alloc::vec::Vec;
use core::ops::RangeInclusive;
use samewire_core::path::Segment;
use samewire_core::{Code, Fault};

impl<'s> Reading<'s, '_> {
    /// A column of `m` values.
    pub(super) fn column(&mut self, ty: TypeId, m: usize, column: &mut Column) -> Result<(), Fault> {
        if m == 0 {
            return Ok(());
        }
        let schema = self.schema;
        let Type::Option(inner) = schema.ty(ty) else { return self.values(ty, m, &mut column.data) };
        let at = self.r.position();
        let mask = Mask::of(self.r.flags(m)?, m);
        let cells = u64::from(self.cells.present(schema, *inner));
        self.r.charge(at, cells.saturating_mul(mask.ones as u64))?;
        if let Some(validity) = &mut column.validity {
            validity.bits.extend(mask.bits, m);
            validity.nulls += mask.zeros();
            let cells = validity.null_cells;
            self.charge_nulls(at, mask.zeros(), cells)?;
        }
        if mask.ones > 0 {
            self.values(*inner, mask.ones, &mut column.data)?;
        }
        column.data.spread(mask);
        Ok(())
    }

    fn values(&mut self, ty: TypeId, m: usize, data: &mut Data) -> Result<(), Fault> {
        let schema = self.schema;
        let at = self.r.position();
        match (schema.ty(ty), data) {
            (Type::Bool, Data::Bool(bits)) => bits.extend(self.r.flags(m)?, m),
            (Type::I8, Data::I8(out)) => self.integers(i8::MIN..=i8::MAX, m, out)?,
            (Type::I16, Data::I16(out)) => self.integers(i16::MIN..=i16::MAX, m, out)?,
            (Type::I32, Data::I32(out)) => self.integers(i32::MIN..=i32::MAX, m, out)?,
            (Type::I64, Data::I64(out)) => self.integers(i64::MIN..=i64::MAX, m, out)?,
            (Type::U8, Data::U8(out)) => self.integers(0..=u8::MAX, m, out)?,
            (Type::U16, Data::U16(out)) => self.integers(0..=u16::MAX, m, out)?,
            (Type::U32, Data::U32(out)) => self.integers(0..=u32::MAX, m, out)?,
            (Type::U64, Data::U64(out)) => self.integers(0..=u64::MAX, m, out)?,
            (Type::Date, Data::I32(out)) => self.integers(DATE_MIN..=DATE_MAX, m, out)?,
            (Type::Enum(index), Data::U32(out)) => {
                self.integers(0..=schema.enums()[*index].symbols.len() as u32 - 1, m, out)?;
            }
            (Type::Time, Data::I64(out)) => {
                // Below 2^63: as it stands, a time is a count of nanoseconds.
                let mut nanos = Vec::<u64>::new();
                self.integers(0..=TIME_MAX, m, &mut nanos)?;
                let times = Times { counts: nanos.into_iter().map(|nanos| nanos as i64).collect(), nanos: Vec::new() };
                push_times(Unit::Nanos, &times, self.options, out).map_err(|misfit| self.misfit(at, &misfit))?;
            }
            (Type::Timestamp, Data::I64(out)) => self.times(true, m, out)?,
            (Type::Duration, Data::I64(out)) => self.times(false, m, out)?,
            (Type::F64, Data::F64(out)) => {
                self.r.need(m.div_ceil(8))?;
                out.reserve(m);
                self.r.column_doubles(m, out)?;
            }
            (Type::F32, Data::F32(out)) => self.r.column_singles(m, out)?,
            (Type::Uuid, Data::Uuid(out)) => {
                let bytes = self.r.take(m.saturating_mul(16))?;
                out.extend(bytes.chunks_exact(16).map(|chunk| <[u8; 16]>::try_from(chunk).unwrap_or_default()));
            }
            (Type::String(_), Data::Text(texts)) => match self.r.column_texts(m)? {
                TextForm::Tokens => {
                    texts.views.reserve(m);
                    for _ in 0..m {
                        let view = self.text(texts)?;
                        texts.views.push(view);
                    }
                }
                TextForm::Dictionary(size) => {
                    let views = (0..size).map(|_| self.text(texts)).collect::<Result<Vec<_>, Fault>>()?;
                    let mut indices = Vec::new();
                    self.r.column_indices(size, m, &mut indices)?;
                    texts.views.extend(indices.into_iter().map(|index| views[index as usize]));
                }
            },
            (Type::Bytes, Data::Bytes(ends, bytes)) => {
                let mut lengths = Vec::new();
                self.r.column_lengths(m, &mut lengths)?;
                self.push_ends(at, &lengths, bytes.len(), ends)?;
                let total = lengths.into_iter().map(|length| length as usize).sum();
                bytes.extend_from_slice(self.r.take(total)?);
            }
            (Type::List(item), Data::List(ends, items)) => {
                let total = self.counts(1, self.cells.slot(*item).into(), m, items.len(), ends)?;
                self.column(*item, total, items).map_err(|Fault| self.inside(Segment::Elements))?;
            }
            (Type::Set(key), Data::List(ends, items)) => {
                let total = self.counts(1, self.cells.key(*key), m, items.len(), ends)?;
                self.column(*key, total, items).map_err(|Fault| self.inside(Segment::Elements))?;
            }
            (Type::Map(key, value), Data::List(ends, entries)) => {
                let total = self.counts(2, self.cells.entry(*key, *value), m, entries.len(), ends)?;
                let Data::Struct(len, columns) = &mut entries.data else { return Err(self.lost()) };
                let [keys, values] = &mut columns[..] else { return Err(self.lost()) };
                *len += total;
                self.column(*key, total, keys).map_err(|Fault| self.inside(Segment::Keys))?;
                self.column(*value, total, values).map_err(|Fault| self.inside(Segment::Values))?;
            }
            (Type::Tuple(types), Data::Struct(len, columns)) => {
                *len += m;
                for ((i, &ty), column) in types.iter().enumerate().zip(columns) {
                    self.column(ty, m, column).map_err(|Fault| self.inside(Segment::Index(i)))?;
                }
            }
            (Type::Struct(index), Data::Struct(len, columns)) => {
                *len += m;
                for (field, column) in schema.structs()[*index].fields.iter().zip(columns) {
                    self.column(field.ty, m, column).map_err(|Fault| self.inside(Segment::Field(&field.name)))?;
                }
            }
            (Type::BigInt | Type::Decimal | Type::Union(_), data) => {
                self.r.need(m)?;
                (0..m).try_for_each(|_| self.value(ty, data))?;
            }
            _ => return Err(self.lost()),
        }
        Ok(())
    }

    fn integers<T: Number>(&mut self, range: RangeInclusive<T>, m: usize, out: &mut Vec<T>) -> Result<(), Fault> {
        // Room is made by doubling: many short columns may come, one behind the other.
        self.r.need(m.div_ceil(8))?;
        out.reserve(m);
        self.r.column_integers(&range, m, out)
    }

    fn times(&mut self, calendar: bool, m: usize, out: &mut Vec<i64>) -> Result<(), Fault> {
        let (at, mut times) = (self.r.position(), Times::default());
        let unit = self.r.column_times(calendar, m, &mut times)?;
        push_times(unit, &times, self.options, out).map_err(|misfit| self.misfit(at, &misfit))
    }

    /// The counts of `m` lists, sets or maps behind `before` elements, as ends. Returns their sum.
    fn counts(
        &mut self,
        columns: usize,
        cells: u64,
        m: usize,
        before: usize,
        ends: &mut Vec<i32>,
    ) -> Result<usize, Fault> {
        let (at, mut counts) = (self.r.position(), Vec::new());
        let total = self.r.column_counts(columns, cells, m, &mut counts)?;
        self.push_ends(at, &counts, before, ends)?;
        Ok(total)
    }

    fn push_ends(&mut self, at: usize, lengths: &[u32], before: usize, ends: &mut Vec<i32>) -> Result<(), Fault> {
        let mut end = before;
        ends.reserve(lengths.len());
        for &length in lengths {
            end += length as usize;
            ends.push(self.end(at, end)?);
        }
        Ok(())
    }

    /// Columns are made of the schema that they are read by.
    #[cold]
    fn lost(&mut self) -> Fault {
        self.r.fail(Code::Unsupported, self.r.position())
    }
}
