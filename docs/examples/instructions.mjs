// An environment whose levels tell the agent what to do: walk to the thing that the instruction means, and touch no other. The
// picture does not show which one that is, so a policy has to read. Paste it into Configure → Extensions and choose the task
// "The right thing", or train on the command line:
//   npm run train -- --preset sokoban-nano --plugin docs/examples/instructions.mjs \
//     --scratch --set env.name=right_thing
// With these settings a policy learns to see. docs/extending.md has those with which it also learns to read.
// @ts-check

/** @typedef {import("./vagen-extension.d.ts").Cell} Cell */
/** @typedef {{ player: Cell, things: Record<string, Cell>, instruction: string }} State */

/** @type {Record<string, Cell>} */
const MOVES = { Up: [-1, 0], Down: [1, 0], Left: [0, -1], Right: [0, 1] };
const SIDE = 5;
const THINGS = ["apple", "leaf", "coin"];
/** @type {(a: Cell, b: Cell) => boolean} */
const same = ([r0, c0], [r1, c1]) => r0 === r1 && c0 === c1;

/** What each instruction means. */
const MEANT = Object.fromEntries(
  THINGS.flatMap((thing) => {
    const [one, other] = THINGS.filter((name) => name !== thing);
    return [
      [`go to the ${thing}`, thing],
      [`go neither to the ${one} nor to the ${other}`, thing],
    ];
  }),
);

/** @type {import("./vagen-extension.d.ts").Extension} */
export default ({ environment }) => {
  environment({
    id: "right_thing",
    title: "The right thing",
    description: "Walk to the thing that the instruction means, and touch no other.",
    rows: SIDE,
    cols: SIDE,
    actions: Object.keys(MOVES),
    things: {
      apple: { color: "#c62f3b", shape: "disc", symbol: "A" },
      leaf: { color: "#2d7a46", shape: "triangle", symbol: "L" },
      coin: { color: "#d9a400", shape: "ring", symbol: "C" },
      player: { color: "#2f5fc6", shape: "square", symbol: "P" },
    },
    claims: THINGS,
    instructions: Object.keys(MEANT),
    instruction: (state) => state.instruction,

    /** @returns {State} */
    start(random) {
      /** @type {Cell[]} */
      const cells = Array.from({ length: SIDE * SIDE }, (_, i) => [Math.floor(i / SIDE), i % SIDE]);
      const [player, ...rest] = random.shuffle(cells);
      const things = Object.fromEntries(THINGS.map((thing, i) => [thing, rest[i]]));
      return { player, things, instruction: random.pick(Object.keys(MEANT)) };
    },

    step(state, action) {
      const [dr, dc] = MOVES[action];
      /** @type {Cell} */
      const player = [state.player[0] + dr, state.player[1] + dc];
      if (player.some((along) => along < 0 || along >= SIDE)) return { state, note: "blocked by the edge" };
      const touched = THINGS.find((thing) => same(player, state.things[thing]));
      if (!touched) return { state: { ...state, player } };
      const success = touched === MEANT[state.instruction];
      return { state: { ...state, player }, done: true, success, note: `it touched the ${touched}` };
    },

    where: ({ player, things }) => ({ player, ...things }),
  });
};
