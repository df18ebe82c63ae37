// Checkpoint files: damaged ones, and crafted ones whose checksum is right. What is decoded is then used as an evaluation,
// a start and a resumed run use it, as far as that needs no GPU.
import { continuedConfig, diffConfigs } from "../config/changes.ts";
import { checkedRunConfig } from "../config/check.ts";
import { presets } from "../config/presets.ts";
import type { RunConfig } from "../config/run-config.ts";
import type { Rng } from "../core/rng.ts";
import { RepetitionMemory, type RepetitionState } from "../judge/repetition.ts";
import {
  ADAM_M,
  ADAM_V,
  type Checkpoint,
  type CheckpointMeta,
  decodeCheckpoint,
  decodeMeta,
  encodeCheckpoint,
  PARAM,
} from "../persistence/checkpoint.ts";
import { headBytes, type Tensor } from "../persistence/safetensors.ts";
import { initialParameters } from "../policy/wgsl/parameters.ts";
import { assertFits } from "../run/checkpoint-fit.ts";
import { assertExtensions } from "../run/extensions.ts";
import { flatFromTensors, tensorsFromFlat } from "../run/parameter-tensors.ts";
import { runSize } from "../run/size.ts";
import { countersOf } from "../run/stored-state.ts";
import { ownCheckpoint } from "../supervision/resume.ts";
import { promise, type Target } from "./fuzz.ts";
import { damagedBytes, mutatedJson } from "./mutate.ts";

const config = presets.get("frozenlake-nano").config;
const size = runSize(config);
const model = modelOf(size);

function modelOf({ architecture, task }: typeof size) {
  return { architecture, vocabulary: task.vocabulary };
}

/** A checkpoint as a run saves it. */
function saved(): Checkpoint {
  const { layout } = size.buffers;
  const flat = initialParameters(layout, 7);
  const meta: CheckpointMeta = {
    format: "vagen-studio-checkpoint",
    version: 1,
    runId: "fuzz",
    update: 12,
    stage: "ppo",
    config,
    vocabulary: size.task.vocabulary.toJSON(),
    counters: { tokens: 1234, episodes: 56, wallMs: 7890, validatedUpdate: 10, klCoef: 0.001 },
    architecture: size.architecture,
    provenance: { command: "npm run train", commit: "abc", seed: 1, figures: { "val/success": 0.5 } },
    extensions: [],
    repetition: { observation: [["player at row 1", 3]], prediction: [] },
  };
  const tensors = [PARAM, ADAM_M, ADAM_V].flatMap((prefix) => tensorsFromFlat(layout, flat, prefix));
  return { meta, tensors: new Map(tensors) };
}

const whole = saved();
const wholeBytes = encodeCheckpoint(whole);

export const checkpoints: Target<Uint8Array<ArrayBuffer>> = {
  name: "checkpoints",
  async make(random) {
    switch (random.int(5)) {
      case 0:
        return damagedBytes(random, await wholeBytes);
      case 1:
        return withHeader(random, await wholeBytes);
      case 2:
        return encodeCheckpoint({ meta: whole.meta, tensors: mutatedTensors(random) });
      default: {
        const meta = mutatedJson(random, JSON.parse(JSON.stringify(whole.meta)));
        return encodeCheckpoint({ meta: meta as CheckpointMeta, tensors: whole.tensors });
      }
    }
  },
  async read(bytes) {
    decodeMeta(bytes.subarray(0, headBytes(bytes)), "fuzz", bytes.length);
    const checkpoint = await decodeCheckpoint(bytes, "fuzz");
    for (const [name, { data }] of checkpoint.tensors)
      promise(data.every(Number.isFinite), `the values of ${name} are finite`);
    const own = checkedRunConfig(checkpoint.meta.config, "The checkpoint's configuration");
    fitAs(own, checkpoint);
    fitAs(config, checkpoint);
    resume(own, checkpoint);
  },
  show: (bytes) => new TextDecoder("latin1").decode(bytes.subarray(0, 2000)),
};

/** As an evaluation does, and a run that starts from it. */
function fitAs(wanted: RunConfig, { meta, tensors }: Checkpoint): void {
  const wantedSize = wanted === config ? size : runSize(wanted);
  assertFits(wanted, wanted === config ? model : modelOf(wantedSize), meta);
  flatFromTensors(wantedSize.buffers.layout, tensors, PARAM);
}

/** As a resumed run does. */
function resume(own: RunConfig, checkpoint: Checkpoint): void {
  const { meta, tensors } = ownCheckpoint("fuzz", {
    entry: { name: "fuzz", update: checkpoint.meta.update, bytes: 0, savedAt: 0 },
    checkpoint,
    skipped: [],
  });
  assertExtensions(meta.extensions, () => "");
  diffConfigs(own, continuedConfig(own, {}));
  for (const prefix of [ADAM_M, ADAM_V]) flatFromTensors(size.buffers.layout, tensors, prefix);
  new RepetitionMemory(own.reward, meta.repetition as RepetitionState | undefined);
  const counters = Object.values(countersOf(meta.counters));
  promise(counters.every(Number.isFinite), "counters are numbers");
}

/** Another header before the same data, with whatever length. */
function withHeader(random: Rng, bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const end = headBytes(bytes);
  const header = mutatedJson(random, JSON.parse(new TextDecoder().decode(bytes.subarray(8, end))));
  const text = new TextEncoder().encode(JSON.stringify(header));
  const file = new Uint8Array(8 + text.length + bytes.length - end);
  const length = random.int(4) ? text.length : 2 ** random.int(53);
  new DataView(file.buffer).setBigUint64(0, BigInt(length), true);
  file.set(text, 8);
  file.set(bytes.subarray(end), 8 + text.length);
  return file;
}

function mutatedTensors(random: Rng): Map<string, Tensor> {
  const tensors = new Map(whole.tensors);
  const name = random.pick([...tensors.keys()]);
  const { shape, data } = tensors.get(name)!;
  switch (random.int(5)) {
    case 0:
      tensors.delete(name);
      break;
    case 1:
      tensors.set(name, { shape: [data.length], data });
      break;
    case 2:
      tensors.set(name, { shape: [data.length - 1], data: data.slice(1) });
      break;
    case 3:
      tensors.set(random.pick(["__proto__x", "", "param.", `${name}.more`]), { shape, data });
      break;
    default: {
      const changed = data.slice();
      changed[random.int(data.length)] = random.pick([Number.NaN, Number.POSITIVE_INFINITY, -1e38, -0]);
      tensors.set(name, { shape, data: changed });
    }
  }
  return tensors;
}
