//! `Method`, `StaticMethod` and `Constructor`: what a class's members are called by.
//!
//! CPython's kind of class, for vectorcall: `object.method(argument)` is one call of [`call`], without a bound method and
//! without a tuple.

use super::callee::Callee;
use super::hooks::Hook;
use super::session::Session;
use super::types::{self, attribute};
use crate::core::fault::{guarded, set, Fault};
use crate::core::object::owned::Owned;
use pyo3::exceptions::PyTypeError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};
use samewire_bridge::Action;
use std::cell::UnsafeCell;
use std::ffi::{c_int, c_void, CStr};
use std::mem::{offset_of, MaybeUninit};
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};

#[repr(C)]
pub struct Callable {
    /// Counted by everybody, whoever looks at the other fields.
    base: UnsafeCell<ffi::PyObject>,
    vectorcall: ffi::vectorcallfunc,
    callee: Callee,
    /// Called at once even in a batch.
    immediate: bool,
    name: Py<PyString>,
    overloads: Option<Py<PyAny>>,
    doc: Option<Py<PyAny>>,
    signature: Option<Py<PyAny>>,
    /// Of a name that is both: the static method of it.
    unbound: Option<Py<PyAny>>,
}

extern "C" {
    /// A bound method.
    fn PyMethod_New(function: *mut ffi::PyObject, instance: *mut ffi::PyObject) -> *mut ffi::PyObject;
}

static METHOD: AtomicPtr<ffi::PyTypeObject> = AtomicPtr::new(ptr::null_mut());
static MIXED: AtomicPtr<ffi::PyTypeObject> = AtomicPtr::new(ptr::null_mut());
static STATIC: AtomicPtr<ffi::PyTypeObject> = AtomicPtr::new(ptr::null_mut());
static CONSTRUCTOR: AtomicPtr<ffi::PyTypeObject> = AtomicPtr::new(ptr::null_mut());

/// Adds the classes to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let method = Box::leak(class(c"samewire._native.Method", METHOD_DOC, new_method));
    method.tp_flags |= ffi::Py_TPFLAGS_METHOD_DESCRIPTOR;
    method.tp_descr_get = Some(bind);
    METHOD.store(method, Ordering::Relaxed);
    types::ready(module, c"Method", method)?;
    // A name that is both: a method that is not called with the receiver in front, since the class may have been asked for it.
    let mixed = Box::leak(class(c"samewire._native.Method", METHOD_DOC, new_method));
    mixed.tp_base = METHOD.load(Ordering::Relaxed);
    mixed.tp_descr_get = Some(bind);
    MIXED.store(mixed, Ordering::Relaxed);
    types::ready(module, c"MixedMethod", mixed)?;
    let fixed = Box::leak(class(c"samewire._native.StaticMethod", STATIC_DOC, new_static));
    STATIC.store(fixed, Ordering::Relaxed);
    types::ready(module, c"StaticMethod", fixed)?;
    let constructor = Box::leak(class(c"samewire._native.Constructor", CONSTRUCTOR_DOC, new_constructor));
    CONSTRUCTOR.store(constructor, Ordering::Relaxed);
    types::ready(module, c"Constructor", constructor)
}

const METHOD_DOC: &CStr = c"A method of instances, called with the receiver first; a descriptor.

Method(session, class_name, name, mixed=False): class_name is a binary name, or '#' and a class number; mixed says that overloads of
that name are static too.";
const STATIC_DOC: &CStr = c"A static method.

StaticMethod(session, class_name, name): no descriptor; the class need not be described.";
const CONSTRUCTOR_DOC: &CStr = c"Constructs objects of a class.

Constructor(session, class_name)";

