//! Reads columns (`spec/columns.md` sections 2 to 7). Each is read and checked completely before objects are made.

use super::super::{Decoder, Made};
use super::column::{Column, Instants, Numbers, Values};
use crate::core::fault::{Fault, Why};
use crate::core::memory::{push, room};
use crate::core::object::owned::Owned;
use crate::core::object::times::LONGEST_DELTA;
use crate::pack::plan::{Cast, Form, Kind, Node};
use samewire_pack::path::Segment;
use samewire_pack::wire::columns::{TextForm, Times};
use samewire_pack::wire::{Number, DATE_MAX, DATE_MIN, KEY_CELLS, TIME_MAX};
use samewire_pack::Code;

impl<'p, 'a> Decoder<'p, 'a> {
    /// A columnar list of `count` elements, whose count has been read and checked.
    #[inline(never)]
    pub(in crate::pack::decode) unsafe fn column_list(&mut self, item: Node, count: usize, series: bool) -> Made {
        // SAFETY: callers hold the GIL, for which this function is unsafe.
        unsafe {
            let mut items = self.part(Segment::Elements, item, count).map_err(|fault| self.ended(fault))?;
            if series {
                self.series_of(&mut items, count)
            } else {
                self.list_of(&mut items, count)
            }
        }
    }

    /// A columnar map of `count` entries, whose count has been read and checked.
    #[inline(never)]
    pub(in crate::pack::decode) unsafe fn column_map(&mut self, key: Node, item: Node, count: usize) -> Made {
        // SAFETY: callers hold the GIL, for which this function is unsafe.
        unsafe {
            let mut entries = self.entries(key, item, count).map_err(|fault| self.ended(fault))?;
            self.dict_of(&mut entries, count)
        }
    }

    /// Stores where reading failed. Keys are compared when they are made, after all columns were read: a repeated key
    /// before an error that only this reader reports must be reported first.
    #[cold]
    fn ended(&mut self, fault: Fault) -> Fault {
        self.columns_end.get_or_insert(self.r.position());
        fault
    }

