//! Integers that the reader has as floats: the same number, or an error (`spec/pack.md` section 13).

use super::{Decoder, Made};
use crate::core::fault::{Fault, Why};
use crate::core::ffi;
use crate::core::memory::room;
use crate::core::object::number::make_float;
use crate::core::object::owned::Owned;
use crate::pack::plan::{row_cost, Kind};
use samewire_pack::widening::{exact_f32, exact_f64};
use samewire_pack::Code;

macro_rules! by_integer {
    ($kind:expr, $type:ident => $do:expr) => {
        match $kind {
            Kind::I8 => by_integer!(@ $type i8 $do),
            Kind::I16 => by_integer!(@ $type i16 $do),
            Kind::I32 => by_integer!(@ $type i32 $do),
            Kind::U8 => by_integer!(@ $type u8 $do),
            Kind::U16 => by_integer!(@ $type u16 $do),
            Kind::U32 => by_integer!(@ $type u32 $do),
            Kind::U64 => by_integer!(@ $type u64 $do),
            // Floats do not widen to floats here: `Node::Number` reads an f32 as Python's float.
            Kind::I64 | Kind::F32 | Kind::F64 => by_integer!(@ $type i64 $do),
        }
    };
    (@ $type:ident $integer:ident $do:expr) => {{
        type $type = $integer;
        $do
    }};
}

impl Decoder<'_, '_> {
    /// An integer of the kind `kind` as a float of the kind `wanted`.
    #[inline(never)]
    pub(super) unsafe fn float(&mut self, kind: Kind, wanted: Kind) -> Made {
        let at = self.r.position();
        let number: i128 = by_integer!(kind, T => self.r.number::<T>()?.into());
        // SAFETY: callers hold the GIL, for which this function is unsafe.
        unsafe { self.float_of(number, wanted, at) }
    }

    /// A row of integers as floats; `put` takes ownership of each.
    #[inline(never)]
    pub(super) unsafe fn float_row(
        &mut self,
        kind: Kind,
        wanted: Kind,
        count: usize,
        mut put: impl FnMut(&mut Self, usize, Owned) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let at = self.r.position();
        // A number is checked only when the whole row has been read.
        by_integer!(kind, T => for (i, &number) in self.r.view::<T>(count)?.iter().enumerate() {
            // SAFETY: callers hold the GIL, for which this function is unsafe.
            let item = unsafe { self.float_of(number.into(), wanted, at)? };
            put(self, i, item)?;
        });
        Ok(())
    }

    /// A list of integers as a list of floats.
    pub(super) unsafe fn floats(&mut self, kind: Kind, wanted: Kind) -> Made {
        let count = self.r.count(row_cost(kind), 1)?;
        // SAFETY: the GIL is held; items are null until each is set.
        unsafe {
            let made = Owned::steal(ffi::PyList_New(count as isize));
            let list = self.made(made)?;
            let items = (*list.as_ptr().cast::<ffi::PyListObject>()).ob_item;
            self.float_row(kind, wanted, count, |_, i, item| {
                *items.add(i) = item.give();
                Ok(())
            })?;
            Ok(list)
        }
    }

    /// A column of integers as floats.
    pub(super) fn column_floats(&mut self, kind: Kind, wanted: Kind, m: usize) -> Result<Vec<f64>, Fault> {
        let at = self.r.position();
        // The column's bytes have been checked to exist before the allocation.
        by_integer!(kind, T => {
            let numbers = self.integers(T::MIN, T::MAX, m)?;
            let mut floats = room(m);
            for number in numbers {
                floats.push(self.exact(number.into(), wanted, at)?);
            }
            Ok(floats)
        })
    }

    fn exact(&mut self, number: i128, wanted: Kind, at: usize) -> Result<f64, Fault> {
        let exact = if wanted == Kind::F32 { exact_f32(number).map(f64::from) } else { exact_f64(number) };
        exact.ok_or_else(|| {
            let word = if wanted == Kind::F32 { "f32" } else { "f64" };
            self.why = Why::At(Code::BadNumber, at, format!("{number} lies between two numbers of {word}"));
            Fault
        })
    }

    unsafe fn float_of(&mut self, number: i128, wanted: Kind, at: usize) -> Made {
        let float = self.exact(number, wanted, at)?;
        // SAFETY: callers hold the GIL, for which this function is unsafe.
        let made = unsafe { make_float(float) };
        self.made(made)
    }
}
