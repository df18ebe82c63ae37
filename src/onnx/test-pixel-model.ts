// Test aid: an image encoder that can be computed by hand.
import { GraphBuilder } from "./graph.ts";

interface PixelModelOptions {
  name?: string;
  type?: "float" | "uint8";
  /** A token for each pixel, all of them as one vector, or the picture itself, which is no embedding. */
  output?: "tokens" | "vector" | "picture";
  /** Takes the logarithm of each value, which for DreamSim's pictures is finite on white alone. */
  log?: boolean;
}

/** The bytes of a model that gives the pixels of a picture, each with its channels. */
export function pixelModel(
  input: readonly (number | string)[] = [1, 3, 8, 8],
  { name = "pixel_values", type = "float", output = "tokens", log = false }: PixelModelOptions = {},
): Uint8Array<ArrayBuffer> {
  const graph = new GraphBuilder();
  const given = graph.input(name, type, input);
  const values = type === "float" ? given : graph.op("Cast", [given], { to: 1 });
  const pixels = log ? graph.op("Log", [values]) : values;
  const channels = typeof input[1] === "number" ? input[1] : 3;
  const planes = graph.op("Reshape", [pixels, graph.ints([1, channels, -1])]);
  const tokens = graph.op("Transpose", [planes], { perm: [0, 2, 1] });
  if (output === "tokens") graph.output("last_hidden_state", tokens, [1, "tokens", channels]);
  else if (output === "picture") graph.output("picture", pixels, input);
  else graph.output("vector", graph.op("Reshape", [tokens, graph.ints([1, -1])]), [1, "width"]);
  return graph.build("pixels", {});
}