    /// The column of a part.
    unsafe fn part(&mut self, step: Segment<'p>, node: Node, m: usize) -> Result<Column<'a>, Fault> {
        // SAFETY: callers hold the GIL, for which this function is unsafe.
        match unsafe { self.column(node, m) } {
            Ok(column) => Ok(column),
            Err(Fault) => Err(self.inside(step)),
        }
    }

    unsafe fn boxed(&mut self, step: Segment<'p>, node: Node, m: usize) -> Result<Box<Column<'a>>, Fault> {
        // SAFETY: callers hold the GIL, for which this function is unsafe.
        unsafe { self.part(step, node, m).map(Box::new) }
    }

    unsafe fn entries(&mut self, key: Node, item: Node, m: usize) -> Result<Box<[Column<'a>; 2]>, Fault> {
        // SAFETY: callers hold the GIL, for which this function is unsafe.
        unsafe {
            let keys = self.part(Segment::Keys, key, m)?;
            Ok(Box::new([keys, self.part(Segment::Values, item, m)?]))
        }
    }

    /// Reads a column of `m` values.
    unsafe fn column(&mut self, node: Node, m: usize) -> Result<Column<'a>, Fault> {
        if m == 0 {
            return Ok(Column { values: Values::None, next: 0 });
        }
        self.shallow()?;
        // SAFETY: callers hold the GIL, for which this function is unsafe.
        let values = unsafe { self.values(node, m)? };
        Ok(Column { values, next: 0 })
    }

    /// Types of one value may be nested arbitrarily deep.
    fn shallow(&mut self) -> Result<(), Fault> {
        let here = 0u8;
        if (&raw const here as usize) < self.floor {
            let at = self.r.position();
            self.low(&raw const here as usize, at)?;
        }
        Ok(())
    }

    #[inline(never)]
    unsafe fn values(&mut self, node: Node, m: usize) -> Result<Values<'a>, Fault> {
        let at = self.r.position();
        // SAFETY: callers hold the GIL, for which this function is unsafe.
        unsafe {
            Ok(match node {
                Node::Bool => Values::Bits(self.r.flags(m)?),
                Node::Number(kind) => Values::Numbers(self.column_numbers(kind, m)?),
                Node::Float(kind, wanted) => Values::Numbers(Numbers::F64(self.column_floats(kind, wanted, m)?)),
                Node::Text(_) => self.column_texts(m)?,
                Node::Uuid => Values::Uuids(self.r.take(m.saturating_mul(16))?),
                Node::Date => Values::Dates(self.integers(DATE_MIN, DATE_MAX, m)?),
                Node::Time(nanos) => {
                    let times = self.integers(0, TIME_MAX, m)?;
                    if !(nanos || self.plan.truncate_times) && times.iter().any(|time| time % 1000 != 0) {
                        return Err(self.refuse(super::super::scalar::too_fine("time", "TIME")));
                    }
                    Values::Times(times, nanos)
                }
                Node::Timestamp(as_int) => {
                    let instants = self.instants(true, as_int, m)?;
                    if !(as_int || self.plan.truncate_times) && instants.is_too_fine() {
                        return Err(self.refuse(super::super::scalar::too_fine("datetime", "TIMESTAMP")));
                    }
                    Values::Timestamps(instants)
                }
                Node::Duration(as_int) => {
                    let instants = self.instants(false, as_int, m)?;
                    let too_long = |i| !LONGEST_DELTA.contains(&instants.parts(i).0);
                    let too_fine = !self.plan.truncate_times && instants.is_too_fine();
                    if !as_int && (too_fine || (0..m).any(too_long)) {
                        return Err(self.refuse(super::super::scalar::too_fine("timedelta", "DURATION")));
                    }
                    Values::Durations(instants)
                }
                Node::Enum(choice) => {
                    let members = &self.plan.choices[choice as usize].members;
                    let indices = self.integers(0, members.len() as u32 - 1, m)?;
                    if indices.iter().any(|&index| members[index as usize].is_null()) {
                        return Err(self.unknown(at, "symbol of the enum"));
                    }
                    Values::Members(choice, indices)
                }
                Node::Bytes(form) => {
                    let lengths = self.lengths(m)?;
                    let total = lengths.iter().map(|&length| length as usize).sum();
                    Values::Bytes(lengths, self.r.take(total)?, form)
                }
                Node::Option(_) | Node::OrDefault(_) => {
                    let (item, default) = match node {
                        Node::OrDefault(at) => (self.plan.or_defaults[at as usize].item, Some(at)),
                        Node::Option(item) => (item, None),
                        _ => unreachable!("the arm's pattern"),
                    };
                    let bits = self.r.flags(m)?;
                    let present = count_set(bits);
                    let inner = self.plan.node(item);
                    if self.plan.is_flat(inner) {
                        self.r.charge(at, present as u64 * self.plan.weights.present(item))?;
                    }
                    Values::Option(bits, Box::new(self.column(inner, present)?), default)
                }
                Node::List(item) => {
                    let (counts, total) = self.counts(1, self.plan.weights.slot(item), m)?;
                    Values::List(counts, self.boxed(Segment::Elements, self.plan.node(item), total)?)
                }
                Node::Series(item) => {
                    let (counts, total) = self.counts(1, self.plan.weights.slot(item), m)?;
                    Values::Series(counts, self.boxed(Segment::Elements, self.plan.node(item), total)?)
                }
                Node::Numbers(kind, form) => self.number_lists(kind, form, None, m)?,
                Node::Widened(kind, wanted, form) => self.number_lists(kind, form, Some(wanted), m)?,
                Node::Set(key, frozen) => {
                    let (counts, total) = self.counts(1, KEY_CELLS + self.plan.weights.slot(key), m)?;
                    Values::Set(counts, frozen, self.boxed(Segment::Elements, self.plan.node(key), total)?)
                }
                Node::Map(key, item) => {
                    let cells = KEY_CELLS + self.plan.weights.slot(key) + self.plan.weights.slot(item);
                    let (counts, total) = self.counts(2, cells, m)?;
                    Values::Map(counts, self.entries(self.plan.node(key), self.plan.node(item), total)?)
                }
                Node::Tuple(row) => {
                    let nodes: &'p [Node] = &self.plan.rows[row as usize];
                    let mut parts = room(nodes.len());
                    for (i, &node) in nodes.iter().enumerate() {
                        parts.push(self.part(Segment::Index(i), node, m)?);
                    }
                    Values::Tuple(parts)
                }
                Node::Record(at) if !self.plan.record(at).recursive => {
                    let record = self.plan.record(at);
                    let mut fields = room(record.steps.len());
                    for (step, field) in record.steps.iter().zip(&record.fields) {
                        fields.push(self.part(Segment::Field(&field.name), step.node, m)?);
                    }
                    Values::Record(at, fields)
                }
                Node::Cast(cast) => {
                    let Cast { node, cells, .. } = self.plan.casts[cast as usize];
                    let items = Box::new(self.column(node, m)?);
                    self.overhead_at(at, cells * m as u64)?;
                    Values::Cast(cast, items)
                }
                Node::BigInt | Node::Decimal | Node::Any(_) | Node::Record(_) => self.slots(node, m)?,
                Node::Union(_) | Node::Ref(_) | Node::Dropped(_) => self.slots(node, m)?,
            })
        }
    }

