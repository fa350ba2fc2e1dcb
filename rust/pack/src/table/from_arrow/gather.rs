//! Values taken out of arrays, in the order in which a message has them.

use super::arrays::{span, ArrayView, Bits, Raw, Raws};
use super::formats::{Format, Lengths};
use super::keys;
use super::leaves::{self, Indices};
use super::refused::{broken, Refused};
use super::runs::{indices, push, total, Run};
use super::source::{Form, Source, MISSING};
use super::values::{of_leaves, Queue, Values};
use crate::schema::{Schema, Type, TypeId};
use alloc::vec::Vec;
use samewire_core::path::Segment;
use samewire_core::Code;

const NULL: &str = "expected a value, got a null: the field is not optional. Fill it, drop the row, or allow None";

/// Takes values out of the arrays of one batch.
pub(super) struct Gather<'s> {
    pub(super) schema: &'s Schema,
    /// How many elements a message may still have: the lengths of arrays without buffers cost their maker nothing.
    pub(super) items: u64,
    /// Whether each row is a message, and `items` are those of a batch.
    pub(super) batch: bool,
}

/// Which values of an array are nulls.
enum Nulls<'a> {
    None,
    All,
    Bits(Bits<'a>),
    /// Where an index is null, or leads to one.
    Dictionary(Option<Bits<'a>>, Indices<'a>, Bits<'a>),
    /// Where the member is null.
    Union(Members<'a>, Vec<Option<Bits<'a>>>),
}

/// Which member each value of a union is of, and where it stands there.
struct Members<'a> {
    ids: Raws<'a, i8>,
    places: Option<Raws<'a, i32>>,
    /// The member of each id, and the number of values that its child has.
    of: Vec<Option<(u8, usize)>>,
}

impl Members<'_> {
    fn find(&self, i: usize) -> Result<(u8, usize), Refused> {
        let id = self.ids.get(i);
        let found = usize::try_from(id).ok().and_then(|id| self.of[id]);
        let (member, len) =
            found.ok_or_else(|| broken(format!("a value of a union has the id {id}, which no member has")))?;
        let place = self.places.map_or(i as i64, |places| places.get(i).into());
        match usize::try_from(place) {
            Ok(place) if place < len => Ok((member, place)),
            _ => Err(broken(format!("a value of a union stands at {place} of {len} values"))),
        }
    }
}

impl Nulls<'_> {
    fn is_null(&self, i: usize) -> Result<bool, Refused> {
        Ok(match self {
            Nulls::None => false,
            Nulls::All => true,
            Nulls::Bits(bits) => !bits.is_set(i),
            Nulls::Dictionary(bits, places, values) => {
                bits.is_some_and(|bits| !bits.is_set(i)) || !values.is_set(places.get(i)?)
            }
            Nulls::Union(members, bits) => {
                let (member, place) = members.find(i)?;
                bits[usize::from(member)].is_some_and(|bits| !bits.is_set(place))
            }
        })
    }
}

