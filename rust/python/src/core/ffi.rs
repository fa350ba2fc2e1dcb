//! CPython's C interface as pyo3 declares it, but for what may run Python code: a thread may not come back from there.
//!
//! Before 3.14 an interpreter that ends ends other threads by `pthread_exit`, where they wait for the GIL in the midst of Python
//! code. That unwinds their stack. Frames of Rust do not stand it: some give back a GIL that the thread does not have, others
//! abort the process. So the functions here put such a thread to sleep in the first frame of ours that is unwound, until the
//! process has gone: as CPython 3.14 does. They cost nothing else. Functions with a variable number of arguments, and what pyo3
//! calls itself, are as they were.

#![allow(
    clippy::missing_safety_doc,
    non_snake_case,
    reason = "each asks for what CPython's function of its name asks for"
)]

pub use pyo3::ffi::*;
use std::ffi::{c_char, c_int, CStr};

/// Dropped when the stack is unwound, and then only: the thread sleeps until the process ends.
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
        /// As pyo3 declares them the compiler takes for granted that they do not unwind, and would drop nothing.
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

/// Calls with one argument. (Before 3.12 pyo3 has it as code of its own.)
#[inline]
pub unsafe fn PyObject_CallOneArg(callable: *mut PyObject, argument: *mut PyObject) -> *mut PyObject {
    // The place before the arguments is the callee's for the time of the call.
    let arguments = [std::ptr::null_mut(), argument];
    // SAFETY: as the function asks; one argument, with a place before it.
    unsafe { PyObject_Vectorcall(callable, &arguments[1], 1 | PY_VECTORCALL_ARGUMENTS_OFFSET, std::ptr::null_mut()) }
}
