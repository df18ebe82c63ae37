// `export-onnx`: the policy of a checkpoint as an ONNX model.
import { exportOnnx } from "../run/onnx.ts";
import { UsageError } from "./args.ts";
import type { Command } from "./command.ts";
import { writeInto } from "./disk.ts";
import { assertPlugins, housesOption, pluginOption } from "./plugins.ts";
import { readCheckpoint } from "./source.ts";

export const exportOnnxCommand: Command = {
  summary: "Write a checkpoint's policy as an ONNX model.",
  details: [
    "The model has the vision tower, the decoder with its KV cache as inputs and outputs, and the value head. It runs in",
    "ONNX Runtime without this studio; tokenizer, configuration and origin are in its metadata (docs/onnx.md).",
    "",
    "  npm run export-onnx -- --checkpoint frozenlake-nano-trained --out policy.onnx",
  ].join("\n"),
  options: {
    checkpoint: {
      value: "<run|file>",
      help: "A run's folder (its newest checkpoint), a file, or a bundled name.",
    },
    out: { value: "<file>", help: "The .onnx file to write." },
    ...pluginOption,
    ...housesOption,
  },
  async run(values, io) {
    const [from, to] = [values.text("checkpoint"), values.text("out")];
    if (from === undefined || to === undefined)
      throw new UsageError(
        "export-onnx needs --checkpoint and --out.",
        "For example: --checkpoint frozenlake-nano-trained --out policy.onnx",
      );
    const checkpoint = await readCheckpoint(from, "--checkpoint");
    assertPlugins(checkpoint.meta, from);
    const bytes = exportOnnx(checkpoint);
    await writeInto(to, bytes);
    const { update, runId } = checkpoint.meta;
    io.out(`${to}: ${(bytes.length / 1024).toFixed(0)} KiB, update ${update} of ${runId}`);
    return 0;
  },
};
