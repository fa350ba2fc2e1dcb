//! Enums with data: unions.

use crate::attributes::{check_names, implementation, scope, variant_name, Attributes, Bounds};
use crate::case::Case;
use crate::record::{self, Parts};
use crate::refused;
use proc_macro2::TokenStream;
use quote::quote;
use syn::{DataEnum, DeriveInput, Fields, GenericArgument, Generics, Ident, PathArguments, Type, Variant};

/// A member of the union.
enum Member {
    /// A variant that is a struct of its own.
    Own { name: String, aliases: Vec<String>, parts: Parts },
    /// A variant of one unnamed field: the struct that it is, or else a struct of the variant's name that holds it.
    Held { name: String, aliases: Vec<String>, ty: Box<Type> },
}

/// A variant as a member of a union that may spell its variants in another way.
fn member(variant: &Variant, attributes: Attributes, case: Option<Case>, generics: &Generics) -> syn::Result<Member> {
    let Attributes { name: given, aliases, rename_all, .. } = attributes;
    let name = variant_name(given, &variant.ident, case);
    match &variant.fields {
        Fields::Named(fields) => Ok(Member::Own { name, aliases, parts: record::parts(fields, rename_all)? }),
        Fields::Unit => Ok(Member::Own { name, aliases, parts: Parts::default() }),
        Fields::Unnamed(fields) if fields.unnamed.len() == 1 => {
            let field = &fields.unnamed[0];
            let said = Attributes::of_field(&field.attrs)?;
            if said.skip {
                return Err(syn::Error::new_spanned(field, "`skip` belongs to a field with a name"));
            }
            let is_plain =
                said.name.is_none() && said.aliases.is_empty() && said.with.is_none() && said.default.is_none();
            // What a type parameter stands for may differ, and two variants may hold one struct: it is always a value.
            if is_plain && !holds_parameter(&field.ty, generics) {
                refused::check(&field.ty)?;
                return Ok(Member::Held { name, aliases, ty: Box::new(field.ty.clone()) });
            }
            Ok(Member::Own { name, aliases, parts: record::value(field)? })
        }
        Fields::Unnamed(_) => Err(syn::Error::new_spanned(
            variant,
            "expected a variant with one field, or with names for its fields, as in `Line { x: i32, y: i32 }`",
        )),
    }
}

/// Whether a type is a type parameter, or a pointer to one.
fn holds_parameter(ty: &Type, generics: &Generics) -> bool {
    let Type::Path(path) = ty else { return false };
    let Some(last) = path.path.segments.last() else { return false };
    let arguments = match &last.arguments {
        PathArguments::AngleBracketed(arguments) => Some(&arguments.args),
        _ => None,
    };
    let is_held =
        |argument: &GenericArgument| matches!(argument, GenericArgument::Type(ty) if holds_parameter(ty, generics));
    generics.type_params().any(|parameter| path.path.is_ident(&parameter.ident))
        || last.ident == "Box" && arguments.into_iter().flatten().any(is_held)
}

