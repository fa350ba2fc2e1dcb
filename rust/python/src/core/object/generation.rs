//! Moves the containers of a decode to the collector's next generation, where a collection after the decode would put
//! them.
//!
//! The containers of a decode are all in the youngest generation, and all reachable from its value. A large decode
//! triggers a collection, or nearly so, which walks over them twice, finds nothing to free, and moves them to the next
//! generation. Here they are moved without the walk, if the decode was large or a collection is due. Counts and
//! thresholds are not changed, so collections still happen at the same times, but the youngest generation has fewer
//! objects to walk over.
//!
//! Trees that are kept decode in two thirds of the time (CPython 3.11); values that are dropped at once gain nothing.
//! On 3.13 a collection after three such trees would walk over the two before the last: 67 instead of 59 µs a tree.
//!
//! The addresses of the lists' heads are verified at import. Nothing is moved if the collector is incremental, in
//! 3.14.0 to 3.14.4, whose lists have another meaning.

use crate::core::fault::Fault;
use crate::core::ffi;
use crate::core::object::owned::Owned;
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};

/// The collector's head of an object, which lies before it, and the head of a generation's list.
///
/// CPython 3.13.5 declares it with an alignment of 4, which GCC takes for less than a pointer's: its generations lie
/// halfway between two words.
#[repr(C, packed(4))]
struct Link {
    next: *mut Link,
    /// In an object's head the two lowest bits are flags, which are clear in a new one.
    previous: *mut Link,
}

/// A generation, as far as it is used here.
#[repr(C)]
struct Generation {
    list: Link,
    threshold: i32,
    count: i32,
}

/// The youngest generation; the next one follows it. Null if the verification failed.
static YOUNGEST: AtomicPtr<Generation> = AtomicPtr::new(ptr::null_mut());

/// A decode is large if it makes more than 1/16 of the threshold of a collection. Decodes of one list with eight
/// records gain nothing.
const LARGE: i32 = 16;

/// Whether the collector of the interpreter that runs has three generations. 3.13's first release candidates and 3.14.0
/// to 3.14.4 collect by increments, and an extension that is compiled for 3.14 meets both kinds.
fn generational() -> bool {
    // SAFETY: a constant of the interpreter's.
    match unsafe { ffi::Py_Version } {
        0x030B_0000..0x030D_0000 => true,
        0x030D_00F0..0x030E_0000 => true,
        version => version >= 0x030E_0500,
    }
}

/// Finds and verifies the generations. If one is not as expected, nothing is moved later.
///
/// # Safety
/// As `text::prepare`.
pub unsafe fn prepare() -> Result<(), Fault> {
    if !cfg!(known_layouts) || !generational() {
        return Ok(());
    }
    // SAFETY: a new list is the last of the youngest generation, so the link after it is that list's head; three
    // generations lie one after the other, whose thresholds and counts are compared with what the collector says.
    unsafe {
        let module = Owned::steal(ffi::PyImport_ImportModule(c"gc".as_ptr()))?;
        let say = |name: &std::ffi::CStr| -> Result<[i64; 3], Fault> {
            let method = Owned::steal(ffi::PyObject_GetAttrString(module.as_ptr(), name.as_ptr()))?;
            let numbers = Owned::steal(ffi::PyObject_CallNoArgs(method.as_ptr()))?;
            let mut found = [0; 3];
            for (at, number) in found.iter_mut().enumerate() {
                let item = Owned::borrow(ffi::PyTuple_GetItem(numbers.as_ptr(), at as isize));
                *number = ffi::PyLong_AsLongLong(item.as_ptr());
            }
            Ok(found)
        };
        let (thresholds, counts) = (say(c"get_threshold")?, say(c"get_count")?);
        let newest = Owned::steal(ffi::PyList_New(0))?;
        let link = newest.as_ptr().cast::<Link>().sub(1);
        let youngest = (*link).next.cast::<Generation>();
        // A null link, or one with flags in its lowest bits, would mean another representation of lists.
        if youngest.is_null() || !youngest.is_aligned() {
            return Ok(());
        }
        let next = youngest.add(1);
        let right = ptr::eq((*youngest).list.previous, link)
            && i64::from((*youngest).threshold) == thresholds[0]
            && i64::from((*next).threshold) == thresholds[1]
            && i64::from((*next).count) == counts[1]
            && i64::from((*next.add(1)).threshold) == thresholds[2]
            && i64::from((*next.add(1)).count) == counts[2]
            && whole(&raw const (*next).list)
            && whole(&raw const (*next.add(1)).list);
        if right {
            YOUNGEST.store(youngest, Ordering::Relaxed);
        }
    }
    Ok(())
}

/// Whether this is the head of a list: its neighbours are linked with it.
///
/// # Safety
/// What its links point to, if they are aligned and not null, has to be readable.
unsafe fn whole(head: *const Link) -> bool {
    // SAFETY: by this function's contract.
    unsafe {
        let (next, previous) = ((*head).next, (*head).previous);
        let readable = |link: *mut Link| !link.is_null() && link.is_aligned();
        readable(next)
            && readable(previous)
            && (*next).previous.addr() & !3 == head.addr()
            && ptr::eq((*previous).next, head)
    }
}

/// The youngest generation when a decode begins.
pub struct Checkpoint {
    /// Its last object.
    last: *mut Link,
    /// New containers since the last collection.
    count: i32,
}

impl Checkpoint {
    /// # Safety
    /// The GIL must be held.
    #[inline(always)]
    pub unsafe fn new() -> Checkpoint {
        let youngest = YOUNGEST.load(Ordering::Relaxed);
        if youngest.is_null() {
            return Checkpoint { last: ptr::null_mut(), count: 0 };
        }
        // SAFETY: the generation was found by `prepare` and lives as long as the interpreter.
        unsafe { Checkpoint { last: (*youngest).list.previous, count: (*youngest).count } }
    }

    /// Moves all containers since the checkpoint to the next generation, if the decode was large or a collection is
    /// due. Moves nothing if the youngest generation is not collected.
    ///
    /// # Safety
    /// The GIL must have been held since the checkpoint was made, without any Python code run meanwhile: what is moved has to be
    /// this decode's, and what was last at the checkpoint has to be there still.
    #[inline(always)]
    pub unsafe fn promote(self) {
        if self.last.is_null() {
            return;
        }
        let youngest = YOUNGEST.load(Ordering::Relaxed);
        // SAFETY: both lists are circular with their heads in them; a run is cut out of one and put at the other's end. A
        // collection under way (whose finalizers may decode) has both lists whole whenever it runs code.
        unsafe {
            let (threshold, count) = ((*youngest).threshold, (*youngest).count);
            let large = count.wrapping_sub(self.count) > threshold / LARGE;
            if threshold <= 0 || !(large || count > threshold) {
                return;
            }
            let (head, next) = (&raw mut (*youngest).list, &raw mut (*youngest.add(1)).list);
            let (first, last) = ((*self.last).next, (*head).previous);
            if ptr::eq(first, head) {
                return;
            }
            (*self.last).next = head;
            (*head).previous = self.last;
            let end = (*next).previous;
            (*end).next = first;
            (*first).previous = end;
            (*last).next = next;
            (*next).previous = last;
        }
    }
}
