//! Types that have no schema, as far as the macro can tell by their names: one text that says what to write, where the
//! compiler would complain of every use of the field.

use proc_macro2::TokenStream;
use quote::{quote, ToTokens};
use syn::{
    Data, DeriveInput, Error, Field, Fields, GenericArgument, Ident, Lifetime, PathArguments, PathSegment, Type,
};

use crate::attributes::{implementation, scope, Attributes, Bounds};

const RESULT: &str =
    "a Result has no schema: write an enum with a variant for each, as `enum Outcome { Done(T), Failed(E) }`";
const OPTION: &str =
    "an option holds no option, since the schema has one null: write `Option<T>`, or an enum of three \
                      variants, as `enum Change { Keep, Clear, Set(T) }`";
const SKIP: &str = "has no schema: leave the field out by `#[pack(skip)]`";
const EITHER: &str =
    "has no schema: leave the field out by `#[pack(skip)]`, or write it as another type by `#[pack(with = …)]`";

const STATIC: &str = "what is read borrows from its message, which does not live for `'static`: write an owned type, as `String` or \
                      `Vec<T>`, or `Cow<'a, str>` where `'a` is a lifetime of the type that derives; a type that is only \
                      written says so by `#[pack(encode_only)]`";

const SLICE: &str =
    "a slice is only written: write `Vec<T>`, `BytesRef<'a>` for bytes, or say `#[pack(encode_only)]` of the type";
const MUTABLE: &str = "what is read cannot be borrowed mutably: write an owned type, as `String` or `Vec<T>`";
const KEY: &str =
    "cannot be the key of a map or an element of a set: keys are integers, bool, texts, UUIDs, dates, times and \
                   enums without data; write a list, as `Vec<(K, V)>` or `Vec<T>`";
const SHARED: &str = "an `Rc` or `Arc` shares a struct or a slice";

/// Types of Rust's library that are not `Pack`, by names that a program does not give its own.
const FOREIGN: [(&str, &str); 20] = [
    ("RefCell", "write what it holds"),
    ("Mutex", "write what it holds"),
    ("RwLock", "write what it holds"),
    ("OnceCell", "write what it holds, or `Option<T>`"),
    ("OnceLock", "write what it holds, or `Option<T>`"),
    ("LinkedList", "write `Vec<T>` or `VecDeque<T>`"),
    ("BinaryHeap", "write `Vec<T>`"),
    ("OsString", "write `PathBuf`, which is a text, or `Bytes`"),
    ("CString", "write `String` or `Bytes`"),
    ("AtomicBool", "write `bool`"),
    ("AtomicI8", "write `i8`"),
    ("AtomicI16", "write `i16`"),
    ("AtomicI32", "write `i32`"),
    ("AtomicI64", "write `i64`"),
    ("AtomicIsize", "write `isize`"),
    ("AtomicU8", "write `u8`"),
    ("AtomicU16", "write `u16`"),
    ("AtomicU32", "write `u32`"),
    ("AtomicU64", "write `u64`"),
    ("AtomicUsize", "write `usize`"),
];

/// Refuses fields that borrow for `'static` in a type that is read.
pub fn check_borrowed(input: &DeriveInput) -> syn::Result<()> {
    if Attributes::of_type(&input.attrs)?.encode_only {
        return Ok(());
    }
    match &input.data {
        Data::Struct(data) => check_fields(&data.fields),
        Data::Enum(data) => data.variants.iter().try_for_each(|variant| check_fields(&variant.fields)),
        Data::Union(_) => Ok(()),
    }
}

fn check_fields(fields: &Fields) -> syn::Result<()> {
    let read = |field: &&Field| Attributes::of_field(&field.attrs).is_ok_and(|said| !said.skip && said.with.is_none());
    fields.iter().filter(read).try_for_each(|field| check_static(&field.ty))
}

