//! Properties of every table.

use crate::arrays::{Array, Exported};
use crate::damage::damage;
use crate::generate::{array, settle};
use crate::guarded::Guarded;
use crate::types::{Maker, Type};
use samewire_pack::schema::Schema;
use samewire_pack::table::c_data::{array_of, schema_of};
use samewire_pack::table::from_arrow::{OwnedArray, OwnedSchema, RowSource, Rows};
use samewire_pack::table::{read_list, Field, TableOptions, TimeUnit};
use samewire_pack::wire::{Message, Writer};
use samewire_pack::{walker, Code, Error, Limits, Profile};
use samewire_peers::fuzzing::Fuzzer;
use samewire_peers::memory::measured;
use samewire_peers::random::Random;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// Met by arrays that claim many values in few bytes.
const LIMITS: Limits =
    Limits { items: 3000, frame_bytes: 1 << 16, text_bytes: 1 << 16, cells: 1 << 18, ..Limits::DEFAULT };
/// Of all values of a message, in vectors that double; far below what a claimed length would take.
const MEMORY: usize = 32 << 20;
/// Rows that are looked at, of those that cost no bytes.
const MOST: usize = 500;

/// One or two batches of a table for a schema.
pub struct Input {
    schema: String,
    fast: bool,
    /// Whether each row is a message.
    rows: bool,
    batches: Vec<Array>,
    damaged: bool,
}

impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (fast: {}, rows: {})", self.schema, self.fast, self.rows)?;
        self.batches.iter().try_for_each(|batch| write!(f, "\n    {batch}"))
    }
}

pub struct Prober {
    memory: Guarded,
    tallies: BTreeMap<&'static str, u64>,
}

impl Fuzzer for Prober {
    type Input = Input;

    fn next(&mut self, random: &mut Random) -> Input {
        let row = Maker::rows(random);
        let rows = random.once_in(3);
        let ty = if rows { row.clone() } else { Type::List(Box::new(row.clone())) };
        let count = if random.once_in(6) { 64 + random.below(80) } else { random.below(9) };
        let mut first = array(&row, "", count, random);
        let changes = [0, 1, 1, 1, 2, 2, 4][random.below(7)];
        let mut batches = Vec::new();
        if random.once_in(3) {
            batches.push(first.clone());
        }
        (0..changes).for_each(|_| damage(&mut first, batches.is_empty(), random));
        batches.push(first);
        batches.iter_mut().for_each(|batch| settle(batch, random));
        Input { schema: ty.to_string(), fast: random.once_in(2), rows, batches, damaged: changes > 0 }
    }

    fn probe(&mut self, input: &Input, random: &mut Random) -> Result<(), String> {
        let schema = Schema::parse(&input.schema).map_err(|error| format!("a bad schema: {error}"))?;
        self.memory.clear();
        let mut exported = Exported::default();
        let types = exported.schema(&input.batches[0]);
        let arrays: Vec<_> =
            input.batches.iter().map(|batch| exported.array(batch, &mut self.memory, random)).collect();
        // SAFETY: the structs keep to the interface as far as it says how long buffers are, and have no other owner.
        let (types, arrays) = unsafe {
            (OwnedSchema::new(types), arrays.into_iter().map(|array| OwnedArray::new(array)).collect::<Vec<_>>())
        };
        let (done, peak) = measured(|| encoded(&schema, &types, &arrays, input));
        drop((types, arrays));
        if !exported.is_released() {
            return Err("a struct was not released once".into());
        }
        if peak > MEMORY {
            return Err(format!("encoding took {peak} bytes"));
        }
        let outcome = match done {
            Ok(messages) => {
                for message in &messages {
                    walker::check(&schema, message, &LIMITS)
                        .map_err(|error| format!("what was written cannot be read: {error}"))?;
                    if !input.rows {
                        comes_back(&schema, message, input)?;
                    }
                }
                "tables accepted"
            }
            Err(error) => {
                proper(&error, input)?;
                if error.code == Code::Malformed {
                    "tables malformed"
                } else {
                    "tables refused"
                }
            }
        };
        *self.tallies.entry(outcome).or_default() += 1;
        Ok(())
    }

    fn tallies(&self) -> BTreeMap<&'static str, u64> {
        self.tallies.clone()
    }
}

impl Prober {
    pub fn new() -> Self {
        Prober { memory: Guarded::new(), tallies: BTreeMap::new() }
    }
}

fn message_of(schema: &Schema, input: &Input) -> Message {
    let profile = if input.fast { Profile::Fast } else { Profile::Compact };
    Message { dedup_slots: schema.dedup_slots(), profile, limits: LIMITS, ..Message::default() }
}

fn encoded(schema: &Schema, types: &OwnedSchema, arrays: &[OwnedArray], input: &Input) -> Result<Vec<Vec<u8>>, Error> {
    let source = RowSource::new(schema, types)?;
    let (mut writer, message) = (Writer::new(), message_of(schema, input));
    let mut out = Vec::new();
    if !input.rows {
        let mut rows = Rows::new(schema, &source, &LIMITS, 0);
        arrays.iter().try_for_each(|array| rows.extend(array))?;
        rows.write_list(&mut writer, &message, &mut out)?;
        return Ok(vec![out]);
    }
    let mut messages = Vec::new();
    for array in arrays {
        let mut rows = Rows::new(schema, &source, &LIMITS, 0);
        rows.extend(array)?;
        while !rows.is_empty() && messages.len() < MOST {
            out.clear();
            rows.write_next(&mut writer, &message, &mut out)?;
            messages.push(out.clone());
        }
    }
    Ok(messages)
}

/// A message that was written is the table that it was written from, if Arrow's types hold its values.
fn comes_back(schema: &Schema, message: &[u8], input: &Input) -> Result<(), String> {
    let options = TableOptions { unit: TimeUnit::Nanos, ..TableOptions::default() };
    let field = Field::of_list(schema).map_err(|error| format!("no table: {error}"))?;
    let column = match read_list(schema, schema.cells(), message, &LIMITS, &options, &field) {
        Ok(column) => column,
        Err(error) if matches!(error.code, Code::TypeMismatch | Code::LimitItems) => return Ok(()),
        Err(error) => return Err(format!("the written message is not a table: {error}")),
    };
    // SAFETY: both were made just now, and are released by their owners alone.
    let (types, array) = unsafe {
        let array = array_of(&Arc::new(column), &field);
        (OwnedSchema::new(schema_of(&field, &options)), [OwnedArray::new(array)])
    };
    let again = encoded(schema, &types, &array, input).map_err(|error| format!("writing again: {error}"))?;
    // Decimals of a table have 18 digits behind the point.
    if again[0] != message && !input.schema.contains("decimal") {
        return Err("the bytes change on their way".into());
    }
    Ok(())
}

/// A code that a table can cause, a path and a text; a good table is not malformed.
fn proper(error: &Error, input: &Input) -> Result<(), String> {
    let known = matches!(
        error.code,
        Code::TypeMismatch | Code::SchemaMismatch | Code::BadUtf8 | Code::LimitItems | Code::LimitSize
    ) || (error.code == Code::Malformed && input.damaged);
    let placed = error.path.as_ref().is_some_and(|path| path.starts_with('$'));
    if known && placed && !error.text.is_empty() {
        Ok(())
    } else {
        Err(format!("an improper error: {error}"))
    }
}
