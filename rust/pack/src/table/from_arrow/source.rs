//! Where each part of a type comes from in a table: its Arrow type, compared with the schema's.

use super::arrays::SchemaView;
use super::formats::{Format, Lengths};
use super::refused::Refused;
use crate::schema::{Schema, Type, TypeId};
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write;
use samewire_core::path::Segment;
use samewire_core::Code;

/// The names that an error lists.
const NAMES_SHOWN: usize = 20;

/// The place of a union's member that the table does not have.
pub(super) const MISSING: usize = usize::MAX;

/// A column, and how its parts are found.
pub(super) struct Source {
    pub(super) form: Form,
    /// The sources of the parts of the type: fields, an element, key and value, members.
    pub(super) parts: Vec<Source>,
    /// Which child of the array each part is; of a map, of the array of its entries.
    pub(super) children: Vec<usize>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Plain(Format),
    /// Indices, and the values that they lead to.
    Dictionary(Format, Format),
}

impl Source {
    fn leaf(form: Form) -> Self {
        Source { form, parts: Vec::new(), children: Vec::new() }
    }

    /// The source of structs: the columns of a table.
    pub(super) fn of_struct(schema: &Schema, index: usize, rows: SchemaView<'_>) -> Result<Source, Refused> {
        if Format::of(rows) != Some(Format::Struct) || rows.dictionary().is_some() {
            return Err(mismatch("a table: a struct of columns", rows));
        }
        let fields = &schema.structs()[index].fields;
        of_fields(schema, fields.iter().map(|field| (field.name.clone(), Segment::Field(&field.name), field.ty)), rows)
    }

    fn of(schema: &Schema, ty: TypeId, column: SchemaView<'_>) -> Result<Source, Refused> {
        let format = Format::of(column);
        if let Type::Option(inner) = schema.ty(ty) {
            if format == Some(Format::Null) {
                return Ok(Source::leaf(Form::Plain(Format::Null)));
            }
            return Source::of(schema, *inner, column);
        }
        if let Some(dictionary) = column.dictionary() {
            return of_dictionary(schema.ty(ty), format, column, dictionary);
        }
        match (schema.ty(ty), format) {
            (Type::Struct(index), _) => Source::of_struct(schema, *index, column),
            (Type::Tuple(types), Some(Format::Struct)) => {
                let fields = types.iter().enumerate().map(|(i, &ty)| (format!("f{i}"), Segment::Index(i), ty));
                of_fields(schema, fields, column)
            }
            (Type::List(item) | Type::Set(item), Some(format @ (Format::List(_) | Format::FixedList(_)))) => {
                let child = only_child(column, "a list has one child")?;
                let part = Source::of(schema, *item, child).map_err(|refused| refused.inside(Segment::Elements))?;
                Ok(Source { form: Form::Plain(format), parts: vec![part], children: vec![0] })
            }
            (Type::Map(key, value), Some(format @ (Format::Map | Format::List(_)))) => {
                of_map(schema, [*key, *value], format, column)
            }
            (Type::Union(members), Some(format @ Format::Union(..))) => {
                of_union(schema, &members.structs, format, column)
            }
            (ty, Some(format)) if holds(ty, &format) => Ok(Source::leaf(Form::Plain(format))),
            (ty, _) => Err(mismatch(expected(ty), column)),
        }
    }
}

fn of_dictionary(
    ty: &Type,
    indices: Option<Format>,
    column: SchemaView<'_>,
    dictionary: SchemaView<'_>,
) -> Result<Source, Refused> {
    let whole = |format: &Format| {
        use Format::{I16, I32, I64, I8, U16, U32, U64, U8};
        matches!(format, I8 | I16 | I32 | I64 | U8 | U16 | U32 | U64)
    };
    match (indices.filter(whole), Format::of(dictionary).filter(|_| dictionary.dictionary().is_none())) {
        (Some(indices), Some(values)) if holds(ty, &values) => Ok(Source::leaf(Form::Dictionary(indices, values))),
        (Some(_), _) => Err(mismatch(expected(ty), dictionary)),
        (None, _) => Err(mismatch("integers as the indices of a dictionary", column)),
    }
}

