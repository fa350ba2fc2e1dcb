//! Rings between two threads, as between two processes: all bytes arrive in order for all sizes, and each side wakes
//! the other.

use std::alloc::{alloc_zeroed, dealloc, Layout};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{channel, Receiver, Sender};
use std::thread;

use samewire_bridge::ring::{layout, Patience, Peer, Ring, Waiting, MOST_SPIN_NANOS, MOST_WAKE_NANOS};
use samewire_core::Code;

const CAPACITY: u32 = layout::MIN_CAPACITY;
/// Miri runs a thousand times slower.
const SCALE: usize = if cfg!(miri) { 1 } else { 200 };

/// Aligned memory of a ring, as a mapping is.
struct Memory {
    start: NonNull<u8>,
    layout: Layout,
}

impl Memory {
    fn new() -> Memory {
        let length = layout::memory_bytes(CAPACITY).unwrap();
        let layout = Layout::from_size_align(length, 4096).unwrap();
        // SAFETY: the layout is not empty.
        let start = NonNull::new(unsafe { alloc_zeroed(layout) }).unwrap();
        // SAFETY: fresh memory of that length.
        unsafe { Ring::prepare(start, length, CAPACITY, 7).unwrap() };
        Memory { start, layout }
    }

    fn open(&self, peer: Peer) -> Ring {
        // SAFETY: the tests drop rings before the memory, and open each side once.
        unsafe { Ring::open(self.start, self.layout.size(), CAPACITY, 7, peer).unwrap() }
    }

    fn word(&self, at: usize) -> &AtomicU64 {
        // SAFETY: one of the header's aligned words.
        unsafe { self.start.add(at).cast().as_ref() }
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: allocated with this layout.
        unsafe { dealloc(self.start.as_ptr(), self.layout) }
    }
}

/// The stream of the tests: it repeats after 251 bytes, which no capacity is a multiple of.
struct Pattern(Vec<u8>);

impl Pattern {
    fn new() -> Pattern {
        Pattern((0..251).cycle().take(CAPACITY as usize + 300).collect())
    }

    fn bytes(&self, at: usize, count: usize) -> &[u8] {
        &self.0[at % 251..][..count]
    }
}

/// Sizes from 1 to a bit more than a ring, the same for each seed.
fn sizes(mut seed: u64, total: usize) -> impl Iterator<Item = usize> {
    let mut left = total;
    std::iter::from_fn(move || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        let most = [9, 100, 4_000, CAPACITY as usize + 5][(seed >> 60) as usize % 4];
        let size = (1 + seed as usize % most).min(left);
        left -= size;
        (size > 0).then_some(size)
    })
}

struct Bell {
    ring: Sender<()>,
    hear: Receiver<()>,
}

fn bells() -> (Bell, Bell) {
    let (one, other) = (channel(), channel());
    (Bell { ring: one.0, hear: other.1 }, Bell { ring: other.0, hear: one.1 })
}

/// Sends a patterned stream and blocks whenever there is no room: if the bell does not ring in time, it hangs.
fn send(ring: &mut Ring, bell: &Bell, pattern: &Pattern, seed: u64, total: usize) {
    let mut at = 0;
    for size in sizes(seed, total) {
        let mut rest = pattern.bytes(at, size);
        while !rest.is_empty() {
            let mut wake = false;
            let count = ring.writer.try_write(rest, &mut wake).unwrap();
            if wake {
                bell.ring.send(()).unwrap();
            }
            rest = &rest[count..];
            if count == 0 && ring.writer.fall_asleep() {
                bell.hear.recv().unwrap();
                ring.writer.wake_up();
            }
        }
        at += size;
    }
}

fn receive(ring: &mut Ring, bell: &Bell, pattern: &Pattern, seed: u64, total: usize) {
    let mut at = 0;
    for size in sizes(seed, total) {
        let mut bytes = vec![0; size];
        let mut have = 0;
        while have < size {
            let mut wake = false;
            let count = ring.reader.try_read(&mut bytes[have..], &mut wake).unwrap();
            if wake {
                bell.ring.send(()).unwrap();
            }
            have += count;
            if count == 0 && ring.reader.fall_asleep() {
                bell.hear.recv().unwrap();
                ring.reader.wake_up();
            }
        }
        assert!(bytes == pattern.bytes(at, size), "bytes after {at} came otherwise");
        at += size;
    }
}

#[test]
fn a_stream_comes_as_it_was_sent() {
    for seed in 1..=if cfg!(miri) { 1 } else { 8 } {
        let memory = Memory::new();
        let total = SCALE * 300_000;
        let (mut client, mut gateway) = (memory.open(Peer::Client), memory.open(Peer::Gateway));
        let (here, there) = bells();
        let pattern = &Pattern::new();
        thread::scope(|scope| {
            scope.spawn(move || send(&mut client, &here, pattern, seed, total));
            scope.spawn(move || receive(&mut gateway, &there, pattern, seed + 99, total));
        });
    }
}

#[test]
fn both_sides_wake_each_other() {
    let memory = Memory::new();
    let (mut client, mut gateway) = (memory.open(Peer::Client), memory.open(Peer::Gateway));
    let (here, there) = bells();
    let pattern = &Pattern::new();
    thread::scope(|scope| {
        scope.spawn(move || {
            for turn in 0..500 * SCALE as u64 {
                send(&mut client, &here, pattern, turn + 1, 8);
                receive(&mut client, &here, pattern, turn + 1, 8);
            }
        });
        scope.spawn(move || {
            for turn in 0..500 * SCALE as u64 {
                receive(&mut gateway, &there, pattern, turn + 1, 8);
                send(&mut gateway, &there, pattern, turn + 1, 8);
            }
        });
    });
}

