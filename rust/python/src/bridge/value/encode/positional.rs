//! The number of positional arguments of a function, by which Java chooses between interfaces.

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyFunction, PyTuple};

/// Stands for any number of arguments; also the greatest number that is sent.
const ANY: usize = 255;

/// `CO_VARARGS` of a code object's flags: the function has a parameter `*args`.
const VARARGS: u32 = 4;

/// The fewest and the most positional arguments of a Python function or bound method; None of anything else.
pub(super) fn positional(callable: &Bound<'_, PyAny>) -> Option<(usize, usize)> {
    let py = callable.py();
    if callable.is_instance_of::<PyFunction>() {
        return of_function(callable).ok();
    }
    let function = callable.getattr_opt(intern!(py, "__func__")).ok().flatten()?;
    if !function.is_instance_of::<PyFunction>() {
        return None;
    }
    // The receiver is one of them.
    let (least, most) = of_function(&function).ok()?;
    Some((least.saturating_sub(1), if most == ANY { ANY } else { most.saturating_sub(1) }))
}

fn of_function(function: &Bound<'_, PyAny>) -> PyResult<(usize, usize)> {
    let py = function.py();
    let code = function.getattr(intern!(py, "__code__"))?;
    let count: usize = code.getattr(intern!(py, "co_argcount"))?.extract()?;
    let flags: u32 = code.getattr(intern!(py, "co_flags"))?.extract()?;
    let defaults = function.getattr(intern!(py, "__defaults__"))?;
    let optional = defaults.cast::<PyTuple>().map_or(0, |values| values.len());
    let most = if flags & VARARGS == 0 { count.min(ANY) } else { ANY };
    Ok((count.saturating_sub(optional).min(ANY), most))
}
