//! Calls that nest on one channel, as Python and the JVM make them: a double of what the extension does with its channels, without
//! Python, for Miri. What is called finds the channel of its thread by a pointer, in the midst of a call whose frames hold it
//! too: a channel that were borrowed for writing across that would be undefined behaviour.

use samewire_bridge::{frame, message, Input};
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

const MOST: usize = 1 << 20;

/// What the gateway does: it answers each call by calling back until `left` is 0, and returns the sum of what came back.
#[derive(Default)]
struct Gateway {
    /// Frames for the client.
    sends: VecDeque<u8>,
    /// Numbers of calls that wait for what the client returns.
    open: Vec<u8>,
}

impl Gateway {
    fn put(&mut self, what: u8, number: u8) {
        let mut out = Vec::new();
        let start = frame::begin(&mut out);
        out.extend([what, number]);
        frame::end(&mut out, start, MOST).expect("a short message");
        self.sends.extend(out);
    }

    fn take(&mut self, frames: &[u8]) {
        for message in frames.chunks(frame::HEAD + 2) {
            match (message[frame::HEAD], message[frame::HEAD + 1]) {
                (message::CALL, 0) => self.put(message::RETURN, 1),
                (message::CALL, left) => {
                    self.open.push(left);
                    self.put(message::CALL, left - 1);
                }
                (message::RETURN, sum) => {
                    self.open.pop().expect("a call that waits");
                    self.put(message::RETURN, sum + 1);
                }
                other => panic!("{other:?}"),
            }
        }
    }
}

struct Channel {
    busy: Cell<bool>,
    depth: Cell<u32>,
    deepest: Cell<u32>,
    out: Cell<Vec<u8>>,
    input: Cell<Input>,
    transport: RefCell<Gateway>,
    /// Bytes that one read brings.
    at_a_time: usize,
}

thread_local! {
    static CURRENT: Cell<*const Channel> = const { Cell::new(std::ptr::null()) };
}

/// A channel for one call.
struct Lease(*const Channel);

impl Lease {
    fn take() -> Lease {
        let channel = CURRENT.get();
        // SAFETY: `nest` keeps the channel for as long as it is current.
        let free = unsafe { !(*channel).busy.replace(true) };
        assert!(free, "a call in the midst of another's writing or reading");
        Lease(channel)
    }

    fn channel(&self) -> &Channel {
        // SAFETY: as in `take`.
        unsafe { &*self.0 }
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        self.channel().busy.set(false);
    }
}

impl Channel {
    fn send(&self, what: u8, number: u8) {
        let mut out = self.out.take();
        let start = frame::begin(&mut out);
        out.extend([what, number]);
        frame::end(&mut out, start, MOST).expect("a short message");
        self.transport.borrow_mut().take(&out);
        out.clear();
        self.out.set(out);
    }

    fn receive(&self) -> (u8, u8) {
        let mut input = self.input.take();
        while let Some(wanted) = input.next_message(MOST).expect("a frame") {
            let room = input.room(wanted);
            let mut gateway = self.transport.borrow_mut();
            let count = self.at_a_time.min(room.len()).min(gateway.sends.len());
            assert!(count > 0, "nothing comes");
            for (place, byte) in room.iter_mut().zip(gateway.sends.drain(..count)) {
                *place = byte;
            }
            input.received(count);
        }
        let taken = (input.taken()[0], input.taken()[1]);
        self.input.set(input);
        taken
    }

    fn exchange(&self, left: u8) -> u8 {
        self.send(message::CALL, left);
        self.depth.set(self.depth.get() + 1);
        let sum = loop {
            match self.receive() {
                (message::RETURN, sum) => break sum,
                (message::CALL, left) => self.serve(left),
                other => panic!("{other:?}"),
            }
        };
        self.depth.set(self.depth.get() - 1);
        sum
    }

    /// Runs a call of the gateway's, which calls the gateway in turn: on this channel, that its thread finds.
    fn serve(&self, left: u8) {
        self.busy.set(false);
        self.depth.set(self.depth.get() + 1);
        self.deepest.set(self.deepest.get().max(self.depth.get()));
        let sum = call(left);
        self.depth.set(self.depth.get() - 1);
        self.busy.set(true);
        self.send(message::RETURN, sum);
    }
}

fn call(left: u8) -> u8 {
    let lease = Lease::take();
    lease.channel().exchange(left)
}

/// Calls that are `left` deep; returns what came back, and how many calls of both peers waited at a time.
fn nest(left: u8, at_a_time: usize) -> (u8, u32) {
    let channel = Rc::new(Channel {
        busy: Cell::new(false),
        depth: Cell::new(0),
        deepest: Cell::new(0),
        out: Cell::new(Vec::new()),
        input: Cell::new(Input::new()),
        transport: RefCell::new(Gateway::default()),
        at_a_time,
    });
    CURRENT.set(Rc::as_ptr(&channel));
    // What keeps it moves: what points to it stays right.
    let kept = Box::new(channel);
    let sum = call(left);
    let channel = *kept;
    assert!(!channel.busy.get() && channel.depth.get() == 0 && channel.input.take().ready().is_empty());
    (sum, channel.deepest.get())
}

#[test]
fn calls_nest_on_the_channel_of_their_thread() {
    assert_eq!(nest(0, usize::MAX), (1, 0));
    assert_eq!(nest(3, usize::MAX), (4, 6));
}

#[test]
fn whatever_the_pieces_that_come() {
    for at_a_time in 1..=9 {
        assert_eq!(nest(3, at_a_time), (4, 6), "{at_a_time} bytes at a time");
    }
}

#[test]
fn a_long_message_gives_its_memory_back() {
    let mut input = Input::new();
    let long = if cfg!(miri) { 3 << 16 } else { 3 << 20 };
    let mut frames = Vec::new();
    let start = frame::begin(&mut frames);
    frames.resize(frames.len() + long, 7);
    frame::end(&mut frames, start, long).expect("a long message");
    let mut sent = 0;
    while let Some(wanted) = input.next_message(long).expect("a frame") {
        let room = input.room(wanted);
        // Never more than twice of what has come.
        assert!(room.len() <= (16 * 1024).max(2 * sent), "{} bytes after {sent}", room.len());
        let count = room.len().min(frames.len() - sent);
        room[..count].copy_from_slice(&frames[sent..sent + count]);
        input.received(count);
        sent += count;
    }
    assert_eq!(input.taken().len(), long);
    assert_eq!(input.room(frame::HEAD).len(), 16 * 1024);
}
