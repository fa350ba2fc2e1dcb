//! Sites of Python's calls: numbered here, resolved by the gateway (`spec/bridge.md` section 5).

use super::gil::Guarded;
use pyo3::prelude::*;
use samewire_bridge::{flat, message, Kind, MOST_SITE};
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

pub struct Site {
    pub number: u16,
    /// The bytes of a call before its arguments.
    head: Box<[u8]>,
    /// The same for a first call.
    first: Box<[u8]>,
    /// The kind of its results, once a first return has declared it.
    result: OnceLock<Kind>,
    /// Whether the site has a number. If the session has none left, each call is a first call.
    kept: bool,
}

impl Site {
    /// The bytes of the next call before its arguments.
    #[inline]
    pub fn head(&self) -> &[u8] {
        match self.result.get() {
            Some(_) => &self.head,
            None => &self.first,
        }
    }

    #[inline]
    pub fn result(&self) -> Option<&Kind> {
        self.result.get()
    }

    /// Stores the kind that a first return declared. If first calls were sent together, each of their replies declares
    /// it.
    pub fn resolved(&self, kind: &Kind) {
        if self.kept {
            self.result.get_or_init(|| kind.clone());
        }
    }
}

/// The sites of a session by their definitions.
pub struct Sites {
    sites: Guarded<HashMap<Box<[u8]>, Arc<Site>>>,
}

/// A site for one call: borrowed from its callee, or owned.
pub enum Used<'a> {
    Kept(&'a Arc<Site>),
    Own(Arc<Site>),
}

impl Used<'_> {
    /// The site, to be kept for longer than the call.
    pub fn keep(self) -> Arc<Site> {
        match self {
            Used::Kept(site) => site.clone(),
            Used::Own(site) => site,
        }
    }
}

impl std::ops::Deref for Used<'_> {
    type Target = Site;

    #[inline]
    fn deref(&self) -> &Site {
        match self {
            Used::Kept(site) => site,
            Used::Own(site) => site,
        }
    }
}

impl Sites {
    pub fn new() -> Self {
        Sites { sites: Guarded::new(HashMap::new()) }
    }

    /// The site of a definition.
    pub fn of(&self, py: Python<'_>, definition: &[u8]) -> Arc<Site> {
        let mut sites = self.sites.borrow_mut(py);
        if let Some(site) = sites.get(definition) {
            return site.clone();
        }
        let kept = sites.len() < usize::from(MOST_SITE);
        let number = if kept { sites.len() as u16 + 1 } else { 0 };
        let mut head = Vec::new();
        message::put_call(&mut head, number);
        let mut first = vec![message::FIRST_CALL];
        flat::put_varint(&mut first, u64::from(number));
        first.extend_from_slice(definition);
        let site = Site { number, head: head.into(), first: first.into(), result: OnceLock::new(), kept };
        let site = Arc::new(site);
        if kept {
            sites.insert(definition.into(), site.clone());
        }
        site
    }

    pub fn len(&self, py: Python<'_>) -> usize {
        self.sites.borrow(py).len()
    }
}