impl<'s> Gather<'s> {
    /// Appends the values of these runs.
    pub(super) fn values<'a>(
        &mut self,
        ty: TypeId,
        source: &Source,
        array: ArrayView<'a>,
        runs: &[Run],
        out: &mut Values<'a>,
    ) -> Result<(), Refused> {
        let schema = self.schema;
        let nulls = nulls(source, array)?;
        if let (Type::Option(inner), Values::Option(flags, held)) = (schema.ty(ty), &mut *out) {
            if matches!(nulls, Nulls::None) {
                flags.all.resize(flags.all.len() + total(runs), true);
                return self.present(*inner, source, array, runs, held);
            }
            let mut present = Vec::new();
            for i in indices(runs) {
                let there = !nulls.is_null(i)?;
                flags.all.push(there);
                push(&mut present, i, usize::from(there));
            }
            return self.present(*inner, source, array, &present, held);
        }
        if !matches!(nulls, Nulls::None) {
            for i in indices(runs) {
                if nulls.is_null(i)? {
                    return Err(Refused::value(NULL, i));
                }
            }
        }
        self.present(ty, source, array, runs, out)
    }

    /// Appends the values of these runs, of which none is null.
    fn present<'a>(
        &mut self,
        ty: TypeId,
        source: &Source,
        array: ArrayView<'a>,
        runs: &[Run],
        out: &mut Values<'a>,
    ) -> Result<(), Refused> {
        if runs.is_empty() {
            return Ok(());
        }
        let schema = self.schema;
        match (schema.ty(ty), &source.form, out) {
            (Type::List(item), Form::Plain(format), Values::List(counts, items)) => {
                let child = array.child(source.children[0])?;
                let spans = Spans::of(format, array, child.len())?;
                let from = counts.all.len();
                let inner = self.spans(&spans, runs, counts)?;
                debug_assert_eq!(total(&inner), counts.all[from..].iter().sum::<usize>());
                let done = self.values(*item, &source.parts[0], child, &inner, items);
                done.map_err(|refused| spans.outward(refused, runs, Segment::Index))
            }
            (Type::Set(key), Form::Plain(format), Values::List(counts, held)) => {
                let child = array.child(source.children[0])?;
                let spans = Spans::of(format, array, child.len())?;
                let (from, at) = (counts.all.len(), held.leaves());
                let inner = self.spans(&spans, runs, counts)?;
                let done = self.values(*key, &source.parts[0], child, &inner, held);
                done.map_err(|refused| spans.outward(refused, runs, Segment::Index))?;
                let twice = keys::sort(held, at, &counts.all[from..]);
                twice.map_or(Ok(()), |set| Err(repeated(runs, set, "a set has each element once")))
            }
            (Type::Map(key, value), Form::Plain(format), Values::Map(counts, held)) => {
                let entries = array.child(0)?;
                let spans = Spans::of(format, array, entries.len())?;
                let [names, values] = &mut **held;
                let (from, at) = (counts.all.len(), names.leaves());
                let inner = self.spans(&spans, runs, counts)?;
                if let Some(bits) = entries.validity()? {
                    if let Some(i) = indices(&inner).find(|&i| !bits.is_set(i)) {
                        let refused = Refused::value("expected the entry of a map, got a null: drop it", i);
                        return Err(spans.outward(refused, runs, Segment::Value));
                    }
                }
                let done = self.values(*key, &source.parts[0], entries.beside(source.children[0])?, &inner, names);
                done.map_err(|refused| spans.outward(refused, runs, Segment::Key))?;
                let twice = keys::repeated(names, at, &counts.all[from..]);
                twice.map_or(Ok(()), |map| Err(repeated(runs, map, "a map has each key once")))?;
                let done = self.values(*value, &source.parts[1], entries.beside(source.children[1])?, &inner, values);
                done.map_err(|refused| spans.outward(refused, runs, Segment::Value))
            }
            (Type::Struct(index), _, Values::Struct(parts)) => self.fields(*index, source, array, runs, parts),
            (Type::Tuple(types), _, Values::Struct(parts)) => {
                for (i, (&ty, part)) in types.iter().zip(parts).enumerate() {
                    let child = array.beside(source.children[i])?;
                    let done = self.values(ty, &source.parts[i], child, runs, part);
                    done.map_err(|refused| refused.inside(Segment::Index(i)))?;
                }
                Ok(())
            }
            (Type::Union(members), _, Values::Union(tags, parts)) => {
                self.union(&members.structs, source, array, runs, tags, parts)
            }
            (ty, Form::Plain(format), out) => leaves::append(schema, ty, format, array, runs, out),
            (ty, Form::Dictionary(places, format), out) => self.dictionary(ty, places, format, array, runs, out),
        }
    }

    /// The fields of structs that are there.
    pub(super) fn fields<'a>(
        &mut self,
        index: usize,
        source: &Source,
        array: ArrayView<'a>,
        runs: &[Run],
        parts: &mut [Values<'a>],
    ) -> Result<(), Refused> {
        let schema = self.schema;
        for (i, (field, part)) in schema.structs()[index].fields.iter().zip(parts).enumerate() {
            let segment = Segment::Field(&field.name);
            let child = array.beside(source.children[i]).map_err(|refused| refused.inside(segment))?;
            let done = self.values(field.ty, &source.parts[i], child, runs, part);
            done.map_err(|refused| refused.inside(segment))?;
        }
        Ok(())
    }

    fn union<'a>(
        &mut self,
        structs: &[usize],
        source: &Source,
        array: ArrayView<'a>,
        runs: &[Run],
        tags: &mut Queue<u8>,
        parts: &mut [Values<'a>],
    ) -> Result<(), Refused> {
        let members = members(source, array)?;
        let mut wanted = vec![Vec::new(); structs.len()];
        for i in indices(runs) {
            let (member, place) = members.find(i)?;
            tags.all.push(member);
            push(&mut wanted[usize::from(member)], place, 1);
        }
        for (m, (&index, part)) in structs.iter().zip(parts).enumerate() {
            if wanted[m].is_empty() {
                continue;
            }
            let child = child_of(source, array, m)?;
            let Values::Struct(fields) = part else { return Err(broken("a member of a union is no struct")) };
            let done = match child.validity()? {
                Some(bits) => {
                    indices(&wanted[m]).find(|&i| !bits.is_set(i)).map_or(Ok(()), |i| Err(Refused::value(NULL, i)))
                }
                None => Ok(()),
            };
            let done = done.and_then(|()| self.fields(index, &source.parts[m], child, &wanted[m], fields));
            done.map_err(|refused| {
                let found =
                    |&i: &usize| members.find(i).is_ok_and(|at| Some(at) == refused.at().map(|at| (m as u8, at)));
                let at = indices(runs).find(found);
                refused.moved(at)
            })?;
        }
        Ok(())
    }

    /// The lengths of the lists of these runs, and where their elements stand.
    fn spans(&mut self, spans: &Spans<'_>, runs: &[Run], counts: &mut Queue<usize>) -> Result<Vec<Run>, Refused> {
        let mut inner = Vec::new();
        counts.all.reserve(total(runs));
        for i in indices(runs) {
            let (start, len) = spans.get(i)?;
            self.take(len).map_err(|refused| refused.moved(Some(i)))?;
            counts.all.push(len);
            push(&mut inner, start, len);
        }
        Ok(inner)
    }

    /// Counts elements.
    pub(super) fn take(&mut self, count: usize) -> Result<(), Refused> {
        match self.items.checked_sub(count as u64) {
            Some(left) => self.items = left,
            None if self.batch => {
                let text = format!(
                    "expected a batch of no more rows and elements than 8 times limits.items, of which {} were left \
                     here, got {count} more: write smaller batches",
                    self.items
                );
                return Err(Refused::new(Code::LimitItems, text, None));
            }
            None => {
                let text = format!(
                    "expected no more than limits.items in one message, of which {} were left here, got {count} elements \
                     more: write several messages, or raise limits.items for the writer and for all readers",
                    self.items
                );
                return Err(Refused::new(Code::LimitItems, text, None));
            }
        }
        Ok(())
    }

    /// Values by their indices: those that are used are taken once, then copied.
    fn dictionary<'a>(
        &mut self,
        ty: &Type,
        places: &Format,
        format: &Format,
        array: ArrayView<'a>,
        runs: &[Run],
        out: &mut Values<'a>,
    ) -> Result<(), Refused> {
        let values = array.dictionary()?;
        let places = Indices::of(places, array, values.len())?;
        // Those that are used, once each. A dictionary may be much longer than the runs.
        let mut wanted = Vec::new();
        let mut distinct = indices(runs).map(|i| places.get(i)).collect::<Result<Vec<_>, _>>()?;
        distinct.sort_unstable();
        distinct.dedup();
        distinct.iter().for_each(|&place| push(&mut wanted, place, 1));
        let at = out.leaves();
        leaves::append(self.schema, ty, format, values, &wanted, out).map_err(|refused| {
            let at = indices(runs).find(|&i| places.get(i).ok() == refused.at());
            refused.moved(at)
        })?;
        of_leaves!(out, queue => {
            queue.all.reserve(total(runs));
            let behind = queue.all.len();
            for i in indices(runs) {
                let place = places.get(i)?;
                let rank = distinct.partition_point(|&other| other < place);
                queue.all.push(queue.all[at + rank]);
            }
            queue.all.drain(at..behind);
        }, _ => {});
        Ok(())
    }
}

