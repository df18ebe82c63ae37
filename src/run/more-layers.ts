// Starts a deeper model from a checkpoint with fewer decoder layers.
import { type Checkpoint, PARAM } from "../persistence/checkpoint.ts";
import type { ModelArchitecture } from "../policy/wgsl/architecture.ts";
import { initialParameters, type ParameterLayout } from "../policy/wgsl/parameters.ts";
import { tensorsFromFlat } from "./parameter-tensors.ts";

/** What a checkpoint is changed for. */
interface Model {
  architecture: Pick<ModelArchitecture, "decoder">;
  layout: ParameterLayout;
}

/** A tensor of a decoder layer, of the policy or of its separate critic; the vision tower has layers of its own. */
const OF_LAYER = /^(?:critic\.)?layers\.(\d+)\./;

/** The linear layers whose output is added to the residual stream. */
const RESIDUAL_OUTPUT = /\.(?:out|down)\.weight$/;

/**
 * The checkpoint with as many decoder layers as `model`. Additional layers follow the stored ones. They begin as in a run from random
 * weights, except that the attention output and the MLP output are zero, so the deeper model computes what the stored one computed.
 * Block expansion (Wu et al., "LLaMA Pro", 2024) has such zeros in copies of layers. A checkpoint that has as many layers or more is
 * returned unchanged.
 * @param seed of the additional layers, as in a run without a checkpoint.
 */
export function withMoreLayers(
  { meta, tensors }: Checkpoint,
  { architecture, layout }: Model,
  seed: number,
): Checkpoint {
  const { layers } = architecture.decoder;
  const stored = storedLayers(meta.architecture);
  if (stored >= layers) return { meta, tensors };
  const specs = layout.specs.filter(({ name }) => extendsStored(name, tensors, stored));
  const deeper = { meta: withLayers(meta, layers), tensors };
  // Metadata alone has no tensors to extend, and random numbers for a whole model take long.
  if (specs.length === 0) return deeper;
  const additional = tensorsFromFlat(
    { ...layout, specs },
    initialParameters({ ...layout, specs }, seed),
    PARAM,
  );
  for (const [name, { data }] of additional) if (RESIDUAL_OUTPUT.test(name)) data.fill(0);
  return { ...deeper, tensors: new Map([...tensors, ...additional]) };
}

/** The decoder layers of a checkpoint; more than any model has if its metadata does not say, so that nothing is added. */
export function storedLayers({ decoder }: { decoder?: { layers?: unknown } }): number {
  return typeof decoder?.layers === "number" ? decoder.layers : Number.POSITIVE_INFINITY;
}

/** Whether a tensor belongs to a layer after the stored ones, in a stack that the checkpoint has: it may lack a separate critic. */
function extendsStored(name: string, tensors: Checkpoint["tensors"], stored: number): boolean {
  const layer = OF_LAYER.exec(name)?.[1];
  if (layer === undefined || Number(layer) < stored) return false;
  return tensors.has(PARAM + name.replace(`layers.${layer}.`, "layers.0."));
}

/** Metadata that states the new depth, in the architecture and in the settings that would fit. */
function withLayers(meta: Checkpoint["meta"], layers: number): Checkpoint["meta"] {
  const { architecture, config } = meta as { architecture: { decoder: object }; config: { model?: object } };
  return {
    ...meta,
    architecture: { ...architecture, decoder: { ...architecture.decoder, layers } },
    config: { ...config, ...(config.model && { model: { ...config.model, num_hidden_layers: layers } }) },
  };
}
