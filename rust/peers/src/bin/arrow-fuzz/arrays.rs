//! Arrays as trees, and as structs of the Arrow C data interface.

use crate::guarded::Guarded;
use samewire_pack::table::c_data::{ArrowArray, ArrowSchema};
use samewire_peers::pack::hex;
use samewire_peers::random::Random;
use std::ffi::{c_void, CString};
use std::fmt;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// An array with its type. What is `None` is a null pointer.
#[derive(Clone, Default)]
pub struct Array {
    pub format: String,
    pub name: String,
    pub length: i64,
    pub offset: i64,
    pub null_count: i64,
    pub buffers: Vec<Option<Vec<u8>>>,
    pub children: Vec<Option<Array>>,
    pub dictionary: Option<Box<Array>>,
}

impl fmt::Display for Array {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Array { format, name, length, offset, null_count, .. } = self;
        write!(f, "{name:?} {format:?} length {length} offset {offset} nulls {null_count} buffers [")?;
        for buffer in &self.buffers {
            match buffer {
                Some(bytes) => write!(f, " {}", hex::text(&bytes[..bytes.len().min(200)]))?,
                None => f.write_str(" null")?,
            }
        }
        f.write_str(" ]")?;
        for child in &self.children {
            match child {
                Some(child) => write!(f, " ({child})")?,
                None => f.write_str(" (null)")?,
            }
        }
        if let Some(dictionary) = &self.dictionary {
            write!(f, " dictionary ({dictionary})")?;
        }
        Ok(())
    }
}

/// How many structs were released.
static RELEASED: AtomicUsize = AtomicUsize::new(0);

/// Structs that refer to each other, and what they point to.
#[derive(Default)]
pub struct Exported {
    texts: Vec<CString>,
    schemas: Vec<Box<[ArrowSchema]>>,
    arrays: Vec<Box<[ArrowArray]>>,
    schema_lists: Vec<Vec<*mut ArrowSchema>>,
    array_lists: Vec<Vec<*mut ArrowArray>>,
    buffer_lists: Vec<Vec<*const c_void>>,
    handed_out: usize,
}

/// Keeps a struct, and says where it stands.
fn kept<T>(all: &mut Vec<Box<[T]>>, made: T) -> *mut T {
    let mut one: Box<[T]> = Box::new([made]);
    let place = one.as_mut_ptr();
    all.push(one);
    place
}

impl Exported {
    /// The type of an array. It is alive as long as `self`.
    pub fn schema(&mut self, array: &Array) -> ArrowSchema {
        self.handed_out += 1;
        self.schema_of(array)
    }

    fn schema_of(&mut self, array: &Array) -> ArrowSchema {
        let mut children = Vec::new();
        for child in &array.children {
            children.push(match child {
                Some(child) => {
                    let made = self.schema_of(child);
                    kept(&mut self.schemas, made)
                }
                None => null_mut(),
            });
        }
        let mut dictionary = null_mut();
        if let Some(values) = &array.dictionary {
            let made = self.schema_of(values);
            dictionary = kept(&mut self.schemas, made);
        }
        let text = |text: &str| CString::new(text.replace('\0', "?")).unwrap_or_default();
        let (format, name) = (text(&array.format), text(&array.name));
        let made = ArrowSchema {
            format: format.as_ptr(),
            name: name.as_ptr(),
            metadata: std::ptr::null(),
            flags: 2,
            n_children: children.len() as i64,
            children: children.as_mut_ptr(),
            dictionary,
            release: Some(release_schema),
            private_data: null_mut(),
        };
        self.texts.extend([format, name]);
        self.schema_lists.push(children);
        made
    }

    /// An array whose buffers stand in guarded memory. It is alive as long as `self`, until that is cleared.
    pub fn array(&mut self, array: &Array, memory: &mut Guarded, random: &mut Random) -> ArrowArray {
        self.handed_out += 1;
        self.array_of(array, memory, random)
    }

    fn array_of(&mut self, array: &Array, memory: &mut Guarded, random: &mut Random) -> ArrowArray {
        let mut children = Vec::new();
        for child in &array.children {
            children.push(match child {
                Some(child) => {
                    let made = self.array_of(child, memory, random);
                    kept(&mut self.arrays, made)
                }
                None => null_mut(),
            });
        }
        let mut dictionary = null_mut();
        if let Some(values) = &array.dictionary {
            let made = self.array_of(values, memory, random);
            dictionary = kept(&mut self.arrays, made);
        }
        let mut buffers: Vec<*const c_void> = Vec::new();
        for buffer in &array.buffers {
            buffers.push(match buffer {
                Some(bytes) => memory.keep(bytes, !random.once_in(4)),
                None => std::ptr::null(),
            });
        }
        let made = ArrowArray {
            length: array.length,
            null_count: array.null_count,
            offset: array.offset,
            n_buffers: buffers.len() as i64,
            n_children: children.len() as i64,
            buffers: buffers.as_mut_ptr(),
            children: children.as_mut_ptr(),
            dictionary,
            release: Some(release_array),
            private_data: null_mut(),
        };
        self.array_lists.push(children);
        self.buffer_lists.push(buffers);
        made
    }

    /// Whether each struct that was handed out was released once. Called when their owners are gone.
    pub fn is_released(&self) -> bool {
        RELEASED.swap(0, Relaxed) == self.handed_out
    }
}

/// # Safety
/// `schema` points to a struct of [`Exported`].
unsafe extern "C" fn release_schema(schema: *mut ArrowSchema) {
    RELEASED.fetch_add(1, Relaxed);
    // SAFETY: `schema` points to a struct of `Exported`, which nobody else uses meanwhile.
    unsafe { (*schema).release = None };
}

/// # Safety
/// `array` points to a struct of [`Exported`].
unsafe extern "C" fn release_array(array: *mut ArrowArray) {
    RELEASED.fetch_add(1, Relaxed);
    // SAFETY: `array` points to a struct of `Exported`, which nobody else uses meanwhile.
    unsafe { (*array).release = None };
}