impl Values<'_> {
    /// How many values of a type without parts there are.
    fn leaves(&self) -> usize {
        of_leaves!(self, queue => queue.all.len(), _ => 0)
    }
}

/// A set or map that has a key twice: which one of those of the runs.
fn repeated(runs: &[Run], which: usize, text: &str) -> Refused {
    let at = indices(runs).nth(which);
    Refused::new(Code::TypeMismatch, format!("expected keys that differ, got one twice: {text}"), at)
}

fn nulls<'a>(source: &Source, array: ArrayView<'a>) -> Result<Nulls<'a>, Refused> {
    Ok(match &source.form {
        Form::Plain(Format::Null) => Nulls::All,
        Form::Plain(Format::Union(..)) => {
            let members = members(source, array)?;
            let mut bits = Vec::new();
            for m in 0..source.parts.len() {
                let missing = source.children[m] == MISSING;
                bits.push(if missing { None } else { child_of(source, array, m)?.validity()? });
            }
            if bits.iter().all(Option::is_none) {
                Nulls::None
            } else {
                Nulls::Union(members, bits)
            }
        }
        Form::Plain(_) => array.validity()?.map_or(Nulls::None, Nulls::Bits),
        Form::Dictionary(places, _) => {
            let values = array.dictionary()?;
            match (array.validity()?, values.validity()?) {
                (bits, None) => bits.map_or(Nulls::None, Nulls::Bits),
                (bits, Some(values_bits)) => {
                    Nulls::Dictionary(bits, Indices::of(places, array, values.len())?, values_bits)
                }
            }
        }
    })
}

