//! Sites of the gateway's calls: numbered by the gateway, resolved here (`spec/bridge.md` section 5).

use super::gil::Guarded;
use pyo3::prelude::*;
use pyo3::types::PyString;
use samewire_bridge::{Action, Definition, Kind, Wanted};
use std::sync::Arc;

/// A site of the gateway's calls.
pub struct Served {
    pub action: Action,
    pub member: Py<PyString>,
    pub arguments: Vec<Kind>,
    pub result: Kind,
    /// The member is a method that every Java object has: a callable is not called for it.
    pub inherited: bool,
    definition: Definition,
}

/// The gateway's sites by their numbers.
pub struct ServedSites {
    sites: Guarded<Vec<Option<Arc<Served>>>>,
}

impl ServedSites {
    pub fn new() -> Self {
        ServedSites { sites: Guarded::new(Vec::new()) }
    }

    /// The site of a number that has a definition.
    pub fn get(&self, py: Python<'_>, number: u16) -> Option<Arc<Served>> {
        self.sites.borrow(py).get(usize::from(number))?.clone()
    }

    /// Defines a number. None if it has another definition.
    pub fn define(&self, py: Python<'_>, number: u16, definition: Definition) -> Option<Arc<Served>> {
        let mut sites = self.sites.borrow_mut(py);
        let index = usize::from(number);
        if let Some(Some(site)) = sites.get(index) {
            return (site.definition == definition).then(|| site.clone());
        }
        let result = match &definition.result {
            Wanted::Kind(kind) => kind.clone(),
            Wanted::Declared | Wanted::Value => Kind::Any,
        };
        let site = Arc::new(Served {
            action: definition.action,
            member: PyString::intern(py, &definition.member).unbind(),
            arguments: definition.arguments.clone(),
            inherited: matches!(
                (definition.member.as_str(), definition.arguments.len()),
                ("equals", 2) | ("hashCode" | "toString", 1)
            ),
            result,
            definition,
        });
        if number > 0 {
            if sites.len() <= index {
                sites.resize_with(index + 1, || None);
            }
            sites[index] = Some(site.clone());
        }
        Some(site)
    }
}
