//! Values and messages in the notation of `spec/vectors/README.md`.

use samewire_bridge::message::{
    put_bye, put_call, put_first_call, put_first_return, put_interrupt, put_parts, put_ping, put_releases,
};
use samewire_bridge::{
    message, Budget, ClassInfo, Definition, Hello, Kind, Message, Reader, Record, Reference, Scalar, Sequence, Text,
    Throw, Value, Wanted, Welcome,
};
use samewire_core::Error;
use serde_json::{json, Value as Json};

pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn scalar(of: Scalar, bits: u64) -> Json {
    match of {
        Scalar::Bool => json!(bits == 1),
        Scalar::I8 => json!((bits as i8).to_string()),
        Scalar::I16 => json!((bits as i16).to_string()),
        Scalar::I32 => json!((bits as i32).to_string()),
        Scalar::I64 => json!((bits as i64).to_string()),
        Scalar::F32 => json!(format!("{bits:08x}")),
        Scalar::F64 => json!(format!("{bits:016x}")),
        Scalar::Char => json!(format!("{bits:04x}")),
    }
}

fn row(kind: String, of: Scalar, bytes: &[u8]) -> Json {
    let elements = bytes.chunks_exact(of.width()).map(|bytes| {
        let mut bits = [0; 8];
        bits[..bytes.len()].copy_from_slice(bytes);
        scalar(of, u64::from_le_bytes(bits))
    });
    json!({ kind: elements.collect::<Vec<_>>() })
}

fn text(text: Text<'_>) -> Json {
    match text.to_str() {
        Some(text) => json!({ "string": text }),
        None => json!({"units": text.units().map(|unit| format!("{unit:04x}")).collect::<String>()}),
    }
}

fn reference(reference: Reference) -> Json {
    match reference {
        Reference::Null => Json::Null,
        Reference::Receiver(number) => json!({"receiver": number.to_string()}),
        Reference::Sender { number, class } => json!({"sender": [number.to_string(), class.to_string()]}),
    }
}

fn class(info: &ClassInfo<'_>) -> Json {
    let members = info.members.iter().map(|member| {
        json!({"what": member.what as u8, "flags": member.flags.0, "name": member.name, "parameters": member.parameters,
               "result": member.result})
    });
    json!({"class": {
        "number": info.number.to_string(), "name": info.name, "form": info.form as u8, "superclass": info.superclass,
        "supertypes": info.supertypes, "functional": info.functional, "inner": info.inner,
        "members": members.collect::<Vec<_>>(),
    }})
}

pub fn value(of: &Value<'_>) -> Json {
    match of {
        Value::Null => Json::Null,
        Value::Scalar(Scalar::Bool, bit) => json!(*bit == 1),
        Value::Scalar(of, bits) => json!({ of.as_str(): scalar(*of, *bits) }),
        Value::String(of) => text(*of),
        Value::Bytes(bytes) => json!({"bytes": hex(bytes)}),
        Value::Blob(elements) => json!({"blob": elements.to_string()}),
        Value::List(of, bytes) => row(Kind::List(*of).to_string(), *of, bytes),
        Value::Array(of, bytes) => row(Kind::Array(*of).to_string(), *of, bytes),
        Value::Strings(texts) => json!({"list<string>": texts.iter().map(|of| text(*of)).collect::<Vec<_>>()}),
        Value::Object(object) => reference(*object),
        Value::Result(call) => json!({"result": call.to_string()}),
        Value::Sequence(Sequence::List, of) => json!({"list": of.iter().map(value).collect::<Vec<_>>()}),
        Value::Sequence(Sequence::Set, of) => json!({"set": of.iter().map(value).collect::<Vec<_>>()}),
        Value::Sequence(Sequence::Tuple, of) => json!({"tuple": of.iter().map(value).collect::<Vec<_>>()}),
        Value::Map(of) => json!({"map": of.iter().map(|(key, of)| json!([value(key), value(of)])).collect::<Vec<_>>()}),
        Value::Class(info) => class(info),
        Value::Pack(schema, message) => json!({"pack": [schema, hex(message)]}),
        Value::Peer(kind, object) => json!({"peer": [kind, reference(*object)]}),
    }
}

/// The kinds of the site that a call or return without a definition is of.
pub struct Site {
    pub arguments: Vec<Kind>,
    pub result: Kind,
}

impl Site {
    pub fn of(case: &Json) -> Site {
        let kinds = case["arguments"].as_array().into_iter().flatten();
        Site {
            arguments: kinds.map(|kind| Kind::parse(kind.as_str().unwrap()).unwrap()).collect(),
            result: Kind::parse(case["result"].as_str().unwrap_or("void")).unwrap(),
        }
    }
}