    /// Values in slots.
    unsafe fn slots(&mut self, node: Node, m: usize) -> Result<Values<'a>, Fault> {
        self.r.need(m)?;
        let mut objects = room(m);
        for _ in 0..m {
            // SAFETY: callers hold the GIL, for which this function is unsafe.
            objects.push(Some(unsafe { self.value(node)? }));
        }
        Ok(Values::Objects(objects))
    }

    unsafe fn column_texts(&mut self, m: usize) -> Result<Values<'a>, Fault> {
        let form = self.r.column_texts(m)?;
        match form {
            TextForm::Tokens => {
                let mut texts = room(m);
                for _ in 0..m {
                    // SAFETY: callers hold the GIL, for which this function is unsafe.
                    texts.push(Some(unsafe { self.text()? }));
                }
                Ok(Values::Objects(texts))
            }
            TextForm::Dictionary(size) => {
                let mut texts: Vec<Owned> = room(size);
                for _ in 0..size {
                    // SAFETY: callers hold the GIL, for which this function is unsafe.
                    texts.push(unsafe { self.text()? });
                }
                let place = self.dictionaries.len();
                push(&mut self.dictionaries, texts);
                let mut indices = room(m);
                self.r.column_indices(size, m, &mut indices)?;
                Ok(Values::Texts(place, indices))
            }
        }
    }

    fn column_numbers(&mut self, kind: Kind, m: usize) -> Result<Numbers, Fault> {
        Ok(match kind {
            Kind::I8 => Numbers::I8(self.integers(i8::MIN, i8::MAX, m)?),
            Kind::I16 => Numbers::I16(self.integers(i16::MIN, i16::MAX, m)?),
            Kind::I32 => Numbers::I32(self.integers(i32::MIN, i32::MAX, m)?),
            Kind::I64 => Numbers::I64(self.integers(i64::MIN, i64::MAX, m)?),
            Kind::U8 => Numbers::U8(self.integers(u8::MIN, u8::MAX, m)?),
            Kind::U16 => Numbers::U16(self.integers(u16::MIN, u16::MAX, m)?),
            Kind::U32 => Numbers::U32(self.integers(u32::MIN, u32::MAX, m)?),
            Kind::U64 => Numbers::U64(self.integers(u64::MIN, u64::MAX, m)?),
            Kind::F32 => {
                let bytes = self.r.take(m.saturating_mul(4))?;
                let mut numbers = room(m);
                numbers.extend(bytes.chunks_exact(4).map(f32::from_raw));
                Numbers::F32(numbers)
            }
            Kind::F64 => {
                let mut numbers = self.room_of(m)?;
                self.r.column_doubles(m, &mut numbers)?;
                Numbers::F64(numbers)
            }
        })
    }

    /// Room for `m` values, each of which has at least one bit in the message.
    fn room_of<T>(&mut self, m: usize) -> Result<Vec<T>, Fault> {
        self.r.need(m.div_ceil(8))?;
        Ok(room(m))
    }

    pub(in crate::pack::decode) fn integers<T: Number>(
        &mut self,
        least: T,
        most: T,
        m: usize,
    ) -> Result<Vec<T>, Fault> {
        let mut numbers = self.room_of(m)?;
        self.r.column_integers(&(least..=most), m, &mut numbers)?;
        Ok(numbers)
    }

    fn instants(&mut self, calendar: bool, as_int: bool, m: usize) -> Result<Instants, Fault> {
        let mut times = Times { counts: self.room_of(m)?, nanos: Vec::new() };
        let unit = self.r.column_times(calendar, m, &mut times)?;
        Ok(Instants { unit, counts: times.counts, fractions: times.nanos, as_int })
    }

    fn lengths(&mut self, m: usize) -> Result<Vec<u32>, Fault> {
        let mut lengths = self.room_of(m)?;
        self.r.column_lengths(m, &mut lengths)?;
        Ok(lengths)
    }

    /// The counts of `m` containers, and their sum.
    fn counts(&mut self, columns: usize, cells: u64, m: usize) -> Result<(Vec<u32>, usize), Fault> {
        let mut counts = self.room_of(m)?;
        let total = self.r.column_counts(columns, cells, m, &mut counts)?;
        Ok((counts, total))
    }

    unsafe fn number_lists(
        &mut self,
        kind: Kind,
        form: Form,
        wanted: Option<Kind>,
        m: usize,
    ) -> Result<Values<'a>, Fault> {
        let at = self.r.position();
        let (counts, total) = self.counts(1, 1, m)?;
        self.overhead_at(at, form.overhead() * m as u64)?;
        let number = match wanted {
            Some(float @ (Kind::F32 | Kind::F64)) if kind != Kind::F32 => Node::Float(kind, float),
            _ => Node::Number(kind),
        };
        // SAFETY: callers hold the GIL, for which this function is unsafe.
        let numbers = unsafe { self.boxed(Segment::Elements, number, total)? };
        Ok(Values::NumberLists(counts, form, wanted, numbers))
    }

    /// As [`overhead`](Decoder::overhead), for what a column at that offset takes.
    fn overhead_at(&mut self, at: usize, cells: u64) -> Result<(), Fault> {
        if self.r.charge(at, cells).is_err() {
            self.why = Why::At(
                Code::LimitItems,
                at,
                "more memory than limits.cells allows: raise it for data that you trust".into(),
            );
            return Err(Fault);
        }
        Ok(())
    }
}

/// How many bits are set. Bits after the last value are zero.
fn count_set(bits: &[u8]) -> usize {
    bits.iter().map(|byte| byte.count_ones() as usize).sum()
}
