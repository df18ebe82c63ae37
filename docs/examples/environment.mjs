// An environment of one's own: fetch the key, then walk to the door. docs/extending.md explains it; try it with
//   npm run train -- --preset sokoban-nano --plugin docs/examples/environment.mjs \
//     --scratch --set env.name=key_door
// or paste it into Configure → Extensions, and choose the task "Key and door".
// @ts-check

/** @typedef {import("./vagen-extension.d.ts").Cell} Cell */
/** @typedef {{ player: Cell, door: Cell, key: Cell | null, walls: Cell[] }} State */

/** @type {Record<string, Cell>} */
const MOVES = { Up: [-1, 0], Down: [1, 0], Left: [0, -1], Right: [0, 1] };
const SIDE = 5;
/** @type {(a: Cell, b: Cell) => boolean} */
const same = ([r0, c0], [r1, c1]) => r0 === r1 && c0 === c1;

/** @type {import("./vagen-extension.d.ts").Extension} */
export default ({ environment }) => {
  environment({
    id: "key_door",
    title: "Key and door",
    description: "Fetch the key, then walk to the door.",
    rows: SIDE,
    cols: SIDE,
    actions: Object.keys(MOVES),
    // In the order in which they are drawn.
    things: {
      wall: { color: "#5b5048", shape: "square", symbol: "#" },
      door: { color: "#8a4b16", shape: "diamond", symbol: "D" },
      key: { color: "#d9a400", shape: "ring", symbol: "K" },
      player: { color: "#c62f3b", shape: "disc", symbol: "P" },
    },
    // The agent states where these are, besides itself.
    claims: ["door"],

    /** @returns {State} */
    start(random) {
      /** @type {Cell[]} */
      const cells = Array.from({ length: SIDE * SIDE }, (_, i) => [Math.floor(i / SIDE), i % SIDE]);
      const [player, door, key, ...rest] = random.shuffle(cells);
      return { player, door, key, walls: rest.slice(0, 5) };
    },

    step(state, action) {
      const [dr, dc] = MOVES[action];
      const [row, col] = [state.player[0] + dr, state.player[1] + dc];
      if (row < 0 || col < 0 || row >= SIDE || col >= SIDE) return { state, note: "blocked by the edge" };
      if (state.walls.some((wall) => same(wall, [row, col]))) return { state, note: "blocked by a wall" };
      /** @type {Cell} */
      const player = [row, col];
      if (state.key && same(player, state.key))
        return { state: { ...state, player, key: null }, reward: 0.2 };
      return { state: { ...state, player }, success: state.key === null && same(player, state.door) };
    },

    where: ({ player, door, key, walls }) => ({ player, door, wall: walls, ...(key && { key }) }),
  });
};
