//! Structs.

use crate::attributes::{check_names, implementation, schema_name, scope, spelled_name, Attributes, Bounds};
use crate::case::Case;
use crate::refused;
use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use std::ops::Deref;
use syn::spanned::Spanned;
use syn::{parse_quote, DeriveInput, Expr, Field, FieldsNamed, Ident, Index, Lifetime, Member, Type};

/// A field as the generated code needs it.
pub struct Part {
    /// The Rust field: its name, or the place of a variant's value.
    member: Member,
    /// A local variable for it.
    local: Ident,
    /// Its type; with a converter, the one that stands for both.
    ty: Type,
    converted: bool,
    /// Its name in the schema.
    name: String,
    aliases: Vec<String>,
    default: Option<Expr>,
}

impl Part {
    /// A reference to the field as one to a value of `ty`.
    fn borrowed(&self, reference: TokenStream) -> TokenStream {
        let ty = &self.ty;
        if self.converted {
            quote!(<#ty>::of(#reference))
        } else {
            reference
        }
    }

    /// A value of `ty` as the field.
    fn owned(&self, value: TokenStream) -> TokenStream {
        if self.converted {
            quote!(#value.value)
        } else {
            value
        }
    }
}

/// All fields of a struct or a variant: those of the schema, and others.
#[derive(Default)]
pub struct Parts {
    packed: Vec<Part>,
    /// The Rust fields that the schema does not have, and what they are read as.
    skipped: Vec<(Ident, Expr)>,
}

impl Parts {
    /// Whether a fallback may have these fields: none, or `name`.
    pub fn are_of_fallback(&self) -> bool {
        match &self.packed[..] {
            [] => true,
            [part] => part.name == "name",
            _ => false,
        }
    }
}

/// The fields of the schema.
impl Deref for Parts {
    type Target = [Part];

    fn deref(&self) -> &[Part] {
        &self.packed
    }
}

impl Parts {
    /// The skipped fields of a value that is made.
    fn skipped(&self) -> TokenStream {
        let fields = self.skipped.iter().map(|(ident, value)| quote!(#ident: #value));
        quote!(#(#fields),*)
    }
}

pub fn parts(fields: &FieldsNamed, case: Option<Case>) -> syn::Result<Parts> {
    let mut parts = Parts::default();
    for field in &fields.named {
        let ident = field.ident.as_ref().ok_or_else(|| syn::Error::new_spanned(field, "a field without a name"))?;
        let attributes = Attributes::of_field(&field.attrs)?;
        if attributes.skip {
            let value = attributes.default.unwrap_or_else(|| parse_quote!(::core::default::Default::default()));
            parts.skipped.push((ident.clone(), value));
            continue;
        }
        let spell = |name: &str| case.map_or_else(|| name.to_owned(), |case| case.field(name));
        let name = spelled_name(attributes.name.clone(), ident, spell);
        parts.packed.push(made(parts.len(), field, attributes, name, Member::Named(ident.clone()))?);
        check_names(parts.iter().flat_map(|part| [&part.name].into_iter().chain(&part.aliases)), ident)?;
    }
    Ok(parts)
}

/// The one unnamed field of a variant, in the schema a field called `value`.
pub fn value(field: &Field) -> syn::Result<Parts> {
    let attributes = Attributes::of_field(&field.attrs)?;
    let name = attributes.name.clone().unwrap_or_else(|| "value".into());
    let part = made(0, field, attributes, name, Member::Unnamed(Index::from(0)))?;
    Ok(Parts { packed: vec![part], skipped: Vec::new() })
}

fn made(i: usize, field: &Field, attributes: Attributes, name: String, member: Member) -> syn::Result<Part> {
    let field_type = &field.ty;
    let ty = match &attributes.with {
        Some(converter) => parse_quote!(__pack::As<#field_type, #converter>),
        None => {
            refused::check(field_type)?;
            field_type.clone()
        }
    };
    Ok(Part {
        converted: attributes.with.is_some(),
        ty,
        name,
        aliases: attributes.aliases,
        member,
        local: format_ident!("__field{i}"),
        default: attributes.default,
    })
}

/// The body of `Describe::structure`'s closure.
pub fn describe(parts: &[Part]) -> TokenStream {
    let fields = parts.iter().map(|Part { name, ty, default, aliases, .. }| {
        let defaulted = default.is_some();
        quote!(to.field(#name, <#ty as __pack::Pack>::describe, #defaulted, &[#(#aliases),*]);)
    });
    quote!(#(#fields)*)
}

/// Patterns that bind every field of the schema to its local variable.
pub fn bind(parts: &Parts) -> TokenStream {
    let pairs = parts.iter().map(|Part { member, local, .. }| quote!(#member: #local));
    let rest = if parts.skipped.is_empty() { quote!() } else { quote!(..) };
    quote!({ #(#pairs,)* #rest })
}

/// Fields that are their local variables, or skipped.
pub fn make(parts: &Parts) -> TokenStream {
    let pairs = parts.iter().map(|Part { member, local, .. }| quote!(#member: #local));
    let skipped = parts.skipped();
    quote!({ #(#pairs,)* #skipped })
}

/// Writes the row; every local variable holds a reference to its field.
pub fn write(parts: &[Part]) -> TokenStream {
    let flags = parts.iter().map(|part| {
        let Part { local, ty, .. } = part;
        let value = part.borrowed(quote!(#local));
        quote!(flags.add(<#ty as __pack::Pack>::FLAGGED, <#ty as __pack::Pack>::flag(#value), out);)
    });
    let slots = parts.iter().map(|part| {
        let Part { local, ty, name, .. } = part;
        let value = part.borrowed(quote!(#local));
        quote! {
            if <#ty as __pack::Pack>::write(#value, out, at).is_err() {
                return ::core::result::Result::Err(out.inside(__pack::Segment::Field(#name)));
            }
            let at = at + <#ty as __pack::Pack>::LINKS;
        }
    });
    quote! {
        if link.recursive() {
            out.enter()?;
            out.charge(link.row_cells())?;
        }
        let mut flags = __pack::Flags::default();
        #(#flags)*
        flags.end(out);
        let at = link.base();
        #(#slots)*
        let _ = at;
        if link.recursive() {
            out.leave();
        }
        ::core::result::Result::Ok(())
    }
}

/// The number of flagged slots.
fn flagged(parts: &[Part]) -> TokenStream {
    let flagged = parts.iter().map(|Part { ty, .. }| quote!(+ <#ty as __pack::Pack>::FLAGGED as usize));
    quote!(0 #(#flagged)*)
}

/// Whether all fields are of fast types, and their flags fit a word.
fn fast(parts: &[Part]) -> TokenStream {
    let fields = parts.iter().map(|Part { ty, .. }| quote!(<#ty as __pack::Pack>::FAST));
    let flagged = flagged(parts);
    quote!(#(#fields)&&* && #flagged <= 64)
}

/// Writes the row through the fast writer; every local variable holds a reference to its field.
fn write_fast(parts: &[Part]) -> TokenStream {
    let slots = parts.iter().map(|part| {
        let Part { local, ty, .. } = part;
        let value = part.borrowed(quote!(#local));
        quote! {
            <#ty as __pack::Pack>::write_fast(#value, to, at);
            let at = at + <#ty as __pack::Pack>::LINKS;
        }
    });
    let flags = parts.iter().map(|part| {
        let Part { local, ty, .. } = part;
        let value = part.borrowed(quote!(#local));
        quote!(flags.put(<#ty as __pack::Pack>::FLAGGED, <#ty as __pack::Pack>::flag(#value));)
    });
    quote! {
        let mut flags = __pack::Flags::default();
        #(#flags)*
        to.flags(flags);
        let at = to.link(at).base();
        #(#slots)*
        let _ = at;
    }
}

/// Shows the texts of the row; every local variable holds a reference to its field.
fn each_text(parts: &[Part]) -> TokenStream {
    let slots = parts.iter().map(|part| {
        let Part { local, ty, .. } = part;
        let value = part.borrowed(quote!(#local));
        quote! {
            <#ty as __pack::Pack>::each_text(#value, links, at, to);
            let at = at + <#ty as __pack::Pack>::LINKS;
        }
    });
    quote! {
        let at = links[at].base();
        #(#slots)*
        let _ = at;
    }
}

/// Whether the dedup slots of all texts are disabled.
fn dedup_disabled(parts: &[Part]) -> TokenStream {
    let slots = parts.iter().map(|Part { ty, .. }| {
        quote! {
            let disabled = disabled && <#ty as __pack::Pack>::dedup_disabled(out, at);
            let at = at + <#ty as __pack::Pack>::LINKS;
        }
    });
    quote! {
        let (disabled, at) = (true, out.link(at).base());
        #(#slots)*
        let _ = at;
        disabled
    }
}

/// Reads the row into the local variables.
pub fn read(parts: &[Part]) -> TokenStream {
    let flagged = flagged(parts);
    let slots = parts.iter().map(|part| {
        let Part { local, ty, .. } = part;
        let value = part.owned(quote!(<#ty as __pack::Unpack<'__message>>::read_flagged(input, at, flag)?));
        quote! {
            let flag = if <#ty as __pack::Pack>::FLAGGED { flags.next() } else { true };
            let #local = #value;
            let at = at + <#ty as __pack::Pack>::LINKS;
        }
    });
    quote! {
        if link.recursive() {
            let start = input.position();
            input.enter(start)?;
            input.charge_here(link.row_cells())?;
        }
        let mut flags = input.row_flags(#flagged)?;
        let at = link.base();
        #(#slots)*
        let _ = (at, &mut flags);
        if link.recursive() {
            input.leave();
        }
    }
}

/// Reads the row through the fast reader.
fn read_fast(parts: &Parts) -> TokenStream {
    let slots = parts.iter().map(|part| {
        let Part { local, ty, .. } = part;
        let value = part.owned(quote!(<#ty as __pack::Unpack<'__message>>::read_fast_flagged(from, flag)?));
        quote! {
            let flag = if <#ty as __pack::Pack>::FLAGGED {
                let flag = flags & 1 == 1;
                flags >>= 1;
                flag
            } else {
                true
            };
            let #local = #value;
        }
    });
    let (make, flagged) = (make(parts), flagged(parts));
    quote! {
        let mut flags = from.flags(#flagged)?;
        #(#slots)*
        let _ = flags;
        ::core::option::Option::Some(Self #make)
    }
}

/// Reads the row of another schema into the local variables.
///
/// The type of a field that cannot be decoded is named first and alone, and then in every call that depends on it: so the
/// compiler complains of the field once, not of each call.
pub fn resolve(parts: &[Part]) -> TokenStream {
    let locals: Vec<_> = parts.iter().map(|part| &part.local).collect();
    let types: Vec<_> = parts.iter().map(|part| &part.ty).collect();
    let names: Vec<_> = parts.iter().map(|part| &part.name).collect();
    let indices = 0..parts.len();
    let values = parts.iter().map(|part| {
        let Part { local, ty, default, .. } = part;
        let value = part.owned(quote!(value));
        let missing = match default {
            Some(default) => quote! {
                match __pack::member_name::<#ty>(made) {
                    ::core::option::Option::Some(value) => #value,
                    ::core::option::Option::None => #default,
                }
            },
            None => quote! {
                match __pack::missing::<#ty>(made) {
                    ::core::option::Option::Some(value) => #value,
                    ::core::option::Option::None => {
                        let at = input.position();
                        return ::core::result::Result::Err(input.fail(__pack::Code::SchemaMismatch, at));
                    }
                }
            },
        };
        quote! {
            let #local = match #local {
                ::core::option::Option::Some(value) => #value,
                ::core::option::Option::None => #missing,
            };
        }
    });
    quote! {
        #(
            let _ = <#types as __pack::Unpack<'__message>>::missing;
            let mut #locals = ::core::option::Option::<#types>::None;
        )*
        let made = &plan.structs()[structure];
        if made.recursive {
            let start = input.position();
            input.enter(start)?;
            input.charge_here(made.row_cells.into())?;
        }
        let mut flags = input.row_flags(made.flags)?;
        for (place, field) in made.fields.iter().enumerate() {
            let slot = if field.flagged { __pack::Slot::Flag(flags.next()) } else { __pack::Slot::Present };
            match field.target {
                #(::core::option::Option::Some((#indices, step)) => match __pack::resolve_field::<#types>(input, plan, step, slot) {
                    ::core::result::Result::Ok(value) => #locals = value,
                    ::core::result::Result::Err(_) => return ::core::result::Result::Err(input.inside(__pack::Segment::Field(#names))),
                },)*
                _ => input.skip(plan, structure, place, !::core::matches!(slot, __pack::Slot::Flag(false)))?,
            }
        }
        if made.recursive {
            input.leave();
        }
        #(#values)*
    }
}

/// Writes the columns of all fields of the structs that `values` hands out.
fn write_columns(parts: &[Part]) -> TokenStream {
    let columns = parts.iter().map(|part| {
        let Part { member, ty, name, .. } = part;
        let field = part.borrowed(quote!(&value.#member));
        quote! {
            if <#ty as __pack::Pack>::write_column(values.clone().map(|value| #field), out, at).is_err() {
                return ::core::result::Result::Err(out.inside(__pack::Segment::Field(#name)));
            }
            let at = at + <#ty as __pack::Pack>::LINKS;
        }
    });
    quote! {
        let at = link.base();
        #(#columns)*
        let _ = at;
        ::core::result::Result::Ok(())
    }
}

/// Reads the columns of all fields.
fn read_columns(parts: &[Part], lifetime: &Lifetime) -> TokenStream {
    let locals: Vec<_> = parts.iter().map(|part| &part.local).collect();
    let columns = parts.iter().map(|Part { local, ty, .. }| {
        quote! {
            let #local = <#ty as __pack::Unpack<#lifetime>>::read_column(input, at, m)?;
            let at = at + <#ty as __pack::Pack>::LINKS;
        }
    });
    quote! {
        let at = link.base();
        #(#columns)*
        let _ = at;
        ::core::result::Result::Ok(__Columns { #(#locals,)* of: ::core::marker::PhantomData })
    }
}

/// The type of the columns of all fields. It is public, and its fields are not: the fields of a public struct may be of
/// private types.
fn columns(parts: &[Part], bounds: &Bounds, input: &DeriveInput) -> TokenStream {
    let lifetime = &bounds.lifetime;
    let fields = parts
        .iter()
        .map(|Part { local, ty, .. }| quote_spanned!(ty.span()=> #local: <#ty as __pack::Unpack<#lifetime>>::Column));
    let (own, _, clause) = bounds.unpack.split_for_impl();
    let (_, arguments, _) = input.generics.split_for_impl();
    let ident = &input.ident;
    quote! {
        pub struct __Columns #own #clause {
            #(#fields,)*
            of: ::core::marker::PhantomData<(&#lifetime (), fn() -> #ident #arguments)>,
        }
    }
}

/// Makes a struct of the next value of each column.
fn next_of(parts: &Parts) -> TokenStream {
    let fields = parts.iter().map(|part| {
        let (member, local) = (&part.member, &part.local);
        let value = part.owned(quote!(columns.#local.next()?));
        quote!(#member: #value)
    });
    let skipped = parts.skipped();
    quote!(::core::option::Option::Some(Self { #(#fields,)* #skipped }))
}

/// Reads the columns of another schema and makes structs of them.
fn resolve_columns(parts: &Parts) -> TokenStream {
    let locals: Vec<_> = parts.iter().map(|part| &part.local).collect();
    let types: Vec<_> = parts.iter().map(|part| &part.ty).collect();
    let names: Vec<_> = parts.iter().map(|part| &part.name).collect();
    let indices = 0..parts.len();
    let fields = parts.iter().map(|part| {
        let Part { member, local, ty, default, .. } = part;
        let value = part.owned(quote!(value));
        let missing = match default {
            Some(default) => quote!(#default),
            None => part.owned(quote!(<#ty as __pack::Unpack<'__message>>::missing()?)),
        };
        quote! {
            #member: match #local.take() {
                ::core::option::Option::Some(value) => #value,
                ::core::option::Option::None => #missing,
            }
        }
    });
    let skipped = parts.skipped();
    quote! {
        #(
            let _ = <#types as __pack::Unpack<'__message>>::missing;
            let mut #locals = __pack::FieldColumn::<#types>::Missing;
        )*
        for (place, field) in made.fields.iter().enumerate() {
            match field.target {
                #(::core::option::Option::Some((#indices, step)) => match __pack::resolve_field_column::<#types>(input, plan, step, m) {
                    ::core::result::Result::Ok(column) => #locals = column,
                    ::core::result::Result::Err(_) => return ::core::result::Result::Err(input.inside(__pack::Segment::Field(#names))),
                },)*
                _ => input.skip_column(plan, structure, place, m)?,
            }
        }
        let rows = __pack::assemble(m, || ::core::option::Option::Some(Self { #(#fields,)* #skipped }));
        if rows.len() < m {
            let at = input.position();
            return ::core::result::Result::Err(input.fail(__pack::Code::SchemaMismatch, at));
        }
        ::core::result::Result::Ok(rows)
    }
}

pub fn structure(input: &DeriveInput, fields: &FieldsNamed) -> syn::Result<TokenStream> {
    let attributes = Attributes::of_type(&input.attrs)?;
    let parts = parts(fields, attributes.rename_all)?;
    Ok(items(input, attributes, &parts))
}

/// A struct without fields, which may stand only in a union.
pub fn unit(input: &DeriveInput) -> syn::Result<TokenStream> {
    Ok(items(input, Attributes::of_type(&input.attrs)?, &Parts::default()))
}

fn items(input: &DeriveInput, attributes: Attributes, parts: &Parts) -> TokenStream {
    let name = schema_name(attributes.name, &input.ident);
    let aliases = attributes.aliases;
    let bounds = Bounds::of(input);
    let pack = implementation(&bounds.pack, quote!(__pack::Pack), input);
    let record = implementation(&bounds.pack, quote!(__pack::Record), input);
    let (describe, bind, make) = (describe(parts), bind(parts), make(parts));
    let (write, write_columns) = (write(parts), write_columns(parts));
    let quick = if parts.is_empty() {
        quote!()
    } else {
        let (fast, dedup_disabled, each_text, write_fast) =
            (fast(parts), dedup_disabled(parts), each_text(parts), write_fast(parts));
        quote! {
            const FAST: bool = #fast;
            #[inline(always)]
            fn dedup_disabled(out: &__pack::Output, at: usize) -> bool {
                #dedup_disabled
            }
            #[inline(always)]
            fn each_text(&self, links: &[__pack::Link], at: usize, to: &mut impl ::core::ops::FnMut(usize, &::core::primitive::str)) {
                let Self #bind = self;
                #each_text
            }
            #[inline(always)]
            fn write_fast(&self, to: &mut __pack::FastRowWriter<'_>, at: usize) {
                let Self #bind = self;
                #write_fast
            }
        }
    };
    let arguments = input.generics.type_params().map(|param| &param.ident);
    let mut out = quote! {
        #pack {
            const LINKS: usize = 1;
            const ROW: bool = true;
            const MEMBER: ::core::option::Option<&'static ::core::primitive::str> = ::core::option::Option::Some(#name);
            #quick
            fn describe_member(to: &mut __pack::Describe, _: &'static ::core::primitive::str, _: &'static ::core::primitive::str, _: &[&::core::primitive::str]) {
                <Self as __pack::Pack>::describe(to);
            }
            #[inline]
            fn write_member(&self, out: &mut __pack::Output, link: __pack::Link) -> ::core::result::Result<(), __pack::Fault> {
                __pack::Record::write_record(self, out, link)
            }
            fn describe(to: &mut __pack::Describe) {
                to.structure(#name, &[#(<#arguments as __pack::Pack>::describe),*], __pack::type_name::<Self>(), &[#(#aliases),*], |to| { #describe });
            }
            #[inline(always)]
            fn slot_cells(links: &[__pack::Link], at: usize) -> u64 {
                links[at].slot_cells()
            }
            #[inline(always)]
            fn least_cells(links: &[__pack::Link], at: usize) -> u64 {
                links[at].row_cells()
            }
            #[inline(always)]
            fn present_cells(links: &[__pack::Link], at: usize) -> u64 {
                links[at].present_cells()
            }
            #[inline]
            fn write(&self, out: &mut __pack::Output, at: usize) -> ::core::result::Result<(), __pack::Fault> {
                let link = out.link(at);
                __pack::Record::write_record(self, out, link)
            }
            #[inline]
            fn write_row<'__values, __Values>(row: __Values, out: &mut __pack::Output, at: usize, segment: fn(usize) -> __pack::Segment<'static>) -> ::core::result::Result<(), __pack::Fault>
            where
                Self: '__values,
                __Values: ::core::iter::ExactSizeIterator<Item = &'__values Self> + ::core::clone::Clone,
            {
                __pack::write_row(row, out, at, segment)
            }
            fn width(links: &[__pack::Link], at: usize) -> usize {
                links[at].width()
            }
            fn is_flat(links: &[__pack::Link], at: usize) -> bool {
                !links[at].recursive()
            }
            fn write_column<'__values, __Values>(values: __Values, out: &mut __pack::Output, at: usize) -> ::core::result::Result<(), __pack::Fault>
            where
                Self: '__values,
                __Values: ::core::iter::ExactSizeIterator<Item = &'__values Self> + ::core::clone::Clone,
            {
                let link = out.link(at);
                if link.recursive() {
                    let mut values = values;
                    return values.try_for_each(|value| __pack::Pack::write(value, out, at));
                }
                #write_columns
            }
        }
        #record {
            const NAME: &'static str = #name;
            #[inline]
            fn write_record(&self, out: &mut __pack::Output, link: __pack::Link) -> ::core::result::Result<(), __pack::Fault> {
                let Self #bind = self;
                #write
            }
        }
    };
    if !attributes.encode_only {
        let lifetime = &bounds.lifetime;
        let unpack = implementation(&bounds.unpack, quote!(__pack::Unpack<#lifetime>), input);
        let unpack_record = implementation(&bounds.unpack, quote!(__pack::UnpackRecord<#lifetime>), input);
        let (read, resolve) = (read(parts), resolve(parts));
        let (read_columns, resolve_columns) = (read_columns(parts, lifetime), resolve_columns(parts));
        let (next_of, columns) = (next_of(parts), columns(parts, &bounds, input));
        let (_, arguments, _) = bounds.unpack.split_for_impl();
        let direct = if parts.is_empty() {
            quote!()
        } else {
            let direct = read_fast(parts);
            quote! {
                #[inline(always)]
                fn read_fast<const __KEEP: bool>(from: &mut __pack::FastRowReader<#lifetime, __KEEP>) -> ::core::option::Option<Self> {
                    #direct
                }
            }
        };
        out.extend(quote! {
            #columns
            #unpack {
                #[inline]
                fn read(input: &mut __pack::Input<#lifetime, '_>, at: usize) -> ::core::result::Result<Self, __pack::Fault> {
                    let link = input.link(at);
                    <Self as __pack::UnpackRecord<#lifetime>>::read_record(input, link)
                }
                #direct
                #[inline]
                fn read_row(input: &mut __pack::Input<#lifetime, '_>, at: usize, count: usize) -> ::core::result::Result<__pack::Vec<Self>, __pack::Fault> {
                    __pack::read_row(input, at, count)
                }
                fn resolve(input: &mut __pack::Input<#lifetime, '_>, plan: &__pack::ResolutionPlan, step: __pack::StepId, _: __pack::Slot) -> ::core::result::Result<Self, __pack::Fault> {
                    let __pack::Action::Struct(structure) = plan.step(step).action else {
                        let at = input.position();
                        return ::core::result::Result::Err(input.fail(__pack::Code::SchemaMismatch, at));
                    };
                    <Self as __pack::UnpackRecord<#lifetime>>::resolve_record(input, plan, structure)
                }
                #[inline]
                fn read_member(input: &mut __pack::Input<#lifetime, '_>, link: __pack::Link) -> ::core::result::Result<Self, __pack::Fault> {
                    <Self as __pack::UnpackRecord<#lifetime>>::read_record(input, link)
                }
                fn resolve_member(input: &mut __pack::Input<#lifetime, '_>, plan: &__pack::ResolutionPlan, structure: usize) -> ::core::result::Result<Self, __pack::Fault> {
                    <Self as __pack::UnpackRecord<#lifetime>>::resolve_record(input, plan, structure)
                }
                type Column = __pack::Rows<#lifetime, Self>;
                fn read_column(input: &mut __pack::Input<#lifetime, '_>, at: usize, m: usize) -> ::core::result::Result<Self::Column, __pack::Fault> {
                    let link = input.link(at);
                    __pack::Rows::read(input, at, link, m)
                }
                fn resolve_column(input: &mut __pack::Input<#lifetime, '_>, plan: &__pack::ResolutionPlan, step: __pack::StepId, m: usize) -> ::core::result::Result<__pack::Vec<Self>, __pack::Fault> {
                    let __pack::Action::Struct(structure) = plan.step(step).action else {
                        let at = input.position();
                        return ::core::result::Result::Err(input.fail(__pack::Code::SchemaMismatch, at));
                    };
                    let made = &plan.structs()[structure];
                    if made.recursive {
                        return __pack::resolve_slots(input, plan, step, m);
                    }
                    #resolve_columns
                }
            }
            #unpack_record {
                #[inline]
                fn read_record(input: &mut __pack::Input<#lifetime, '_>, link: __pack::Link) -> ::core::result::Result<Self, __pack::Fault> {
                    #read
                    ::core::result::Result::Ok(Self #make)
                }
                type Columns = __Columns #arguments;
                fn read_columns(input: &mut __pack::Input<#lifetime, '_>, link: __pack::Link, m: usize) -> ::core::result::Result<Self::Columns, __pack::Fault> {
                    #read_columns
                }
                #[inline(always)]
                fn next_of(columns: &mut Self::Columns) -> ::core::option::Option<Self> {
                    #next_of
                }
                fn resolve_record(input: &mut __pack::Input<#lifetime, '_>, plan: &__pack::ResolutionPlan, structure: usize) -> ::core::result::Result<Self, __pack::Fault> {
                    #resolve
                    ::core::result::Result::Ok(Self #make)
                }
            }
        });
    }
    scope(out)
}
