//! `Command`: a method that sends one command. A pipeline encodes it without calling the Python function.
//!
//! The class is CPython's kind, since PyO3's have no vectorcall. Py_TPFLAGS_METHOD_DESCRIPTOR has it called with `self` in
//! front and without a bound method, so that a pipeline's `set(key, value)` is one call of [`call`].

use super::encode::{head, usual_only};
use super::pipe::Pipe;
use crate::core::fault::{guarded, set, Fault};
use crate::core::ffi;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use pyo3::PyTypeInfo;
use std::ffi::{c_int, c_void, CStr};
use std::mem::{offset_of, MaybeUninit};
use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

#[repr(C)]
struct Command {
    base: ffi::PyObject,
    vectorcall: ffi::vectorcallfunc,
    /// The Python function.
    function: Py<PyAny>,
    /// The command's name, by which its conversion is found.
    name: Py<PyString>,
    /// Positional arguments after `self` with which a pipeline encodes it: so many, or so many and more.
    arity: usize,
    more: bool,
    /// The bytes before the arguments, if there are `arity`.
    head: Box<[u8]>,
}

/// The `tp_setattro` of `Pipe`. Only its subclasses inherit the function, so comparing it is the cheapest test for one.
/// A subclass with a `__setattr__` of its own is only slower.
static PIPE_SETS: AtomicUsize = AtomicUsize::new(usize::MAX);

/// The text "execute_command", interned.
static EXECUTE: AtomicPtr<ffi::PyObject> = AtomicPtr::new(ptr::null_mut());

extern "C" {
    /// The attribute of a class or its bases, borrowed and not bound; null without an exception if there is none.
    /// Answered by the cache of methods.
    fn _PyType_Lookup(class: *mut ffi::PyTypeObject, name: *mut ffi::PyObject) -> *mut ffi::PyObject;
    /// A bound method.
    fn PyMethod_New(function: *mut ffi::PyObject, instance: *mut ffi::PyObject) -> *mut ffi::PyObject;
}

/// The decorator of a method that sends the command `name` with its arguments: `@command(b"SET", 2)`.
///
/// name: as the server knows it, in upper case; its words divided by blanks.
/// arity: positional arguments with which a pipeline encodes the command without calling the function; -2 for two or
///     more. Each must be an argument of the command, in its order.
#[pyfunction]
pub fn command<'py>(py: Python<'py>, name: &Bound<'py, PyAny>, arity: isize) -> PyResult<Bound<'py, PyAny>> {
    let class = py.import("samewire._native")?.getattr("Command")?;
    py.import("functools")?.getattr("partial")?.call1((class, name, arity))
}

const DOC: &CStr = c"A method that sends one command.

Command(name, arity, function): called with `arity` positional arguments (-2: two or more) of str, bytes, int and float on a
`Pipe` whose class has `direct` as `execute_command`, the command is encoded and the pipe returned. Any other call goes to
the function.";

/// Adds the class to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    // SAFETY: the GIL is held. The class is made once and never freed, and neither are the names.
    unsafe {
        let sets = (*Pipe::type_object_raw(py)).tp_setattro.map_or(usize::MAX, |sets| sets as usize);
        PIPE_SETS.store(sets, Ordering::Relaxed);
        EXECUTE.store(PyString::intern(py, "execute_command").into_ptr(), Ordering::Relaxed);
        let class = Box::leak(Box::new(ffi::PyTypeObject {
            ob_base: ffi::PyVarObject { ob_base: ffi::PyObject_HEAD_INIT, ob_size: 0 },
            tp_name: c"samewire._native.Command".as_ptr(),
            tp_basicsize: size_of::<Command>() as isize,
            tp_dealloc: Some(dealloc),
            tp_vectorcall_offset: offset_of!(Command, vectorcall) as isize,
            tp_repr: Some(repr),
            tp_call: Some(ffi::PyVectorcall_Call),
            tp_getattro: Some(getattro),
            tp_flags: ffi::Py_TPFLAGS_DEFAULT
                | ffi::Py_TPFLAGS_HAVE_GC
                | ffi::Py_TPFLAGS_HAVE_VECTORCALL
                | ffi::Py_TPFLAGS_METHOD_DESCRIPTOR,
            tp_doc: DOC.as_ptr(),
            tp_traverse: Some(traverse),
            tp_getset: Box::leak(Box::new(ATTRIBUTES)).as_mut_ptr(),
            tp_descr_get: Some(descr_get),
            tp_new: Some(new),
            tp_free: Some(ffi::PyObject_GC_Del),
            // SAFETY: all other fields are numbers, pointers and functions that may be missing.
            ..MaybeUninit::zeroed().assume_init()
        }));
        if ffi::PyType_Ready(class) < 0 {
            return Err(PyErr::fetch(py));
        }
        module.add("Command", Bound::from_borrowed_ptr(py, ptr::from_mut(class).cast()))
    }
}

