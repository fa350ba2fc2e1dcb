//! Arrow arrays that lie: each lie is an error, before anything is read by it. Buffers are as long as the arrays say
//! and no longer, so that Miri and sanitizers see a read beyond them.

use samewire_pack::schema::Schema;
use samewire_pack::table::c_data::{ArrowArray, ArrowSchema};
use samewire_pack::table::from_arrow::{OwnedArray, OwnedSchema, RowSource, Rows};
use samewire_pack::wire::{Message, Writer};
use samewire_pack::{Code, Error, Limits};
use std::ffi::{c_void, CString};
use std::ptr::{null, null_mut};

/// An array, and all that it points to.
#[derive(Clone, Default)]
struct Array {
    format: &'static str,
    name: &'static str,
    length: i64,
    offset: i64,
    nulls: i64,
    buffers: Vec<Option<Vec<u8>>>,
    children: Vec<Array>,
    dictionary: Option<Box<Array>>,
}

/// What was handed out lives as long as this does.
#[derive(Default)]
struct Kept {
    texts: Vec<CString>,
    bytes: Vec<Box<[u8]>>,
    schemas: Vec<Box<[ArrowSchema]>>,
    arrays: Vec<Box<[ArrowArray]>>,
    schema_lists: Vec<Box<[*mut ArrowSchema]>>,
    array_lists: Vec<Box<[*mut ArrowArray]>>,
    buffer_lists: Vec<Box<[*const c_void]>>,
}

impl Kept {
    fn schema(&mut self, array: &Array) -> ArrowSchema {
        let mut children: Box<[_]> = array.children.iter().map(|child| self.schema(child)).collect();
        let mut list: Box<[_]> = children.iter_mut().map(|child| child as *mut ArrowSchema).collect();
        let mut dictionary: Box<[_]> = array.dictionary.iter().map(|values| self.schema(values)).collect();
        let (format, name) = (CString::new(array.format).unwrap(), CString::new(array.name).unwrap());
        let made = ArrowSchema {
            format: format.as_ptr(),
            name: name.as_ptr(),
            metadata: null(),
            flags: 2,
            n_children: list.len() as i64,
            children: list.as_mut_ptr(),
            dictionary: dictionary.first_mut().map_or(null_mut(), |values| values),
            release: None,
            private_data: null_mut(),
        };
        self.texts.extend([format, name]);
        self.schemas.extend([children, dictionary]);
        self.schema_lists.push(list);
        made
    }

    fn array(&mut self, array: &Array) -> ArrowArray {
        let mut children: Box<[_]> = array.children.iter().map(|child| self.array(child)).collect();
        let mut list: Box<[_]> = children.iter_mut().map(|child| child as *mut ArrowArray).collect();
        let mut dictionary: Box<[_]> = array.dictionary.iter().map(|values| self.array(values)).collect();
        let mut buffers: Vec<*const c_void> = Vec::new();
        for buffer in &array.buffers {
            buffers.push(match buffer {
                Some(bytes) => {
                    self.bytes.push(bytes.clone().into_boxed_slice());
                    self.bytes[self.bytes.len() - 1].as_ptr().cast()
                }
                None => null(),
            });
        }
        let mut buffers = buffers.into_boxed_slice();
        let made = ArrowArray {
            length: array.length,
            null_count: array.nulls,
            offset: array.offset,
            n_buffers: buffers.len() as i64,
            n_children: list.len() as i64,
            buffers: buffers.as_mut_ptr(),
            children: list.as_mut_ptr(),
            dictionary: dictionary.first_mut().map_or(null_mut(), |values| values),
            release: None,
            private_data: null_mut(),
        };
        self.arrays.extend([children, dictionary]);
        self.array_lists.push(list);
        self.buffer_lists.push(buffers);
        made
    }
}

