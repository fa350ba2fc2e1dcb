//! The Arrow C data interface: fields and columns as structs that any Arrow library takes over.
//!
//! A struct that was made here is released by its `release`, from any thread. An array keeps the whole column alive, so that
//! parts that were moved out of it may outlive the rest.

use super::bits::Bits;
use super::column::{of_vectors, Column, Data};
use super::field::{Field, Kind, TableOptions, TimeUnit, DECIMAL_PRECISION, DECIMAL_SCALE};
use alloc::boxed::Box;
use alloc::ffi::CString;
use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ffi::{c_char, c_void};
use core::ptr::null_mut;

/// A field may hold nulls.
const NULLABLE: i64 = 2;

/// `struct ArrowSchema`.
#[repr(C)]
#[allow(missing_docs)]
#[derive(Debug)]
pub struct ArrowSchema {
    pub format: *const c_char,
    pub name: *const c_char,
    pub metadata: *const c_char,
    pub flags: i64,
    pub n_children: i64,
    pub children: *mut *mut ArrowSchema,
    pub dictionary: *mut ArrowSchema,
    pub release: Option<unsafe extern "C" fn(*mut ArrowSchema)>,
    pub private_data: *mut c_void,
}

/// `struct ArrowArray`.
#[repr(C)]
#[allow(missing_docs)]
#[derive(Debug)]
pub struct ArrowArray {
    pub length: i64,
    pub null_count: i64,
    pub offset: i64,
    pub n_buffers: i64,
    pub n_children: i64,
    pub buffers: *mut *const c_void,
    pub children: *mut *mut ArrowArray,
    pub dictionary: *mut ArrowArray,
    pub release: Option<unsafe extern "C" fn(*mut ArrowArray)>,
    pub private_data: *mut c_void,
}

/// What a schema points to.
struct SchemaParts {
    _format: CString,
    _name: CString,
    _metadata: Vec<u8>,
    children: Vec<*mut ArrowSchema>,
    dictionary: *mut ArrowSchema,
}

/// What an array points to.
struct ArrayParts {
    buffers: Vec<*const c_void>,
    children: Vec<*mut ArrowArray>,
    dictionary: *mut ArrowArray,
    /// The lengths of the buffers of a column of texts.
    _lengths: Vec<i64>,
    _column: Option<Arc<Column>>,
    /// The ends and characters of symbols.
    _symbols: Option<(Vec<i32>, Vec<u8>)>,
}

/// A field for whoever takes it over, and releases it.
pub fn schema_of(field: &Field, options: &TableOptions) -> ArrowSchema {
    let (children, dictionary): (Vec<_>, _) = match &field.kind {
        Kind::Enum(_) => (Vec::new(), Box::into_raw(Box::new(plain_schema("u", "")))),
        _ => (
            field.children.iter().map(|child| Box::into_raw(Box::new(schema_of(child, options)))).collect(),
            null_mut(),
        ),
    };
    let flags = if field.nullable { NULLABLE } else { 0 };
    finish_schema(&format_of(&field.kind, field.children.len(), options), field, flags, children, dictionary)
}

fn plain_schema(format: &str, name: &str) -> ArrowSchema {
    let field = Field { name: name.into(), nullable: false, kind: Kind::Text, children: Vec::new() };
    finish_schema(format, &field, 0, Vec::new(), null_mut())
}

fn finish_schema(
    format: &str,
    field: &Field,
    flags: i64,
    children: Vec<*mut ArrowSchema>,
    dictionary: *mut ArrowSchema,
) -> ArrowSchema {
    let text = |text: &str| CString::new(text.replace('\0', "\u{fffd}")).unwrap_or_default();
    let metadata = match field.kind {
        Kind::Uuid => metadata(&[("ARROW:extension:name", "arrow.uuid"), ("ARROW:extension:metadata", "")]),
        _ => Vec::new(),
    };
    let mut parts = Box::new(SchemaParts {
        _format: text(format),
        _name: text(&field.name),
        _metadata: metadata,
        children,
        dictionary,
    });
    ArrowSchema {
        format: parts._format.as_ptr(),
        name: parts._name.as_ptr(),
        metadata: if parts._metadata.is_empty() { core::ptr::null() } else { parts._metadata.as_ptr().cast() },
        flags,
        n_children: parts.children.len() as i64,
        children: parts.children.as_mut_ptr(),
        dictionary,
        release: Some(release_schema),
        private_data: Box::into_raw(parts).cast(),
    }
}

