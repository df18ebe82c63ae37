// One step of the optimiser as dispatches: the gradient's norm, clipping, AdamW.
import { adamw, gradNormFinish, gradNormPartials, NORM_OF } from "../../gpu/kernels/optimizer.ts";
import type { EngineBuffers } from "./engine-buffers.ts";
import type { Recording } from "./ops.ts";

const ADAM_EPS = 1e-8;

/** Clips the gradients, by one norm or by those of policy and critic, and applies them to the parameters. */
export function recordOptimizerStep(
  { plan, caps }: Recording,
  buffers: EngineBuffers,
  separate: boolean,
): void {
  const { params, grads, m, v, blockTable: block_table, optimizerState: state, layout } = buffers;
  const { gradPartials: partials, criticPartials: critic_partials, criticNorm: critic_norm } = buffers;
  const n = layout.flatLength;
  const SEPARATE = separate ? 1 : 0;
  const OF = separate ? NORM_OF.policy : NORM_OF.all;
  plan.add(gradNormPartials(caps), { grads, block_table, partials }, { n }, { OF });
  if (separate)
    plan.add(
      gradNormPartials(caps),
      { grads, block_table, partials: critic_partials },
      { n },
      { OF: NORM_OF.critic },
    );
  plan.add(
    gradNormFinish(caps),
    { partials, critic_partials, state, critic_norm },
    {
      clip: "gradClip",
      beta1: "beta1",
      beta2: "beta2",
      critic_clip: "criticGradClip",
      threshold: "normThreshold",
    },
    { SEPARATE },
  );
  plan.add(
    adamw,
    { params, grads, m, v, block_table, state, critic_norm },
    {
      n,
      actor_lr: "actorLr",
      critic_lr: "criticLr",
      beta1: "beta1",
      beta2: "beta2",
      eps: ADAM_EPS,
      weight_decay: "weightDecay",
    },
    { SEPARATE },
  );
}
