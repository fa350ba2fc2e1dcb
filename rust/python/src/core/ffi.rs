//! CPython's C API as pyo3 declares it, except for functions that may run Python code: a thread may never return from
//! these.
//!
//! Before 3.14, an interpreter that exits ends other threads by `pthread_exit` when they wait for the GIL in Python
//! code. That unwinds their stacks, which Rust frames cannot bear: some release a GIL that the thread does not hold,
//! others abort the process. So the functions here put such a thread to sleep in the first Rust frame that is unwound,
//! until the process has exited, as CPython 3.14 does. They have no other cost. Variadic functions, and pyo3's own
//! calls, are unchanged.

#![allow(
    clippy::missing_safety_doc,
    non_snake_case,
    reason = "each asks for what CPython's function of its name asks for"
)]

pub use pyo3::ffi::*;
use std::ffi::{c_char, c_int, CStr};

/// Dropped only if the stack is unwound: the thread then sleeps until the process ends.
struct Sleep;

impl Drop for Sleep {
    #[cold]
    fn drop(&mut self) {
        loop {
            std::thread::park();
        }
    }
}

macro_rules! sleeping {
    ($(fn $name:ident($($argument:ident: $type:ty),*) -> $result:ty;)*) => {
        /// Declared again: with pyo3's declarations the compiler assumes that they do not unwind, and would drop
        /// nothing.
        mod declared {
            use super::*;
            extern "C-unwind" {
                $(pub fn $name($($argument: $type),*) -> $result;)*
            }
        }
        $(
            #[inline]
            pub unsafe fn $name($($argument: $type),*) -> $result {
                let sleep = Sleep;
                // SAFETY: as the function asks, which this one passes on.
                let result = unsafe { declared::$name($($argument),*) };
                std::mem::forget(sleep);
                result
            }
        )*
    };
}

sleeping! {
    fn PyObject_Vectorcall(callable: *mut PyObject, arguments: *const *mut PyObject, count: usize, names: *mut PyObject)
        -> *mut PyObject;
    fn PyObject_VectorcallDict(callable: *mut PyObject, arguments: *const *mut PyObject, count: usize, named: *mut PyObject)
        -> *mut PyObject;
    fn PyObject_VectorcallMethod(name: *mut PyObject, arguments: *const *mut PyObject, count: usize, names: *mut PyObject)
        -> *mut PyObject;
    fn PyObject_Call(callable: *mut PyObject, arguments: *mut PyObject, named: *mut PyObject) -> *mut PyObject;
    fn PyObject_CallNoArgs(callable: *mut PyObject) -> *mut PyObject;
    fn PyObject_GetAttr(object: *mut PyObject, name: *mut PyObject) -> *mut PyObject;
    fn PyObject_GetAttrString(object: *mut PyObject, name: *const c_char) -> *mut PyObject;
    fn PyObject_SetAttr(object: *mut PyObject, name: *mut PyObject, value: *mut PyObject) -> c_int;
    fn PyObject_Str(object: *mut PyObject) -> *mut PyObject;
    fn PyObject_Repr(object: *mut PyObject) -> *mut PyObject;
    fn PyObject_Hash(object: *mut PyObject) -> Py_hash_t;
    fn PyObject_RichCompareBool(object: *mut PyObject, other: *mut PyObject, operator: c_int) -> c_int;
    fn PyObject_IsInstance(object: *mut PyObject, class: *mut PyObject) -> c_int;
    fn PyObject_GetIter(object: *mut PyObject) -> *mut PyObject;
    fn PyIter_Next(iterator: *mut PyObject) -> *mut PyObject;
    fn PyIter_Send(generator: *mut PyObject, sent: *mut PyObject, result: *mut *mut PyObject) -> PySendResult;
    fn PySequence_Tuple(object: *mut PyObject) -> *mut PyObject;
    fn PySequence_List(object: *mut PyObject) -> *mut PyObject;
    fn PySequence_Size(object: *mut PyObject) -> Py_ssize_t;
    fn PyNumber_Index(object: *mut PyObject) -> *mut PyObject;
    fn PyNumber_Long(object: *mut PyObject) -> *mut PyObject;
    fn PyNumber_Float(object: *mut PyObject) -> *mut PyObject;
    fn PyDict_SetItem(dict: *mut PyObject, key: *mut PyObject, value: *mut PyObject) -> c_int;
    fn PyDict_Contains(dict: *mut PyObject, key: *mut PyObject) -> c_int;
    fn PyDict_GetItemWithError(dict: *mut PyObject, key: *mut PyObject) -> *mut PyObject;
    fn PySet_Add(set: *mut PyObject, key: *mut PyObject) -> c_int;
    fn PySet_New(values: *mut PyObject) -> *mut PyObject;
    fn PyFrozenSet_New(values: *mut PyObject) -> *mut PyObject;
    fn PyImport_ImportModule(name: *const c_char) -> *mut PyObject;
}

/// Calls a method without arguments.
#[inline]
pub unsafe fn PyObject_CallMethodNoArgs(object: *mut PyObject, name: *mut PyObject) -> *mut PyObject {
    let arguments = [std::ptr::null_mut(), object];
    // SAFETY: as the function asks; the object is the only argument, with a place before it.
    unsafe { PyObject_VectorcallMethod(name, &arguments[1], 1 | PY_VECTORCALL_ARGUMENTS_OFFSET, std::ptr::null_mut()) }
}

/// Calls a method, whose name is looked up, without arguments.
pub unsafe fn call_method(object: *mut PyObject, name: &CStr) -> *mut PyObject {
    // SAFETY: as the function asks; the method's reference is given back.
    unsafe {
        let method = PyObject_GetAttrString(object, name.as_ptr());
        if method.is_null() {
            return method;
        }
        let result = PyObject_CallNoArgs(method);
        Py_DECREF(method);
        result
    }
}

/// Finds an attribute: 1, 0 if there is none, -1 with an exception. (`PyObject_GetOptionalAttr` since 3.13.)
#[inline]
pub unsafe fn optional_attribute(object: *mut PyObject, name: *mut PyObject, found: *mut *mut PyObject) -> c_int {
    extern "C-unwind" {
        #[cfg_attr(Py_3_13, link_name = "PyObject_GetOptionalAttr")]
        #[cfg_attr(not(Py_3_13), link_name = "_PyObject_LookupAttr")]
        fn lookup(object: *mut PyObject, name: *mut PyObject, found: *mut *mut PyObject) -> c_int;
    }
    let sleep = Sleep;
    // SAFETY: as the function asks, which this one passes on.
    let result = unsafe { lookup(object, name, found) };
    std::mem::forget(sleep);
    result
}

/// Calls with one argument. (Before 3.12 pyo3 implements it itself.)
#[inline]
pub unsafe fn PyObject_CallOneArg(callable: *mut PyObject, argument: *mut PyObject) -> *mut PyObject {
    // The callee may use the slot before the arguments during the call.
    let arguments = [std::ptr::null_mut(), argument];
    // SAFETY: as the function asks; one argument, with a place before it.
    unsafe { PyObject_Vectorcall(callable, &arguments[1], 1 | PY_VECTORCALL_ARGUMENTS_OFFSET, std::ptr::null_mut()) }
}
