// Verdicts on relations, read by rule or extracted by a model.
import type { GroundTruth, Verdict } from "../core/types.ts";
import {
  byAxis,
  EXACT_WEIGHTS,
  exactly,
  type KindWeights,
  type Similarity,
  SOFT_WEIGHTS,
  scoreRelations,
  weightsWith,
} from "./f1.ts";
import { type JudgeQuestion, noScore } from "./judge.ts";
import { isBlank, type Reading, readClaim, relationsFrom } from "./reading.ts";
import type { Offset, Relation } from "./relations.ts";

/**
 * How relations are scored. `vagen` is VAGEN's: the score of the game, over every kind of the true state. The others are the
 * studio's: one of the two scores in any game, over the kinds that the claim has to give or mentions.
 */
export type RelationScoring = "vagen" | "exact_f1" | "soft_f1";

interface Score {
  weights: KindWeights;
  similarity: Similarity;
}

const EXACT: Score = { weights: EXACT_WEIGHTS, similarity: exactly };
const SOFT: Score = { weights: SOFT_WEIGHTS, similarity: byAxis };

/** VAGEN's services score games with boxes exactly and others by axis. */
function scoreOf(scoring: RelationScoring, { entities }: GroundTruth): Score {
  if (scoring === "vagen") return entities.box ? EXACT : SOFT;
  return scoring === "exact_f1" ? EXACT : SOFT;
}

/** Where everything lies as seen from the player. */
export const trueRelations = ({ player, entities }: GroundTruth): Relation[] =>
  relationsFrom(player, Object.entries(entities));

/**
 * The verdict on the relations of a claim. The studio's scorings score the kinds that the claim has to give and those that it
 * states; without any the score is 0. VAGEN's scores every kind of the true state and no other, so what a claim leaves out is missed
 * (`calculate_visual_reasoning_reward` of its services).
 */
export function verdictOnRelations(
  scoring: RelationScoring,
  stated: readonly Relation[],
  { truth, names }: JudgeQuestion,
  judge: string,
): Verdict {
  const { weights: usual, similarity } = scoreOf(scoring, truth);
  const weights = weightsWith(usual, Object.keys(truth.entities), names);
  const isScored = ({ name }: Relation) =>
    scoring === "vagen"
      ? Object.hasOwn(truth.entities, name)
      : names.includes(name) || stated.some((relation) => relation.name === name);
  const [claimed, actual] = [stated, trueRelations(truth)].map((all) => all.filter(isScored)) as [
    Relation[],
    Relation[],
  ];
  const { score: f1, byKind } = scoreRelations(claimed, actual, weights, similarity);
  const score = byKind.size > 0 ? f1 : 0;
  const fields = [...byKind].map(([name, value]) => ({
    name,
    predicted: described(claimed, name) || "not stated",
    truth: described(actual, name) || "none",
    ok: value === 1,
  }));
  const status = score === 1 ? "match" : score > 0 ? "partial" : "mismatch";
  const parts = [...byKind].map(([name, value]) => `${name} ${value.toFixed(2)}`);
  return { status, score, judge, reason: `F1 ${parts.join(", ")}`, fields };
}

/** Judges the relations that a rule finds in a claim. A claim without any scores nothing. */
export function judgeRelations(scoring: RelationScoring, question: JudgeQuestion): Verdict {
  const reading = readClaim(question.text, question.truth);
  if (isBlank(reading)) return noScore("unreadable", "rule", "No place and no direction found.");
  const isImplied = question.claim === "prediction" && scoring !== "vagen";
  const relations = isImplied ? predictedRelations(question, reading) : reading.relations;
  return verdictOnRelations(scoring, relations, question, "rule");
}

/**
 * A prediction that gives the player's cell implies where everything is that cannot move. Its own words about such
 * things count for nothing: repeating them predicts nothing.
 */
function predictedRelations(
  { truth, names }: JudgeQuestion,
  { places, relations }: Reading,
): readonly Relation[] {
  const [player, ...others] = places.get("player") ?? [];
  if (!player || others.length > 0) return relations;
  const fixed = Object.entries(truth.entities).filter(([name]) => !names.includes(name));
  return [...relations.filter(({ name }) => names.includes(name)), ...relationsFrom(player, fixed)];
}

const described = (relations: readonly Relation[], kind: string): string =>
  relations
    .filter(({ name }) => name === kind)
    .map(describeOffset)
    .join(" and ");

/** "above left", "same column below", in words. */
export function describeOffset({ vertical, horizontal }: Offset): string {
  const v = vertical === "same" ? "same row" : vertical;
  const h = horizontal === "same" ? "same column" : horizontal;
  return [v, h].filter((word) => word !== null).join(", ");
}
