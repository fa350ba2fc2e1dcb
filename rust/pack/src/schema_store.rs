//! Where schemas are kept by their digest, and a codec that reads messages of all of them (`spec/pack.md` section 13).

use crate::codec::Codec;
use crate::decoder::Decoder;
use crate::pack::{Pack, Unpack};
use crate::schema::Schema;
use crate::wire::header::digest_of;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::sync::Arc;
use core::fmt;
use samewire_core::{Code, Error};
use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The longest schema text (`spec/limits.md`), in bytes.
const TEXT_BYTES: u64 = 1 << 20;
/// Decoders that are kept: each is compiled once. A program that meets more schemas compiles some again.
const MOST_DECODERS: usize = 256;

/// Keeps schemas by their digest. Programs implement it for a store of their own: a database, a service.
pub trait SchemaStore {
    /// Returns the canonical text of the schema with this digest, none if it is not there.
    ///
    /// # Errors
    /// What keeps the store from being read.
    fn get(&self, digest: [u8; 8]) -> io::Result<Option<String>>;

    /// Keeps a schema. Does nothing if it is there.
    ///
    /// # Errors
    /// What keeps the store from being written.
    fn put(&self, schema: &Schema) -> io::Result<()>;
}

impl<S: SchemaStore + ?Sized> SchemaStore for Arc<S> {
    fn get(&self, digest: [u8; 8]) -> io::Result<Option<String>> {
        (**self).get(digest)
    }

    fn put(&self, schema: &Schema) -> io::Result<()> {
        (**self).put(schema)
    }
}

/// Schemas of one process, say of all the versions that a program knows.
#[derive(Default, Debug)]
pub struct MemorySchemas(Mutex<BTreeMap<[u8; 8], String>>);

impl SchemaStore for MemorySchemas {
    fn get(&self, digest: [u8; 8]) -> io::Result<Option<String>> {
        Ok(self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&digest).cloned())
    }

    fn put(&self, schema: &Schema) -> io::Result<()> {
        let mut texts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        texts.insert(schema.digest().to_be_bytes(), schema.text().into());
        Ok(())
    }
}

/// Schemas in a folder, a file each: `DIGEST.schema`. Processes may share it; a file is whole as soon as it is there.
#[derive(Debug)]
pub struct FolderSchemas(PathBuf);

impl FolderSchemas {
    /// A store in a folder, which is made when the first schema is put.
    pub fn new(folder: impl AsRef<Path>) -> Self {
        FolderSchemas(folder.as_ref().into())
    }

    fn path(&self, digest: u64) -> PathBuf {
        self.0.join(format!("{digest:016x}.schema"))
    }
}

impl SchemaStore for FolderSchemas {
    fn get(&self, digest: [u8; 8]) -> io::Result<Option<String>> {
        let file = match fs::File::open(self.path(u64::from_be_bytes(digest))) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            file => file?,
        };
        let mut bytes = vec![];
        file.take(TEXT_BYTES + 1).read_to_end(&mut bytes)?;
        Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
    }

    fn put(&self, schema: &Schema) -> io::Result<()> {
        let path = self.path(schema.digest());
        if path.exists() {
            return Ok(());
        }
        fs::create_dir_all(&self.0)?;
        // Of the process and this call alone: whoever is first renames a whole file, and so does whoever is last.
        let name = format!("{}.{:p}.new", std::process::id(), &raw const path);
        let written = self.0.join(name);
        let result = fs::File::create(&written)
            .and_then(|mut file| file.write_all(schema.text().as_bytes()))
            .and_then(|()| fs::rename(&written, &path));
        if result.is_err() {
            let _ = fs::remove_file(&written);
        }
        result
    }
}

/// Why a [`VersionedCodec`] cannot write or read a message.
#[derive(Debug)]
pub enum VersionedError {
    /// What is wrong with the message, the value or the schema.
    Pack(Error),
    /// What the store failed with.
    Store(io::Error),
}

impl fmt::Display for VersionedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            VersionedError::Pack(error) => error.fmt(f),
            VersionedError::Store(error) => write!(f, "the store of schemas: {error}"),
        }
    }
}

impl std::error::Error for VersionedError {}

impl From<Error> for VersionedError {
    fn from(error: Error) -> Self {
        VersionedError::Pack(error)
    }
}

impl From<io::Error> for VersionedError {
    fn from(error: io::Error) -> Self {
        VersionedError::Store(error)
    }
}

