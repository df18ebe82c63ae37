// Text as half bytes: sixteen values are enough to write any text, at two per UTF-8 byte.

const encoder = new TextEncoder();

/** The half bytes (0 … 15) of a text's UTF-8 form, the high half of each byte first. Lone surrogates become U+FFFD. */
export function toNibbles(text: string): number[] {
  return Array.from(encoder.encode(text)).flatMap((byte) => [byte >> 4, byte & 15]);
}

/** The text that half bytes spell. Invalid UTF-8, or half a byte at the end, becomes U+FFFD. */
export function fromNibbles(nibbles: readonly number[]): string {
  const whole = nibbles.length >> 1;
  const bytes = Uint8Array.from({ length: whole }, (_, i) => (nibbles[2 * i] << 4) | nibbles[2 * i + 1]);
  // A leading U+FEFF is text like any other here, not a byte order mark.
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  return nibbles.length % 2 ? `${text}\uFFFD` : text;
}
