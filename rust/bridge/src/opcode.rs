//! The first bytes of messages.

/// The client's first message on a channel.
pub const HELLO: u8 = 0x01;
/// The gateway accepts the channel.
pub const WELCOME: u8 = 0x02;
/// The gateway refuses it.
pub const REFUSED: u8 = 0x03;
/// A call of a site that has been defined.
pub const CALL: u8 = 0x10;
/// A call with the definition of its site.
pub const FIRST_CALL: u8 = 0x11;
/// Several calls with one common reply.
pub const BATCH: u8 = 0x12;
/// A call has returned nothing.
pub const NOTHING: u8 = 0x20;
/// A call has returned a value of its site's result kind.
pub const RETURN: u8 = 0x21;
/// A call has returned a value, preceded by its kind.
pub const FIRST_RETURN: u8 = 0x22;
/// A call has raised.
pub const THROW: u8 = 0x23;
/// The replies to a batch.
pub const BATCH_RETURN: u8 = 0x24;
/// Bytes of a large value.
pub const BLOB: u8 = 0x28;
/// Objects that the sender no longer needs.
pub const RELEASE: u8 = 0x30;
/// Interrupts the thread that runs a channel's call.
pub const INTERRUPT: u8 = 0x31;
/// Requests a pong.
pub const PING: u8 = 0x32;
/// The reply to a ping.
pub const PONG: u8 = 0x33;
/// The session ends.
pub const BYE: u8 = 0x34;
/// The gateway asks for one more callback channel.
pub const MORE: u8 = 0x35;
