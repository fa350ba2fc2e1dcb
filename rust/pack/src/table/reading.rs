//! One message being read into a column.

use super::column::Column;
use super::field::{Field, TableOptions};
use super::texts::{Numbered, Texts};
use super::times::Misfit;
use crate::schema::{Cells, Schema, Type, TypeId};
use crate::walker::check_with;
use crate::wire::{Chars, Reader, Token, CELL_BYTES};
use alloc::borrow::Cow;
use alloc::format;
use alloc::vec::Vec;
use samewire_core::path::{path_text, Segment};
use samewire_core::{Code, Error, Fault, Limits};

/// Reads a whole message, of a list of structs, whose field is [`Field::of_list`]'s. `cells` are the weights of the schema's
/// types.
///
/// # Errors
/// As the strict reader; `type_mismatch` for a value that its Arrow type cannot hold; `limit_items` for nulls that take more
/// cells than are left.
pub fn read_list(
    schema: &Schema,
    cells: &Cells,
    data: &[u8],
    limits: &Limits,
    options: &TableOptions,
    field: &Field,
) -> Result<Column, Error> {
    let Type::List(item) = *schema.ty(schema.root()) else {
        return Err(Error::new(Code::Misuse, "expected the schema of a list"));
    };
    let mut column = Column::of(field);
    read(schema, cells, data, limits, options, |reading| reading.list_items(item, &mut column).map(drop))?;
    finish(&mut column, limits, options)?;
    Ok(column)
}

/// Reads a whole message, of a struct, and appends it as one row to the column of [`Field::of_row`].
///
/// # Errors
/// As [`read_list`]. The column is then of no more use.
pub fn read_row(
    schema: &Schema,
    cells: &Cells,
    data: &[u8],
    limits: &Limits,
    options: &TableOptions,
    column: &mut Column,
) -> Result<(), Error> {
    read(schema, cells, data, limits, options, |reading| reading.slot(schema.root(), column))
}

/// Ends a column of rows: its texts take the form that the options say.
///
/// # Errors
/// `limit_items` if plain strings take more bytes than `limits.cells` stand for, or a column more than 2^31.
pub fn finish(column: &mut Column, limits: &Limits, options: &TableOptions) -> Result<(), Error> {
    if options.views {
        return Ok(());
    }
    let most = usize::try_from(limits.cells.saturating_mul(CELL_BYTES)).unwrap_or(usize::MAX);
    column.flatten(&mut most.clone()).ok_or_else(|| {
        let text = format!(
            "texts that repeat take more than {most} bytes as plain strings, or a column more than 2^31: read string views \
             (strings=\"view\") or fewer rows"
        );
        Error::new(Code::LimitItems, text).path("$")
    })
}

fn read<'s, 'a>(
    schema: &'s Schema,
    cells: &'s Cells,
    data: &'a [u8],
    limits: &Limits,
    options: &'s TableOptions,
    values: impl FnOnce(&mut Reading<'s, 'a>) -> Result<(), Fault>,
) -> Result<(), Error> {
    let r = Reader::new(data, Some(schema.digest()), limits)?;
    let mut reading = Reading { schema, cells, options, r, texts: Vec::new(), path: Vec::new(), why: None };
    let root = cells.slot(schema.root()).into();
    let done = reading.r.charge_here(root).and_then(|()| values(&mut reading)).and_then(|()| reading.r.finish());
    done.map_err(|Fault| reading.error(limits))?;
    // Keys are not compared here.
    if has_keys(schema) {
        check_with(schema, cells, data, limits)?;
    }
    Ok(())
}

fn has_keys(schema: &Schema) -> bool {
    schema.types().iter().any(|ty| matches!(ty, Type::Set(_) | Type::Map(..)))
}

