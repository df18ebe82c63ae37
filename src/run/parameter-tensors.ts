// Converts between the flat parameter buffer and the named tensors of a checkpoint.
import { CheckpointError } from "../core/errors.ts";
import type { ParameterLayout } from "../policy/wgsl/parameters.ts";

interface NamedTensor {
  shape: number[];
  data: Float32Array<ArrayBuffer>;
}

/** Every tensor of a flat buffer under `prefix` + its name, without padding. */
export function tensorsFromFlat(
  layout: ParameterLayout,
  flat: Float32Array<ArrayBuffer>,
  prefix: string,
): [string, NamedTensor][] {
  return layout.specs.map(({ name, shape, offset, length }) => [
    prefix + name,
    { shape: [...shape], data: flat.slice(offset, offset + length) },
  ]);
}

/** The inverse. @throws CheckpointError("corrupt") naming a tensor that is missing or has another size. */
export function flatFromTensors(
  layout: ParameterLayout,
  tensors: ReadonlyMap<string, { data: Float32Array }>,
  prefix: string,
): Float32Array<ArrayBuffer> {
  const flat = new Float32Array(layout.flatLength);
  for (const { name, offset, length } of layout.specs) {
    const found = tensors.get(prefix + name)?.data;
    if (found?.length !== length) {
      throw new CheckpointError(
        "corrupt",
        `The checkpoint's tensor ${prefix}${name} has ${found?.length ?? "no"} values; ${length} are expected.`,
        "Use an earlier checkpoint.",
      );
    }
    flat.set(found, offset);
  }
  return flat;
}
