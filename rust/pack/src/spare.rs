//! One piece of working memory kept between calls, for whoever comes first.

use core::cell::UnsafeCell;
use core::sync::atomic::{AtomicBool, Ordering};

/// Working memory that a call may use if no other call is using it. A second call at the same time makes its own.
pub(crate) struct Spare<T> {
    busy: AtomicBool,
    kept: UnsafeCell<Option<T>>,
}

// SAFETY: `kept` is only touched by the one call that turned `busy` from false to true, so sharing the spare hands the
// value from thread to thread but never to two at once; that needs `T: Send`, as a mutex would.
unsafe impl<T: Send> Sync for Spare<T> {}

/// Ends the use, on unwinding too.
struct Use<'s>(&'s AtomicBool);

impl Drop for Use<'_> {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}

impl<T> Spare<T> {
    pub(crate) const fn new() -> Self {
        Spare { busy: AtomicBool::new(false), kept: UnsafeCell::new(None) }
    }

    /// Calls `work` with the memory kept, or new memory. It is kept afterwards only if `keep` says so.
    #[inline]
    pub(crate) fn with<R>(
        &self,
        make: impl FnOnce() -> T,
        keep: impl FnOnce(&T) -> bool,
        work: impl FnOnce(&mut T) -> R,
    ) -> R {
        if self.busy.swap(true, Ordering::Acquire) {
            return work(&mut make());
        }
        let _use = Use(&self.busy);
        // SAFETY: `busy` was false and is now true: until `_use` is dropped no other call gets here, and the reference
        // does not outlive it, since it is declared after it.
        let kept = unsafe { &mut *self.kept.get() };
        let memory = kept.get_or_insert_with(make);
        let result = work(memory);
        if !keep(memory) {
            *kept = None;
        }
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nested_uses_do_not_share() {
        let spare = Spare::new();
        let keep = |_: &i32| true;
        spare.with(
            || 1,
            keep,
            |outer| {
                *outer = 5;
                spare.with(|| 2, keep, |inner| assert_eq!(*inner, 2));
            },
        );
        spare.with(|| 3, |_| false, |kept| assert_eq!(*kept, 5));
        spare.with(|| 4, keep, |kept| assert_eq!(*kept, 4));
    }
}
