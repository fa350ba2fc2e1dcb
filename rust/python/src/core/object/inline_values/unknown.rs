//! Other interpreters: no class has this layout.

use super::super::layout::Order;
use crate::core::fault::Fault;
use crate::core::ffi;
use std::ptr;

pub const BEFORE: usize = 0;

pub unsafe fn in_use(_: *mut ffi::PyTypeObject) -> bool {
    false
}

pub unsafe fn values(_: *mut ffi::PyObject, _: usize) -> *mut u8 {
    ptr::null_mut()
}

pub unsafe fn dict(_: *mut ffi::PyObject) -> *mut ffi::PyObject {
    ptr::null_mut()
}

pub unsafe fn add_values(_: *mut ffi::PyObject, _: *mut u8) -> Result<(), Fault> {
    Err(Fault)
}

pub unsafe fn all_set(_: *mut u8, _: &Order) -> bool {
    false
}

pub unsafe fn order(_: *mut u8, _: usize) -> Option<(Order, Vec<usize>)> {
    None
}

pub unsafe fn size_before(_: *mut u8) -> usize {
    0
}

pub unsafe fn size_known(_: *const u8, _: usize) -> bool {
    false
}

pub unsafe fn still(_: *mut ffi::PyObject, _: usize, _: *mut u8) -> bool {
    false
}
