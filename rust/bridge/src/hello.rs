//! The opening of a channel (`spec/bridge.md` section 3).

use crate::flat::{put_bool, put_bytes, put_str, put_strs, put_u16, put_u32, put_u64, put_varint};
use crate::opcode;
use crate::reader::Reader;
use alloc::borrow::Cow;
use alloc::vec::Vec;
use samewire_core::{Code, Fault};

/// The version of the protocol.
pub const VERSION: u16 = 1;

/// The longest hello, in bytes.
pub const MOST_HELLO: usize = 65_536;

/// The bytes of a session's secret.
pub const SESSION_BYTES: usize = 16;

/// The bytes for a call channel that moves to another connection: the secret, then the channel's number.
pub const CONTINUED_BYTES: usize = SESSION_BYTES + 4;

/// The least and the most bytes of one direction of a ring.
pub const RING_CAPACITY: (u32, u32) = (65_536, 16_777_216);

/// The role of a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Role {
    /// The session's only control channel.
    Control = 0,
    /// For calls of the client.
    Call = 1,
    /// For calls of the gateway.
    Callback = 2,
}

/// A record that a program registered by name, with the digest of its schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record<'a> {
    /// Its name.
    pub name: Cow<'a, str>,
    /// The digest of its schema.
    pub digest: [u8; 8],
}

/// The client's first message on each channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hello<'a> {
    /// The channel's role.
    pub role: Role,
    /// The gateway's token.
    pub token: &'a [u8],
    /// The session's secret; empty on its control channel.
    pub session: &'a [u8],
    /// The client's language and its version.
    pub language: Cow<'a, str>,
    /// The client's process.
    pub process: u64,
    /// The features that the client requests.
    pub wants: Vec<Cow<'a, str>>,
    /// The records that the client knows.
    pub records: Vec<Record<'a>>,
    /// The shared memory that it offers.
    pub ring: Option<RingFile<'a>>,
}

/// The gateway's reply to a hello.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Welcome<'a> {
    /// The session's secret.
    pub session: &'a [u8],
    /// The channel's number.
    pub channel: u32,
    /// The gateway's language and its version.
    pub language: Cow<'a, str>,
    /// The gateway's process.
    pub process: u64,
    /// The requested features that the gateway accepts.
    pub takes: Vec<Cow<'a, str>>,
    /// The gateway's records of those that the client named.
    pub records: Vec<Record<'a>>,
    /// The longest message that the gateway takes.
    pub frame_bytes: u32,
    /// Whether it has mapped the shared memory, through which all further messages then go.
    pub ring: bool,
}

/// The file of a channel's shared memory (section 12).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RingFile<'a> {
    /// Its path.
    pub path: Cow<'a, str>,
    /// The bytes of each direction.
    pub capacity: u32,
    /// A number that the right file repeats.
    pub generation: u64,
}

/// The gateway's refusal: the channel ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused<'a> {
    /// The reason.
    pub code: Code,
    /// What was expected, what came, what to do.
    pub text: Cow<'a, str>,
}

impl<'a> Hello<'a> {
    /// Appends the message.
    pub fn write(&self, out: &mut Vec<u8>) {
        out.push(opcode::HELLO);
        put_u16(out, VERSION);
        out.push(self.role as u8);
        put_bytes(out, self.token);
        put_bytes(out, self.session);
        put_str(out, &self.language);
        put_u64(out, self.process);
        put_strs(out, &self.wants);
        put_records(out, &self.records);
        put_bool(out, self.ring.is_some());
        if let Some(ring) = &self.ring {
            put_str(out, &ring.path);
            put_u32(out, ring.capacity);
            put_u64(out, ring.generation);
        }
    }

