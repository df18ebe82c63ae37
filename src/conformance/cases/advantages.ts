// Cases of the advantage estimators that run on the GPU. Their twins are the functions of rl/advantage/.
import {
  biLevelGae,
  GROUP_KIND,
  gae,
  groupAdvantage,
  LAMBDA_BY,
  maskedGae,
  trajectoryScore,
  turnGae,
  variableClockGae,
} from "../../gpu/kernels/advantage.ts";
import type { AdvantageParams } from "../../rl/advantage/estimator.ts";
import { estimators } from "../../rl/advantage/index.ts";
import { randomBatch } from "../../rl/advantage/random-batch.ts";
import { casesOf, close, type KernelCase, only, type Variant } from "../case.ts";
import { noise } from "../numbers.ts";

const USUAL = { gamma: 0.98, lambda: 0.93, turnGamma: 0.9 };
const TURNS = { ...USUAL, turnLambda: 0.6 };
const CLOCK = { gammaTurn: 0.8, lambdaTurn: 0.7, lambdaToken: 0.9, mix: 0.6 };
const LENGTHS = [
  { kind: "vapo", value: 0.4 },
  { kind: "relative_position", value: 0.5 },
] as const;

/** `s` trajectories on the batch axis, as every estimator binds them; the outputs hold noise. */
function batchOf(s: number) {
  const batch = randomBatch(s, s, { inner: true, bootstrap: true });
  const { rewards, values, gaeMask: mask, turnEndMask: end_mask, starts, bootstrap, groups } = batch;
  const n = rewards.length;
  const outputs = { advantages: noise(n, 91), returns: noise(n, 92) };
  return { batch, arrays: { rewards, values, mask, end_mask, starts, bootstrap, groups, ...outputs } };
}

type Bindings = keyof ReturnType<typeof batchOf>["arrays"];

/** The estimator `id` with `params` is the twin of a kernel with these constants and uniforms. */
function estimated<U extends string>(
  s: number,
  id: string,
  params: AdvantageParams,
  variants: readonly Variant<U, Bindings>[],
  uniforms: Readonly<Record<NoInfer<U>, number>>,
): KernelCase[] {
  const { turnAnchor = "end", lambdaByLength, carry } = params;
  const choices = [turnAnchor === "start" && "start", lambdaByLength?.kind, carry && "carried"];
  const title = [`${id}, ${s} trajectories`, ...choices.filter(Boolean)].join(", ");
  return casesOf(title, variants, () => {
    const { batch, arrays } = batchOf(s);
    const want = estimators.get(id).estimate(batch, params);
    return {
      uniforms,
      arrays,
      want: { advantages: close(want.advantages, 1e-5, 1e-5), returns: close(want.returns, 1e-5, 1e-5) },
    };
  });
}

const byTokens = (s: number): KernelCase[] => {
  const uniforms = { s, gamma: USUAL.gamma, lam: USUAL.lambda, lam_param: 0 };
  const carried = [false, true].flatMap((carry) => {
    const variants = only(maskedGae, { CRITIC: 0, RESET: carry ? 0 : 1 });
    return estimated(s, "reinforce_plus_plus", { ...USUAL, carry }, variants, { ...uniforms, lam: 1 });
  });
  return [
    ...estimated(s, "gae", USUAL, only(gae), { s, gamma: USUAL.gamma, lam: USUAL.lambda }),
    ...estimated(s, "masked_gae", USUAL, only(maskedGae), uniforms),
    ...estimated(s, "default_gae", USUAL, only(maskedGae, { LUMPED: 1 }), uniforms),
    ...carried,
    ...LENGTHS.flatMap((lambdaByLength) =>
      estimated(
        s,
        "masked_gae",
        { ...USUAL, lambdaByLength },
        only(maskedGae, { LAMBDA_BY: LAMBDA_BY[lambdaByLength.kind] }),
        { ...uniforms, lam_param: lambdaByLength.value },
      ),
    ),
  ];
};

