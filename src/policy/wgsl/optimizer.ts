// One step of the optimiser as dispatches: the gradient's norm, clipping, AdamW.
import { adamw, gradNormFinish, gradNormPartials } from "../../gpu/kernels/optimizer.ts";
import type { EngineBuffers } from "./engine-buffers.ts";
import type { Recording } from "./ops.ts";

const ADAM_EPS = 1e-8;

/** Clips the gradients and applies them to the parameters. */
export function recordOptimizerStep({ plan, caps }: Recording, buffers: EngineBuffers): void {
  const { params, grads, m, v, blockTable: table, optimizerState: state, gradPartials, layout } = buffers;
  const n = layout.flatLength;
  plan.add(gradNormPartials(caps), { grads, partials: gradPartials }, { n });
  plan.add(
    gradNormFinish(caps),
    { partials: gradPartials, state },
    { clip: "gradClip", beta1: "beta1", beta2: "beta2" },
  );
  plan.add(
    adamw,
    { params, grads, m, v, block_table: table, state },
    {
      n,
      actor_lr: "actorLr",
      critic_lr: "criticLr",
      beta1: "beta1",
      beta2: "beta2",
      eps: ADAM_EPS,
      weight_decay: "weightDecay",
    },
  );
}
