/** Characters that are converted in one call: engines take a limited number of arguments. */
const PIECE = 8_192;

/** The text of bytes, one character for each. */
export function latin1Text(bytes: Uint8Array): string {
  let text = "";
  for (let i = 0; i < bytes.length; i += PIECE) text += String.fromCharCode(...bytes.subarray(i, i + PIECE));
  return text;
}

/** The text of bytes in that encoding; undefined if they are not well-formed. */
export function encodedText(encoding: "utf-8" | "utf-16le", bytes: Uint8Array): string | undefined {
  try {
    // A copy: the web's decoders refuse bytes of a buffer that can be resized.
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(new Uint8Array(bytes));
  } catch (error) {
    // Checked by name: the engine may throw one of another realm. Other errors mean that memory ran out.
    if ((error as Error).name === "TypeError") return undefined;
    throw error;
  }
}
