// States of the environment in words.
import { isBoard } from "../../core/scene.ts";
import type { BoardTruth, SceneTruth, WorldTruth } from "../../core/types.ts";
import { envs } from "../../envs/registry.ts";

/** "how many red circles" → "How many red circles?", "take me where i can sit" → "Take me where I can sit."; empty if the state has neither. */
export function sentenceOf({ facts }: SceneTruth): string {
  const [words, end] = facts?.instruction === undefined ? [facts?.question, "?"] : [facts.instruction, "."];
  if (words === undefined) return "";
  const text = String(words).replaceAll(/\bi\b/g, "I");
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith(end) ? "" : end}`;
}

/** A state of an environment in words, for screen readers. */
export const describeTruth = (envId: string, truth: SceneTruth): string =>
  isBoard(truth) ? describeBoard(truth) : describeWorld(envId, truth);

/** In the environment's own words, if it has any. */
const describeWorld = (envId: string, truth: WorldTruth): string =>
  envs.all.find(({ id }) => id === envId)?.describe?.(truth) ??
  (truth.size ? describePlane(truth.size, truth) : describeScene(truth));

function describePlane(size: readonly number[], truth: WorldTruth): string {
  const all = truth.things.map(({ name, at }) => `${name} at ${at.join(" ")}`).join("; ");
  return `${size.join(" by ")} plane, x to the right and y down. ${all[0]?.toUpperCase() ?? ""}${all.slice(1)}. ${sentenceOf(truth)}`.trimEnd();
}

const describeScene = (truth: WorldTruth): string =>
  `In view: ${truth.things.map(({ name }) => name).join(", ") || "nothing of note"}. ${sentenceOf(truth)}`.trim();

function describeBoard(truth: BoardTruth): string {
  const { rows, cols, player, entities } = truth;
  const place = ([row, col]: readonly [number, number]) => `row ${row} column ${col}`;
  const things = Object.entries(entities)
    .filter(([, cells]) => cells.length > 0)
    .map(([name, cells]) => `${name} at ${cells.map(place).join(" and ")}`);
  const all = [...(player ? [`player at ${place(player)}`] : []), ...things].join("; ");
  return `${rows} by ${cols} board, counted from 0. ${all[0]?.toUpperCase() ?? ""}${all.slice(1)}. ${sentenceOf(truth)}`.trimEnd();
}
