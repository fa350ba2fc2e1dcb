//! Enums of unit variants.

use crate::attributes::{check_names, implementation, schema_name, scope, variant_name, Attributes, Bounds};
use proc_macro2::TokenStream;
use quote::quote;
use syn::{DataEnum, DeriveInput};

pub fn enumeration(input: &DeriveInput, data: &DataEnum) -> syn::Result<TokenStream> {
    let attributes = Attributes::of_type(&input.attrs)?;
    let name = schema_name(attributes.name, &input.ident);
    let aliases = attributes.aliases;
    let mut symbols = Vec::new();
    for variant in &data.variants {
        let Attributes { name: given, fallback, .. } = Attributes::of_variant(&variant.attrs)?;
        if fallback && symbols.iter().any(|(_, _, fallback)| *fallback) {
            return Err(syn::Error::new_spanned(variant, "an enum has one fallback"));
        }
        let name = variant_name(given, &variant.ident, attributes.rename_all);
        check_names(symbols.iter().map(|(name, _, _)| name).chain([&name]), variant)?;
        symbols.push((name, &variant.ident, fallback));
    }
    // The canonical order, by UTF-16 code units.
    symbols.sort_by(|a, b| a.0.encode_utf16().cmp(b.0.encode_utf16()));
    let fallback = match symbols.iter().position(|(_, _, fallback)| *fallback) {
        Some(place) => quote!(::core::option::Option::Some(#place)),
        None => quote!(::core::option::Option::None),
    };
    let (texts, variants): (Vec<_>, Vec<_>) = symbols.into_iter().map(|(text, variant, _)| (text, variant)).unzip();
    let count = texts.len();
    let numbers = 0..count as u32;
    let indices = 0..count;
    let bounds = Bounds::of(input);
    let lifetime = &bounds.lifetime;
    let ident = &input.ident;
    let pack = implementation(&bounds.pack, quote!(__pack::Pack), input);
    let key = implementation(&bounds.pack, quote!(__pack::Key), input);
    let of_number = implementation(&bounds.pack, quote!(__pack::OfNumber<u32>), input);
    let unpack = implementation(&bounds.unpack, quote!(__pack::Unpack<#lifetime>), input);
    let index = quote! {
        fn index(value: &#ident) -> u32 {
            match value {
                #(#ident::#variants => #numbers,)*
            }
        }
        fn symbol(index: usize) -> ::core::option::Option<#ident> {
            match index {
                #(#indices => ::core::option::Option::Some(#ident::#variants),)*
                _ => ::core::option::Option::None,
            }
        }
    };
    let keyed = quote! {
        #key {
            fn order(&self, other: &Self) -> __pack::Ordering {
                index(self).cmp(&index(other))
            }
            fn feed<H: ::core::hash::Hasher>(&self, state: &mut H) {
                state.write_u32(index(self));
            }
        }
    };
    Ok(scope(quote! {
        #index
        #pack {
            const LINKS: usize = 0;
            const ENUM: ::core::option::Option<&'static ::core::primitive::str> = ::core::option::Option::Some(#name);
            const FAST: bool = true;
            #[inline(always)]
            fn write_fast(&self, to: &mut __pack::FastRowWriter<'_>, _: usize) {
                to.integer(index(self));
            }
            fn describe(to: &mut __pack::Describe) {
                to.enumeration(#name, __pack::type_name::<Self>(), &[#(#aliases),*], &[#(#texts),*], #fallback);
            }
            #[inline]
            fn write(&self, out: &mut __pack::Output, _: usize) -> ::core::result::Result<(), __pack::Fault> {
                out.varint(u64::from(index(self)));
                ::core::result::Result::Ok(())
            }
            fn write_column<'__values, __Values>(values: __Values, out: &mut __pack::Output, _: usize) -> ::core::result::Result<(), __pack::Fault>
            where
                Self: '__values,
                __Values: ::core::iter::ExactSizeIterator<Item = &'__values Self> + ::core::clone::Clone,
            {
                let mut column: __pack::Vec<u32> = out.lend(values.len());
                column.extend(values.map(index));
                out.column_integers(&column);
                out.give_back(column);
                ::core::result::Result::Ok(())
            }
        }
        #keyed
        #of_number {
            #[inline(always)]
            fn of_number(number: u32) -> ::core::option::Option<Self> {
                symbol(number as usize)
            }
        }
        #unpack {
            #[inline]
            fn read(input: &mut __pack::Input<#lifetime, '_>, _: usize) -> ::core::result::Result<Self, __pack::Fault> {
                let start = input.position();
                let found = input.index(#count)?;
                symbol(found).ok_or_else(|| input.fail(__pack::Code::Malformed, start))
            }
            #[inline(always)]
            fn read_fast<const __KEEP: bool>(from: &mut __pack::FastRowReader<#lifetime, __KEEP>) -> ::core::option::Option<Self> {
                symbol(from.index(#count)?)
            }
            type Column = __pack::Numbers<#lifetime, u32, Self>;
            fn read_column(input: &mut __pack::Input<#lifetime, '_>, _: usize, m: usize) -> ::core::result::Result<Self::Column, __pack::Fault> {
                __pack::Numbers::indices(input, #count, m)
            }
            fn resolve_column(input: &mut __pack::Input<#lifetime, '_>, plan: &__pack::ResolutionPlan, step: __pack::StepId, m: usize) -> ::core::result::Result<__pack::Vec<Self>, __pack::Fault> {
                let start = input.position();
                let mut column = __pack::Vec::new();
                let found = match &plan.step(step).action {
                    __pack::Action::Enum(symbols) => {
                        input.column_indices(symbols.len(), m, &mut column)?;
                        column.into_iter().map(|found| symbols[found as usize].and_then(|found| symbol(found as usize))).collect()
                    }
                    _ => ::core::option::Option::None,
                };
                found.ok_or_else(|| input.fail(__pack::Code::SchemaMismatch, start))
            }
            fn resolve(input: &mut __pack::Input<#lifetime, '_>, plan: &__pack::ResolutionPlan, step: __pack::StepId, _: __pack::Slot) -> ::core::result::Result<Self, __pack::Fault> {
                let start = input.position();
                let found = match &plan.step(step).action {
                    __pack::Action::Enum(symbols) => {
                        let found = input.index(symbols.len())?;
                        symbols[found]
                    }
                    _ => ::core::option::Option::None,
                };
                found
                    .and_then(|found| symbol(found as usize))
                    .ok_or_else(|| input.fail(__pack::Code::SchemaMismatch, start))
            }
        }
    }))
}
