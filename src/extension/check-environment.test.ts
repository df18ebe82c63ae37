// Every check of the contract finds the environments that break it, and no other check is blamed for them.
import { describe, expect, it } from "vitest";
import type { ExtensionApi, OwnWorld } from "./api.ts";
import { type CheckLine, checksText } from "./check-environment.ts";
import { tried } from "./index.ts";

interface State {
  readonly col: number;
  readonly goal: number;
  readonly steps: number;
}
type Step = (state: State, action: string) => object;

/** A walk to the right whose words are read back, with parts replaced. */
const walk = (shape: object, place: (col: number) => number[]) => ({
  ...shape,
  id: "walk",
  actions: ["Left", "Right"],
  claims: ["goal"],
  words: {},
  start: (random: { int(n: number): number }) => ({ col: 0, goal: 1 + random.int(4), steps: 0 }),
  step: (({ col: before, goal, steps }, action) => {
    const col = Math.max(0, Math.min(4, before + (action === "Right" ? 1 : -1)));
    return { state: { col, goal, steps: steps + 1 }, success: col === goal };
  }) as Step,
  where: ({ col, goal }: State): object => ({ player: place(col), goal: place(goal) }),
});
const looks = {
  mat: { color: "#123456", shape: "square" },
  goal: { color: "#0a7a3c", shape: "disc" },
  player: { color: "#c62f3b", shape: "disc" },
};
const symbols = Object.entries(looks).map(([name, look]) => [name, { ...look, symbol: name[0] }]);
const board = walk({ rows: 2, cols: 5, things: Object.fromEntries(symbols) }, (col) => [0, col]);
const plane = walk({ size: [48, 16], things: looks }, (col) => [4 + 10 * col, 8]);
const plan = ({ col, goal }: State) => Array(goal - col).fill("Right");

const linesOf = (own: object): readonly CheckLine[] =>
  tried({
    name: "mine",
    factory: ({ environment }: ExtensionApi) => environment(own as OwnWorld<unknown>),
  }).reports[0]!.lines;

/** A word of each check, in their order. */
const CHECKS = ["begin", "same episode", "different", "A plan", "actions", "picture", "words"] as const;
type Name = (typeof CHECKS)[number];

const fails = () => {
  throw new Error("boom");
};
let calls = 0;

/** Environments that break one check: which one, the parts that break it, and what is found. */
const broken = (own: typeof board): [what: string, name: Name, parts: object, found: RegExp][] => {
  const stepsWith = (parts: () => object): object => ({
    step: (state: State, action: string) => ({ ...own.step(state, action), ...parts() }),
  });
  const whereFrom = (first: number, places: (state: State) => object): object => ({
    where: (state: State) => ({ ...own.where(state), ...(state.steps >= first && places(state)) }),
  });
  return [
    ["start fails", "begin", { start: fails }, /start failed: Error: boom/],
    ["start returns nothing", "begin", { start: () => undefined }, /start returned nothing/],
    ["where fails at the start", "begin", whereFrom(0, fails), /where failed: Error: boom/],
    ["a thing begins outside", "begin", whereFrom(0, () => ({ goal: [99, 0] })), /\[99, 0\], outside/],
    ["rewards depend on chance", "same episode", stepsWith(() => ({ reward: calls++ })), /went two ways/],
    ["start draws nothing", "different", { start: () => ({ col: 0, goal: 2, steps: 0 }) }, /are the same/],
    [
      "nothing succeeds",
      "A plan",
      { step: (state: State) => ({ state }) },
      /no level with a plan.*Let step return success|does not solve it/,
    ],
    ["plan fails", "A plan", { plan: fails }, /plan failed: Error: boom/],
    ["plan names no action", "A plan", { plan: () => ["Jump"] }, /plan returned \["Jump"\]/],
    ["plan does not solve", "A plan", { plan: () => ["Left"] }, /\(Left\) does not solve it/],
    ["step fails", "actions", { step: fails }, /step failed: Error: boom/],
    ["step returns nothing", "actions", { step: () => undefined }, /step returned nothing/],
    ["a reward is NaN", "actions", stepsWith(() => ({ reward: Number.NaN })), /NaN as reward/],
    [
      "a result is taken",
      "actions",
      { step: () => ({ state: 0, done: true, result: "Success" }) },
      /as result/,
    ],
    ["a result comes early", "actions", stepsWith(() => ({ result: "Tie" })), /as result with/],
    ["where fails later", "actions", whereFrom(1, fails), /where failed: Error: boom/],
    ["a thing leaves", "actions", whereFrom(1, () => ({ goal: [99, 0] })), /\[99, 0\], outside/],
    ["words deny", "words", { words: { at: "is not at" } }, /Choose another words\.at/],
  ];
};

