//! The type objects of the callables.

use super::attributes::{
    doc_of, name_of, overloads_of, qualified_name, set_doc, set_name, set_overloads, set_signature, signature_of,
};
use super::construct::{new_constructor, new_method, new_static};
use super::variants::{immediately, postponed, returning, IMMEDIATELY_DOC, POSTPONED_DOC, RETURNING_DOC};
use super::{bind, dealloc, repr, traverse, Callable, CONSTRUCTOR, METHOD, MIXED, STATIC};
use crate::bridge::value::types::{self, attribute};
use crate::core::ffi;
use pyo3::prelude::*;
use std::ffi::CStr;
use std::mem::{offset_of, MaybeUninit};
use std::sync::atomic::Ordering;

/// Adds the classes to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let method = Box::leak(class(c"samewire._native.Method", METHOD_DOC, new_method));
    method.tp_flags |= ffi::Py_TPFLAGS_METHOD_DESCRIPTOR;
    method.tp_descr_get = Some(bind);
    METHOD.store(method, Ordering::Relaxed);
    types::ready(module, c"Method", method)?;
    // A name that is both static and not: a method that does not take the receiver in front, since the class may have
    // been asked for it.
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
        types::method(c"postponed", postponed, POSTPONED_DOC),
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
