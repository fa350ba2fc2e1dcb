//! Cost of one operation in nanoseconds, after a warm-up that ends when the figures hold still.

use std::hint::black_box;
use std::time::Instant;

/// The longest warm-up in seconds, then `samples` samples of `sample` seconds each.
#[derive(Clone, Copy)]
pub struct Plan {
    pub warm: f64,
    pub samples: usize,
    pub sample: f64,
}

/// One entry a sample.
#[derive(Default)]
pub struct Cost {
    pub cpu: Vec<f64>,
    pub wall: Vec<f64>,
}

/// CPU time of this thread in nanoseconds.
fn cpu() -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is a valid, writable timespec for the whole call.
    let status = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    assert_eq!(status, 0, "this system has no CPU clock for threads");
    time.tv_sec as f64 * 1e9 + time.tv_nsec as f64
}

/// Runs the operation again and again.
pub fn repeated<R>(mut operation: impl FnMut() -> R, plan: Plan) -> Cost {
    let mut window = |count: u64| {
        let (wall, used) = (Instant::now(), cpu());
        for _ in 0..count {
            black_box(operation());
        }
        (
            (cpu() - used) / count as f64,
            wall.elapsed().as_nanos() as f64 / count as f64,
        )
    };
    let target = plan.sample * 1e9;
    let (mut count, mut spent, mut last) = (1u64, 0.0, 0.0);
    loop {
        let (cpu, wall) = window(count);
        let whole = wall * count as f64;
        spent += whole;
        if whole < target / 2.0 {
            count = (count + 1).max((count as f64 * (target / whole.max(1.0)).min(10.0)) as u64);
        } else if spent > plan.warm * 1e9 || (cpu - last).abs() < 0.03 * cpu {
            break;
        }
        last = cpu;
    }
    let mut cost = Cost::default();
    for _ in 0..plan.samples {
        let (cpu, wall) = window(count);
        cost.cpu.push(cpu);
        cost.wall.push(wall);
    }
    cost
}