fn child_of<'a>(source: &Source, array: ArrayView<'a>, member: usize) -> Result<ArrayView<'a>, Refused> {
    match source.form {
        Form::Plain(Format::Union(true, _)) => array.child(source.children[member]),
        _ => array.beside(source.children[member]),
    }
}

fn members<'a>(source: &Source, array: ArrayView<'a>) -> Result<Members<'a>, Refused> {
    let Form::Plain(Format::Union(dense, ids)) = &source.form else { return Err(broken("it is no union")) };
    // Libraries of before Arrow 1.0 put a validity in front.
    let first = array.buffers().saturating_sub(1 + usize::from(*dense));
    let mut of = vec![None; 128];
    for m in (0..source.parts.len()).filter(|&m| source.children[m] != MISSING) {
        let id = ids.get(source.children[m]).and_then(|&id| usize::try_from(id).ok());
        let id = id.ok_or_else(|| broken("a member of a union has no id"))?;
        of[id] = Some((m as u8, child_of(source, array, m)?.len()));
    }
    let places = if *dense { Some(array.values::<i32>(first + 1, 0)?) } else { None };
    Ok(Members { ids: array.values::<i8>(first, 0)?, places, of })
}

/// Where the elements of each list stand in its child.
enum Spans<'a> {
    Ends(Ends<'a, i32>),
    LongEnds(Ends<'a, i64>),
    Views(Raws<'a, i32>, Raws<'a, i32>, usize),
    LongViews(Raws<'a, i64>, Raws<'a, i64>, usize),
    Fixed(usize, usize),
}

struct Ends<'a, T> {
    ends: Raws<'a, T>,
    most: usize,
}

impl<T: Raw + Into<i64>> Ends<'_, T> {
    fn get(&self, i: usize) -> Result<(usize, usize), Refused> {
        let (start, end) = (self.ends.get(i).into(), self.ends.get(i + 1).into());
        span(start, end.wrapping_sub(start), self.most)
    }
}

impl<'a> Spans<'a> {
    fn of(format: &Format, array: ArrayView<'a>, most: usize) -> Result<Self, Refused> {
        Ok(match format {
            Format::List(Lengths::Short) => Spans::Ends(Ends { ends: array.values(1, 1)?, most }),
            Format::List(Lengths::Long) => Spans::LongEnds(Ends { ends: array.values(1, 1)?, most }),
            Format::List(Lengths::Views) => Spans::Views(array.values(1, 0)?, array.values(2, 0)?, most),
            Format::List(Lengths::LongViews) => Spans::LongViews(array.values(1, 0)?, array.values(2, 0)?, most),
            Format::FixedList(size) => {
                let all = array.end().checked_mul(*size).filter(|&all| all <= most);
                all.ok_or_else(|| broken(format!("{} lists of {size} do not lie within {most} values", array.end())))?;
                Spans::Fixed(*size, array.end() - array.len())
            }
            _ => return Err(broken("it is no list")),
        })
    }

    fn get(&self, i: usize) -> Result<(usize, usize), Refused> {
        match self {
            Spans::Ends(ends) => ends.get(i),
            Spans::LongEnds(ends) => ends.get(i),
            Spans::Views(starts, sizes, most) => span(starts.get(i).into(), sizes.get(i).into(), *most),
            Spans::LongViews(starts, sizes, most) => span(starts.get(i), sizes.get(i), *most),
            Spans::Fixed(size, offset) => Ok(((offset + i) * size, *size)),
        }
    }

    /// Names the list, and the place in it, of an element that was refused.
    #[cold]
    fn outward(&self, refused: Refused, runs: &[Run], segment: fn(usize) -> Segment<'static>) -> Refused {
        let Some(at) = refused.at() else {
            return refused.inside(match segment(0) {
                Segment::Key(_) => Segment::Keys,
                Segment::Value(_) => Segment::Values,
                _ => Segment::Elements,
            });
        };
        let holder = indices(runs).find_map(|i| {
            let (start, len) = self.get(i).ok()?;
            (start <= at && at < start + len).then_some((i, at - start))
        });
        match holder {
            Some((i, place)) => refused.inside(segment(place)).moved(Some(i)),
            None => refused.inside(Segment::Elements).moved(None),
        }
    }
}
