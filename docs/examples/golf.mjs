// Actions with arguments: putt a ball into the hole, and not into the pond. docs/extending.md explains it. Its task in the page is "Golf";
// without a page, train with
//   npm run train -- --config docs/examples/golf.yaml --plugin docs/examples/golf.mjs
// @ts-check

/** @typedef {import("./vagen-extension.d.ts").Place} Place */
/** @typedef {{ ball: Place, hole: Place, pond: Place }} State */

/** @type {Record<string, Place>} */
const WAYS = {
  north: [0, -1],
  northeast: [1, -1],
  east: [1, 0],
  southeast: [1, 1],
  south: [0, 1],
  southwest: [-1, 1],
  west: [-1, 0],
  northwest: [-1, -1],
};
/** The side of the green, the length of a step, and how close to the centre of the pond a ball is lost, in units. */
const [SIDE, STEP, SHORE] = [64, 4, 8];
/** @type {(a: Place, b: Place) => number} */
const distance = ([x0, y0], [x1, y1]) => Math.hypot(x1 - x0, y1 - y0);

/** @type {import("./vagen-extension.d.ts").Extension} */
export default ({ environment }) => {
  environment({
    id: "golf",
    title: "Golf",
    description: "Putt the ball into the hole. A ball that rolls into the pond or off the green is put back.",
    size: [SIDE, SIDE],
    background: "#b7d9a3",
    actions: [
      { name: "putt", arguments: { way: Object.keys(WAYS), strength: { from: 4, to: 32, step: STEP } } },
    ],
    things: {
      pond: { color: "#3f7cbf", shape: "disc", size: 2 * SHORE, fixed: true },
      hole: { color: "#1f2a1c", shape: "disc", size: 7, fixed: true },
      player: { color: "#ffffff", shape: "disc", size: 5 },
    },
    claims: ["hole", "pond"],
    words: { aim: "putt the ball into the hole", decision: "so" },

    /** @returns {State} */
    start(random) {
      /** @returns {Place} */
      const place = () => [STEP + STEP * random.int(15), STEP + STEP * random.int(15)];
      const ball = place();
      let [hole, pond] = [place(), place()];
      while (distance(hole, ball) === 0) hole = place();
      while (distance(pond, ball) <= SHORE || distance(pond, hole) <= SHORE) pond = place();
      return { ball, hole, pond };
    },

    step(state, _, { way, strength }) {
      const [dx, dy] = WAYS[way];
      for (let rolled = STEP; rolled <= strength; rolled += STEP) {
        /** @type {Place} */
        const at = [state.ball[0] + dx * rolled, state.ball[1] + dy * rolled];
        if (at.some((along) => along < 0 || along > SIDE)) return { state, note: "it rolled off the green" };
        if (distance(at, state.pond) <= SHORE) return { state, note: "it rolled into the pond" };
        if (rolled === strength)
          return { state: { ...state, ball: at }, success: distance(at, state.hole) === 0 };
      }
      return { state };
    },

    where: ({ ball, hole, pond }) => ({ player: ball, hole, pond }),
  });
};
