//! Converts the options with which a session is opened.

use crate::core::fault::raise;
use pyo3::prelude::*;
use samewire_bridge::ring::Waiting;
use samewire_core::{Code, Error};
use std::time::Duration;

/// The policy of waits for shared memory. Raises SamewireError `misuse` if the value is not a policy.
pub fn policy(waiting: Option<&Bound<'_, PyAny>>) -> PyResult<Waiting> {
    let Some(waiting) = waiting else { return Ok(Waiting::Adaptive) };
    if let Ok((name, micros)) = waiting.extract::<(String, u32)>() {
        if name == "spin" && (1..=1_000_000).contains(&micros) {
            return Ok(Waiting::Spin { micros });
        }
    }
    match waiting.extract::<String>().as_deref() {
        Ok("adaptive") => Ok(Waiting::Adaptive),
        Ok("block") => Ok(Waiting::Block),
        _ => {
            let text = format!("waiting={}: expected 'adaptive', 'block' or ('spin', 1 to 1000000)", waiting.repr()?);
            Err(raise(Error::new(Code::Misuse, text)))
        }
    }
}

/// A time-out. Raises SamewireError `misuse` for one that is not above 0.
pub fn seconds(timeout: Option<f64>) -> PyResult<Option<Duration>> {
    timeout
        .map(|seconds| match Duration::try_from_secs_f64(seconds) {
            Ok(timeout) if !timeout.is_zero() => Ok(timeout),
            _ => {
                let text = format!("timeout={seconds}: expected seconds above 0, or None");
                Err(raise(Error::new(Code::Misuse, text)))
            }
        })
        .transpose()
}
