// CPU twin of loss_facts, in f64.

interface LossFactsRefInput {
  readonly old_logprobs: ArrayLike<number>;
  readonly advantages: ArrayLike<number>;
  readonly ref_logprobs: ArrayLike<number>;
  readonly weights: ArrayLike<number>;
  readonly rollout_logprobs: ArrayLike<number>;
}

interface LossFactsRefSettings {
  readonly advantage_scale: number;
  readonly cap: number;
  readonly behaviour: "off" | "mask" | "clamp";
  readonly refPolicy: boolean;
}

/** How much a token that the behaviour policy sampled counts under the proximal one. */
function correction(logRatio: number, cap: number, kind: LossFactsRefSettings["behaviour"]): number {
  if (kind === "off") return 1;
  const ratio = Math.exp(Math.min(20, Math.max(-20, logRatio)));
  if (kind === "clamp") return Math.min(ratio, cap);
  return ratio > cap ? 0 : ratio;
}

/** Twin of loss_facts: (Nb, 4). */
export function lossFactsRef(input: LossFactsRefInput, settings: LossFactsRefSettings): Float64Array {
  const n = input.advantages.length;
  const facts = new Float64Array(n * 4);
  for (let i = 0; i < n; i++) {
    const old = input.old_logprobs[i] as number;
    const b = correction(old - (input.rollout_logprobs[i] as number), settings.cap, settings.behaviour);
    const advantage = (input.advantages[i] as number) * settings.advantage_scale * b;
    const refPolicy = settings.refPolicy ? (input.ref_logprobs[i] as number) : 0;
    facts.set([old, advantage, refPolicy, input.weights[i] as number], i * 4);
  }
  return facts;
}