fn check_static(ty: &Type) -> syn::Result<()> {
    match ty {
        Type::Reference(reference) if reference.mutability.is_some() => refuse(ty, MUTABLE),
        Type::Reference(reference) if matches!(*reference.elem, Type::Slice(_)) => refuse(ty, SLICE),
        Type::Reference(reference) if reference.lifetime.as_ref().is_some_and(is_static) => refuse(ty, STATIC),
        Type::Path(path) => path.path.segments.iter().try_for_each(|segment| {
            // Other types of the program may be read for any lifetime.
            if segment.ident == "Cow" && lifetimes(segment).any(is_static) {
                return refuse(ty, STATIC);
            }
            arguments(segment).into_iter().try_for_each(check_static)
        }),
        Type::Reference(reference) => check_static(&reference.elem),
        Type::Group(group) => check_static(&group.elem),
        Type::Paren(paren) => check_static(&paren.elem),
        Type::Slice(slice) => check_static(&slice.elem),
        Type::Array(array) => check_static(&array.elem),
        Type::Tuple(tuple) => tuple.elems.iter().try_for_each(check_static),
        _ => Ok(()),
    }
}

fn is_static(lifetime: &Lifetime) -> bool {
    lifetime.ident == "static"
}

fn lifetimes(segment: &PathSegment) -> impl Iterator<Item = &Lifetime> {
    let found = match &segment.arguments {
        PathArguments::AngleBracketed(arguments) => Some(&arguments.args),
        _ => None,
    };
    found.into_iter().flatten().filter_map(|argument| match argument {
        GenericArgument::Lifetime(lifetime) => Some(lifetime),
        _ => None,
    })
}

/// Refuses a field's type that has no schema.
pub fn check(ty: &Type) -> syn::Result<()> {
    match ty {
        Type::Path(path) => path.path.segments.iter().try_for_each(|segment| check_segment(ty, segment)),
        Type::Reference(reference) => check(&reference.elem),
        Type::Group(group) => check(&group.elem),
        Type::Paren(paren) => check(&paren.elem),
        Type::Slice(slice) => check(&slice.elem),
        Type::Array(array) => check(&array.elem),
        Type::Tuple(tuple) if tuple.elems.is_empty() => refuse(ty, format!("`()` {SKIP}")),
        Type::Tuple(tuple) => tuple.elems.iter().try_for_each(check),
        Type::BareFn(_) => refuse(ty, format!("a function {SKIP}")),
        Type::Ptr(_) => refuse(ty, format!("a raw pointer {EITHER}")),
        Type::TraitObject(_) => refuse(ty, format!("a trait object {EITHER}")),
        _ => Ok(()),
    }
}

fn refuse(ty: &impl ToTokens, text: impl Into<String>) -> syn::Result<()> {
    Err(Error::new_spanned(ty, text.into()))
}

fn check_segment(ty: &Type, segment: &PathSegment) -> syn::Result<()> {
    let arguments = arguments(segment);
    match segment.ident.to_string().as_str() {
        // A struct of the program may be called so, too.
        "Result" if arguments.len() == 2 => return refuse(ty, RESULT),
        "PhantomData" if arguments.len() == 1 => return refuse(ty, format!("PhantomData {SKIP}")),
        "HashMap" | "BTreeMap" if arguments.len() > 1 => check_key(arguments[0])?,
        "HashSet" | "BTreeSet" if !arguments.is_empty() => check_key(arguments[0])?,
        "Rc" | "Arc" if arguments.len() == 1 => check_shared(arguments[0], &segment.ident)?,
        "Option" if arguments.iter().any(|inner| is_option(inner)) => return refuse(ty, OPTION),
        _ => {}
    }
    if let Some((name, instead)) = FOREIGN.iter().find(|(name, _)| segment.ident == name) {
        return refuse(ty, format!("{name} has no schema: {instead}, or leave the field out by `#[pack(skip)]`"));
    }
    arguments.into_iter().try_for_each(check)
}

/// The last name in a type that is a path.
fn last_name(ty: &Type) -> String {
    match ty {
        Type::Path(path) => path.path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default(),
        _ => String::new(),
    }
}

/// Refuses the key of a map or set that cannot be one.
fn check_key(ty: &Type) -> syn::Result<()> {
    let name = match ty {
        Type::Tuple(_) => "a tuple".into(),
        Type::Array(_) => "an array".into(),
        _ => last_name(ty),
    };
    match name.as_str() {
        "a tuple" | "an array" | "f32" | "f64" | "Vec" | "Option" | "BTreeSet" | "PathBuf" => {
            refuse(ty, format!("{name} {KEY}"))
        }
        _ => Ok(()),
    }
}

