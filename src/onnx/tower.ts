// The vision tower as ONNX nodes: pictures → one row per image token. Twin: `towerRef` of src/policy/wgsl/model.ref.ts.
// In shapes, 0 copies the number of pictures, which may be none while a reply is decoded.
import { imageTokens, type ModelArchitecture } from "../policy/wgsl/architecture.ts";
import type { Value } from "./graph.ts";
import { attend, gelu, layerNorm, linear, type Network } from "./layers.ts";

/**
 * @param pixels (pictures, height, width, 4) RGBA bytes. @param positions (rows · cols, width) learned positions of the patches.
 * @returns (image tokens of all pictures, width of the decoder).
 */
export function visionTower(
  net: Network,
  architecture: ModelArchitecture,
  pixels: Value,
  positions: Value,
): Value {
  const { graph } = net;
  const { vision, decoder } = architecture;
  const patches = patchify(net, vision, pixels);
  let x = graph.op("Add", [linear(net, "vision.patch", patches), positions]);
  for (let i = 0; i < vision.layers; i++) x = towerLayer(net, vision, `vision.layers.${i}`, x);
  if (vision.layers > 0) x = layerNorm(net, "vision.norm", x);
  if (vision.merge > 1) x = pixelShuffle(net, architecture, x);
  if (vision.connector) x = linear(net, "connector", x);
  return graph.op("Reshape", [x, graph.ints([-1, decoder.width])]);
}

type Vision = ModelArchitecture["vision"];

/** RGBA bytes → (pictures, rows · cols, 3 · patch²) in −1…1: rows of a patch, then its columns, then RGB. */
function patchify({ graph }: Network, { rows, cols, patch }: Vision, pixels: Value): Value {
  const rgb = graph.op("Slice", [pixels, graph.ints([0]), graph.ints([3]), graph.ints([3])]);
  const floats = graph.op("Cast", [rgb], { to: FLOAT });
  const scaled = graph.op("Sub", [graph.op("Div", [floats, graph.scalar(127.5)]), graph.scalar(1)]);
  const tiles = graph.op("Reshape", [scaled, graph.ints([0, rows, patch, cols, patch, 3])]);
  const ordered = graph.op("Transpose", [tiles], { perm: [0, 1, 3, 2, 4, 5] });
  return graph.op("Reshape", [ordered, graph.ints([0, rows * cols, 3 * patch * patch])]);
}

/** FLOAT in TensorProto.DataType, as Cast takes it. */
const FLOAT = 1;

function towerLayer(net: Network, vision: Vision, at: string, x: Value): Value {
  const { graph } = net;
  const attended = pictureAttention(net, vision, linear(net, `${at}.qkv`, layerNorm(net, `${at}.norm1`, x)));
  const mid = graph.op("Add", [linear(net, `${at}.out`, attended), x]);
  const inner = linear(net, `${at}.up`, layerNorm(net, `${at}.norm2`, mid));
  return graph.op("Add", [linear(net, `${at}.down`, gelu(net, inner)), mid]);
}

/** Every patch attends the patches of its own picture. */
function pictureAttention(net: Network, { rows, cols, heads, headDim, width }: Vision, qkv: Value): Value {
  const { graph } = net;
  const shape = graph.ints([0, rows * cols, heads, headDim]);
  const [q, k, v] = graph
    .split(qkv, [width, width, width])
    .map((part) => graph.op("Transpose", [graph.op("Reshape", [part, shape])], { perm: [0, 2, 1, 3] }));
  const out = graph.op("Transpose", [attend(net, { q, k, v, headDim })], { perm: [0, 2, 1, 3] });
  return graph.op("Reshape", [out, graph.ints([0, rows * cols, width])]);
}

/** merge × merge neighbouring patches become one row, merge² times as wide. */
function pixelShuffle({ graph }: Network, architecture: ModelArchitecture, x: Value): Value {
  const { rows, cols, merge, width } = architecture.vision;
  const grid = graph.ints([0, rows / merge, merge, cols / merge, merge, width]);
  const tiles = graph.op("Transpose", [graph.op("Reshape", [x, grid])], { perm: [0, 1, 3, 2, 4, 5] });
  return graph.op("Reshape", [tiles, graph.ints([0, imageTokens(architecture), merge * merge * width])]);
}
