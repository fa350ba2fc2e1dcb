//! Decimals: the scale, then the unscaled value.

use super::{Done, Encoder, Object};
use crate::core::fault::Fault;
use crate::core::object::decimal::{self, Parts};

impl<const CAREFUL: bool> Encoder<'_, CAREFUL> {
    #[inline(never)]
    pub(super) unsafe fn decimal(&mut self, value: Object) -> Done {
        // SAFETY: the type is checked.
        unsafe {
            if !decimal::is(value, !CAREFUL) {
                return Err(self.mismatch("Decimal", value));
            }
            match decimal::parts(value) {
                Ok(Parts::Short(_, scale) | Parts::Long(_, scale)) if i32::try_from(scale).is_err() => {
                    Err(self.refuse(format!("a decimal's scale is {scale}: expected 32 bits")))
                }
                Ok(Parts::Short(unscaled, scale)) => {
                    self.w.zigzag(scale);
                    let bytes = unscaled.to_be_bytes();
                    // Bytes that only repeat the sign; zero keeps none.
                    let idle = (0..8)
                        .take_while(|&i| {
                            let sign = if unscaled < 0 { 0xff } else { 0 };
                            bytes[i] == sign
                                && bytes.get(i + 1).map_or(unscaled == 0, |next| next & 0x80 == sign & 0x80)
                        })
                        .count();
                    self.w.bigint(&bytes[idle..])
                }
                Ok(Parts::Long(unscaled, scale)) => {
                    self.w.zigzag(scale);
                    self.exact_bigint(unscaled.as_ptr())
                }
                Ok(Parts::NotFinite) => Err(self.refuse("a decimal that is not finite".into())),
                Err(Fault) => Err(self.raised()),
            }
        }
    }
}
