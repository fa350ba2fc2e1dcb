//! CPU time of operations, measured in turns so that a slow moment of the machine meets all of them.

use std::time::{Duration, Instant};

use cpu_time::ThreadTime;

/// One thing to time.
pub struct Operation<'a> {
    run: Box<dyn Fn() + 'a>,
    count: u64,
    /// Nanoseconds of one run, an entry a round.
    pub cpu: Vec<f64>,
}

impl<'a> Operation<'a> {
    /// `run` keeps its result from the optimiser by itself.
    pub fn new(run: impl Fn() + 'a) -> Self {
        Operation { run: Box::new(run), count: 1, cpu: Vec::new() }
    }

    fn warm_up(&mut self, warm: Duration, round: Duration) {
        let begun = Instant::now();
        let mut runs = 0_u32;
        let spent = loop {
            (self.run)();
            runs += 1;
            let spent = begun.elapsed();
            if spent >= warm {
                break spent;
            }
        };
        let each = spent.as_secs_f64() / f64::from(runs);
        self.count = ((round.as_secs_f64() / each) as u64).max(1);
    }

    fn time(&mut self) {
        let begun = ThreadTime::now();
        for _ in 0..self.count {
            (self.run)();
        }
        self.cpu.push(begun.elapsed().as_nanos() as f64 / self.count as f64);
    }
}

/// Fills every operation's times.
pub fn measure(operations: &mut [Operation<'_>], warm: Duration, rounds: usize, round: Duration) {
    for operation in operations.iter_mut() {
        operation.warm_up(warm, round);
    }
    for _ in 0..rounds {
        for operation in operations.iter_mut() {
            operation.time();
        }
    }
}
