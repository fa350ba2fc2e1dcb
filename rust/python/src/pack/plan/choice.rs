//! Enums: the indices of members.

use crate::core::ffi;

/// An enum's members in the order of the wire; null: the reader's enum lacks the symbol.
pub struct Choice {
    pub class: *mut ffi::PyTypeObject,
    pub members: Vec<*mut ffi::PyObject>,
    /// Open addressing by address, at most a quarter full, so that mostly the first slot decides: the end of a linear
    /// search would be mispredicted. Null: an empty slot.
    slots: Vec<(*mut ffi::PyObject, u32)>,
}

impl Choice {
    pub fn new(class: *mut ffi::PyTypeObject, members: Vec<*mut ffi::PyObject>) -> Choice {
        let empty: (*mut ffi::PyObject, u32) = (std::ptr::null_mut(), 0);
        let mut slots = vec![empty; (4 * members.len()).next_power_of_two()];
        for (index, &member) in members.iter().enumerate().filter(|(_, member)| !member.is_null()) {
            let mut at = slot(member, slots.len());
            while !slots[at].0.is_null() {
                at = (at + 1) % slots.len();
            }
            slots[at] = (member, index as u32);
        }
        Choice { class, members, slots }
    }

    /// The index of a member. Members are single objects, so identity decides.
    #[inline(always)]
    pub fn index(&self, member: *mut ffi::PyObject) -> Option<usize> {
        let mut at = slot(member, self.slots.len());
        loop {
            let (other, index) = self.slots[at];
            if other == member {
                return Some(index as usize);
            }
            if other.is_null() {
                return None;
            }
            at = (at + 1) % self.slots.len();
        }
    }
}

/// The slot where the search for a member begins. The interpreter chooses the addresses, so an attacker cannot make
/// them collide.
#[inline(always)]
fn slot(member: *mut ffi::PyObject, slots: usize) -> usize {
    ((member as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & (slots - 1)
}
