//! redis-rs on one workload: `WORKLOAD PORT-OR-PATH COUNT` prints what COUNT operations took, as one JSON object.

use redis::{Commands, Connection, RedisResult};
use std::fs;
use std::time::{Duration, Instant};

const SMALL: usize = 10_000;
const CALLERS: usize = 1_000;

/// CPU time of the process, all threads.
fn cpu() -> Duration {
    let text = fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let nanoseconds = text.split(' ').next().and_then(|first| first.parse().ok()).unwrap_or(0);
    Duration::from_nanos(nanoseconds)
}

fn resident(which: &str) -> u64 {
    let text = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find(|line| line.starts_with(which)).unwrap_or_default();
    line.split_whitespace()
        .nth(1)
        .and_then(|kib| kib.parse::<u64>().ok())
        .unwrap_or(0)
        * 1024
}

fn expect(holds: bool) {
    if !holds {
        eprintln!("a reply is not the server's");
        std::process::exit(1);
    }
}

fn pipeline(connection: &mut Connection, count: usize) -> RedisResult<()> {
    let mut pipe = redis::Pipeline::with_capacity(count);
    for _ in 0..count {
        pipe.set("newkey", "abc");
    }
    let replies: Vec<String> = pipe.query(connection)?;
    expect(replies.len() == count && replies[count - 1] == "OK");
    Ok(())
}

fn blocking(workload: &str, url: &str, count: usize) -> RedisResult<(Duration, Duration, u64)> {
    let mut connection = redis::Client::open(url)?.get_connection()?;
    let (before, used, begun) = (resident("VmRSS"), cpu(), Instant::now());
    match workload {
        "pipeline-1M" => pipeline(&mut connection, count)?,
        "pipelines-10k" => {
            for at in (0..count).step_by(SMALL) {
                pipeline(&mut connection, SMALL.min(count - at))?;
            }
        }
        "get" => {
            for _ in 0..count {
                let reply: String = connection.get("key")?;
                expect(reply == "abc");
            }
        }
        "set" => {
            for _ in 0..count {
                let reply: String = connection.set("key", "abc")?;
                expect(reply == "OK");
            }
        }
        _ => {
            let items: usize = workload.trim_start_matches("lrange-").parse().expect("a workload");
            let key = format!("list-{items}");
            for _ in 0..count {
                let reply: Vec<String> = connection.lrange(&key, 0, -1)?;
                expect(reply.len() == items && reply[items - 1] == "xyz");
            }
        }
    }
    let wall = begun.elapsed();
    Ok((cpu() - used, wall, resident("VmHWM").saturating_sub(before)))
}

/// A thousand callers on one connection, on one thread.
fn callers(url: &str, count: usize) -> RedisResult<(Duration, Duration, u64)> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    runtime.block_on(async {
        let connection = redis::Client::open(url)?.get_multiplexed_async_connection().await?;
        let (used, begun) = (cpu(), Instant::now());
        let all = (0..CALLERS).map(|_| {
            let mut connection = connection.clone();
            async move {
                for _ in 0..count / CALLERS {
                    let reply: String = redis::AsyncCommands::get(&mut connection, "key").await?;
                    expect(reply == "abc");
                }
                RedisResult::Ok(())
            }
        });
        futures::future::try_join_all(all).await?;
        let wall = begun.elapsed();
        Ok((cpu() - used, wall, 0))
    })
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [workload, place, count] = &words[..] else {
        eprintln!("usage: samewire-bench-redis-rs WORKLOAD PORT-OR-PATH COUNT");
        std::process::exit(2);
    };
    let count: usize = count.parse().expect("a number");
    let url = match place.starts_with('/') {
        true => format!("unix://{place}"),
        false => format!("redis://127.0.0.1:{place}/"),
    };
    let measured = match workload.trim_start_matches("unix-") {
        "callers-1000" => callers(&url, count),
        workload => blocking(workload, &url, count),
    };
    match measured {
        Ok((cpu, wall, growth)) => {
            println!(
                "{{\"cpu\": {}, \"wall\": {}, \"growth\": {growth}}}",
                cpu.as_nanos(),
                wall.as_nanos()
            );
        }
        Err(error) => {
            eprintln!("{error}");
            std::process::exit(1);
        }
    }
}
