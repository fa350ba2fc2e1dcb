//! The fuzzer: `fuzz --seconds N --seed S`.
//!
//! It mutates the vectors and feeds them to the decoders of all emitted types, the reader of schema texts, resolution and
//! the frame scanner. The run of a seed is always the same, only its end depends on the clock.

mod bounds;
mod mutate;
mod probe;
mod random;
mod seeds;

use probe::{Finding, Prober};
use random::Random;
use samewire_peers::memory::Counting;
use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

#[global_allocator]
static MEMORY: Counting = Counting;

/// An input that takes longer is taken for a hang.
const HANG: Duration = Duration::from_secs(20);
/// Findings after which there is no point in going on.
const ENOUGH: usize = 20;

fn main() -> ExitCode {
    let (seconds, seed) = match arguments() {
        Ok(arguments) => arguments,
        Err(problem) => {
            eprintln!("fuzz: {problem}\nusage: fuzz --seconds N --seed S");
            return ExitCode::FAILURE;
        }
    };
    let watch = Watch::start();
    std::panic::set_hook(Box::new(|_| {}));
    let start = Instant::now();
    let mut random = Random::new(seed);
    let mut prober = Prober::new();
    let mut findings: Vec<Finding> = Vec::new();
    let mut inputs = 0u64;
    while start.elapsed() < Duration::from_secs(seconds) && findings.len() < ENOUGH {
        let input = prober.next(&mut random);
        watch.note(&input.to_string());
        findings.extend(prober.probe(&input, &mut random).err());
        inputs += 1;
    }
    for finding in &findings {
        eprintln!("{finding}\n");
    }
    let tallies: BTreeMap<&str, u64> = prober.tallies();
    let what: Vec<String> = tallies.iter().map(|(name, count)| format!("{count} {name}")).collect();
    let seconds = start.elapsed().as_secs_f64();
    println!("fuzz rust: {inputs} inputs in {seconds:.1} s, {}, {} findings", what.join(", "), findings.len());
    if findings.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

fn arguments() -> Result<(u64, u64), String> {
    let (mut seconds, mut seed) = (30, 1);
    let mut arguments = std::env::args().skip(1);
    while let Some(name) = arguments.next() {
        let value = arguments.next().ok_or_else(|| format!("{name} takes a number"))?;
        let number = value.parse().map_err(|_| format!("{value:?} is no number"))?;
        match name.as_str() {
            "--seconds" => seconds = number,
            "--seed" => seed = number,
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
