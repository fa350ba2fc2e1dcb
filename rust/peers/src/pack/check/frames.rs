//! Streams of messages, split in every way that matters.

use super::{fails, same, Failure};
use crate::pack::vectors::Vector;
use samewire_pack::frame::{write_frame, FrameScanner};
use samewire_pack::{Error, Limits};

/// Feeds the pieces and takes every message as soon as it is whole.
fn scan<'p>(
    pieces: impl IntoIterator<Item = &'p [u8]>,
    limits: Limits,
) -> (FrameScanner, Vec<Vec<u8>>, Result<(), Error>) {
    let mut scanner = FrameScanner::new(limits);
    let mut messages = Vec::new();
    for piece in pieces {
        let outcome = scanner.feed(piece).and_then(|()| take(&mut scanner, &mut messages));
        if outcome.is_err() {
            return (scanner, messages, outcome);
        }
    }
    (scanner, messages, Ok(()))
}

/// Takes the messages that are whole.
fn take(scanner: &mut FrameScanner, messages: &mut Vec<Vec<u8>>) -> Result<(), Error> {
    while let Some(message) = scanner.next()? {
        messages.push(message.to_vec());
    }
    Ok(())
}

/// Two frames of the message come out whole, wherever the stream is split.
pub(super) fn back_to_back(data: &[u8]) -> Result<(), Failure> {
    let mut stream = Vec::new();
    for _ in 0..2 {
        write_frame(data, &mut stream).map_err(|error| format!("a frame: {error}"))?;
    }
    for at in 0..=stream.len() {
        let (mut scanner, messages, outcome) = scan([&stream[..at], &stream[at..]], Limits::DEFAULT);
        outcome.and_then(|()| scanner.end()).map_err(|error| format!("frames split at {at}: {error}"))?;
        if messages != [data, data] {
            return Err(format!("frames split at {at}: {} messages, or others", messages.len()));
        }
    }
    Ok(())
}

pub(super) fn scanned(vector: &Vector) -> Result<(), Failure> {
    let stream = vector.bytes("hex");
    for at in 0..=stream.len() {
        verify(vector, scan([&stream[..at], &stream[at..]], vector.limits()))?;
    }
    verify(vector, scan(stream.chunks(1), vector.limits()))?;
    if vector.list("messages").is_empty() {
        return Ok(());
    }
    let mut scanner = FrameScanner::new(vector.limits());
    scanner.feed(&stream).map_err(|error| error.to_string())?;
    let early = scanner.end();
    fails("the end before the messages are taken", early, "misuse", None, None)?;
    let mut messages = Vec::new();
    let outcome = take(&mut scanner, &mut messages);
    verify(vector, (scanner, messages, outcome))
}

fn verify(vector: &Vector, scan: (FrameScanner, Vec<Vec<u8>>, Result<(), Error>)) -> Result<(), Failure> {
    let (mut scanner, messages, outcome) = scan;
    same("the messages", messages, vector.list("messages"))?;
    let Some(code) = vector.optional("error") else {
        return outcome.and_then(|()| scanner.end()).map_err(|error| error.to_string());
    };
    if vector.flag("at_end") {
        outcome.map_err(|error| format!("before the end: {error}"))?;
    } else {
        fails("scanning", outcome, code, vector.at(), None)?;
    }
    // The first `end` is the error or repeats it; from then on the scanner is dead.
    fails("the end", scanner.end(), code, vector.at(), None)?;
    fails("feeding after the error", scanner.feed(&[1, 0x80]), code, vector.at(), None)?;
    fails("after the error", scanner.next().map(|_| ()), code, vector.at(), None)?;
    fails("the end again", scanner.end(), code, vector.at(), None)
}
