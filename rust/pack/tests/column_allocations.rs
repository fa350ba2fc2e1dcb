//! What is allocated for the lists and maps of a column. The only test here: the counter is the process's.

use samewire_pack::{Codec, Map, Pack, Scratch};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);

struct Counting;

// SAFETY: it is the system's allocator, with a count beside.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the layout is the caller's, whose size is not 0.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        // SAFETY: `place` is of `alloc`, and so of the system's allocator, with that layout.
        unsafe { System.dealloc(place, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

#[derive(Pack, PartialEq, Debug)]
struct Row<'a> {
    tags: Map<&'a str, &'a str>,
    labels: Vec<&'a str>,
}

fn rows(count: usize) -> Vec<Row<'static>> {
    let tags = || Map::try_from(vec![("host", "a"), ("zone", "b")]).expect("distinct keys");
    (0..count).map(|_| Row { tags: tags(), labels: vec!["x", "y", "z"] }).collect()
}

/// The allocations of decoding so many rows.
fn decoding(count: usize) -> usize {
    let codec = Codec::<Vec<Row<'_>>>::new();
    let (value, mut scratch) = (rows(count), Scratch::new());
    let data = codec.encode(&value).expect("a message");
    let before = ALLOCATIONS.load(Ordering::Relaxed);
    let back = codec.decode_borrowed(&data, &mut scratch).expect("the same rows");
    let made = ALLOCATIONS.load(Ordering::Relaxed) - before;
    assert!(back == value);
    made
}

#[test]
fn lists_and_maps_of_columns_take_one_allocation_each() {
    let (few, many) = (decoding(500), decoding(1500));
    // What is made once, for a column or for the first message, is a few more or less.
    assert!((1900..2100).contains(&(many - few)), "{few} {many}");
}
