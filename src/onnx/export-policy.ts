// A checkpoint as an ONNX model: vision tower, decoder with a KV cache, and value head in one graph of primitive operators.
// docs/onnx.md describes its inputs and outputs.
import { CheckpointError } from "../core/errors.ts";
import { message, setting, value } from "../core/message.ts";
import { type Checkpoint, PARAM } from "../persistence/checkpoint.ts";
import type { ModelArchitecture } from "../policy/wgsl/architecture.ts";
import { decode } from "./decoder.ts";
import { GraphBuilder, type Value } from "./graph.ts";
import { gelu, linear, type Network } from "./layers.ts";
import { metadataProps } from "./metadata.ts";
import { visionTower } from "./tower.ts";

interface NamedTensor {
  shape: readonly number[];
  data: Float32Array;
}

/**
 * The checkpoint's policy as the bytes of an `.onnx` file, for one conversation at a time.
 * @param architecture that of the checkpoint's configuration.
 * @param maxPositions longest conversation in tokens; rotary positions are a table of this length.
 * @throws CheckpointError("wrong_architecture") for a model that the graph does not cover.
 */
export function policyToOnnx(
  { meta, tensors }: Checkpoint,
  architecture: ModelArchitecture,
  maxPositions: number,
): Uint8Array<ArrayBuffer> {
  assertCovered(architecture);
  const graph = new GraphBuilder();
  const net = networkOf(graph, derivedTensors(architecture, maxPositions, tensorsOf(tensors)));
  const ids = graph.input("input_ids", "int64", [1, "sequence_length"]);
  const positionIds = graph.input("position_ids", "int64", [1, "sequence_length"]);
  const embedded = embedTokens(net, architecture, ids);
  const hidden = decode(net, architecture, embedded, positionIds);
  const logits = graph.op("MatMul", [hidden, net.weight("head.weight")]);
  graph.output("logits", logits, [1, "sequence_length", architecture.vocab]);
  graph.output("value", valueHead(net, hidden), [1, "sequence_length"]);
  return graph.build(`policy of ${meta.runId}`, metadataProps(meta, maxPositions));
}

function assertCovered({ critic }: ModelArchitecture): void {
  if (critic === "head") return;
  throw new CheckpointError(
    "wrong_architecture",
    message`The checkpoint cannot be exported as ONNX: ${setting("model.critic")} is ${value("model.critic", critic)}, and the ONNX graph has one backbone.`,
    message`Export a checkpoint of a run with ${setting("model.critic")} ${value("model.critic", "head")}, or export its weights as safetensors.`,
  );
}

type Tensors = (name: string) => NamedTensor | undefined;

const tensorsOf =
  (tensors: Checkpoint["tensors"]): Tensors =>
  (name) =>
    tensors.get(PARAM + name);

function networkOf(graph: GraphBuilder, find: Tensors): Network {
  return {
    graph,
    has: (name) => find(name) !== undefined,
    weight(name): Value {
      const found = find(name);
      if (found) return graph.floats(name, found.shape, found.data);
      throw new CheckpointError(
        "corrupt",
        `The checkpoint has no tensor ${PARAM}${name}.`,
        "Use an earlier checkpoint.",
      );
    },
  };
}

/** The checkpoint's tensors in the form that the graph reads, and tables that are computed once. */
function derivedTensors(
  { decoder, vision, vocab, ropeTheta, tied }: ModelArchitecture,
  maxPositions: number,
  stored: Tensors,
): Tensors {
  const derived: Record<string, () => NamedTensor | undefined> = {
    "vision.positions": () =>
      gridPositions(stored("vision.rows"), stored("vision.cols"), vision.rows, vision.cols),
    // Rows and columns beyond the vocabulary are padding of the GPU kernels.
    "embed.weight": () => firstRows(stored("embed.weight"), vocab),
    "head.weight": () =>
      tied
        ? transposed(firstRows(stored("embed.weight"), vocab))
        : firstColumns(stored("head.weight"), vocab),
    "value.out.weight": () => firstColumns(stored("value.out.weight"), 1),
    "value.out.bias": () => firstRows(stored("value.out.bias"), 1),
    "rope.cos": () => rotations(Math.cos, maxPositions, decoder.headDim, ropeTheta),
    "rope.sin": () => rotations(Math.sin, maxPositions, decoder.headDim, ropeTheta),
  };
  return (name) => (Object.hasOwn(derived, name) ? derived[name]() : stored(name));
}

/** (positions, headDim / 2) cosines or sines, rounded from f64: exact however long the conversation. */
function rotations(
  wave: (angle: number) => number,
  positions: number,
  headDim: number,
  theta: number,
): NamedTensor {
  const half = headDim / 2;
  const data = Float32Array.from({ length: positions * half }, (_, at) =>
    wave(Math.floor(at / half) * theta ** ((-2 * (at % half)) / headDim)),
  );
  return { shape: [positions, half], data };
}

/** The sum of the row's and the column's learned position, for every patch. */
function gridPositions(
  rowTable: NamedTensor | undefined,
  colTable: NamedTensor | undefined,
  rows: number,
  cols: number,
): NamedTensor | undefined {
  if (!rowTable || !colTable) return undefined;
  const width = rowTable.data.length / rows;
  const data = Float32Array.from({ length: rows * cols * width }, (_, at) => {
    const cell = Math.floor(at / width);
    const row = Math.floor(cell / cols);
    return rowTable.data[row * width + (at % width)] + colTable.data[(cell % cols) * width + (at % width)];
  });
  return { shape: [rows * cols, width], data };
}

function firstRows(tensor: NamedTensor | undefined, rows: number): NamedTensor | undefined {
  if (!tensor) return undefined;
  const [height, ...rest] = tensor.shape;
  return { shape: [rows, ...rest], data: tensor.data.subarray(0, (tensor.data.length / height) * rows) };
}

function transposed(tensor: NamedTensor | undefined): NamedTensor | undefined {
  if (!tensor) return undefined;
  const [rows, cols] = tensor.shape;
  const data = tensor.data.map((_, at) => tensor.data[(at % rows) * cols + Math.floor(at / rows)]);
  return { shape: [cols, rows], data };
}

const firstColumns = (tensor: NamedTensor | undefined, columns: number): NamedTensor | undefined =>
  transposed(firstRows(transposed(tensor), columns));

/** (1, s, width): text tokens from the table; at `image_positions` the rows of the tower, in order. */
function embedTokens(net: Network, architecture: ModelArchitecture, ids: Value): Value {
  const { graph, weight } = net;
  const { vision, decoder } = architecture;
  const size = [vision.rows * vision.patch, vision.cols * vision.patch];
  const pixels = graph.input("pixel_values", "uint8", ["pictures", ...size, 4]);
  const places = graph.input("image_positions", "int64", ["image_tokens"]);
  const images = visionTower(net, architecture, pixels, weight("vision.positions"));
  const text = graph.op("Gather", [weight("embed.weight"), ids], { axis: 0 });
  const rows = graph.op("Reshape", [text, graph.ints([-1, decoder.width])]);
  const merged = graph.op("ScatterND", [rows, graph.op("Unsqueeze", [places, graph.ints([1])]), images]);
  return graph.op("Unsqueeze", [merged, graph.ints([0])]);
}

/** (1, s): linear, GELU, linear. */
function valueHead(net: Network, hidden: Value): Value {
  const inner = gelu(net, linear(net, "value.hidden", hidden));
  return net.graph.op("Squeeze", [linear(net, "value.out", inner), net.graph.ints([2])]);
}