fn of_fields<'s>(
    schema: &Schema,
    fields: impl Iterator<Item = (String, Segment<'s>, TypeId)> + Clone,
    rows: SchemaView<'_>,
) -> Result<Source, Refused> {
    let columns = named(rows)?;
    let mut taken = vec![false; columns.len()];
    // The first of each name, and how many there are.
    let mut places = BTreeMap::<&str, (usize, usize)>::new();
    for (i, (name, _)) in columns.iter().enumerate() {
        places.entry(name).or_insert((i, 0)).1 += 1;
    }
    let mut source = Source::leaf(Form::Plain(Format::Struct));
    for (name, segment, ty) in fields {
        // Arrow's names end at a NUL.
        let name = name.replace('\0', "\u{fffd}");
        let Some(&(at, count)) = places.get(name.as_str()) else {
            let text = format!(
                "expected a column {name:?}, got {}: rename or add it; for an optional field a column of nulls will do",
                listed(columns.iter().map(|column| column.0))
            );
            return Err(Refused::new(Code::SchemaMismatch, text, None).inside(segment));
        };
        if count > 1 {
            let text = format!("expected one column {name:?}, got several: rename or drop all but one");
            return Err(Refused::new(Code::SchemaMismatch, text, None).inside(segment));
        }
        taken[at] = true;
        source.children.push(at);
        source.parts.push(Source::of(schema, ty, columns[at].1).map_err(|refused| refused.inside(segment))?);
    }
    if let Some(more) = taken.iter().position(|taken| !taken) {
        let name = columns[more].0;
        let text = format!(
            "expected no column {name:?}, as the type has no such field: drop or rename it (select the others)"
        );
        return Err(Refused::new(Code::SchemaMismatch, text, None).inside(Segment::Field(name)));
    }
    Ok(source)
}

fn of_map(schema: &Schema, types: [TypeId; 2], format: Format, column: SchemaView<'_>) -> Result<Source, Refused> {
    let entries = only_child(column, "a map has one child, its entries")?;
    let columns = named(entries)?;
    if Format::of(entries) != Some(Format::Struct) || columns.len() != 2 {
        return Err(mismatch("a map, or a list of structs of `key` and `value`", column));
    }
    // The names of a map's children are free.
    let key = if format == Format::Map { Some(0) } else { columns.iter().position(|column| column.0 == "key") };
    let value = if format == Format::Map { Some(1) } else { columns.iter().position(|column| column.0 == "value") };
    let (Some(key), Some(value)) = (key, value) else {
        return Err(mismatch("a map, or a list of structs of `key` and `value`", column));
    };
    let parts = vec![
        Source::of(schema, types[0], columns[key].1).map_err(|refused| refused.inside(Segment::Keys))?,
        Source::of(schema, types[1], columns[value].1).map_err(|refused| refused.inside(Segment::Values))?,
    ];
    let form = if format == Format::Map { Format::List(Lengths::Short) } else { format };
    Ok(Source { form: Form::Plain(form), parts, children: vec![key, value] })
}

fn of_union(schema: &Schema, structs: &[usize], format: Format, column: SchemaView<'_>) -> Result<Source, Refused> {
    let columns = named(column)?;
    let member = |index: &usize| schema.structs()[*index].name.replace('\0', "\u{fffd}");
    if let Some((name, _)) = columns.iter().find(|(name, _)| structs.iter().all(|index| member(index) != *name)) {
        let text = format!(
            "expected the union's members {}, got one named {name:?}: drop or rename it",
            listed(structs.iter().map(|&index| schema.structs()[index].name.as_str()))
        );
        return Err(Refused::new(Code::SchemaMismatch, text, None));
    }
    let mut source = Source::leaf(Form::Plain(format));
    for index in structs {
        let at = columns.iter().position(|column| column.0 == member(index));
        source.children.push(at.unwrap_or(MISSING));
        source.parts.push(match at {
            Some(at) => Source::of_struct(schema, *index, columns[at].1)?,
            None => Source::leaf(Form::Plain(Format::Null)),
        });
    }
    Ok(source)
}

fn only_child<'a>(column: SchemaView<'a>, text: &'static str) -> Result<SchemaView<'a>, Refused> {
    match column.children().next() {
        Some(Some(child)) => Ok(child),
        _ => Err(Refused::new(Code::Malformed, format!("expected a schema that keeps to Arrow: {text}"), None)),
    }
}

/// The children with their names.
fn named(column: SchemaView<'_>) -> Result<Vec<(&str, SchemaView<'_>)>, Refused> {
    let named = column.children().map(|child| child.and_then(|child| Some((child.name()?, child))));
    named.collect::<Option<_>>().ok_or_else(|| {
        Refused::new(Code::Malformed, "expected columns whose names are valid UTF-8, got one that is not", None)
    })
}

fn listed<'n>(names: impl ExactSizeIterator<Item = &'n str>) -> String {
    let (count, mut out) = (names.len(), String::new());
    for name in names.take(NAMES_SHOWN) {
        // Writing to a String cannot fail.
        let _ = write!(out, "{}{name:?}", if out.is_empty() { "" } else { ", " });
    }
    match count {
        0 => "none".into(),
        _ if count > NAMES_SHOWN => format!("{out} and {} more", count - NAMES_SHOWN),
        _ => out,
    }
}

