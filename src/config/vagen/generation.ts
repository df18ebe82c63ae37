// Which of VAGEN's generations a file was written for: keys that only one of them has decide.
import type { Pair } from "./overrides-list.ts";
import type { DatasetEntry } from "./read.ts";
import { GENERATIONS, type Generation } from "./row.ts";
import { linesFor } from "./table.ts";

/** Estimators that only the legacy trainer has. */
const LEGACY_ESTIMATORS = ["masked_gae", "bi_level_gae", "turn_wise_gae"];

/** The generation of a trainer's keys; where they do not tell, that of the dataset, else the one that is current. */
export function generationOf(trainer: readonly Pair[], entries: readonly DatasetEntry[]): Generation {
  const votes = trainer.map(voteOf).filter((vote) => vote !== null);
  const legacy = votes.filter((vote) => vote === "legacy").length;
  if (legacy * 2 !== votes.length) return legacy * 2 > votes.length ? "legacy" : "lite";
  return entries[0]?.generation ?? "lite";
}

function voteOf({ key, value }: Pair): Generation | null {
  if (key === "algorithm.adv_estimator" && LEGACY_ESTIMATORS.includes(String(value))) return "legacy";
  const having = GENERATIONS.filter(
    (generation) => linesFor(key, { part: "trainer", generation }).length > 0,
  );
  return having.length === 1 ? having[0]! : null;
}
