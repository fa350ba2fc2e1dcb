//! Schema texts.

use super::{fails, same, works, Failure};
use crate::vectors::Vector;
use samewire_pack::schema::Schema;

pub(super) fn read(vector: &Vector) -> Result<(), Failure> {
    let schema = works("reading", Schema::parse(vector.text("text")))?;
    same("the canonical text", schema.text(), vector.text("canonical"))?;
    same("the digest", &format!("{:016x}", schema.digest())[..], vector.text("digest"))?;
    let again = works("reading the canonical text", Schema::parse(schema.text()))?;
    same("the canonical text of the canonical text", again.text(), schema.text())?;
    same("a difference", again.first_difference(&schema), None)
}

pub(super) fn refused(vector: &Vector) -> Result<(), Failure> {
    let schema = Schema::parse(vector.text("text"));
    fails("reading", schema.map(|_| ()), vector.text("error"), vector.at(), None)
}