/// The number of pairs, then each key and value behind its length.
fn metadata(pairs: &[(&str, &str)]) -> Vec<u8> {
    let mut out = Vec::from((pairs.len() as i32).to_ne_bytes());
    for text in pairs.iter().flat_map(|&(key, value)| [key, value]) {
        out.extend_from_slice(&(text.len() as i32).to_ne_bytes());
        out.extend_from_slice(text.as_bytes());
    }
    out
}

fn format_of(kind: &Kind, members: usize, options: &TableOptions) -> String {
    let unit = match options.unit {
        TimeUnit::Micros => 'u',
        TimeUnit::Nanos => 'n',
    };
    match kind {
        Kind::Bool => "b".into(),
        Kind::I8 => "c".into(),
        Kind::I16 => "s".into(),
        Kind::I32 => "i".into(),
        Kind::I64 => "l".into(),
        Kind::U8 => "C".into(),
        Kind::U16 => "S".into(),
        Kind::U32 => "I".into(),
        Kind::U64 => "L".into(),
        Kind::F32 => "f".into(),
        Kind::F64 => "g".into(),
        Kind::Decimal => format!("d:{DECIMAL_PRECISION},{DECIMAL_SCALE}"),
        Kind::BigInt => format!("d:{DECIMAL_PRECISION},0"),
        Kind::Text => if options.views { "vu" } else { "u" }.into(),
        Kind::Binary => "z".into(),
        Kind::Uuid => "w:16".into(),
        Kind::Date => "tdD".into(),
        Kind::Time => format!("tt{unit}"),
        Kind::Timestamp => format!("ts{unit}:UTC"),
        Kind::Duration => format!("tD{unit}"),
        // Indices: below 2^31, so that their bits are those of an `i32`.
        Kind::Enum(_) => "i".into(),
        Kind::List => "+l".into(),
        Kind::Map => "+m".into(),
        Kind::Struct => "+s".into(),
        Kind::Union => {
            let ids: Vec<String> = (0..members).map(|id| format!("{id}")).collect();
            format!("+ud:{}", ids.join(","))
        }
    }
}

/// A column for whoever takes it over, and releases it.
pub fn array_of(column: &Arc<Column>, field: &Field) -> ArrowArray {
    part_of(column, column, field)
}

fn part_of(whole: &Arc<Column>, column: &Column, field: &Field) -> ArrowArray {
    let mut buffers: Vec<*const c_void> = Vec::new();
    let mut lengths = Vec::new();
    let mut nulls = 0;
    // A union has neither validity nor nulls: its members do.
    if !matches!(column.data, Data::Union(..)) {
        nulls = column.nulls();
        let bits = column.validity.as_ref().filter(|validity| validity.nulls > 0);
        buffers.push(bits.map_or(core::ptr::null(), |validity| bits_of(&validity.bits)));
    }
    let mut dictionary = null_mut();
    let mut children = Vec::new();
    let mut child = |column: &Column, field: &Field| {
        children.push(Box::into_raw(Box::new(part_of(whole, column, field))));
    };
    of_vectors!(&column.data, values => buffers.push(values.as_ptr().cast()),
        Data::Bool(bits) => buffers.push(bits_of(bits)),
        Data::Text(texts) => {
            buffers.push(texts.views.as_ptr().cast());
            buffers.extend(texts.buffers.iter().map(|buffer| buffer.as_ptr().cast::<c_void>()));
            lengths.extend(texts.buffers.iter().map(|buffer| buffer.len() as i64));
            buffers.push(lengths.as_ptr().cast());
        },
        Data::Bytes(ends, bytes) => buffers.extend([ends.as_ptr().cast(), bytes.as_ptr().cast::<c_void>()]),
        Data::List(ends, items) => {
            buffers.push(ends.as_ptr().cast());
            child(items, &field.children[0]);
        },
        Data::Struct(_, columns) => columns.iter().zip(&field.children).for_each(|(column, field)| child(column, field)),
        Data::Union(tags, members) => {
            buffers.extend([tags.ids.as_ptr().cast(), tags.places.as_ptr().cast::<c_void>()]);
            members.iter().zip(&field.children).for_each(|(column, field)| child(column, field));
        },
    );
    if let Kind::Enum(symbols) = &field.kind {
        dictionary = Box::into_raw(Box::new(symbols_of(symbols)));
    }
    finish_array(
        column.len(),
        nulls,
        ArrayParts {
            buffers,
            children,
            dictionary,
            _lengths: lengths,
            _column: Some(Arc::clone(whole)),
            _symbols: None,
        },
    )
}

