//! Hands PyO3's `Py_3_12` and the like to this crate: the fast paths know the layouts of one version each.

fn main() {
    pyo3_build_config::use_pyo3_cfgs();
}
