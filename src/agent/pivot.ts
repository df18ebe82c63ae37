// The privileged information of PIVOT's teacher (arXiv 2609.35303): how and when an episode was lost, and pictures of that turn.
import type { Rng } from "../core/rng.ts";
import type { Frame, Trajectory } from "../core/types.ts";
import { type KnownMoves, type Loss, lossIn } from "../envs/lost.ts";
import type { Sequence } from "../policy/wgsl/pack.ts";
import { maxActionsOf } from "./env-options.ts";
import { pivotText } from "./pivot-words.ts";
import { openingIds } from "./prompt.ts";
import type { Task } from "./task.ts";

/** How much the teacher is shown: words, or also a panel of three pictures. */
type PrefixKind = "words" | "panel";

/** Tokens that only the teacher reads, and the pictures that fill their image tokens. */
interface Prefix {
  ids: Int32Array;
  images: readonly Frame[];
}

/** The pictures before the pivot turn, at it and after it; of a turn with several, the first. */
const PANEL = [-1, 0, 1];

type Game = Pick<Task, "spec" | "envConfig" | "maxTurns">;

/**
 * Where a failed episode was lost, as the solver of its environment found. One that still could be won when it was cut, for
 * example by `rollout.max_episode_tokens`, ran out of turns at its last one.
 */
export function pivotOf(episode: Trajectory, { spec, envConfig, maxTurns }: Game, known: KnownMoves): Loss {
  const limits = { maxTurns, perTurn: maxActionsOf(envConfig) };
  return lossIn(episode, spec, limits, known) ?? { turn: episode.turns.length - 1, mode: "timeout" };
}

/** A turn and a mode that have nothing to do with how the episode went, for comparison. */
export const randomPivot = ({ turns }: Trajectory, random: Rng): Loss => ({
  turn: random.int(turns.length),
  mode: random.pick(["deadlock", "timeout"] as const),
});

/** What the teacher is shown of an episode that was lost like this. A picture that does not exist is black. */
export function pivotPrefix(
  { turns }: Pick<Trajectory, "turns">,
  loss: Loss,
  { vocabulary, imageTokens }: Pick<Task, "vocabulary" | "imageTokens">,
  kind: PrefixKind,
): Prefix {
  const words = vocabulary.encode(pivotText(loss));
  const shown = kind === "panel" ? PANEL : [];
  const ids = [...words, ...new Array<number>(shown.length * imageTokens).fill(vocabulary.image)];
  const [any] = turns.flatMap(({ observation }) => observation.images);
  const images = shown.flatMap((offset) => {
    const picture = turns[loss.turn + offset]?.observation.images[0] ?? (any && black(any));
    return picture ? [picture] : [];
  });
  return { ids: Int32Array.from(ids), images };
}

const black = ({ width, height }: Frame): Frame => ({
  width,
  height,
  data: new Uint8ClampedArray(width * height * 4),
});

/** Tokens of the longest prefix. */
export const prefixTokens = (
  task: Pick<Task, "vocabulary" | "imageTokens" | "maxTurns">,
  kind: PrefixKind,
): number => pivotPrefix({ turns: [] }, { turn: task.maxTurns - 1, mode: "deadlock" }, task, kind).ids.length;

/**
 * A sequence with the prefix after its opening words. Its tokens keep their places on the batch axis, so what is computed of
 * them lies where it does without a prefix; `batchStart` may be negative.
 */
export function withPrefix(
  sequence: Sequence,
  { ids, images }: Prefix,
  { spec, format, vocabulary }: Pick<Task, "spec" | "format" | "vocabulary">,
): Sequence {
  const at = openingIds(vocabulary, { envId: spec.id, format }).length;
  let patch = 0;
  const own = ids.map((id) => (id === vocabulary.image ? patch++ : -1));
  const later = sequence.imagePatch.map((number) => (number < 0 ? number : number + patch));
  return {
    ids: inserted(sequence.ids, at, ids),
    imagePatch: inserted(later, at, own),
    images: [...images, ...sequence.images],
    targetMask: inserted(sequence.targetMask, at, new Uint8Array(ids.length)),
    ...(sequence.valueMask && { valueMask: inserted(sequence.valueMask, at, new Uint8Array(ids.length)) }),
    batchStart: sequence.batchStart - ids.length,
  };
}

function inserted<T extends Int32Array | Uint8Array>(array: T, at: number, more: T): T {
  const all = new (array.constructor as new (length: number) => T)(array.length + more.length);
  all.set(array.subarray(0, at));
  all.set(more, at);
  all.set(array.subarray(at), at + more.length);
  return all;
}
