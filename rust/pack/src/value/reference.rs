//! `ref<S>`: `Rc<S>` and `Arc<S>`, by identity.

use crate::describe::Describe;
use crate::input::{unplanned, Input};
use crate::output::Output;
use crate::pack::{read_slots, Pack, Record, Slot, Unpack, UnpackRecord};
use crate::resolve::{Action, ResolutionPlan, StepId};
use alloc::rc::Rc;
use alloc::sync::Arc;
use samewire_core::Fault;

macro_rules! shared {
    ($pointer:ident) => {
        impl<S: Record> Pack for $pointer<S> {
            const LINKS: usize = S::LINKS;

            fn describe(to: &mut Describe) {
                to.reference(S::describe);
            }

            fn write(&self, out: &mut Output, at: usize) -> Result<(), Fault> {
                let address = $pointer::as_ptr(self).cast::<u8>() as usize;
                if out.begin_ref(address) {
                    let link = out.link(at);
                    out.charge(link.present_cells())?;
                    self.write_record(out, link)?;
                    out.end_ref(address);
                }
                Ok(())
            }
        }

        impl<'a, S: UnpackRecord<'a> + 'static> Unpack<'a> for $pointer<S> {
            type Column = alloc::vec::IntoIter<Self>;

            fn read_column(input: &mut Input<'a, '_>, at: usize, m: usize) -> Result<Self::Column, Fault> {
                Ok(read_slots(input, at, m)?.into_iter())
            }

            fn read(input: &mut Input<'a, '_>, at: usize) -> Result<Self, Fault> {
                let start = input.position();
                let link = input.link(at);
                match input.varint32()? {
                    0 => {
                        let begin = input.begin_shared();
                        input.charge_here(link.present_cells())?;
                        input.charge_box::<S>(link.row_cells())?;
                        let made = $pointer::new(S::read_record(input, link)?);
                        input.share_read(link.base(), &made, begin);
                        Ok(made)
                    }
                    number => match input.known::<Self>(number as usize - 1, link.base(), start)? {
                        Some(made) => Ok(made),
                        None => Err(unplanned(input)),
                    },
                }
            }

            fn resolve(input: &mut Input<'a, '_>, plan: &ResolutionPlan, step: StepId, _: Slot) -> Result<Self, Fault> {
                let Action::Ref(structure) = plan.step(step).action else { return Err(unplanned(input)) };
                let writer = plan.structs()[structure].writer;
                let start = input.position();
                let number = input.varint32()? as usize;
                let read = |input: &mut Input<'a, '_>| {
                    let begin = input.begin_shared();
                    input.charge_here(plan.structs()[structure].present_cells())?;
                    input.charge_box::<S>(plan.structs()[structure].row_cells.into())?;
                    let made = $pointer::new(S::resolve_record(input, plan, structure)?);
                    input.share_read(writer, &made, begin);
                    Ok(made)
                };
                let known = match number {
                    0 => input.read_before::<Self>(plan, writer, start)?,
                    _ => input.known::<Self>(number - 1, writer, start)?,
                };
                match known {
                    Some(made) => Ok(made),
                    None if number == 0 => read(input),
                    None => input.again(number - 1, read),
                }
            }
        }
    };
}

shared!(Rc);
shared!(Arc);
