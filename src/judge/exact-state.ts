// The exact scorer of VAGEN's generation of 2026: a section must give one vertical and one horizontal relation for each thing that it
// names, in fixed words, and is scored by F1 with half a point for each axis.
import type { Verdict } from "../core/types.ts";
import { byAxis, EXACT_WEIGHTS, scoreRelations, weightsWith } from "./f1.ts";
import { type JudgeQuestion, noScore } from "./judge.ts";
import { trueRelations } from "./relation-judge.ts";
import type { Horizontal, Relation, Vertical } from "./relations.ts";

const ID = "rule";
const VERTICAL = /\b(above|below|same row)\b/g;
const HORIZONTAL = /\b(left|right|same column)\b/g;

/** The relations of a section; null where a clause lacks an axis or names two directions of one. */
export function readClauses(text: string, kinds: readonly string[]): Relation[] | null {
  if (kinds.length === 0) return [];
  const lower = text.toLowerCase();
  const byWord = new Map(kinds.map((kind) => [kind.toLowerCase(), kind]));
  // "key2" is no key: longer names come first.
  const longestFirst = [...byWord.keys()].sort((a, b) => b.length - a.length);
  const mentions = [...lower.matchAll(new RegExp(`\\b(${longestFirst.join("|")})`, "g"))];
  const relations = mentions.map(({ index, 1: word }, i): Relation | null => {
    const clause = lower.slice(index, mentions[i + 1]?.index);
    const vertical = onlyOne(clause, VERTICAL);
    const horizontal = onlyOne(clause, HORIZONTAL);
    return vertical && horizontal
      ? {
          name: byWord.get(word!)!,
          vertical: axis(vertical) as Vertical,
          horizontal: axis(horizontal) as Horizontal,
        }
      : null;
  });
  return relations.includes(null) ? null : (relations as Relation[]);
}

const axis = (word: string): string => (word.startsWith("same") ? "same" : word);

function onlyOne(clause: string, words: RegExp): string | null {
  const found = new Set([...clause.matchAll(words)].map(([word]) => word));
  return found.size === 1 ? [...found][0]! : null;
}

/** Weighted mean over the kinds that exist or are named of F1 over the best pairing, a half for each axis; 0 if unreadable. */
export function judgeClauses({ text, truth }: JudgeQuestion): Verdict {
  const weights = weightsWith(EXACT_WEIGHTS, Object.keys(truth.entities));
  const kinds = Object.keys(truth.entities).filter((name) => Object.hasOwn(weights, name));
  const stated = readClauses(text, kinds);
  if (!stated || stated.length === 0)
    return noScore("unreadable", ID, "Not one vertical and one horizontal relation for each thing.");
  const { score, byKind } = scoreRelations(stated, trueRelations(truth), weights, byAxis);
  const fields = [...byKind].map(([name, value]) => ({
    name,
    predicted: `${stated.filter((relation) => relation.name === name).length} stated`,
    truth: `${truth.entities[name]?.length ?? 0} there`,
    ok: value === 1,
  }));
  const status = score === 1 ? "match" : score > 0 ? "partial" : "mismatch";
  return { status, score, judge: ID, reason: `F1 ${score.toFixed(2)}`, fields };
}