pub(super) struct Reading<'s, 'a> {
    pub(super) schema: &'s Schema,
    pub(super) cells: &'s Cells,
    pub(super) options: &'s TableOptions,
    pub(super) r: Reader<'a>,
    /// Numbered texts.
    texts: Vec<Numbered<'a>>,
    /// The way to a failure, from its end.
    path: Vec<Segment<'s>>,
    /// A failure that the walker cannot know.
    why: Option<(Code, usize, Cow<'static, str>)>,
}

impl<'s> Reading<'s, '_> {
    #[cold]
    fn error(mut self, limits: &Limits) -> Error {
        self.path.reverse();
        let path = path_text(self.path.iter().copied());
        if let Some((_, at, _)) = self.why {
            // A repeated key that stands before it, which was not noticed.
            let before = |error: &Error| error.at.is_some_and(|other| other < at);
            if let Some(error) = check_with(self.schema, self.cells, self.r.data(), limits).err().filter(before) {
                return error;
            }
        }
        match self.why {
            // As a native reader says it: the bytes are right where they are.
            Some((Code::TypeMismatch, _, text)) => Error::new(Code::TypeMismatch, text).path(path),
            Some((code, at, text)) => Error::new(code, text).at(at).path(path),
            None => match check_with(self.schema, self.cells, self.r.data(), limits) {
                Err(error) => error,
                Ok(()) => self.r.fault().path(path),
            },
        }
    }

    /// Notes a step of the way to a failure.
    #[cold]
    #[inline(never)]
    pub(super) fn inside(&mut self, segment: Segment<'s>) -> Fault {
        self.path.push(segment);
        Fault
    }

    /// A good value at `at` that its Arrow type cannot hold.
    #[cold]
    pub(super) fn refuse(&mut self, at: usize, text: impl Into<Cow<'static, str>>) -> Fault {
        self.why.get_or_insert((Code::TypeMismatch, at, text.into()));
        Fault
    }

    #[cold]
    pub(super) fn misfit(&mut self, at: usize, misfit: &Misfit) -> Fault {
        let text = match misfit {
            Misfit::TooFine => {
                "a time between two microseconds: read it in nanoseconds (time_unit=\"ns\"), or truncated (times=\"truncate\")"
            }
            Misfit::TooFar => "a time too far away for 64 bits of the table's unit: read it in microseconds",
        };
        self.refuse(at, text)
    }

    #[cold]
    pub(super) fn too_many(&mut self, at: usize, text: &'static str) -> Fault {
        self.why.get_or_insert((Code::LimitItems, at, text.into()));
        Fault
    }

    /// Takes the cells of nulls that stand at `at`, beyond those of their slots.
    #[inline]
    pub(super) fn charge_nulls(&mut self, at: usize, nulls: usize, cells: u64) -> Result<(), Fault> {
        if cells > 0 && self.r.charge(at, cells.saturating_mul(nulls as u64)).is_err() {
            return Err(
                self.too_many(at, "absent structs, which take the room of all their columns, beyond limits.cells")
            );
        }
        Ok(())
    }

    /// Reads a token and returns the view of its text in this column.
    #[inline]
    pub(super) fn text(&mut self, texts: &mut Texts) -> Result<u128, Fault> {
        let token = self.r.token()?;
        let (chars, numbered) = match token {
            Token::Back(number) => return Ok(self.texts[number as usize].view_in(texts)),
            Token::Latin1 { chars, numbered } => (Chars::Latin1(chars), numbered),
            Token::Wide { units, numbered } => (Chars::Wide(units), numbered),
            Token::Utf8 { text, numbered } => (Chars::Utf8(text), numbered),
        };
        let view = texts.keep(chars);
        if numbered {
            self.texts.push(Numbered::new(chars, texts, view));
        }
        Ok(view)
    }

    /// The end of a run of bytes or elements as an offset of Arrow's.
    #[inline]
    pub(super) fn end(&mut self, at: usize, end: usize) -> Result<i32, Fault> {
        i32::try_from(end)
            .map_err(|_| self.too_many(at, "more than 2^31 elements or bytes in a column: read fewer rows"))
    }

    /// The type of the elements of what is written as a row or a column of one type.
    pub(super) fn is_flat(&self, ty: TypeId) -> bool {
        self.schema.is_flat(ty)
    }
}