fn class(name: &'static CStr, doc: &'static CStr, new: ffi::newfunc) -> Box<ffi::PyTypeObject> {
    let attributes = Box::leak(Box::new([
        attribute(c"__name__", name_of, Some(set_name)),
        attribute(c"__qualname__", qualified_name, None),
        attribute(c"__doc__", doc_of, Some(set_doc)),
        attribute(c"__signature__", signature_of, Some(set_signature)),
        attribute(c"overloads", overloads_of, Some(set_overloads)),
        types::END_OF_ATTRIBUTES,
    ]));
    let methods = Box::leak(Box::new([
        types::method(c"returning", returning, RETURNING_DOC),
        types::method(c"immediately", immediately, IMMEDIATELY_DOC),
        types::END_OF_METHODS,
    ]));
    Box::new(ffi::PyTypeObject {
        ob_base: ffi::PyVarObject { ob_base: ffi::PyObject_HEAD_INIT, ob_size: 0 },
        tp_name: name.as_ptr(),
        tp_basicsize: size_of::<Callable>() as isize,
        tp_dealloc: Some(dealloc),
        tp_vectorcall_offset: offset_of!(Callable, vectorcall) as isize,
        tp_repr: Some(repr),
        tp_call: Some(ffi::PyVectorcall_Call),
        tp_flags: ffi::Py_TPFLAGS_DEFAULT | ffi::Py_TPFLAGS_HAVE_GC | ffi::Py_TPFLAGS_HAVE_VECTORCALL,
        tp_doc: doc.as_ptr(),
        tp_traverse: Some(traverse),
        tp_methods: methods.as_mut_ptr(),
        tp_getset: attributes.as_mut_ptr(),
        tp_new: Some(new),
        tp_free: Some(ffi::PyObject_GC_Del),
        // SAFETY: all other fields are numbers, pointers and functions that may be missing.
        ..unsafe { MaybeUninit::zeroed().assume_init() }
    })
}

/// # Safety
/// `object` must be an instance of one of the classes; the GIL must be held.
unsafe fn this<'a>(object: *mut ffi::PyObject) -> &'a Callable {
    // SAFETY: the caller's conditions.
    unsafe { &*object.cast::<Callable>() }
}

unsafe extern "C" fn call(
    callable: *mut ffi::PyObject,
    arguments: *const *mut ffi::PyObject,
    count_and_flag: usize,
    keywords: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: CPython calls this with an instance, as many live arguments as it says, and the GIL held.
    unsafe {
        let this = this(callable);
        let count = ffi::PyVectorcall_NARGS(count_and_flag) as usize;
        let arguments = if count == 0 { &[] } else { std::slice::from_raw_parts(arguments, count) };
        if !keywords.is_null() && ffi::PyTuple_GET_SIZE(keywords) > 0 {
            let text = format!("{} takes no keyword arguments: Java has none", this.name);
            set(PyTypeError::new_err(text));
            return ptr::null_mut();
        }
        let py = Python::assume_attached();
        if let Some(unbound) = &this.unbound {
            if !(arguments.first().is_some_and(|&first| this.callee.admits(py, first))) {
                return ffi::PyObject_Vectorcall(unbound.as_ptr(), arguments.as_ptr(), count, ptr::null_mut());
            }
        }
        match guarded(|| this.callee.call(py, arguments, this.immediate)) {
            Ok(result) => result.give(),
            Err(Fault) => ptr::null_mut(),
        }
    }
}

unsafe extern "C" fn bind(
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
        if ffi::Py_TYPE(object) != MIXED.load(Ordering::Relaxed) {
            return PyMethod_New(object, instance);
        }
        // The receiver is known: whatever it is, the static ones are not meant.
        let this = this(object);
        let py = Python::assume_attached();
        let method =
            make(METHOD.load(Ordering::Relaxed), this.callee.again(py), &this.name.bind(py).clone(), this.immediate);
        match method.and_then(|method| Owned::steal(PyMethod_New(method.as_ptr(), instance))) {
            Ok(bound) => bound.give(),
            Err(Fault) => ptr::null_mut(),
        }
    }
}

