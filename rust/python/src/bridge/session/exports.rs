//! Python objects that the gateway holds references to.

use super::gil::Guarded;
use crate::core::fault::{raise, set, Fault};
use pyo3::prelude::*;
use samewire_bridge::Exports;
use samewire_core::Error;
use std::collections::HashMap;

#[derive(Default)]
struct Table {
    objects: Exports<Py<PyAny>>,
    /// Numbers by identity.
    numbers: HashMap<usize, u64>,
}

pub struct ExportTable {
    table: Guarded<Table>,
}

impl ExportTable {
    pub fn new() -> Self {
        ExportTable { table: Guarded::new(Table::default()) }
    }

    /// Returns the number of an object that is being sent, and counts it. An object keeps its number while the gateway
    /// refers to it.
    pub fn send(&self, object: &Bound<'_, PyAny>) -> Result<u64, Fault> {
        let table = &mut *self.table.borrow_mut(object.py());
        let identity = object.as_ptr() as usize;
        if let Some(&number) = table.numbers.get(&identity) {
            table.objects.again(number);
            return Ok(number);
        }
        let number = table.objects.add(object.clone().unbind()).map_err(|error| set(raise(error)))?;
        table.numbers.insert(identity, number);
        Ok(number)
    }

    /// The object of a number, if it is alive.
    pub fn get<'py>(&self, py: Python<'py>, number: u64) -> Option<Bound<'py, PyAny>> {
        self.table.borrow(py).objects.get(number).map(|object| object.bind(py).clone())
    }

    /// Subtracts counts that the gateway has released.
    pub fn release(&self, py: Python<'_>, pairs: &[(u64, u64)]) -> Result<(), Error> {
        let mut freed = Vec::new();
        let done = pairs.iter().try_for_each(|&(number, count)| {
            let table = &mut *self.table.borrow_mut(py);
            if let Some(object) = table.objects.release(number, count)? {
                table.numbers.remove(&(object.as_ptr() as usize));
                freed.push(object);
            }
            Ok(())
        });
        // Freed when the table is no longer borrowed: that may run any code.
        drop(freed);
        done
    }

    /// Takes back numbers that were not sent after all.
    pub fn take_back(&self, py: Python<'_>, numbers: Vec<u64>) {
        let pairs: Vec<_> = numbers.into_iter().map(|number| (number, 1)).collect();
        // This cannot fail: each was counted just now. If the session has ended, the table is empty.
        let _ = self.release(py, &pairs);
    }

    /// Drops all entries: the session has ended.
    pub fn clear(&self, py: Python<'_>) {
        let freed: Vec<_> = {
            let table = &mut *self.table.borrow_mut(py);
            table.numbers.clear();
            table.objects.take().collect()
        };
        drop(freed);
    }

    pub fn len(&self, py: Python<'_>) -> usize {
        self.table.borrow(py).objects.len()
    }
}