/// Writes messages that carry the digest of their schema, and reads those of every schema that a store has. A message of
/// another version of the type is resolved; its decoder is compiled once. Threads may share the codec.
///
/// ```
/// use samewire_pack::{MemorySchemas, Pack, VersionedCodec};
/// use std::sync::Arc;
///
/// mod old {
///     #[derive(samewire_pack::Pack)]
///     pub struct Book {
///         pub title: String,
///     }
/// }
///
/// #[derive(Pack)]
/// struct Book {
///     title: String,
///     year: Option<i32>,
/// }
///
/// let store = Arc::new(MemorySchemas::default());
/// let message = VersionedCodec::<old::Book, _>::new(store.clone()).encode(&old::Book { title: "Carrie".into() })?;
/// let book = VersionedCodec::<Book, _>::new(store).decode(&message)?;
/// assert_eq!((book.title.as_str(), book.year), ("Carrie", None));
/// # Ok::<(), samewire_pack::VersionedError>(())
/// ```
pub struct VersionedCodec<T, S> {
    codec: Codec<T>,
    store: S,
    state: Mutex<State<T>>,
}

struct State<T> {
    /// Decoders of other versions by the digests of their schemas, and when each was compiled.
    decoders: BTreeMap<[u8; 8], (u64, Arc<Decoder<T>>)>,
    compiled: u64,
    kept: bool,
}

impl<T: Pack, S: SchemaStore> VersionedCodec<T, S> {
    /// A codec of the type with the default options.
    ///
    /// # Panics
    /// As [`Codec::new`].
    pub fn new(store: S) -> Self {
        Self::of(Codec::new(), store)
    }

    /// A codec with the options of another.
    pub fn of(codec: Codec<T>, store: S) -> Self {
        let state = Mutex::new(State { decoders: BTreeMap::new(), compiled: 0, kept: false });
        VersionedCodec { codec: codec.digest(true), store, state }
    }

    /// Returns the schema of the messages that it writes.
    pub fn schema(&self) -> &Schema {
        self.codec.schema()
    }

    /// Returns the message, with its digest. The schema is put into the store before the first one.
    ///
    /// # Errors
    /// As [`Codec::encode`], and what the store fails with.
    pub fn encode(&self, value: &T) -> Result<alloc::vec::Vec<u8>, VersionedError> {
        if !self.state().kept {
            self.store.put(self.codec.schema())?;
            self.state().kept = true;
        }
        Ok(self.codec.encode(value)?)
    }

    /// Returns the value of one whole message.
    ///
    /// # Errors
    /// As [`decoder_for`](Self::decoder_for) and [`Codec::decode`].
    pub fn decode(&self, message: &[u8]) -> Result<T, VersionedError>
    where
        T: for<'x> Unpack<'x>,
    {
        if digest_of(message)? == Some(self.codec.schema().digest().to_be_bytes()) {
            return Ok(self.codec.decode(message)?);
        }
        Ok(self.decoder_for(message)?.decode(message)?)
    }

    /// Returns the decoder of a message's schema, by the message's first nine bytes.
    ///
    /// # Errors
    /// `schema_mismatch` at 0 for a message without a digest, at 1 for a digest that is not in the store, with the path if
    /// the schemas do not resolve; `malformed` for a text in the store that is not the canonical one of this digest; as
    /// [`digest_of`], and what the store fails with.
    pub fn decoder_for(&self, message: &[u8]) -> Result<Arc<Decoder<T>>, VersionedError> {
        let Some(digest) = digest_of(message)? else {
            let text = "the message carries no digest, so its schema is unknown: encode with digest(true)";
            return Err(Error::new(Code::SchemaMismatch, text).at(0).path("$").into());
        };
        if let Some((_, known)) = self.state().decoders.get(&digest) {
            return Ok(known.clone());
        }
        let made = Arc::new(self.codec.resolve(&self.writer(digest)?)?);
        let state = &mut *self.state();
        if state.decoders.len() >= MOST_DECODERS {
            let oldest = state.decoders.iter().min_by_key(|(_, (compiled, _))| *compiled);
            if let Some(digest) = oldest.map(|(digest, _)| *digest) {
                state.decoders.remove(&digest);
            }
        }
        state.compiled += 1;
        Ok(state.decoders.entry(digest).or_insert((state.compiled, made)).1.clone())
    }

    /// The text of the schema with this digest.
    fn writer(&self, digest: [u8; 8]) -> Result<String, VersionedError> {
        let number = u64::from_be_bytes(digest);
        let Some(text) = self.store.get(digest)? else {
            let text = format!("no schema of digest {number:016x} is in the store: put its writer's there");
            return Err(Error::new(Code::SchemaMismatch, text).at(1).path("$").into());
        };
        let writer = Schema::parse(&text)?;
        if writer.digest() != number || writer.text() != text {
            let text = format!("the store's text for digest {number:016x} is that of another schema");
            return Err(Error::new(Code::Malformed, text).into());
        }
        Ok(text)
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
