// Takes a key out of text that comes back from an endpoint: such text goes into verdicts, events, traces and warnings.

/** What takes the place of a key. */
const MARK = "(key)";

/** So many characters of a key in a row count as the key: endpoints quote keys cut off or with a part masked. */
const RUN = 8;

/** A function that replaces a key in a text, in whole or in part, as it is or encoded. Apply it before the text is cut. */
export function redactor(key: string): (text: string) => string {
  if (key === "") return (text) => text;
  // A piece of a key this short would be found in any text.
  if (key.length < RUN) return (text) => text.replaceAll(key, MARK);
  const pieces = new Set(spellings(key).flatMap(piecesOf));
  return (text) => withoutPieces(text, pieces);
}

/** How a key may be written: in a header, an address, a string of JSON, Base64 or hexadecimal digits. */
function spellings(key: string): string[] {
  const inAddress = encodeURIComponent(key);
  const bytes = [...key].map((char) => char.charCodeAt(0) & 255);
  const hex = bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("");
  // After "user:", for example, the key may begin at any of the three bytes of a Base64 group.
  const base64 = [0, 1, 2].map((before) => base64Of(bytes, before));
  const forAddress = base64.map((text) => text.replaceAll("+", "-").replaceAll("/", "_"));
  return [key, inAddress, JSON.stringify(key).slice(1, -1), hex, ...base64, ...forAddress];
}

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Those characters of the Base64 form that depend on the bytes alone, where `before` other bytes precede them. */
function base64Of(bytes: readonly number[], before: number): string {
  const bits = bytes.map((byte) => byte.toString(2).padStart(8, "0")).join("");
  const skipped = (6 - ((before * 8) % 6)) % 6;
  const groups = bits.slice(skipped).match(/.{6}/g) ?? [];
  return groups.map((group) => ALPHABET[Number.parseInt(group, 2)]).join("");
}

/** Same length as the text, which toLowerCase() does not promise for every letter. */
const lowered = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

function piecesOf(spelling: string): string[] {
  const text = lowered(spelling);
  return Array.from({ length: Math.max(0, text.length - RUN + 1) }, (_, i) => text.slice(i, i + RUN));
}

/** Replaces every stretch that consists of pieces. */
function withoutPieces(text: string, pieces: ReadonlySet<string>): string {
  const lower = lowered(text);
  let out = "";
  let end = 0;
  for (let i = 0; i + RUN <= lower.length; i++) {
    if (!pieces.has(lower.slice(i, i + RUN))) continue;
    if (i > end || end === 0) out += text.slice(end, i) + MARK;
    end = i + RUN;
  }
  return out + text.slice(end);
}
