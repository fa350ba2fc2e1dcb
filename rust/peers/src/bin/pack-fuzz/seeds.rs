//! What is mutated: all messages, schema texts and streams of the vectors, and what turned out well of what was made of them.

use samewire_peers::pack::vectors;
use samewire_peers::random::Random;
use std::collections::BTreeMap;

/// Messages kept for each schema beyond those of the vectors.
const KEPT: usize = 64;
/// Longer messages would take the time of many short ones.
const LONGEST: usize = 4096;

#[derive(Default)]
pub struct Seeds {
    /// Messages of a schema, by its text; those of the vectors stand first.
    messages: BTreeMap<String, Pool>,
    /// A writer's schema, the reader's, and messages of the writer.
    pub pairs: Vec<(String, String, Vec<u8>)>,
    texts: Vec<String>,
    pub streams: Vec<Vec<u8>>,
    /// All messages of all schemas.
    all: Vec<Vec<u8>>,
}

#[derive(Default)]
struct Pool {
    given: Vec<Vec<u8>>,
    made: Vec<Vec<u8>>,
}

impl Seeds {
    pub fn new() -> Self {
        let mut seeds = Seeds::default();
        for vector in vectors::all() {
            let kind = vector.text("kind");
            if let Some(schema) = vector.optional("schema") {
                seeds.texts.push(schema.into());
            }
            match kind {
                "canonical" | "rewritten" | "accepted" | "rejected" | "sorted" => {
                    seeds.add(vector.text("schema"), vector.bytes("hex"));
                }
                "resolved" | "unresolved" => {
                    let (writer, schema) = (vector.text("writer"), vector.text("schema"));
                    let data = if vector.optional("hex").is_some() { vector.bytes("hex") } else { vec![0x80] };
                    seeds.pairs.push((writer.into(), schema.into(), data));
                }
                "frames" => seeds.streams.push(vector.bytes("hex")),
                "difference" => seeds.texts.extend([vector.text("here").into(), vector.text("there").into()]),
                _ => seeds.texts.push(vector.text("text").into()),
            }
        }
        seeds.texts.retain(|text| text.len() <= LONGEST);
        seeds.texts.sort();
        seeds.texts.dedup();
        seeds
    }

    fn add(&mut self, schema: &str, data: Vec<u8>) {
        if data.len() <= LONGEST {
            self.all.push(data.clone());
            self.messages.entry(schema.into()).or_default().given.push(data);
        }
    }

    /// A message to mutate, of this schema if there is one.
    pub fn message(&self, schema: &str, random: &mut Random) -> &[u8] {
        let Some(pool) = self.messages.get(schema) else { return self.any(random) };
        let made = !pool.made.is_empty() && (pool.given.is_empty() || random.once_in(2));
        let messages: &Vec<Vec<u8>> = if made { &pool.made } else { &pool.given };
        random.pick::<Vec<u8>>(messages)
    }

    /// A message of any schema.
    pub fn any(&self, random: &mut Random) -> &[u8] {
        random.pick::<Vec<u8>>(&self.all)
    }

    /// A schema text, good or bad.
    pub fn text(&self, random: &mut Random) -> &str {
        random.pick::<String>(&self.texts)
    }

    /// Keeps a message that the decoder accepted: the next mutation starts where this one got to.
    pub fn keep(&mut self, schema: &str, data: &[u8], random: &mut Random) {
        if data.len() > LONGEST {
            return;
        }
        let pool = self.messages.entry(schema.into()).or_default();
        if pool.made.len() < KEPT {
            pool.made.push(data.to_vec());
        } else {
            let place = random.below(KEPT);
            pool.made[place] = data.to_vec();
        }
    }
}
