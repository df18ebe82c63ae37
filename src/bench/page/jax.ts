// The same model in jax-js: one `jit` for the whole training step, one for a decoding step.
import { defaultDevice, getWebGPUDevice, init, jit, nn, numpy as np, valueAndGrad } from "@jax-js/jax";
import {
  type BenchCase,
  DECODE_CHUNK,
  OPTIMIZER,
  predictions,
  promptTokens,
  startParameters,
} from "../cases.ts";
import type { Implementation } from "../implementation.ts";

type Tree = Record<string, np.Array>;
/** A weight by name, as a new reference. */
type Weights = (name: string) => np.Array;
type TrainState = { params: Tree; m: Tree; v: Tree; powers: np.Array };
type DecodeState = { keys: np.Array[]; values: np.Array[]; ids: np.Array; position: np.Array };

export async function jaxImplementation(bench: BenchCase): Promise<Implementation> {
  await init("webgpu");
  defaultDevice("webgpu");
  const step = trainStep(bench);
  const decode = decodeStep(bench);
  let training: TrainState | null = null;
  let weights: Tree | null = null;
  let decoding: DecodeState | null = null;
  let loss: np.Array | null = null;
  const finish = () => getWebGPUDevice().queue.onSubmittedWorkDone();

  return {
    name: "jax-js",
    notes:
      "value, gradients and AdamW in one jit; static KV cache, decoding step in one jit, argmax on the device",
    async resetTraining() {
      disposeTrees(training);
      const zeros = () => startTree(bench, 0);
      training = {
        params: startTree(bench, 1),
        m: zeros(),
        v: zeros(),
        powers: np.array([1, 1]),
      };
    },
    async trainStep(ids) {
      const inputs = np.array(ids, { shape: [bench.batch, bench.context] });
      const targets = np.array(shifted(bench, ids), { shape: [bench.batch * bench.context] });
      loss?.dispose();
      const [value, next] = step(training as TrainState, inputs, targets) as [np.Array, TrainState];
      loss = value;
      training = next;
      // Reading the loss dispatches the whole step; waiting for the queue includes the parameters.
      await loss.ref.data();
      await finish();
    },
    lastLoss: async () => (await (loss as np.Array).ref.data())[0] as number,
    async beginDecoding() {
      weights ??= startTree(bench, 1);
      disposeTrees(decoding);
      decoding = prefilled(bench, decode, weights);
      await decoding.ids.ref.data();
    },
    async decodeChunk() {
      const chunk: np.Array[] = [];
      for (let t = 0; t < DECODE_CHUNK; t++) {
        decoding = decode(refs(weights as Tree), decoding as DecodeState) as DecodeState;
        chunk.push(decoding.ids.ref);
      }
      return Int32Array.from(await np.stack(chunk, 1).data());
    },
    dispose() {
      for (const state of [training, weights, decoding]) disposeTrees(state);
      loss?.dispose();
      step.dispose();
      decode.dispose();
    },
  };
}

/** The cache after the prompts, fed token by token. */
function prefilled(bench: BenchCase, decode: ReturnType<typeof decodeStep>, weights: Tree): DecodeState {
  let state = emptyCache(bench);
  const prompts = promptTokens(bench);
  for (let t = 0; t < bench.prompt; t++) {
    state.ids.dispose();
    state.ids = np.array(
      Int32Array.from({ length: bench.batch }, (_, i) => prompts[i * bench.prompt + t] as number),
    );
    state = decode(refs(weights), state) as DecodeState;
  }
  return state;
}

function startTree(bench: BenchCase, scale: number): Tree {
  const flat = startParameters(bench);
  const used = bench.layout.specs.filter(({ name }) => isUsed(name));
  return Object.fromEntries(
    used.map(({ name, shape, offset, length }) => {
      const values = flat.slice(offset, offset + length).map((x) => x * scale);
      return [name, np.array(values, { shape: [...shape] })];
    }),
  );
}

/** Neither the value head nor the vision tower takes part. */
const isUsed = (name: string) => !/^(value|vision)\./.test(name);

