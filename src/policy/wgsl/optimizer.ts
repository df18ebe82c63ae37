// One step of the optimiser as dispatches: the gradient's norm, clipping, AdamW.
import { adamw, CLOCKS_OF, gradNormFinish, gradNormPartials, NORM_OF } from "../../gpu/kernels/optimizer.ts";
import type { EngineBuffers } from "./engine-buffers.ts";
import type { Recording } from "./ops.ts";
import type { LossKind } from "./step-settings.ts";

const ADAM_EPS = 1e-8;

/** Steps with the same key have the same dispatches. */
export const optimizerKey = ({ trains, separateNorms }: OptimizerKind): string =>
  `optimise ${trains}${trains === "all" && separateNorms ? ", norms apart" : ""}`;

type OptimizerKind = Pick<LossKind, "trains" | "separateNorms">;

/**
 * Clips the gradients and applies them to the parameters that the step trains: all of them by one norm or by those of policy and
 * critic, or only the policy's or the critic's, whose optimiser then has a step of its own.
 */
export function recordOptimizerStep(rec: Recording, buffers: EngineBuffers, kind: OptimizerKind): void {
  const apart = kind.trains === "all" && kind.separateNorms;
  recordNorms(rec, buffers, kind.trains, apart);
  const { params, grads, m, v, blockTable: block_table, optimizerState: state, criticState } = buffers;
  rec.plan.add(
    adamw,
    { params, grads, m, v, block_table, state, critic_state: criticState },
    {
      n: buffers.layout.flatLength,
      actor_lr: "actorLr",
      critic_lr: "criticLr",
      beta1: "beta1",
      beta2: "beta2",
      eps: ADAM_EPS,
      weight_decay: "weightDecay",
    },
    { OF: NORM_OF[kind.trains] },
  );
}

/** The norms of the gradients, and from them scales and clocks. */
function recordNorms(
  { plan, caps }: Recording,
  buffers: EngineBuffers,
  trains: LossKind["trains"],
  apart: boolean,
): void {
  const { grads, blockTable: block_table, gradPartials, criticPartials, layout } = buffers;
  const { optimizerState, criticState } = buffers;
  const n = layout.flatLength;
  const norm = (partials: typeof gradPartials, of: keyof typeof NORM_OF) =>
    plan.add(gradNormPartials(caps), { grads, block_table, partials }, { n }, { OF: NORM_OF[of] });
  norm(gradPartials, apart ? "policy" : trains);
  if (apart) norm(criticPartials, "critic");
  const isCritic = trains === "critic";
  plan.add(
    gradNormFinish(caps),
    {
      partials: gradPartials,
      critic_partials: criticPartials,
      state: isCritic ? criticState : optimizerState,
      critic_state: isCritic ? optimizerState : criticState,
    },
    {
      clip: isCritic ? "criticGradClip" : "gradClip",
      beta1: "beta1",
      beta2: "beta2",
      critic_clip: "criticGradClip",
      threshold: "normThreshold",
    },
    { OF: trains === "all" ? CLOCKS_OF[apart ? "apart" : "together"] : CLOCKS_OF.alone },
  );
}