/// # Safety
/// `class` must be one of the classes; the GIL must be held.
unsafe fn make(
    class: *mut ffi::PyTypeObject,
    callee: Callee,
    name: &Bound<'_, PyString>,
    immediate: bool,
) -> Result<Owned, Fault> {
    // SAFETY: the object is new and has room for the fields, which are written before anyone sees it: the collector may
    // run inside the allocation only, and does not know the object before it is tracked.
    unsafe {
        let this = ffi::PyObject_GC_New::<Callable>(class);
        if this.is_null() {
            return Err(Fault);
        }
        ptr::addr_of_mut!((*this).vectorcall).write(call);
        ptr::addr_of_mut!((*this).callee).write(callee);
        ptr::addr_of_mut!((*this).immediate).write(immediate);
        ptr::addr_of_mut!((*this).name).write(name.clone().unbind());
        ptr::addr_of_mut!((*this).overloads).write(None);
        ptr::addr_of_mut!((*this).doc).write(None);
        ptr::addr_of_mut!((*this).signature).write(None);
        ptr::addr_of_mut!((*this).unbound).write(None);
        ffi::PyObject_GC_Track(this.cast());
        Owned::steal(this.cast())
    }
}

/// A method of an object whose class is not known, bound to it.
///
/// # Safety
/// The GIL must be held.
pub unsafe fn bound_method(
    session: Py<Session>,
    name: &Bound<'_, PyString>,
    receiver: &Bound<'_, PyAny>,
) -> Result<Owned, Fault> {
    let member = name.to_str().map_err(set)?.to_owned();
    let callee = Callee::new(session, Action::Method, String::new(), member, String::new());
    // SAFETY: the class is ready; the GIL is held.
    unsafe {
        let method = make(METHOD.load(Ordering::Relaxed), callee, name, false)?;
        Owned::steal(PyMethod_New(method.as_ptr(), receiver.as_ptr()))
    }
}

unsafe fn new(
    arguments: *mut ffi::PyObject,
    keywords: *mut ffi::PyObject,
    build: impl FnOnce(Python<'_>, &Bound<'_, PyTuple>) -> PyResult<*mut ffi::PyObject>,
) -> *mut ffi::PyObject {
    // SAFETY: CPython calls `tp_new` with a tuple, and a dict or null, the GIL held.
    let made = guarded(|| unsafe {
        let py = Python::assume_attached();
        let arguments = Bound::from_borrowed_ptr(py, arguments).cast_into_unchecked::<PyTuple>();
        let arguments = match keywords.is_null() {
            true => arguments,
            false => {
                let keywords = Bound::from_borrowed_ptr(py, keywords).cast_into_unchecked::<PyDict>();
                in_order(&arguments, &keywords).map_err(set)?
            }
        };
        build(py, &arguments).map_err(set)
    });
    made.unwrap_or(ptr::null_mut())
}

/// Arguments with the only one that may be a keyword.
fn in_order<'py>(arguments: &Bound<'py, PyTuple>, keywords: &Bound<'py, PyDict>) -> PyResult<Bound<'py, PyTuple>> {
    let py = arguments.py();
    let mut items: Vec<_> = arguments.iter().collect();
    for (name, value) in keywords {
        if name.to_string() != "mixed" || items.len() != 3 {
            return Err(PyTypeError::new_err(format!("unexpected keyword argument {name}")));
        }
        items.push(value);
    }
    PyTuple::new(py, items)
}

