// `export-onnx`: the policy of a checkpoint as an ONNX model.
import { exportOnnx } from "../run/onnx.ts";
import { checkpointAndOut, checkpointOption, openCheckpoint } from "./checkpoint.ts";
import type { Command } from "./command.ts";
import { writeInto } from "./disk.ts";
import { housesOption, pluginOption } from "./plugins.ts";

export const exportOnnxCommand: Command = {
  summary: "Write a checkpoint's policy as an ONNX model.",
  details: [
    "The model has the vision tower, the decoder with its KV cache as inputs and outputs, and the value head. It runs in",
    "ONNX Runtime without this studio; tokenizer, configuration and origin are in its metadata (docs/onnx.md).",
    "",
    "  npm run export-onnx -- --checkpoint frozenlake-nano-trained --out policy.onnx",
  ].join("\n"),
  options: {
    ...checkpointOption,
    out: { value: "<file>", help: "The .onnx file to write." },
    ...pluginOption,
    ...housesOption,
  },
  async run(values, io) {
    const example = "--checkpoint frozenlake-nano-trained --out policy.onnx";
    const { from, to } = checkpointAndOut(values, "export-onnx", example);
    const checkpoint = await openCheckpoint(from);
    const bytes = exportOnnx(checkpoint);
    await writeInto(to, bytes);
    const { update, runId } = checkpoint.meta;
    io.out(`${to}: ${(bytes.length / 1024).toFixed(0)} KiB, update ${update} of ${runId}`);
    return 0;
  },
};
