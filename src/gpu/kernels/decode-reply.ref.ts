// CPU twin of decode_reply, in f64: the twins of the dispatches that it replaces, one after another.
import { attentionCachedRef } from "./attention-cached.ref.ts";
import { cacheWriteRef } from "./cache-write.ref.ts";
import type { decodeReply } from "./decode-reply.ts";
import { geluForwardRef } from "./gelu.ref.ts";
import { linearBackwardInputRef, linearForwardRef } from "./linear.ref.ts";
import { rmsnormForwardRef } from "./rmsnorm.ref.ts";
import { ropeRef } from "./rope.ref.ts";
import { sampleRef } from "./sample.ref.ts";
import { swigluForwardRef } from "./swiglu.ref.ts";

/** Sizes and places; how sequences share a workgroup changes no number. */
type Constants = Omit<
  typeof decodeReply.serial.constants,
  "SEQUENCES" | "BLOCK" | "SPLIT" | "SPLIT_PAIRS" | "LOGITS_ROOM_VEC4"
>;
type Uniforms = Readonly<Record<keyof typeof decodeReply.serial.uniforms, number>>;

/** What a dispatch reads and writes, as the bindings of the kernel. */
interface DecodeRefArrays {
  readonly params: ArrayLike<number>;
  readonly slot: ArrayLike<number>;
  readonly cache_k: ArrayLike<number>;
  readonly cache_v: ArrayLike<number>;
  readonly state: ArrayLike<number>;
  readonly ids: ArrayLike<number>;
  readonly drawn: ArrayLike<number>;
}

type Written = Record<"cache_k" | "cache_v" | "state" | "ids" | "drawn", number[]>;

/** `theta` is the base of the rotary frequencies. */
export function decodeReplyRef(
  arrays: DecodeRefArrays,
  constants: Constants,
  uniforms: Uniforms,
  theta: number,
): Written {
  const { cache_k, cache_v, state, ids, drawn } = arrays;
  const written = {
    cache_k: Array.from(cache_k),
    cache_v: Array.from(cache_v),
    state: Array.from(state),
    ids: Array.from(ids),
    drawn: Array.from(drawn),
  };
  for (let step = 0; step < uniforms.steps; step++)
    for (let row = 0; row < uniforms.b; row++)
      if (written.state[row * 4 + 2] === 0) decodeToken(arrays, written, row, constants, uniforms, theta);
  return written;
}

/** One token of one sequence. */
function decodeToken(
  { params, slot }: DecodeRefArrays,
  written: Written,
  row: number,
  constants: Constants,
  uniforms: Uniforms,
  theta: number,
): void {
  const forward = { params, slot: [slot[row] as number] as const, written, row, constants, uniforms, theta };
  const { logits, value } = outputsOf(forward);
  const { state, ids, drawn } = written;
  const [position = 0, generated = 0, , key = 0] = state.slice(row * 4, row * 4 + 4);
  const { token, logprob, entropy } = sampleRef(logits, 0, key, position, {
    ...uniforms,
    stride: uniforms.logits_vec4 * 4,
  });
  const ended = token === uniforms.eos || generated + 1 >= uniforms.max_tokens;
  ids[row] = token;
  drawn.splice((row * uniforms.out_stride + generated) * 4, 4, token, logprob, entropy, value);
  state.splice(row * 4, 3, position + 1, generated + 1, ended ? 1 : 0);
}

interface Forward {
  params: ArrayLike<number>;
  slot: readonly [number];
  written: Written;
  row: number;
  constants: Constants;
  uniforms: Uniforms;
  theta: number;
}

/** Replaces the numbers of `target` from `from` on. A loop, because the arguments of a call have to fit on the stack. */
function overwrite(target: number[], from: number, values: ArrayLike<number>): void {
  for (let i = 0; i < values.length; i++) target[from + i] = values[i] as number;
}

/** Logits and value of the model on the input token of one sequence; appends its keys and values to the cache. */
function outputsOf({ params, slot, written, row, constants: c, uniforms, theta }: Forward) {
  const width = c.WIDTH_VEC4 * 4;
  const [headDim, ffn, stride] = [c.HEAD_VEC4 * 4, c.FFN_VEC4 * 4, uniforms.logits_vec4 * 4];
  const qkvWidth = (c.HEADS + 2 * c.KV_HEADS) * headDim;
  const positions = [written.state[row * 4] as number];
  const tensor = (at: number, length: number) =>
    Array.from({ length }, (_, i) => params[at * 4 + i] as number);
  const norm = (x: ArrayLike<number>, at: number) =>
    rmsnormForwardRef(x, tensor(at, width), 1, width, uniforms.eps).out;
  const product = (x: ArrayLike<number>, at: number, k: number, n: number, residual?: ArrayLike<number>) =>
    linearForwardRef(x, tensor(at, k * n), null, residual ?? null, 1, k, n);

  const id = written.ids[row] as number;
  let x: ArrayLike<number> = tensor(uniforms.embed + id * c.WIDTH_VEC4, width);
  for (let layer = 0; layer < c.LAYERS; layer++) {
    const at = uniforms.layer + layer * c.LAYER_LENGTH;
    const projected = product(norm(x, at), at + c.QKV, width, qkvWidth);
    const qkv = ropeRef(projected, positions, 1, c.HEADS + c.KV_HEADS, qkvWidth, headDim, theta, 1);
    const shape = [1, c.HEADS, c.KV_HEADS] as const;
    const from = layer * uniforms.cache_layer * 4;
    const keys = written.cache_k.slice(from, from + uniforms.cache_layer * 4);
    const values = written.cache_v.slice(from, from + uniforms.cache_layer * 4);
    const cache = cacheWriteRef(qkv, slot, positions, keys, values, ...shape, headDim, uniforms.t_max);
    overwrite(written.cache_k, from, cache.cacheK);
    overwrite(written.cache_v, from, cache.cacheV);
    const attended = attentionCachedRef(
      ...([qkv, slot, positions, cache.cacheK, cache.cacheV] as const),
      ...([...shape, uniforms.t_max, headDim] as const),
    );
    const mid = product(attended, at + c.OUT, width, width, x);
    const inner = product(norm(mid, at + c.NORM2), at + c.GATE_UP, width, 2 * ffn);
    x = product(swigluForwardRef(inner, 1, ffn), at + c.DOWN, ffn, width, mid);
  }
  const hidden = norm(x, uniforms.norm);
  const logits =
    c.TIED === 0
      ? product(hidden, uniforms.head, width, stride)
      : linearBackwardInputRef(hidden, tensor(uniforms.embed, stride * width), 1, stride, width);
  if (c.VALUE_VEC4 === 0) return { logits, value: 0 };
  const n = c.VALUE_VEC4 * 4;
  const biased = (x: ArrayLike<number>, at: number, bias: number, k: number, m: number) =>
    linearForwardRef(x, tensor(at, k * m), tensor(bias, m), null, 1, k, m);
  const inner = geluForwardRef(
    biased(hidden, uniforms.value_hidden, uniforms.value_hidden_bias, width, n),
    1,
    n,
  );
  const [value = 0] = biased(inner, uniforms.value_out, uniforms.value_out_bias, n, 4);
  return { logits, value };
}