/// The message of a table of one column of this type, or the error.
fn encoded(ty: &str, column: Array, limits: &Limits, rows: bool) -> Result<Vec<u8>, Error> {
    let row = format!("struct Row {{ v: {ty} }}");
    let schema = Schema::parse(&if rows { row } else { format!("list<{row}>") }).unwrap();
    let length = column.length;
    let column = Array { name: "v", ..column };
    let table = Array { format: "+s", length, buffers: vec![None], children: vec![column], ..Array::default() };
    let mut kept = Kept::default();
    // SAFETY: what they point to lives in `kept`, which goes last; buffers are as long as the arrays say.
    let (types, array) = unsafe { (OwnedSchema::new(kept.schema(&table)), OwnedArray::new(kept.array(&table))) };
    let source = RowSource::new(&schema, &types)?;
    let mut taken = Rows::new(&schema, &source, limits, 0);
    taken.extend(&array)?;
    let (mut out, message) = (Vec::new(), Message { dedup_slots: schema.dedup_slots(), ..Message::default() });
    if rows {
        while !taken.is_empty() {
            taken.write_next(&mut Writer::new(), &message, &mut out)?;
        }
    } else {
        taken.write_list(&mut Writer::new(), &message, &mut out)?;
    }
    drop((types, array));
    drop(kept);
    Ok(out)
}

fn refused(ty: &str, column: Array) -> Code {
    let error = encoded(ty, column, &Limits::DEFAULT, false).expect_err("a lie");
    assert!(error.path.as_ref().is_some_and(|path| path.starts_with("$[")) && !error.text.is_empty(), "{error}");
    error.code
}

fn bytes<const N: usize>(numbers: impl IntoIterator<Item = i64>) -> Vec<u8> {
    numbers.into_iter().flat_map(|number| number.to_le_bytes()[..N].to_vec()).collect()
}

fn texts(format: &'static str, ends: &[i64], text: &str) -> Array {
    let numbers = ends.iter().copied();
    let ends_buffer = if matches!(format, "u" | "z") { bytes::<4>(numbers) } else { bytes::<8>(numbers) };
    let text = &text[..usize::try_from(ends[ends.len() - 1]).unwrap_or(0)];
    let buffers = vec![None, Some(ends_buffer), Some(text.as_bytes().to_vec())];
    Array { format, length: ends.len() as i64 - 1, buffers, ..Array::default() }
}

#[test]
fn ends_of_texts_lead_no_further_than_the_last() {
    for (format, ty) in [("u", "string"), ("U", "string"), ("z", "bytes"), ("Z", "bytes")] {
        for ends in [[0, 1000, 4], [0, -1, 4], [-4, 0, 4], [4, 0, 4], [0, 0, -4], [0, i64::from(i32::MAX), 4]] {
            assert_eq!(refused(ty, texts(format, &ends, "abcd")), Code::Malformed, "{format} {ends:?}");
        }
    }
    // A part of an array: its own last end leads beyond the bytes, whose number the whole array says.
    for (offset, length) in [(0, 2), (1, 1), (0, 1)] {
        let whole = texts("u", &[0, 1000, 1000, 4], "abcd");
        let inner = Array { name: "w", length: 3, ..whole };
        let outer =
            Array { format: "+s", length, offset, buffers: vec![None], children: vec![inner], ..Array::default() };
        let code = refused("struct In { w: string }", outer);
        assert!(code == Code::Malformed || (offset, length) == (1, 1), "{code:?}");
    }
    assert!(encoded("string", texts("u", &[0, 1, 4], "abcd"), &Limits::DEFAULT, false).is_ok());
}

#[test]
fn views_stay_within_the_sizes_of_their_buffers() {
    let view = |length: i64, buffer: i64, start: i64| {
        let view = [bytes::<4>([length]), b"abcd".to_vec(), bytes::<4>([buffer, start])].concat();
        let buffers = vec![None, Some(view), Some(b"abcdefghijklmnop".to_vec()), Some(bytes::<8>([16]))];
        Array { format: "vu", length: 1, buffers, ..Array::default() }
    };
    assert!(encoded("string", view(16, 0, 0), &Limits::DEFAULT, false).is_ok());
    for (length, buffer, start) in [(17, 0, 0), (16, 0, 1), (13, 1, 0), (13, -1, 0), (-1, 0, 0), (13, 0, -1)] {
        assert_eq!(refused("string", view(length, buffer, start)), Code::Malformed);
    }
}

