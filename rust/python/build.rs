//! Hands PyO3's `Py_3_12` and the like to this crate, and says which object layouts the interpreter has.
//!
//! `known_layouts`: the fast paths of `core/object` know the heads of this interpreter's objects. `values_beside`
//! (CPython 3.11, 3.12), `values_inside` (3.13, 3.14): where an instance with a `__dict__` keeps its values. Without
//! them everything goes through the public interface; so it does if `SAMEWIRE_PUBLIC_API` is set.

use pyo3_build_config::BuildFlag;
use std::env;

fn main() {
    pyo3_build_config::use_pyo3_cfgs();
    for name in ["known_layouts", "values_beside", "values_inside"] {
        println!("cargo:rustc-check-cfg=cfg({name})");
    }
    println!("cargo:rerun-if-env-changed=SAMEWIRE_PUBLIC_API");
    if let Some(values) = values() {
        println!("cargo:rustc-cfg=known_layouts");
        println!("cargo:rustc-cfg={values}");
    }
}

/// Where instances keep their values; None if this interpreter's layouts are not known.
fn values() -> Option<&'static str> {
    let python = pyo3_build_config::get();
    let other = [BuildFlag::Py_DEBUG, BuildFlag::Py_REF_DEBUG, BuildFlag::Py_GIL_DISABLED];
    let usual = env::var("CARGO_CFG_TARGET_POINTER_WIDTH").as_deref() == Ok("64")
        && env::var("CARGO_CFG_TARGET_ENDIAN").as_deref() == Ok("little")
        && env::var_os("SAMEWIRE_PUBLIC_API").is_none()
        && !other.iter().any(|flag| python.build_flags().0.contains(flag));
    match (python.version().major, python.version().minor) {
        (3, 11 | 12) if usual => Some("values_beside"),
        (3, 13 | 14) if usual => Some("values_inside"),
        _ => None,
    }
}