fn bits_of(bits: &Bits) -> *const c_void {
    bits.bytes().as_ptr().cast()
}

fn symbols_of(symbols: &[String]) -> ArrowArray {
    let (mut ends, mut chars) = (vec![0], Vec::new());
    for symbol in symbols {
        chars.extend_from_slice(symbol.as_bytes());
        ends.push(chars.len() as i32);
    }
    let buffers = vec![core::ptr::null(), ends.as_ptr().cast::<c_void>(), chars.as_ptr().cast::<c_void>()];
    finish_array(
        symbols.len(),
        0,
        ArrayParts {
            buffers,
            children: Vec::new(),
            dictionary: null_mut(),
            _lengths: Vec::new(),
            _column: None,
            _symbols: Some((ends, chars)),
        },
    )
}

fn finish_array(len: usize, nulls: usize, parts: ArrayParts) -> ArrowArray {
    let mut parts = Box::new(parts);
    ArrowArray {
        length: len as i64,
        null_count: nulls as i64,
        offset: 0,
        n_buffers: parts.buffers.len() as i64,
        n_children: parts.children.len() as i64,
        buffers: parts.buffers.as_mut_ptr(),
        children: parts.children.as_mut_ptr(),
        dictionary: parts.dictionary,
        release: Some(release_array),
        private_data: Box::into_raw(parts).cast(),
    }
}

/// # Safety
/// `schema` must point to a struct that [`schema_of`] made and that was not released yet.
unsafe extern "C" fn release_schema(schema: *mut ArrowSchema) {
    // SAFETY: the caller's condition. `private_data` is the box of `finish_schema`, which nobody else frees: the interface
    // forbids consumers to touch it, and to call `release` again once it is null. Each child is a box of its own; one that
    // was moved out has a null `release`, and only the memory of its struct is left to free.
    unsafe {
        let parts = Box::from_raw((*schema).private_data.cast::<SchemaParts>());
        for child in parts.children.iter().copied().chain((!parts.dictionary.is_null()).then_some(parts.dictionary)) {
            let mut child = Box::from_raw(child);
            if let Some(release) = child.release {
                release(&mut *child);
            }
        }
        (*schema).release = None;
    }
}

/// # Safety
/// `array` must point to a struct that [`array_of`] made and that was not released yet.
unsafe extern "C" fn release_array(array: *mut ArrowArray) {
    // SAFETY: as `release_schema`, for the box of `finish_array`. Buffers belong to the column, which the box shares.
    unsafe {
        let parts = Box::from_raw((*array).private_data.cast::<ArrayParts>());
        for child in parts.children.iter().copied().chain((!parts.dictionary.is_null()).then_some(parts.dictionary)) {
            let mut child = Box::from_raw(child);
            if let Some(release) = child.release {
                release(&mut *child);
            }
        }
        (*array).release = None;
    }
}
