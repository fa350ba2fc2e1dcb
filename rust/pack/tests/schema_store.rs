//! Messages of several versions of a type, by stores of schemas.
#![cfg(feature = "std")]

use samewire_pack::schema::Schema;
use samewire_pack::{Code, Codec, FolderSchemas, MemorySchemas, Pack, SchemaStore, VersionedCodec, VersionedError};
use std::sync::Arc;

mod old {
    #[derive(samewire_pack::Pack)]
    pub struct Book {
        pub name: String,
        pub year: i32,
    }
}

#[derive(Pack, PartialEq, Debug, Clone)]
struct Book {
    year: i64,
    name: String,
    author: Option<String>,
}

#[derive(Pack)]
struct Film {
    name: String,
}

fn carrie() -> old::Book {
    old::Book { name: "Carrie".into(), year: 1974 }
}

fn refused<T>(result: Result<T, VersionedError>) -> (Code, Option<usize>, Option<String>) {
    match result.err() {
        Some(VersionedError::Pack(error)) => (error.code, error.at, error.path),
        other => panic!("{other:?}"),
    }
}

fn reads_what_an_older_version_wrote(store: &Arc<dyn SchemaStore>) {
    let old = VersionedCodec::<old::Book, _>::new(store.clone());
    let current = VersionedCodec::<Book, _>::new(store.clone());
    let message = old.encode(&carrie()).unwrap();
    assert_eq!(current.decode(&message).unwrap(), Book { year: 1974, name: "Carrie".into(), author: None });
    assert!(Arc::ptr_eq(&current.decoder_for(&message).unwrap(), &current.decoder_for(&message).unwrap()));
    let own = Book { year: 1981, name: "Cujo".into(), author: Some("Stephen King".into()) };
    let message = current.encode(&own).unwrap();
    assert_eq!(current.decode(&message).unwrap(), own);
    assert_eq!(current.decoder_for(&message).unwrap().decode(&message).unwrap(), own);
    let kept = store.get(current.schema().digest().to_be_bytes()).unwrap();
    assert_eq!(kept.as_deref(), Some(current.schema().text()));
}

#[test]
fn reads_older_versions_by_memory_and_by_a_folder() {
    let folder = std::env::temp_dir().join(format!("samewire-schemas-{}", std::process::id()));
    reads_what_an_older_version_wrote(&(Arc::new(MemorySchemas::default()) as Arc<dyn SchemaStore>));
    reads_what_an_older_version_wrote(&(Arc::new(FolderSchemas::new(&folder)) as Arc<dyn SchemaStore>));
    let names: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|file| file.unwrap().file_name()).collect();
    assert!(names.len() == 2 && names.iter().all(|name| name.to_str().unwrap().ends_with(".schema")), "{names:?}");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn refuses_messages_whose_schema_is_unknown() {
    let store = Arc::new(MemorySchemas::default());
    let books = VersionedCodec::<Book, _>::new(store.clone());
    let unknown = Codec::<old::Book>::new().digest(true).encode(&carrie()).unwrap();
    assert_eq!(refused(books.decode(&unknown)), (Code::SchemaMismatch, Some(1), Some("$".into())));
    let without = Codec::<old::Book>::new().encode(&carrie()).unwrap();
    assert_eq!(refused(books.decode(&without)), (Code::SchemaMismatch, Some(0), Some("$".into())));
    let film = VersionedCodec::<Film, _>::new(store).encode(&Film { name: "It".into() }).unwrap();
    assert_eq!(refused(books.decode(&film)), (Code::SchemaMismatch, None, Some("$".into())));
}

/// Returns one text for every digest.
struct Wrong(&'static str);

impl SchemaStore for Wrong {
    fn get(&self, _: [u8; 8]) -> std::io::Result<Option<String>> {
        Ok(Some(self.0.into()))
    }

    fn put(&self, _: &Schema) -> std::io::Result<()> {
        Err(std::io::ErrorKind::PermissionDenied.into())
    }
}

#[test]
fn checks_what_a_store_returns() {
    let message = Codec::<old::Book>::new().digest(true).encode(&carrie()).unwrap();
    for text in ["i32", "struct Book { name: string, year: i32 } ", "struct {"] {
        let books = VersionedCodec::<Book, _>::new(Wrong(text));
        assert_eq!(refused(books.decode(&message)).0, Code::Malformed, "{text}");
    }
    let books = VersionedCodec::<Book, _>::new(Wrong(""));
    let book = Book { year: 1, name: "a".into(), author: None };
    assert!(matches!(books.encode(&book), Err(VersionedError::Store(_))));
}

#[test]
fn keeps_at_most_256_decoders() {
    let store = MemorySchemas::default();
    let schemas: Vec<_> =
        (0..300).map(|i| Schema::parse(&format!("struct Film {{ name: string, x{i}: bool }}")).unwrap()).collect();
    schemas.iter().for_each(|schema| store.put(schema).unwrap());
    let films = VersionedCodec::<Film, _>::new(store);
    let decoder = |schema: &Schema| films.decoder_for(&[&[0x90][..], &schema.digest().to_be_bytes()].concat()).unwrap();
    let decoders: Vec<_> = schemas.iter().map(decoder).collect();
    assert!(Arc::ptr_eq(&decoder(&schemas[299]), &decoders[299]));
    assert!(!Arc::ptr_eq(&decoder(&schemas[0]), &decoders[0]));
}