unsafe extern "C" fn call(
    callable: *mut ffi::PyObject,
    arguments: *const *mut ffi::PyObject,
    count_and_flag: usize,
    keywords: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: CPython calls this with a `Command`, as many arguments as it says, and the GIL held. A class that sets
    // attributes by `Pipe`'s function has inherited it, and with it the layout: the first argument is a `Pipe`.
    unsafe {
        let this = &*callable.cast::<Command>();
        let count = ffi::PyVectorcall_NARGS(count_and_flag) as usize;
        if keywords.is_null() && (count == this.arity + 1 || (this.more && count > this.arity)) {
            let class = ffi::Py_TYPE(*arguments);
            let sets = (*class).tp_setattro.map_or(0, |sets| sets as usize);
            if sets == PIPE_SETS.load(Ordering::Relaxed) {
                let arguments = std::slice::from_raw_parts(arguments, count);
                match guarded(|| encode(this, class, arguments)) {
                    Ok(true) => {
                        ffi::Py_INCREF(arguments[0]);
                        return arguments[0];
                    }
                    Ok(false) => {}
                    Err(Fault) => return ptr::null_mut(),
                }
            }
        }
        ffi::PyObject_Vectorcall(this.function.as_ptr(), arguments, count_and_flag, keywords)
    }
}

/// Encodes the command into the pipe, which is the first argument; false if its class has another `execute_command`, or an
/// argument is not of the usual classes.
///
/// # Safety
/// The GIL must be held; the first argument is a `Pipe` of that class.
#[inline]
unsafe fn encode(
    this: &Command,
    class: *mut ffi::PyTypeObject,
    arguments: &[*mut ffi::PyObject],
) -> Result<bool, Fault> {
    // SAFETY: the GIL is held; the first argument is a `Pipe` of that class, as this function asks.
    unsafe {
        let py = Python::assume_attached();
        let pipe = Bound::from_borrowed_ptr(py, arguments[0]).cast_into_unchecked::<Pipe>();
        let mut pipe = pipe.try_borrow_mut().map_err(|error| set(error.into()))?;
        let Some(direct) = &pipe.direct else { return Ok(false) };
        if direct.as_ptr() != _PyType_Lookup(class, EXECUTE.load(Ordering::Relaxed)) {
            return Ok(false);
        }
        let arguments = &arguments[1..];
        Ok(pipe.add(py, &this.name, |out| {
            usual_only(arguments, out, |out| match arguments.len() == this.arity {
                true => out.extend_from_slice(&this.head),
                false => head(this.name.to_str(py).unwrap_or_default().as_bytes(), arguments.len(), out),
            })
        }))
    }
}

unsafe extern "C" fn new(
    class: *mut ffi::PyTypeObject,
    arguments: *mut ffi::PyObject,
    keywords: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: CPython calls this with the class and a tuple, the GIL held.
    unsafe {
        let py = Python::assume_attached();
        let made = guarded(|| {
            let arguments = Bound::from_borrowed_ptr(py, arguments);
            make(class, &arguments, !keywords.is_null()).map_err(set)
        });
        made.unwrap_or(ptr::null_mut())
    }
}

/// # Safety
/// The GIL must be held; `class` is `Command`.
unsafe fn make(
    class: *mut ffi::PyTypeObject,
    arguments: &Bound<'_, PyAny>,
    keywords: bool,
) -> PyResult<*mut ffi::PyObject> {
    let py = arguments.py();
    if keywords {
        return Err(PyTypeError::new_err("Command takes no keywords: Command(name, arity, function)"));
    }
    let (name, arity, function): (Bound<'_, PyAny>, isize, Bound<'_, PyAny>) = arguments.extract()?;
    if !function.is_callable() {
        return Err(PyTypeError::new_err(format!("function={}: expected a callable", function.repr()?)));
    }
    let name = match name.cast::<PyBytes>() {
        Ok(bytes) => String::from_utf8_lossy(bytes.as_bytes()).into_owned(),
        Err(_) => name.extract()?,
    };
    if name.trim().is_empty() {
        return Err(PyValueError::new_err("name='': expected the name of a command"));
    }
    let (arity, more) = (arity.unsigned_abs(), arity < 0);
    let mut bytes = Vec::new();
    head(name.as_bytes(), arity, &mut bytes);
    // SAFETY: the object is new and has room for the fields, which are written before anyone sees it: the collector may
    // run inside the allocation only, and does not know the object before it is tracked.
    unsafe {
        let this = ffi::PyObject_GC_New::<Command>(class);
        if this.is_null() {
            return Err(PyErr::fetch(py));
        }
        ptr::addr_of_mut!((*this).vectorcall).write(call);
        ptr::addr_of_mut!((*this).function).write(function.unbind());
        ptr::addr_of_mut!((*this).name).write(PyString::intern(py, &name).unbind());
        ptr::addr_of_mut!((*this).arity).write(arity);
        ptr::addr_of_mut!((*this).more).write(more);
        ptr::addr_of_mut!((*this).head).write(bytes.into());
        ffi::PyObject_GC_Track(this.cast());
        Ok(this.cast())
    }
}