/// Whether values of a type without parts can come in this format.
fn holds(ty: &Type, format: &Format) -> bool {
    use Format::{I16, I32, I64, I8, U16, U32, U64, U8};
    let whole = matches!(format, I8 | I16 | I32 | I64 | U8 | U16 | U32 | U64 | Format::Decimal(_, 0));
    match ty {
        Type::Option(_) => false,
        Type::Bool => *format == Format::Bool,
        Type::I8 | Type::I16 | Type::I32 | Type::I64 | Type::U8 | Type::U16 | Type::U32 | Type::U64 => whole,
        Type::BigInt => whole,
        Type::F32 | Type::F64 => matches!(format, Format::F32 | Format::F64) || whole,
        Type::Decimal => matches!(format, Format::Decimal(..)),
        Type::String(_) | Type::Enum(_) => matches!(format, Format::Text(_)),
        Type::Bytes => matches!(format, Format::Binary(_) | Format::FixedBinary(_)),
        Type::Uuid => matches!(format, Format::Binary(_) | Format::FixedBinary(16) | Format::Text(_)),
        Type::Date => matches!(format, Format::Date32 | Format::Date64),
        Type::Time => matches!(format, Format::Time(_)),
        Type::Timestamp => matches!(format, Format::Timestamp(_)),
        Type::Duration => matches!(format, Format::Duration(_)),
        _ => false,
    }
}

fn expected(ty: &Type) -> &'static str {
    match ty {
        Type::Bool => "bool",
        Type::F32 | Type::F64 => "float32 or float64, or integers",
        Type::Decimal => "decimal128 or decimal256",
        Type::String(_) => "string, large_string, string_view or a dictionary of them",
        Type::Enum(_) => "the symbols of the enum: a dictionary of strings, or strings",
        Type::Bytes => "binary, large_binary, binary_view or fixed_size_binary",
        Type::Uuid => "fixed_size_binary(16), binary or string",
        Type::Date => "date32 or date64",
        Type::Time => "time32 or time64",
        Type::Timestamp => "a timestamp with a time zone, which is an instant",
        Type::Duration => "duration",
        Type::List(_) | Type::Set(_) => "a list of any kind",
        Type::Map(..) => "a map, or a list of structs of `key` and `value`",
        Type::Tuple(_) => "a struct of f0, f1 and so on",
        Type::Struct(_) => "a struct",
        Type::Union(_) => "a union of structs",
        Type::Option(_) => "another type",
        _ => "integers, or a decimal of scale 0",
    }
}

fn mismatch(expected: &str, got: SchemaView<'_>) -> Refused {
    let hint = match Format::of(got) {
        Some(Format::LocalTimestamp) => "give it a zone (UTC, if it is in UTC)",
        Some(Format::Null) => "a column of nulls is for optional fields only",
        _ => "cast the column",
    };
    Refused::new(Code::TypeMismatch, format!("expected {expected}, got {}: {hint}", shown(got)), None)
}

/// The name of an Arrow type.
fn shown(got: SchemaView<'_>) -> String {
    if let Some(dictionary) = got.dictionary() {
        return format!("a dictionary of {}", shown(dictionary));
    }
    let format = got.format();
    let name = match Format::of(got) {
        Some(Format::Null) => "null",
        Some(Format::Bool) => "bool",
        Some(Format::I8) => "int8",
        Some(Format::I16) => "int16",
        Some(Format::I32) => "int32",
        Some(Format::I64) => "int64",
        Some(Format::U8) => "uint8",
        Some(Format::U16) => "uint16",
        Some(Format::U32) => "uint32",
        Some(Format::U64) => "uint64",
        Some(Format::F32) => "float32",
        Some(Format::F64) => "float64",
        Some(Format::Decimal(..)) => "decimal",
        Some(Format::Text(_)) => "string",
        Some(Format::Binary(_) | Format::FixedBinary(_)) => "binary",
        Some(Format::Date32 | Format::Date64) => "date",
        Some(Format::Time(_)) => "time",
        Some(Format::Timestamp(_)) => "timestamp",
        Some(Format::LocalTimestamp) => "timestamp without a time zone",
        Some(Format::Duration(_)) => "duration",
        Some(Format::List(_) | Format::FixedList(_)) => "list",
        Some(Format::Map) => "map",
        Some(Format::Struct) => "struct",
        Some(Format::Union(..)) => "union",
        None => "a type",
    };
    let short = format.get(..60).unwrap_or(format);
    format!("{name} (Arrow format {short:?})")
}
