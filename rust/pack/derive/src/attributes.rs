//! `#[pack(…)]`, and generics.

use proc_macro2::TokenStream;
use quote::quote;
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
}

impl Attributes {
    pub fn of(attributes: &[Attribute]) -> syn::Result<Self> {
        Attributes::read(attributes, false)
    }

    /// The attributes of a variant, which may be the fallback.
    pub fn of_variant(attributes: &[Attribute]) -> syn::Result<Self> {
        Attributes::read(attributes, true)
    }

    fn read(attributes: &[Attribute], variant: bool) -> syn::Result<Self> {
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
                    if !variant {
                        return Err(meta.error("`fallback` belongs to a variant of an enum"));
                    }
                    found.fallback = true;
                } else {
                    let came = meta.path.get_ident().map_or_else(|| "a path".into(), |ident| format!("`{ident}`"));
                    let text = format!("expected name, alias, default, with, fallback or encode_only, got {came}");
                    return Err(meta.error(text));
                }
                Ok(())
            })?;
        }
        Ok(found)
    }

    /// Refuses a converter of a field without a name: the schema sees the field as the whole.
    pub fn refuse_converter(attributes: &[Attribute]) -> syn::Result<()> {
        match Attributes::of(attributes)?.with {
            Some(with) => Err(syn::Error::new_spanned(
                with,
                "a converter stands before a field with a name; elsewhere the type is As<T, C>",
            )),
            None => Ok(()),
        }
    }
}

/// The name in the schema: the one given, or the Rust name without `r#`.
pub fn schema_name(given: Option<String>, ident: &Ident) -> String {
    given.unwrap_or_else(|| {
        let plain = ident.to_string();
        plain.strip_prefix("r#").unwrap_or(&plain).to_owned()
    })
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

/// The start of an implementation of one of the two directions.
pub fn implementation(generics: &Generics, of: TokenStream, input: &DeriveInput) -> TokenStream {
    let ident = &input.ident;
    let (own, _, clause) = generics.split_for_impl();
    let (_, arguments, _) = input.generics.split_for_impl();
    quote!(#[automatically_derived] impl #own #of for #ident #arguments #clause)
}