/// A whole message with its values, in the notation; and the bytes that are written for it.
pub fn message(bytes: &[u8], site: &Site, budget: &mut Budget) -> Result<(Json, Vec<u8>), Error> {
    let mut out = Vec::new();
    let notation = match Message::read(bytes, budget)? {
        Message::Hello(hello) => {
            hello.write(&mut out);
            json!({"hello": of_hello(&hello)})
        }
        Message::Welcome(welcome) => {
            welcome.write(&mut out);
            json!({"welcome": of_welcome(&welcome)})
        }
        Message::Refused(refused) => {
            refused.write(&mut out);
            json!({"refused": {"code": refused.code.as_str(), "text": refused.text}})
        }
        Message::Call { site: number, arguments } => {
            put_call(&mut out, number);
            let values = values(bytes, arguments, &site.arguments, budget, &mut out)?;
            json!({"call": {"site": number.to_string(), "arguments": values}})
        }
        Message::FirstCall { site: number, definition, arguments } => {
            put_first_call(&mut out, number, &definition);
            let values = values(bytes, arguments, &definition.arguments, budget, &mut out)?;
            json!({"first call": {
                "site": number.to_string(), "definition": of_definition(&definition), "arguments": values,
            }})
        }
        Message::Batch(of) => json!({"batch": parts(message::BATCH, &of, site, budget, &mut out)?}),
        Message::BatchReturn(of) => {
            json!({"batch return": parts(message::BATCH_RETURN, &of, site, budget, &mut out)?})
        }
        Message::Nothing => {
            out.push(message::NOTHING);
            json!({ "nothing": null })
        }
        Message::Return(at) => {
            out.push(message::RETURN);
            json!({"return": values(bytes, at, std::slice::from_ref(&site.result), budget, &mut out)?[0]})
        }
        Message::FirstReturn(kind, at) => {
            put_first_return(&mut out, &kind);
            let value = values(bytes, at, std::slice::from_ref(&kind), budget, &mut out)?.remove(0);
            json!({"first return": {"kind": kind.to_string(), "value": value}})
        }
        Message::Throw(throw) => {
            throw.write(&mut out);
            json!({"throw": of_throw(&throw)})
        }
        Message::Blob(part) => {
            out.push(message::BLOB);
            out.extend_from_slice(part);
            json!({"blob": hex(part)})
        }
        Message::Release(pairs) => {
            put_releases(&mut out, &pairs);
            let pairs = pairs.iter().map(|(number, count)| [number.to_string(), count.to_string()]);
            json!({"release": pairs.collect::<Vec<_>>()})
        }
        Message::Interrupt(channel) => {
            put_interrupt(&mut out, channel);
            json!({"interrupt": channel.to_string()})
        }
        Message::Ping(number) => {
            put_ping(&mut out, message::PING, number);
            json!({"ping": number.to_string()})
        }
        Message::Pong(number) => {
            put_ping(&mut out, message::PONG, number);
            json!({"pong": number.to_string()})
        }
        Message::Bye(code, text) => {
            put_bye(&mut out, code, &text);
            json!({"bye": {"code": code.as_str(), "text": text}})
        }
        Message::More => {
            out.push(message::MORE);
            json!({ "more": null })
        }
    };
    Ok((notation, out))
}

fn values(bytes: &[u8], at: usize, kinds: &[Kind], budget: &mut Budget, out: &mut Vec<u8>) -> Result<Vec<Json>, Error> {
    let mut reader = Reader::new(bytes, at);
    let found = kinds.iter().map(|kind| {
        let value = Value::read(&mut reader, kind, budget).map_err(|_| reader.error())?;
        value.write(kind, out);
        Ok(self::value(&value))
    });
    let found = found.collect::<Result<_, Error>>()?;
    reader.finish().map_err(|_| reader.error())?;
    Ok(found)
}

fn parts(byte: u8, of: &[&[u8]], site: &Site, budget: &mut Budget, out: &mut Vec<u8>) -> Result<Vec<Json>, Error> {
    budget.without_blobs();
    let read = of.iter().map(|part| message(part, site, budget)).collect::<Result<Vec<_>, _>>()?;
    let (notations, written): (Vec<Json>, Vec<Vec<u8>>) = read.into_iter().unzip();
    put_parts(out, byte, &written);
    Ok(notations)
}

fn records(of: &[Record<'_>]) -> Json {
    of.iter().map(|record| json!([record.name, hex(&record.digest)])).collect()
}

fn of_hello(hello: &Hello<'_>) -> Json {
    let ring = hello.ring.as_ref().map(|ring| {
        json!({"path": ring.path, "capacity": ring.capacity.to_string(), "generation": ring.generation.to_string()})
    });
    json!({
        "role": hello.role as u8, "token": hex(hello.token), "session": hex(hello.session), "language": hello.language,
        "process": hello.process.to_string(), "wants": hello.wants, "records": records(&hello.records), "ring": ring,
    })
}

fn of_welcome(welcome: &Welcome<'_>) -> Json {
    json!({
        "session": hex(welcome.session), "channel": welcome.channel.to_string(), "language": welcome.language,
        "process": welcome.process.to_string(), "takes": welcome.takes, "records": records(&welcome.records),
        "frame_bytes": welcome.frame_bytes.to_string(), "ring": welcome.ring,
    })
}

fn of_definition(definition: &Definition) -> Json {
    let result = match &definition.result {
        Wanted::Declared => String::new(),
        Wanted::Value => "value".into(),
        Wanted::Kind(kind) => kind.to_string(),
    };
    json!({
        "action": definition.action as u8, "class": definition.class, "member": definition.member,
        "arguments": definition.arguments.iter().map(Kind::to_string).collect::<Vec<_>>(), "result": result,
    })
}

fn of_throw(throw: &Throw<'_>) -> Json {
    json!({
        "object": reference(throw.object), "type": throw.class, "code": throw.code.map_or("", |code| code.as_str()),
        "message": throw.message.map(text), "trace": text(throw.trace),
    })
}
