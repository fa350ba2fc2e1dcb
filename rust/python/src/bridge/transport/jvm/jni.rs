//! The few functions of the Java Native Interface that a session within one process needs, by their indices in its
//! tables.
//!
//! The tables are fixed since JNI 1.4: each entry is a pointer to a C function whose first argument is the table's
//! owner. Functions that take Java arguments are called in their `A` form, with an array of values.

use std::ffi::{c_char, c_void, CStr};

/// A reference to an object of Java's: local to a native call, or global until it is deleted.
pub type Object = *mut c_void;
/// A method id.
pub type Method = *mut c_void;

pub const OK: i32 = 0;
pub const VERSION: i32 = 0x0001_0008;

/// An argument of a Java method.
#[derive(Clone, Copy)]
#[repr(C)]
pub union Value {
    pub int: i32,
    pub long: i64,
    pub object: Object,
}

/// A native method, to be registered.
#[repr(C)]
pub struct Native {
    pub name: *const c_char,
    pub signature: *const c_char,
    pub function: *const c_void,
}

#[repr(C)]
pub struct JavaOption {
    pub text: *const c_char,
    pub extra: *mut c_void,
}

#[repr(C)]
pub struct StartArguments {
    pub version: i32,
    pub count: i32,
    pub options: *const JavaOption,
    pub ignore_unrecognized: u8,
}

#[repr(C)]
pub struct AttachArguments {
    pub version: i32,
    pub name: *const c_char,
    pub group: Object,
}

pub type CreateJavaVm = unsafe extern "system" fn(*mut Machine, *mut Env, *mut StartArguments) -> i32;
pub type CreatedJavaVms = unsafe extern "system" fn(*mut Machine, i32, *mut i32) -> i32;

/// The JVM.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Machine(pub *mut *const [*const c_void; 8]);

/// A thread's access to the JVM. Of no use to another thread.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Env(pub *mut *const [*const c_void; 232]);

macro_rules! functions {
    ($table:ident: $($(#[$doc:meta])* $name:ident = $place:literal ($($argument:ident: $type:ty),*) $(-> $result:ty)?;)*) => {
        impl $table {
            $(
                $(#[$doc])*
                ///
                /// # Safety
                /// As JNI says of this function: on the thread of the environment, with live references.
                #[inline]
                pub unsafe fn $name(self, $($argument: $type),*) $(-> $result)? {
                    type Function = unsafe extern "system" fn($table, $($type),*) $(-> $result)?;
                    // SAFETY: the place in the table holds a function of this type, and the caller keeps to its contract.
                    unsafe {
                        let function: Function = std::mem::transmute((**self.0)[$place]);
                        function(self, $($argument),*)
                    }
                }
            )*
        }
    };
}

functions! { Machine:
    /// AttachCurrentThreadAsDaemon: the JVM does not wait for such a thread when it ends.
    attach_as_daemon = 7 (env: *mut Env, arguments: *const AttachArguments) -> i32;
    /// DetachCurrentThread.
    detach = 5 () -> i32;
    /// GetEnv: fails unless this thread is attached.
    env = 6 (env: *mut Env, version: i32) -> i32;
}

functions! { Env:
    find_class = 6 (name: *const c_char) -> Object;
    exception_occurred = 15 () -> Object;
    exception_clear = 17 ();
    push_local_frame = 19 (capacity: i32) -> i32;
    pop_local_frame = 20 (result: Object) -> Object;
    new_global_ref = 21 (object: Object) -> Object;
    delete_global_ref = 22 (object: Object);
    delete_local_ref = 23 (object: Object);
    get_object_class = 31 (object: Object) -> Object;
    get_method_id = 33 (class: Object, name: *const c_char, signature: *const c_char) -> Method;
    call_object_method = 36 (object: Object, method: Method, arguments: *const Value) -> Object;
    get_static_method_id = 113 (class: Object, name: *const c_char, signature: *const c_char) -> Method;
    call_static_object_method = 116 (class: Object, method: Method, arguments: *const Value) -> Object;
    call_static_long_method = 134 (class: Object, method: Method, arguments: *const Value) -> i64;
    call_static_void_method = 143 (class: Object, method: Method, arguments: *const Value);
    /// NewStringUTF, of modified UTF-8.
    new_string = 167 (text: *const c_char) -> Object;
    get_string_chars = 169 (string: Object, copied: *mut u8) -> *const c_char;
    release_string_chars = 170 (string: Object, text: *const c_char);
    new_object_array = 172 (length: i32, class: Object, first: Object) -> Object;
    set_object_array_element = 174 (array: Object, index: i32, value: Object);
    new_byte_array = 176 (length: i32) -> Object;
    set_byte_array_region = 208 (array: Object, from: i32, length: i32, bytes: *const i8);
    register_natives = 215 (class: Object, natives: *const Native, count: i32) -> i32;
    /// GetPrimitiveArrayCritical: until the array is released, no other JNI function may be called, and nothing may
    /// block.
    get_primitive_array_critical = 222 (array: Object, copied: *mut u8) -> *mut c_void;
    release_primitive_array_critical = 223 (array: Object, start: *mut c_void, mode: i32);
    exception_check = 228 () -> u8;
    get_direct_buffer_address = 230 (buffer: Object) -> *mut c_void;
    get_direct_buffer_capacity = 231 (buffer: Object) -> i64;
}

impl Env {
    /// Clears the pending exception, and returns its text. None if there is none.
    ///
    /// # Safety
    /// The environment is this thread's.
    #[cold]
    pub unsafe fn take_exception(self) -> Option<String> {
        // SAFETY: this thread's environment; the references are fresh; an exception of `toString` itself is cleared.
        unsafe {
            let thrown = self.exception_occurred();
            if thrown.is_null() {
                return None;
            }
            self.exception_clear();
            let class = self.get_object_class(thrown);
            let method = self.get_method_id(class, c"toString".as_ptr(), c"()Ljava/lang/String;".as_ptr());
            let text = self.call_object_method(thrown, method, std::ptr::null());
            let text = if self.exception_check() != 0 || text.is_null() { None } else { self.text(text) };
            self.exception_clear();
            self.delete_local_ref(class);
            self.delete_local_ref(thrown);
            Some(text.unwrap_or_else(|| "an exception that does not say what it is".to_owned()))
        }
    }

    /// A copy of a Java string, for error texts.
    ///
    /// # Safety
    /// The environment is this thread's, the reference a live one to a string.
    pub unsafe fn text(self, string: Object) -> Option<String> {
        // SAFETY: the characters are copied before they are released.
        unsafe {
            let chars = self.get_string_chars(string, std::ptr::null_mut());
            if chars.is_null() {
                return None;
            }
            let text = CStr::from_ptr(chars).to_string_lossy().into_owned();
            self.release_string_chars(string, chars);
            Some(text)
        }
    }
}
