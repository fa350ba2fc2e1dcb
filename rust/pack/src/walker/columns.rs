//! The strict walk over columns (`spec/columns.md`).

use super::{Host, Walker};
use crate::key::{has_repeated, Key};
use crate::schema::{Type, TypeId};
use crate::wire::columns::{TextForm, Times};
use crate::wire::{Chars, Number, Reader, DATE_MAX, DATE_MIN, TIME_MAX};
use alloc::vec::Vec;
use core::ops::RangeInclusive;
use samewire_core::path::Segment;
use samewire_core::{Code, Fault};

impl<'a, 's, H: Host<'a>> Walker<'s, '_, H> {
    /// The columns of a columnar map whose count stands at `at`.
    pub(super) fn map_columns(
        &mut self,
        r: &mut Reader<'a>,
        key: TypeId,
        value: TypeId,
        count: usize,
        at: usize,
    ) -> Result<(), Fault> {
        let start = r.position();
        let keys = self.inside(Some(Segment::Keys), |walker| {
            let keys = walker.key_column(r, key, count)?;
            walker.stop_behind(r, key, start, true, |_| None)?;
            Ok(keys)
        })?;
        if has_repeated(keys) {
            return Err(r.fail(Code::Malformed, at));
        }
        self.inside(Some(Segment::Values), |walker| walker.column(r, value, count))
    }

    /// A column of `m` values.
    pub(super) fn column(&mut self, r: &mut Reader<'a>, ty: TypeId, m: usize) -> Result<(), Fault> {
        if m == 0 {
            return Ok(());
        }
        if self.nesting == 0 {
            return Err(r.fail(Code::LimitDepth, r.position()));
        }
        self.nesting -= 1;
        self.pass(r)?;
        let start = r.position();
        self.column_inside(r, ty, m)?;
        self.stop_behind(r, ty, start, true, |_| None)?;
        self.nesting += 1;
        Ok(())
    }

    fn column_inside(&mut self, r: &mut Reader<'a>, ty: TypeId, m: usize) -> Result<(), Fault> {
        let schema = self.schema;
        let at = r.position();
        match schema.ty(ty) {
            Type::Bool => r.flags(m).map(drop),
            Type::I8 => integers(r, i8::MIN..=i8::MAX, m).map(drop),
            Type::I16 => integers(r, i16::MIN..=i16::MAX, m).map(drop),
            Type::I32 => integers(r, i32::MIN..=i32::MAX, m).map(drop),
            Type::I64 => integers(r, i64::MIN..=i64::MAX, m).map(drop),
            Type::U8 => integers(r, 0..=u8::MAX, m).map(drop),
            Type::U16 => integers(r, 0..=u16::MAX, m).map(drop),
            Type::U32 => integers(r, 0..=u32::MAX, m).map(drop),
            Type::U64 => integers(r, 0..=u64::MAX, m).map(drop),
            Type::Date => integers(r, DATE_MIN..=DATE_MAX, m).map(drop),
            Type::Time => integers(r, 0..=TIME_MAX, m).map(drop),
            Type::Enum(index) => r.column_indices(schema.enums()[*index].symbols.len(), m, &mut Vec::new()),
            Type::Timestamp => r.column_times(true, m, &mut Times::default()).map(drop),
            Type::Duration => r.column_times(false, m, &mut Times::default()).map(drop),
            Type::F64 => r.column_doubles(m, &mut Vec::new()),
            Type::F32 => r.take(m.saturating_mul(4)).map(drop),
            Type::Uuid => r.take(m.saturating_mul(16)).map(drop),
            Type::String(_) => self.texts(r, m).map(drop),
            Type::Bytes => {
                let mut lengths = Vec::new();
                r.column_lengths(m, &mut lengths)?;
                lengths.into_iter().try_for_each(|length| r.take(length as usize).map(drop))
            }
            Type::Option(inner) => {
                let present = r.flags(m)?.iter().map(|byte| byte.count_ones() as usize).sum();
                let cells = u64::from(self.cells.present(schema, *inner));
                r.charge(at, cells.saturating_mul(present as u64))?;
                self.column(r, *inner, present)
            }
            Type::List(item) => {
                let (total, _) = self.counts(r, 1, self.cells.slot(*item).into(), m)?;
                self.inside(Some(Segment::Elements), |walker| walker.column(r, *item, total))
            }
            Type::Set(key) => {
                let (total, counts) = self.counts(r, 1, self.cells.key(*key), m)?;
                let keys = self.inside(Some(Segment::Elements), |walker| walker.key_column(r, *key, total))?;
                distinct(r, &keys, &counts, at)
            }
            Type::Map(key, value) => {
                let (total, counts) = self.counts(r, 2, self.cells.entry(*key, *value), m)?;
                let keys = self.inside(Some(Segment::Keys), |walker| walker.key_column(r, *key, total))?;
                distinct(r, &keys, &counts, at)?;
                self.inside(Some(Segment::Values), |walker| walker.column(r, *value, total))
            }
            Type::Tuple(types) => types
                .iter()
                .enumerate()
                .try_for_each(|(i, &ty)| self.inside(Some(Segment::Index(i)), |walker| walker.column(r, ty, m))),
            Type::Struct(index) if !schema.structs()[*index].recursive => {
                let fields = &schema.structs()[*index].fields;
                fields.iter().try_for_each(|field| {
                    self.inside(Some(Segment::Field(&field.name)), |walker| walker.column(r, field.ty, m))
                })
            }
            Type::BigInt | Type::Decimal | Type::Any(_) | Type::Struct(_) | Type::Union(_) | Type::Ref(_) => {
                r.need(m)?;
                (0..m).try_for_each(|_| self.slot(r, ty))
            }
        }
    }

    /// The counts of containers in a column, and their sum.
    fn counts(&mut self, r: &mut Reader<'a>, columns: usize, cells: u64, m: usize) -> Result<(usize, Vec<u32>), Fault> {
        let mut counts = Vec::new();
        let total = r.column_counts(columns, cells, m, &mut counts)?;
        self.pass(r)?;
        Ok((total, counts))
    }

    fn texts(&mut self, r: &mut Reader<'a>, m: usize) -> Result<Vec<Chars<'a>>, Fault> {
        let form = r.column_texts(m)?;
        self.pass(r)?;
        let texts = (0..form.tokens(m)).map(|_| self.text(r)).collect::<Result<Vec<_>, Fault>>()?;
        let TextForm::Dictionary(size) = form else { return Ok(texts) };
        let mut indices = Vec::new();
        r.column_indices(size, m, &mut indices)?;
        Ok(indices.into_iter().map(|index| texts[index as usize]).collect())
    }

    /// A column of `m` keys.
    fn key_column(&mut self, r: &mut Reader<'a>, ty: TypeId, m: usize) -> Result<Vec<Key<'a>>, Fault> {
        if m == 0 {
            return Ok(Vec::new());
        }
        self.pass(r)?;
        Ok(match self.schema.ty(ty) {
            Type::Bool => {
                let bits = r.flags(m)?;
                (0..m).map(|i| Key::Int(i64::from(bits[i / 8] >> (i % 8) & 1))).collect()
            }
            Type::I8 => integers(r, i8::MIN..=i8::MAX, m)?,
            Type::I16 => integers(r, i16::MIN..=i16::MAX, m)?,
            Type::I32 => integers(r, i32::MIN..=i32::MAX, m)?,
            Type::I64 => integers(r, i64::MIN..=i64::MAX, m)?,
            Type::U8 => integers(r, 0..=u8::MAX, m)?,
            Type::U16 => integers(r, 0..=u16::MAX, m)?,
            Type::U32 => integers(r, 0..=u32::MAX, m)?,
            Type::U64 => integers(r, 0..=u64::MAX, m)?,
            Type::Date => integers(r, DATE_MIN..=DATE_MAX, m)?,
            Type::Time => integers(r, 0..=TIME_MAX, m)?,
            Type::Enum(index) => integers(r, 0..=self.schema.enums()[*index].symbols.len() as u32 - 1, m)?,
            Type::Timestamp => times(r, true, m)?,
            Type::Duration => times(r, false, m)?,
            Type::String(_) => self.texts(r, m)?.into_iter().map(Key::Text).collect(),
            Type::Uuid => r.take(m.saturating_mul(16))?.chunks_exact(16).map(Key::Bytes).collect(),
            _ => {
                r.need(m)?;
                (0..m).map(|_| self.key(r, ty)).collect::<Result<_, Fault>>()?
            }
        })
    }
}

fn integers<'a, T: Number>(r: &mut Reader<'_>, range: RangeInclusive<T>, m: usize) -> Result<Vec<Key<'a>>, Fault> {
    let mut numbers = Vec::new();
    r.column_integers(&range, m, &mut numbers)?;
    Ok(numbers.into_iter().map(|number: T| Key::Int(number.to_i64())).collect())
}

fn times<'a>(r: &mut Reader<'_>, calendar: bool, m: usize) -> Result<Vec<Key<'a>>, Fault> {
    let mut times = Times::default();
    let unit = r.column_times(calendar, m, &mut times)?;
    Ok(times.each(unit, Key::Time))
}

/// Refuses keys that occur twice in one of the runs, whose counts stand at `at`.
fn distinct(r: &mut Reader<'_>, mut keys: &[Key<'_>], counts: &[u32], at: usize) -> Result<(), Fault> {
    for &count in counts {
        let (run, rest) = keys.split_at(count as usize);
        if has_repeated(run.to_vec()) {
            return Err(r.fail(Code::Malformed, at));
        }
        keys = rest;
    }
    Ok(())
}
