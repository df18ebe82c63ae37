// The same model in TensorFlow.js: eager operations on its WebGPU backend, gradients from its tape.
import "@tensorflow/tfjs-backend-webgpu";
import "@tensorflow/tfjs-core/dist/register_all_gradients";
import * as tf from "@tensorflow/tfjs-core";
import {
  type BenchCase,
  DECODE_CHUNK,
  OPTIMIZER,
  predictions,
  promptTokens,
  startParameters,
} from "../cases.ts";
import type { Implementation } from "../implementation.ts";

type Weights = (name: string) => tf.Tensor;
interface Moments {
  m: tf.Variable;
  v: tf.Variable;
}
interface DecodeState {
  keys: tf.Tensor4D[];
  values: tf.Tensor4D[];
  ids: tf.Tensor1D;
  position: number;
}

export async function tfjsImplementation(bench: BenchCase): Promise<Implementation> {
  await tf.setBackend("webgpu");
  await tf.ready();
  const rotation = rotationTable(bench);
  const variables = new Map<string, tf.Variable>();
  const moments = new Map<string, Moments>();
  const weights: Weights = (name) => variables.get(name)!;
  let steps = 0;
  let loss: tf.Scalar | null = null;
  let decoding: DecodeState | null = null;
  const finish = () => (tf.backend() as unknown as { device: GPUDevice }).device.queue.onSubmittedWorkDone();

  return {
    name: "tfjs",
    notes:
      "eager kernels, gradients from the tape, AdamW per variable; KV cache by concatenation, argmax on the device",
    async resetTraining() {
      resetParameters(bench, variables);
      resetMoments(variables, moments);
      steps = 0;
    },
    async trainStep(ids) {
      steps++;
      loss?.dispose();
      const { value, grads } = tf.variableGrads(
        () => meanLoss(bench, weights, rotation, ids),
        [...variables.values()],
      );
      loss = value;
      tf.tidy(() => {
        for (const { name, decay } of bench.layout.specs) {
          const variable = variables.get(name);
          if (variable) adamW(variable, moments.get(name)!, grads[variable.name]!, decay, steps);
        }
      });
      tf.dispose(grads);
      await loss.data();
      await finish();
    },
    lastLoss: async () => (await (loss as tf.Scalar).data())[0] as number,
    async beginDecoding() {
      resetParameters(bench, variables);
      if (decoding) tf.dispose([...decoding.keys, ...decoding.values, decoding.ids]);
      decoding = prefilled(bench, weights, rotation);
      await decoding.ids.data();
    },
    async decodeChunk() {
      const chunk: tf.Tensor1D[] = [];
      for (let t = 0; t < DECODE_CHUNK; t++) {
        decoding = decodeStep(bench, weights, rotation, decoding as DecodeState);
        chunk.push(tf.clone(decoding.ids));
      }
      return readStacked(chunk);
    },
    dispose() {
      tf.disposeVariables();
    },
  };
}

/** Variables at the shared start; they are made once and set afterwards. */
function resetParameters(bench: BenchCase, variables: Map<string, tf.Variable>): void {
  for (const [name, tensor] of startTensors(bench)) {
    const known = variables.get(name);
    if (known) known.assign(tensor);
    else variables.set(name, tf.variable(tensor));
    tensor.dispose();
  }
}

function resetMoments(variables: ReadonlyMap<string, tf.Variable>, moments: Map<string, Moments>): void {
  for (const [name, variable] of variables) {
    const zeros = () => tf.zerosLike(variable);
    const known = moments.get(name);
    if (known) for (const x of [known.m, known.v]) tf.tidy(() => x.assign(zeros()));
    else
      moments.set(name, {
        m: tf.tidy(() => tf.variable(zeros())),
        v: tf.tidy(() => tf.variable(zeros())),
      });
  }
}

/** The cache after the prompts, fed token by token. */
function prefilled(
  bench: BenchCase,
  weights: Weights,
  rotation: ReturnType<typeof rotationTable>,
): DecodeState {
  let state = emptyCache(bench);
  const prompts = promptTokens(bench);
  for (let t = 0; t < bench.prompt; t++) {
    const ids = Int32Array.from({ length: bench.batch }, (_, i) => prompts[i * bench.prompt + t] as number);
    state.ids.dispose();
    state.ids = tf.tensor1d(ids, "int32");
    state = decodeStep(bench, weights, rotation, state);
  }
  return state;
}

