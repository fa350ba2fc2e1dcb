//! `struct ArrowArrayStream`: batches of columns, one after the other.

use samewire_pack::table::c_data::{array_of, schema_of, ArrowArray, ArrowSchema};
use samewire_pack::table::from_arrow::{OwnedArray, OwnedSchema};
use samewire_pack::table::{Column, Field, TableOptions};
use std::ffi::{c_char, c_int, c_void, CStr, CString};
use std::mem::MaybeUninit;
use std::sync::Arc;

/// The `errno` that a consumer gets beside the text of an error.
const FAILED: c_int = libc::EIO;

/// `struct ArrowArrayStream`.
#[repr(C)]
pub struct ArrowArrayStream {
    get_schema: Option<unsafe extern "C" fn(*mut ArrowArrayStream, *mut ArrowSchema) -> c_int>,
    get_next: Option<unsafe extern "C" fn(*mut ArrowArrayStream, *mut ArrowArray) -> c_int>,
    get_last_error: Option<unsafe extern "C" fn(*mut ArrowArrayStream) -> *const c_char>,
    pub release: Option<unsafe extern "C" fn(*mut ArrowArrayStream)>,
    private_data: *mut c_void,
}

/// Returns the next batch, `None` after the last, or an error. Called from any thread, with or without the GIL.
pub type Next = Box<dyn FnMut() -> Result<Option<Arc<Column>>, String> + Send>;

struct Open {
    field: Arc<Field>,
    options: TableOptions,
    next: Next,
    error: Option<CString>,
}

/// A stream of the batches that `next` returns.
pub fn open(field: Arc<Field>, options: TableOptions, next: Next) -> ArrowArrayStream {
    ArrowArrayStream {
        get_schema: Some(get_schema),
        get_next: Some(get_next),
        get_last_error: Some(get_last_error),
        release: Some(release),
        private_data: Box::into_raw(Box::new(Open { field, options, next, error: None })).cast(),
    }
}

/// # Safety
/// `stream` must be one that [`open`] made and that was not released yet; the interface allows one call at a time.
unsafe fn opened<'a>(stream: *mut ArrowArrayStream) -> &'a mut Open {
    // SAFETY: the caller's condition: `private_data` is the box of `open`, which nobody else touches.
    unsafe { &mut *(*stream).private_data.cast::<Open>() }
}

unsafe extern "C" fn get_schema(stream: *mut ArrowArrayStream, out: *mut ArrowSchema) -> c_int {
    // SAFETY: the interface's contract for consumers: `opened`'s condition, and `out` is writable and holds nothing.
    unsafe {
        let open = opened(stream);
        out.write(schema_of(&open.field, &open.options));
    }
    0
}

unsafe extern "C" fn get_next(stream: *mut ArrowArrayStream, out: *mut ArrowArray) -> c_int {
    // SAFETY: as `get_schema`. All zeros is an array whose `release` is null: the end of the stream.
    unsafe {
        let open = opened(stream);
        match (open.next)() {
            Ok(Some(column)) => out.write(array_of(&column, &open.field)),
            Ok(None) => out.write_bytes(0, 1),
            Err(text) => {
                open.error = CString::new(text.replace('\0', " ")).ok();
                return FAILED;
            }
        }
    }
    0
}

unsafe extern "C" fn get_last_error(stream: *mut ArrowArrayStream) -> *const c_char {
    // SAFETY: as `get_schema`; the text stays until the next call.
    unsafe { opened(stream).error.as_ref().map_or(std::ptr::null(), |text| text.as_ptr()) }
}

unsafe extern "C" fn release(stream: *mut ArrowArrayStream) {
    // SAFETY: the interface's contract: called once, from any thread. The box is taken back; a Python object in it is let go of
    // when the GIL is next held.
    unsafe {
        drop(Box::from_raw((*stream).private_data.cast::<Open>()));
        (*stream).release = None;
    }
}

/// A stream of another library that was moved out of its producer's struct. It is released when it is dropped.
pub struct OwnedStream(ArrowArrayStream);

// SAFETY: the interface lets any thread call the stream, one at a time.
unsafe impl Send for OwnedStream {}
// SAFETY: it is called through `&mut` alone.
unsafe impl Sync for OwnedStream {}

impl OwnedStream {
    /// Takes ownership of a stream.
    ///
    /// # Safety
    /// The struct must keep to the Arrow C stream interface, and nobody else may call or release it.
    pub unsafe fn new(stream: ArrowArrayStream) -> Self {
        OwnedStream(stream)
    }

    /// The type of all batches. On an error: `errno` and a text.
    pub fn schema(&mut self) -> Result<OwnedSchema, (c_int, String)> {
        let Some(get) = self.0.get_schema else { return Err((FAILED, "it has no get_schema".into())) };
        let mut schema = MaybeUninit::zeroed();
        // SAFETY: the interface: the stream is not released (`new`); on 0 the struct is filled in, and the caller's. All
        // zeros is a schema that is released.
        unsafe {
            match get(&mut self.0, schema.as_mut_ptr()) {
                0 => Ok(OwnedSchema::new(schema.assume_init())),
                code => Err((code, self.last_error())),
            }
        }
    }

    /// The next batch, `None` after the last.
    pub fn next(&mut self) -> Result<Option<OwnedArray>, (c_int, String)> {
        let Some(get) = self.0.get_next else { return Err((FAILED, "it has no get_next".into())) };
        let mut array = MaybeUninit::<ArrowArray>::zeroed();
        // SAFETY: as `schema`. An array without a `release` is the end.
        unsafe {
            match get(&mut self.0, array.as_mut_ptr()) {
                0 => {
                    let array = array.assume_init();
                    Ok(array.release.is_some().then(|| OwnedArray::new(array)))
                }
                code => Err((code, self.last_error())),
            }
        }
    }

    fn last_error(&mut self) -> String {
        let Some(get) = self.0.get_last_error else { return "no reason given".into() };
        // SAFETY: the interface: called behind a failure; null, or a text that lives until the next call.
        let text = unsafe {
            let text = get(&mut self.0);
            if text.is_null() {
                return "no reason given".into();
            }
            CStr::from_ptr(text)
        };
        text.to_string_lossy().into_owned()
    }
}

impl Drop for OwnedStream {
    fn drop(&mut self) {
        if let Some(release) = self.0.release {
            // SAFETY: `new`: this is the one owner, and drops once.
            unsafe { release(&mut self.0) };
        }
    }
}