const byTurns = (s: number): KernelCase[] => {
  const { gamma, lambda, turnGamma, turnLambda } = TURNS;
  const levels = { s, gamma, lam: lambda, turn_gamma: turnGamma, turn_lam: turnLambda };
  const wise = { s, turn_gamma: turnGamma, turn_lam: turnLambda, lam_param: 0 };
  const whole = { s, turn_gamma: gamma, turn_lam: lambda, lam_param: 0 };
  return [
    ...(["end", "start"] as const).flatMap((turnAnchor) => {
      const [params, START] = [{ ...TURNS, turnAnchor }, turnAnchor === "start" ? 1 : 0];
      return [
        ...estimated(s, "bi_level_gae", params, only(biLevelGae, { START }), levels),
        ...estimated(s, "turn_wise_gae", params, only(turnGae, { START }), wise),
      ];
    }),
    ...estimated(s, "turn_level_gae", USUAL, only(turnGae, { START: 1, SUMMED: 1 }), whole),
    ...estimated(s, "areal_turn_gae", USUAL, only(turnGae, { START: 1, SUMMED: 1, DENSE: 1 }), whole),
    ...LENGTHS.flatMap((lambdaByLength) => {
      const constants = { START: 1, SUMMED: 1, LAMBDA_BY: LAMBDA_BY[lambdaByLength.kind] };
      const uniforms = { ...whole, lam_param: lambdaByLength.value };
      return estimated(s, "turn_level_gae", { ...USUAL, lambdaByLength }, only(turnGae, constants), uniforms);
    }),
    ...estimated(s, "bi_level_gae_variable_clock", { ...USUAL, clock: CLOCK }, only(variableClockGae), {
      s,
      gamma_turn: CLOCK.gammaTurn,
      lambda_turn: CLOCK.lambdaTurn,
      lambda_token: CLOCK.lambdaToken,
      mix: CLOCK.mix,
    }),
  ];
};

/** Sums of rewards of each trajectory, over the policy's tokens or over all. */
function scoresOf({ batch }: ReturnType<typeof batchOf>, every: boolean): Float64Array {
  const { starts, rewards, gaeMask } = batch;
  return Float64Array.from(starts.slice(1), (end, s) => {
    let sum = 0;
    for (let i = starts[s] as number; i < end; i++) if (every || gaeMask[i]) sum += rewards[i] as number;
    return sum;
  });
}

const scores = (s: number, EVERY: 0 | 1): KernelCase[] =>
  casesOf(`${s} trajectories${EVERY ? ", every token" : ""}`, only(trajectoryScore, { EVERY }), () => {
    const input = batchOf(s);
    const { rewards, mask, starts } = input.arrays;
    return {
      uniforms: { s },
      arrays: { rewards, mask, starts, scores: noise(s, 93) },
      want: { scores: close(scoresOf(input, EVERY === 1), 1e-5, 1e-5) },
    };
  });

/** The estimator and its parameters behind each kind of comparison. */
const COMPARISONS = {
  grpo: ["grpo", true],
  grpo_without_std: ["grpo", false],
  rloo: ["rloo", true],
  trajectory_grpo: ["trajectory_grpo", true],
  trajectory_grpo_without_std: ["trajectory_grpo", false],
} as const;
type Comparison = keyof typeof COMPARISONS;

const compared = (s: number, kind: Comparison): KernelCase[] =>
  casesOf(`${kind}, ${s} trajectories`, only(groupAdvantage, { KIND: GROUP_KIND[kind] }), () => {
    const input = batchOf(s);
    const [id, groupStd] = COMPARISONS[kind];
    const want = estimators.get(id).estimate(input.batch, { ...USUAL, groupStd });
    const found = Float32Array.from(scoresOf(input, false));
    return {
      uniforms: { s },
      arrays: { ...input.arrays, scores: found },
      want: { advantages: close(want.advantages, 1e-5, 1e-5), returns: close(want.returns, 1e-5, 1e-5) },
    };
  });

/**
 * A group whose trajectories all earned the same. Its mean may differ from that by a rounding, because WGSL lets a division be
 * off by 2.5 ulp; a deviation of nothing but such errors must not be divided by.
 */
const equal = (s: number, score: number, kind: Comparison): KernelCase[] =>
  casesOf(`${kind}, ${s} equal scores of ${score}`, only(groupAdvantage, { KIND: GROUP_KIND[kind] }), () => ({
    uniforms: { s },
    arrays: {
      scores: new Float32Array(s).fill(score),
      groups: new Uint32Array(s),
      starts: Uint32Array.from({ length: s + 1 }, (_, i) => i),
      mask: new Float32Array(s).fill(1),
      advantages: noise(s, 91),
      returns: noise(s, 92),
    },
    want: { advantages: close(new Float32Array(s), 0, 0), returns: close(new Float32Array(s), 0, 0) },
  }));

const KINDS = Object.keys(COMPARISONS) as Comparison[];

export const advantageCases: readonly KernelCase[] = [
  ...[1, 17, 40].flatMap((s) => [
    ...byTokens(s),
    ...byTurns(s),
    ...scores(s, 0),
    ...scores(s, 1),
    ...KINDS.flatMap((kind) => compared(s, kind)),
  ]),
  ...KINDS.flatMap((kind) => [3, 10, 41].flatMap((s) => [...equal(s, 0.1, kind), ...equal(s, 1.7, kind)])),
];