/** The ids of a chunk, sequence by sequence. Disposes of the tensors. */
async function readStacked(chunk: tf.Tensor1D[]): Promise<Int32Array> {
  const ids = tf.tidy(() => tf.stack(chunk, 1));
  tf.dispose(chunk);
  const read = Int32Array.from(await ids.data());
  ids.dispose();
  return read;
}

function startTensors(bench: BenchCase): [string, tf.Tensor][] {
  const flat = startParameters(bench);
  // Neither the value head nor the vision tower takes part.
  const used = bench.layout.specs.filter(({ name }) => !/^(value|vision)\./.test(name));
  return used.map(({ name, shape, offset, length }) => [
    name,
    tf.tensor(flat.slice(offset, offset + length), [...shape]),
  ]);
}

interface Rotation {
  cos: tf.Tensor4D;
  sin: tf.Tensor4D;
  /** 0 where a query may look, −1e9 elsewhere. */
  mask: tf.Tensor4D;
}

function rotationTable({ architecture, context }: BenchCase): Rotation {
  const half = architecture.decoder.headDim / 2;
  const angle = (t: number, i: number) => t * architecture.ropeTheta ** (-i / half);
  const table = (f: (x: number) => number): tf.Tensor4D =>
    tf.tensor4d(
      Float32Array.from({ length: context * half }, (_, at) => f(angle(Math.floor(at / half), at % half))),
      [1, context, 1, half],
    );
  const mask = Float32Array.from({ length: context * context }, (_, at) =>
    at % context > Math.floor(at / context) ? -1e9 : 0,
  );
  return { cos: table(Math.cos), sin: table(Math.sin), mask: tf.tensor4d(mask, [1, 1, context, context]) };
}

function rmsNorm(x: tf.Tensor, weight: tf.Tensor, eps: number): tf.Tensor {
  const scale = tf.rsqrt(tf.add(tf.mean(tf.square(x), -1, true), eps));
  return tf.mul(tf.mul(x, scale), weight);
}

/** Rotates the halves of every head of x (B, T, H, D). */
function rotate(x: tf.Tensor, cos: tf.Tensor, sin: tf.Tensor): tf.Tensor4D {
  const [a, b] = tf.split(x, 2, 3) as [tf.Tensor, tf.Tensor];
  return tf.concat(
    [tf.sub(tf.mul(a, cos), tf.mul(b, sin)), tf.add(tf.mul(b, cos), tf.mul(a, sin))],
    3,
  ) as tf.Tensor4D;
}

type Attend = (layer: number, q: tf.Tensor, k: tf.Tensor, v: tf.Tensor) => tf.Tensor;

/** The decoder from one-hot ids (rows, V) to logits (rows, V); `attend` works on (batch, length, heads, headDim). */
function network(
  { architecture }: BenchCase,
  w: Weights,
  oneHot: tf.Tensor,
  [batch, length]: readonly [number, number],
  attend: Attend,
): tf.Tensor2D {
  const { layers, width, heads, headDim } = architecture.decoder;
  const eps = architecture.normEps;
  let x: tf.Tensor = tf.matMul(oneHot, w("embed.weight"));
  for (let i = 0; i < layers; i++) {
    const lw: Weights = (name) => w(`layers.${i}.${name}`);
    const qkv = tf.matMul(rmsNorm(x, lw("norm1.weight"), eps), lw("qkv.weight"));
    const [q, k, v] = tf.split(qkv, 3, 1).map((part) => tf.reshape(part, [batch, length, heads, headDim]));
    const attended = attend(i, q!, k!, v!);
    x = tf.add(x, tf.matMul(tf.reshape(attended, [batch * length, width]), lw("out.weight")));
    const inner = tf.matMul(rmsNorm(x, lw("norm2.weight"), eps), lw("gate_up.weight"));
    const [gate, up] = tf.split(inner, 2, 1) as [tf.Tensor, tf.Tensor];
    x = tf.add(x, tf.matMul(tf.mul(tf.mul(gate, tf.sigmoid(gate)), up), lw("down.weight")));
  }
  return tf.matMul(rmsNorm(x, w("norm.weight"), eps), w("head.weight")) as tf.Tensor2D;
}