unsafe extern "C" fn dealloc(object: *mut ffi::PyObject) {
    // SAFETY: the last reference is gone, and the GIL is held.
    unsafe {
        ffi::PyObject_GC_UnTrack(object.cast());
        let this = object.cast::<Command>();
        ptr::drop_in_place(ptr::addr_of_mut!((*this).function));
        ptr::drop_in_place(ptr::addr_of_mut!((*this).name));
        ptr::drop_in_place(ptr::addr_of_mut!((*this).head));
        ffi::PyObject_GC_Del(object.cast());
    }
}

/// The function's dict and closure break what cycles there are: a command itself never changes.
unsafe extern "C" fn traverse(object: *mut ffi::PyObject, visit: ffi::visitproc, argument: *mut c_void) -> c_int {
    // SAFETY: the collector calls this with a `Command`.
    unsafe { visit((*object.cast::<Command>()).function.as_ptr(), argument) }
}

unsafe extern "C" fn descr_get(
    object: *mut ffi::PyObject,
    instance: *mut ffi::PyObject,
    _: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: CPython calls this with live objects, or null for an instance, the GIL held.
    unsafe {
        if instance.is_null() || instance == ffi::Py_None() {
            ffi::Py_INCREF(object);
            return object;
        }
        PyMethod_New(object, instance)
    }
}

/// What a command has not itself, its function has.
unsafe extern "C" fn getattro(object: *mut ffi::PyObject, name: *mut ffi::PyObject) -> *mut ffi::PyObject {
    // SAFETY: CPython calls this with a `Command` and a str, the GIL held.
    unsafe {
        let own = ffi::PyObject_GenericGetAttr(object, name);
        if !own.is_null() || ffi::PyErr_ExceptionMatches(ffi::PyExc_AttributeError) == 0 {
            return own;
        }
        ffi::PyErr_Clear();
        ffi::PyObject_GetAttr((*object.cast::<Command>()).function.as_ptr(), name)
    }
}

unsafe extern "C" fn repr(object: *mut ffi::PyObject) -> *mut ffi::PyObject {
    // SAFETY: CPython calls this with a `Command`, the GIL held.
    unsafe {
        let py = Python::assume_attached();
        let this = &*object.cast::<Command>();
        let text = this
            .function
            .bind(py)
            .getattr("__qualname__")
            .map(|function| format!("<command {} of {function}>", this.name));
        match text {
            Ok(text) => PyString::new(py, &text).into_ptr(),
            Err(error) => {
                set(error);
                ptr::null_mut()
            }
        }
    }
}

/// Attributes that every object's class has, and that are the function's here.
const ATTRIBUTES: [ffi::PyGetSetDef; 7] = [
    attribute(c"__doc__", of_function),
    attribute(c"__module__", of_function),
    attribute(c"__name__", of_function),
    attribute(c"__qualname__", of_function),
    attribute(c"__wrapped__", wrapped),
    attribute(c"__signature__", signature),
    // SAFETY: the end of the table: no name.
    unsafe { MaybeUninit::zeroed().assume_init() },
];

const fn attribute(name: &'static CStr, get: ffi::getter) -> ffi::PyGetSetDef {
    let closure = name.as_ptr().cast_mut().cast();
    ffi::PyGetSetDef { name: name.as_ptr(), get: Some(get), set: None, doc: ptr::null(), closure }
}

unsafe extern "C" fn of_function(object: *mut ffi::PyObject, name: *mut c_void) -> *mut ffi::PyObject {
    // SAFETY: CPython calls this with a `Command` and the text of `attribute`, the GIL held.
    unsafe { ffi::PyObject_GetAttrString((*object.cast::<Command>()).function.as_ptr(), name.cast()) }
}

unsafe extern "C" fn wrapped(object: *mut ffi::PyObject, _: *mut c_void) -> *mut ffi::PyObject {
    // SAFETY: CPython calls this with a `Command`, the GIL held.
    unsafe { (*object.cast::<Command>()).function.clone_ref(Python::assume_attached()).into_ptr() }
}

unsafe extern "C" fn signature(object: *mut ffi::PyObject, _: *mut c_void) -> *mut ffi::PyObject {
    // SAFETY: CPython calls this with a `Command`, the GIL held.
    unsafe {
        let py = Python::assume_attached();
        let function = &(*object.cast::<Command>()).function;
        let made = py.import("inspect").and_then(|inspect| inspect.call_method1("signature", (function,)));
        match made {
            Ok(made) => made.into_ptr(),
            Err(error) => {
                set(error);
                ptr::null_mut()
            }
        }
    }
}
