//! IP addresses, with and without a port: their texts.

use crate::converter::converted;
use crate::order::compare_utf16;
use crate::pack::Key;
use alloc::string::{String, ToString};
use core::cmp::Ordering;
use core::hash::{Hash, Hasher};
use core::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use samewire_core::{Code, Error};

macro_rules! address {
    ($type:ident, $converter:ident, $name:literal) => {
        converted!(
            [] $type, $converter, String,
            |value| Ok(value.to_string()),
            |wire| wire.parse().map_err(|_| {
                let began: String = wire.chars().take(48).collect();
                Error::new(Code::TypeMismatch, format!(concat!("expected the text of an ", $name, " address, got {:?}"), began))
            })
        );

        impl Key for $type {
            fn order(&self, other: &Self) -> Ordering {
                compare_utf16(&self.to_string(), &other.to_string())
            }

            fn feed<H: Hasher>(&self, state: &mut H) {
                self.hash(state);
            }
        }
    };
}

address!(IpAddr, IpAsString, "IP");
address!(Ipv4Addr, Ipv4AsString, "IPv4");
address!(Ipv6Addr, Ipv6AsString, "IPv6");
address!(SocketAddr, SocketAsString, "IP socket");
