//! A signal at any point of a thread's calls is seen once, by the call that it interrupts.

use samewire_bridge::Signals;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// A step of the thread's: each changes the word once.
#[derive(Clone, Copy, Debug)]
enum Step {
    Enter(u64),
    Leave,
    Pause,
    Resume,
}

/// Calls within calls, one after another.
const STEPS: [Step; 10] = [
    Step::Enter(1),
    Step::Pause,
    Step::Enter(2),
    Step::Leave,
    Step::Enter(3),
    Step::Leave,
    Step::Resume,
    Step::Leave,
    Step::Enter(4),
    Step::Leave,
];

/// Where a signal was seen: by a call as it ended, or outside of calls.
#[derive(Debug, PartialEq, Eq, Clone, Copy)]
enum Seen {
    Outside,
    Call(u64),
}

/// Runs the steps, with a signal before each step whose bit is set in the mask. Returns the call that each signal had
/// to interrupt, and where signals were seen.
fn run(mask: u32) -> (Vec<Option<u64>>, Vec<Seen>) {
    let signals = Signals::new();
    let (mut told, mut seen, mut paused, mut calls) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (at, step) in STEPS.into_iter().enumerate() {
        if mask >> at & 1 == 1 {
            told.push(signals.came());
        }
        let mut enter = |call| {
            while !signals.enter(call) {
                seen.push(Seen::Outside);
            }
        };
        match step {
            Step::Enter(call) => {
                enter(call);
                calls.push(call);
            }
            Step::Pause => paused.push(signals.pause()),
            Step::Resume => enter(paused.pop().unwrap()),
            Step::Leave => {
                let call = calls.pop().unwrap();
                if signals.leave() {
                    seen.push(Seen::Call(call));
                }
            }
        }
    }
    (told, seen)
}

#[test]
fn each_signal_is_seen_by_the_call_that_it_interrupts() {
    for mask in 0..1 << STEPS.len() {
        let (told, seen) = run(mask);
        for call in 1..=4 {
            assert_eq!(told.contains(&Some(call)), seen.contains(&Seen::Call(call)), "call {call}, signals {mask:b}");
        }
        assert_eq!(told.contains(&None), seen.contains(&Seen::Outside), "outside, signals {mask:b}");
    }
}

/// Signals from another thread, at any time: also during a step, where the processor may reorder loads and stores.
#[test]
fn each_signal_of_another_thread_is_seen_by_the_call_that_it_interrupts() {
    const CALLS: u64 = if cfg!(miri) { 500 } else { 2_000_000 };
    let signals = Signals::new();
    // By the number of the call, and for the time outside by 0.
    let told: Vec<AtomicU64> = (0..=CALLS).map(|_| AtomicU64::new(0)).collect();
    let over = AtomicBool::new(false);
    let mut seen = vec![false; CALLS as usize + 1];
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !over.load(Ordering::Relaxed) {
                let call = signals.came().unwrap_or(0);
                told[call as usize].fetch_add(1, Ordering::Relaxed);
                for _ in 0..call % 64 {
                    std::hint::spin_loop();
                }
            }
        });
        for call in 1..=CALLS {
            while !signals.enter(call) {
                seen[0] = true;
            }
            seen[call as usize] = signals.leave();
        }
        over.store(true, Ordering::Relaxed);
    });
    for (call, seen) in seen.into_iter().enumerate().skip(1) {
        assert_eq!(told[call].load(Ordering::Relaxed) > 0, seen, "call {call}");
    }
}