const refs = (tree: Tree): Tree => Object.fromEntries(Object.entries(tree).map(([k, x]) => [k, x.ref]));

function disposeTrees(state: unknown): void {
  if (state instanceof np.Array) state.dispose();
  else if (state && typeof state === "object") Object.values(state).forEach(disposeTrees);
}

/** The target of every position is the next token; the last position of a sequence has none (−1). */
function shifted({ batch, context }: BenchCase, ids: Int32Array): Int32Array<ArrayBuffer> {
  const targets = new Int32Array(batch * context).fill(-1);
  for (let row = 0; row < batch; row++)
    targets.set(ids.subarray(row * context + 1, (row + 1) * context), row * context);
  return targets;
}

/** Rows of 0 and 1 (rows, classes), by comparison: `nn.oneHot` makes ones of an id outside. */
function oneHot(ids: np.Array, classes: number): np.Array {
  return np.equal(ids.reshape([-1, 1]), np.arange(classes).reshape([1, classes])).astype(np.float32);
}

function rmsNorm(x: np.Array, weight: np.Array, eps: number): np.Array {
  const scale = np.sqrt(np.mean(np.square(x.ref), -1, { keepdims: true }).add(eps));
  return x.div(scale).mul(weight);
}

/** Rotates the halves of every head of x (B, T, H, D); cos and sin broadcast against (B, T, H, D / 2). */
function rotate(x: np.Array, cos: np.Array, sin: np.Array, half: number): np.Array {
  const a = x.ref.slice([], [], [], [0, half]);
  const b = x.slice([], [], [], [half]);
  const first = a.ref.mul(cos.ref).sub(b.ref.mul(sin.ref));
  return np.concatenate([first, b.mul(cos).add(a.mul(sin))], -1);
}

/** Angles of positions (T) as cos and sin (1, T, 1, D / 2). */
function angles(positions: np.Array, { architecture }: BenchCase): [cos: np.Array, sin: np.Array] {
  const { headDim } = architecture.decoder;
  const frequencies = Float32Array.from(
    { length: headDim / 2 },
    (_, i) => architecture.ropeTheta ** ((-2 * i) / headDim),
  );
  const angle = positions
    .astype(np.float32)
    .reshape([1, -1, 1, 1])
    .mul(np.array(frequencies, { shape: [1, 1, 1, headDim / 2] }));
  return [np.cos(angle.ref), np.sin(angle)];
}

type Attend = (layer: number, q: np.Array, k: np.Array, v: np.Array) => np.Array;

/** The decoder from ids (rows) to logits (rows, V); `attend` takes and gives (batch, length, heads, headDim). */
function network(
  { architecture }: BenchCase,
  w: Weights,
  ids: np.Array,
  [batch, length]: readonly [number, number],
  attend: Attend,
): np.Array {
  const { decoder, normEps: eps } = architecture;
  const { layers, width, heads, headDim, ffn } = decoder;
  const rows = batch * length;
  let x = np.take(w("embed.weight"), ids.reshape([rows]), 0);
  for (let i = 0; i < layers; i++) {
    const lw: Weights = (name) => w(`layers.${i}.${name}`);
    const qkv = np.matmul(rmsNorm(x.ref, lw("norm1.weight"), eps), lw("qkv.weight"));
    const part = (n: number) =>
      qkv.ref.slice([], [n * width, (n + 1) * width]).reshape([batch, length, heads, headDim]);
    const attended = attend(i, part(0), part(1), part(2)).reshape([rows, width]);
    qkv.dispose();
    x = x.add(np.matmul(attended, lw("out.weight")));
    const inner = np.matmul(rmsNorm(x.ref, lw("norm2.weight"), eps), lw("gate_up.weight"));
    const gated = nn.silu(inner.ref.slice([], [0, ffn])).mul(inner.slice([], [ffn]));
    x = x.add(np.matmul(gated, lw("down.weight")));
  }
  return np.matmul(rmsNorm(x, w("norm.weight"), eps), w("head.weight"));
}

