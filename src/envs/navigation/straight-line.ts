// How far the target is at least, from a scene alone: the scene has no walls.
import type { SceneTruth } from "../../core/types.ts";

/** Metres are decimal fractions: a whole number of steps must not become one more. */
const ROUNDING = 1e-9;

/**
 * The steps to where the task is solved if nothing stood in the way, along a straight line; no walk needs fewer. By them PIVOT
 * (arXiv 2609.35303) decides when a walk was lost. Its other events (malformed replies up to the end, a blocked or an aimless walk) are
 * left out: they leave the target within reach, and the paper does not give their bounds.
 */
export function straightSteps({ facts = {} }: SceneTruth): number {
  const { x, z, target_x, target_z, step, reach } = facts as Readonly<Record<string, number>>;
  const [dx, dz] = [target_x! - x!, target_z! - z!];
  // Every engine rounds a square root the same way, but not `hypot`.
  const distance = Math.sqrt(dx * dx + dz * dz) - reach!;
  return Math.max(0, Math.ceil(distance / step! - ROUNDING));
}