/// Refuses what cannot stand behind an `Rc` or `Arc`.
fn check_shared(ty: &Type, pointer: &Ident) -> syn::Result<()> {
    let instead = match last_name(ty).as_str() {
        "String" => format!("`{pointer}<str>`"),
        "Vec" => format!("`{pointer}<[T]>`"),
        "bool" | "char" | "f32" | "f64" | "i8" | "i16" | "i32" | "i64" | "i128" | "isize" | "u8" | "u16" | "u32"
        | "u64" | "u128" | "usize" | "Option" | "HashMap" | "HashSet" | "BTreeMap" | "BTreeSet" => {
            "the type itself, or a `Box`".into()
        }
        _ => return Ok(()),
    };
    refuse(ty, format!("{SHARED}: write {instead}, or a struct that holds it"))
}

fn arguments(segment: &PathSegment) -> Vec<&Type> {
    let PathArguments::AngleBracketed(arguments) = &segment.arguments else { return Vec::new() };
    let types = arguments.args.iter().filter_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    });
    types.collect()
}

fn is_option(ty: &Type) -> bool {
    match ty {
        Type::Path(path) => path.path.segments.last().is_some_and(|last| match last.ident.to_string().as_str() {
            "Option" => arguments(last).len() == 1,
            "Box" => arguments(last).into_iter().any(is_option),
            _ => false,
        }),
        _ => false,
    }
}

/// Implementations of all traits for a type that is refused, so that the compiler does not complain of each use of it too.
pub fn stand_in(input: &DeriveInput) -> TokenStream {
    let bounds = Bounds::of(input);
    let lifetime = &bounds.lifetime;
    let name = input.ident.to_string();
    let pack = implementation(&bounds.pack, quote!(__pack::Pack), input);
    let record = implementation(&bounds.pack, quote!(__pack::Record), input);
    let key = implementation(&bounds.pack, quote!(__pack::Key), input);
    let unpack = implementation(&bounds.unpack, quote!(__pack::Unpack<#lifetime>), input);
    let unpack_record = implementation(&bounds.unpack, quote!(__pack::UnpackRecord<#lifetime>), input);
    let never = quote!(::core::unreachable!());
    scope(quote! {
        #pack {
            const LINKS: usize = 0;
            fn describe(_: &mut __pack::Describe) {}
            fn write(&self, _: &mut __pack::Output, _: usize) -> ::core::result::Result<(), __pack::Fault> { #never }
        }
        #record {
            const NAME: &'static ::core::primitive::str = #name;
            fn write_record(&self, _: &mut __pack::Output, _: __pack::Link) -> ::core::result::Result<(), __pack::Fault> { #never }
        }
        #key {
            fn order(&self, _: &Self) -> __pack::Ordering { #never }
            fn feed<H: ::core::hash::Hasher>(&self, _: &mut H) {}
        }
        #unpack {
            type Column = __pack::IntoIter<Self>;
            fn read(_: &mut __pack::Input<#lifetime, '_>, _: usize) -> ::core::result::Result<Self, __pack::Fault> { #never }
            fn read_column(_: &mut __pack::Input<#lifetime, '_>, _: usize, _: usize) -> ::core::result::Result<Self::Column, __pack::Fault> { #never }
        }
        #unpack_record {
            type Columns = ();
            fn read_record(_: &mut __pack::Input<#lifetime, '_>, _: __pack::Link) -> ::core::result::Result<Self, __pack::Fault> { #never }
            fn read_columns(_: &mut __pack::Input<#lifetime, '_>, _: __pack::Link, _: usize) -> ::core::result::Result<Self::Columns, __pack::Fault> { #never }
            fn next_of(_: &mut Self::Columns) -> ::core::option::Option<Self> { #never }
            fn resolve_record(_: &mut __pack::Input<#lifetime, '_>, _: &__pack::ResolutionPlan, _: usize) -> ::core::result::Result<Self, __pack::Fault> { #never }
        }
    })
}
