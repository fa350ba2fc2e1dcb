//! A ring between two mappings of one memory, with a socket as bell: what a client and a gateway do in two processes. Runs
//! without an interpreter, of which these files know nothing.

#[allow(dead_code)]
#[path = "../src/bridge/transport/ring/mod.rs"]
mod ring;

use std::fs::OpenOptions;
use std::io::ErrorKind;
use std::os::fd::AsRawFd;
use std::os::unix::net::UnixStream;
use std::ptr::NonNull;
use std::thread;
use std::time::{Duration, Instant};

use ring::{Offer, RingTransport, Side};
use samewire_bridge::ring::{layout, Peer, Ring, Waiting};
use samewire_core::Code;

const CAPACITY: u32 = layout::MIN_CAPACITY;

/// The gateway's mapping of what a client offers.
struct Gateway {
    start: NonNull<u8>,
    length: usize,
    ring: Ring,
    bell: UnixStream,
}

// SAFETY: used by one thread at a time.
unsafe impl Send for Gateway {}

impl Gateway {
    fn open(offer: &Offer, bell: UnixStream) -> Gateway {
        let file = OpenOptions::new().read(true).write(true).open(&offer.path).unwrap();
        let length = file.metadata().unwrap().len() as usize;
        // SAFETY: a new mapping, checked below, that lives as long as the gateway.
        let start = unsafe {
            let access = libc::PROT_READ | libc::PROT_WRITE;
            libc::mmap(std::ptr::null_mut(), length, access, libc::MAP_SHARED, file.as_raw_fd(), 0)
        };
        assert_ne!(start, libc::MAP_FAILED);
        let start = NonNull::new(start.cast()).unwrap();
        // SAFETY: mapped for as long as the gateway lives.
        let ring = unsafe { Ring::open(start, length, offer.capacity, offer.generation, Peer::Gateway).unwrap() };
        Gateway { start, length, ring, bell }
    }

    fn wake(&mut self, wake: bool) {
        if wake {
            std::io::Write::write_all(&mut &self.bell, &[1]).unwrap();
        }
    }

    /// Sends back so many bytes as they come.
    fn echo(&mut self, total: usize) {
        let mut bytes = vec![0; 10_000];
        let mut done = 0;
        while done < total {
            let mut wake = false;
            let count = self.ring.reader.try_read(&mut bytes, &mut wake).unwrap();
            self.wake(wake);
            let mut rest = &bytes[..count];
            while !rest.is_empty() {
                let mut wake = false;
                let wrote = self.ring.writer.try_write(rest, &mut wake).unwrap();
                self.wake(wake);
                rest = &rest[wrote..];
                if wrote == 0 {
                    thread::yield_now();
                }
            }
            done += count;
            if count == 0 && self.ring.reader.fall_asleep() {
                std::io::Read::read(&mut &self.bell, &mut [0; 64]).unwrap();
                self.ring.reader.wake_up();
            }
        }
    }
}

impl Drop for Gateway {
    fn drop(&mut self) {
        // SAFETY: this object's own mapping.
        unsafe { libc::munmap(self.start.as_ptr().cast(), self.length) };
    }
}

fn pair(waiting: Waiting) -> (RingTransport, UnixStream, Gateway) {
    let (mut client, offer) = RingTransport::make(CAPACITY, 7, waiting).unwrap();
    let (here, there) = UnixStream::pair().unwrap();
    client.attach(here.as_raw_fd());
    (client, here, Gateway::open(&offer, there))
}

fn wait(client: &mut RingTransport, side: Side) {
    let nanos = client.patience();
    if nanos > 0 {
        let rewarded = client.spin(side, nanos);
        client.spun(rewarded);
        if rewarded {
            return;
        }
    }
    while !client.block(side).unwrap() {}
}

fn write_all(client: &mut RingTransport, mut bytes: &[u8]) {
    while !bytes.is_empty() {
        let count = client.try_write(bytes).unwrap();
        bytes = &bytes[count..];
        if count == 0 {
            wait(client, Side::Write);
        }
    }
}

fn read_all(client: &mut RingTransport, into: &mut [u8]) {
    let mut have = 0;
    while have < into.len() {
        let count = client.try_read(&mut into[have..]).unwrap();
        have += count;
        if count == 0 {
            wait(client, Side::Read);
        }
    }
}

#[test]
fn messages_cross_and_come_back_by_every_policy() {
    for waiting in [Waiting::Block, Waiting::Spin { micros: 5 }, Waiting::Adaptive] {
        let (mut client, _bell, mut gateway) = pair(waiting);
        let turns = 2_000;
        thread::scope(|scope| {
            scope.spawn(move || gateway.echo(turns * 100));
            for turn in 0..turns {
                let message = [turn as u8; 100];
                let mut back = [0; 100];
                write_all(&mut client, &message);
                read_all(&mut client, &mut back);
                assert_eq!(message, back);
            }
        });
    }
}

#[test]
fn a_message_longer_than_the_ring_crosses() {
    let (mut client, _bell, mut gateway) = pair(Waiting::Adaptive);
    let message: Vec<u8> = (0..CAPACITY as usize * 5 + 3).map(|at| (at % 251) as u8).collect();
    let total = message.len();
    thread::scope(|scope| {
        let took = scope.spawn(move || {
            let mut all = vec![0; total];
            let mut have = 0;
            while have < total {
                let mut wake = false;
                have += gateway.ring.reader.try_read(&mut all[have..], &mut wake).unwrap();
                gateway.wake(wake);
            }
            all
        });
        write_all(&mut client, &message);
        assert!(took.join().unwrap() == message);
    });
}

