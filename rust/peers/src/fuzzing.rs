//! What the fuzzers share: arguments, the loop, and an end to inputs that have none.

use crate::random::Random;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// An input that takes longer is taken for a hang.
const HANG: Duration = Duration::from_secs(20);
/// Findings after which there is no point in going on.
const ENOUGH: usize = 20;

/// Makes inputs and checks the results.
pub trait Fuzzer {
    /// One input. It shows itself so that it can be tried again.
    type Input: Display;

    /// Makes an input.
    fn next(&mut self, random: &mut Random) -> Self::Input;

    /// Checks all that must hold.
    ///
    /// # Errors
    /// What does not. A panic does not either.
    fn probe(&mut self, input: &Self::Input, random: &mut Random) -> Result<(), String>;

    /// How many inputs of each kind came to what.
    fn tallies(&self) -> BTreeMap<&'static str, u64>;
}

/// Runs a fuzzer as `--seconds N --seed S` say, and reports under this name. The run of a seed is always the same, only
/// its end depends on the clock.
pub fn run(name: &str, mut fuzzer: impl Fuzzer) -> ExitCode {
    let (seconds, seed) = match arguments() {
        Ok(arguments) => arguments,
        Err(problem) => {
            eprintln!("fuzz {name}: {problem}\narguments: --seconds N --seed S");
            return ExitCode::FAILURE;
        }
    };
    let watch = Watch::start();
    std::panic::set_hook(Box::new(|_| {}));
    let start = Instant::now();
    let mut random = Random::new(seed);
    let (mut inputs, mut findings) = (0u64, 0);
    while start.elapsed() < Duration::from_secs_f64(seconds) && findings < ENOUGH {
        let input = fuzzer.next(&mut random);
        watch.note(&input.to_string());
        if let Err(what) = probed(&mut fuzzer, &input, &mut random) {
            eprintln!("{what}\n    {input}\n");
            findings += 1;
        }
        inputs += 1;
    }
    let what: Vec<String> = fuzzer.tallies().iter().map(|(name, count)| format!("{count} {name}")).collect();
    let seconds = start.elapsed().as_secs_f64();
    println!("fuzz {name}: {inputs} inputs in {seconds:.1} s, {}, {findings} findings", what.join(", "));
    if findings == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

fn probed<F: Fuzzer>(fuzzer: &mut F, input: &F::Input, random: &mut Random) -> Result<(), String> {
    catch_unwind(AssertUnwindSafe(|| fuzzer.probe(input, random))).unwrap_or_else(|payload| {
        let text = payload.downcast_ref::<String>().map(String::as_str);
        Err(format!("panic: {}", text.or(payload.downcast_ref::<&str>().copied()).unwrap_or("?")))
    })
}

fn arguments() -> Result<(f64, u64), String> {
    let (mut seconds, mut seed) = (30.0, 1);
    let mut arguments = std::env::args().skip(1);
    while let Some(name) = arguments.next() {
        let value = arguments.next().ok_or_else(|| format!("{name} takes a number"))?;
        let wrong = || format!("{value:?} is not a number that {name} takes");
        match name.as_str() {
            "--seconds" => {
                seconds = value.parse().ok().filter(|seconds| (0.0..1e9).contains(seconds)).ok_or_else(wrong)?
            }
            "--seed" => seed = value.parse().map_err(|_| wrong())?,
            _ => return Err(format!("{name} is unknown")),
        }
    }
    Ok((seconds, seed))
}

/// Ends the process when one input takes too long, and says which.
struct Watch {
    count: Arc<AtomicU64>,
    current: Arc<Mutex<String>>,
}

impl Watch {
    fn start() -> Self {
        let watch = Watch { count: Arc::default(), current: Arc::default() };
        let (count, current) = (Arc::clone(&watch.count), Arc::clone(&watch.current));
        std::thread::spawn(move || loop {
            let before = count.load(Ordering::Relaxed);
            std::thread::sleep(HANG);
            if before != 0 && before == count.load(Ordering::Relaxed) {
                let input = current.lock().map(|input| input.clone()).unwrap_or_default();
                eprintln!("no end after {} s: {input}", HANG.as_secs());
                std::process::exit(1);
            }
        });
        watch
    }

    fn note(&self, input: &str) {
        if let Ok(mut current) = self.current.lock() {
            current.clear();
            current.push_str(input);
        }
        self.count.fetch_add(1, Ordering::Relaxed);
    }
}
