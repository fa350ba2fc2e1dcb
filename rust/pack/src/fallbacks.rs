//! What a reader puts for a union's member that it lacks (`spec/pack.md` section 13).

use crate::pack::Unpack;
use crate::resolve::StructPlan;

/// The value of a field that the writer lacks and that declares no default; of a fallback, the name of the member.
#[inline]
pub fn missing<'a, T: Unpack<'a>>(plan: &StructPlan) -> Option<T> {
    match &plan.stands_for {
        Some(member) => T::named(member),
        None => T::missing(),
    }
}

/// The name of the member, if a struct is made as the fallback for one.
#[inline]
pub fn member_name<'a, T: Unpack<'a>>(plan: &StructPlan) -> Option<T> {
    plan.stands_for.as_deref().and_then(T::named)
}
