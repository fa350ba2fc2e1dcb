//! `#[pack(…)]`, and generics.

use crate::case::Case;
use proc_macro2::TokenStream;
use quote::{quote, ToTokens};
use std::collections::BTreeSet;
use syn::{parse_quote, Attribute, DeriveInput, Expr, GenericParam, Generics, Ident, Lifetime, LitStr, Type};

/// The attributes of a type, a variant or a field.
#[derive(Default)]
pub struct Attributes {
    pub name: Option<String>,
    pub aliases: Vec<String>,
    pub default: Option<Expr>,
    pub encode_only: bool,
    pub with: Option<Type>,
    pub fallback: bool,
    pub skip: bool,
    pub rename_all: Option<Case>,
}

/// What attributes stand before.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Type,
    Variant,
    Field,
}

impl Attributes {
    pub fn of_type(attributes: &[Attribute]) -> syn::Result<Self> {
        Attributes::read(attributes, Place::Type)
    }

    pub fn of_field(attributes: &[Attribute]) -> syn::Result<Self> {
        let found = Attributes::read(attributes, Place::Field)?;
        if found.skip && (found.name.is_some() || !found.aliases.is_empty() || found.with.is_some()) {
            let skipped = attributes.iter().find(|attribute| attribute.path().is_ident("pack"));
            return Err(syn::Error::new_spanned(skipped, "a field that is skipped has no name, alias or converter"));
        }
        Ok(found)
    }

    /// The attributes of a variant, which may be the fallback.
    pub fn of_variant(attributes: &[Attribute]) -> syn::Result<Self> {
        Attributes::read(attributes, Place::Variant)
    }

    fn read(attributes: &[Attribute], place: Place) -> syn::Result<Self> {
        let mut found = Attributes::default();
        for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("pack")) {
            attribute.parse_nested_meta(|meta| {
                if meta.path.is_ident("name") {
                    found.name = Some(meta.value()?.parse::<LitStr>()?.value());
                } else if meta.path.is_ident("alias") {
                    found.aliases.push(meta.value()?.parse::<LitStr>()?.value());
                } else if meta.path.is_ident("default") {
                    found.default = Some(match meta.value() {
                        Ok(value) => value.parse()?,
                        Err(_) => parse_quote!(::core::default::Default::default()),
                    });
                } else if meta.path.is_ident("with") {
                    found.with = Some(meta.value()?.parse()?);
                } else if meta.path.is_ident("encode_only") {
                    found.encode_only = true;
                } else if meta.path.is_ident("fallback") {
                    if place != Place::Variant {
                        return Err(meta.error("`fallback` belongs to a variant of an enum"));
                    }
                    found.fallback = true;
                } else if meta.path.is_ident("skip") {
                    if place != Place::Field {
                        return Err(meta.error("`skip` belongs to a field with a name"));
                    }
                    found.skip = true;
                } else if meta.path.is_ident("rename_all") {
                    if place == Place::Field {
                        return Err(meta.error("`rename_all` belongs to a type or a variant; one field has `name`"));
                    }
                    found.rename_all = Some(Case::of(&meta.value()?.parse::<LitStr>()?)?);
                } else {
                    if meta.path.is_ident("rename") {
                        return Err(meta.error("`rename` is `name` here, as in `#[pack(name = \"…\")]`"));
                    }
                    let came = meta.path.get_ident().map_or_else(|| "a path".into(), |ident| format!("`{ident}`"));
                    let text = format!(
                        "expected name, alias, default, with, skip, rename_all, fallback or encode_only, got {came}"
                    );
                    return Err(meta.error(text));
                }
                Ok(())
            })?;
        }
        Ok(found)
    }

    /// Refuses a field without a name that is skipped, or has a converter: the schema sees the field as the whole.
    pub fn refuse_converter(attributes: &[Attribute]) -> syn::Result<()> {
        let found = Attributes::of_field(attributes)?;
        if found.skip {
            return Err(syn::Error::new_spanned(&attributes[0], "`skip` belongs to a field with a name"));
        }
        match found.with {
            Some(with) => Err(syn::Error::new_spanned(
                with,
                "a converter stands before a field with a name; elsewhere the type is As<T, C>",
            )),
            None => Ok(()),
        }
    }
}

/// Refuses names that cannot stand beside one another: each is said once, in 1 to 255 UTF-16 code units.
pub fn check_names<'n>(names: impl IntoIterator<Item = &'n String>, at: &impl ToTokens) -> syn::Result<()> {
    let mut seen = BTreeSet::new();
    for name in names {
        if name.is_empty() || name.encode_utf16().count() > 255 {
            return Err(syn::Error::new_spanned(at, "a name has 1 to 255 UTF-16 code units"));
        }
        if !seen.insert(name) {
            return Err(syn::Error::new_spanned(
                at,
                format!("{name:?} is repeated, as a name or an alias: rename one"),
            ));
        }
    }
    Ok(())
}

/// The name in the schema: the one given, or the Rust name without `r#`.
pub fn schema_name(given: Option<String>, ident: &Ident) -> String {
    spelled_name(given, ident, str::to_owned)
}

/// The name in the schema: the one given, or the Rust name without `r#` as `spell` writes it.
pub fn spelled_name(given: Option<String>, ident: &Ident, spell: impl FnOnce(&str) -> String) -> String {
    given.unwrap_or_else(|| {
        let plain = ident.to_string();
        spell(plain.strip_prefix("r#").unwrap_or(&plain))
    })
}

/// The name of a variant whose enum may spell its variants in another way.
pub fn variant_name(given: Option<String>, ident: &Ident, case: Option<Case>) -> String {
    spelled_name(given, ident, |name| case.map_or_else(|| name.to_owned(), |case| case.variant(name)))
}

/// A type's generics, for the implementations of both directions.
pub struct Bounds {
    pub pack: Generics,
    pub unpack: Generics,
    /// The lifetime of the message.
    pub lifetime: Lifetime,
}

impl Bounds {
    pub fn of(input: &DeriveInput) -> Self {
        let mut pack = input.generics.clone();
        let mut unpack = input.generics.clone();
        let lifetime: Lifetime = parse_quote!('__message);
        unpack.params.insert(0, GenericParam::Lifetime(parse_quote!(#lifetime)));
        let own: Vec<Lifetime> = input.generics.lifetimes().map(|param| param.lifetime.clone()).collect();
        let clause = unpack.make_where_clause();
        for name in &own {
            // What lives in the message lives as long as the message, no more and no less.
            clause.predicates.push(parse_quote!(#lifetime: #name));
            clause.predicates.push(parse_quote!(#name: #lifetime));
        }
        for name in input.generics.type_params().map(|param| &param.ident) {
            pack.make_where_clause().predicates.push(parse_quote!(#name: ::samewire_pack::Pack));
            unpack.make_where_clause().predicates.push(parse_quote!(#name: ::samewire_pack::Unpack<#lifetime>));
        }
        Bounds { pack, unpack, lifetime }
    }
}

/// Generated items in a scope of their own. They name everything through one module: a glob would hide the user's types.
pub fn scope(items: TokenStream) -> TokenStream {
    quote! {
        const _: () = {
            use ::samewire_pack::derived as __pack;
            #items
        };
    }
}

/// The start of an implementation of one of the two directions.
pub fn implementation(generics: &Generics, of: TokenStream, input: &DeriveInput) -> TokenStream {
    let ident = &input.ident;
    let (own, _, clause) = generics.split_for_impl();
    let (_, arguments, _) = input.generics.split_for_impl();
    quote!(#[automatically_derived] impl #own #of for #ident #arguments #clause)
}
