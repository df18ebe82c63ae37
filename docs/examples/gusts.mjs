// An environment in which chance decides, too: gusts of wind carry the player to the right, sometimes into the water.
// docs/extending.md ("Chance") explains it; try it with
//   npm run train -- --config docs/examples/gusts.yaml --plugin docs/examples/gusts.mjs
// @ts-check

/** @typedef {import("./vagen-extension.d.ts").Cell} Cell */
/** @typedef {{ player: Cell, flag: Cell, water: Cell[] }} State */

/** @type {Record<string, Cell>} */
const MOVES = { Up: [-1, 0], Down: [1, 0], Left: [0, -1], Right: [0, 1] };
const SIDE = 5;
const WATER = 6;
/** One move in so many is carried on. */
const GUSTS = 3;
/** @type {(a: Cell, b: Cell) => boolean} */
const same = ([r0, c0], [r1, c1]) => r0 === r1 && c0 === c1;
/** @type {(cell: Cell, move: Cell) => Cell} */
const moved = ([row, col], [down, right]) => [
  Math.min(Math.max(row + down, 0), SIDE - 1),
  Math.min(Math.max(col + right, 0), SIDE - 1),
];
/** @type {(state: State, cell: Cell) => boolean} */
const isWater = ({ water }, cell) => water.some((other) => same(other, cell));

/** @type {import("./vagen-extension.d.ts").Extension} */
export default ({ environment }) => {
  environment({
    id: "gusts",
    title: "Gusts",
    description:
      "Walk to the flag and keep out of the water, although the wind may carry you one cell further.",
    rows: SIDE,
    cols: SIDE,
    actions: Object.keys(MOVES),
    things: {
      water: { color: "#3b82c4", shape: "square", symbol: "W" },
      flag: { color: "#2f9e44", shape: "triangle", symbol: "F" },
      player: { color: "#c62f3b", shape: "disc", symbol: "P" },
    },
    claims: ["flag"],
    chance: true,

    /** @returns {State} */
    start(random) {
      /** @type {Cell[]} */
      const cells = Array.from({ length: SIDE * SIDE }, (_, i) => [Math.floor(i / SIDE), i % SIDE]);
      const [player, flag, ...rest] = random.shuffle(cells);
      return { player, flag, water: rest.slice(0, WATER) };
    },

    step(state, action, _values, random) {
      const target = moved(state.player, MOVES[action]);
      const isCarried = !isWater(state, target) && random.int(GUSTS) === 0;
      const player = isCarried ? moved(target, MOVES.Right) : target;
      const next = { ...state, player };
      const note = isCarried ? "a gust carried the player to the right" : "";
      if (isWater(state, player))
        return { state: next, done: true, note: note || "the player walked into the water" };
      return { state: next, success: same(player, state.flag), note };
    },

    where: ({ player, flag, water }) => ({ player, flag, water }),

    // The shortest way past the water in still air. A careful player does better and keeps its distance.
    plan(state) {
      /** @type {{ at: Cell, way: string[] }[]} */
      const queue = [{ at: state.player, way: [] }];
      const seen = [state.player];
      for (const { at, way } of queue) {
        if (same(at, state.flag)) return way;
        for (const [name, move] of Object.entries(MOVES)) {
          const next = moved(at, move);
          if (isWater(state, next) || seen.some((cell) => same(cell, next))) continue;
          seen.push(next);
          queue.push({ at: next, way: [...way, name] });
        }
      }
      return null;
    },
  });
};