function meanLoss(bench: BenchCase): (params: Tree, ids: np.Array, targets: np.Array) => np.Array {
  const { batch, context, architecture } = bench;
  const half = architecture.decoder.headDim / 2;
  return (params, ids, targets) => {
    const [cos, sin] = angles(np.arange(context), bench);
    const logits = network(
      bench,
      (name) => params[name]!.ref,
      ids,
      [batch, context],
      (_, q, k, v) =>
        nn.dotProductAttention(rotate(q, cos.ref, sin.ref, half), rotate(k, cos.ref, sin.ref, half), v, {
          isCausal: true,
        }),
    );
    for (const used of [cos, sin, ...Object.values(params)]) used.dispose();
    // The row of target −1 is zero, so positions without a target count nothing.
    const chosen = nn.logSoftmax(logits, -1).mul(oneHot(targets, architecture.vocabStride));
    return np.sum(chosen).mul(-1 / predictions(bench));
  };
}

function trainStep(bench: BenchCase) {
  const lossAndGradients = valueAndGrad(meanLoss(bench));
  const decays = new Map(bench.layout.specs.map(({ name, decay }) => [name, decay]));
  const { beta1, beta2, lr, eps, weightDecay } = OPTIMIZER;
  return jit((state: TrainState, ids: np.Array, targets: np.Array): [np.Array, TrainState] => {
    const [loss, gradients] = lossAndGradients(refs(state.params), ids, targets) as [np.Array, Tree];
    const powers = state.powers.mul(np.array([beta1, beta2]));
    const correction = np.subtract(1, powers.ref);
    const next: TrainState = { params: {}, m: {}, v: {}, powers };
    for (const [name, p] of Object.entries(state.params)) {
      const g = gradients[name]!;
      const m = state.m[name]!.mul(beta1).add(g.ref.mul(1 - beta1));
      const v = state.v[name]!.mul(beta2).add(np.square(g).mul(1 - beta2));
      const update = m.ref
        .div(correction.ref.slice(0))
        .div(np.sqrt(v.ref.div(correction.ref.slice(1))).add(eps));
      next.m[name] = m;
      next.v[name] = v;
      next.params[name] = p.mul(decays.get(name) ? 1 - lr * weightDecay : 1).sub(update.mul(lr));
    }
    correction.dispose();
    return [loss, next];
  });
}

function emptyCache({ architecture, batch, context }: BenchCase): DecodeState {
  const { layers, heads, headDim } = architecture.decoder;
  const cache = () =>
    Array.from({ length: layers }, () =>
      np.array(new Float32Array(batch * context * heads * headDim), {
        shape: [batch, context, heads, headDim],
      }),
    );
  return {
    keys: cache(),
    values: cache(),
    ids: np.array(new Int32Array(batch)),
    position: np.array(new Int32Array([0])),
  };
}

/** Feeds `ids` at `position` and leaves the arg max of the logits in their place. */
function decodeStep(bench: BenchCase) {
  const { batch, context, architecture } = bench;
  const half = architecture.decoder.headDim / 2;
  return jit((params: Tree, { keys, values, ids, position }: DecodeState): DecodeState => {
    const [cos, sin] = angles(position.ref, bench);
    const slots = np.arange(context);
    const isHere = np.equal(slots.ref, position.ref).reshape([1, context, 1, 1]);
    const isPast = np.lessEqual(slots, position.ref).reshape([1, 1, 1, context]);
    const next = { keys: [...keys], values: [...values] };
    const logits = network(
      bench,
      (name) => params[name]!.ref,
      ids,
      [batch, 1],
      (i, q, k, v) => {
        const rotated = rotate(k, cos.ref, sin.ref, half);
        const key = np.where(isHere.ref, rotated, next.keys[i]!);
        const value = np.where(isHere.ref, v, next.values[i]!);
        next.keys[i] = key.ref;
        next.values[i] = value.ref;
        return nn.dotProductAttention(rotate(q, cos.ref, sin.ref, half), key, value, { mask: isPast.ref });
      },
    );
    for (const used of [cos, sin, isHere, isPast, ...Object.values(params)]) used.dispose();
    return {
      ...next,
      ids: np.argmax(logits, -1),
      position: position.add(np.array([1], { dtype: np.int32 })),
    };
  });
}