pub fn union(input: &DeriveInput, data: &DataEnum) -> syn::Result<TokenStream> {
    let attributes = Attributes::of_type(&input.attrs)?;
    let mut variants: Vec<(&Ident, Member)> = Vec::new();
    let mut fallback = quote!(::core::option::Option::None);
    let mut named = false;
    for (place, variant) in data.variants.iter().enumerate() {
        let said = Attributes::of_variant(&variant.attrs)?;
        if said.fallback {
            if named {
                return Err(syn::Error::new_spanned(variant, "a union has one fallback"));
            }
            named = true;
            fallback = quote!(::core::option::Option::Some(#place));
        }
        let is_fallback = said.fallback;
        let made = member(variant, said, attributes.rename_all, &input.generics)?;
        if let Member::Own { name, parts, .. } = &made {
            let taken = variants.iter().filter_map(|(_, member)| match member {
                Member::Own { name, .. } => Some(name),
                Member::Held { .. } => None,
            });
            check_names(taken.chain([name]), variant)?;
            if is_fallback && !parts.are_of_fallback() {
                return Err(syn::Error::new_spanned(variant, "a fallback has no fields but `name`, which is a text"));
            }
        }
        variants.push((&variant.ident, made));
    }
    let count = variants.len();
    let names = variants.iter().map(|(_, member)| match member {
        Member::Own { name, .. } => quote!(#name),
        Member::Held { name, ty, .. } => quote!(match <#ty as __pack::Pack>::MEMBER {
            ::core::option::Option::Some(name) => name,
            ::core::option::Option::None => __pack::variant_name(#name, <#ty as __pack::Pack>::ENUM),
        }),
    });
    let bounds = Bounds::of(input);
    let pack = implementation(&bounds.pack, quote!(__pack::Pack), input);
    let describe = variants.iter().map(describe);
    let write = variants.iter().enumerate().map(|(i, variant)| write(i, variant));
    // One constant, so that the compiler complains once of two members of one name.
    let union = implementation(&bounds.pack, quote!(__pack::Union), input);
    let mut out = quote! {
        #union {
            const ORDER: &'static [usize] = &__pack::member_order::<#count>([#(#names),*]);
            const PLACES: &'static [usize] = &__pack::inverse::<#count>(<Self as __pack::Union>::ORDER);
        }
        #pack {
            const LINKS: usize = #count;
            fn describe(to: &mut __pack::Describe) {
                to.union(&[#(#describe),*], <Self as __pack::Union>::PLACES, #fallback);
            }
            #[inline]
            fn write(&self, out: &mut __pack::Output, at: usize) -> ::core::result::Result<(), __pack::Fault> {
                let order = <Self as __pack::Union>::ORDER;
                match self {
                    #(#write)*
                }
            }
        }
    };
    if !attributes.encode_only {
        let lifetime = &bounds.lifetime;
        let unpack = implementation(&bounds.unpack, quote!(__pack::Unpack<#lifetime>), input);
        let read = variants.iter().enumerate().map(|(i, variant)| read(i, count, variant));
        let resolve = variants.iter().enumerate().map(|(i, variant)| resolve(i, count, variant));
        out.extend(quote! {
            #unpack {
                type Column = __pack::IntoIter<Self>;
                fn read_column(input: &mut __pack::Input<#lifetime, '_>, at: usize, m: usize) -> ::core::result::Result<Self::Column, __pack::Fault> {
                    ::core::result::Result::Ok(__pack::read_slots(input, at, m)?.into_iter())
                }
                #[inline]
                fn read(input: &mut __pack::Input<#lifetime, '_>, at: usize) -> ::core::result::Result<Self, __pack::Fault> {
                    let places = <Self as __pack::Union>::PLACES;
                    let index = input.index(#count)?;
                    match places[index] {
                        #(#read)*
                    }
                }
                fn resolve(input: &mut __pack::Input<#lifetime, '_>, plan: &__pack::ResolutionPlan, step: __pack::StepId, _: __pack::Slot) -> ::core::result::Result<Self, __pack::Fault> {
                    let places = <Self as __pack::Union>::PLACES;
                    let start = input.position();
                    let found = match &plan.step(step).action {
                        __pack::Action::Union(members) => {
                            let index = input.index(members.len())?;
                            members[index]
                        }
                        _ => ::core::option::Option::None,
                    };
                    let ::core::option::Option::Some((index, structure)) = found else {
                        return ::core::result::Result::Err(input.fail(__pack::Code::SchemaMismatch, start));
                    };
                    match places[index as usize] {
                        #(#resolve)*
                    }
                }
            }
        });
    }
    Ok(scope(out))
}

fn describe((ident, member): &(&Ident, Member)) -> TokenStream {
    match member {
        Member::Held { name, aliases, ty } => {
            let variant = ident.to_string();
            quote!(|to: &mut __pack::Describe| <#ty as __pack::Pack>::describe_member(to, #name, ::core::concat!(::core::module_path!(), "::", #variant), &[#(#aliases),*]))
        }
        Member::Own { name, aliases, parts } => {
            let body = record::describe(parts);
            let variant = ident.to_string();
            quote!(|to: &mut __pack::Describe| to.structure(#name, &[], ::core::concat!(::core::module_path!(), "::", #variant), &[#(#aliases),*], |to| { #body }))
        }
    }
}

fn write(i: usize, (ident, member): &(&Ident, Member)) -> TokenStream {
    let index = quote!(out.varint(order[#i] as u64););
    match member {
        Member::Held { .. } => quote! {
            Self::#ident(value) => {
                #index
                let link = out.link(at + #i);
                out.charge(link.present_cells())?;
                __pack::Pack::write_member(value, out, link)
            }
        },
        Member::Own { parts, .. } => {
            let (bind, body) = (record::bind(parts), record::write(parts));
            quote! {
                Self::#ident #bind => {
                    #index
                    let link = out.link(at + #i);
                    out.charge(link.present_cells())?;
                    #body
                }
            }
        }
    }
}

/// The arm of the last variant takes all other indices: there are none.
fn arm(i: usize, count: usize) -> TokenStream {
    if i + 1 == count {
        quote!(_)
    } else {
        quote!(#i)
    }
}

fn read(i: usize, count: usize, (ident, member): &(&Ident, Member)) -> TokenStream {
    let arm = arm(i, count);
    let link = quote! {
        let link = input.link(at + #i);
        input.charge_here(link.present_cells())?;
    };
    match member {
        Member::Held { ty, .. } => quote! {
            #arm => {
                #link
                <#ty as __pack::Unpack<'__message>>::read_member(input, link).map(Self::#ident)
            }
        },
        Member::Own { parts, .. } => {
            let (make, body) = (record::make(parts), record::read(parts));
            quote! {
                #arm => {
                    #link
                    #body
                    ::core::result::Result::Ok(Self::#ident #make)
                }
            }
        }
    }
}

fn resolve(i: usize, count: usize, (ident, member): &(&Ident, Member)) -> TokenStream {
    let arm = arm(i, count);
    match member {
        Member::Held { ty, .. } => quote! {
            #arm => {
                input.charge_here(plan.structs()[structure].present_cells())?;
                <#ty as __pack::Unpack<'__message>>::resolve_member(input, plan, structure).map(Self::#ident)
            }
        },
        Member::Own { parts, .. } => {
            let (make, body) = (record::make(parts), record::resolve(parts));
            quote! {
                #arm => {
                    input.charge_here(plan.structs()[structure].present_cells())?;
                    #body
                    ::core::result::Result::Ok(Self::#ident #make)
                }
            }
        }
    }
}
