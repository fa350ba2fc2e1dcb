//! The derive macro of `samewire-pack`.

mod attributes;
mod case;
mod choice;
#[cfg(test)]
mod golden;
#[cfg(test)]
mod mistakes;
mod newtype;
mod record;
mod refused;
mod symbols;

use proc_macro::TokenStream;
use syn::{parse_macro_input, Data, DeriveInput, Fields};

/// Derives what `samewire_pack::Codec` needs.
///
/// - A struct with named fields is a `struct`; a type parameter must be `Pack`. With lifetimes, all are that of the
///   message: `struct Book<'a> { name: &'a str }` is read without copying. A struct of one unnamed field is that field.
/// - An enum of unit variants is an `enum`.
/// - An enum with data is a `union`. A variant with named fields, or a unit variant among such, is a struct of its own. A
///   variant of one unnamed field is the struct in it. Any other value there is the field `value` of a struct of the
///   variant's name: `enum Value { Int(i32), Text(String) }` is `union { struct Int { value: i32 }, struct Text { value:
///   string } }`; `#[pack(name = "…")]` before the value gives the field another name. Variants of one name in two enums
///   of a module are one struct, so they must have the same fields, or another `name`.
///
/// Attributes:
/// - `#[pack(name = "…")]` on a type, a variant or a field: its name in the schema;
/// - `#[pack(alias = "…")]` on a type or a field, once or several times: names that it has in other writers' schemas, of
///   which the first that the writer has counts if it has not the name itself;
/// - `#[pack(default)]` or `#[pack(default = expression)]` on a field: its value where a writer with an older schema does
///   not have it;
/// - `#[pack(skip)]` on a field with a name: the schema does not have it; it is read as its `Default`, or as what
///   `#[pack(skip, default = expression)]` says;
/// - `#[pack(rename_all = "camelCase")]` on a type, or on a variant for its fields: how fields, or the variants of an enum, are
///   spelled in the schema: `lowercase`, `UPPERCASE`, `PascalCase`, `camelCase`, `snake_case`, `SCREAMING_SNAKE_CASE`,
///   `kebab-case` or `SCREAMING-KEBAB-CASE`, as in serde; a `name` goes before it;
/// - `#[pack(with = AsText)]` on a field with a name: the `Converter` that writes it as another type;
/// - `#[pack(fallback)]` on one variant: what is read where a writer has a symbol or member that the enum lacks, unless it
///   is the key of a set or map. In an enum with data it has no fields, or the one field `name`, which takes the name of
///   the writer's member: a `String`, `Box<str>` or `Cow<str>`;
/// - `#[pack(encode_only)]` on a type that cannot be read, as one that holds slices of structs.
#[proc_macro_derive(Pack, attributes(pack))]
pub fn derive_pack(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    let refused = |error: syn::Error| [error.to_compile_error(), refused::stand_in(&input)].into_iter().collect();
    expand(&input).unwrap_or_else(refused).into()
}

fn expand(input: &DeriveInput) -> syn::Result<proc_macro2::TokenStream> {
    refused::check_borrowed(input)?;
    let refused = |text| Err(syn::Error::new_spanned(&input.ident, text));
    match &input.data {
        Data::Struct(data) => match &data.fields {
            Fields::Named(fields) => record::structure(input, fields),
            Fields::Unnamed(fields) if fields.unnamed.len() == 1 => newtype::newtype(input, &fields.unnamed[0]),
            Fields::Unnamed(_) => {
                refused("a struct with several unnamed fields has no names for the schema: use a tuple")
            }
            Fields::Unit => record::unit(input),
        },
        Data::Enum(data) if data.variants.is_empty() => refused("an enum without variants has no values"),
        Data::Enum(data) if data.variants.iter().all(|variant| matches!(variant.fields, Fields::Unit)) => {
            symbols::enumeration(input, data)
        }
        Data::Enum(data) => choice::union(input, data),
        Data::Union(_) => refused("a Rust union cannot be packed"),
    }
}
