//! Fields of a reader that may take their default (`spec/pack.md` section 13). None stands for the default.

use crate::input::Input;
use crate::pack::{Slot, Unpack};
use crate::resolve::{Action, ResolutionPlan, StepId};
use crate::value::resolve_present;
use alloc::vec::{IntoIter, Vec};
use samewire_core::Fault;

/// Reads a field: none, if null stands in a field that has a default for it.
#[inline]
pub fn resolve_field<'a, T: Unpack<'a>>(
    input: &mut Input<'a, '_>,
    plan: &ResolutionPlan,
    step: StepId,
    slot: Slot,
) -> Result<Option<T>, Fault> {
    match (&plan.step(step).action, slot) {
        (Action::OrDefault(_), Slot::Flag(false)) => Ok(None),
        (Action::OrDefault(inner), _) => {
            input.charge_here(plan.step(*inner).present_cells.into())?;
            T::resolve(input, plan, *inner, Slot::Present).map(Some)
        }
        _ => T::resolve(input, plan, step, slot).map(Some),
    }
}

/// The column of a field.
pub enum FieldColumn<T> {
    /// The writer has no such field.
    Missing,
    /// A value for each struct.
    Whole(IntoIter<T>),
    /// None where null stands.
    Nullable(IntoIter<Option<T>>),
}

/// Reads the column of a field.
///
/// # Errors
/// As [`Unpack::resolve_column`].
pub fn resolve_field_column<'a, T: Unpack<'a>>(
    input: &mut Input<'a, '_>,
    plan: &ResolutionPlan,
    step: StepId,
    m: usize,
) -> Result<FieldColumn<T>, Fault> {
    if let Action::OrDefault(inner) = plan.step(step).action {
        let column: Vec<Option<T>> = resolve_present(input, plan, inner, m)?;
        return Ok(FieldColumn::Nullable(column.into_iter()));
    }
    Ok(FieldColumn::Whole(T::resolve_column(input, plan, step, m)?.into_iter()))
}

impl<T> FieldColumn<T> {
    /// The next struct's value. None stands for the default.
    #[inline]
    pub fn take(&mut self) -> Option<T> {
        match self {
            FieldColumn::Missing => None,
            FieldColumn::Whole(values) => values.next(),
            FieldColumn::Nullable(values) => values.next().flatten(),
        }
    }
}