unsafe extern "C" fn new_method(
    _: *mut ffi::PyTypeObject,
    arguments: *mut ffi::PyObject,
    keywords: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: as `new`; the classes are ready.
    unsafe {
        new(arguments, keywords, |py, arguments| {
            let (session, owner, name, mixed) = match arguments.len() {
                3 => {
                    let (session, owner, name) = arguments.extract::<(Py<Session>, String, Bound<'_, PyString>)>()?;
                    (session, owner, name, false)
                }
                _ => arguments.extract::<(Py<Session>, String, Bound<'_, PyString>, bool)>()?,
            };
            let member = name.to_str()?.to_owned();
            let callee =
                |action| Callee::new(session.clone_ref(py), action, owner.clone(), member.clone(), String::new());
            let class = if mixed { &MIXED } else { &METHOD }.load(Ordering::Relaxed);
            let fetch = |Fault| PyErr::fetch(py);
            let made = make(class, callee(Action::Method), &name, false).map_err(fetch)?;
            if mixed {
                let unbound =
                    make(STATIC.load(Ordering::Relaxed), callee(Action::Static), &name, false).map_err(fetch)?;
                (*made.as_ptr().cast::<Callable>()).unbound = Some(Bound::from_owned_ptr(py, unbound.give()).unbind());
            }
            Ok(made.give())
        })
    }
}

unsafe extern "C" fn new_static(
    class: *mut ffi::PyTypeObject,
    arguments: *mut ffi::PyObject,
    keywords: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: as `new`.
    unsafe {
        new(arguments, keywords, |py, arguments| {
            let (session, owner, name) = arguments.extract::<(Py<Session>, String, Bound<'_, PyString>)>()?;
            let member = name.to_str()?.to_owned();
            let callee = Callee::new(session, Action::Static, owner, member, String::new());
            make(class, callee, &name, false).map(Owned::give).map_err(|Fault| PyErr::fetch(py))
        })
    }
}

unsafe extern "C" fn new_constructor(
    class: *mut ffi::PyTypeObject,
    arguments: *mut ffi::PyObject,
    keywords: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: as `new`.
    unsafe {
        new(arguments, keywords, |py, arguments| {
            let (session, owner) = arguments.extract::<(Py<Session>, String)>()?;
            let callee = Callee::new(session, Action::Construct, owner, String::new(), String::new());
            let name = PyString::new(py, "__constructor__");
            make(class, callee, &name, false).map(Owned::give).map_err(|Fault| PyErr::fetch(py))
        })
    }
}

const RETURNING_DOC: &CStr =
    c"The same with another kind of result: \"object\", \"value\", \"list<i32>\", a pack schema.

returning(kind, decode=None): decode is called with the bytes of a pack message in place of the session's `decode`.";
const IMMEDIATELY_DOC: &CStr = c"The same, called at once even in a batch.";

/// Another of the same class and name.
unsafe fn like(
    object: *mut ffi::PyObject,
    change: &dyn Fn(Python<'_>, &Callee) -> Callee,
    immediate: bool,
) -> PyResult<*mut ffi::PyObject> {
    // SAFETY: `object` is an instance, the GIL is held, and the new object is nobody else's yet.
    unsafe {
        let py = Python::assume_attached();
        let this = this(object);
        let name = this.name.bind(py).clone();
        let class = ffi::Py_TYPE(object);
        let made = make(class, change(py, &this.callee), &name, immediate).map_err(|Fault| PyErr::fetch(py))?;
        let other = &mut *made.as_ptr().cast::<Callable>();
        other.overloads = this.overloads.as_ref().map(|value| value.clone_ref(py));
        other.doc = this.doc.as_ref().map(|value| value.clone_ref(py));
        other.signature = this.signature.as_ref().map(|value| value.clone_ref(py));
        if let Some(unbound) = &this.unbound {
            other.unbound = Some(Bound::from_owned_ptr(py, like(unbound.as_ptr(), change, immediate)?).unbind());
        }
        Ok(made.give())
    }
}

unsafe extern "C" fn returning(
    object: *mut ffi::PyObject,
    arguments: *mut ffi::PyObject,
    keywords: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: CPython calls this with an instance, a tuple, and a dict or null, the GIL held.
    let made = guarded(|| unsafe {
        let py = Python::assume_attached();
        let arguments = Bound::from_borrowed_ptr(py, arguments).cast_into_unchecked::<PyTuple>();
        let mut decode = None;
        if !keywords.is_null() {
            decode = Bound::from_borrowed_ptr(py, keywords)
                .cast_into_unchecked::<PyDict>()
                .get_item("decode")
                .map_err(set)?;
        }
        let kind = match arguments.len() {
            2 => {
                decode = Some(arguments.get_item(1).map_err(set)?);
                arguments.get_item(0).and_then(|kind| kind.extract::<String>()).map_err(set)?
            }
            _ => arguments.extract::<(String,)>().map_err(set)?.0,
        };
        let decode = decode.filter(|decode| !decode.is_none()).map(Bound::unbind);
        let immediate = this(object).immediate;
        let change = |py: Python<'_>, callee: &Callee| {
            callee.returning(py, kind.clone(), decode.as_ref().map(|decode| decode.clone_ref(py)))
        };
        like(object, &change, immediate).map_err(set)
    });
    made.unwrap_or(ptr::null_mut())
}

unsafe extern "C" fn immediately(
    object: *mut ffi::PyObject,
    _: *mut ffi::PyObject,
    _: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: CPython calls this with an instance, the GIL held.
    let made =
        guarded(|| unsafe { like(object, &|py: Python<'_>, callee: &Callee| callee.again(py), true).map_err(set) });
    made.unwrap_or(ptr::null_mut())
}

unsafe extern "C" fn dealloc(object: *mut ffi::PyObject) {
    // SAFETY: the last reference is gone, and the GIL is held.
    unsafe {
        ffi::PyObject_GC_UnTrack(object.cast());
        let this = object.cast::<Callable>();
        ptr::drop_in_place(ptr::addr_of_mut!((*this).callee));
        ptr::drop_in_place(ptr::addr_of_mut!((*this).name));
        ptr::drop_in_place(ptr::addr_of_mut!((*this).overloads));
        ptr::drop_in_place(ptr::addr_of_mut!((*this).doc));
        ptr::drop_in_place(ptr::addr_of_mut!((*this).signature));
        ptr::drop_in_place(ptr::addr_of_mut!((*this).unbound));
        ffi::PyObject_GC_Del(object.cast());
    }
}

/// The session and the classes break what cycles there are.
unsafe extern "C" fn traverse(object: *mut ffi::PyObject, visit: ffi::visitproc, argument: *mut c_void) -> c_int {
    // SAFETY: the collector calls this with an instance.
    unsafe {
        let this = this(object);
        let held = [&this.overloads, &this.doc, &this.signature, &this.unbound, &this.callee.decode];
        for held in held.into_iter().flatten() {
            let done = visit(held.as_ptr(), argument);
            if done != 0 {
                return done;
            }
        }
        visit(this.callee.session.as_ptr(), argument)
    }
}

unsafe extern "C" fn repr(object: *mut ffi::PyObject) -> *mut ffi::PyObject {
    // SAFETY: CPython calls this with an instance, the GIL held.
    unsafe {
        let this = this(object);
        let text = format!("<java {} {}.{}>", action(this.callee.action), this.callee.owner, this.name);
        PyString::new(Python::assume_attached(), &text).into_ptr()
    }
}

fn action(action: Action) -> &'static str {
    match action {
        Action::Construct => "constructor",
        Action::Static => "static method",
        _ => "method",
    }
}

unsafe extern "C" fn name_of(object: *mut ffi::PyObject, _: *mut c_void) -> *mut ffi::PyObject {
    // SAFETY: CPython calls this with an instance, the GIL held.
    unsafe { this(object).name.clone_ref(Python::assume_attached()).into_ptr() }
}

unsafe extern "C" fn qualified_name(object: *mut ffi::PyObject, _: *mut c_void) -> *mut ffi::PyObject {
    // SAFETY: as `name_of`.
    unsafe {
        let this = this(object);
        PyString::new(Python::assume_attached(), &format!("{}.{}", this.callee.owner, this.name)).into_ptr()
    }
}

unsafe extern "C" fn set_name(object: *mut ffi::PyObject, value: *mut ffi::PyObject, _: *mut c_void) -> c_int {
    // SAFETY: CPython calls this with an instance and a value, or null to delete, the GIL held.
    unsafe {
        let py = Python::assume_attached();
        if value.is_null() || ffi::PyUnicode_Check(value) == 0 {
            set(PyTypeError::new_err("__name__: expected a str"));
            return -1;
        }
        let name = Bound::from_borrowed_ptr(py, value).cast_into_unchecked::<PyString>().unbind();
        let before = std::mem::replace(&mut (*object.cast::<Callable>()).name, name);
        drop(before);
        0
    }
}

/// What was set, or what a hook says of the overloads.
unsafe fn told(object: *mut ffi::PyObject, own: Option<&Py<PyAny>>, hook: Hook) -> *mut ffi::PyObject {
    // SAFETY: `object` is an instance, and the GIL is held.
    let told = guarded(|| unsafe {
        let py = Python::assume_attached();
        if let Some(own) = own {
            return Ok(own.clone_ref(py).into_ptr());
        }
        match this(object).callee.session.get().hooks.get(py, hook) {
            None => Ok(py.None().into_ptr()),
            Some(hook) => {
                let method = Bound::from_borrowed_ptr(py, object);
                hook.bind(py).call1((method,)).map(Bound::into_ptr).map_err(set)
            }
        }
    });
    told.unwrap_or(ptr::null_mut())
}

unsafe extern "C" fn doc_of(object: *mut ffi::PyObject, _: *mut c_void) -> *mut ffi::PyObject {
    // SAFETY: CPython calls this with an instance, the GIL held.
    unsafe { told(object, this(object).doc.as_ref(), Hook::Document) }
}

unsafe extern "C" fn signature_of(object: *mut ffi::PyObject, _: *mut c_void) -> *mut ffi::PyObject {
    // SAFETY: CPython calls this with an instance, the GIL held.
    unsafe { told(object, this(object).signature.as_ref(), Hook::Signature) }
}

unsafe extern "C" fn overloads_of(object: *mut ffi::PyObject, _: *mut c_void) -> *mut ffi::PyObject {
    // SAFETY: CPython calls this with an instance, the GIL held.
    unsafe {
        let py = Python::assume_attached();
        this(object).overloads.as_ref().map_or_else(|| py.None(), |overloads| overloads.clone_ref(py)).into_ptr()
    }
}

/// Stores a value, or none to delete it, in a field.
unsafe fn store(field: *mut Option<Py<PyAny>>, value: *mut ffi::PyObject) -> c_int {
    // SAFETY: the field is an instance's, and the GIL is held; what was there is dropped when the field has its new value.
    unsafe {
        let value = Bound::from_borrowed_ptr_or_opt(Python::assume_attached(), value).map(Bound::unbind);
        let before = std::mem::replace(&mut *field, value);
        drop(before);
        0
    }
}

unsafe extern "C" fn set_doc(object: *mut ffi::PyObject, value: *mut ffi::PyObject, _: *mut c_void) -> c_int {
    // SAFETY: CPython calls this with an instance, the GIL held.
    unsafe { store(ptr::addr_of_mut!((*object.cast::<Callable>()).doc), value) }
}

unsafe extern "C" fn set_signature(object: *mut ffi::PyObject, value: *mut ffi::PyObject, _: *mut c_void) -> c_int {
    // SAFETY: CPython calls this with an instance, the GIL held.
    unsafe { store(ptr::addr_of_mut!((*object.cast::<Callable>()).signature), value) }
}

unsafe extern "C" fn set_overloads(object: *mut ffi::PyObject, value: *mut ffi::PyObject, _: *mut c_void) -> c_int {
    // SAFETY: CPython calls this with an instance, the GIL held.
    unsafe { store(ptr::addr_of_mut!((*object.cast::<Callable>()).overloads), value) }
}
