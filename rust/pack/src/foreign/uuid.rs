//! `uuid::Uuid` as `uuid`.

use crate::converter::{converted, ordered_key};
use crate::value::Uuid;

converted!([] ::uuid::Uuid, CrateUuid, Uuid, |value| Ok(Uuid(value.into_bytes())), |wire| Ok(::uuid::Uuid::from_bytes(wire.0)));
ordered_key!(::uuid::Uuid);
