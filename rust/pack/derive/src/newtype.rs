//! Structs of one unnamed field.

use crate::attributes::{implementation, scope, Attributes, Bounds};
use crate::refused;
use proc_macro2::TokenStream;
use quote::quote;
use syn::{parse_quote, DeriveInput, Field};

/// A struct of one unnamed field: the schema sees the field.
pub fn newtype(input: &DeriveInput, field: &Field) -> syn::Result<TokenStream> {
    let attributes = Attributes::of_type(&input.attrs)?;
    Attributes::refuse_converter(&field.attrs)?;
    refused::check(&field.ty)?;
    let bounds = Bounds::of(input);
    let ty = &field.ty;
    let pack = implementation(&bounds.pack, quote!(__pack::Pack), input);
    let mut out = quote! {
        #pack {
            const LINKS: usize = <#ty as __pack::Pack>::LINKS;
            const FLAGGED: bool = <#ty as __pack::Pack>::FLAGGED;
            const COST: ::samewire_pack::wire::Cost = <#ty as __pack::Pack>::COST;
            const FAST: bool = <#ty as __pack::Pack>::FAST;
            const ROW: bool = <#ty as __pack::Pack>::ROW;
            #[inline(always)]
            fn slot_cells(links: &[__pack::Link], at: usize) -> u64 {
                <#ty as __pack::Pack>::slot_cells(links, at)
            }
            #[inline(always)]
            fn least_cells(links: &[__pack::Link], at: usize) -> u64 {
                <#ty as __pack::Pack>::least_cells(links, at)
            }
            #[inline(always)]
            fn present_cells(links: &[__pack::Link], at: usize) -> u64 {
                <#ty as __pack::Pack>::present_cells(links, at)
            }
            #[inline(always)]
            fn dedup_disabled(out: &__pack::Output, at: usize) -> bool {
                <#ty as __pack::Pack>::dedup_disabled(out, at)
            }
            #[inline(always)]
            fn each_text(&self, links: &[__pack::Link], at: usize, to: &mut impl ::core::ops::FnMut(usize, &::core::primitive::str)) {
                <#ty as __pack::Pack>::each_text(&self.0, links, at, to);
            }
            #[inline(always)]
            fn write_fast(&self, to: &mut __pack::FastRowWriter<'_>, at: usize) {
                <#ty as __pack::Pack>::write_fast(&self.0, to, at);
            }
            const MEMBER: ::core::option::Option<&'static ::core::primitive::str> = <#ty as __pack::Pack>::MEMBER;
            const ENUM: ::core::option::Option<&'static ::core::primitive::str> = <#ty as __pack::Pack>::ENUM;
            fn describe(to: &mut __pack::Describe) {
                <#ty as __pack::Pack>::describe(to);
            }
            fn describe_member(to: &mut __pack::Describe, variant: &'static ::core::primitive::str, native: &'static ::core::primitive::str, aliases: &[&::core::primitive::str]) {
                <#ty as __pack::Pack>::describe_member(to, variant, native, aliases);
            }
            #[inline]
            fn write_member(&self, out: &mut __pack::Output, link: __pack::Link) -> ::core::result::Result<(), __pack::Fault> {
                <#ty as __pack::Pack>::write_member(&self.0, out, link)
            }
            #[inline(always)]
            fn flag(&self) -> bool {
                <#ty as __pack::Pack>::flag(&self.0)
            }
            #[inline(always)]
            fn write(&self, out: &mut __pack::Output, at: usize) -> ::core::result::Result<(), __pack::Fault> {
                <#ty as __pack::Pack>::write(&self.0, out, at)
            }
            #[inline(always)]
            fn write_present(&self, out: &mut __pack::Output, at: usize) -> ::core::result::Result<(), __pack::Fault> {
                <#ty as __pack::Pack>::write_present(&self.0, out, at)
            }
            fn write_row<'__values, __Values>(row: __Values, out: &mut __pack::Output, at: usize, segment: fn(usize) -> __pack::Segment<'static>) -> ::core::result::Result<(), __pack::Fault>
            where
                Self: '__values,
                __Values: ::core::iter::ExactSizeIterator<Item = &'__values Self> + ::core::clone::Clone,
            {
                <#ty as __pack::Pack>::write_row(row.map(|value| &value.0), out, at, segment)
            }
            fn width(links: &[__pack::Link], at: usize) -> usize {
                <#ty as __pack::Pack>::width(links, at)
            }
            fn is_flat(links: &[__pack::Link], at: usize) -> bool {
                <#ty as __pack::Pack>::is_flat(links, at)
            }
            fn write_column<'__values, __Values>(values: __Values, out: &mut __pack::Output, at: usize) -> ::core::result::Result<(), __pack::Fault>
            where
                Self: '__values,
                __Values: ::core::iter::ExactSizeIterator<Item = &'__values Self> + ::core::clone::Clone,
            {
                <#ty as __pack::Pack>::write_column(values.map(|value| &value.0), out, at)
            }
        }
    };
    // The field's type is behind a reference of any lifetime: the compiler asks whether it is a key where the struct is used
    // as one, not here.
    let mut keyed = bounds.pack.clone();
    keyed.make_where_clause().predicates.push(parse_quote!(for<'__key> &'__key #ty: __pack::Key));
    let key = implementation(&keyed, quote!(__pack::Key), input);
    out.extend(quote! {
        #key {
            const NATURAL: bool = false;
            fn order(&self, other: &Self) -> __pack::Ordering {
                __pack::Key::order(&&self.0, &&other.0)
            }
            fn feed<__H: ::core::hash::Hasher>(&self, state: &mut __H) {
                __pack::Key::feed(&&self.0, state);
            }
        }
    });
    if !attributes.encode_only {
        let lifetime = &bounds.lifetime;
        let unpack = implementation(&bounds.unpack, quote!(__pack::Unpack<#lifetime>), input);
        out.extend(quote! {
            #unpack {
                #[inline(always)]
                fn read(input: &mut __pack::Input<#lifetime, '_>, at: usize) -> ::core::result::Result<Self, __pack::Fault> {
                    <#ty as __pack::Unpack<#lifetime>>::read(input, at).map(Self)
                }
                #[inline(always)]
                fn read_flagged(input: &mut __pack::Input<#lifetime, '_>, at: usize, flag: bool) -> ::core::result::Result<Self, __pack::Fault> {
                    <#ty as __pack::Unpack<#lifetime>>::read_flagged(input, at, flag).map(Self)
                }
                #[inline(always)]
                fn read_fast<const __KEEP: bool>(from: &mut __pack::FastRowReader<#lifetime, __KEEP>) -> ::core::option::Option<Self> {
                    <#ty as __pack::Unpack<#lifetime>>::read_fast(from).map(Self)
                }
                fn read_row(input: &mut __pack::Input<#lifetime, '_>, at: usize, count: usize) -> ::core::result::Result<__pack::Vec<Self>, __pack::Fault> {
                    let row = <#ty as __pack::Unpack<#lifetime>>::read_row(input, at, count)?;
                    ::core::result::Result::Ok(row.into_iter().map(Self).collect())
                }
                fn resolve(input: &mut __pack::Input<#lifetime, '_>, plan: &__pack::ResolutionPlan, step: __pack::StepId, slot: __pack::Slot) -> ::core::result::Result<Self, __pack::Fault> {
                    <#ty as __pack::Unpack<#lifetime>>::resolve(input, plan, step, slot).map(Self)
                }
                fn resolve_row(input: &mut __pack::Input<#lifetime, '_>, plan: &__pack::ResolutionPlan, step: __pack::StepId, count: usize, segment: fn(usize) -> __pack::Segment<'static>) -> ::core::result::Result<__pack::Vec<Self>, __pack::Fault> {
                    let row = <#ty as __pack::Unpack<#lifetime>>::resolve_row(input, plan, step, count, segment)?;
                    ::core::result::Result::Ok(row.into_iter().map(Self).collect())
                }
                type Column = __pack::IntoIter<Self>;
                fn read_column(input: &mut __pack::Input<#lifetime, '_>, at: usize, m: usize) -> ::core::result::Result<Self::Column, __pack::Fault> {
                    let mut column = <#ty as __pack::Unpack<#lifetime>>::read_column(input, at, m)?;
                    ::core::result::Result::Ok(__pack::assemble(m, || column.next().map(Self)).into_iter())
                }
                fn resolve_column(input: &mut __pack::Input<#lifetime, '_>, plan: &__pack::ResolutionPlan, step: __pack::StepId, m: usize) -> ::core::result::Result<__pack::Vec<Self>, __pack::Fault> {
                    let column = <#ty as __pack::Unpack<#lifetime>>::resolve_column(input, plan, step, m)?;
                    ::core::result::Result::Ok(column.into_iter().map(Self).collect())
                }
                #[inline]
                fn read_member(input: &mut __pack::Input<#lifetime, '_>, link: __pack::Link) -> ::core::result::Result<Self, __pack::Fault> {
                    <#ty as __pack::Unpack<#lifetime>>::read_member(input, link).map(Self)
                }
                fn resolve_member(input: &mut __pack::Input<#lifetime, '_>, plan: &__pack::ResolutionPlan, structure: usize) -> ::core::result::Result<Self, __pack::Fault> {
                    <#ty as __pack::Unpack<#lifetime>>::resolve_member(input, plan, structure).map(Self)
                }
                fn missing() -> ::core::option::Option<Self> {
                    <#ty as __pack::Unpack<#lifetime>>::missing().map(Self)
                }
            }
        });
    }
    Ok(scope(out))
}
