//! Measures a bare ring, or the bare unix socket beside it, against `io.samewire.bridge.ring.EchoMain` in a JVM.
//!
//! usage: ring_ping SOCKET (unix | block | adaptive | MICROS) CAPACITY REQUEST:REPLY EXCHANGES
//!
//! Prints the median and the lowest mean of twenty batches, in microseconds an exchange, and the CPU time of this side.

use std::error::Error as AnyError;
use std::io::{ErrorKind, Read, Write};
use std::os::fd::AsRawFd;
use std::os::unix::net::UnixStream;
use std::time::Instant;

use samewire_bridge::ring::Waiting;

#[allow(dead_code, unused_imports)]
#[path = "../src/bridge/transport/ring/mod.rs"]
mod ring;
use ring::{RingTransport, Side};

const BATCHES: usize = 20;

type Result<T> = std::result::Result<T, Box<dyn AnyError>>;

enum Stream {
    Socket(UnixStream),
    Ring(RingTransport),
}

/// What a channel does around the ring when there is nothing to read or no room.
fn wait(ring: &mut RingTransport, side: Side) -> Result<()> {
    let nanos = ring.patience();
    if nanos > 0 {
        let rewarded = ring.spin(side, nanos);
        ring.spun(rewarded);
        if rewarded {
            return Ok(());
        }
    }
    loop {
        match ring.block(side) {
            Ok(true) => return Ok(()),
            Ok(false) => {}
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error.into()),
        }
    }
}

impl Stream {
    fn write_all(&mut self, mut bytes: &[u8]) -> Result<()> {
        let ring = match self {
            Stream::Socket(socket) => return Ok(socket.write_all(bytes)?),
            Stream::Ring(ring) => ring,
        };
        while !bytes.is_empty() {
            let count = ring.try_write(bytes)?;
            if count == 0 {
                wait(ring, Side::Write)?;
            }
            bytes = &bytes[count..];
        }
        Ok(())
    }

    fn read_exact(&mut self, bytes: &mut [u8]) -> Result<()> {
        let ring = match self {
            Stream::Socket(socket) => return Ok(socket.read_exact(bytes)?),
            Stream::Ring(ring) => ring,
        };
        let mut have = 0;
        while have < bytes.len() {
            let count = ring.try_read(&mut bytes[have..])?;
            if count == 0 {
                wait(ring, Side::Read)?;
            }
            have += count;
        }
        Ok(())
    }
}

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [path, policy, capacity, sizes, exchanges] = &arguments[..] else {
        return Err(
            "usage: ring_ping SOCKET (unix | block | adaptive | MICROS) CAPACITY REQUEST:REPLY EXCHANGES".into()
        );
    };
    let waiting = match policy.as_str() {
        "unix" | "block" => Waiting::Block,
        "adaptive" => Waiting::Adaptive,
        micros => Waiting::Spin { micros: micros.parse()? },
    };
    let (request, reply) = sizes.split_once(':').ok_or("sizes are REQUEST:REPLY")?;
    let (request, reply): (usize, usize) = (request.parse()?, reply.parse()?);
    let batch = exchanges.parse::<usize>()?.div_ceil(BATCHES);

    let mut socket = UnixStream::connect(path)?;
    let (mut ring, offer) = RingTransport::make(capacity.parse()?, 77, waiting)?;
    if policy == "unix" {
        socket.write_all(b"- 0 0\n")?;
    } else {
        writeln!(socket, "{} {} {}", offer.path, offer.capacity, offer.generation)?;
    }
    socket.read_exact(&mut [0])?;
    ring.attach(socket.as_raw_fd());
    let bell = socket.try_clone()?;
    let mut stream = if policy == "unix" { Stream::Socket(socket) } else { Stream::Ring(ring) };

    let mut message = Vec::with_capacity(8 + request);
    message.extend(u32::try_from(request)?.to_le_bytes());
    message.extend(u32::try_from(reply)?.to_le_bytes());
    message.resize(8 + request, 1);
    let mut into = vec![0; reply];
    let mut means = Vec::new();
    for _ in 0..BATCHES {
        let start = Instant::now();
        for _ in 0..batch {
            stream.write_all(&message)?;
            stream.read_exact(&mut into)?;
        }
        means.push(start.elapsed().as_secs_f64() * 1e6 / batch as f64);
    }
    means.sort_by(f64::total_cmp);
    println!(
        "{policy} {sizes}: {:.3} us an exchange, low {:.3}, CPU {:.2} s",
        means[BATCHES / 2],
        means[0],
        cpu_seconds()
    );
    drop(bell);
    Ok(())
}

fn cpu_seconds() -> f64 {
    // SAFETY: the system fills a structure that is all numbers.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_SELF, &mut usage);
        usage
    };
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
    seconds(usage.ru_utime) + seconds(usage.ru_stime)
}
