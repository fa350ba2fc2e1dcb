/** Whether a slot of the type has a flag in its row. */
export function hasFlag(part: { readonly kind: string }): boolean {
  return part.kind === "bool" || part.kind === "option";
}
