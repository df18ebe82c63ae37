// AReaL's reply grammar (`format_reward` and `acc_reward` of its geometry example): `<think>…</think>` and somewhere after it
// `\boxed{…}`. Text may be between the two and after the box. The last box holds the answer, whatever the form of the reply.

import { BOX } from "../core/formats.ts";
import type { Section } from "../core/types.ts";
import { strip } from "./white-space.ts";

const [OPEN, CLOSE] = BOX;
const THINK = ["<think>", "</think>"] as const;

/** Content of the last box; null when its braces are not balanced, or there is none. */
function lastBoxed(text: string): string | null {
  const box = lastBox(text);
  return box && text.slice(box.from, box.to);
}

/** Offsets of the last box's content. */
function lastBox(text: string): { from: number; to: number } | null {
  const at = text.lastIndexOf(OPEN);
  if (at < 0) return null;
  const from = at + OPEN.length;
  let depth = 1;
  for (let i = from; i < text.length; i++) {
    if (text[i] === "{") depth++;
    if (text[i] === CLOSE) depth--;
    if (depth === 0) return { from, to: i };
  }
  return null;
}

/** The first violation of the form, or "". Takes linear time, whatever the policy writes. */
export function formatProblem(text: string): string {
  if (strip(text) === "") return "the reply is empty";
  if (!text.startsWith(THINK[0])) return `the reply does not begin with ${THINK[0]}`;
  const thought = text.indexOf(THINK[1], THINK[0].length);
  if (thought < 0) return `missing ${THINK[1]}`;
  const box = text.indexOf(OPEN, thought + THINK[1].length);
  if (box < 0) return `missing ${OPEN} after ${THINK[1]}`;
  return text.includes(CLOSE, box + OPEN.length) ? "" : `missing ${CLOSE}`;
}

/** The thought and the answer of a reply; empty if absent. */
export function readBoxed(text: string): { reasoning: string; answer: string } {
  const thought = text.startsWith(THINK[0]) ? text.indexOf(THINK[1]) : -1;
  const reasoning = thought < 0 ? "" : strip(text.slice(THINK[0].length, thought));
  return { reasoning, answer: strip(lastBoxed(text) ?? "") };
}

/** Labelled spans that cover a reply without gaps. */
export function boxedSections(text: string): Section[] {
  const box = lastBox(text);
  const thought = text.startsWith(THINK[0]) ? text.indexOf(THINK[1]) : -1;
  const marks: [kind: Section["kind"], to: number][] = [];
  if (thought >= 0)
    marks.push(["tag", THINK[0].length], ["reasoning", thought], ["tag", thought + THINK[1].length]);
  // A box inside the thought counts as an answer, but is part of the thought.
  const last = marks.at(-1)?.[1] ?? 0;
  if (box && box.from - OPEN.length >= last)
    marks.push(
      ["other", box.from - OPEN.length],
      ["tag", box.from],
      ["answer", box.to],
      ["tag", box.to + CLOSE.length],
    );
  marks.push(["other", text.length]);
  const spans = marks.map(([kind, to], i) => ({ kind, from: marks[i - 1]?.[1] ?? 0, to }));
  return spans.filter(({ from, to }) => to > from);
}
