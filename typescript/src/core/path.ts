const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Whether a name needs no quotes in schema text and in paths. */
export function isIdentifier(name: string): boolean {
  return IDENTIFIER.test(name);
}

/** The name in quotes, with the escapes of schema text and no others. */
export function quote(name: string): string {
  let out = '"';
  for (const unit of name) {
    if (unit === '"' || unit === "\\") out += `\\${unit}`;
    else if (unit < " ") out += `\\u00${unit.charCodeAt(0).toString(16).padStart(2, "0")}`;
    else out += unit;
  }
  return `${out}"`;
}

/** The step of a path into a field, as `.year`. Keywords count as identifiers there. */
export function pathField(name: string): string {
  return isIdentifier(name) ? `.${name}` : `[${quote(name)}]`;
}
