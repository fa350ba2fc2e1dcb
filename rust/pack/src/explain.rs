//! What is wrong with a message that a native reader refused: the strict reader says it, with the path.

use crate::input::Input;
use crate::schema::Schema;
use crate::walker;
use samewire_core::{Code, Error, Limits};

/// The error of the strict reader; the native reader's where it finds none.
pub(crate) fn explain(schema: &Schema, bytes: &[u8], limits: &Limits, input: &Input<'_, '_>) -> Error {
    let failure = input.failure();
    let stop = failure.at.filter(|_| failure.code == Code::LimitItems);
    if let (Some(refused), Ok(())) = (input.refused(), walker::check(schema, bytes, limits)) {
        // The native reader keeps no path: the walk to the value does.
        let path = walker::path_of(refused, schema, bytes, limits);
        return Error { path: path.or(failure.path), ..failure };
    }
    walker::check(schema, bytes, limits)
        .and_then(|()| walker::check_up_to(stop, schema, schema.cells(), bytes, limits))
        .err()
        .unwrap_or(failure)
}