/** Softmax attention of (B, Lq, H, D) over (B, Lk, H, D); `mask` is added to the scores. */
function attention(q: tf.Tensor, k: tf.Tensor, v: tf.Tensor, mask?: tf.Tensor): tf.Tensor {
  const heads = (x: tf.Tensor) => tf.transpose(x, [0, 2, 1, 3]);
  const scores = tf.mul(tf.matMul(heads(q), heads(k), false, true), 1 / Math.sqrt(q.shape[3] as number));
  const weights = tf.softmax(mask ? tf.add(scores, mask) : scores);
  return tf.transpose(tf.matMul(weights, heads(v)), [0, 2, 1, 3]);
}

function meanLoss(bench: BenchCase, w: Weights, { cos, sin, mask }: Rotation, ids: Int32Array): tf.Scalar {
  const { batch, context, architecture } = bench;
  const { vocabStride } = architecture;
  const inputs = tf.oneHot(tf.tensor1d(ids, "int32"), vocabStride, 1, 0, "float32");
  const targets = new Int32Array(ids.length).fill(-1);
  for (let row = 0; row < batch; row++)
    targets.set(ids.subarray(row * context + 1, (row + 1) * context), row * context);
  const logits = network(bench, w, inputs, [batch, context], (_, q, k, v) =>
    attention(rotate(q, cos, sin), rotate(k, cos, sin), v, mask),
  );
  // The one-hot row of −1 is zero, so positions without a target count nothing.
  const chosen = tf.oneHot(tf.tensor1d(targets, "int32"), vocabStride, 1, 0, "float32");
  return tf.mul(tf.sum(tf.mul(tf.logSoftmax(logits), chosen)), -1 / predictions(bench)) as tf.Scalar;
}

function adamW(p: tf.Variable, { m, v }: Moments, g: tf.Tensor, decay: boolean, t: number): void {
  const { beta1, beta2, lr, eps, weightDecay } = OPTIMIZER;
  m.assign(tf.add(tf.mul(m, beta1), tf.mul(g, 1 - beta1)));
  v.assign(tf.add(tf.mul(v, beta2), tf.mul(tf.square(g), 1 - beta2)));
  const root = tf.add(tf.sqrt(tf.mul(v, 1 / (1 - beta2 ** t))), eps);
  const update = tf.mul(tf.div(m, root), lr / (1 - beta1 ** t));
  p.assign(tf.sub(decay ? tf.mul(p, 1 - lr * weightDecay) : p, update));
}

function emptyCache({ architecture, batch }: BenchCase): DecodeState {
  const { layers, heads, headDim } = architecture.decoder;
  const cache = () =>
    Array.from({ length: layers }, () => tf.zeros([batch, 0, heads, headDim]) as tf.Tensor4D);
  return { keys: cache(), values: cache(), ids: tf.tensor1d([0], "int32"), position: 0 };
}

/** Feeds `ids` and leaves the arg max of the logits in their place; frees the old state. */
function decodeStep(bench: BenchCase, w: Weights, { cos, sin }: Rotation, state: DecodeState): DecodeState {
  const next: DecodeState = {
    ...state,
    keys: [...state.keys],
    values: [...state.values],
    position: state.position + 1,
  };
  const { batch, architecture } = bench;
  const here = [0, state.position, 0, 0];
  next.ids = tf.tidy(() => {
    const half = architecture.decoder.headDim / 2;
    const [c, s] = [cos, sin].map((table) => tf.slice(table, here, [1, 1, 1, half])) as [
      tf.Tensor,
      tf.Tensor,
    ];
    const inputs = tf.oneHot(state.ids, architecture.vocabStride, 1, 0, "float32");
    const grow = (cache: tf.Tensor4D[], i: number, x: tf.Tensor) => {
      cache[i] = tf.keep(
        state.position ? (tf.concat([cache[i]!, x], 1) as tf.Tensor4D) : (tf.clone(x) as tf.Tensor4D),
      );
      return cache[i]!;
    };
    const logits = network(bench, w, inputs, [batch, 1], (i, q, k, v) =>
      attention(rotate(q, c, s), grow(next.keys, i, rotate(k, c, s)), grow(next.values, i, v)),
    );
    return tf.argMax(logits, 1) as tf.Tensor1D;
  });
  tf.dispose([...state.keys, ...state.values, state.ids]);
  return next;
}
