// What a token's colour means: which numbers, which scale, which bin.

import type { TrajectoryTokens } from "../../core/types.ts";
import type { Provenance } from "../store/run-view.ts";
import type { HeatMapId } from "../store/view-options.ts";

interface HeatMapSpec {
  title: string;
  /** One sentence for the legend. */
  explains: string;
  /** Two-sided around zero, or one-sided upwards. */
  kind: "diverging" | "sequential" | "category" | "none";
  hue: "" | "heat-teal" | "heat-purple";
  unit: string;
}

export const HEAT_MAP_SPECS: Readonly<Record<HeatMapId, HeatMapSpec>> = {
  none: { title: "None", explains: "Text without numbers.", kind: "none", hue: "", unit: "" },
  advantage: {
    title: "Advantage",
    explains: "How much better than expected this token turned out: blue is encouraged, orange discouraged.",
    kind: "diverging",
    hue: "",
    unit: "",
  },
  value: {
    title: "Value",
    explains: "What the critic expected to collect from here on, before it saw this token.",
    kind: "sequential",
    hue: "heat-teal",
    unit: "reward",
  },
  return: {
    title: "Return",
    explains: "The estimate that the critic is trained towards.",
    kind: "sequential",
    hue: "heat-teal",
    unit: "reward",
  },
  reward: {
    title: "Reward",
    explains:
      "Reward paid at this token; turn rewards land on the last token of a turn. Where the run's reward has a KL penalty, it is subtracted at every token.",
    kind: "diverging",
    hue: "",
    unit: "reward",
  },
  entropy: {
    title: "Entropy",
    explains: "How undecided the policy was when it wrote this token.",
    kind: "sequential",
    hue: "heat-purple",
    unit: "nats",
  },
  mask: {
    title: "Mask",
    explains:
      "Underlined tokens are the replies, which the policy learns from; hatched ones were given to it.",
    kind: "category",
    hue: "",
    unit: "",
  },
};

export const BINS = 7;

interface HeatScale {
  /** Values at the two ends; for a diverging map −limit and +limit. */
  low: number;
  high: number;
  /** Some numbers lie beyond the ends, and have their colour. */
  clipped: boolean;
}

/** The share of the numbers that a scale with a percentile covers. */
export const COVERED = 0.98;

/** The numbers behind a map; null for maps that are not numbers. */
export function valuesOf(tokens: TrajectoryTokens, map: HeatMapId): Float32Array | null {
  switch (map) {
    case "advantage":
      return tokens.advantages;
    case "value":
      return tokens.values;
    case "return":
      return tokens.returns;
    case "reward":
      return tokens.trainRewards ?? tokens.rewards;
    case "entropy":
      return tokens.entropy;
    case "none":
    case "mask":
      return null;
  }
}

/** Whether numbers were computed for this episode at all: what was not is 0 at every token that the policy wrote. */
export function isComputed(tokens: TrajectoryTokens, values: Float32Array): boolean {
  return (
    values.length === tokens.ids.length &&
    tokens.responseMask.some((written, i) => written === 1 && values[i] !== 0)
  );
}

/** Why a map cannot be shown for this episode; empty when it can. `source` says who played it. */
export function unavailable(tokens: TrajectoryTokens, map: HeatMapId, source: Provenance): string {
  const values = valuesOf(tokens, map);
  if (!values) return "";
  if (isComputed(tokens, values)) return "";
  if (source === "demonstration") return "a demonstration is imitated token by token and has none";
  if (values.length !== tokens.ids.length) return "not recorded for this episode";
  if (map === "reward") return "no token of this episode is paid";
  return tokens.lossMask?.includes(1)
    ? "all zero in this episode: nothing in it is better or worse than expected"
    : "all zero in this episode, which was not trained on";
}

/** The whole trace's scale: symmetric 98th percentile for two-sided maps, extremes otherwise. */
export function scaleOf(tokens: TrajectoryTokens, map: HeatMapId): HeatScale {
  const values = valuesOf(tokens, map);
  if (!values) return EMPTY;
  const kept = [...values].filter((value, i) => tokens.responseMask[i] === 1 && Number.isFinite(value));
  if (kept.length === 0) return EMPTY;
  const [low, high] = endsOf(kept, map);
  return { low, high, clipped: kept.some((value) => value < low || value > high) };
}

const EMPTY: HeatScale = { low: 0, high: 0, clipped: false };

function endsOf(kept: readonly number[], map: HeatMapId): [low: number, high: number] {
  if (HEAT_MAP_SPECS[map].kind === "diverging") {
    const sizes = kept.map(Math.abs);
    // Rewards are rare: a percentile over mostly zeros would be zero.
    const limit = map === "reward" ? Math.max(...sizes) : percentile(sizes, COVERED);
    return [-limit, limit];
  }
  const high = map === "entropy" ? percentile(kept, COVERED) : Math.max(...kept);
  return [map === "entropy" ? 0 : Math.min(...kept), high];
}

function percentile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(q * sorted.length) - 1)]!;
}

/** −7…7 for a value on its scale; 0 is the surface colour. One-sided maps use 1…7 once the value is above the low end. */
export function binOf(
  value: number,
  { low, high }: Pick<HeatScale, "low" | "high">,
  kind: HeatMapSpec["kind"],
): number {
  if (!Number.isFinite(value) || high <= low || kind === "none" || kind === "category") return 0;
  if (kind === "diverging") {
    const bin = Math.max(0, Math.min(BINS, Math.ceil((Math.abs(value) / high) * BINS - 1e-6)));
    return value < 0 && bin > 0 ? -bin : bin;
  }
  return Math.max(0, Math.min(BINS, Math.ceil(((value - low) / (high - low)) * BINS - 1e-6)));
}

/** The bin of each token under a map, see `binOf`; null for tokens that the policy did not write, and on maps without numbers. */
export function binsOf(tokens: TrajectoryTokens, map: HeatMapId): (number | null)[] {
  const values = valuesOf(tokens, map);
  const scale = scaleOf(tokens, map);
  const { kind } = HEAT_MAP_SPECS[map];
  return Array.from(tokens.ids, (_, i) =>
    values && tokens.responseMask[i] === 1 ? binOf(values[i]!, scale, kind) : null,
  );
}

/** The class of each token under a map; tokens that the policy did not write stay uncoloured. */
export function binClasses(tokens: TrajectoryTokens, map: HeatMapId): string[] {
  if (map !== "mask") return binsOf(tokens, map).map((bin) => (bin === null ? "" : `b${bin}`));
  return Array.from(tokens.ids, (_, i) => {
    if (tokens.responseMask[i] !== 1) return "hatch";
    return tokens.turnEndMask[i] === 1 ? "token-mask-kept token-mask-end" : "token-mask-kept";
  });
}
