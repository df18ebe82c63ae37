// NaN spreads: one bad weight makes every reply nonsense, and an evaluation would report 0 % as a real result.
import { CheckpointError } from "../core/errors.ts";
import { short } from "../core/short.ts";
import type { Tensor } from "./safetensors.ts";

interface NonFinite {
  name: string;
  index: number;
  value: number;
  count: number;
}

/**
 * Rejects NaN and infinity in weights, moments and the ref policy.
 * @throws CheckpointError("non_finite") naming the first such tensor, how many values are bad, and the first one.
 */
export function assertFinite(tensors: ReadonlyMap<string, Tensor>, file: string): void {
  const bad = [...tensors].flatMap(([name, { data }]) => nonFinite(name, data) ?? []);
  const [first, ...others] = bad;
  if (!first) return;
  const more = others.length > 0 ? ` ${others.length} more tensors have such values.` : "";
  throw new CheckpointError(
    "non_finite",
    `${file} cannot be used: ${first.count} of the ${tensors.get(first.name)!.data.length} values of ${short(first.name)} are NaN or infinite, the first is ${first.value} at index ${first.index}.${more}`,
    "Use an earlier checkpoint of the run, or another file. If training diverged, resume from there with a lower learning rate.",
  );
}

function nonFinite(name: string, data: Float32Array): NonFinite | null {
  let [count, index] = [0, -1];
  for (let i = 0; i < data.length; i++) {
    if (Number.isFinite(data[i])) continue;
    if (count++ === 0) index = i;
  }
  return count > 0 ? { name, index, value: data[index]!, count } : null;
}
