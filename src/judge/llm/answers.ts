// Parses the answers of a model. Models wrap, explain and truncate; an unreadable answer is null, never a guess.
import { closingOf, MAX_UNCLOSED, parseLiteral } from "../literal.ts";
import { nameOf } from "../names.ts";
import { type Fields, isFields, offsetOfRecord } from "../reading.ts";
import type { Relation } from "../relations.ts";

/** Characters at the end of an answer that are read: the decision is there, and reading more takes time. */
const READ = 16_000;

/** The last YES or NO in answer tags: models quote the question before they answer it. */
export function readYesNo(text: string): boolean | null {
  const last = [...text.slice(-READ).matchAll(/<answer>\s*(yes|no)\b[.!]?\s*<\/answer>/gi)].at(-1);
  return last ? last[1]!.toLowerCase() === "yes" : null;
}

/** The extracted relations; null when there is no list of objects. Objects of other kinds, or without an id, are left out. */
export function readExtraction(text: string, known: readonly string[]): Relation[] | null {
  const end = text.slice(-READ);
  const records = fenced(end) ?? firstList(end);
  return (
    records?.flatMap((record) => {
      const id = record.object_id;
      const name = typeof id === "string" ? nameOf(id.toLowerCase(), known) : undefined;
      return name !== undefined && known.includes(name) ? [{ name, ...offsetOfRecord(record) }] : [];
    }) ?? null
  );
}

/** The list in the last fenced block: earlier ones are drafts. */
function fenced(text: string): Fields[] | null {
  const block = [...text.matchAll(/```([\s\S]*?)```/g)].at(-1);
  return block ? firstList(block[1]!) : null;
}

/** Where a list of objects may begin, an empty one included. */
const OPENING = /\[(?=\s*[{\]])/g;

/** The first balanced list whose items are all objects, if it is among the first that may be one. */
function firstList(text: string): Fields[] | null {
  for (const { index } of [...text.matchAll(OPENING)].slice(0, MAX_UNCLOSED)) {
    const end = closingOf(text, index);
    const list = end < 0 ? undefined : parseLiteral(text.slice(index, end));
    if (Array.isArray(list) && list.every(isFields)) return list;
  }
  return null;
}
