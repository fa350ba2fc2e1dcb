//! The fuzzer of `samewire-redis`: `redis-fuzz --seconds N --seed S`.
//!
//! It generates replies of all types, mutates them and the vectors, and shows the streams to scanner, reader and writer.

mod census;
mod generate;
mod mutate;
mod probe;

use samewire_peers::fuzzing;
use samewire_peers::memory::Counting;
use std::process::ExitCode;

#[global_allocator]
static MEMORY: Counting = Counting;

fn main() -> ExitCode {
    fuzzing::run("rust-redis", probe::Prober::new())
}