#[test]
fn lists_stay_within_their_elements() {
    let items =
        || Array { format: "C", name: "item", length: 3, buffers: vec![None, Some(vec![1, 2, 3])], ..Array::default() };
    let list = |format: &'static str, buffers: Vec<Vec<u8>>| {
        let buffers = std::iter::once(None).chain(buffers.into_iter().map(Some)).collect();
        Array { format, length: 1, buffers, children: vec![items()], ..Array::default() }
    };
    let lies = [(0, 4), (2, 2), (-1, 1), (0, -1), (i64::from(i32::MAX), 1)];
    for (start, len) in lies {
        let end = start + len;
        for column in [
            list("+l", vec![bytes::<4>([start, end])]),
            list("+L", vec![bytes::<8>([start, end])]),
            list("+vl", vec![bytes::<4>([start]), bytes::<4>([len])]),
            list("+vL", vec![bytes::<8>([start]), bytes::<8>([len])]),
        ] {
            assert_eq!(refused("list<u8>", column), Code::Malformed, "{start} {len}");
        }
    }
    assert_eq!(refused("list<u8>", list("+w:4", vec![])), Code::Malformed);
    let missing = Array { children: Vec::new(), ..list("+w:3", vec![]) };
    assert!(encoded("list<u8>", missing, &Limits::DEFAULT, false).is_err());
}

#[test]
fn indices_ids_and_places_stay_within_their_arrays() {
    let values = || Some(Box::new(texts("u", &[0, 1, 2], "ab")));
    for index in [2, 127, -1, -128] {
        let buffers = vec![None, Some(bytes::<1>([index]))];
        let column = Array { format: "c", length: 1, buffers, dictionary: values(), ..Array::default() };
        assert_eq!(refused("string", column), Code::Malformed);
    }
    let member = || Array { format: "+s", name: "A", length: 1, buffers: vec![None], ..Array::default() };
    for (id, place) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
        let buffers = vec![Some(bytes::<1>([id])), Some(bytes::<4>([place]))];
        let column = Array { format: "+ud:0", length: 1, buffers, children: vec![member()], ..Array::default() };
        assert_eq!(refused("union { struct A {} }", column), Code::Malformed);
    }
}

#[test]
fn lengths_offsets_and_missing_buffers_are_seen() {
    let column = Array { format: "c", length: 1, buffers: vec![None, Some(vec![1])], ..Array::default() };
    for (length, offset) in [(-1, 0), (1, -1), (1, i64::MAX), (1, 1 << 60)] {
        let inner = Array { name: "w", length, offset, ..column.clone() };
        let outer = Array { format: "+s", length: 1, buffers: vec![None], children: vec![inner], ..Array::default() };
        assert_eq!(refused("struct In { w: i8 }", outer), Code::Malformed);
    }
    for buffers in [vec![], vec![None], vec![None, None]] {
        assert_eq!(refused("i8", Array { buffers, ..column.clone() }), Code::Malformed);
    }
    // A child that is shorter than its struct.
    let inner = Array { name: "w", ..column.clone() };
    let outer = Array { format: "+s", length: 2, buffers: vec![None], children: vec![inner], ..Array::default() };
    assert_eq!(refused("struct In { w: i8 }", outer), Code::Malformed);
    // Nulls that the count denies are values.
    let denied = Array { buffers: vec![Some(vec![0]), Some(vec![1])], ..column.clone() };
    assert!(encoded("i8", denied, &Limits::DEFAULT, false).is_ok());
    let told = Array { nulls: -1, buffers: vec![Some(vec![0]), Some(vec![1])], ..column };
    assert_eq!(refused("i8", told), Code::TypeMismatch);
}

#[test]
fn rows_that_cost_no_bytes_are_counted() {
    for rows in [false, true] {
        let nothing = Array { format: "n", length: 1 << 40, nulls: 1 << 40, ..Array::default() };
        let error = encoded("option<i8>", nothing, &Limits::DEFAULT, rows).expect_err("a length without bytes");
        assert_eq!(error.code, Code::LimitItems);
        let limits = Limits { items: 10, ..Limits::DEFAULT };
        let some = |length| Array { format: "n", length, nulls: length, ..Array::default() };
        let most = if rows { 80 } else { 10 };
        assert!(encoded("option<i8>", some(most), &limits, rows).is_ok());
        assert!(encoded("option<i8>", some(most + 1), &limits, rows).is_err());
    }
}
