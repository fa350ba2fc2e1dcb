//! `bytes::Bytes` as `bytes`.

use crate::converter::converted;
use crate::value::Bytes;

converted!([] ::bytes::Bytes, CrateBytes, Bytes, |value| Ok(Bytes(value.to_vec())), |wire| Ok(wire.0.into()));
