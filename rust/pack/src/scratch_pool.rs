//! Scratch memory kept between calls.

use core::cell::UnsafeCell;
use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Two places for scratch memory. A call whose place is in use makes its own memory.
///
/// The first thread that uses the pool owns one place and pays two plain stores for it; all others share the second, behind
/// an atomic exchange, which shows in the time of a small message. Without `std` there are no thread numbers, and all share.
pub(crate) struct ScratchPool<T> {
    /// The number of the thread that came first, 0 before it.
    first: AtomicUsize,
    own: Place<T>,
    shared: Place<T>,
}

struct Place<T> {
    busy: AtomicBool,
    kept: UnsafeCell<Option<T>>,
}

// SAFETY: `own.kept` is only touched by the thread whose number `first` holds, which no other thread ever gets, and
// `shared.kept` by the one call that turned `busy` from false to true; so sharing the pool hands the value from thread
// to thread but never to two at once. That needs `T: Send`, as a mutex would.
unsafe impl<T: Send> Sync for ScratchPool<T> {}

/// Memory over this size is not kept.
const KEEP: usize = 8 << 20;

/// Memory that may be kept.
pub(crate) trait Memory {
    /// Returns the bytes allocated.
    fn footprint(&self) -> usize;
}

/// Scratch memory in use until the guard drops.
///
/// A guard and not a call with a closure: the caller's result is then written once, in its place. Passing it through a closure
/// takes a fifth of a small message's time.
pub(crate) struct ScratchGuard<'s, T: Memory> {
    kept: &'s mut Option<T>,
    /// The flag of the place in use; none if the memory is made for this use.
    busy: Option<&'s AtomicBool>,
}

impl<T: Memory> ScratchGuard<'_, T> {
    /// Returns the memory, made by `make` if there is none.
    #[inline(always)]
    pub(crate) fn memory(&mut self, make: impl FnOnce() -> T) -> &mut T {
        self.kept.get_or_insert_with(make)
    }
}

impl<T: Memory> Drop for ScratchGuard<'_, T> {
    #[inline]
    fn drop(&mut self) {
        if self.kept.as_ref().is_some_and(|memory| memory.footprint() > KEEP) {
            *self.kept = None;
        }
        if let Some(busy) = self.busy {
            busy.store(false, Ordering::Release);
        }
    }
}

impl<T: Memory> ScratchPool<T> {
    pub(crate) const fn new() -> Self {
        ScratchPool { first: AtomicUsize::new(0), own: Place::new(), shared: Place::new() }
    }

    /// Returns a guard of the memory kept, or of `fresh` if that is in use.
    #[inline]
    pub(crate) fn acquire<'s>(&'s self, fresh: &'s mut Option<T>) -> ScratchGuard<'s, T> {
        let (place, busy) = if self.is_first() {
            // No other thread stores to this one's flag: what was loaded holds until the store.
            let busy = self.own.busy.load(Ordering::Relaxed);
            self.own.busy.store(true, Ordering::Relaxed);
            (&self.own, busy)
        } else {
            (&self.shared, self.shared.busy.swap(true, Ordering::Acquire))
        };
        if busy {
            return ScratchGuard { kept: fresh, busy: None };
        }
        // SAFETY: the flag was false and is now true: until the guard sets it back when it drops, no other
        // call gets here for this place, whose `own` only this thread enters.
        let kept = unsafe { &mut *place.kept.get() };
        ScratchGuard { kept, busy: Some(&place.busy) }
    }

    #[inline]
    fn is_first(&self) -> bool {
        let number = thread::number();
        let first = self.first.load(Ordering::Relaxed);
        number != 0 && (first == number || first == 0 && self.become_first(number))
    }

    #[cold]
    fn become_first(&self, number: usize) -> bool {
        self.first.compare_exchange(0, number, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }
}

impl<T> Place<T> {
    const fn new() -> Self {
        Place { busy: AtomicBool::new(false), kept: UnsafeCell::new(None) }
    }
}

/// Numbers of threads, each given once.
#[cfg(feature = "std")]
mod thread {
    use core::cell::Cell;
    use core::sync::atomic::{AtomicUsize, Ordering};

    static NEXT: AtomicUsize = AtomicUsize::new(1);

    std::thread_local! {
        static NUMBER: Cell<usize> = const { Cell::new(0) };
    }

    /// This thread's number; 0 if there are no numbers left.
    #[inline]
    pub(super) fn number() -> usize {
        NUMBER.with(|number| if number.get() == 0 { take(number) } else { number.get() })
    }

    #[cold]
    fn take(number: &Cell<usize>) -> usize {
        let taken = NEXT.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |next| next.checked_add(1));
        number.set(taken.unwrap_or(0));
        number.get()
    }
}

/// No thread has a number.
#[cfg(not(feature = "std"))]
mod thread {
    pub(super) const fn number() -> usize {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Memory for usize {
        fn footprint(&self) -> usize {
            *self
        }
    }

    /// Uses the memory, which is made as `make`.
    fn with<R>(pool: &ScratchPool<usize>, make: usize, work: impl FnOnce(&mut usize) -> R) -> R {
        let mut fresh = None;
        let mut guard = pool.acquire(&mut fresh);
        work(guard.memory(|| make))
    }

    #[test]
    fn nested_uses_do_not_share() {
        let pool = ScratchPool::new();
        with(&pool, 1, |outer| {
            *outer = 5;
            with(&pool, 2, |inner| assert_eq!(*inner, 2));
            with(&pool, 6, |inner| assert_eq!(*inner, 6));
        });
        with(&pool, 3, |kept| assert_eq!(*kept, 5));
    }

    #[test]
    fn drops_memory_that_has_grown_large() {
        let pool = ScratchPool::new();
        with(&pool, 1, |kept| *kept = KEEP);
        with(&pool, 2, |kept| {
            assert_eq!(*kept, KEEP);
            *kept += 1;
        });
        with(&pool, 3, |kept| assert_eq!(*kept, 3));
    }

    #[cfg(feature = "std")]
    #[test]
    fn a_panic_releases_the_memory() {
        let pool = ScratchPool::new();
        let panics = || with(&pool, 1, |_| panic!("on purpose"));
        assert!(std::panic::catch_unwind(core::panic::AssertUnwindSafe(panics)).is_err());
        with(&pool, 2, |kept| assert_eq!(*kept, 1));
    }

    #[cfg(feature = "std")]
    #[test]
    fn first_thread_owns_a_place_and_others_share() {
        let pool = ScratchPool::new();
        with(&pool, 1, |_| ());
        for come in [2, 3] {
            std::thread::scope(|scope| {
                scope.spawn(|| with(&pool, come, |kept| assert_eq!(*kept, 2)));
            });
        }
        with(&pool, 4, |kept| assert_eq!(*kept, 1));
    }

    #[cfg(feature = "std")]
    #[test]
    fn concurrent_threads_never_get_the_same_memory() {
        let pool = ScratchPool::new();
        let count = || {
            for _ in 0..if cfg!(miri) { 20 } else { 2000 } {
                with(&pool, 0, |value| {
                    *value += 1;
                    let mine = *value;
                    std::thread::yield_now();
                    assert_eq!(*value, mine);
                });
            }
        };
        std::thread::scope(|scope| (0..4).for_each(|_| drop(scope.spawn(count))));
    }
}
