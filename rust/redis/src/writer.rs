//! Replies as a server writes them: for tests, proxies and servers of one's own.

use crate::command::{double, line};
use crate::number::{signed, DIGITS};
use crate::value::Value;
use alloc::vec::Vec;

/// Appends a reply to `out` in RESP3, in its canonical form (`spec/redis.md` section 4): no stream, no attribute, `_` for
/// null.
///
/// An error without CR and LF is written with `-`, any other with `!`; a simple string with either as `$`.
pub fn write_value(value: &Value<'_>, out: &mut Vec<u8>) {
    match value {
        Value::Null => out.extend_from_slice(b"_\r\n"),
        Value::Integer(value) => {
            out.push(b':');
            out.extend_from_slice(signed(*value, &mut [0; DIGITS]));
            out.extend_from_slice(b"\r\n");
        }
        Value::Double(value) => {
            out.push(b',');
            double(*value, out);
            out.extend_from_slice(b"\r\n");
        }
        Value::Boolean(value) => out.extend_from_slice(if *value { b"#t\r\n" } else { b"#f\r\n" }),
        Value::BigNumber(digits) => text_line(b'(', digits, out),
        Value::Simple(text) if one_line(text) => text_line(b'+', text, out),
        Value::Simple(text) => blob(b'$', &[text], out),
        Value::Error(text) if one_line(text) => text_line(b'-', text, out),
        Value::Error(text) => blob(b'!', &[text], out),
        Value::Bulk(text) => blob(b'$', &[text], out),
        Value::Verbatim(format, text) => blob(b'=', &[format, b":", text], out),
        Value::Array(values) => aggregate(b'*', values, out),
        Value::Set(values) => aggregate(b'~', values, out),
        Value::Push(values) => aggregate(b'>', values, out),
        Value::Map(entries) => {
            line(b'%', entries.len(), out);
            for (key, value) in entries {
                write_value(key, out);
                write_value(value, out);
            }
        }
    }
}

fn one_line(text: &[u8]) -> bool {
    !text.iter().any(|&byte| byte == b'\r' || byte == b'\n')
}

fn text_line(kind: u8, text: &[u8], out: &mut Vec<u8>) {
    out.push(kind);
    out.extend_from_slice(text);
    out.extend_from_slice(b"\r\n");
}

fn blob(kind: u8, parts: &[&[u8]], out: &mut Vec<u8>) {
    line(kind, parts.iter().map(|part| part.len()).sum(), out);
    parts.iter().for_each(|part| out.extend_from_slice(part));
    out.extend_from_slice(b"\r\n");
}

fn aggregate(kind: u8, values: &[Value<'_>], out: &mut Vec<u8>) {
    line(kind, values.len(), out);
    values.iter().for_each(|value| write_value(value, out));
}
