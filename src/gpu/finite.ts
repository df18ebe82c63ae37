// Finds the first tensor of a plan that is not finite, by running the plan one dispatch at a time.
import type { Gpu } from "./device.ts";
import type { BindingAccess } from "./kernel.ts";
import type { Dispatched, Plan, PlanValues } from "./plan.ts";
import { readNamed, type Stretch } from "./read.ts";

/** The tensors of a dispatch that hold floats, by binding, whole. */
function floatTensors({ spec, tensors }: Dispatched, access: BindingAccess): Record<string, Stretch> {
  const code = spec.code.join("\n");
  const isFloat = (name: string) => new RegExp(`> ${name}: array<(f32|vec[234]f)>`).test(code);
  const names = Object.keys(spec.bindings);
  return Object.fromEntries(
    names.flatMap((name, i) => {
      const { [i]: tensor } = tensors;
      if (!tensor?.length || spec.bindings[name] !== access || !isFloat(name)) return [];
      return [[name, { tensor, length: tensor.length }]];
    }),
  );
}

/** A line for each of these tensors that is not finite, such as `out "decoder.x" [17] is NaN`. */
async function notFinite(gpu: Gpu, tensors: Record<string, Stretch>): Promise<string[]> {
  if (Object.keys(tensors).length === 0) return [];
  const numbers = await readNamed(gpu, tensors);
  return Object.entries(numbers).flatMap(([name, values]) => {
    const at = values.findIndex((x) => !Number.isFinite(x));
    return at < 0 ? [] : [`${name} "${tensors[name]?.tensor.slot.label}" [${at}] is ${values[at]}`];
  });
}

/**
 * Runs `plan` as `Plan.run` does, but waits for each dispatch and reads what it wrote: slow, for debugging.
 * @throws Error at the first dispatch that wrote a number that is not finite, with its outputs and inputs that are not.
 */
export async function runFinite<Name extends string>(
  gpu: Gpu,
  plan: Plan<Name>,
  values: PlanValues<Name>,
): Promise<void> {
  for (const dispatch of plan.runStepwise(gpu, values)) {
    const outputs = await notFinite(gpu, floatTensors(dispatch, "read_write"));
    if (outputs.length === 0) continue;
    const inputs = await notFinite(gpu, floatTensors(dispatch, "read"));
    const where = `plan "${plan.label}", dispatch ${dispatch.index} of ${plan.dispatches}, ${dispatch.spec.label}`;
    const from = inputs.length > 0 ? `not finite before: ${inputs.join("; ")}` : "its inputs are finite";
    throw new Error(`${where}: ${outputs.join("; ")}; ${from}.`);
  }
}
