//! The command line that every runner of the lab takes: `PEER WORKLOAD --warm S --samples N --sample S [--data FILE --schema FILE]`.

use std::path::PathBuf;
use std::time::Duration;

/// How long to measure: `samples` samples of `sample` each after the warm-up; none at all for what is paid once.
#[derive(Clone, Copy)]
pub struct Plan {
    pub warm: Duration,
    pub samples: usize,
    pub sample: Duration,
}

/// One command.
pub struct Arguments {
    pub peer: String,
    pub workload: String,
    pub plan: Plan,
    pub data: Option<PathBuf>,
}

/// Of this process; none for `list`.
pub fn parse() -> Option<Arguments> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [peer, workload, flags @ ..] = &words[..] else {
        return None;
    };
    let flag = |name: &str| {
        flags
            .iter()
            .position(|word| word == name)
            .map(|at| flags[at + 1].as_str())
    };
    let number = |name: &str, otherwise: f64| flag(name).map_or(otherwise, |text| text.parse().expect("a number"));
    let plan = Plan {
        warm: Duration::from_secs_f64(number("--warm", 0.2)),
        samples: number("--samples", 5.0) as usize,
        sample: Duration::from_secs_f64(number("--sample", 0.05)),
    };
    Some(Arguments {
        peer: peer.clone(),
        workload: workload.clone(),
        plan,
        data: flag("--data").map(PathBuf::from),
    })
}
