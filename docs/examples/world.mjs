// A world of one's own, with coordinates in place of cells: push a puck over ice until it rests on the pad. It glides on until it is pushed
// back, so one must see where it goes. docs/extending.md explains it. Its task in the page is "Puck on ice"; without a page, train with
//   npm run train -- --config docs/examples/world.yaml --plugin docs/examples/world.mjs
// @ts-check

/** @typedef {import("./vagen-extension.d.ts").Place} Place */
/** @typedef {{ at: Place, speed: Place, pad: Place }} State In units, and units an action. */

/** @type {Record<string, Place>} */
const PUSHES = { Glide: [0, 0], Up: [0, -1], Down: [0, 1], Left: [-1, 0], Right: [1, 0] };
const SIDE = 64;
/** How far the puck glides in an action, how near to the pad's middle it must stop, and how near to the edge it may come. */
const [SPEED, NEAR, EDGE] = [8, 4, 4];
/** @type {(change: (axis: 0 | 1) => number) => Place} */
const both = (change) => [change(0), change(1)];

/** @type {(state: State, action: string) => import("./vagen-extension.d.ts").Step<State>} */
function step({ at, speed, pad }, action) {
  const pushed = both((axis) => Math.sign(speed[axis] + SPEED * PUSHES[action][axis]) * SPEED);
  const to = both((axis) => at[axis] + pushed[axis]);
  if (to.some((along) => along < EDGE || along > SIDE - EDGE))
    return { state: { at, speed: pushed, pad }, done: true, note: "it slid over the edge" };
  const isThere = to.every((along, axis) => Math.abs(along - pad[axis]) <= NEAR);
  return { state: { at: to, speed: pushed, pad }, success: isThere && pushed.join() === "0,0" };
}

/** One axis after the other: a push towards the pad, and one against it on arrival. @type {(state: State) => string} */
function nextPush({ at, speed, pad }) {
  const gaps = both((axis) => Math.round((pad[axis] - at[axis]) / SPEED));
  const moving = speed.findIndex((along) => along !== 0);
  const axis = moving >= 0 ? moving : gaps.findIndex((gap) => gap !== 0);
  const way = moving < 0 ? gaps[axis] : gaps[axis] * speed[axis] > 0 ? 0 : -speed[axis];
  return Object.keys(PUSHES).find((name) => PUSHES[name][axis] === Math.sign(way)) ?? "Glide";
}

/** @type {import("./vagen-extension.d.ts").Extension} */
export default ({ environment }) => {
  environment({
    id: "puck",
    title: "Puck on ice",
    description: "Push the puck until it rests on the pad. It must not slide over the edge.",
    size: [SIDE, SIDE],
    background: "#e4f0f6",
    scenery: [{ color: "#b9d3df", shape: "ring", at: [32, 32], size: 44 }],
    actions: Object.keys(PUSHES),
    things: {
      pad: { color: "#2d7a46", shape: "square", size: 14, fixed: true },
      // Where the puck will be if nobody pushes it: without it no picture would show the speed.
      next: { color: "#d9a400", shape: "ring", size: 13 },
      player: { color: "#c62f3b", shape: "disc", size: 9 },
    },
    claims: ["next", "pad"],
    words: { aim: "come to rest on the pad", decision: "so push" },

    /** @returns {State} */
    start(random) {
      // Every fourth unit is enough to look for, and a small policy learns to read these places sooner.
      const place = () => both(() => 8 + 4 * random.int(13));
      // The puck may glide already: SFT begins with first turns, and these must show how to stop it.
      const push = random.pick(Object.values(PUSHES));
      return { at: place(), speed: both((axis) => SPEED * push[axis]), pad: place() };
    },
    step,
    where: ({ at, speed, pad }) => ({
      ...{ pad, player: at },
      next: both((axis) => Math.max(0, Math.min(SIDE, at[axis] + speed[axis]))),
    }),
    plan(state) {
      const actions = [];
      /** @type {import("./vagen-extension.d.ts").Step<State>} */
      let now = { state };
      while (!now.success && !now.done) {
        actions.push(nextPush(now.state));
        now = step(now.state, actions.at(-1) ?? "");
      }
      return now.success ? actions : null;
    },
  });
};
