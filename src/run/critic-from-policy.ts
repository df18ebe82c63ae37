// A separate critic for a policy that was trained without one.
import { type Checkpoint, PARAM } from "../persistence/checkpoint.ts";
import type { ModelArchitecture } from "../policy/wgsl/architecture.ts";

/**
 * The checkpoint as a model with a separate critic reads it: where the checkpoint's critic is a head on the policy's backbone, the
 * critic's own backbone begins as a copy of that. Any other checkpoint is returned unchanged.
 */
export function withCriticFromPolicy(
  { meta, tensors }: Checkpoint,
  { critic }: Pick<ModelArchitecture, "critic">,
): Checkpoint {
  const stored = meta.architecture as { critic?: unknown };
  if (critic !== "separate" || stored.critic !== "head") return { meta, tensors };
  const copies = [...tensors].flatMap(([name, tensor]) =>
    name.startsWith(PARAM) ? [[`${PARAM}critic.${name.slice(PARAM.length)}`, tensor] as const] : [],
  );
  return {
    meta: { ...meta, architecture: { ...meta.architecture, critic } },
    tensors: new Map([...tensors, ...copies]),
  };
}
