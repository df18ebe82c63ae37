// Comments `# studio: path = value`: what VAGEN has no word for. VAGEN skips them, the studio reads them back.

import { readValue } from "./value.ts";

export interface Setting {
  path: string;
  value: unknown;
}

const LINE = /^\s*#\s*studio:\s*([\w.]+)\s*=(.*)$/;

/** The comment of one setting, without the `#` that YAML puts in front. */
export function studioLine({ path, value }: Setting): string {
  return ` studio: ${path} = ${JSON.stringify(value)}`;
}

/** Every setting that a text has in such comments. */
export function studioSettings(text: string): Setting[] {
  return text.split("\n").flatMap((line) => {
    const found = LINE.exec(line);
    return found ? [{ path: found[1]!, value: readValue(found[2]!) }] : [];
  });
}