#[test]
fn a_writer_stops_at_a_full_ring_and_a_reader_at_an_empty_one() {
    let memory = Memory::new();
    let (mut client, mut gateway) = (memory.open(Peer::Client), memory.open(Peer::Gateway));
    let bytes = vec![3; CAPACITY as usize + 1];
    let mut into = vec![0; CAPACITY as usize + 1];
    let mut wake = false;
    assert!(!gateway.reader.ready());
    assert_eq!(gateway.reader.try_read(&mut into, &mut wake), Ok(0));
    assert_eq!(client.writer.try_write(&bytes, &mut wake), Ok(CAPACITY as usize));
    assert!(!client.writer.ready());
    assert_eq!(client.writer.try_write(&bytes, &mut wake), Ok(0));
    assert!(client.writer.fall_asleep());
    assert!(!wake);
    assert_eq!(gateway.reader.try_read(&mut into, &mut wake), Ok(CAPACITY as usize));
    assert!(wake, "a writer that sleeps is woken once half of the ring is free");
    assert!(into[..CAPACITY as usize] == bytes[1..]);
}

#[test]
fn positions_that_lie_are_malformed() {
    let capacity = u64::from(CAPACITY);
    for (written, after) in [(capacity + 1, 0), (u64::MAX, 0), (9, 10), (10 + capacity + 1, 10)] {
        let memory = Memory::new();
        let mut client = memory.open(Peer::Client);
        let (mut wake, mut into) = (false, [0; 64]);
        memory.word(layout::TO_CLIENT + layout::WRITTEN).store(after, Ordering::Relaxed);
        assert_eq!(client.reader.try_read(&mut into, &mut wake), Ok(after as usize));
        memory.word(layout::TO_CLIENT + layout::WRITTEN).store(written, Ordering::Relaxed);
        assert_eq!(client.reader.try_read(&mut into, &mut wake).unwrap_err().code, Code::Malformed);
    }
    for read in [capacity + 1, u64::MAX] {
        let memory = Memory::new();
        let mut client = memory.open(Peer::Client);
        let mut wake = false;
        let bytes = vec![0; CAPACITY as usize];
        assert_eq!(client.writer.try_write(&bytes, &mut wake), Ok(CAPACITY as usize));
        memory.word(layout::TO_GATEWAY + layout::READ).store(read, Ordering::Relaxed);
        assert_eq!(client.writer.try_write(&bytes, &mut wake).unwrap_err().code, Code::Malformed);
    }
}

#[test]
fn a_header_of_another_ring_is_refused() {
    let memory = Memory::new();
    let length = memory.layout.size();
    let open = |length, capacity, generation| {
        // SAFETY: the memory is as long as the longest length that is tried.
        unsafe { Ring::open(memory.start, length, capacity, generation, Peer::Gateway) }.map(drop).map_err(|e| e.code)
    };
    assert_eq!(open(length, CAPACITY, 7), Ok(()));
    assert_eq!(open(length, CAPACITY, 8), Err(Code::Malformed));
    assert_eq!(open(length - 1, CAPACITY, 7), Err(Code::Malformed));
    assert_eq!(open(length, CAPACITY * 2, 7), Err(Code::Malformed));
    assert_eq!(open(length, CAPACITY - 1, 7), Err(Code::Misuse));
    memory.word(layout::TO_CLIENT + layout::WRITTEN).store(1, Ordering::Relaxed);
    assert_eq!(open(length, CAPACITY, 7), Err(Code::Malformed));
    memory.word(0).store(0, Ordering::Relaxed);
    assert_eq!(open(length, CAPACITY, 7), Err(Code::Malformed));
}

#[test]
fn adaptive_waits_block_first_and_spin_while_it_pays() {
    let mut patience = Patience::new(Waiting::Adaptive, 2);
    assert_eq!(patience.nanos(false), 0);
    assert_eq!(patience.nanos(false), 0);
    for _ in 0..1000 {
        assert_eq!(patience.nanos(false), MOST_SPIN_NANOS);
        patience.spun(true);
        assert_eq!(patience.nanos(true), MOST_WAKE_NANOS);
        patience.spun(true);
    }
    let mut vain = 0;
    while patience.nanos(false) > 0 {
        patience.spun(false);
        vain += 1;
    }
    assert_eq!(vain, 4, "a few spins in vain are forgiven to one that was rewarded");
}

#[test]
fn adaptive_waits_probe_ever_less_where_it_never_pays() {
    let mut patience = Patience::new(Waiting::Adaptive, 2);
    let mut spins = 0;
    for _ in 0..100_000 {
        if patience.nanos(false) > 0 {
            patience.spun(false);
            spins += 1;
        }
    }
    assert!(spins < 330, "{spins} of 100000 waits spun");
}

#[test]
fn adaptive_waits_never_spin_on_one_core() {
    let mut patience = Patience::new(Waiting::Adaptive, 1);
    assert!((0..10_000).all(|_| patience.nanos(false) == 0));
}

#[test]
fn fixed_policies_do_what_they_say() {
    assert_eq!(Patience::new(Waiting::Block, 64).nanos(false), 0);
    assert_eq!(Patience::new(Waiting::Spin { micros: 7 }, 1).nanos(false), 7_000);
    assert_eq!(Patience::new(Waiting::Spin { micros: u32::MAX }, 1).nanos(false), 1_000_000_000);
}
