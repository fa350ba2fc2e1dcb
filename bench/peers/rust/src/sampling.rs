//! Runs an operation under criterion, which warms it up and decides how many runs make a sample. Its measurement is ours: CPU time of this
//! thread, with wall time noted beside.

use crate::arguments::Plan;
use criterion::measurement::{Measurement, ValueFormatter};
use criterion::{Criterion, SamplingMode, Throughput};
use std::cell::RefCell;
use std::fs;
use std::hint::black_box;
use std::os::fd::AsRawFd;
use std::path::PathBuf;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// As the lab shows it.
pub const PACKAGE: &str = "criterion";
/// Criterion takes no fewer samples.
const FEWEST: usize = 10;
/// Its own estimates are not used: the lab compares processes. No fewer resamples without a warning.
const RESAMPLES: usize = 1_001;

/// One entry a sample, nanoseconds of one run.
#[derive(Default)]
pub struct Cost {
    pub cpu: Vec<f64>,
    pub wall: Vec<f64>,
}

struct CpuTime {
    walls: Rc<RefCell<Vec<f64>>>,
}

/// CPU time of this thread in nanoseconds.
pub fn cpu() -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is a valid, writable timespec for the whole call.
    let status = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    assert_eq!(status, 0, "this system has no CPU clock for threads");
    time.tv_sec as f64 * 1e9 + time.tv_nsec as f64
}

impl Measurement for CpuTime {
    type Intermediate = (Instant, f64);
    type Value = (f64, f64);

    fn start(&self) -> Self::Intermediate {
        (Instant::now(), cpu())
    }

    fn end(&self, (wall, used): Self::Intermediate) -> Self::Value {
        (cpu() - used, wall.elapsed().as_nanos() as f64)
    }

    fn add(&self, one: &Self::Value, other: &Self::Value) -> Self::Value {
        (one.0 + other.0, one.1 + other.1)
    }

    fn zero(&self) -> Self::Value {
        (0.0, 0.0)
    }

    /// Criterion asks once for every sample, in their order.
    fn to_f64(&self, value: &Self::Value) -> f64 {
        self.walls.borrow_mut().push(value.1);
        value.0
    }

    fn formatter(&self) -> &dyn ValueFormatter {
        &Nanoseconds
    }
}

struct Nanoseconds;

impl ValueFormatter for Nanoseconds {
    fn scale_values(&self, _: f64, _: &mut [f64]) -> &'static str {
        "ns"
    }

    fn scale_throughputs(&self, _: f64, _: &Throughput, _: &mut [f64]) -> &'static str {
        "ns"
    }

    fn scale_for_machines(&self, _: &mut [f64]) -> &'static str {
        "ns"
    }
}

/// Runs `work` with standard output sent away: criterion prints there, and so does the report.
fn silent(work: impl FnOnce()) {
    let away = fs::OpenOptions::new()
        .write(true)
        .open("/dev/null")
        .expect("a null device");
    // SAFETY: descriptor 1 is open for the whole process; the copy is closed below.
    let kept = unsafe { libc::dup(1) };
    // SAFETY: both descriptors are open.
    unsafe { libc::dup2(away.as_raw_fd(), 1) };
    work();
    // SAFETY: `kept` was made above and is not used any more.
    unsafe {
        libc::dup2(kept, 1);
        libc::close(kept);
    }
}

/// The same operation again and again.
pub fn repeated<R>(op: &str, plan: Plan, mut operation: impl FnMut() -> R) -> Cost {
    batches(op, plan, &mut |count| {
        let (wall, used) = (Instant::now(), cpu());
        for _ in 0..count {
            black_box(operation());
        }
        (cpu() - used, wall.elapsed().as_nanos() as f64)
    })
}

/// The loop is made for each operation, so that the call is direct; criterion is compiled once for all.
fn batches(op: &str, plan: Plan, batch: &mut dyn FnMut(u64) -> (f64, f64)) -> Cost {
    let walls = Rc::new(RefCell::new(Vec::new()));
    let folder = std::env::temp_dir().join(format!("samewire-bench-{}-{op}", std::process::id()));
    let samples = plan.samples.max(FEWEST);
    silent(|| {
        let mut criterion = Criterion::default()
            .with_measurement(CpuTime {
                walls: Rc::clone(&walls),
            })
            .without_plots()
            .output_directory(&folder)
            .nresamples(RESAMPLES)
            .sample_size(samples)
            .warm_up_time(plan.warm.max(Duration::from_millis(10)))
            .measurement_time(plan.sample * plan.samples as u32);
        let mut group = criterion.benchmark_group("run");
        group.sampling_mode(SamplingMode::Flat);
        group.bench_function(op, |bencher| bencher.iter_custom(&mut *batch));
        group.finish();
    });
    let cost = read(folder.join("run").join(op).join("new/sample.json"), &walls.borrow());
    fs::remove_dir_all(&folder).expect("a folder of this process");
    cost
}

/// What criterion kept of the samples: how many runs and how long.
fn read(path: PathBuf, walls: &[f64]) -> Cost {
    let text = fs::read(path).expect("criterion's samples");
    let sample: serde_json::Value = serde_json::from_slice(&text).expect("criterion's JSON");
    let figures = |key: &str| -> Vec<f64> {
        let items = sample[key].as_array().expect("criterion's figures");
        items.iter().filter_map(serde_json::Value::as_f64).collect()
    };
    let (counts, times) = (figures("iters"), figures("times"));
    let each = |whole: &[f64]| whole.iter().zip(&counts).map(|(time, count)| time / count).collect();
    Cost {
        cpu: each(&times),
        wall: each(&walls[walls.len() - times.len()..]),
    }
}

/// One run, the very first.
pub fn once<R>(operation: impl FnOnce() -> R) -> Cost {
    let (wall, used) = (Instant::now(), cpu());
    black_box(operation());
    Cost {
        cpu: vec![cpu() - used],
        wall: vec![wall.elapsed().as_nanos() as f64],
    }
}
