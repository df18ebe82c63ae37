// Whether the rules that judge read what the language of a user's own environment says, as it is meant.
import type { ClaimRules } from "../core/scene.ts";
import type { GroundTruth, SceneTruth, WorldTruth } from "../core/types.ts";
import type { EnvSpec, Surroundings } from "../envs/env.ts";
import { readPlaces } from "../judge/statement.ts";
import { judgeSurroundings } from "../judge/surroundings.ts";

/** What an environment says of its states, and how it is read. */
export interface Language {
  /** What is read wrongly of a state before an action, and what helps; null if nothing is. */
  misread(truth: SceneTruth, action: string): string | null;
}

/** The words of an environment; `T` is the type of its truth. */
interface Words<T> {
  describe(truth: T): string;
  facts(truth: T): string;
  predict(truth: T): string;
  readonly decision?: string | null;
}

/** Of a board: cells, and what lies beside the player. */
export const boardLanguage = (words: Words<GroundTruth>, spec: EnvSpec): Language => ({
  misread: (truth, action) =>
    misreadCells(words, spec, truth as GroundTruth) ??
    misreadSurroundings(words, spec.surroundings!, truth as GroundTruth, action),
});

function misreadCells(words: Words<GroundTruth>, { claims }: EnvSpec, truth: GroundTruth): string | null {
  const said = words.describe(truth);
  for (const [name, cells] of readPlaces(said, ["player", ...claims]))
    if (JSON.stringify(cells) !== JSON.stringify(name === "player" ? [truth.player] : truth.entities[name]))
      return `Of "${said}" the rules do not read the cell of ${name}. Choose another words.at.`;
  return null;
}

function misreadSurroundings(
  words: Words<GroundTruth>,
  surroundings: Surroundings,
  truth: GroundTruth,
  action: string,
): string | null {
  const reasoning = `${words.facts(truth)}${words.decision ?? ""}${action}`;
  const { score, reason } = judgeSurroundings(reasoning, truth, surroundings);
  return score === 1
    ? null
    : `Of "${reasoning}" the rules do not read what lies beside the player: ${reason}. Choose another words.is and words.decision.`;
}

/** Of a plane: places. */
export const planeLanguage = (words: Words<WorldTruth>, rules: ClaimRules): Language => ({
  misread(truth) {
    const scene = truth as WorldTruth;
    return (
      misreadPlaces(words.describe(scene), scene, rules, "observation") ??
      misreadPlaces(words.predict(scene), scene, rules, "prediction")
    );
  },
});

function misreadPlaces(
  said: string,
  truth: WorldTruth,
  rules: ClaimRules,
  claim: "observation" | "prediction",
): string | null {
  const read = rules.read(said, truth).map(({ name, value }) => `${name} ${value}`);
  const meant = rules.expected(truth, claim).filter(({ optional }) => !optional);
  const places = meant.map(({ name, value }) => `${name} ${value}`);
  return read.join() === places.join()
    ? null
    : `Of "${said}" the rules read ${read.join(" and ") || "nothing"}, not ${places.join(" and ")}. Choose another words.at, or other names of things.`;
}
