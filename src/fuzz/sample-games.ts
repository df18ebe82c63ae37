// Environments as users write them: a walk to a pad, on a board by steps, in the wind, and on a plane by arguments, with instructions and a plan.
import type { Rng } from "../core/rng.ts";

interface Game {
  /** What is data of the environment. */
  declared: object;
  functions: Readonly<Record<string, OwnFunction>>;
}
/** A function of an environment. */
export type OwnFunction = (...given: never[]) => unknown;

const looks = (names: readonly string[], symbols?: string) =>
  Object.fromEntries(
    names.map((name, i) => [
      name,
      { color: `#${i + 1}02040`, shape: i ? "disc" : "square", ...(symbols && { symbol: symbols[i] }) },
    ]),
  );

interface State {
  player: [number, number];
  pad: [number, number];
}

const arrives = (state: State, [x, y]: [number, number]) => {
  const player = [state.player[0] + x, state.player[1] + y] as const;
  if (player.some((at) => at < 1 || at > 4)) return { state, note: "the edge" };
  const isThere = player.every((at, i) => at === state.pad[i]);
  return { state: { ...state, player }, reward: isThere ? 1 : 0, success: isThere };
};

const start = (random: Rng): State => {
  const at = random.int(16);
  const other = (at + 1 + random.int(15)) % 16;
  const [player, pad] = [at, other].map((n): [number, number] => [1 + (n % 4), 1 + Math.floor(n / 4)]);
  return { player: player!, pad: pad! };
};

const WAYS: Readonly<Record<string, [number, number]>> = { N: [-1, 0], S: [1, 0], W: [0, -1], E: [0, 1] };

const board: Game = {
  declared: {
    ...{ id: "walk", title: "Walk", description: "Walk to the pad.", rows: 6, cols: 6 },
    ...{ actions: Object.keys(WAYS), claims: ["pad"], things: looks(["pad", "player"], "OP") },
    words: { aim: "walk to the pad", at: "at", decision: "so go" },
  },
  functions: {
    start,
    step: (state: State, action: string) => arrives(state, WAYS[action]!),
    where: ({ player, pad }: State) => ({ player, pad }),
  },
};

/** Every fourth step is lost. */
const wind: Game = {
  declared: { ...board.declared, chance: true },
  functions: {
    ...board.functions,
    step: (state: State, action: string, _: unknown, random: Rng) =>
      arrives(state, random.int(4) === 0 ? [0, 0] : WAYS[action]!),
    plan: ({ player, pad }: State) =>
      player.flatMap((at, i) => {
        const by = pad[i]! - at;
        const way = i === 0 ? (by < 0 ? "N" : "S") : by < 0 ? "W" : "E";
        return Array.from({ length: Math.abs(by) }, () => way);
      }),
  },
};

const AXES = ["x", "y"];
const SENTENCES = ["walk to the pad", "go to the pad"];

const plane: Game = {
  declared: {
    ...{ id: "walk", title: "Walk", description: "Walk to the pad.", size: [16, 16], background: "#ffffff" },
    actions: ["stay", { name: "go", arguments: { along: AXES, by: { from: -2, to: 2, step: 1 } } }],
    ...{ claims: ["pad"], things: looks(["pad", "player"]), instructions: SENTENCES },
  },
  functions: {
    start: (random: Rng) => ({ ...start(random), said: random.pick(SENTENCES) }),
    step(state: State, _: string, { along, by = 0 }: { along?: string; by?: number }) {
      return arrives(state, along === "x" ? [by, 0] : [0, by]);
    },
    where: ({ player, pad }: State) => ({ player, pad }),
    instruction: ({ said }: State & { said: string }) => said,
    plan: ({ player, pad }: State) =>
      AXES.flatMap((axis, i) => {
        const by = pad[i]! - player[i]!;
        const steps = Array.from({ length: Math.floor(Math.abs(by) / 2) }, () => 2 * Math.sign(by));
        return [...steps, ...(by % 2 ? [by % 2] : [])].map((n) => `go(${axis}, ${n})`);
      }),
  },
};

export const games = { board, wind, plane };