    /// Reads the body.
    pub(crate) fn read(reader: &mut Reader<'a>) -> Result<Self, Fault> {
        if reader.at() + reader.left() > MOST_HELLO {
            return Err(reader.fail(Code::LimitSize, 0, "expected a hello of at most 65,536 bytes"));
        }
        version(reader)?;
        let at = reader.at();
        let role = match reader.u8()? {
            0 => Role::Control,
            1 => Role::Call,
            2 => Role::Callback,
            _ => return Err(reader.malformed(at, "expected a role, 0 to 2")),
        };
        let token = reader.bytes()?;
        let at = reader.at();
        let session = reader.bytes()?;
        let right = match role {
            Role::Control => session.is_empty(),
            Role::Call => matches!(session.len(), SESSION_BYTES | CONTINUED_BYTES),
            Role::Callback => session.len() == SESSION_BYTES,
        };
        if !right {
            let text = "expected no session on a control channel, and 16 bytes on another, or 20 on a call channel";
            return Err(reader.malformed(at, text));
        }
        Ok(Hello {
            role,
            token,
            session,
            language: reader.name()?,
            process: reader.u64()?,
            wants: reader.names()?,
            records: read_records(reader)?,
            ring: if reader.bool()? { Some(RingFile::read(reader)?) } else { None },
        })
    }
}

impl<'a> Welcome<'a> {
    /// Appends the message.
    pub fn write(&self, out: &mut Vec<u8>) {
        out.push(opcode::WELCOME);
        put_u16(out, VERSION);
        put_bytes(out, self.session);
        put_u32(out, self.channel);
        put_str(out, &self.language);
        put_u64(out, self.process);
        put_strs(out, &self.takes);
        put_records(out, &self.records);
        put_u32(out, self.frame_bytes);
        put_bool(out, self.ring);
    }

    /// Reads the body.
    pub(crate) fn read(reader: &mut Reader<'a>) -> Result<Self, Fault> {
        version(reader)?;
        let at = reader.at();
        let session = reader.bytes()?;
        if session.len() != SESSION_BYTES {
            return Err(reader.malformed(at, "expected a session of 16 bytes"));
        }
        let channel = reader.u32()?;
        let language = reader.name()?;
        let process = reader.u64()?;
        let takes = reader.names()?;
        let records = read_records(reader)?;
        let at = reader.at();
        let frame_bytes = reader.u32()?;
        if frame_bytes == 0 {
            return Err(reader.malformed(at, "expected a length of frames, from 1"));
        }
        Ok(Welcome { session, channel, language, process, takes, records, frame_bytes, ring: reader.bool()? })
    }
}

impl<'a> RingFile<'a> {
    fn read(reader: &mut Reader<'a>) -> Result<Self, Fault> {
        let path = reader.name()?;
        let at = reader.at();
        let capacity = reader.u32()?;
        if !capacity.is_power_of_two() || capacity < RING_CAPACITY.0 || capacity > RING_CAPACITY.1 {
            return Err(reader.malformed(at, "expected a capacity that is a power of two, 64 KiB to 16 MiB"));
        }
        Ok(RingFile { path, capacity, generation: reader.u64()? })
    }
}

impl<'a> Refused<'a> {
    /// Appends the message.
    pub fn write(&self, out: &mut Vec<u8>) {
        out.push(opcode::REFUSED);
        put_str(out, self.code.as_str());
        put_str(out, &self.text);
    }

    /// Reads the body.
    pub(crate) fn read(reader: &mut Reader<'a>) -> Result<Self, Fault> {
        Ok(Refused { code: reader.code()?, text: reader.name()? })
    }
}

/// Reads the version. Another version may have other fields, so nothing behind it is read.
fn version(reader: &mut Reader<'_>) -> Result<(), Fault> {
    let at = reader.at();
    if reader.u16()? != VERSION {
        return Err(reader.fail(Code::Unsupported, at, "expected version 1 of the protocol"));
    }
    Ok(())
}

fn put_records(out: &mut Vec<u8>, records: &[Record<'_>]) {
    put_varint(out, records.len() as u64);
    for record in records {
        put_str(out, &record.name);
        out.extend_from_slice(&record.digest);
    }
}

fn read_records<'a>(reader: &mut Reader<'a>) -> Result<Vec<Record<'a>>, Fault> {
    let count = reader.count()?;
    (0..count).map(|_| Ok(Record { name: reader.name()?, digest: reader.u64()?.to_le_bytes() })).collect()
}