#[test]
fn the_end_of_the_bell_ends_a_wait_at_once_and_what_was_written_is_still_read() {
    let (mut client, _bell, mut gateway) = pair(Waiting::Block);
    thread::scope(|scope| {
        scope.spawn(move || {
            thread::sleep(Duration::from_millis(50));
            gateway.ring.writer.try_write(b"last", &mut false).unwrap();
        });
        let start = Instant::now();
        let mut last = [0; 4];
        read_all(&mut client, &mut last);
        assert_eq!(&last, b"last");
        while !client.block(Side::Read).unwrap() {}
        assert_eq!(client.try_read(&mut last).unwrap_err().code, Code::Closed);
        assert_eq!(client.try_write(b"more").unwrap_err().code, Code::Closed);
        assert!(start.elapsed() < Duration::from_secs(1));
    });
}

#[test]
fn nobody_can_cut_the_memory_off() {
    let (mut client, offer) = RingTransport::make(CAPACITY, 7, Waiting::Block).unwrap();
    let file = OpenOptions::new().write(true).open(&offer.path).unwrap();
    assert_eq!(file.set_len(0).unwrap_err().kind(), ErrorKind::PermissionDenied);
    assert_eq!(file.set_len(1 << 30).unwrap_err().kind(), ErrorKind::PermissionDenied);
    assert_eq!(client.try_read(&mut [0; 8]), Ok(0));
}

#[test]
fn a_ring_that_is_dropped_keeps_what_the_gateway_has_not_read() {
    let (mut client, _bell, mut gateway) = pair(Waiting::Block);
    write_all(&mut client, &[9; 100]);
    drop(client);
    let mut bytes = [1; 100];
    assert_eq!(gateway.ring.reader.try_read(&mut bytes, &mut false), Ok(100));
    assert_eq!(bytes, [9; 100]);
}

#[test]
fn a_ring_that_is_dropped_gives_its_pages_back_but_keeps_its_positions() {
    let (mut client, _bell, mut gateway) = pair(Waiting::Block);
    write_all(&mut client, &[9; 100]);
    let mut bytes = [1; 100];
    assert_eq!(gateway.ring.reader.try_read(&mut bytes, &mut false), Ok(100));
    // SAFETY: the bytes lie in the gateway's mapping, and nobody writes them now.
    let first = |gateway: &Gateway| unsafe { *gateway.start.as_ptr().add(layout::BYTES).cast::<[u8; 100]>() };
    assert_eq!(first(&gateway), [9; 100]);
    drop(client);
    assert_eq!(first(&gateway), [0; 100]);
    assert_eq!(gateway.ring.reader.try_read(&mut bytes, &mut false), Ok(0));
}

#[test]
fn a_signal_interrupts_a_block() {
    extern "C" fn nothing(_: libc::c_int) {}
    // SAFETY: a handler that does nothing, without SA_RESTART.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = nothing as *const () as usize;
        assert_eq!(libc::sigaction(libc::SIGUSR1, &action, std::ptr::null_mut()), 0);
    }
    let (mut client, _bell, _gateway) = pair(Waiting::Block);
    // SAFETY: the thread joins the other before it ends.
    let me = unsafe { libc::pthread_self() };
    thread::scope(|scope| {
        scope.spawn(move || {
            thread::sleep(Duration::from_millis(100));
            // SAFETY: the thread joins the other before it ends.
            unsafe { libc::pthread_kill(me, libc::SIGUSR1) };
        });
        assert_eq!(client.block(Side::Read).unwrap_err().kind(), ErrorKind::Interrupted);
    });
    assert_eq!(client.try_read(&mut [0; 8]), Ok(0));
}

#[test]
fn a_bell_that_nobody_hears_does_not_block_the_writer() {
    let (mut client, _bell, mut gateway) = pair(Waiting::Block);
    for _ in 0..20_000 {
        assert!(gateway.ring.reader.fall_asleep());
        assert_eq!(client.try_write(&[1; 8]), Ok(8));
        assert_eq!(gateway.ring.reader.try_read(&mut [0; 8], &mut false), Ok(8));
    }
}

#[test]
fn a_thousand_channels_leave_nothing_behind() {
    let count = || std::fs::read_dir("/proc/self/fd").unwrap().count();
    let before = count();
    let rings: Vec<_> = (0..300).map(|_| pair(Waiting::Adaptive)).collect();
    assert!(count() >= before + 300);
    drop(rings);
    for _ in 0..700 {
        drop(pair(Waiting::Adaptive));
    }
    // Other tests run meanwhile, each with a few descriptors.
    assert!(count() < before + 60);
}

#[test]
fn a_child_of_a_fork_that_drops_a_ring_leaves_its_bytes_to_the_parent() {
    let (mut client, _bell, mut gateway) = pair(Waiting::Block);
    write_all(&mut client, &[9; 100]);
    // SAFETY: the child frees what is its copy and ends at once.
    unsafe {
        let child = libc::fork();
        if child == 0 {
            drop(client);
            libc::_exit(0);
        }
        let mut status = -1;
        assert_eq!(libc::waitpid(child, &mut status, 0), child);
        assert_eq!(status, 0);
    }
    let mut bytes = [0; 100];
    assert_eq!(gateway.ring.reader.try_read(&mut bytes, &mut false), Ok(100));
    assert_eq!(bytes, [9; 100]);
}