/** What only boards or only planes can break. */
const brokenBoards: ReturnType<typeof broken> = [
  [
    "a thing moves below another",
    "picture",
    {
      where: ({ col, goal, steps }: State) => ({
        player: [0, col],
        goal: [0, goal],
        mat: [0, steps % 2 ? col : goal],
      }),
    },
    /something moved that/,
  ],
];
const { mat, ...others } = looks;
const brokenPlanes: ReturnType<typeof broken> = [
  [
    "a cover hides things",
    "picture",
    {
      things: { ...others, mat: { ...mat, size: 96 } },
      where: (state: State) => ({ ...plane.where(state), mat: [24, 8] }),
    },
    /something moved below another thing/,
  ],
  [
    "a fixed thing moves",
    "actions",
    {
      things: { ...looks, mat: { ...mat, fixed: true } },
      where: (state: State) => ({ ...plane.where(state), mat: [4 * state.steps, 8] }),
    },
    /mat went from/,
  ],
];

describe.each([
  ["a board", board, [...broken(board), ...brokenBoards]],
  ["a plane", plane, [...broken(plane), ...brokenPlanes]],
] as const)("the report on %s", (_, own, cases) => {
  it("has every check, and each passes where nothing is wrong", () => {
    for (const parts of [{}, { plan }]) {
      const lines = linesOf({ ...own, ...parts });
      expect(lines.map(({ outcome }) => outcome)).toEqual(CHECKS.map(() => "passed"));
      for (const [i, name] of CHECKS.entries()) expect(lines[i]!.check).toContain(name);
    }
  });

  it.each(cases)("when %s, only the check of %s fails", (_what, name, parts, found) => {
    // With a plan of its own, a level begins without a step.
    for (const base of [own, { ...own, plan }]) {
      const lines = linesOf({ ...base, ...parts });
      const failed = lines.filter(({ outcome }) => outcome === "failed");
      expect(failed).toEqual([
        { check: expect.stringContaining(name), outcome: "failed", found: expect.stringMatching(found) },
      ]);
    }
  });
});

it("blames chance for a level that the search cannot solve because of it", () => {
  let calls = 0;
  // Nothing happens twice, so that neither action leads away from the start.
  const step = (state: State, action: string) => (calls++ % 3 < 2 ? { state } : board.step(state, action));
  const failed = linesOf({ ...board, step }).filter(({ outcome }) => outcome === "failed");
  expect(failed).toEqual([
    {
      check: expect.stringContaining("same episode"),
      outcome: "failed",
      found: expect.stringMatching(
        /^The action Left gave two different results in the same state\. Let step/,
      ),
    },
  ]);
});

it("runs no other check after a function has failed, and says how many", () => {
  const lines = linesOf({ ...board, step: fails });
  expect(lines.map(({ outcome }) => outcome)).toEqual(
    CHECKS.map((name) => (name === "actions" ? "failed" : "not run")),
  );
  expect(checksText(lines)).toBe("1 of 7 checks failed, and 6 were not run");
});

it.each([
  [["passed", "passed"], "2 of 2 checks passed"],
  [["passed", "failed"], "1 of 2 checks failed"],
  [["failed", "not run"], "1 of 2 checks failed, and 1 was not run"],
] as const)("counts %j", (outcomes, text) => {
  expect(checksText(outcomes.map((outcome) => ({ outcome })))).toBe(text);
});
